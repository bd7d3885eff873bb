"""Reads the data of an HTML page that tfprof wrote: page/README.md has the format.

The decoder shares no code with the page or with the C code.
"""

import base64
import html
import json
import re
import struct
import zlib

DATA = re.compile(rb'<script type="text/plain" id="data">([A-Za-z0-9+/=]*)</script>')


class Chunk:
    """A head and its columns. A column is a list of integers."""

    def __init__(self, head, columns):
        self.head = head
        self.columns = columns  # (description, values)

    def column(self, name, **keys):
        """The values of the column, or None if there is no such column."""
        found = [values for about, values in self.columns
                 if about["name"] == name
                 and all(about.get(k) == v for k, v in keys.items())]
        assert len(found) <= 1, (name, keys)
        return found[0] if found else None


def _column(about, data, rows):
    assert len(data) == about["planes"] * rows
    values = [0] * rows
    for plane in range(about["planes"]):
        for row, byte in enumerate(data[plane * rows:(plane + 1) * rows]):
            values[row] |= byte << 8 * plane
    if about.get("zigzag"):
        values = [(v >> 1) ^ -(v & 1) for v in values]
    return values


def _chunks(data):
    """Chunks, and last the strings."""
    at, chunks = 0, []
    while at < len(data):
        size, = struct.unpack_from("<I", data, at)
        head = json.loads(data[at + 4:at + 4 + size].decode())
        at += 4 + size
        columns = []
        for about in head.get("columns", []):
            size = about["planes"] * head["rows"]
            columns.append((about, _column(about, data[at:at + size],
                                           head["rows"])))
            at += size
        if head["kind"] == "strings":
            strings = data[at:at + head["bytes"]]
            at += head["bytes"]
            assert at == len(data) and strings.endswith(b"\0")
            strings = strings[:-1].decode().split("\0")
            assert len(strings) == head["count"] and strings[0] == ""
            return chunks, strings
        chunks.append(Chunk(head, columns))
    raise AssertionError("the data has no strings")


class Row:
    """A row of a tree; costs are {(metric, step): value}."""

    def __init__(self, depth, name, **more):
        self.depth, self.name = depth, name
        self.path = name
        self.self, self.total = {}, {}
        self.__dict__.update(more)


class Tree:
    """Rows with totals, as the page computes them."""

    def __init__(self, chunk, strings):
        self.head = chunk.head
        self.id = chunk.head["id"]
        self.metrics = [m["id"] for m in self.head["metrics"]]
        depths = chunk.column("depth")
        texts = {about["name"]: [strings[i] for i in values]
                 for about, values in chunk.columns
                 if about.get("type") == "string"}
        numbers = {name: chunk.column(name) for name in ("line", "more")}
        self.rows = [
            Row(depth, texts["name"][i],
                **{k: v[i] for k, v in texts.items() if k != "name"},
                **{k: v[i] for k, v in numbers.items() if v})
            for i, depth in enumerate(depths)]
        self._nest()
        for about, values in chunk.columns:
            if about["name"] == "self":
                key = about["metric"], about["step"]
                rest = chunk.column("rest", metric=key[0], step=key[1])
                self._add(key, values, rest or [0] * len(values))

    def _nest(self):
        """Finds parents. The path of a scope is the whole name of its node."""
        last = {}
        self.parents = []
        for i, row in enumerate(self.rows):
            assert (row.depth == 0) == (i == 0)
            parent = last[row.depth - 1] if i else None
            is_rest = getattr(row, "more", 0) > 0
            if row.depth > 1 and self.id == "scope" and not is_rest:
                row.path = f"{self.rows[parent].path}/{row.name}"
            last[row.depth] = i
            self.parents.append(parent)

    def _add(self, key, values, rest):
        totals = [v + r for v, r in zip(values, rest)]
        for i in range(len(values) - 1, 0, -1):
            totals[self.parents[i]] += totals[i]
        for row, own, total in zip(self.rows, values, totals):
            row.self[key], row.total[key] = own, total

    def is_sorted(self):
        """Are siblings sorted by the main metric, the largest first? The row
        that stands for others comes last."""
        key = self.head["main"], self.key_step(self.head["main"])
        before = {}
        for row, parent in zip(self.rows, self.parents):
            if getattr(row, "more", 0) > 0:
                continue
            if before.get(parent, row.total[key]) < row.total[key]:
                return False
            before[parent] = row.total[key]
        return True

    def key_step(self, metric):
        """The step that a metric has first."""
        return next(step for m, step in self.rows[0].self if m == metric)


class Page:
    """All that a page has."""

    def __init__(self, path):
        self.bytes = path.read_bytes()
        found = DATA.findall(self.bytes)
        assert len(found) == 1
        packed = base64.b64decode(found[0], validate=True)
        assert packed[4:8] == b"\0\0\0\0"  # no time: same input, same bytes
        self.chunks, self.strings = _chunks(zlib.decompress(packed, wbits=31))
        self.head = self.chunks[0].head
        assert self.head["kind"] == "page" and self.head["version"] == 1
        self.trees = {c.head["id"]: Tree(c, self.strings)
                      for c in self.of_kind("tree")}

    @property
    def title(self):
        """That of the HTML."""
        text = re.search(rb"<title>(.*?)</title>", self.bytes, re.DOTALL)[1]
        return html.unescape(text.decode())

    def of_kind(self, kind):
        return [c for c in self.chunks if c.head["kind"] == kind]

    def table(self, name):
        """Rows of a table as dicts; None where a value is unknown."""
        chunk, = [c for c in self.of_kind("table") if c.head["id"] == name]
        rows = [{} for _ in range(chunk.head["rows"])]
        for about, values in chunk.columns:
            for row, value in zip(rows, values):
                if about["type"] == "string":
                    value = self.strings[value]
                elif value < 0:
                    value = None
                row[about["name"]] = value
        return rows
