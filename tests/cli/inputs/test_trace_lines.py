"""Source lines of a trace from the op log beside it: which name of the trace
has the line of which name of the log, notes, and damaged logs."""

import gzip
import json
import os

import pytest

import pprof
import program
from trace_build import Plane, space
from wirebytes import field, integer

RUN = "plugins/profile/2026_01_02_03_04_05"
OWN = "/home/user/train.py"
LIBRARY = "/usr/lib/python3.11/site-packages/keras/layer.py"
FIT = (OWN, 1, "fit")
KERAS = (LIBRARY, 7, "call")

# Each line of `call`, and the operation of the log that it made.
LOGGED = {
    11: "model/dense/MatMul", 12: "model/Softmax", 13: "while/add",
    14: "gradient_tape/model/Sum", 15: "cond/Relu", 16: "top",
    17: "StatefulPartitionedCall", 18: "model/dense",
    19: "model/Sum",
}

# Names in a trace, and the line that each must have.
NAMES = {
    "model/dense/MatMul": 11,
    "StatefulPartitionedCall/model/dense/MatMul": 11,
    "a/PartitionedCall_2/StatefulPartitionedCall/model/dense/MatMul": 11,
    "gradient_tape/model/dense/MatMul/MatMul_1": 11,
    "StatefulPartitionedCall/gradient_tape/model/dense/MatMul/x/y": 11,
    "gradients/model/dense/MatMul_grad/MatMul": 11,
    "model/dense/MatMul/fusion.3": 11,
    "StatefulPartitionedCall/model/Softmax": 12,
    "while/body/_7/while/add": 13,
    "StatefulPartitionedCall/gradient_tape/model/Sum": 14,
    "gradient_tape/model/Sum/fusion.1": 14,  # of what is in the log
    "model/Sum": 19,
    "cond/then/_0/cond/Relu": 15,
    "StatefulPartitionedCall_1/top": 16,
    "StatefulPartitionedCall": 17,
    # The name of the operation, and not of the scope around it.
    "gradient_tape/model/dense/BiasAdd/BiasAddGrad": 18,
    "StatefulPartitionedCall/other/MatMul": None,
    "other/top": None,
    "a/_x/top": None,
    "StatefulPartitionedCall_a/top": None,
    "gradient_tape/other/MatMul": None,
    "StatefulPartitionedCall/": 17,
    "gradient_tape/": None,
}


def log(stacks):
    """An OpLogProto: name -> frames, the outermost first."""
    ids = {}

    def number(text):
        return ids.setdefault(text, len(ids) + 1)

    entries = b"".join(
        field(1, field(1, name.encode()) + field(4, b"".join(
            field(1, integer(2, line) + integer(6, number(file))
                  + integer(7, number(function)))
            for file, line, function in frames)))
        for name, frames in stacks.items())
    return entries + b"".join(
        field(2, integer(1, place) + field(2, text.encode()))
        for text, place in ids.items())


def logged():
    return log({name: (FIT, KERAS, (OWN, line, "call"), KERAS)
                for line, name in LOGGED.items()})


def trace(names):
    """A host that runs each for a microsecond."""
    host = Plane("/host:CPU")
    host.line(1, "t", *(host.event(f"{name}:Op", 2_000_000 * at, 1_000_000)
                        for at, name in enumerate(names)))
    return space(host)


def folder(path, names, op_log):
    """A log directory with one run."""
    run = path / RUN
    run.mkdir(parents=True, exist_ok=True)
    (run / "vm.xplane.pb").write_bytes(trace(names))
    if op_log is not None:
        (run / "tfprof_log").write_bytes(op_log)
    return path


def ask(kind, *args):
    done = program.run(kind, "-select", "micros", *args)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def self_times(*args):
    """Microseconds of each line of `call`, of fit(), and of None: no line."""
    code, out, err = ask("code", "--own", "--format", "json", *args)
    assert code == 0, err
    return {row["line"]: row["self"]["micros"]
            for row in json.loads(out)["rows"] if row["self"]["micros"]}


