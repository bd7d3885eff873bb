"""`tfprof xprof`: stored answers, inputs, refusals, odd and damaged traces.

The stored answers are our own. They were equal to xprof's in every column that
docs/tables.md promises when they were stored: test_the_stored_truth_is_ours checks
it where the answers of xprof are at hand, test_xprof_live.py asks xprof itself.
TFPROF_UPDATE=1 stores them anew.
"""

# labels: both, slow

import gzip
import json
import os
import shutil
import subprocess
import sys
import time

import pytest

import program
from trace_files import FAULTS, FOLDER, needs_traces
from wirebytes import field, integer

sys.path.insert(0, str(program.SOURCE_DIR / "tools"))
from xprof_compare import TOOLS  # noqa: E402

UPDATE = os.environ.get("TFPROF_UPDATE") == "1"
TRACES = program.DATA_DIR / "traces"
NAMES = sorted(path.name for path in TRACES.glob("*.xplane.pb"))
GPU = TRACES / "gen_jax-gpu.xplane.pb"
SANITIZED = "asan" in os.environ.get("TFPROF_BUILD_DIR", "")


def ask(*args, **kwargs):
    done = program.run("xprof", *args, **kwargs)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


def refused(code, *args):
    done = program.run("xprof", *args)
    assert done.returncode == code and not done.stdout
    return done.stderr.decode()


# ---- Answers -----------------------------------------------------------------

def test_there_are_traces():
    assert len(NAMES) == 14


@pytest.mark.parametrize("name", NAMES)
def test_answers_are_as_stored(name):
    stored = TRACES / "xprof" / f"{name.removesuffix('.xplane.pb')}.json.gz"
    answers = {tool: ask(tool, TRACES / name).decode() for tool in TOOLS}
    if UPDATE:
        stored.parent.mkdir(exist_ok=True)
        stored.write_bytes(gzip.compress(json.dumps(answers).encode(), mtime=0))
    assert answers == json.loads(gzip.decompress(stored.read_bytes()))


@pytest.mark.parametrize("tool", TOOLS)
def test_an_answer_does_not_depend_on_how_it_is_read(tool, tmp_path):
    wanted = ask(tool, GPU)
    packed = tmp_path / "host.xplane.pb.gz"
    packed.write_bytes(gzip.compress(GPU.read_bytes()))
    assert ask(tool, packed) == wanted
    with open(GPU, "rb") as file:
        done = subprocess.run([program.TFPROF, "xprof", tool, "-"], stdin=file,
                              capture_output=True, check=True)
    assert done.stdout == wanted
    out = tmp_path / "out.json"
    assert ask(tool, GPU, "-output", f"file:outfile={out}") == b""
    assert out.read_bytes() == wanted
    assert ask(tool, GPU, "-output", "none") == b""
    assert ask(tool, GPU, "--format", "json") == wanted


def test_the_text_form_of_a_trace_answers(tmp_path):
    trace = tmp_path / "host.xplane.pbtxt"
    trace.write_text("""
        planes { name: "/host:CPU"
          lines { id: 1 timestamp_ns: 5 events {
            metadata_id: 1 offset_ps: 1000000 duration_ps: 2500000 } }
          event_metadata { key: 1 value { id: 1 name: "a/b:MatMul" } } }
        """)
    rows = json.loads(ask("framework_op_stats", trace))[1]["rows"]
    assert [cell["v"] for cell in rows[0]["c"]][:9] == [
        1, "Host", "MatMul", "a/b", 1, 2.5, 2.5, 2.5, 2.5]


# ---- Log directories ---------------------------------------------------------

def log_directory(folder, *hosts):
    run = folder / "plugins" / "profile" / "2026_11_17"
    run.mkdir(parents=True)
    for host in hosts:
        shutil.copy(GPU, run / f"{host}.xplane.pb")
    return folder


def test_a_log_directory_with_one_host_answers(tmp_path):
    assert ask("hlo_stats", log_directory(tmp_path, "a")) == ask("hlo_stats",
                                                                 GPU)


def test_several_hosts_are_named(tmp_path):
    said = refused(2, "hlo_stats", log_directory(tmp_path, "left", "right"))
    assert "found 2 traces" in said
    assert "left.xplane.pb" in said and "right.xplane.pb" in said


def test_many_hosts_are_named_as_far_as_there_is_room(tmp_path):
    said = refused(2, "hlo_stats", log_directory(
        tmp_path, *(f"host-{i}" for i in range(30))))
    assert "found 30 traces" in said and said.endswith("...)\n")


# ---- Refusals ----------------------------------------------------------------

def test_a_missing_tool_lists_them():
    said = refused(2)
    assert all(tool in said for tool in TOOLS)


def test_an_unknown_tool_lists_them_and_names_the_nearest():
    said = refused(2, "kernel_stat", GPU)
    assert "did you mean kernel_stats?" in said
    assert all(tool in said for tool in TOOLS)


def test_an_input_is_needed_and_only_one():
    assert "needs an input file" in refused(2, "hlo_stats")
    assert "reads only one trace" in refused(2, "hlo_stats", GPU, GPU)


def test_another_kind_of_file_is_named():
    said = refused(2, "hlo_stats", program.DATA_DIR / "graph.pb")
    assert "require a trace" in said and "GraphDef" in said
    assert "require a trace" in refused(2, "hlo_stats",
                                     program.SOURCE_DIR / "LICENSE")


def test_a_directory_without_a_trace_is_refused(tmp_path):
    shutil.copy(program.DATA_DIR / "graph.pb", tmp_path)
    assert "no trace (*.xplane.pb)" in refused(2, "hlo_stats", tmp_path)


