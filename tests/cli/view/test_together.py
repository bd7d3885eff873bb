"""What several inputs are together: which steps they bring, and what does not
go together is told."""

import json
import re

import pytest

from checkpoints import sound
from faults import complaint, field, integer, refusal, run
from messages import CPU, entry, node_def, notes, record, run_of


def run_taking(micros):
    """A run in which node `a` took that long."""
    return run_of((CPU, record(b"a", end=micros)))


def write(folder, **files):
    for name, data in files.items():
        (folder / name).write_bytes(data)


def ask(folder, *args):
    """(microseconds of all, notes) of inputs in a folder."""
    code, out, err = run("scope", *map(str, args), "-select", "micros",
                         "--format", "json", cwd=folder)
    assert code == 0, err
    return json.loads(out)["rows"][0]["total"]["micros"], notes(err)


def make_profile(folder, *args, name="profile"):
    code, _, err = run("scope", *args, "-output", f"profile:outfile={name}",
                       cwd=folder)
    assert (code, err) == (0, b"")


# ---- Steps ------------------------------------------------------------------

def test_runs_after_a_profile_get_the_numbers_after_its_steps(tmp_path):
    write(tmp_path, graph=node_def(b"a"),
          **{f"run{i}": run_taking(10 ** i) for i in range(5)})
    make_profile(tmp_path, "graph", "run0", "run1", "run2")
    given = ("profile", "run3", "run4")
    for step in range(5):
        assert ask(tmp_path, *given, "-step", step) == (10 ** step, [])
    assert ask(tmp_path, *given) == (11111 // 5, [])


def test_a_run_takes_no_number_that_another_was_given(tmp_path):
    write(tmp_path, **{f"run{i}": run_taking(10 ** i) for i in range(4)})
    given = ("--run_meta_path", "1=run3", "run0", "run1", "run2")
    found = [ask(tmp_path, *given, "-step", step)[0] for step in range(4)]
    assert found == [1, 1000, 10, 100]


def test_a_step_of_two_files_is_told(tmp_path):
    write(tmp_path, graph=node_def(b"a"), first=run_taking(10),
          second=run_taking(7), third=run_taking(1))
    given = ("--run_meta_path", "5=first,5=second,6=third")
    told = ["step 5 is in both first and second; the costs of both are added"]
    assert ask(tmp_path, *given, "-step", 5) == (17, told)
    assert ask(tmp_path, *given) == ((17 + 1) // 2, told)
    assert ask(tmp_path, *given, "-step", 6) == (1, [])
    make_profile(tmp_path, "graph", "first", "second", name="whole")
    assert ask(tmp_path, "third", "second", "whole")[1] == [
        "step 0 is in both third and whole; the costs of both are added; "
        "this applies to 1 more step"]


def test_a_folder_with_a_profile_and_its_runs_has_their_average(tmp_path):
    write(tmp_path, graph=node_def(b"a"), run_meta_0=run_taking(10),
          run_meta_1=run_taking(30))
    made_of = ("graph", "run_meta_0", "run_meta_1")
    make_profile(tmp_path, *made_of)
    assert ask(tmp_path, ".") == (20, [])
    make_profile(tmp_path, *made_of, name="tfprof.profile")
    (tmp_path / "profile").unlink()
    micros, said = ask(tmp_path, ".")
    assert micros == 40
    assert said == ["step 0 is in both ./run_meta_0 and ./tfprof.profile; "
                    "the costs of both are added; this applies to 1 more step"]


def test_the_steps_that_there_are_come_in_their_order(tmp_path):
    write(tmp_path, run=run_taking(5))

    def told(*steps):
        given = ",".join(f"{step}=run" for step in steps)
        return refusal(2, "scope", "--run_meta_path", given, "-step", "3",
                       cwd=tmp_path)
    assert told(10, 0, 2) == "there is no step 3 (steps: 0 2 10)"
    many = told(*range(150, 100, -1))
    assert many.startswith("there is no step 3 (steps: 101 102 103 ")
    assert many.endswith(" ...)")


# ---- Standard input ---------------------------------------------------------

def test_standard_input_given_twice_is_told():
    for first, second in (["-", "-"], ["--graph_path=-", "--op_log_path=-"],
                          ["-", "--checkpoint_path=-"]):
        assert refusal(2, "scope", first, second, data=node_def(b"a")) == (
            "-: standard input can be given only once")


# ---- Directories ------------------------------------------------------------

def refuse(folder, *args):
    return refusal(1, "scope", *args, cwd=folder)


def test_a_folder_of_two_checkpoints_alone_names_them(tmp_path):
    folder = tmp_path / "saved"
    folder.mkdir()
    sound().write(folder / "first")
    sound().write(folder / "second")
    told = ("saved: 2 checkpoints in this directory, but no file 'checkpoint' "
            "that names the latest; give one of: first, second")
    (folder / "a.json").write_bytes(b"{}\n")
    assert refuse(tmp_path, "saved") == told
    assert refuse(tmp_path, "--checkpoint_path", "saved") == told
    (folder / "graph.pb").write_bytes(node_def(b"a"))
    code, _, err = run("scope", "saved", cwd=tmp_path)
    assert (code, err) == (0, b"")


def test_a_folder_without_a_file_of_tensorflow_is_told(tmp_path):
    write(tmp_path, empty=b"", page=b'{"a": 1}\n')
    assert refuse(tmp_path, ".") == (
        ".: no supported file in this directory (found: empty, page)")
    write(tmp_path, program=b"HloModule cluster\n")
    assert refuse(tmp_path, ".") == (
        "./program: views cannot read this file type: HLO text; give a trace of "
        "the program (*.xplane.pb) (other files: empty, page)")


@pytest.mark.parametrize("command", [[], ["scope"], ["flops"], ["memory"]])
def test_a_folder_with_nothing_to_read_names_what_was_seen(tmp_path, command):
    def told():
        return refusal(1, *command, "x", cwd=tmp_path, data=b"scope\n")

    folder = tmp_path / "x"
    folder.mkdir()
    start = "x: no supported file in this directory"
    assert told() == f"{start} (it is empty)"
    (folder / "model").mkdir()
    assert told() == f"{start} (found: model/)"
    (folder / "notes\x1b.txt").write_text("nothing")
    assert told() == f"{start} (found: notes\\x1b.txt, model/)"
    for i in range(100):
        (folder / f"part_{i:03}").write_text("nothing")
    assert re.fullmatch(
        re.escape(f"{start} (found: notes") + r".*(, part_\d+)+ and \d+ more\)",
        told())
    seen = told().partition("found: ")[2]
    assert 1 + seen.count(",") + int(re.search(r"and (\d+)", seen)[1]) == 102


@pytest.mark.parametrize("command", [[], ["scope"], ["flops"], ["memory"]])
def test_models_that_are_not_read_open_no_prompt(tmp_path, command):
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / "m.h5").write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(88))
    what = ("d/m.h5: views cannot read this file type: HDF5 file; load "
            "the Keras model in it, call model.export(DIR) and give DIR")
    for path in ("d/m.h5", "d"):
        code, out, err = run(*command, path, cwd=tmp_path, data=b"scope\n")
        assert (code, out, complaint(err)) == (1, b"", what)
    (tmp_path / "d" / "z").write_text("")
    code, out, err = run(*command, "d", cwd=tmp_path, data=b"scope\n")
    assert (code, out, complaint(err)) == (1, b"", f"{what} (other files: z)")

