#!/usr/bin/env python3
"""Writes the tables of a generated fleet for measurements, in two processes.

usage: PYTHONPATH=BUILD_DIR/python:tests/lib TFPROF=BUILD_DIR/tfprof \\
       bench/fleet.py FOLDER [WORKERS] [--slow N | --clean] [--layers N]

The real `tfprof aggregate` writes the tables of 20 generated runs. Each worker
has 1,000 steps that vary such a run: noise of 8 % per step and 1 % between
workers. Each run has a pool of folded blocks of steps; see fleets.Pool.
"""
import argparse
import multiprocessing
import pathlib
import tempfile
import time

import fleets
import numpy


pools = {}


def part(job):
    folder, first, count, args, runs = job
    if not pools: # once in each process
        templates = fleets.templates(runs)
        for number, template in enumerate(templates[:args.pools]):
            pools[number] = fleets.Pool(template, [args.seed, number])
    for number in range(first, first + count):
        rng = numpy.random.default_rng([args.seed, number])
        pool = pools[number % len(pools)]
        name = f"w{number:05d}"
        made = pool.worker(rng, "j", name)
        if number == args.slow:
            made, _ = fleets.worker(pool.template, rng, "j", name,
                                    slow=fleets.SLOW_FACTOR)
        fleets.write(made, folder / f"{number // 1000:03d}" / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("workers", type=int, nargs="?", default=10_000)
    parser.add_argument("--layers", type=int, default=47)
    parser.add_argument("--pools", type=int, default=20)
    parser.add_argument("--seed", type=int, default=7)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--slow", type=int, metavar="N",
                       help="worker N runs one operation 30 % slower")
    which.add_argument("--clean", action="store_true", help="the default")
    args = parser.parse_args()
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as scratch:
        runs = fleets.real_runs(scratch, layers=args.layers)
        jobs = [(args.folder, first, min(100, args.workers - first), args,
                 runs) for first in range(0, args.workers, 100)]
        with multiprocessing.Pool(2) as pool:
            for _ in pool.imap_unordered(part, jobs):
                pass
    print(f"{args.workers:,} workers of {len(runs)} real runs in "
          f"{time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    main()