def test_a_file_that_is_not_there_is_an_input_at_fault(tmp_path):
    assert "cannot open" in refused(1, "hlo_stats", tmp_path / "no")


def test_damage_is_told_with_its_place(tmp_path):
    cut = tmp_path / "cut.xplane.pb"
    cut.write_bytes(GPU.read_bytes()[:-100])
    for tool in TOOLS:
        said = refused(1, tool, cut)
        assert "cut.xplane.pb: offset " in said


def test_other_forms_and_outputs_are_refused(tmp_path):
    assert "--format json, not csv" in refused(2, "hlo_stats", GPU, "--format",
                                               "csv")
    assert "file:outfile=FILE" in refused(
        2, "hlo_stats", GPU, "-output", f"pprof:outfile={tmp_path / 'x'}")


def test_the_trace_is_not_written_over(tmp_path):
    trace = tmp_path / "host.xplane.pb"
    shutil.copy(GPU, trace)
    refused(2, "hlo_stats", trace, "-output", f"file:outfile={trace}")
    assert trace.read_bytes() == GPU.read_bytes()


def test_a_limit_of_memory_is_kept():
    done = program.run("xprof", "framework_op_stats", GPU, "--max_memory",
                       "100K")
    assert done.returncode == 4 and b"memory" in done.stderr


# ---- Odd traces --------------------------------------------------------------

@needs_traces
def test_XS_every_faulty_trace_ends_well():
    """All classes: an answer that is JSON, or a word about what is wrong."""
    seen = 0
    for path in sorted(FAULTS.glob("*.xplane.pb")):
        for tool in TOOLS:
            done = program.run("xprof", tool, path, timeout=60)
            assert done.returncode in (0, 1), (path, tool, done.stderr)
            if done.returncode == 0:
                json.loads(done.stdout, parse_constant=pytest.fail)
            else:
                assert path.name.encode() in done.stderr and not done.stdout
            seen += 1
    assert seen >= 4 * 61


@needs_traces
def test_XS_18_large_faulty_traces_end_in_time(tmp_path):
    subprocess.run([sys.executable, FOLDER / "gen_faults.py", tmp_path,
                    "--large"], check=True, capture_output=True)
    files = sorted(tmp_path.glob("XS-18*.xplane.pb"))
    assert len(files) == 4
    for path in files:
        for tool in TOOLS:
            begin = time.monotonic()
            done = program.run("xprof", tool, path, timeout=120)
            assert done.returncode in (0, 1, 4), (path, tool, done.stderr)
            assert SANITIZED or time.monotonic() - begin < 20


def long_name_trace(size, events):
    """Many events that refer to one long name, as operation and as kernel."""
    name = b"a/" + b"x" * size + b":MatMul"
    stats = b"".join(field(4, integer(1, number) + integer(7, 4))
                     for number in (1, 2, 3))
    event = field(4, integer(1, 1) + integer(2, 5) + integer(3, 7000) + stats)
    entry = field(4, integer(1, 1) + field(2, integer(1, 1) + field(2, name)))
    for number, text in enumerate((b"tf_op", b"kernel_details", b"shape", name),
                                  1):
        entry += field(5, integer(1, number) + field(2, field(2, text)))
    line = field(3, integer(1, 13) + event * events)
    return b"".join(field(1, field(2, plane) + line + entry)
                    for plane in (b"/device:GPU:0", b"/host:CPU"))


@pytest.mark.parametrize("tool", TOOLS)
def test_a_name_is_looked_into_once(tool, tmp_path):
    """Else this were a hundred gigabytes of work."""
    trace = tmp_path / "long.xplane.pb"
    trace.write_bytes(long_name_trace(1 << 20, 50_000))
    begin = time.monotonic()
    ask(tool, trace)
    assert time.monotonic() - begin < (60 if SANITIZED else 10)


# ---- The check ---------------------------------------------------------------

def check(*args):
    return subprocess.run(
        [sys.executable, program.SOURCE_DIR / "tools" / "check-xprof", *args,
         "--tfprof", program.TFPROF], capture_output=True, text=True,
        check=False)


@needs_traces
def test_the_stored_truth_is_ours(say):
    done = check(FOLDER)
    say(done.stdout.strip())
    assert done.returncode == 0, done.stdout
    assert ("1,096 framework rows, 1,062 rows without idle, 153 HLO rows, 119 "
            "kernel rows, 37 allocators") in done.stdout


@needs_traces
@pytest.mark.parametrize("tool, old, new", [
    ("framework_op_stats", '"v":24.0', '"v":25.0'),
    ("hlo_stats", '"v":"dot.1"', '"v":"dot.2"'),
    ("kernel_stats", '"v":"128,1,1"', '"v":"129,1,1"'),
    ("memory_profile", '"peakStatsTimePs":"1', '"peakStatsTimePs":"2')])
def test_the_check_finds_a_difference(tool, old, new, tmp_path):
    expected = tmp_path / "expected"
    shutil.copytree(FOLDER / "expected", expected)
    wrong = expected / f"gen_jax-gpu.{tool}.json"
    text = wrong.read_text()
    assert old in text
    wrong.chmod(0o644)
    wrong.write_text(text.replace(old, new, 1))
    done = check(FOLDER, "--expected", expected)
    assert done.returncode == 1, done.stdout
    assert "gen_jax-gpu: " in done.stdout


def test_the_check_does_not_pass_without_anything_to_compare(tmp_path):
    (tmp_path / "files").mkdir()
    assert check(tmp_path).returncode == 1
