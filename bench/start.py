#!/usr/bin/env python3
"""start.py [--most RATIO] PROGRAM...: how long a program takes to start.

The time of `PROGRAM --version` as a ratio to that of an empty C program, linked
with shared libraries as usual: medians of 500 runs of each, in turns. With
--most it fails when a program takes more than so many times as long.
"""

import argparse
import os
import statistics
import subprocess
import tempfile
import time

RUNS, WARM_UP = 500, 5


def build_empty(folder):
    program = os.path.join(folder, "empty")
    subprocess.run(["cc", "-O2", "-x", "c", "-", "-o", program], check=True,
                   input=b"int main(void) { return 0; }\n")
    return program


def seconds(command, silence):
    begun = time.perf_counter()
    child = os.posix_spawn(command[0], command, os.environ,
                           file_actions=[(os.POSIX_SPAWN_DUP2, silence, 1)])
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise SystemExit(f"start: {' '.join(command)} failed")
    return time.perf_counter() - begun


def medians(commands):
    silence = os.open(os.devnull, os.O_WRONLY)
    times = [[] for _ in commands]
    for run in range(WARM_UP + RUNS):
        for command, taken in zip(commands, times):
            one = seconds(command, silence)
            if run >= WARM_UP:
                taken.append(one)
    return [statistics.median(taken) for taken in times]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--most", type=float, default=float("inf"))
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        empty = build_empty(folder)
        least, *rest = medians([[empty], *(
            [os.path.realpath(program), "--version"]
            for program in args.programs)])
    print(f"an empty program starts in {least * 1000:.2f} ms")
    for program, taken in zip(args.programs, rest):
        print(f"{program}: {taken / least:.2f} times as long")
    if max(rest) > args.most * least:
        raise SystemExit(f"start: more than {args.most:g} times as long")


if __name__ == "__main__":
    main()
