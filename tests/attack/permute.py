"""Asks all commands about rewrites of a trace that mean the same. The answers
must be the same, except for the order of rows.

`python permute.py FILE...` with SEEDS=N, ONLY=REWRITE,... CMDS=COMMAND,...
"""

import json
import os
import random
import shutil

import pyarrow.parquet

import attack
import trace_tree

JSON = ("--format", "json")
DEEP = ("--max_depth", "100")
QUESTIONS = {
    "op": ("op", *JSON),
    "scope": ("scope", *JSON, *DEEP),
    "graph": ("graph", *JSON, *DEEP),
    "code": ("code", *JSON, *DEEP),
    "python": ("code", "--frames", "python", *JSON, *DEEP),
    "steps": ("steps", *JSON),
    "kernels": ("kernels", *JSON),
    "memory": ("memory", *JSON),
    "memory by op": ("memory", "--by", "op", *JSON),
    "devices": ("devices", *JSON),
    "advise": ("advise", *JSON),
    "summary": ("summary", *JSON),
    "step 1": ("op", "--step", "1", *JSON),
    "facts": ("scope", "--select",
              "micros,occurrence,float_ops,params,device,op_types",
              *JSON, *DEEP),
    "framework_op_stats": ("xprof", "framework_op_stats"),
    "hlo_stats": ("xprof", "hlo_stats"),
    "kernel_stats": ("xprof", "kernel_stats"),
    "memory_profile": ("xprof", "memory_profile"),
}
AGGREGATE = "aggregate"
XPROF = ("framework_op_stats", "hlo_stats", "kernel_stats", "memory_profile")
# xprof defines how offsets, planes of one name and unsigned stats count, and
# the last line decides what an allocator reports. Its tables follow it.
OF_XPROF = {"split": XPROF, "negative_offsets": XPROF, "moved_start": XPROF,
            "other_integers": XPROF, "lines": ("memory_profile",)}
# Where in a file something stands, and when it was.
PLACES = ("offset", "bytes_read", "size", "peak_at_micros")


def ask(found, name, path):
    """Exit code and answer."""
    if name == AGGREGATE:
        return ask_aggregate(found, path)
    command, *options = QUESTIONS[name]
    if command == "xprof":
        command, options = ("xprof", options[0]), options[1:]
    else:
        command = (command,)
    done = found.run(*command, path, *options)
    return done.returncode, done.stdout


def ask_aggregate(found, path):
    folder = found.folder / "tables"
    shutil.rmtree(folder, ignore_errors=True)
    done = found.run("aggregate", path, "--label", "worker=w",
                     "--output", f"parquet:outfile={folder}")
    tables = {}
    if (folder / "header.parquet").exists():
        for table in "rows", "histogram", "steps":
            rows = pyarrow.parquet.read_table(folder / f"{table}.parquet")
            tables[table] = sorted(map(str, rows.to_pylist()))
    return done.returncode, json.dumps(tables).encode()


def sorted_deep(value):
    if isinstance(value, dict):
        return {key: sorted_deep(item) for key, item in value.items()
                if key not in PLACES}
    if isinstance(value, list):
        return sorted(map(sorted_deep, value),
                      key=lambda item: json.dumps(item, sort_keys=True))
    return value


def first_difference(a, b, path=""):
    if isinstance(a, dict) and isinstance(b, dict):
        for key in {**a, **b}:
            found = first_difference(a.get(key), b.get(key), f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(a, list) and isinstance(b, list):
        for i, (x, y) in enumerate(zip(a, b)):
            found = first_difference(x, y, f"{path}[{i}]")
            if found:
                return found
        a, b, path = len(a), len(b), f"{path}.length"
    return None if a == b and type(a) is type(b) else (path, a, b)


def compare(before, after):
    """What is wrong, or None."""
    if after == before:
        return None
    if after[0] != before[0]:
        return f"exit code {before[0]}, {after[0]}"
    try:
        a, b = (sorted_deep(json.loads(out)) for _, out in (before, after))
    except ValueError:
        return "is not JSON"
    found = first_difference(a, b)
    return found and "%s: %.100s, %.100s" % found


def attack_trace(found, path, rewrites, questions, seeds=1):
    name = attack.short(path)
    copy = found.folder / "permuted" / "a.xplane.pb"
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(trace_tree.write(trace_tree.read(path)))
    before = {asked: ask(found, asked, copy) for asked in questions}
    for rewrite in rewrites:
        for seed in range(seeds):
            chance = random.Random(f"{path.name} {rewrite} {seed}")
            copy.write_bytes(trace_tree.rewritten(trace_tree.read(path),
                                                  rewrite, chance))
            for asked in questions:
                if asked in OF_XPROF.get(rewrite, ()):
                    continue
                wrong = compare(before[asked], ask(found, asked, copy))
                if wrong:
                    found.fail(name, rewrite, seed, asked, wrong)


def attack_all(found, paths):
    only = os.environ.get("ONLY")
    commands = os.environ.get("CMDS")
    for path in paths:
        attack_trace(found, path,
                     only.split(",") if only else trace_tree.REWRITES,
                     commands.split(",") if commands
                     else [*QUESTIONS, AGGREGATE],
                     int(os.environ.get("SEEDS", "1")))


if __name__ == "__main__":
    attack.main(attack_all)
