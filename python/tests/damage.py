"""damage.py: every damaged file through the package, in a process of its own.

Reads names of files and the roles to give them, a line each, and prints JSON:
how many were opened, how many were refused and how, and what must not be.
A crash is seen by whoever started it.
"""

from __future__ import annotations

import collections
import json
import sys
from typing import Any

import tfprof

LIMITS: dict[str, Any] = {"max_memory": "256M", "max_input": "64M"}


def complaint(error: tfprof.Error, size: int) -> str | None:
    """What is wrong with an error."""
    if isinstance(error, tfprof.CorruptInput) and error.offset is not None:
        # In gzip the offset may be one of the unpacked bytes.
        if error.offset < 0:
            return "an offset below 0"
        if f"offset {error.offset}" not in str(error) and not error.line:
            return "the message lacks the offset"
    if ": " not in str(error):
        return "the message names no file"
    return None


def ask(profile: tfprof.Profile) -> None:
    """All questions; their refusals are answers."""
    profile.info()
    for question in (profile.scope, profile.graph, profile.op, profile.code,
                     profile.flops, profile.advise):
        try:
            answer: Any = question()
        except tfprof.OptionError:
            continue
        if isinstance(answer, tfprof.View):
            for row in answer[:50]:
                row.name, row.depth, row.parent, row.children, row.total  # noqa: B018


def try_one(given: Any, size: int, role: str,
            counts: collections.Counter[str]) -> str | None:
    roles = {role: given} if role else {}
    try:
        with tfprof.open(*([] if role else [given]), **roles,
                         **LIMITS) as profile:
            ask(profile)
        counts["opened"] += 1
    except tfprof.Error as error:
        counts[type(error).__name__] += 1
        if isinstance(error, tfprof.CorruptInput):
            counts["with offset"] += error.offset is not None
        return complaint(error, size)
    except MemoryError:
        counts["MemoryError"] += 1
    return None


def main() -> None:
    counts: collections.Counter[str] = collections.Counter()
    wrong = []
    for line in sys.stdin:
        name, _, role = line.rstrip("\n").partition("\t")
        with open(name, "rb") as file:
            data = file.read()
        counts["files"] += 1
        for given in (name, data, bytearray(data)):
            for as_role in {role, ""}:
                try:
                    why = try_one(given, len(data), as_role, counts)
                except Exception as error:
                    why = f"{type(error).__name__}: {error}"
                if why:
                    wrong.append(f"{name} as {as_role or 'anything'}: {why}")
    print(json.dumps({"counts": counts, "wrong": wrong}))


if __name__ == "__main__":
    main()
