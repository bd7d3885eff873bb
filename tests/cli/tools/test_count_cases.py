"""tools/count-cases: which cases are counted, and once."""

# labels: once

import subprocess

from program import SOURCE_DIR

LOG = """1/3 Testing: unit.{unit}
[ RUN      ] a_thing_holds
[       OK ] a_thing_holds
[ RUN      ] another_holds
[  FAILED  ] another_holds
Test Failed.
2/3 Testing: corpus.views
Test Passed.
3/3 Testing: py.made
2 passed, 1 skipped in 0.01s
Test Passed.
"""
REPORT = """<testsuites><testsuite>
<testcase classname="test_made" name="test_one[{parameter}]" time="0.1" />
<testcase classname="test_made" name="test_two" time="0.1" />
<testcase classname="test_made" name="test_three"><skipped /></testcase>
<testcase classname="test_made" name="test_four"><failure /></testcase>
<testcase classname="test_made" name="test_five"><error /></testcase>
</testsuite></testsuites>
"""


def make(build, unit, parameter):
    log = build / "Testing" / "Temporary" / "LastTest.log"
    log.parent.mkdir(parents=True)
    log.write_text(LOG.format(unit=unit))
    (build / "cases").mkdir()
    (build / "cases" / "py.made.xml").write_text(
        REPORT.format(parameter=parameter))


def test_a_case_of_two_builds_is_one_case(tmp_path):
    make(tmp_path / "one", "same", "a")
    make(tmp_path / "two", "same", "b")
    make(tmp_path / "three", "other", "a")
    done = subprocess.run(
        [SOURCE_DIR / "tools" / "count-cases",
         *(tmp_path / name for name in ("one", "two", "three"))],
        text=True, capture_output=True, check=True)
    assert [line.split() for line in done.stdout.splitlines()[1:]] == [
        ["one", "4", "0"], ["two", "4", "1"], ["three", "4", "1"],
        ["distinct", "6"]]
