"""PR-03: files of any version of TensorFlow, and fields of those to come."""

# labels: tf

import collections
import itertools
import json

import pytest

import schema
import upstream
from faults import SLOW, field, integer, printed, run, varint
from files import SHARED, all_files, needs_shared
from messages import (CODE, CPU, VIEWS, Folder, entry, frame, node_def, notes,
                      record, run_of, strings)
from program import DATA_DIR, chooser, info_as


# The option and the message of each kind of file that is read, and what a file
# begins with, so that there is no doubt about it.
Kind = collections.namedtuple("Kind", "option root begin")


def sample(name):
    return (DATA_DIR / name).read_bytes()


KINDS = {
    "graph": Kind("graph_path", "tensorflow.GraphDef",
                  node_def(b"m", b"VariableV2", shape=(2, 2))),
    "meta_graph": Kind("graph_path", "tensorflow.MetaGraphDef",
                       sample("model.ckpt.meta")),
    "saved_model": Kind("graph_path", "tensorflow.SavedModel",
                        sample("saved_model.pb")),
    "run": Kind("run_meta_path", "tensorflow.RunMetadata",
                run_of((CPU, record(b"n")))),
    "step": Kind("run_meta_path", "tensorflow.StepStats",
                 sample("step_stats.pb")),
    "log": Kind("op_log_path", "tensorflow.tfprof.OpLogProto",
                entry(b"n", frame(1, 7)) + strings(CODE)),
    "profile": Kind("profile_path", "tensorflow.tfprof.ProfileProto",
                    sample("profile")),
}
# Numbers that no message has; TensorFlow gives them out from 1.
NEW = 536870000


def unknown_field(which):
    """A field of a number that nobody knows, in each form that there is."""
    number = NEW + which
    return [
        integer(number, 7),
        varint(number << 3 | 1) + bytes(8),
        varint(number << 3 | 5) + bytes(4),
        field(number, b"\xff\xff not a message"),
        field(number, b""),
        varint(number << 3 | 3) + integer(1, 1) + field(2, b"group")
        + varint(number << 3 | 4),
    ][which % 6]


def paths_from(root):
    """{message: fields that lead there from the root}, each the shortest."""
    messages = schema.tables().messages
    found, waiting = {root: []}, collections.deque([root])
    while waiting:
        name = waiting.popleft()
        for row in messages[name].fields:
            if row.type == "MESSAGE" and row.of not in found:
                found[row.of] = found[name] + [row.number]
                waiting.append(row.of)
    return found


def wrapped(path, inside):
    for number in reversed(path):
        inside = field(number, inside)
    return inside


def short(name):
    return name.rpartition(".")[2]


def write_cases(folder, kind):
    """[(message, file with an unknown field, file without, its number)]"""
    made = []
    for which, (name, path) in enumerate(paths_from(kind.root).items()):
        new, plain = (folder / f"{which}.{what}" for what in ("new", "plain"))
        new.write_bytes(kind.begin + wrapped(path, unknown_field(which)))
        plain.write_bytes(kind.begin + wrapped(path, b""))
        made.append((name, new, plain, NEW + which))
    return made


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_PR_03_unknown_fields_of_every_message_are_counted(tmp_path, kind, say):
    made = write_cases(tmp_path, kind)
    found = info_as(kind.option, [new for _, new, _, _ in made], "--verbose")
    assert (found.exit, found.stderr) == (0, "")
    for (name, _, _, number), file in zip(made, found.files, strict=True):
        assert file["kind"] == short(kind.root)
        assert file["counts"]["unknown_fields"] == 1, name
        assert any(f"field {number} of {short(name)};" in line
                   for line in file["warnings"]), (name, file["warnings"])
    plain = info_as(kind.option, [plain for _, _, plain, _ in made],
                    "--verbose")
    for (name, *_), file in zip(made, plain.files, strict=True):
        assert file["counts"]["unknown_fields"] == 0, name
    say(f"{len(made)} messages")
    assert len(made) > 3


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_PR_03_unknown_fields_change_no_answer(tmp_path, kind):
    """Held against the same file without the field."""
    base = tmp_path / "base.pb"
    base.write_bytes(node_def(b"n", b"VariableV2", shape=(3, 4)))
    made = write_cases(tmp_path, kind)
    for name, new, plain, number in chooser(kind.root).sample(
            made, len(made) if SLOW else min(len(made), 8)):
        for view in VIEWS[:3]:
            args = [view, "--graph_path", base, "-select", "params,micros"]
            code, out, err = run(*args, f"--{kind.option}", new)
            want = run(*args, f"--{kind.option}", plain)
            assert (code, out, err) == want, name
            again = run(*args, f"--{kind.option}", new, "--verbose")
            assert again[:2] == want[:2], name
            note = (f"{new}: ignored 1 unknown field; the first is field {number} of "
                    f"{short(name)}")
            assert [line for line in notes(again[2])
                    if line not in notes(want[2])
                    and not line.startswith("graph coverage: ")] == [note]


