#!/usr/bin/env python3
"""verdicts.py CORPUS...: hold our verdict on files against TensorFlow's.

CORPUS has a folder for each fuzz target, as build/dev/fuzz/corpus and build/fuzz/corpus
do. Every file of a target wire_KIND or text_KIND goes to our reader and to
the parser in the tensorflow wheel: FromString() of the message, or
text_format.Parse() with unknown fields and extensions allowed. Both must
accept it, or both refuse it. What is exempt, and how each case is proved:

  nesting     ours stops at 100 levels and says so; theirs goes on (text), or
              runs out of stack
  UTF-8       theirs refuses bytes that are not UTF-8 where a string is; they
              accept the file too once the same parser is told not to mind
  limit       ours refuses for want of memory
  BOM         text that begins with a byte order mark is accepted by ours
              (FAULTS TX-04), and by theirs without the mark
  Any         text with a packed message of a type that theirs does not know
  not ASCII   text with a name or digit beyond ASCII, which theirs accepts

The same is done with messages made up by chance (fuzz/seeds), always the same
ones. Exit 1 when any other verdict differs. TFPROF_BUILD_DIR says where the
build is; the wheel is that of the Python that runs this.
"""

import collections
import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
from typing import NamedTuple

sys.dont_write_bytecode = True
HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE / "lib"), str(HERE.parent / "fuzz")]

import tf_messages
from google.protobuf import descriptor_pool, text_format
from google.protobuf.message import DecodeError
from seeds import random_messages
from seeds.schema import ROOTS

MADE_UP = 3000  # messages for each target
SHOWN = 20  # differences
LIMITS = (-1, -4)  # TFPROF_ERR_NOMEM, TFPROF_ERR_LIMIT
MARK = b"\xef\xbb\xbf"


class Verdict(NamedTuple):
    accepts: bool
    why: str  # it does not


ACCEPTED = Verdict(True, "accepted")


# ---- Theirs -----------------------------------------------------------------


def parse_wire(cls, data):
    try:
        cls.FromString(data)
    except DecodeError as error:
        return Verdict(False, str(error))
    return ACCEPTED


class Tolerant(text_format.Tokenizer):
    """Takes any bytes for a string."""

    def ConsumeString(self):
        return str(self.ConsumeByteString(), "utf-8", "replace")


@contextlib.contextmanager
def tolerance():
    strict = text_format.Tokenizer
    text_format.Tokenizer = Tolerant
    try:
        yield
    finally:
        text_format.Tokenizer = strict


def parse_text(cls, data):
    try:
        text_format.Parse(
            data, cls(), allow_unknown_extension=True,
            allow_unknown_field=True,
            descriptor_pool=descriptor_pool.Default())
    except text_format.ParseError as error:
        return Verdict(False, f"{error} {error.__cause__ or ''}".strip())
    except (ValueError, RecursionError) as error:  # from below the parser
        return Verdict(False, f"{type(error).__name__}: {error}")
    return ACCEPTED


class Judge:
    """The parser of one message in one form."""

    def __init__(self, message, is_text):
        self.message = message
        self.cls = tf_messages.message_class(message)
        self.is_text = is_text

    def strict(self, data):
        parse = parse_text if self.is_text else parse_wire
        return parse(self.cls, data)

    def any_strings(self, data):
        """The verdict when strings need not be UTF-8."""
        if not self.is_text:
            return parse_wire(tf_messages.wire_only_class(self.message), data)
        with tolerance():
            return parse_text(self.cls, data.decode("utf-8", "replace"))


# ---- Ours -------------------------------------------------------------------


class Ours(NamedTuple):
    code: int
    offset: int
    why: str

    @property
    def accepts(self):
        return self.code == 0


def our_verdicts(target, paths):
    program = os.path.join(os.environ["TFPROF_BUILD_DIR"], "fuzz",
                           "verdict_dump")
    done = subprocess.run([program, target], check=True, text=True,
                          input="".join(f"{p}\n" for p in paths),
                          errors="backslashreplace", stdout=subprocess.PIPE)
    lines = done.stdout.splitlines()
    assert len(lines) == len(paths), (target, len(lines), len(paths))
    for line in lines:
        code, offset, *why = line.split(" ", 2)
        yield Ours(int(code), int(offset), "".join(why) or "accepted")


# ---- Comparing --------------------------------------------------------------


def exemption(judge, data, ours, theirs):
    """Why the two may differ on this file, or None."""
    if ours.code in LIMITS:
        return "limit"
    if not ours.accepts:
        if "nesting deeper" in ours.why:
            return "nesting"
        if judge.is_text and re.search("found byte 0x[89a-f]", ours.why):
            return "not ASCII"
        return None
    if "RecursionError" in theirs.why:
        return "nesting"
    if judge.is_text and data.startswith(MARK):
        data = data[len(MARK):]
        theirs = judge.strict(data)
        if theirs.accepts:
            return "BOM"
    if re.search("UTF-8|codec can't decode", theirs.why):
        theirs = judge.any_strings(data)
        if theirs.accepts:
            return "UTF-8"
    if judge.is_text and "not found in descriptor pool" in theirs.why:
        return "Any"
    return None


def compare(target, paths, differences):
    """Counts of what came of each file."""
    form, kind = target.split("_", 1)
    judge = Judge(ROOTS[kind], form == "text")
    counts = collections.Counter()
    for path, ours in zip(paths, our_verdicts(target, paths)):
        data = path.read_bytes()
        theirs = judge.strict(data)
        if ours.accepts == theirs.accepts:
            outcome = "both accept" if ours.accepts else "both refuse"
        else:
            outcome = exemption(judge, data, ours, theirs) or "differ"
        counts[outcome] += 1
        if outcome == "differ":
            differences.append((path.name, data, ours, theirs))
    return counts


def compare_made_up(target, differences):
    with tempfile.TemporaryDirectory(prefix="tfprof-verdicts-") as folder:
        paths = []
        for i, data in enumerate(random_messages.messages(
                *target.split("_", 1), MADE_UP)):
            paths.append(pathlib.Path(folder, f"made_up_{i}"))
            paths[-1].write_bytes(data)
        return compare(target, paths, differences)


def tell(target, counts, where):
    shown = ", ".join(f"{count} {what}"
                      for what, count in sorted(counts.items()))
    print(f"verdicts: {target:18} {shown or 'nothing'} {where}", flush=True)


def main(folders):
    if not folders:
        sys.exit(__doc__.splitlines()[0])
    total, differences = collections.Counter(), []
    for target in (f"{form}_{kind}" for form in ("wire", "text")
                   for kind in ROOTS):
        for folder in folders:
            paths = sorted(pathlib.Path(folder).glob(f"{target}/*"))
            counts = compare(target, paths, differences)
            tell(target, counts, f"in {folder}")
            total += counts
        counts = compare_made_up(target, differences)
        tell(target, counts, "made up")
        total += counts
    for name, data, ours, theirs in differences[:SHOWN]:
        print(f"differ: {name}: {data[:200]!r}\n"
              f"  ours:   {ours.why} (offset {ours.offset})\n"
              f"  theirs: {theirs.why[:300]}")
    agree = total["both accept"] + total["both refuse"]
    exempt = sum(total.values()) - agree - total["differ"]
    print(f"verdicts: {agree} agree ({total['both accept']} accepted, "
          f"{total['both refuse']} refused), {exempt} exempt, "
          f"{total['differ']} differ")
    return 1 if differences or not agree else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
