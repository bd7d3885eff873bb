"""What tfprof answers is, byte for byte, what TensorFlow's own tfprof answers.

The cases and where they come from: tests/golden/upstream. Each is a test of
its own, named like the case; all that are asked for run side by side first.
"""

# labels: both

import pytest

import upstream
from faults import SANITIZED
from files import SHARED, needs_shared

SMOKE = (upstream.FOLDER / "smoke.txt").read_text().split()
# The other build compares all; what a sanitizer sees, many cases have in common.
CASES = [case for i, case in enumerate(upstream.CASES)
         if not SANITIZED or i % 3 == 0 or case.name in SMOKE]


@pytest.fixture(scope="module")
def answers(request):
    """{name: Answer} of the cases that this run of pytest is about."""
    chosen = [item.callspec.params["case"] for item in request.session.items
              if item.path == request.path and hasattr(item, "callspec")]
    return upstream.run_all(chosen)


compared = []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_as_upstream(case, answers):
    found = upstream.complaints(case, answers[case.name])
    compared.append(not found)
    if found:
        pytest.fail(upstream.report(case, found), pytrace=False)


def test_how_many(say):
    say(f"{len(compared)} of {len(upstream.CASES)} cases compared, "
        f"{sum(compared)} equal")


# ---- The cases themselves ----------------------------------------------------

def test_the_archives_are_those_that_were_packed():
    sums = (upstream.FOLDER / upstream.pack.SUMS).read_text()
    assert sums == upstream.pack.sums()


def test_no_case_is_lost():
    """Less than there once were, or an answer to no case, is a mistake."""
    assert len(upstream.CASES) >= 718
    names = [case.name for case in upstream.CASES]
    assert len(set(names)) == len(names)
    wanted = {name for case in upstream.CASES
              for name in [f"{case.name}.txt", *case.files]}
    wanted |= {case.stdin for case in upstream.CASES} - {"-"}
    folder = upstream.unpacked("expected")
    assert wanted == {str(path.relative_to(folder))
                      for path in folder.rglob("*") if path.is_file()}
    inputs = {path.name for path in upstream.unpacked("inputs").iterdir()}
    for path in {path for case in upstream.CASES for path in case.paths}:
        assert path in inputs or f"{path}.index" in inputs


def test_the_smoke_set_is_of_every_kind():
    cases = [case for case in upstream.CASES if case.name in SMOKE]
    assert len(set(SMOKE)) == len(cases) == 50
    for word in ("scope ", "graph ", "op ", "code ", "--graph_path=",
                 "--profile_path=", ".pbtxt", "--checkpoint_path=", ".v1.ckpt",
                 "timeline:", "pprof:", "file:", "--step=", "float_ops"):
        assert any(word in case.arguments for case in cases), word
    assert sum(case.stdin != "-" for case in cases) >= 3


@needs_shared
def test_the_cases_are_those_of_the_complete_set(say):
    cases, archives = upstream.pack.select(SHARED / "golden")
    assert [case.line for case in cases] == [
        case.line for case in upstream.CASES]
    count = 0
    for archive, files in archives.items():
        folder = upstream.unpacked(archive.split("/")[0])
        for name, content in files.items():
            assert (folder / name).read_bytes() == content, name
            count += 1
    say(f"{count} files")
