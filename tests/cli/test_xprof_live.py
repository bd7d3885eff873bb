"""`tfprof xprof` against xprof itself, on random traces.

Every column that docs/xprof.md promises must be equal, to the last bit. xprof keeps
answers beside a trace and gives them again, so each question has a folder of its
own. TFPROF_XPROF_FILES=N asks about N traces, TFPROF_TEST_SEED about others.
"""

import collections
import json
import os
import random
import sys

import pytest

import program
import xprof_traces
from lacking import needs

sys.path.insert(0, str(program.SOURCE_DIR / "tools"))
import xprof_compare  # noqa: E402

try:
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    from xprof.convert import raw_to_tool_data
except ImportError:
    raw_to_tool_data = None

pytestmark = needs(raw_to_tool_data, "xprof is not installed")

FILES = int(os.environ.get("TFPROF_XPROF_FILES") or 40)


def ask_xprof(tool, trace, folder):
    """None where it has no answer at all: about memory, without a host."""
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
    seed = int(os.environ.get("TFPROF_TEST_SEED")
               or random.SystemRandom().randrange(1 << 30))
    say(f"TFPROF_TEST_SEED={seed}")
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