def test_PR_03_a_known_number_in_another_form_is_unknown(tmp_path):
    data = (node_def(b"n") + field(1, field(1, b"m") + integer(2, 5))
            + integer(1, 5))
    (tmp_path / "graph").write_bytes(data)
    found = info_as("graph_path", [tmp_path / "graph"], "--verbose").file
    assert found["counts"]["unknown_fields"] == 2
    assert found["counts"]["nodes"] == 2


def test_PR_03_the_note_names_each_file(tmp_path):
    folder = Folder(tmp_path, graph=node_def(b"n") + integer(NEW, 1) * 3,
                    log=field(NEW, b"x"))
    _, told = folder.ask("scope", "-verbose")
    assert told == [
        f"{tmp_path}/graph: ignored 3 unknown fields; the first is field {NEW} of "
        "GraphDef",
        f"{tmp_path}/log: ignored 1 unknown field; the first is field {NEW} of "
        "OpLogProto"]
    assert folder.ask("scope")[1] == []
    assert folder.ask("scope", "-verbose", "-q")[1] == []
    assert folder.ask("scope", "-verbose", "false")[1] == []


def test_PR_03_text_is_counted_in_the_same_way(tmp_path):
    text = tmp_path / "graph.pbtxt"
    text.write_text('node { name: "n" op: "NoOp" fancy: 5 attr { key: "k" '
                    'value { newer { a: 1 } i: 3 } } } brand_new: "x"\n')
    code, _, err = run("scope", text, "-verbose")
    assert code == 0
    [note] = notes(err)
    assert note.startswith(f"{text}: ignored ")
    assert note.endswith("unknown fields; the first is field fancy of NodeDef")


@pytest.mark.parametrize("name", sorted(
    path.name for path in DATA_DIR.iterdir() if path.is_file()
    and path.suffix not in (".py", ".json") and path.stem != "odd"))
def test_PR_03_samples_of_every_kind_hold_nothing_unknown(name):
    out = printed("info", "--verbose", "--format", "json", DATA_DIR / name)
    assert json.loads(out)["files"][0]["counts"]["unknown_fields"] == 0


# ---- Files of real versions -------------------------------------------------

def test_PR_03_answers_of_both_upstream_versions_stay_the_same(say):
    """Verbose or not: the models of TensorFlow 1.15 and 2.21."""
    old = [case for case in upstream.CASES if not case.name.startswith("tf_")]
    new = [case for case in upstream.CASES if case.name.startswith("tf_")]
    cases = [*chooser("1.15").sample(old, 40), *chooser("2.21").sample(new, 40)]
    answers = upstream.run_all(cases,
                               change=lambda words: [*words, "--verbose"])
    wrong = [upstream.report(case, found) for case in cases
             if (found := upstream.complaints(case, answers[case.name]))]
    assert not wrong, "\n".join(wrong)
    assert not any(b"unknown field" in a.err for a in answers.values())
    say(f"{len(cases)} cases")


def version(text):
    """(1, 15) of "1.15.0-rc3"."""
    major, minor = text.split(".")[:2]
    return int(major), int(minor)


@needs_shared
def test_PR_03_no_field_of_a_real_file_is_unknown(say):
    """From 0.12 on; each file is read to its last record."""
    seen, versions = 0, set()
    paths = [file.path for file in all_files() if file.is_read]
    for path in paths:
        code, out, _ = run("info", "--verbose", "--format", "json", path)
        assert code in (0, 1), path
        for file in json.loads(out)["files"]:
            assert file["counts"]["unknown_fields"] == 0, path
            seen += file["read"]
            if file["tensorflow_version"]:
                versions.add(version(file["tensorflow_version"]))
    told = ", ".join(f"{a}.{b}" for a, b in sorted(versions))
    say(f"{seen} files, of TensorFlow {told} and without a version")
    assert {(0, 12), (1, 4)} <= versions
    assert any(a == 2 for a, _ in versions)


@needs_shared
def test_PR_03_files_of_different_versions_are_read_together(say):
    """Graphs of one with runs, logs and profiles of another: an answer in
    every view, and the same whichever comes first."""
    data = SHARED / "data"
    graphs = [data / "ckpt_v1_half_plus_two/export.meta",      # 0.12
              data / "neurosat/model.ckpt.meta",               # 1.4
              data / "savedmodel_dragnn_tf1/saved_model.pb",   # 1.3
              upstream.input_path("resnet.pb"),                # 1.15
              data / "savedmodel_half_plus_two_tf2/saved_model.pb"]  # 2.14
    others = [data / "tfprof_C_2016v1ckpt/run_meta",
              data / "tfprof_B_cpu2017/run_meta",
              data / "tfprof_A_gpu/tfprof_log",
              upstream.input_path("resnet_run_meta_0"),
              upstream.input_path("resnet_oplog")]
    pairs = list(itertools.product(graphs, others))
    for graph, other in pairs:
        for view in VIEWS[:3]:
            answers = []
            for inputs in ((graph, other), (other, graph)):
                code, out, err = run(view, *inputs, "-verbose", "-max_depth",
                                     "3", "-select", "params,micros,bytes")
                assert code == 0, (view, inputs, err)
                assert b"unknown field" not in err
                answers.append(out)
            assert answers[0] == answers[1] != b"", (view, graph, other)
    say(f"{len(pairs)} pairs, 3 views, in both orders")