def test_of_data_in_a_folder_the_index_to_give_is_named(tmp_path):
    folder = tmp_path / "saved"
    folder.mkdir()
    sound().write(folder / "model")
    code, _, err = run("scope", "--graph_path", "saved", cwd=tmp_path)
    line = err.decode().splitlines()[0]
    given = line.partition("file type is checkpoint data; give the "
                           "matching index: ")[2].split()
    assert (code, given) == (1, ["--checkpoint_path", "saved/model.index"])
    code, _, err = run("scope", *given, cwd=tmp_path)
    assert (code, err) == (0, b"")


# ---- Two models -------------------------------------------------------------

def test_graphs_of_two_models_are_told(tmp_path):
    write(tmp_path, mine=node_def(b"a", b"Relu") + node_def(b"b", b"Add"),
          same=node_def(b"b", b"Add") + node_def(b"c", b"Add"),
          other=node_def(b"a", b"Add") + node_def(b"c", b"Mul")
          + node_def(b"d"), run=run_taking(5))
    make_profile(tmp_path, "mine", "run")
    # Runs alone do not tell the type of a node.
    make_profile(tmp_path, "run", name="runs")
    assert ask(tmp_path, "mine", "same", "profile")[1] == []
    assert ask(tmp_path, "mine", "runs")[1] == []
    assert ask(tmp_path, "runs", "mine")[1] == []
    told = ("{} another type in an earlier file, whose nodes are used "
            "instead; the first conflict is in other (are the files from the "
            "same model?)")
    for given, count in ((["mine"], "1 node has"),
                         (["mine", "same"], "2 nodes have")):
        assert ask(tmp_path, *given, "other", "run")[1] == [told.format(count)]


def test_meta_graphs_of_one_file_may_differ(tmp_path):
    """Those for training and for serving often do."""
    write(tmp_path, run=run_taking(5), saved=integer(1, 1) + b"".join(
        field(2, field(2, node_def(b"a", op))) for op in (b"Add", b"Mul")))
    assert ask(tmp_path, "--graph_path", "saved", "run")[1] == []


def test_a_log_of_another_model_is_told(tmp_path):
    write(tmp_path, graph=b"".join(map(node_def, (b"a", b"b"))),
          run=run_taking(5), log=b"".join(map(entry, (b"a", b"b", b"c", b"d"))),
          other=b"".join(map(entry, (b"a", b"x", b"y"))))
    given = ("run", "--op_log_path")
    assert ask(tmp_path, "graph", *given, "log")[1] == []
    told = ["2 of 3 op log entries do not match any node of the graph (are the "
            "files from the same model?)"]
    assert ask(tmp_path, "graph", *given, "other")[1] == told
    # Before its graph, too.
    assert ask(tmp_path, *given, "other", "graph")[1] == told
