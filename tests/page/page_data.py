"""Writes the data of an HTML page, as page/README.md describes the format.

The C code has its own writer. This one is small and does not share code with
it, so that tests of the page do not depend on views.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import pathlib
import struct

import numpy as np


class Strings:
    """Numbers of strings in the order in which they were first asked for."""

    def __init__(self) -> None:
        self.numbers = {"": 0}

    def __call__(self, text: str) -> int:
        return self.numbers.setdefault(text, len(self.numbers))

    def chunk(self) -> bytes:
        body = b"".join(s.encode() + b"\0" for s in self.numbers)
        return chunk({"kind": "strings", "bytes": len(body),
                      "count": len(self.numbers)}, []) + body


def planes(values, zigzag=False):
    """(number of planes, their bytes)."""
    array = np.asarray(values, dtype=np.int64)
    if zigzag:
        array = (array << 1) ^ (array >> 63)
    array = array.astype("<u8")
    count = 0
    while count < 8 and (array >> np.uint64(8 * count)).any():
        count += 1
    by_row = array.view(np.uint8).reshape(-1, 8)
    return count, b"".join(by_row[:, j].tobytes() for j in range(count))


def chunk(head, columns) -> bytes:
    """columns: (description, values) each; zigzag if a value is negative."""
    described, body = [], b""
    for description, values in columns:
        negative = len(values) > 0 and int(np.min(values)) < 0
        count, data = planes(values, negative)
        described.append({**description, "planes": count,
                          **({"zigzag": True} if negative else {})})
        body += data
    if columns:
        head = {**head, "rows": len(columns[0][1]), "columns": described}
    text = json.dumps(head, ensure_ascii=False).encode()
    return struct.pack("<I", len(text)) + text + body


def page(template: pathlib.Path, chunks, title="page") -> str:
    """The page that cmake/PackPage.cmake made, with these chunks."""
    data = base64.b64encode(gzip.compress(b"".join(chunks), 6, mtime=0))
    text = template.read_text(encoding="utf-8")
    before, after = text.split("@DATA@")
    return (before.replace("@TITLE@", html.escape(title)) + data.decode()
            + after)


def tree_chunk(strings, rows, metrics, main, steps=((-1, "all steps"),),
               **head):
    """rows: dicts with depth, name, and for each (metric, step) the self."""
    columns = [
        ({"name": "depth"}, [r["depth"] for r in rows]),
        ({"name": "name", "type": "string"},
         [strings(r["name"]) for r in rows]),
        ({"name": "type", "type": "string"},
         [strings(r.get("type", "")) for r in rows]),
    ]
    for name in ("file", "function", "text"):
        if any(name in r for r in rows):
            columns.append(({"name": name, "type": "string"},
                            [strings(r.get(name, "")) for r in rows]))
    for name in ("line", "more"):
        if any(name in r for r in rows):
            columns.append(({"name": name}, [r.get(name, 0) for r in rows]))
    for key in ("self", "rest"):
        pairs = sorted({pair for r in rows for pair in r.get(key, {})})
        for metric, step in pairs:
            columns.append(({"name": key, "metric": metric, "step": step},
                            [r.get(key, {}).get((metric, step), 0)
                             for r in rows]))
    return chunk({"kind": "tree", "main": main,
                  "steps": [{"id": i, "title": t} for i, t in steps],
                  "metrics": [dict(zip(("id", "title", "unit"), m))
                              for m in metrics], **head}, columns)
