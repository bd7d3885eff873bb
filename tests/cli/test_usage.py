"""What the command line takes, and what it says of the rest."""

import json
import os
import re
import shutil
import subprocess

import pytest

from faults import complaint, field, graph, run, run_metadata
from program import TFPROF


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """The files that the examples of `tfprof help` speak of."""
    folder = tmp_path_factory.mktemp("usage")
    (folder / "graph.pb").write_bytes(graph(5))
    (folder / "run_meta").write_bytes(run_metadata(3))
    (folder / "run_meta_7").write_bytes(run_metadata(2))
    (folder / "run_meta_8").write_bytes(run_metadata(1))
    (folder / "tfprof_log").write_bytes(
        field(1, field(1, b"scope/1") + field(3, b"_trainable_variables")))
    (folder / "saved_model").mkdir()
    (folder / "saved_model" / "saved_model.pb").write_bytes(
        b"\x08\x01" + field(2, field(1, field(5, b"2.21.0"))
                            + field(2, graph(2))))
    (folder / "cut_short.pb").write_bytes(graph(3)[:-3])
    subprocess.run(["gzip", "-k", folder / "graph.pb"], check=True)
    return folder


def info(folder, *args):
    """The JSON of an `info` that must succeed."""
    code, out, err = run("info", "--format", "json", *args, cwd=folder)
    assert (code, err) == (0, b""), err
    return json.loads(out)


def refused(folder, *args):
    """What is said of a command line that is wrong."""
    code, out, err = run(*args, cwd=folder)
    assert (code, out) == (2, b"")
    return complaint(err)


# ---- Commands ---------------------------------------------------------------

def test_alone_it_prints_the_usage(folder):
    code, out, err = run(cwd=folder)
    assert (code, out) == (2, b"")
    assert b"usage:\n  tfprof info " in err


def test_the_version(folder):
    for word in ("--version", "-version"):
        code, out, err = run(word)
        assert (code, err) == (0, b"")
        assert re.fullmatch(rb"tfprof \d+\.\d+\.\d+\n", out)


def test_unknown_commands_are_refused(folder):
    assert refused(folder, "inof", "graph.pb").startswith(
        "unknown command 'inof'")
    assert refused(folder, "") == refused(folder, "")
    assert r"\x1b[2J" in refused(folder, b"\x1b[2J")
    assert "'" + "x" * 100 in refused(folder, "x" * 5000)
    assert refused(folder, "help", "xyzzy").startswith("no help on 'xyzzy'")


@pytest.mark.parametrize("args", [
    ["--help"], ["-h"], ["-help"], ["help"], ["help", "info"],
    ["help", "help"], ["info", "--help"], ["info", "-h", "graph.pb"]])
def test_help_fits_a_narrow_terminal(folder, args):
    code, out, err = run(*args, cwd=folder)
    assert (code, err) == (0, b"")
    for line in out.decode().splitlines():
        assert len(line) <= 80, line


def examples():
    code, out, _ = run("help", "info")
    assert code == 0
    lines = out.decode().split("\nexamples:\n")[1].splitlines()
    assert len(lines) >= 5
    return [line.strip() for line in lines]


@pytest.mark.parametrize("line", examples())
def test_the_examples_of_help_work(folder, line):
    if " jq " in line and not shutil.which("jq"):
        pytest.skip("the example needs jq")
    bin_folder = folder / "bin"
    bin_folder.mkdir(exist_ok=True)
    if not (bin_folder / "tfprof").exists():
        (bin_folder / "tfprof").symlink_to(os.path.abspath(TFPROF))
    done = subprocess.run(
        ["sh", "-c", line], cwd=folder, capture_output=True, check=False,
        env={**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}"},
        timeout=60)
    # One example is about a damaged file, which ends with 1 all the same.
    assert done.returncode == (1 if "--salvage" in line else 0), done.stderr
    assert done.stdout
    if "jq" in line:
        assert done.stdout == b"5\n"


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
    ("--xyzzy", "(see tfprof help)"),
    ("--x" + "y" * 3000, "(see tfprof help)"),
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
        "--format needs a value: text|json")
    assert refused(folder, "info", "--format", "xml", "graph.pb") == (
        "--format takes text|json, not 'xml'")
    assert refused(folder, "info", "--salvage=maybe", "graph.pb") == (
        "--salvage takes true|false, not 'maybe'")
    assert refused(folder, "info") == "info needs a file (see tfprof help info)"
    assert refused(folder, "info", "--") == refused(folder, "info")


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
    assert steps(info(folder, "--run_meta_path=-3=run_meta_7")) == [[-3]]
    limit = 2**63 - 1
    assert steps(info(folder, "--run_meta_path",
                      f"{limit}=run_meta_7,{-limit - 1}=run_meta_8")) == [
        [limit], [-limit - 1]]
    told = info(folder, "--run_meta_path", "7=run_meta_7,7=run_meta_8")
    assert steps(told) == [[7], [7]]
    assert told["model"]["steps"] == 1
    assert told["model"]["run_records"] == 3


@pytest.mark.parametrize("value", [
    "9223372036854775808=run_meta", "7x=run_meta", "+7=run_meta",
    "0x7=run_meta", "7 =run_meta", "=run_meta", "-=run_meta"])
def test_steps_that_are_no_numbers_are_names(folder, value):
    code, _, err = run("info", "--run_meta_path", value, cwd=folder)
    assert code == 1
    assert complaint(err) == f"{value}: cannot open: No such file or directory"


@pytest.mark.parametrize("value", [
    ",run_meta", "run_meta,", "run_meta,,run_meta_7", ",", "", "7=", "7=,8=x"])
def test_empty_names_in_a_list_are_refused(folder, value):
    assert refused(folder, "info", f"--run_meta_path={value}") == (
        "--run_meta_path: an empty file name in its list")


def test_a_comma_in_a_name_is_written_with_a_backslash(folder):
    name = folder / "a,b"
    name.write_bytes(run_metadata(1))
    told = info(folder, "--run_meta_path", r"a\,b,run_meta")
    assert [f["path"] for f in told["files"]] == ["a,b", "run_meta"]
    assert info(folder, "a,b")["files"][0]["path"] == "a,b"


def test_after_two_dashes_everything_is_a_file(folder):
    shutil.copy(folder / "graph.pb", folder / "--format")
    told = info(folder, "--", "--format", "graph.pb")
    assert [f["path"] for f in told["files"]] == ["--format", "graph.pb"]


def test_a_file_given_as_what_it_is_not_is_refused(folder):
    code, _, err = run("info", "--graph_path", "run_meta", cwd=folder)
    assert code == 1
    assert complaint(err) == (
        "run_meta: this looks like RunMetadata, not like GraphDef; give it "
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
