"""What the tests of checkpoints share: small ones, and how they are read."""

import json
import struct

from bundles import FLOAT, INT64, Bundle, floats
from faults import run


def rows(*args, view="scope", **kwargs):
    """(exit code, {name: row}, stderr) of a view with parameters and values."""
    code, out, err = run(view, *args, "-select", "params,tensor_value",
                         "-max_depth", "100", "--format", "json", **kwargs)
    found = {row["name"]: row for row in json.loads(out)["rows"]} if out else {}
    return code, found, err.decode()


def elements(row):
    return row["value"].get("elements")


def sound(**kwargs):
    """A bundle with two tensors that nothing is wrong with."""
    bundle = Bundle(**kwargs)
    bundle.add(b"first", FLOAT, [3], floats(1, 2, 3))
    bundle.add(b"last", INT64, [2], struct.pack("<2q", 7, -7))
    return bundle


def two_shards():
    bundle = Bundle(shards=2)
    bundle.add(b"first", FLOAT, [3], floats(1, 2, 3))
    bundle.add(b"last", INT64, [2], struct.pack("<2q", 7, -7))
    bundle.add(b"second/a", FLOAT, [2], floats(4, 5), shard=1)
    bundle.add(b"second/b", FLOAT, [2], floats(6, 7), shard=1)
    return bundle
