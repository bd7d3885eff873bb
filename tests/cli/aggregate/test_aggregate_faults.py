"""tfprof aggregate: damaged inputs, pipes, folders and wrong options."""

import os
import shutil
import signal
import subprocess
import time

import pytest
from aggregates import (TRACES, aggregate, files_of, host, make_model, read,
                        run_aggregate, run_record)
from outputs import leftovers
from program import TFPROF, run


@pytest.fixture(scope="module", name="model")
def made_model(tmp_path_factory):
    return make_model(tmp_path_factory.mktemp("model"))


# ---- Faults -------------------------------------------------------------------


def test_a_damaged_file_is_reported_and_left_out(model, tmp_path):
    graph, log, runs = files_of(model)
    cut = tmp_path / "cut"
    cut.write_bytes(runs[1].read_bytes()[:-1000])
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    done = run_aggregate(tmp_path / "out", graph, log, runs[0], cut, empty)
    assert done.returncode == 1
    assert b"cut" in done.stderr and b"empty" in done.stderr
    tables = read(tmp_path / "out")
    header = tables["header"][0]
    assert (header["inputs"], header["damaged"], header["steps"]) == (5, 2, 1)
    problems = header["problems"].split("\n")
    assert len(problems) == 2 and str(cut) in problems[0]
    assert tables["rows"] == aggregate(tmp_path / "ok", graph, log,
                                       runs[0])["rows"]


def test_nothing_is_written_without_a_step(model, tmp_path):
    graph, log, runs = files_of(model)
    cut = tmp_path / "cut"
    cut.write_bytes(runs[1].read_bytes()[:-1000])
    for args, code in (((graph, log), 2), ((graph, cut), 1),
                       ((tmp_path / "absent", runs[0]), 1)):
        done = run_aggregate(tmp_path / "out", *args)
        assert done.returncode == code, done.stderr
        assert done.stderr and not (tmp_path / "out").exists()


def test_output_must_be_a_folder_that_can_be_written(model, tmp_path):
    graph, _, runs = files_of(model)
    done = run("aggregate", graph, runs[0])
    assert done.returncode == 2
    assert b"--output parquet:outfile=FOLDER" in done.stderr
    (tmp_path / "file").write_text("")
    done = run_aggregate(tmp_path / "file", graph, runs[0])
    assert done.returncode == 3 and b"cannot create the folder" in done.stderr
    if os.getuid() != 0:
        closed = tmp_path / "closed"
        closed.mkdir(mode=0o500)
        done = run_aggregate(closed / "out", graph, runs[0])
        assert done.returncode == 3 and b"Permission denied" in done.stderr