# ---- Names ---------------------------------------------------------------

@pytest.mark.parametrize("name", NAMES)
def test_name_in_a_trace_has_the_line_of_its_operation(name, tmp_path):
    found = folder(tmp_path, [name, "model/Softmax"], logged())
    expected = {NAMES[name]: 1}
    expected[12] = expected.get(12, 0) + 1
    assert self_times(found) == expected


def test_order_of_files_does_not_matter(tmp_path):
    run = folder(tmp_path, NAMES, logged()) / RUN
    expected = self_times(tmp_path)
    assert len(expected) == len(LOGGED) + 1
    assert self_times(run) == expected
    (run / "vm.xplane.pb").rename(run / "a.xplane.pb")  # read before the log
    assert self_times(tmp_path) == expected
    alone = tmp_path.parent / f"{tmp_path.name}_log"
    (run / "tfprof_log").rename(alone)
    assert ask("code", tmp_path)[0] != 0
    for given in ((tmp_path, "--op_log_path", alone),
                  ("--op_log_path", alone, tmp_path)):
        assert self_times(*given) == expected
    (run / "tfprof_log").write_bytes(gzip.compress(logged()))
    assert self_times(tmp_path) == expected


def test_other_views_of_the_trace_stay(tmp_path):
    with_log = folder(tmp_path / "a", NAMES, logged())
    without = folder(tmp_path / "b", NAMES, None)
    for kind in ("scope", "graph", "op"):
        assert ask(kind, with_log)[:2] == ask(kind, without)[:2]


def test_log_of_a_long_name_of_calls(tmp_path):
    """Only so many of the calls in front are left out."""
    for calls, line in ((16, 16), (17, None)):
        name = "PartitionedCall/" * calls + "top"
        assert self_times(folder(tmp_path / str(calls), [name, "top"],
                                 logged())) in ({16: 2}, {line: 1, 16: 1})


# ---- Notes ---------------------------------------------------------------

def notes(*args):
    return ask("code", *args)[2]


def test_note_says_how_much_of_the_time_has_lines(tmp_path):
    names = ["top", "model/Softmax", "other"]
    found = notes(folder(tmp_path / "a", names, logged()))
    assert "note: 66 % of the operation time has source lines from " \
        "tfprof_log\n" in found
    assert "only call a library" not in found
    assert "op log entries do not match" not in found
    assert "of the op time" not in ask("op", tmp_path / "a")[2]


def pprof_total(path, *args):
    """Microseconds of all samples."""
    out = path.with_name("out.pb.gz")
    _, _, err = ask("code", path, "--output",
                    ",".join((f"pprof:outfile={out}", *args)))
    total = sum(value * count for (kind, _, _, value), count
                in pprof.samples(out.read_bytes()).items()
                if kind == ("micros", "nanoseconds"))
    return total / 1000, err


LEFT_OUT = "note: 33 % of the operation time has no source line and is left " \
    "out, as in TensorFlow's own tfprof"


def test_time_without_a_line_is_left_out_with_a_note(tmp_path):
    names = ["top", "model/Softmax", "other"]
    path = folder(tmp_path / "a", names, logged())
    _, out, err = ask("code", path)
    assert f"{LEFT_OUT} (--format table and --format json include it)\n" in err
    total, *_ = json.loads(ask("code", path, "--format", "json")[1])["rows"]
    whole = total["total"]["micros"]
    assert f"_TFProfRoot (--/{round(whole * 2 / 3)}us" in out
    for form in "json", "csv", "table":
        assert "has no source line" not in notes(path, "--format", form)
    for samples in "leaves", "all":
        found, err = pprof_total(path, f"samples={samples}")
        assert (found, LEFT_OUT in err) == (round(whole * 2 / 3), True)
    assert "(places=lines includes it)" in err
    found, err = pprof_total(path, "places=lines")
    assert (found, LEFT_OUT in err) == (whole, False)


