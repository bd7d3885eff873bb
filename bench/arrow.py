#!/usr/bin/env python3
"""What it takes to hand a view of a million rows to those who read Arrow,
beside a copy of its bytes: medians of seven alternating rounds.

usage: PYTHONPATH=BUILD_DIR/python bench/arrow.py [NODES]
"""
import statistics
import sys
import time

import duckdb
import polars
import tfprof

NODE = b"\x0a%c\x0a%c%s\x12\x04NoOp"  # GraphDef.node { name: op: }


def graph(count):
    names = (b"scope_%02d/node_%07d" % (i % 97, i) for i in range(count))
    return b"".join(NODE % (len(name) + 8, len(name), name) for name in names)


def copy(table):
    """The bytes of all buffers."""
    return [bytes(memoryview(buffer)) for column in table.columns
            for chunk in column.chunks for buffer in chunk.buffers()
            if buffer is not None]


def sums(view):
    names = ", ".join(f"sum({name})" for name in view.metrics)
    return duckdb.sql(f"select {names}, max(name) from view").fetchall()


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    view = tfprof.open(graph=graph(count)).scope(
        select=["params", "float_ops", "device", "op_types"], max_depth=9,
        account_type_regexes=".*")
    table = view.to_arrow()
    print(f"{len(view)} rows, {table.num_columns} columns, "
          f"{table.nbytes / 1e6:.0f} MB")
    tasks = {"copy of the buffers": lambda: copy(table),
             "to_arrow()": view.to_arrow,
             "polars.DataFrame(view)": lambda: polars.DataFrame(view),
             "to_pandas()": view.to_pandas,
             "sums of all metrics in DuckDB": lambda: sums(view)}
    taken = {name: [] for name in tasks}
    for _ in range(7):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            taken[name].append(time.perf_counter() - start)
    for name, times in taken.items():
        print(f"{name}: {1e3 * statistics.median(times):.1f} ms")


if __name__ == "__main__":
    main()
