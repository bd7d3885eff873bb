"""What the command line takes, and what it says of the rest."""

# labels: slow

import csv
import json
import os
import re
import shutil
import signal
import subprocess
import time

import pytest

import helps
import upstream
from faults import (check_no_signal, complaint, failure, field, graph,
                    integer, printed, refusal, run, run_metadata, start)
from program import TFPROF
from surroundings import PATIENCE

VIEWS = ["scope", "graph", "op", "code"]


def traced(name, lines):
    """An entry of an op log: the node, its type, and the calls to it."""
    calls = b"".join(field(1, field(1, b"model.py") + integer(2, line)
                           + field(3, b"build") + field(4, b"x = layer(x)"))
                     for line in lines)
    return field(1, field(1, name) + field(3, b"_trainable_variables")
                 + integer(2, 1000) + field(4, calls))


def timed(nodes):
    """A RunMetadata in which each node of graph() runs for 7 microseconds."""
    stats = b"".join(
        field(2, field(1, b"scope/%d" % i) + integer(2, 1700000000000000 + i)
              + integer(3, 1) + integer(4, 8) + integer(5, 9))
        for i in range(nodes))
    return field(1, field(1, field(1, b"/device:CPU:0") + stats))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the examples of `tfprof help` speak of."""
    folder = tmp_path_factory.mktemp("usage")
    (folder / "graph.pb").write_bytes(graph(5))
    (folder / "run_meta").write_bytes(timed(5))
    (folder / "run_meta_7").write_bytes(run_metadata(2))
    (folder / "run_meta_8").write_bytes(run_metadata(1))
    (folder / "tfprof_log").write_bytes(
        traced(b"scope/1", [10, 20]) + traced(b"scope/2", [10, 30]))
    (folder / "saved_model").mkdir()
    (folder / "saved_model" / "saved_model.pb").write_bytes(
        b"\x08\x01" + field(2, field(1, field(5, b"2.21.0"))
                            + field(2, graph(2))))
    (folder / "cut_short.pb").write_bytes(graph(3)[:-3])
    subprocess.run(["gzip", "-k", folder / "graph.pb"], check=True)
    return folder


def info(folder, *args):
    """The JSON of an `info` that must succeed."""
    out = printed("info", "--format", "json", *args, cwd=folder)
    return json.loads(out)


def view(folder, name, *args):
    """The answer of a view that must succeed without a word."""
    out = printed(name, *args, cwd=folder)
    return out.decode()


def refused(folder, *args):
    """What is said of a command line that is wrong."""
    return refusal(2, *args, cwd=folder)


# ---- Commands ---------------------------------------------------------------

def test_alone_it_prints_the_usage(folder):
    code, out, err = run(cwd=folder)
    assert (code, out) == (2, b"")
    for command in VIEWS + ["advise", "info"]:
        assert f"\n  tfprof {command:7} INPUT... [options] ".encode() in err


def test_the_version(folder):
    for word in ("--version", "-version"):
        out = printed(word)
        assert re.fullmatch(rb"tfprof \d+\.\d+\.\d+\n(without \w+: .*\n)*", out)


@pytest.mark.parametrize("word, meant", [
    ("compare", "diff INPUT --base BASE"), ("mem", "memory INPUT"),
    ("lines", "code INPUT"), ("gpu", "devices INPUT"),
    ("version", "--version")])
def test_words_of_other_tools_name_the_command(folder, word, meant):
    assert refused(folder, word) == (
        f"there is no command '{word}'; try: tfprof {meant}")


def test_the_commands_of_the_fleet_are_named(folder):
    assert refused(folder, "fleet") == (
        "there is no command 'fleet'; try: python -m tfprof.fleet FOLDER")


def test_a_mistyped_help_is_understood(folder):
    assert refused(folder, "--hlep") == (
        "unknown option --hlep (did you mean --help?)")


def test_unknown_commands_are_refused(folder):
    assert refused(folder, "inof", "graph.pb") == (
        "'inof' is neither a command nor a file (did you mean info?)")
    assert refused(folder, "scop") == (
        "'scop' is neither a command nor a file (did you mean scope?)")
    assert refused(folder, "xyzzy") == (
        "'xyzzy' is neither a command nor a file (try: tfprof help)")
    assert refused(folder, "help", "grahp") == (
        "no help for 'grahp' (did you mean graph?)")
    assert refused(folder, "") == refused(folder, "")
    assert r"\x1b[2J" in refused(folder, b"\x1b[2J")
    assert "'" + "x" * 100 in refused(folder, "x" * 5000)
    assert refused(folder, "x" * 5000).endswith("x...")
    assert refused(folder, "help", "xyzzy").startswith("no help for 'xyzzy'")


@pytest.mark.parametrize("word, meant", [
    ("top", "op INPUT --select micros --order_by micros"),
    ("layers", "flops MODEL --list layers"),
    ("params", "scope INPUT --select params --order_by params"),
    ("time", "scope INPUT --select micros --order_by micros")])
def test_words_taken_for_commands_name_the_command(folder, word, meant):
    expected = f"there is no command '{word}'; try: tfprof {meant}"
    assert refused(folder, word) == expected
    assert refused(folder, word, "graph.pb") == expected
    args = meant.replace("INPUT", "graph.pb").replace("MODEL", "graph.pb")
    assert run(*args.split(), cwd=folder)[0] == 0


@pytest.mark.parametrize("args", [
    ["graph.pb", "run_meta"], ["--graph_path=graph.pb"],
    ["-graph_path", "graph.pb"], ["./graph.pb"], ["saved_model"]],
    ids=" ".join)
def test_inputs_open_the_prompt(folder, args):
    """Nothing is typed, so nothing is answered."""
    assert run(*args, cwd=folder) == (0, b"", b"")


@pytest.mark.parametrize("word", ["./nosuch", "grap.pb", "saved_model/scope"])
def test_a_file_that_is_not_there_is_no_command(folder, word):
    assert refusal(1, word, cwd=folder) == (
        f"{word}: cannot open: No such file or directory")


def test_the_prefix_of_a_checkpoint_opens_the_prompt(folder):
    for end in (".index", ".data-00000-of-00001"):
        shutil.copy(upstream.input_path(f"cifar.ckpt{end}"),
                    folder / f"saved{end}")
    assert run("saved", cwd=folder) == (0, b"", b"")


def test_two_dashes_end_the_options_of_the_prompt(folder):
    assert run("--", "graph.pb", cwd=folder) == (0, b"", b"")


def test_switches_of_the_program_take_one_dash_too(folder):
    for word in ("-q", "-quiet", "--quiet"):
        assert run("scope", "graph.pb", word, "-select", "micros",
                   cwd=folder)[2] == b""
    for word in ("--strict", "-strict"):
        assert refused(folder, "op", "graph.pb", word) == (
            "op does not support --strict (see tfprof help op)")
    for word in ("strict", "--strict", "quiet", "-q", "--help"):
        code, out, err = run("help", word)
        assert (code, err) == (0, b"") and out.startswith(b"  -")


def test_switches_of_the_program_take_a_value_as_options_do(folder):
    def noted(*words):
        return bool(run("scope", *words, "graph.pb", "-select", "micros",
                        cwd=folder)[2])
    for words in (["--quiet=true"], ["-q=true"], ["-q", "true"]):
        assert not noted(*words)
    for words in (["--quiet=false"], ["-q", "false"], ["-q", "-q=false"]):
        assert noted(*words)
    assert run("--strict=true", "graph.pb", cwd=folder) == (0, b"", b"")
    assert refused(folder, "scope", "graph.pb", "--quiet=maybe") == (
        "--quiet accepts true|false, not 'maybe'")
    assert refused(folder, "scope", "-q", "yes", "graph.pb") == (
        "--quiet accepts only true or false as the next word, not 'yes' (to "
        "set the option, use --quiet=yes; for a file with this name, use "
        "./yes)")


def test_options_may_come_before_the_inputs_of_the_prompt(folder):
    for args in (["-q"], ["--strict"], ["-max_depth", "3"], ["--format=json"]):
        assert run(*args, "graph.pb", cwd=folder) == (0, b"", b"")
        assert refused(folder, *args) == (
            "the interactive session needs an input file (see tfprof help "
            "prompt)")


def test_the_prompt_and_an_input_cannot_share_stdin(folder):
    for args in (["-"], ["graph.pb", "-"], ["--graph_path=-"]):
        assert refused(folder, *args).startswith("- cannot be an input here")


def test_a_command_behind_its_inputs_is_noticed(folder):
    assert refused(folder, "--graph_path=graph.pb", "scope") == (
        "the command must come first: tfprof scope ... (use ./scope for a "
        "file with this name)")


@pytest.mark.parametrize("word", ["--xyzzy", "-xq"])
def test_an_unknown_first_option_is_named(folder, word):
    assert refused(folder, word, "graph.pb") == (
        f"unknown option {word} (see tfprof help options)")


@pytest.mark.parametrize("words, meant", [
    (["--verson"], "version"), (["-vesrion"], "version"), (["--hepl"], "help"),
    (["--max_dept=3", "graph.pb"], "max_depth"),
    (["--stric", "graph.pb"], "strict"), (["op", "--quite"], "quiet"),
    (["op", "--verbos"], "verbose")])
def test_an_option_that_was_meant_is_named(folder, words, meant):
    name = next(word for word in words if word[0] == "-").strip("-")
    assert refused(folder, *words) == (
        f"unknown option --{name.partition('=')[0]} (did you mean --{meant}?)")


def test_help_lists_what_a_command_takes(folder):
    every = helps.options()
    assert len(every) == len(set(every)) == 83
    found = ["formulas", "functions", "batch", "shape", "trips", "formula_file"]
    told = ["signature", "list", "uncounted", "depth"]
    for view in VIEWS:
        assert helps.options(view) == [name for name in every
                                if name not in ["checkers", "by", "base", "of",
                                                "skip_steps", "budgets",
                                                "baseline", "init",
                                                "require_verdict",
                                                "allow_no_verdict",
                                                "across_versions", "runs",
                                                *told]]
    inputs = ["graph_path", "run_meta_path", "op_log_path", "checkpoint_path",
              "profile_path", "salvage", "follow", "fold_transforms", "frames",
              "run", "step_event"]
    limits = ["max_memory", "max_input", "max_block", "max_depth_nesting"]
    shown = ["format", "color", "width", "charset", "verbose"]
    assert helps.options("info") == [*inputs, *shown, *limits]
    assert helps.options("advise") == [*inputs, "checkers", "output", *shown, *limits]
    assert helps.options("flops") == [*inputs, "sort", "top", *found, *told,
                               "output", "format", "label", *shown[1:],
                               *limits]
    for option in set(every) - set(helps.options("info")):
        assert refused(folder, "info", f"--{option}=1", "graph.pb") == (
            f"info does not support --{option} (see tfprof help info)")


# ---- Options ----------------------------------------------------------------

@pytest.mark.parametrize("args", [
    ["--max-depth-nesting", "50"], ["--max-depth-nesting=50"],
    ["-max_depth_nesting", "50"], ["-max-depth_nesting=50"],
    ["--salvage"], ["--salvage", "true"], ["--salvage=false"],
    ["-salvage", "false"], ["-q"], ["--quiet"]])
def test_options_in_all_their_spellings(folder, args):
    assert info(folder, *args, "graph.pb")["files"][0]["counts"]["nodes"] == 5
    assert len(info(folder, "graph.pb", *args)["files"]) == 1


@pytest.mark.parametrize("value", [
    "+5", "0x10", "1e3", "", " 5", "5 ", "-5", "5.0", "ten",
    "9223372036854775808", "99999999999999999999"])
@pytest.mark.parametrize("option", [
    "--max-depth-nesting", "--max-memory", "--max-input"])
def test_numbers_that_are_none_are_refused(folder, option, value):
    for args in ([option, value], [f"{option}={value}"]):
        line = refused(folder, "info", *args, "graph.pb")
        assert line.startswith(option.replace("-", "_").replace("__", "--"))
        assert f"not '{value}'" in line


def test_sizes_take_letters(folder):
    for size in ("2000000", "2M", "2m", "1G", "1T"):
        info(folder, "--max-memory", size, "graph.pb")
    for size in ("2MB", "2X", "M", "9999999999T"):
        assert "such as 500000000 or 2G" in refused(
            folder, "info", "--max-memory", size, "graph.pb")


@pytest.mark.parametrize("option, words", [
    ("--max-memry", "(did you mean --max_memory?)"),
    ("--fromat", "(did you mean --format?)"),
    ("-graf_path", "(did you mean --graph_path?)"),
    ("--salvaeg=true", "(did you mean --salvage?)"),
    ("--xyzzy", "(see tfprof help options)"),
    ("--x" + "y" * 3000, "(see tfprof help options)"),
    ("---format", "unknown option"),
    ("--=5", "unknown option --"),
])
def test_unknown_options_suggest_a_known_one(folder, option, words):
    line = refused(folder, "info", option, "5", "graph.pb")
    assert line.startswith("unknown option --")
    assert words in line


def test_an_option_with_control_bytes_is_shown_escaped(folder):
    assert r"\x1b" in refused(folder, "info", b"--\x1b[2J", "graph.pb")


def test_values_that_are_missing_are_asked_for(folder):
    assert refused(folder, "info", "graph.pb", "--format") == (
        "--format needs a value: text|json|csv|proto|table|auto|markdown|github|"
        "junit|sarif")
    assert refused(folder, "info", "--format", "xml", "graph.pb") == (
        "--format accepts text|json|csv|proto|table|auto|markdown|github|junit|"
        "sarif, not 'xml'")
    assert refused(folder, "info", "--format", "csv", "graph.pb") == (
        "info supports --format text or json, not csv")
    assert refused(folder, "info", "--salvage=maybe", "graph.pb") == (
        "--salvage accepts true|false, not 'maybe'")
    assert refused(folder, "info") == (
        "info needs an input file (see tfprof help info)")
    assert refused(folder, "info", "--") == refused(folder, "info")
    assert refused(folder, "op") == (
        "op needs an input file (see tfprof help op)")


def test_a_value_is_not_taken_from_the_next_option(folder):
    assert refused(folder, "scope", "graph.pb", "-trim_name_regexes",
                   "-select", "params") == (
        "--trim_name_regexes needs a value: PATTERN,...")
    assert refused(folder, "scope", "--graph_path", "--max-depth=3") == (
        "--graph_path needs a value: FILE")
    # With "=" anything is a value.
    view(folder, "scope", "graph.pb", "--hide_name_regexes=-select")


@pytest.mark.parametrize("option", [
    "max_depth", "min_bytes", "min_peak_bytes", "min_residual_bytes",
    "min_output_bytes", "min_micros", "min_accelerator_micros",
    "min_cpu_micros", "min_params", "min_float_ops", "min_occurrence", "step"])
def test_OP_01_numbers_of_a_view(folder, option):
    for value in ("1e9", "9223372036854775808", " 5", "+5", "0x10", "", "ten"):
        for args in ([f"-{option}", value], [f"--{option}={value}"]):
            line = refused(folder, "op", *args, "graph.pb")
            assert line.startswith(f"--{option} accepts a ")
            assert line.endswith(f", not '{value}'")
    for value in ("-1", "0", "-2147483648"):
        args = ["-q", "-select", "params", f"-{option}", value, "graph.pb"]
        if option == "step" and value == "0":
            args.append("run_meta")
        view(folder, "op", *args)


@pytest.mark.parametrize("value, words", [
    ("xyzzy", "accepts stdout|none|file:outfile=F|timeline:outfile=F|"),
    ("timelime:outfile=f", "(did you mean timeline?)"),
    ("timeline:outfile=", "empty file name"),
    ("file:outfile=a,outfile=b", "accepts only one outfile"),
    ("file:outfile", "accepts outfile=FILE, not 'outfile'"),
    ("file:infile=a", "accepts outfile=FILE, not 'infile=a'"),
    ("file", "needs a file (write file:outfile=FILE)"),
])
def test_OP_02_outputs_that_are_none(folder, value, words):
    before = sorted(os.listdir(folder))
    for args in (["-output", value], [f"--output={value}"]):
        line = refused(folder, "scope", *args, "graph.pb")
        assert line.startswith("--output") and words in line
    assert sorted(os.listdir(folder)) == before


def test_outputs_go_where_they_should(folder):
    answer = view(folder, "scope", "graph.pb")
    assert answer.count("\n") > 5
    for output in ("stdout", "stdout:"):
        assert view(folder, "scope", "graph.pb", "-output", output) == answer
    assert view(folder, "scope", "graph.pb", "-output", "none") == ""
    for args in (["-output", "file:outfile=out"],
                 ["--output=file:output=out"], ["-dump_to_file", "out"],
                 ["--dump-to-file=out"]):
        assert view(folder, "scope", *args, "graph.pb") == ""
        assert (folder / "out").read_text() == answer
        (folder / "out").unlink()
    assert view(folder, "scope", "-output", r"file:outfile=o\,u", "graph.pb",
                "-q") == ""
    assert (folder / "o,u").read_text() == answer
    (folder / "o,u").unlink()
    assert view(folder, "scope", "-dump_to_file", "o,v", "graph.pb") == ""
    assert (folder / "o,v").read_text() == answer
    (folder / "o,v").unlink()


def test_the_last_value_of_an_option_holds(folder):
    assert view(folder, "scope", "graph.pb", "-max_depth", "1",
                "--max-depth=10") == view(folder, "scope", "graph.pb")
    assert view(folder, "scope", "graph.pb", "-output", "none",
                "-dump_to_file", "out", "-output", "stdout") == view(
                    folder, "scope", "graph.pb")
    assert not (folder / "out").exists()


def test_words_that_are_mistyped_are_guessed(folder):
    for option, value, words in [
            ("select", "micro", "(did you mean micros?)"),
            ("select", "params,byte", "'byte' (did you mean bytes?)"),
            ("select", "", "accepts bytes|peak_bytes|"),
            ("order_by", "occurence", "(did you mean occurrence?)"),
            ("order_by", "qqq", "accepts name|depth|bytes|"),
            ("format", "jason", "(did you mean json?)"),
            ("formulas", "tf", "accepts auto|tensorflow|full|none, not 'tf'"),
            ("account_displayed_op_only", "on", "accepts true|false")]:
        line = refused(folder, "scope", "graph.pb", f"--{option}={value}")
        assert line.startswith(f"--{option} ") and words in line


def test_a_comma_can_belong_to_a_pattern(folder):
    (folder / "commas.pb").write_bytes(
        b"".join(field(1, field(1, name) + field(2, b"NoOp"))
                 for name in (b"aa", b"aaa", b"b,c", b"d")))
    def shown(patterns):
        out = view(folder, "scope", "commas.pb", "-select", "op_types",
                   "-show_name_regexes", patterns)
        return re.findall(r"^  (\S+) ", out, re.MULTILINE)
    assert shown("aa,d") == ["aa", "d"]
    assert shown("a{2,3}") == ["aa", "aaa"]
    assert shown("a{3,},d") == ["aaa", "d"]
    assert shown(r"b\,c,d") == ["b,c", "d"]
    assert shown(r",,\w,") == ["d"]


def test_older_spellings_are_understood(folder):
    view(folder, "scope", "graph.pb", "-device_regexes", ".*")
    view(folder, "scope", "graph.pb", "-select", "num_hidden_ops")
    for args in (["-viz"], ["--viz=false"], ["-viz", "true"]):
        code, out, err = run("scope", *args, "graph.pb", cwd=folder)
        assert (code, out.decode()) == (0, view(folder, "scope", "graph.pb"))
        assert complaint(err) == "note: --viz has no effect"
        view(folder, "scope", *args, "graph.pb", "-q")


def test_a_word_after_a_switch_is_a_file(folder):
    files = info(folder, "--salvage", "graph.pb", "run_meta")["files"]
    assert [f["path"] for f in files] == ["graph.pb", "run_meta"]


# ---- Inputs -----------------------------------------------------------------

def steps(told):
    return [f["steps"] for f in told["files"]]


def test_steps_are_numbered_or_named(folder):
    assert steps(info(folder, "run_meta", "run_meta_7", "run_meta_8")) == [
        [0], [1], [2]]
    assert steps(info(folder, "--run_meta_path", "7=run_meta_7,8=run_meta_8",
                      "run_meta")) == [[7], [8], [0]]
    limit = 2**63 - 1
    assert steps(info(folder, "--run_meta_path",
                      f"{limit}=run_meta_7,0=run_meta_8")) == [[limit], [0]]
    told = info(folder, "--run_meta_path", "7=run_meta_7,7=run_meta_8")
    assert steps(told) == [[7], [7]]
    assert told["model"]["steps"] == 1
    assert told["model"]["run_records"] == 3


@pytest.mark.parametrize("value", [
    "9223372036854775808=run_meta", "7x=run_meta", "+7=run_meta",
    "0x7=run_meta", "7 =run_meta", "=run_meta", "-=run_meta", "-3=run_meta"])
def test_steps_that_are_no_numbers_are_names(folder, value):
    assert failure(1, "info", "--run_meta_path", value, cwd=folder) == (
        f"{value}: cannot open: No such file or directory")


@pytest.mark.parametrize("value", [
    ",run_meta", "run_meta,", "run_meta,,run_meta_7", ",", "", "7=", "7=,8=x"])
def test_IN_06_empty_names_in_a_list_are_refused(folder, value):
    assert refused(folder, "info", f"--run_meta_path={value}") == (
        "--run_meta_path: empty file name in the list")


def test_IN_06_a_comma_in_a_name_is_written_with_a_backslash(folder):
    name = folder / "a,b"
    name.write_bytes(run_metadata(1))
    told = info(folder, "--run_meta_path", r"a\,b,run_meta")
    assert [f["path"] for f in told["files"]] == ["a,b", "run_meta"]
    assert info(folder, "a,b")["files"][0]["path"] == "a,b"


def test_IN_06_repeated_options_and_files_add_up(folder):
    told = info(folder, "--run_meta_path", "run_meta_7,run_meta_7",
                "graph.pb", "--run_meta_path=run_meta_8", "graph.pb",
                "--graph_path", "graph.pb,graph.pb")
    assert [f["path"] for f in told["files"]] == [
        "run_meta_7", "run_meta_7", "graph.pb", "run_meta_8", "graph.pb",
        "graph.pb", "graph.pb"]
    assert told["model"]["steps"] == 3


def test_IN_06_a_hundred_thousand_paths(folder):
    (folder / "n").write_bytes(graph(1))
    def seconds(count):
        paths = ",".join(["n"] * (count // 2))  # an argument has 128 KiB
        begun = time.monotonic()
        out = printed("info", "--max-memory=1G", "--graph_path", paths,
                      "--graph_path", paths, cwd=folder)
        assert out.count(b"n: GraphDef") == count
        return time.monotonic() - begun
    small = min(seconds(25000) for _ in range(2))
    assert seconds(100000) < 4 * 2.2 * small + 0.5


def test_after_two_dashes_everything_is_a_file(folder):
    shutil.copy(folder / "graph.pb", folder / "--format")
    told = info(folder, "--", "--format", "graph.pb")
    assert [f["path"] for f in told["files"]] == ["--format", "graph.pb"]


def test_a_file_given_as_what_it_is_not_is_refused(folder):
    told = failure(1, "info", "--graph_path", "run_meta", cwd=folder)
    assert told == ("run_meta: file type is RunMetadata, not GraphDef; give it "
                    "as --run_meta_path")


# ---- Exit codes -------------------------------------------------------------

def test_the_worst_exit_code_is_told(folder):
    cases = [
        (0, ["graph.pb"]),
        (1, ["graph.pb", "cut_short.pb"]),
        (1, ["--salvage", "cut_short.pb"]),
        (4, ["--max-input", "60", "graph.pb", "gone"]),
        (2, ["--max-input", "x", "gone"]),
    ]
    for wanted, args in cases:
        code, _, _ = run("info", *args, cwd=folder)
        assert code == wanted, args


def test_a_view_answers_only_when_every_input_was_read(folder):
    for view_name in VIEWS:
        args = [view_name, "graph.pb", "run_meta", "tfprof_log"]
        assert run(*args, cwd=folder)[0] == 0
        code, out, err = run(*args, "gone", "cut_short.pb", cwd=folder)
        assert (code, out) == (1, b"")
        lines = err.decode().splitlines()
        assert len(lines) == 2
        assert lines[0].startswith("tfprof: gone: cannot open: ")
        assert lines[1].startswith("tfprof: cut_short.pb: offset ")
        code, out, err = run(*args, "--max-input", "60", "gone", cwd=folder)
        assert (code, out) == (4, b"")


def test_a_view_of_what_could_be_salvaged_says_so(folder):
    code, out, err = run("scope", "--salvage", "cut_short.pb", cwd=folder)
    assert code == 1
    assert b"scope/1" in out
    assert complaint(err).startswith("partial: cut_short.pb: offset ")
    code, out, err = run("scope", "--salvage", "cut_short.pb", "gone",
                         cwd=folder)
    assert (code, out) == (1, b"")


def test_what_the_inputs_cannot_answer_is_wrong_usage(folder):
    assert "step" in refused(folder, "scope", "graph.pb", "run_meta", "-step",
                             "12345")
    refused(folder, "code", "graph.pb", "-select", "params")


def test_a_view_in_every_format(folder):
    args = ["graph.pb", "run_meta", "-select", "micros"]
    assert "scope/1 (" in view(folder, "scope", *args)
    assert json.loads(view(folder, "scope", *args, "--format", "json"))
    rows = list(csv.reader(
        view(folder, "scope", *args, "--format=csv").splitlines()))
    assert len(rows) > 5 and len({len(row) for row in rows}) == 1


# ---- Where the answer of a view goes ----------------------------------------

ANSWERS = [[v, "graph.pb", "run_meta", "tfprof_log", "-q"] for v in VIEWS]


@pytest.mark.parametrize("args", ANSWERS, ids=lambda args: args[0])
def test_OU_01_a_view_that_cannot_be_written(folder, args):
    with open("/dev/full", "wb") as full:
        code, _, err = run(*args, stdout=full, cwd=folder)
    assert code == 3
    assert complaint(err) == ("cannot write to standard output: "
                              "No space left on device")
    for streams in (">&-", ">&- <&-", "1<graph.pb"):
        done = subprocess.run(
            ["sh", "-c", f'"$@" {streams}', "sh", TFPROF, *args], cwd=folder,
            stderr=subprocess.PIPE, check=False, timeout=PATIENCE)
        check_no_signal(done.returncode, done.stderr)
        assert done.returncode == 3
        assert complaint(done.stderr) == ("cannot write to standard output: "
                                          "Bad file descriptor")


def test_OU_01_what_is_for_the_user_is_not_written_into_a_file(folder):
    """A file does not get the number of a stream that was closed."""
    answer = view(folder, "scope", "graph.pb")
    done = subprocess.run(
        ["sh", "-c", '"$1" scope graph.pb -viz -dump_to_file out >&- 2>&- <&-',
         "sh", TFPROF], cwd=folder, check=False, timeout=PATIENCE)
    assert done.returncode == 0
    assert (folder / "out").read_text() == answer
    (folder / "out").unlink()


def test_OU_02_the_reader_of_a_view_may_leave(folder):
    (folder / "wide.pb").write_bytes(graph(20000))
    process = start(["scope", "wide.pb"], cwd=folder)
    assert process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    assert process.wait(timeout=PATIENCE) == -signal.SIGPIPE
    assert err == b""
    done = subprocess.run(
        ["bash", "-c", '"$@" | head -1', "bash", TFPROF, "scope", "wide.pb"],
        cwd=folder, capture_output=True, check=False, timeout=PATIENCE)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.count(b"\n") == 1


def test_a_view_is_written_to_a_pipe_that_does_not_block(folder):
    (folder / "wide.pb").write_bytes(graph(20000))
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    process = start(["scope", "wide.pb"], cwd=folder, stdout=writer)
    os.close(writer)
    time.sleep(0.2)
    with open(reader, "rb") as out:
        size = len(out.read())
    err = process.stderr.read()
    assert (process.wait(timeout=PATIENCE), err) == (0, b"")
    assert size == len(view(folder, "scope", "wide.pb"))
