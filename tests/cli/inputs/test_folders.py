"""Folders as people have them: log directories, workers, stray files, runs."""

import gzip
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile

import pytest

import checkpoints
import helps
import program
from files import SHARED
from screens import on_screen

TRACES = program.DATA_DIR / "traces"
JAX = TRACES / "jax_mlp_3steps_py0.xplane.pb"
SMALL = TRACES / "tf_keras_3steps_py1.xplane.pb"
LOGS = SHARED / "tried" / "logs"
WORKERS = 300
HDF5 = b"\x89HDF\r\n\x1a\n" + bytes(64)
EVENTS = bytes.fromhex("1800000000000000a37f4b22") + b"\x09\x00\x00" + (
    b"\x80\x09\xad\xbf\xdaA\x1a\rbrain.Event:2") + bytes(4)
KERAS = b"PK\x03\x04" + bytes(60)

needs_logs = pytest.mark.skipif(
    not LOGS.is_dir(),
    reason="needs the folder of logs; TFPROF_SHARED does not name one")


def record(folder, run="2026_01_01", host="vm", trace=SMALL):
    """A run of a profiler in a log directory."""
    path = folder / "plugins" / "profile" / run / f"{host}.xplane.pb"
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(trace, path)
    return path


def ask(*args, cwd=None):
    done = program.run(*args, cwd=cwd, timeout=120)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def notes(stderr):
    return [line.removeprefix("tfprof: note: ")
            for line in stderr.splitlines() if "note: " in line]


def commands(stderr):
    """Those that a message tells to type."""
    return re.findall(r"^  (tfprof .*)$", stderr, re.MULTILINE)


def steps(*args):
    code, out, err = ask("steps", "--format", "json", *args)
    assert code == 0, err
    return [row["step"] for row in json.loads(out)["steps"]
            if not row["is_rest"]]


# ---- Every command ----------------------------------------------------------

# What a command is given before and after its input.
COMMANDS = {
    **{name: ((name,), ()) for name in (
        "summary", "scope", "graph", "op", "code", "tui", "steps", "kernels",
        "memory", "devices", "advise", "flops", "info")},
    "report": (("report",), ("--output", "file:outfile=report.html")),
    "aggregate": (("aggregate",), ("--output", "parquet:outfile=tables")),
    "xprof": (("xprof", "hlo_stats"), ()),
    "diff": (("diff", "--base", "other"), ()),
    "check": (("check", "--budgets", "budgets.json"), ()),
    "baseline": (("baseline",), ()),
    "prompt": ((), ()),
}
OF_RUNS = ("diff", "check", "baseline")


def call(command, folder, *options):
    before, after = COMMANDS[command]
    return ask(*before, folder, *after, *options, cwd=pathlib.Path.cwd())


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    record(tmp_path / "other")
    (tmp_path / "budgets.json").write_text(
        '{"budgets": [{"metric": "nodes", "max": 1000000}]}')
    return tmp_path


def test_all_commands_are_tried():
    assert set(COMMANDS) - {"prompt"} == set(helps.commands()) - {"demo"}


def keras_log(folder, trace=SMALL):
    """As the callback TensorBoard of Keras writes it."""
    (folder / "train").mkdir(parents=True)
    (folder / "train" / "events.out.tfevents.1.vm.1.v2").write_bytes(EVENTS)
    return record(folder / "train", trace=trace)


def same_answer(command, folder, file):
    """Does a folder answer as the trace in it does, but for its name?"""
    found, wanted = (call(command, path) for path in (folder, file))
    assert found[0] == wanted[0], (command, found[2], wanted[2])
    assert found[0] in (0, 2), (command, found[2])
    if command in ("summary", "info", "aggregate", "report", "prompt"):
        return
    if command == "baseline": # names the folder of the run, or the file
        found, wanted = ((json.loads(out) | {"run_names": []},)
                         for _, out, _ in (found, wanted))
        assert found == wanted
        return
    assert found[1] == wanted[1], command


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("trace", [SMALL, JAX], ids=["tensorflow", "jax"])
def test_a_log_directory_answers_as_its_trace(command, trace, place):
    file = keras_log(place / "log", trace)
    same_answer(command, "log", file)


