"""Completions for bash, zsh and fish, by pressing Tab in these."""

# labels: once, long

import functools
import os
import re
import shutil
import subprocess

import pytest

import completing
import helps
from lacking import lacks
from program import DATA_DIR, run
from trees import Tree

COMMANDS = helps.commands()
SHELLS = ["bash", "bash with bash-completion", "zsh", "fish"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("completion")
    for name in ("graph.pb", "run_meta_0", "run_meta_1", "my file.pb"):
        (folder / name).write_text("")
    (folder / "models").mkdir()
    (folder / "models" / "one.pb").write_text("")
    return folder


def need_script(name):
    if not os.path.exists(os.path.join(completing.MANUAL, name)):
        lacks("built without the manual (TFPROF_MANUAL=OFF)")


@pytest.fixture(scope="module", params=SHELLS)
def shell(request, folder):
    name = request.param
    need_script("tfprof.bash")
    if not shutil.which(name.split()[0]) or (
            "with" in name and not os.path.exists(completing.PACKAGE)):
        lacks(f"needs {name} (tools/setup installs it)")
    if name == "zsh":
        made = completing.Zsh(folder)
    elif name == "fish":
        made = completing.Fish(folder)
    else:
        made = completing.Bash(folder, "with" in name)
    yield made
    made.close()


def words_of(option):
    """The words that an option takes."""
    text = helps.told(option).split("\nexamples:")[0]
    many = re.search(r"(?:Any|One) of: ((?:.|\n)*)", text)
    if many:
        return set(re.split(r",\s+", many[1].strip()))
    return set(re.match(r"  --\w+ (\S+)", text)[1].split("|"))


# What is typed, and what Tab makes of its last word. A word may be followed by
# what shells put there for the next one.
LINES = [
    ("sc", "scope"),
    ("adv", "advise"),
    ("mod", "models/"),
    ("scope gra", "graph.pb"),
    ("scope mod", "models/"),
    ("flops models/o", "models/one.pb"),
    ("xprof ker", "kernel_stats"),
    ("xprof hlo_stats gra", "graph.pb"),
    ("xprof hlo_stats graph.pb --format j", "json"),
    ("scope -- gra", "graph.pb"),
    ("-- gra", "graph.pb"),
    ("scope graph.pb -sel", "-select"),
    ("scope graph.pb --sele", "--select"),
    ("graph.pb -sel", "-select"),
    ("-graph_path=graph.pb -ord", "-order_by"),
    ("scope -max_depth 3 -ord", "-order_by"),
    ("scope -order_by acc", "accelerator_micros"),
    ("scope -order_by=acc", "-order_by=accelerator_micros"),
    ("scope --order_by acc", "accelerator_micros"),
    ("scope --order_by=acc", "--order_by=accelerator_micros"),
    ("scope --salvage=t", "--salvage=true"),
    ("scope -select mic", "micros"),
    ("scope -select micros,by", "micros,bytes"),
    ("scope -select=micros,by", "-select=micros,bytes"),
    ("scope -select au", "auto"),
    ("advise --checkers=al", "--checkers=all"),
    ("scope --select=micros,by", "--select=micros,bytes"),
    ("scope -select micros,bytes,cpu", "micros,bytes,cpu_micros"),
    ("advise -checkers Op", "OperationChecker"),
    ("scope -select tim", "time"),
    ("scope -select micros,mem", "micros,memory"),
    ("op -order_by flop", "flops"),
    ("flops -sort mem", "mem"),
    ("scope -output time", "timeline:outfile="),
    ("scope --output=time", "--output=timeline:outfile="),
    ("scope -output timeline:outfile=gra", "timeline:outfile=graph.pb"),
    ("scope --output=pprof:outfile=gra", "--output=pprof:outfile=graph.pb"),
    ("scope -output pprof:labels=all,outfile=gra",
     "pprof:labels=all,outfile=graph.pb"),
    ("scope -output file:outfile=mod", "file:outfile=models/"),
    ("scope --graph_path gra", "graph.pb"),
    ("scope --graph_path=gra", "--graph_path=graph.pb"),
    ("scope --graph_path=mod", "--graph_path=models/"),
    ("scope -graph_path=models/o", "-graph_path=models/one.pb"),
    ("scope -run_meta_path run_meta_0,run_meta_1,gra",
     "run_meta_0,run_meta_1,graph.pb"),
    ("scope --run_meta_path=7=gra", "--run_meta_path=7=graph.pb"),
    ("scope --run_meta_path=7=run_meta_0,8=gra",
     "--run_meta_path=7=run_meta_0,8=graph.pb"),
    ("flops -formula_file gra", "graph.pb"),
    ("help metr", "metrics"),
    ("help cpu", "cpu_micros"),
    ("help order", "order_by"),
    ("help prom", "prompt"),
    ("help adv", "advise"),
    ("--stri", "--strict"),
    ("--vers", "--version"),
    ("scope --qui", "--quiet"),
    # nothing is completed that would be refused, or that nobody knows
    ("info -outp", "-outp"),
    ("scope -select micros,aut", "micros,aut"),
    ("info -output=std", "-output=std"),
    ("-- graph.pb -sel", "-sel"),
    ("scope --stri", "--stri"),
    ("scope -checkers Op", "Op"),
    ("scope -max_depth gra", "gra"),
    ("scope -show_name_regexes gra", "gra"),
    ("help xyzzy", "xyzzy"),
]


@pytest.mark.parametrize("typed, word", LINES, ids=[line for line, _ in LINES])
def test_what_tab_makes_of_a_word(shell, typed, word):
    last = typed.split()[-1]
    if isinstance(shell, completing.Fish):
        assert shell.choices(f"tfprof {typed}") == (
            {word} if word != last else set())
        return
    line = shell.line(f"tfprof {typed}")
    want = f"tfprof {typed[:len(typed) - len(last)]}{word}"
    assert line.startswith(want)
    # zsh puts = behind an option and a comma behind a word of a set
    rest = line[len(want):]
    allowed = {"", " "} if word != last else {""}
    if isinstance(shell, completing.Zsh) and word != last:
        allowed |= {",", "="}
    assert rest in allowed, line


@pytest.mark.parametrize("shell", [s for s in SHELLS if s != "fish"],
                         indirect=True)
def test_hyphens_may_stand_for_underscores(shell):
    line = shell.line("tfprof scope --order-b").rstrip("= ")
    assert line in ("tfprof scope --order-by", "tfprof scope --order_by")


def test_a_name_with_a_blank_is_quoted(shell):
    if isinstance(shell, completing.Fish):
        assert shell.choices("tfprof scope my") == {"my file.pb"}
    else:
        assert shell.line("tfprof scope my") == r"tfprof scope my\ file.pb "


def test_commands_and_files_come_first(shell):
    assert shell.choices("tfprof ") >= {*COMMANDS, "help", "graph.pb"}


@pytest.mark.parametrize("command", COMMANDS)
def test_the_options_of_a_command(shell, command):
    for dashes in ("-", "--"):
        found = {word.strip() for word in shell.choices(
            f"tfprof {command} graph.pb {dashes}")}
        names = {re.sub(r"=$", "", word) for word in found}
        want = {dashes + name for name in helps.options(command)}
        assert want <= names, want - names
        others = {dashes + name for name in helps.options()} - want
        assert not others & names


def test_the_tools_of_xprof(shell):
    tools = {"framework_op_stats", "hlo_stats", "kernel_stats",
             "memory_profile"}
    assert shell.choices("tfprof xprof ") >= tools
    assert not shell.choices("tfprof xprof hlo_stats ") & tools - {"hlo_stats"}


def test_the_topics_of_help(shell):
    found = shell.choices("tfprof help ")
    assert found >= {*COMMANDS, "prompt", *helps.topics()}
    assert found >= set(helps.options())
    assert found >= words_of("select") | {"time", "memory", "flops"}


@pytest.mark.parametrize("option", ["select", "order_by", "format", "formulas",
                                    "checkers", "list"])
def test_the_words_of_an_option(shell, option):
    command = {"checkers": "advise", "list": "flops"}.get(option, "scope")
    for typed in (f"-{option} ", f"--{option}="):
        found = shell.choices(f"tfprof {command} {typed}")
        found = {word.rpartition("=")[2] for word in found}
        # Those of diff and check alone are left out.
        assert found >= words_of(option) - {"markdown", "github", "junit",
                                            "sarif"}


def tree_code(*args):
    """The exit code of the tree, which needs a terminal."""
    with Tree(*args) as tree:
        tree.press("q")
        return tree.end()


@pytest.fixture(scope="module")
def refused(tmp_path_factory):
    """refused(command, option): its words that the command does not take."""
    folder = tmp_path_factory.mktemp("refused")
    budgets = folder / "budgets.json"
    budgets.write_text('{"budgets": [{"metric": "nodes", "max": 1000}]}')

    @functools.cache
    def find(command, option):
        inputs = [DATA_DIR / "graph.pb"]
        if command == "xprof":
            inputs = ["hlo_stats", DATA_DIR / "traces" / "gen_jax-gpu.xplane.pb"]
        elif command == "diff":
            inputs += ["--base", DATA_DIR / "graph.pb"]
        elif command == "check":
            inputs += ["--budgets", budgets]
        elif command == "baseline":
            pass
        elif command == "kernels":
            inputs = [DATA_DIR / "traces" / "gen_tf-gpu.xplane.pb"]
        elif command != "flops":
            inputs += [DATA_DIR / "run_meta", DATA_DIR / "op_log"]
        if command == "aggregate" and option != "output":
            inputs += ["--output", "parquet:outfile=tables"]
        if command == "tui":
            return {word for word in words_of(option)
                    if tree_code(*inputs, f"--{option}={word}") == 2}
        return {word.removesuffix("F") for word in words_of(option)
                if run(command, *inputs, f"--{option}={word}",
                       cwd=folder).returncode == 2}
    return find


ONLY_WORDS = [("xprof", "format", {"json"}),
              ("aggregate", "output", {"parquet:outfile="})]


@pytest.mark.parametrize("option", ["format", "sort", "output"])
def test_words_that_a_command_refuses_are_not_offered(shell, refused, option):
    words = {word.removesuffix("F") for word in words_of(option)}
    for command in COMMANDS:
        if option not in helps.options(command):
            continue
        left = words - refused(command, option)
        if len(left) == 1:  # it is put there at once: see LINES
            assert (command, option, left) in ONLY_WORDS
            continue
        found = shell.choices(f"tfprof {command} --{option} ")
        assert found & words == left, command
    assert shell.choices(f"tfprof graph.pb --{option} ") >= words


def test_output_words_are_completed(shell):
    found = shell.choices("tfprof scope -output ")
    assert found >= {word.partition("=")[0] + ("=" if "=" in word else "")
                     for word in words_of("output")}


@pytest.mark.parametrize("shell", ["zsh", "fish"], indirect=True)
def test_choices_are_listed_with_descriptions(shell):
    if isinstance(shell, completing.Fish):
        assert shell.described("tfprof sc") == {
            "scope": "Show costs by name scope, as a tree"}
        assert shell.described("tfprof scope -max_dep")["-max_depth"] == (
            "Show at most N levels of the tree")
    else:
        shown = shell.after("tfprof scope -max_", "\t\t")[1]
        assert re.search(r"-max_input +-- Refuse input files larger than this", shown)
        assert re.search(r"scope +-- Show costs by name scope, as a tree",
                         shell.after("tfprof ", "\t\t")[1])


@pytest.mark.parametrize("check", [
    ["shellcheck", "-s", "bash", "tfprof.bash"], ["bash", "-n", "tfprof.bash"],
    ["zsh", "-n", "tfprof.zsh"], ["fish", "-n", "tfprof.fish"]], ids=" ".join)
def test_the_scripts_are_well_formed(check):
    need_script(check[-1])
    if not shutil.which(check[0]):
        lacks(f"needs {check[0]} (tools/setup installs it)")
    done = subprocess.run(check, cwd=completing.MANUAL, capture_output=True,
                          check=False, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_bash_that_does_not_cut_words_at_signs(folder):
    need_script("tfprof.bash")
    shell = completing.Bash(folder, False)
    shell.say("COMP_WORDBREAKS=${COMP_WORDBREAKS//[:=]}; echo SE''T")
    shell.child.expect("SET")
    for typed, word in LINES:
        last = typed.split()[-1]
        # bash may quote a comma, which means the same
        line = shell.line(f"tfprof {typed}").rstrip().replace("\\,", ",")
        assert line == f"tfprof {typed[:len(typed) - len(last)]}{word}"
    shell.close()