def test_an_old_header_does_not_stay(model, tmp_path):
    """A failed call must not leave a header beside other tables."""
    graph, _, runs = files_of(model)
    aggregate(tmp_path / "out", graph, runs[0])
    (tmp_path / "out" / "steps.parquet").unlink()
    (tmp_path / "out" / "steps.parquet").mkdir()
    done = run_aggregate(tmp_path / "out", graph, runs[1])
    assert done.returncode == 3
    assert not (tmp_path / "out" / "header.parquet").exists()


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("call", ["fsync", "renameat"])
def test_OU_03_a_table_that_fails_leaves_no_header(model, tmp_path, call,
                                                   number):
    """A set of tables that has a header is complete, whether old or new."""
    graph, log, runs = files_of(model)
    folder = tmp_path / "out"
    aggregate(folder, graph, log, *runs)
    done = subprocess.run(
        ["strace", "-qq", "-o", tmp_path / "strace", "-e", f"trace={call}",
         "-e", f"inject={call}:error=EIO:when={number}", TFPROF, "aggregate",
         graph, log, *runs, "--output", f"parquet:outfile={folder}"],
        capture_output=True, check=False,
        env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"})
    assert "(INJECTED)" in (tmp_path / "strace").read_text()
    assert done.returncode == 3
    assert b"Input/output error" in done.stderr
    assert not (folder / "header.parquet").exists()
    assert leftovers(folder) == []


# ---- Inputs that can be read only once ----------------------------------------


def run_with_stdin(folder, data, *args):
    return subprocess.run(
        [TFPROF, "aggregate", *map(os.fspath, args), "--output",
         f"parquet:outfile={folder}"], input=data, capture_output=True,
        check=False)


def test_a_trace_on_stdin_does_not_change_later_runs(tmp_path):
    trace, run_meta = tmp_path / "a.xplane.pb", tmp_path / "run_meta"
    trace.write_bytes(host(range(3)))
    run_meta.write_bytes(run_record(b"x"))
    given = "--run_meta_path", f"1={run_meta}"
    of_trace = aggregate(tmp_path / "trace", trace)["steps"]
    of_run = aggregate(tmp_path / "run", *given)["steps"]
    done = run_with_stdin(tmp_path / "out", trace.read_bytes(), "-", *given)
    assert done.returncode == 0, done.stderr
    assert read(tmp_path / "out")["steps"] == of_trace + of_run


def test_steps_of_stdin_are_not_given_to_files(model, tmp_path):
    _, _, runs = files_of(model)
    done = run_with_stdin(tmp_path / "out", runs[0].read_bytes(), "-", runs[1])
    assert done.returncode == 0, done.stderr
    tables = read(tmp_path / "out")
    assert [s["step"] for s in tables["steps"]] == [0, 1]
    assert tables["header"][0]["producer"] == "tensorflow"


def test_a_damaged_pipe_is_left_out(model, tmp_path):
    graph, _, runs = files_of(model)
    cut = runs[1].read_bytes()[:-1000]
    done = run_with_stdin(tmp_path / "out", cut, graph, "-", runs[0])
    assert done.returncode == 1
    tables = read(tmp_path / "out")
    only = aggregate(tmp_path / "only", graph, runs[0])
    assert tables["rows"] == only["rows"]
    assert tables["steps"] == only["steps"]
    assert "-: offset " in tables["header"][0]["problems"]
    done = run_with_stdin(tmp_path / "kept", cut, graph, "-", runs[0],
                          "--salvage")
    assert len(read(tmp_path / "kept")["steps"]) == 2


def test_a_damaged_pipe_beside_another_one_is_an_error(model, tmp_path):
    _, _, runs = files_of(model)
    other = tmp_path / "pipe"
    os.mkfifo(other)
    with subprocess.Popen(["cp", runs[0], other]) as writer:
        done = run_with_stdin(tmp_path / "out", runs[1].read_bytes()[:-1000],
                              "-", other)
        writer.wait()
    assert done.returncode == 1
    assert b"read together with other inputs" in done.stderr
    assert not (tmp_path / "out").exists()


def test_a_graph_from_stdin_cannot_be_used_for_traces(model, tmp_path):
    graph, _, _ = files_of(model)
    done = run_with_stdin(tmp_path / "out", graph.read_bytes(), "-", TRACES[0])
    assert done.returncode == 2 and b"give a file" in done.stderr
    assert not (tmp_path / "out").exists()


# ---- Refusals -----------------------------------------------------------------


def test_a_step_number_past_the_largest_is_an_error(tmp_path):
    last = 2**63 - 1
    run_meta = tmp_path / "run_meta"
    run_meta.write_bytes(run_record(b"x"))
    args = "--run_meta_path", f"{last}={run_meta}"
    tables = aggregate(tmp_path / "one", *args)
    assert [s["step"] for s in tables["steps"]] == [last]
    done = run_with_stdin(tmp_path / "out", run_record(b"x"),
                          "--run_meta_path", f"{last}=-", run_meta)
    assert done.returncode == 4, done.stderr
    assert b"no larger step number is left" in done.stderr


def test_inputs_are_not_overwritten(model, tmp_path):
    graph, _, runs = files_of(model)
    folder = tmp_path / "data"
    folder.mkdir()
    shutil.copy(graph, folder / "graph.pb")
    shutil.copy(runs[0], folder / "run_meta")
    aggregate(folder, folder)
    header = (folder / "header.parquet").read_bytes()
    done = run_aggregate(folder, folder)
    assert done.returncode == 2 and b"is one of the inputs" in done.stderr
    assert (folder / "header.parquet").read_bytes() == header
    own = tmp_path / "own"
    own.mkdir()
    shutil.copy(runs[0], own / "header.parquet")
    done = run_aggregate(own, graph, "--run_meta_path", own / "header.parquet")
    assert done.returncode == 2
    assert (own / "header.parquet").read_bytes() == runs[0].read_bytes()


def test_folder_is_checked_before_inputs_are_read(model, tmp_path):
    graph, _, runs = files_of(model)
    cut = tmp_path / "cut"
    cut.write_bytes(runs[1].read_bytes()[:-1000])
    (tmp_path / "file").write_text("")
    (tmp_path / "link").symlink_to(tmp_path / "absent")
    for name in ("file", "link", "file/below"):
        done = run_aggregate(tmp_path / name, graph, cut)
        assert done.returncode == 3
        assert b"cannot create the folder" in done.stderr
    done = run_aggregate(tmp_path / "a/b//c/", graph, cut)
    assert done.returncode == 1 and not (tmp_path / "a").exists()


def test_no_folder_stays_if_one_below_cannot_be_created(model, tmp_path):
    graph, _, runs = files_of(model)
    done = run_aggregate(tmp_path / "a" / "b" / ("x" * 300) / "c", graph,
                         runs[0])
    assert done.returncode == 3 and b"File name too long" in done.stderr
    assert not (tmp_path / "a").exists()


def test_the_first_folder_that_cannot_be_created_is_the_reason(model):
    graph, _, runs = files_of(model)
    done = run_aggregate("/sys/tfprof/a/b", graph, runs[0])
    assert done.returncode == 3 and b"No such file" not in done.stderr


def test_an_interrupt_is_the_only_message(model, tmp_path):
    """The file that is being read is not reported as damaged."""
    _, _, runs = files_of(model)
    for delay in (0.01, 0.03, 0.05, 0.07, 0.09):
        with subprocess.Popen(
                [TFPROF, "aggregate", *runs * 300, "--output",
                 f"parquet:outfile={tmp_path}/out"], stdout=subprocess.PIPE,
                stderr=subprocess.PIPE) as process:
            while not (tmp_path / "out").exists():
                time.sleep(0.01)  # the folder is created before reading
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate()
        assert process.returncode == 130
        assert stderr == b"tfprof: interrupted\n"
        assert not (tmp_path / "out").exists()


def test_a_missing_graph_is_an_error(model, tmp_path):
    graph, _, runs = files_of(model)
    bad = tmp_path / "bad"
    bad.write_bytes(b"\xff" * 40 + graph.read_bytes())
    empty = tmp_path / "empty"
    empty.write_bytes(b"")
    foreign = tmp_path / "x.h5"
    foreign.write_bytes(b"\x89HDF\r\n\x1a\n" + bytes(100))
    for args, text in (((bad,), b"cannot aggregate without this input"),
                       (("--graph_path", empty),
                        b"cannot aggregate without this input"),
                       ((graph, foreign), b"views cannot read this file type")):
        done = run_aggregate(tmp_path / "out", *args, runs[0])
        assert done.returncode in (1, 2), done.stderr
        assert text in done.stderr and not (tmp_path / "out").exists()
    op = run("op", graph, foreign, runs[0])
    assert op.returncode == done.returncode


def test_python_frames_are_refused(tmp_path):
    done = run_aggregate(tmp_path / "out", TRACES[0], "--frames", "python")
    assert done.returncode == 2 and b"--frames" in done.stderr
    assert not (tmp_path / "out").exists()


def test_too_many_labels_are_an_option_error(model, tmp_path):
    _, _, runs = files_of(model)
    labels = ",".join(f"k{i}=v" for i in range(15))
    done = run_aggregate(tmp_path / "out", runs[0], "--label", labels)
    assert done.returncode == 2 and b"at most 14 labels" in done.stderr