@pytest.mark.parametrize("command", COMMANDS)
def test_models_beside_the_trace_do_not_matter(command, place):
    file = keras_log(place / "log")
    (place / "log" / "model.keras").write_bytes(KERAS)
    (place / "log" / "m.h5").write_bytes(HDF5)
    (place / "log" / "w.weights.h5").write_bytes(HDF5)
    same_answer(command, "log", file)


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", ["kslow", "jaxlog"])
@needs_logs
def test_real_log_directories_answer(command, name, place):
    file = next((LOGS / name).rglob("*.xplane.pb"))
    same_answer(command, LOGS / name, file)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory):
    folder = tmp_path_factory.mktemp("fleet") / "fleet"
    for number in range(WORKERS):
        record(folder / f"w{number:03}", host=f"w{number:03}")
    return folder


@pytest.mark.parametrize("command", sorted(set(COMMANDS)
                                           - {"aggregate", "tui"}))
def test_a_folder_of_workers(command, fleet, place):
    os.symlink(fleet, place / "fleet")
    code, out, err = call(command, "fleet")
    if command in OF_RUNS:
        assert code == 0, err
        assert command == "baseline" or f"{WORKERS} runs" in out
        return
    assert code == 2
    assert f"fleet: {WORKERS} log directories with traces are below" in err
    if command == "prompt":
        assert commands(err)[0] == "tfprof fleet/w000"
    else:
        tool = " hlo_stats" if command == "xprof" else ""
        assert commands(err) == [f"tfprof {command}{tool} fleet/w{i:03}"
                                 for i in range(3)]
    assert err.endswith(f"  ... and {WORKERS - 3} more\n")


def test_the_tree_of_a_folder_of_workers(fleet):
    screen = on_screen("tui", fleet, code=2, columns=200)
    assert f"{WORKERS} log directories with traces are below" in screen
    assert f"tfprof tui {fleet}/w000" in screen


def test_aggregate_takes_all_workers(fleet, place):
    code, out, err = call("aggregate", fleet, "--format", "json")
    assert code == 0, err
    whole = call("aggregate", fleet, "--format", "json")[1]
    given = ask("aggregate", *sorted(fleet.iterdir()), "--output",
                "parquet:outfile=each", "--format", "json")[1]
    assert json.loads(whole)["steps"] == json.loads(given)["steps"]


def test_the_listed_commands_can_be_typed(place):
    record(place / "log" / "it's here")
    record(place / "log" / "a b")
    record(place / "log")
    code, _, err = ask("op", "log")
    assert (code, len(commands(err))) == (2, 3)
    for command in commands(err):
        line = command.replace("tfprof", program.TFPROF, 1)
        done = subprocess.run(line, shell=True, check=False,
                              capture_output=True)
        assert done.returncode == 0, (command, done.stderr)


# ---- What is found ----------------------------------------------------------

def test_traces_far_below_are_found(place):
    record(place / "log" / "2026" / "jan" / "job 7" / "logs" / "train")
    assert steps("log") == steps(SMALL)


def test_links_are_followed_and_found_once(place):
    record(place / "runs" / "job1")
    os.symlink("job1", place / "runs" / "latest")
    os.symlink("..", place / "runs" / "job1" / "up")
    os.symlink("nowhere", place / "runs" / "gone")
    assert steps("runs") == steps(SMALL)
    assert "runs/job1/" in ask("info", "runs")[1]
    (place / "links").mkdir()
    os.symlink(place / "runs" / "job1", place / "links" / "today")
    assert steps("links") == steps(SMALL)


def test_hidden_folders_are_left_out(place):
    record(place / "log" / ".cache")
    record(place / "log" / "train")
    assert steps("log") == steps(SMALL)


