"""What is known about the models of tests/flops, and `tfprof flops` on them.

The tables are read as they were made: each row a dictionary of strings. The
archives are unpacked once, when first asked for, into a folder that goes with
the process.
"""

import concurrent.futures
import csv
import functools
import importlib.util
import json
import pathlib
import sys
import tempfile
import threading

import program
from surroundings import PATIENCE

FOLDER = program.SOURCE_DIR / "tests" / "flops"


def _pack():
    spec = importlib.util.spec_from_file_location("flops_pack",
                                                  FOLDER / "pack.py")
    module = importlib.util.module_from_spec(spec)
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    spec.loader.exec_module(module)
    sys.dont_write_bytecode = before
    return module


pack = _pack()
_unpacking = threading.Lock()


@functools.cache
def _scratch():
    return tempfile.TemporaryDirectory(prefix="tfprof-flops-")


@functools.cache
def _unpack(archive):
    pack.unpack(archive, pathlib.Path(_scratch().name))


def unpacked(archive):
    """The folder that has the files of an archive."""
    with _unpacking:
        _unpack(archive)
    return pathlib.Path(_scratch().name)


# ---- Tables ------------------------------------------------------------------

@functools.cache
def table(name):
    """The rows of a table, say "truth" or "shapes/lstm"."""
    path = unpacked("tables.tar.xz") / f"{name}.tsv"
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t",
                                   quoting=csv.QUOTE_NONE))


def tables(folder):
    """The names of the tables in a folder, in order."""
    path = unpacked("tables.tar.xz") / folder
    return sorted(path.name.removesuffix(".tsv") for path in path.iterdir())


def by_name(name):
    """{model: row} of a table with a row a model."""
    return {row["name"]: row for row in table(name)}


def ops():
    """{op type: whether upstream has a formula}"""
    lines = (FOLDER / pack.OPS).read_text(encoding="utf-8").splitlines()
    return {op: has == "yes" for op, has in
            (line.split("\t") for line in lines if not line.startswith("#"))}


# The tables of shapes/ that are about the body of a SavedModel's signature.
SAVED_SHAPES = "savedmodel_"


def shape_tables():
    """The frozen graphs whose shapes are known."""
    return [name for name in tables("shapes")
            if not name.startswith(SAVED_SHAPES)]


def saved_shape_tables():
    """The same of SavedModels: MODEL.asis and MODEL.batch1."""
    return [name.removeprefix(SAVED_SHAPES) for name in tables("shapes")
            if name.startswith(SAVED_SHAPES)]


# ---- Models ------------------------------------------------------------------

def frozen(name):
    return unpacked("frozen.tar.xz") / "frozen" / f"{name}.pb"


def saved(name):
    return unpacked("models.tar.xz") / "models" / name


def frozen_names():
    return sorted(by_name("truth"))


# ---- Running -----------------------------------------------------------------

class Failed(Exception):
    """`tfprof flops` did not answer, or not in the form that was asked for."""


def ask(path, *options):
    """The standard output of `tfprof flops`."""
    done = program.run("flops", path, "--batch", "-1", *options,
                       timeout=PATIENCE)
    if done.returncode != 0:
        message = done.stderr.decode(errors="replace").strip()
        raise Failed(f"exit code {done.returncode}: {message[-300:]}")
    return done.stdout.decode()


def ask_list(path, which, *options):
    """The rows of one list, each a dictionary of strings."""
    text = ask(path, "--list", which, "--format", "csv", *options)
    rows = list(csv.DictReader(text.splitlines()))
    if not text.strip() or any(None in row or None in row.values()
                               for row in rows):
        raise Failed(f"--list {which}: not a table")
    return rows


def ask_summary(path, *options):
    """The summary's top-level object."""
    return json.loads(ask(path, "--format", "json", *options))


WORKERS = 2


def each(names, function):
    """[function(name)] for all names, a few at the same time."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        return list(pool.map(function, names))
