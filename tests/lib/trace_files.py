"""The traces beside the checkout, and what tfprof tells of a trace."""

import collections
import decimal
import json
import re

import pytest

import program
from files import SHARED

FOLDER = SHARED / "xspace"
FILES = sorted((FOLDER / "files").glob("[!B]*.xplane.pb"))
FAULTS = FOLDER / "faults"

needs_traces = pytest.mark.skipif(
    not FAULTS.is_dir(),
    reason="needs the folder of traces; TFPROF_SHARED does not name one")

SELECT = ("--select", "micros,occurrence,device", "--max_depth", "100000")
MICRO = 10**6  # picoseconds

Sums = collections.namedtuple("Sums", "runs cpu accelerator")


def named(name):
    return FOLDER / "files" / f"{name}.xplane.pb"


def view(kind, *args, **kwargs):
    """The answer, its numbers exact."""
    done = program.run(kind, "--format", "json", *SELECT, *args, **kwargs)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout, parse_float=decimal.Decimal)


def picos(micros):
    exact = micros * MICRO
    assert exact == int(exact) >= 0, micros
    return int(exact)


def times(costs):
    """Of a row or of a whole view."""
    return Sums(costs.get("runs", 0), picos(costs["cpu_micros"]),
                picos(costs["accelerator_micros"]))


def plus(a, b):
    return Sums(*map(sum, zip(a, b)))


def steps(*args):
    return program.Info(*args).file["steps"]


def parts(*args):
    """All steps, and what ran outside of them."""
    has_rest = program.run("op", "--step", "rest", *args).returncode == 0
    return steps(*args) + ["rest"] * has_rest


def total(kind, *args):
    """Over all steps and the rest."""
    found = Sums(0, 0, 0)
    for step in parts(*args):
        found = plus(found, times(view(kind, "--step", str(step),
                                       *args)["total"]))
    return found


def nodes(*args):
    """name -> its sums over all steps and the rest, of all that ran."""
    found = collections.defaultdict(lambda: Sums(0, 0, 0))
    for step in parts(*args):
        for row in view("scope", "--step", str(step), *args)["rows"]:
            own = times(row["self"])
            if any(own):
                found[row["name"]] = plus(found[row["name"]], own)
    return dict(found)


def without_number(name):
    """Names that several programs have are numbered by the fingerprints of the
    programs, which only the program under test knows."""
    return re.sub(r"#\d+$", "", name)