def test_unreadable_folders_are_passed_over(place):
    """Root may read everything, so it becomes someone else for this."""
    rights = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        shutil.copy(program.TFPROF, folder / "tfprof") # where anyone may run it
        record(folder / "log" / "train")
        (folder / "log" / "private").mkdir(mode=0)
        done = subprocess.run([*rights * (os.geteuid() == 0),
                               folder / "tfprof", "steps", folder / "log",
                               "--format", "json"], stdin=subprocess.DEVNULL,
                              capture_output=True, check=True, text=True)
        (folder / "log" / "private").chmod(0o700)
    rows = json.loads(done.stdout)["steps"]
    assert [row["step"] for row in rows] == steps(SMALL)


def test_compressed_traces_are_found(place):
    file = record(place / "log" / "train")
    file.with_suffix(".pb.gz").write_bytes(gzip.compress(file.read_bytes()))
    file.unlink()
    assert steps("log") == steps(SMALL)


def test_many_folders_do_not_take_long(place):
    for number in range(3000):
        (place / "log" / f"{number % 50}" / f"{number}").mkdir(parents=True)
    record(place / "log" / "train")
    assert steps("log") == steps(SMALL)


def test_a_deep_folder_ends_the_search(place):
    folder = place / "log"
    folder.mkdir()
    here = os.open(folder, os.O_RDONLY)
    for _ in range(1500):
        os.mkdir("deeper", dir_fd=here)
        below = os.open("deeper", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    record(folder / "train")
    try:
        assert steps("log") == steps(SMALL)
    finally:
        subprocess.run(["rm", "-rf", folder], check=True)


@pytest.mark.parametrize("path", [
    "log/train/plugins/profile", "log/train/plugins/profile/",
    "log/train/plugins"])
def test_the_folder_of_runs_can_be_given(path, place):
    keras_log(place / "log")
    assert steps(path) == steps(SMALL)
    os.chdir(path)
    assert steps(".") == steps(SMALL)


def test_folders_of_models_are_read_as_before(place):
    (place / "model").mkdir()
    shutil.copy(program.DATA_DIR / "graph.pb", place / "model")
    wanted = ask("op", "model", "--select", "occurrence")
    record(place / "model" / "logs")
    assert wanted[0] == 0
    assert ask("op", "model", "--select", "occurrence") == wanted


# ---- Runs of a log directory ------------------------------------------------

@pytest.fixture
def two(place):
    record(place / "log" / "train", "2026_01_01", trace=JAX)
    record(place / "log" / "train", "2026_02_01")
    (place / "log" / "train" / "plugins" / "profile" / "2026_03_01").mkdir()
    (place / "log" / "validation").mkdir()
    (place / "log" / "validation" / "events.out.tfevents.1.v").write_bytes(EVENTS)
    return "log"


@pytest.mark.parametrize("command", ["summary", "steps", "op", "devices",
                                     "advise"])
def test_the_newest_run_is_taken_and_named(command, two):
    code, out, err = call(command, two)
    assert code == 0, err
    assert ("log/train/plugins/profile/2026_02_01 is the newest of 2 runs in "
            "the log directory (to read another run, use --run NAME)"
            in notes(err))
    assert command == "summary" or out == call(command, SMALL)[1]


@pytest.mark.parametrize("command", sorted(
    set(COMMANDS) - set(OF_RUNS) - {"prompt", "flops", "kernels", "tui"}))
def test_a_run_is_chosen_by_name(command, two):
    file = pathlib.Path("log/train/plugins/profile/2026_01_01/vm.xplane.pb")
    found = call(command, two, "--run", "2026_01_01")
    wanted = call(command, file)
    assert found[0] == wanted[0], found[2]
    assert "is the newest" not in found[2]
    if command not in ("summary", "info", "aggregate", "report"):
        assert found[1] == wanted[1]


def test_an_unknown_run_is_refused_with_all_names(two):
    code, _, err = ask("steps", two, "--run", "2026_02")
    assert (code, err) == (2, (
        "tfprof: log/train: no run has the name 2026_02 (use --run with one "
        "of: 2026_01_01, 2026_02_01)\n").replace("log/train", "log"))


def test_a_run_of_one_of_several_log_directories(place):
    record(place / "log" / "train", "2026_01_01", trace=JAX)
    record(place / "log" / "validation", "2026_01_02")
    assert ask("steps", "log")[0] == 2
    assert steps("log", "--run", "2026_01_02") == steps(SMALL)


def test_a_run_without_a_log_directory_is_refused(place):
    code, _, err = ask("op", SMALL, "--run", "x")
    assert code == 2
    assert "--run x: no input is a log directory" in err


@pytest.mark.parametrize("command", OF_RUNS)
def test_comparisons_take_every_run(command, two):
    code, out, err = call(command, two)
    assert code == 0, err
    assert command == "baseline" or "2 runs" in out
    assert command != "baseline" or json.loads(out)["runs"] == 2
    code, _, err = call(command, two, "--run", "2026_01_01")
    assert (code, f"{command} does not support --run" in err) == (2, True)


# ---- Files that are not read ------------------------------------------------

def test_one_note_names_the_files_that_are_not_read(place):
    file = keras_log(place / "log")
    shutil.copy(SMALL, place / "given.xplane.pb")
    for name, data in {"model.keras": KERAS, "m.h5": HDF5,
                       "best.weights.h5": HDF5, "notes.log": b"text"}.items():
        (place / "log" / name).write_bytes(data)
    (file.parent / "jit_f(1).hlo_proto.pb").write_bytes(b"x")
    for copy in ("vm.trace.json.gz", "perfetto_trace.json.gz"):
        (file.parent / copy).write_bytes(b"x") # the same run once more
    for command in ("summary", "steps", "op"):
        code, _, err = call(command, "log")
        assert code == 0
        found = [note for note in notes(err) if note.startswith("not read")]
        assert found == [
            "not read: best.weights.h5, m.h5, model.keras, notes.log, "
            "events.out.tfevents.1.vm.1.v2, jit_f(1).hlo_proto.pb"]


def test_many_files_that_are_not_read_are_counted(place):
    keras_log(place / "log")
    for number in range(100):
        (place / "log" / f"epoch_{number:03}.weights.h5").write_bytes(HDF5)
    err = call("op", "log")[2]
    assert re.search(r"not read: epoch_000.weights.h5, .* and \d\d more$", err,
                     re.MULTILINE)


def test_checkpoints_beside_the_trace_do_not_hide_it(place):
    keras_log(place / "log")
    checkpoints.sound().write(place / "log" / "ckpt-1")
    (place / "log" / "checkpoint").write_text(
        'model_checkpoint_path: "ckpt-1"\n')
    assert steps("log") == steps(SMALL)


def test_a_file_that_is_named_is_an_error(place):
    keras_log(place / "log")
    (place / "m.h5").write_bytes(HDF5)
    for inputs in (["m.h5"], ["log", "m.h5"]):
        code, _, err = ask("op", *inputs)
        assert code == 1
        assert "m.h5: views cannot read this file type: HDF5 file" in err


def test_a_damaged_file_is_an_error(place):
    keras_log(place / "log")
    graph = (program.DATA_DIR / "functions.pb").read_bytes()
    (place / "log" / "graph.pb").write_bytes(graph[:-40])
    code, _, err = ask("op", "log")
    assert code == 1
    assert "log/graph.pb: offset" in err


def test_a_damaged_trace_is_an_error(place):
    file = keras_log(place / "log")
    file.write_bytes(file.read_bytes()[:5000])
    (place / "log" / "m.h5").write_bytes(HDF5)
    code, _, err = ask("op", "log")
    assert code == 1
    assert "vm.xplane.pb: offset" in err
    assert "m.h5: views" not in err


# ---- Hosts and runs ---------------------------------------------------------

def costs(*args):
    code, out, err = ask("op", "--select", "micros,float_ops", "--format",
                         "json", *args)
    assert code == 0, err
    total = json.loads(out)["total"]
    return total["micros"], total["float_ops"]


@pytest.fixture
def runs(place):
    for name in ("run00", "run01", "run02"):
        (place / name).mkdir()
        shutil.copy(JAX, place / name / "vm.xplane.pb")
    return place


def test_runs_of_a_host_follow_one_another(runs):
    one = steps("run00")
    first, last = min(one), max(one)
    for given in (["run00", "run01"],
                  ["run00/vm.xplane.pb", "run01/vm.xplane.pb"]):
        assert steps(*given) == one + [n + last + 1 - first for n in one]
        assert costs(*given) == costs("run00")
    assert len(steps("run00", "run01", "run02")) == 3 * len(one)


@pytest.mark.parametrize("command", ["summary", "op", "steps"])
def test_one_note_tells_of_runs(command, runs):
    err = ask(command, "run00", "run01", "run02")[2]
    assert [note for note in notes(err) if "another run" in note] == [
        "run01/vm.xplane.pb (and 1 more file): another run of the same host, "
        "so its steps are numbered after those of the inputs before it (to "
        "compare runs, use diff)"]


def test_summary_counts_float_operations_of_one_step(runs):
    def work(*args):
        out = ask("summary", *args)[1]
        return re.search(r"^FLOPs +(\S+)", out, re.MULTILINE)[1]
    assert work("run00", "run01") == work("run00")


def test_runs_in_two_run_folders_follow_one_another(place):
    for run in ("r1", "r2"):
        record(place / "log", run, trace=JAX)
    found = [f"log/plugins/profile/{run}" for run in ("r1", "r2")]
    assert len(steps(*found)) == 2 * len(steps(found[0]))
    assert costs(*found) == costs(found[0])


def test_traces_of_one_run_folder_are_hosts(place):
    for host in ("h0", "h1"):
        record(place / "log", host=host, trace=JAX)
    one = steps(JAX)
    assert sorted(steps("log")) == sorted(one + one)
    assert costs("log")[0] == pytest.approx(2 * costs(JAX)[0])
    assert "another run" not in ask("op", "log")[2]


def of_host(name):
    """The trace, with another host name."""
    data, end = JAX.read_bytes(), b'"\x02vm'  # the field `hostnames`
    assert data.endswith(end)
    return data[:-2] + name.encode()


@pytest.mark.parametrize("files", [("h0", "h1"), ("vm", "vm")])
def test_traces_of_different_hosts_are_hosts(files, place):
    for folder, host, file in zip("ab", ("h0", "h1"), files):
        (place / folder).mkdir()
        (place / folder / f"{file}.xplane.pb").write_bytes(of_host(host))
    given = [f"{folder}/{file}.xplane.pb" for folder, file in zip("ab", files)]
    assert sorted(steps(*given)) == sorted(2 * steps(JAX))
    assert costs(*given)[0] == pytest.approx(2 * costs(JAX)[0])


def test_the_host_that_traces_name_leads(place):
    """Their files may have other names."""
    for folder in "ab":
        (place / folder).mkdir()
        shutil.copy(JAX, place / folder / f"run_{folder}.xplane.pb")
    given = ["a/run_a.xplane.pb", "b/run_b.xplane.pb"]
    assert len(set(steps(*given))) == 2 * len(steps(JAX))
    assert costs(*given)[0] == pytest.approx(costs(JAX)[0])


def test_hosts_of_a_later_run_stay_together(place):
    for run, hosts in (("r1", ("h1", "h2")), ("r2", ("h0", "h1", "h2"))):
        for host in hosts:
            record(place / "log", run, host, trace=JAX)
    one = steps(JAX)
    found = steps("log/plugins/profile/r1", "log/plugins/profile/r2")
    assert len(found) == 5 * len(one)
    counts = sorted(found.count(number) for number in set(found))
    assert counts == [2] * len(one) + [3] * len(one)


def test_steps_that_differ_keep_their_numbers(place):
    keras = TRACES / "keras315_tf221_callback.xplane.pb"
    jax = TRACES / "jax_mlp_3steps_py0.xplane.pb"
    for name, trace in (("a", keras), ("b", jax)):
        (place / name).mkdir()
        shutil.copy(trace, place / name / "vm.xplane.pb")
    alone = steps("a") + steps("b")
    assert len(set(alone)) == len(alone)
    assert sorted(steps("a", "b")) == sorted(alone)


# ---- Inputs of check, diff and baseline -------------------------------------

CODE = '{"budgets": [{"metric": "micros", "code": ".*", "max": "1000s"}]}'


@pytest.fixture
def gate(place):
    (place / "code.json").write_text(CODE)
    for number in range(4):
        folder = place / "runs" / f"run{number:02}"
        folder.mkdir(parents=True)
        shutil.copy(JAX, folder / "vm.xplane.pb")
    return place


def runs_of(folder):
    code, out, err = ask("check", folder, "--budgets", "budgets.json")
    assert code == 0, err
    return int(re.search(r"^(\d+) runs?", out, re.MULTILINE)[1])


@pytest.mark.parametrize("stray", ["nightly.log", "README.md", "m.h5",
                                   "events.out.tfevents.1"])
def test_a_stray_file_beside_runs_changes_nothing(stray, gate):
    (gate / "runs" / stray).write_bytes(
        HDF5 if stray.endswith("h5") else b"some text\n")
    assert runs_of("runs") == 4
    code, out, _ = ask("check", "runs", "--budgets", "code.json")
    assert code == 6 and "needs 8 runs: 4 more" in out.splitlines()[-1]


@pytest.mark.parametrize("budgets", ["code.json", "budgets.json"])
def test_an_empty_folder_is_an_error(budgets, gate):
    (gate / "empty").mkdir()
    code, _, err = ask("check", "empty", "--budgets", budgets)
    assert code in (1, 2)
    assert "empty: not read: no supported file in this directory" in err
    assert ask("diff", "--base", "runs", "empty")[0] in (1, 2)
    assert ask("baseline", "empty")[0] in (1, 2)


@pytest.mark.parametrize("budgets", ["code.json", "budgets.json"])
def test_a_folder_without_runs_is_an_error_that_lists_it(budgets, gate):
    for name in ("run00", "run01"):
        (gate / "bad" / name / "deeper").mkdir(parents=True)
    (gate / "bad" / "nightly.log").write_text("x")
    code, _, err = ask("check", "bad", "--budgets", budgets)
    assert code in (1, 2)
    assert "no supported file in this directory (found: nightly.log" in err
    assert "run00/" in err and "run01/" in err


def test_an_empty_folder_beside_runs_is_an_error(gate):
    (gate / "runs" / "run99").mkdir()
    code, _, err = ask("check", "runs", "--budgets", "budgets.json")
    assert code in (1, 2)
    assert "runs/run99" in err


def test_a_graph_beside_runs_belongs_to_all(gate):
    shutil.copy(program.DATA_DIR / "functions.pb", gate / "runs")
    (gate / "runs" / "notes").mkdir()
    (gate / "runs" / "notes" / "a.txt").write_text("x")
    assert runs_of("runs") == 4


def test_runs_below_several_log_directories_all_count(place):
    for worker in ("w0", "w1"):
        for run in ("r1", "r2"):
            record(place / "log" / "job" / worker, run)
    (place / "log" / "m.h5").write_bytes(HDF5)
    assert runs_of("log") == 4


def test_a_folder_with_events_alone_is_not_a_run(two):
    assert runs_of(two) == 2