def test_only_selected_types_count_for_the_note(tmp_path):
    path = folder(tmp_path / "a", ["top", "other"], logged())
    found = notes(path, "--account_type_regexes", "no such type")
    assert "has no source line" not in found
    assert "50 % of the operation time has no source line" in notes(path)


def test_log_of_another_function_is_no_code_view(tmp_path):
    path = folder(tmp_path, ["other"], logged())
    code, out, err = ask("code", path)
    assert (code, out) == (2, "")
    assert "the op log contains no operation of the trace" in err
    code, out, err = ask("code", folder(tmp_path / "b", ["other"], None))
    assert (code, out) == (2, "")
    assert "no operation of the trace has a source line" in err
    assert "tfprof.trace(LOGDIR, model=MODEL)" in err


def test_functional_model_is_pointed_to_the_scope_view(tmp_path):
    stacks = {name: (FIT, KERAS) for name in LOGGED.values()}
    found = notes(folder(tmp_path / "a", ["top"], log(stacks)))
    assert "functional Keras model" in found and "scope view" in found
    stacks["top"] = (FIT, KERAS, (OWN, 3, "call"), KERAS)
    assert "functional" not in notes(folder(tmp_path / "b", ["top"],
                                            log(stacks)))


# ---- Damaged logs --------------------------------------------------------

def check_left_out(path, why):
    code, out, err = ask("op", path)
    assert code == 1
    assert f"left out: {path}/" in err and why in err, err
    assert "Op " in out
    code, out, err = ask("code", path)
    assert code in (1, 2) and out == "" and "left out: " in err


def test_truncated_log_is_named_and_left_out(tmp_path):
    data = logged()
    cuts = [at for at in range(1, len(data)) if at % 23 == 1]
    left_out = 0
    for at in cuts:
        path = folder(tmp_path / "a", NAMES, data[:at])
        code, out, err = ask("op", path)
        assert "Op " in out, err
        assert code == ("left out: " in err), err
        if code == 1:
            left_out += 1
            # Nothing of it is used.
            assert "no operation of the trace" in notes(path)
    assert left_out > len(cuts) // 2  # the others end between two entries
    check_left_out(folder(tmp_path / "a", NAMES, data[:-1]), "offset")


@pytest.mark.parametrize("data, why", [
    (b"\xff" * 50, "offset"), (gzip.compress(b"x" * 5000)[:-9], "gzip"),
    (gzip.compress(logged())[:60], "gzip"),
    (b"\x0a\xff\xff\xff\xff\x7f", "offset"), (b"{}", "JSON"),
    (b"PK\x03\x04" + b"\0" * 80, "file type is")])
def test_other_bytes_are_named_and_left_out(data, why, tmp_path):
    check_left_out(folder(tmp_path, NAMES, data), why)
    check_left_out(tmp_path / RUN, why)


def test_salvage_keeps_the_entries_before_the_damage(tmp_path):
    whole = logged()
    entry = field(1, field(1, b"more") + field(4, b""))
    path = folder(tmp_path, ["top", "other"], whole + entry[:-2])
    done = program.run("code", "--own", "-select", "micros", "--salvage", path)
    assert b"train.py:16:call" in done.stdout


def test_damaged_log_without_a_whole_trace_is_an_error(tmp_path):
    path = folder(tmp_path, NAMES, logged()[:-1])
    (path / RUN / "vm.xplane.pb").write_bytes(trace(NAMES)[:-40])
    code, out, _ = ask("op", path)
    assert (code, out) == (1, "")


def test_pipe_in_the_place_of_a_log_is_skipped(tmp_path):
    path = folder(tmp_path, NAMES, None)
    os.mkfifo(path / RUN / "tfprof_log")
    code, out, err = ask("op", path)
    assert code == 0 and "Op " in out
    assert "not a regular file" in err


def test_frames_of_python_ignore_the_log(tmp_path):
    path = folder(tmp_path, NAMES, logged())
    err = ask("code", "--frames", "python", path)[2]
    assert "the trace contains no Python calls" in err
