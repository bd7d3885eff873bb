"""pprof files: what is in them, and what the pprof program makes of them."""

import collections
import functools
import gzip
import os
import re
import shutil
import subprocess

import tf_messages
import wirebytes
from lacking import lacks
from program import SOURCE_DIR
from surroundings import PATIENCE


# ---- What a file says, without any library -----------------------------------

def _fields(data):
    """{number: [value, ...]} of a message; values are numbers or bytes."""
    found = collections.defaultdict(list)
    for number, _, value in wirebytes.fields(data):
        found[number].append(value)
    return found


def _one(message, number, default=0):
    return message[number][-1] if message[number] else default


def _numbers(values):
    """Of a repeated field, packed or not; signed."""
    found = []
    for value in values:
        if isinstance(value, int):
            found.append(value)
            continue
        at = 0
        while at < len(value):
            number, at = wirebytes.varint_at(value, at)
            found.append(number)
    return [n - (1 << 64) if n >> 63 else n for n in found]


def unpacked(data):
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def samples(data):
    """A multiset of (type and unit, stack, labels, value): what matters in a
    file, whatever the order and the numbers in it."""
    top = _fields(unpacked(data))
    text = [word.decode() for word in top[6]]
    types = [(text[_one(kind, 1)], text[_one(kind, 2)])
             for kind in map(_fields, top[1])]
    functions = {_one(f, 1): (text[_one(f, 2)], text[_one(f, 4)])
                 for f in map(_fields, top[5])}
    places = {_one(place, 1): tuple(
        (*functions[_one(line, 1)], _one(line, 2))
        for line in map(_fields, place[4])) for place in map(_fields, top[4])}
    found = collections.Counter()
    for sample in map(_fields, top[2]):
        stack = tuple(places[i] for i in _numbers(sample[1]))
        labels = tuple(sorted((text[_one(label, 1)], text[_one(label, 2)])
                              for label in map(_fields, sample[3])))
        for kind, value in zip(types, _numbers(sample[2]), strict=True):
            found[kind, stack, labels, value] += 1
    return found


# ---- By TensorFlow's own class -----------------------------------------------

@functools.cache
def _profile_class():
    return tf_messages.module("core.profiler.profile").Profile


class Profile:
    """A file in which every reference is known to lead somewhere."""

    def __init__(self, data):
        assert data[:2] == b"\x1f\x8b", "is not packed"
        message = _profile_class().FromString(gzip.decompress(data))
        text = message.string_table
        assert text[0] == ""
        self.message = message
        self.types = [text[t.type] for t in message.sample_type]
        self.units = [text[t.unit] for t in message.sample_type]
        self.default = text[message.default_sample_type]
        self.comments = [text[c] for c in message.comment]
        functions = {f.id: f for f in message.function}
        assert set(functions) == set(range(1, len(message.function) + 1))
        for function in message.function:
            assert max(function.name, function.filename) < len(text)
        places = {place.id: place for place in message.location}
        assert set(places) == set(range(1, len(message.location) + 1))
        self.functions = {f.id: text[f.name] for f in message.function}
        self.names = {}  # of places
        for place in message.location:
            (line,) = place.line
            self.names[place.id] = self.functions[line.function_id]
        self.samples = []
        for sample in message.sample:
            assert len(sample.value) == len(self.types)
            labels = [(text[label.key], text[label.str])
                      for label in sample.label]
            assert len(dict(labels)) == len(labels)
            self.samples.append(
                ([self.names[i] for i in sample.location_id],
                 dict(zip(self.types, sample.value)), dict(labels)))

    def sums(self, kind):
        """(flat, cum, total) as pprof counts them: by name of function, which
        counts once in a stack, with the leaf first."""
        flat, cum, total = collections.Counter(), collections.Counter(), 0
        for stack, values, _ in self.samples:
            total += values[kind]
            if stack:
                flat[stack[0]] += values[kind]
            for name in set(stack):
                cum[name] += values[kind]
        return flat, cum, total


# ---- By the pprof program ----------------------------------------------------

@functools.cache
def _found():
    kept = SOURCE_DIR / ".tools" / "bin" / "pprof"
    return os.fspath(kept) if kept.exists() else shutil.which("pprof")


def program():
    """The path of google's pprof. Without it the test is skipped, but not
    where tests decide."""
    if not _found():
        lacks("needs the pprof program (tools/setup brings it, by Go)")
    return _found()


def ask(path, *args):
    """What pprof prints about a file."""
    done = subprocess.run(
        [program(), *args, os.fspath(path)], stdin=subprocess.DEVNULL,
        capture_output=True, check=False, timeout=PATIENCE,
        env={**os.environ, "PPROF_TMPDIR": os.fspath(path.parent)})
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    return done.stdout.decode()


_UNIT = {"microseconds": "us", "bytes": "B", "count": ""}


def top(path, kind, unit):
    """(flat, cum, total) that `pprof -top` prints of a type of sample, in
    whole units and of every function; zeros are left out."""
    out = ask(path, "-top", "-trim=false", f"-sample_index={kind}",
              f"-unit={unit}")
    head, _, body = out.partition("cum%\n")
    total = re.search(r"% of (-?\d+)[a-zA-Z]* total", head)

    def number(text):
        return int(re.fullmatch(r"(-?\d+)" + _UNIT[unit], text)[1]
                   if text != "0" else 0)

    flat, cum = collections.Counter(), collections.Counter()
    for line in body.splitlines():
        own, _, _, all_of_it, _, *name = line.lstrip().split(maxsplit=5)
        flat["".join(name)] += number(own)
        cum["".join(name)] += number(all_of_it)
    return flat, cum, int(total[1]) if total else 0
