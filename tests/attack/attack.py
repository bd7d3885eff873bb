"""What all attacks share: the program, counted runs, and what went wrong."""

import json
import os
import pathlib
import subprocess
import sys

sys.path.insert(0, os.fspath(
    pathlib.Path(__file__).resolve().parents[1] / "lib"))

# For those that are started by hand.
os.environ.setdefault("TFPROF_SOURCE_DIR", os.fspath(
    pathlib.Path(__file__).resolve().parents[2]))

import program  # noqa: E402

LONGEST = 100  # seconds that one run may take
MOST_PRINTED = 60


class Attack:
    """Counts the runs of the program, and keeps what was wrong."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.runs = 0
        self.bad = []

    def run(self, *args, **kwargs):
        self.runs += 1
        return subprocess.run(
            [program.TFPROF, *map(os.fspath, args)], stdin=subprocess.DEVNULL,
            capture_output=True, check=False, timeout=LONGEST, **kwargs)

    def json(self, *args):
        """The answer, or None."""
        done = self.run(*args, "--format", "json")
        try:
            return json.loads(done.stdout)
        except ValueError:
            return None

    def fail(self, *words):
        self.bad.append(" ".join(str(word)[:240] for word in words))

    def report(self):
        for line in self.bad[:MOST_PRINTED]:
            print("BAD", line)
        print(f"runs {self.runs} bad {len(self.bad)}")
        return not self.bad


def short(path):
    return "/".join(pathlib.Path(path).parts[-2:])


def main(attack_on, paths=None):
    """`python NAME.py FILE...`; the program is $TFPROF."""
    import tempfile
    with tempfile.TemporaryDirectory() as folder:
        attack = Attack(folder)
        if paths is None:
            paths = sys.argv[1:]
        attack_on(attack, [pathlib.Path(path) for path in paths])
        sys.exit(not attack.report())


def each(attack_one):
    """Attacks with one path, seed or name after the other."""
    def attack_all(found, items):
        for item in items:
            attack_one(found, item)
    return attack_all


def close(a, b, tolerance=2e-6):
    if a is None or b is None:
        return a is b
    return abs(a - b) <= tolerance * max(1, abs(a), abs(b))
