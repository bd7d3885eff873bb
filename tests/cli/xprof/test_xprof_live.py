"""`tfprof xprof` against xprof itself, on random traces.

Every column that docs/tables.md promises must be equal, to the last bit. xprof keeps
answers beside a trace and gives them again, so each question has a folder of its
own. TFPROF_XPROF_FILES=N asks about N traces, TFPROF_TEST_SEED about others.
"""

# labels: tf

import collections
import json
import os
import subprocess
import sys

import pytest

import program
import recorded
import xprof_traces
from trace_files import FOLDER, needs_traces

sys.path.insert(0, str(program.SOURCE_DIR / "tools"))
import xprof_compare  # noqa: E402

pytestmark = pytest.mark.recorded

RECORD = recorded.record("xprof_live", "xprof")
FILES = int(os.environ.get("TFPROF_XPROF_FILES") or 40)


def ask_xprof(tool, trace, folder):
    """None where it has no answer at all: about memory, without a host."""
    return RECORD.answer({"tool": tool, "trace": recorded.digest(trace)},
                         lambda: ask_it(tool, trace, folder), constant)


def constant(answer):
    """Without the snapshots of memory: which of many xprof shows is left to
    chance. What is compared of them is kept."""
    if not isinstance(answer, dict) or "memoryIds" not in answer:
        return answer
    return {"memoryIds": answer["memoryIds"], **{
        name: (one["profileSummary"]["peakStats"],
               one["profileSummary"]["peakStatsTimePs"],
               xprof_compare.live_blocks(one))
        for name, one in answer.get("memoryProfilePerAllocator", {}).items()}}


def ask_it(tool, trace, folder):
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from xprof.convert import raw_to_tool_data

    folder.mkdir()
    path = folder / "host.xplane.pb"
    path.write_bytes(trace)
    data, _ = raw_to_tool_data.xspace_to_tool_data([str(path)], tool, {})
    for left in folder.iterdir():
        left.unlink()
    folder.rmdir()
    return json.loads(data) if data else None


def ask_tfprof(tool, trace, path):
    path.write_bytes(trace)
    done = program.run("xprof", tool, path)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_random_traces_have_equal_answers(tmp_path, say):
    seed = int(os.environ.get("TFPROF_TEST_SEED") or 38)
    counts, differences = collections.Counter(), []
    for index in range(FILES):
        kind = xprof_traces.KINDS[index % len(xprof_traces.KINDS)]
        trace, what = xprof_traces.make(kind, seed + index)
        for tool in xprof_compare.TOOLS:
            theirs = ask_xprof(tool, trace, tmp_path / "xprof")
            ours = ask_tfprof(tool, trace, tmp_path / "ours.xplane.pb")
            compared, found = xprof_compare.compare(tool, ours, theirs)
            counts += compared
            differences += [f"{what}: {text}" for text in found]
    say(f"{FILES} files, " + ", ".join(
        f"{count:,} {what}" for what, count in counts.items()))
    assert not differences, "\n".join(differences[:20])
    assert all(counts[what] >= FILES // 2 for what in (
        "framework rows", "HLO rows", "kernel rows", "allocators"))


def steps_of_tfprof(path, column):
    """The longest of each step, in picoseconds."""
    done = program.run("steps", "--format", "json", path)
    assert done.returncode == 0, done.stderr
    longest = {}
    for row in json.loads(done.stdout)["steps"]:
        if row[column] is not None:
            longest[row["step"]] = max(longest.get(row["step"], 0),
                                       round(row[column] * 10**6))
    return [longest[step] for step in sorted(longest)]


def steps_of_xprof(trace, folder):
    table = ask_xprof("overview_page", trace, folder)[1]
    at = [column["id"] for column in table["cols"]].index("stepTimeMs")
    return [round(row["c"][at]["v"] * 10**9) for row in table["rows"]]


@needs_traces
def test_steps_take_as_long_as_in_xprof(tmp_path, say):
    """xprof leaves out the first and the last of more than five steps."""
    choose = program.chooser("steps of xprof")
    count, path = 0, tmp_path / "ours.xplane.pb"
    for index in range(max(9, FILES // 4)):
        kind = ("jax-cpu", "jax-gpu", "tf-gpu")[index % 3]
        what = ["--kind", kind, "--seed", str(choose.randrange(1 << 30)),
                "--steps", str(choose.randint(1, 12)),
                "--devices", str(choose.randint(1, 3))]
        subprocess.run([sys.executable, FOLDER / "gen_xspace.py", path, *what],
                       check=True, capture_output=True)
        ours = steps_of_tfprof(
            path, "device_micros" if "gpu" in kind else "wall_micros")
        theirs = steps_of_xprof(path.read_bytes(), tmp_path / "xprof")
        assert (ours[1:-1] if len(ours) > 5 else ours) == theirs, what
        count += len(theirs)
    say(f"{count} steps")
    assert count > 9


@pytest.mark.parametrize("planes", xprof_traces.ODD,
                         ids=lambda planes: planes.__name__)
def test_odd_traces_have_equal_answers(planes, tmp_path):
    trace = xprof_traces.make_odd(planes)
    rows = 0
    for tool in xprof_compare.TOOLS:
        theirs = ask_xprof(tool, trace, tmp_path / "xprof")
        ours = ask_tfprof(tool, trace, tmp_path / "ours.xplane.pb")
        if theirs is not None:
            counts, found = xprof_compare.compare(tool, ours, theirs)
            assert not found, tool
            rows += sum(counts.values())
    assert rows > 2


@pytest.mark.parametrize("kind", xprof_traces.KINDS)
def test_a_trace_is_the_same_for_the_same_seed(kind):
    assert xprof_traces.make(kind, 5) == xprof_traces.make(kind, 5)
    assert xprof_traces.make(kind, 5) != xprof_traces.make(kind, 6)
