"""The answers known from TensorFlow's own tfprof, all of them and everywhere:
the complete set beside the checkout, and the set of the repository in other
locales, time zones, folders, and twice.
"""

# labels: once, long

import os
import pathlib
import stat
import subprocess
import sys

import pytest

import upstream
from faults import SLOW
from files import SHARED, needs_shared
from program import TFPROF
from surroundings import PATIENCE

COMPLETE = 919 # cases

# With the capital of "i", which tells whether they are really there.
LOCALES = {"de_DE.UTF-8": "0x49", "tr_TR.UTF-8": "0x130"}


# ---- The same everywhere -----------------------------------------------------

def environment(**changes):
    return {**os.environ, **changes}


# ---- The complete set --------------------------------------------------------

@needs_shared
@pytest.mark.parametrize("locale", ["C", *LOCALES])
def test_OU_13_the_complete_set_passes(locale, say):
    """test_OU_13_no_locale_changes_an_answer proves that these are there."""
    if locale != "C" and not SLOW:
        pytest.skip("the set of the repository is enough: TFPROF_SLOW=1")
    done = subprocess.run(
        [sys.executable, SHARED / "golden" / "check", TFPROF],
        env=environment(LC_ALL=locale), stdin=subprocess.DEVNULL,
        capture_output=True, text=True, check=False,
        errors="backslashreplace", timeout=PATIENCE)
    verdict = done.stdout.splitlines()[-1]
    if (verdict, done.returncode) != (f"{COMPLETE} passed, 0 failed", 0):
        pytest.fail(f"{verdict}\n{done.stdout[:8000]}{done.stderr[-2000:]}",
                    pytrace=False)
    say(f"check: {verdict}")


# ---- The set of the repository ------------------------------------------------

@pytest.fixture(scope="module")
def plain():
    """{name: Answer} in the locale C."""
    return upstream.run_all(upstream.CASES, env=environment(LC_ALL="C"))


def check_all(answers, plain=None):
    """Every answer is upstream's, and the same as before."""
    assert len(answers) == len(upstream.CASES)
    wrong = []
    for case in upstream.CASES:
        answer = answers[case.name]
        found = upstream.complaints(case, answer)
        if not found and plain and not answer.same_as(plain[case.name]):
            found = ["not what it answered before"]
        if found:
            wrong.append(upstream.report(case, found))
    if wrong:
        pytest.fail("\n\n".join([f"{len(wrong)} of {len(answers)} cases",
                                 *wrong[:5]]), pytrace=False)


# Says which character the C library puts before decimals, and what a small
# dotted I is in capitals: proof that the locale is there and changes things.
PROBE = """
import ctypes, locale, sys
locale.setlocale(locale.LC_ALL, "")
print(locale.setlocale(locale.LC_ALL), locale.localeconv()["decimal_point"])
libc = ctypes.CDLL(None)
libc.towupper.argtypes, libc.towupper.restype = [ctypes.c_uint], ctypes.c_uint
print(hex(libc.towupper(ord("i"))))
text = ctypes.create_string_buffer(16)
libc.snprintf(text, 16, b"%.1f", ctypes.c_double(0.5))
print(text.value.decode())
"""


@pytest.mark.parametrize("name, capital_i", LOCALES.items())
def test_OU_13_no_locale_changes_an_answer(name, capital_i, plain, say):
    probe = subprocess.run(
        [sys.executable, "-c", PROBE], env=environment(LC_ALL=name),
        capture_output=True, text=True, check=False)
    assert probe.returncode == 0, (
        f"the system has no locale {name}; tools/setup brings it (the package "
        f"locales-all): {probe.stderr}")
    assert probe.stdout.split() == [name, ",", capital_i, "0,5"], (
        "this locale changes nothing, so it proves nothing")
    answers = upstream.run_all(upstream.CASES, env=environment(LC_ALL=name))
    check_all(answers, plain)
    assert all(answers[case.name].err == plain[case.name].err
               for case in upstream.CASES)
    say(f"{len(answers)} cases, all as in C")


def test_OU_14_twice_gives_the_same(plain, say):
    """Another process is another layout of memory and another hash seed; this
    one has another time zone, umask and folder as well."""
    check_all(plain)

    def elsewhere(where):
        """A folder without inputs: they stand in one beside it."""
        upstream.make_place(where / "inputs")
        (where / "other" / "folder").mkdir(parents=True)
        return where / "other" / "folder"

    answers = upstream.run_all(
        upstream.CASES, place=elsewhere,
        change=lambda words: upstream.with_paths_below(words, "../../inputs"),
        env=environment(TZ="Pacific/Chatham"), umask=0o027)
    check_all(answers, plain)
    say(f"{len(answers)} cases twice")


def test_a_file_has_the_mode_that_the_umask_leaves(tmp_path):
    """Not that of a temporary file."""
    case = next(case for case in upstream.CASES
                if [f"{case.name}.file.txt"] == case.files)
    place = upstream.make_place(tmp_path / "place")
    for umask, mode in ((0o022, 0o644), (0o027, 0o640), (0o077, 0o600)):
        done = subprocess.run(
            [pathlib.Path(TFPROF).resolve(), *case.words], cwd=place,
            stdin=subprocess.DEVNULL, capture_output=True, check=False,
            umask=umask)
        assert (done.returncode, done.stdout) == (0, b""), done.stderr
        path = place / "out.txt"
        assert stat.S_IMODE(path.stat().st_mode) == mode
        path.unlink()
