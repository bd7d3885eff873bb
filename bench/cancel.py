#!/usr/bin/env python3
"""cancel.py --tfprof PROGRAM [options]: how soon Ctrl-C is heard.

Makes a model of N nodes (gen_large.py), asks each command for each of its
outputs, and sends SIGINT at K moments spread over the time that the question
takes. Prints, for each question, the longest time from the signal to the end of
the program: processor time, which other work on the machine does not change,
and time on the clock.

A signal is heard if the program then ends with code 130. Other moments are
counted apart: at some the program had ended before the signal was sent, at
others it went on to another exit code. With --most SECONDS the exit code is 1 if
some processor time is longer.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import sys
import time

HEARD = 128 + signal.SIGINT
ALL = ["-max_depth", "1000000"]
COSTS = ["-select", "micros,bytes,params,device,op_types"]
LISTS = ("types", "layers", "nodes", "tensors", "variables", "uncounted")


def questions(folder):
    """{name: arguments}, every command with every output."""
    graph = os.fspath(folder / "graph.pb")
    inputs = [graph, os.fspath(folder / "run_meta"),
              os.fspath(folder / "op_log")]
    found = {"info": ["info", *inputs],
             "info json": ["info", *inputs, "--format", "json"]}
    for view in ("scope", "graph", "op", "code"):
        words = [view, *inputs, *ALL]
        found[view] = [view, *inputs]
        for form in ("text", "json", "csv", "proto"):
            found[f"{view} {form}, all rows"] = [*words, *COSTS, "--format",
                                                 form]
        outputs = ["pprof", "profile"] + ["timeline"] * (view != "op")
        outputs += ["folded", "speedscope"] * (view in ("scope", "code"))
        for output in outputs:
            found[f"{view} {output}"] = [*words, "-step", "0", "-output",
                                         f"{output}:outfile=/dev/null"]
        found[f"{view} float_ops"] = [view, *inputs, "-select", "float_ops",
                                      "-formulas", "full"]
    found["graph timeline, packed"] = [
        "graph", *inputs, *ALL, "-step", "0", "-output",
        f"timeline:outfile={folder / 'timeline.gz'}"]
    for form in ("text", "json", "proto"):
        found[f"advise {form}"] = ["advise", *inputs, "--format", form]
    for form in ("text", "json", "csv"):
        found[f"flops {form}"] = ["flops", graph, "--format", form]
        for name in LISTS:
            found[f"flops {name} {form}"] = ["flops", graph, "--list", name,
                                             "--format", form]
    return found


def start(program, arguments, silence):
    """The process; SIGINT is as usual in it, though a shell may ignore it for
    what runs in the background."""
    return os.posix_spawn(
        program, [program, *arguments, "-q"], os.environ,
        file_actions=[(os.POSIX_SPAWN_DUP2, silence, fd) for fd in (0, 1, 2)],
        setsigdef=[signal.SIGINT])


def processor_time(process):
    """Of a process that still runs, in seconds."""
    with open(f"/proc/{process}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def finish(process):
    """(exit code, seconds of processor time)"""
    _, status, usage = os.wait4(process, 0)
    return os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def interrupt(program, arguments, silence, moment):
    """(code, processor time, time) from the signal to the end; the code is None
    if it had ended before. The moment is processor time, so that it is the same
    one on a busy machine."""
    process = start(program, arguments, silence)
    begun, before = time.monotonic(), 0.0
    while before < moment and time.monotonic() - begun < 60 + 100 * moment:
        time.sleep(min(max((moment - before) / 2, 0.001), 0.5))
        if os.waitid(os.P_PID, process,
                     os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
            finish(process)
            return None, 0.0, 0.0
        before = processor_time(process)
    sent = time.monotonic()
    os.kill(process, signal.SIGINT)
    code, used = finish(process)
    return code, max(used - before, 0.0), time.monotonic() - sent


def measure(program, arguments, silence, moments):
    """(how long it takes, what interrupt() gave)."""
    code, whole = finish(start(program, arguments, silence))
    if code != 0:
        raise SystemExit(f"cancel: {' '.join(arguments)}: exit code {code}")
    return whole, [interrupt(program, arguments, silence,
                             whole * (i + 0.5) / moments)
                   for i in range(moments)]


def show(name, whole, results):
    heard = [one for one in results if one[0] == HEARD]
    late = max((used for _, used, _ in heard), default=0.0)
    clock = max((passed for _, _, passed in heard), default=0.0)
    codes = [code for code, _, _ in results]
    words = [f"exit code {code}: {codes.count(code)}"
             for code in sorted(set(codes) - {HEARD, None})]
    words += [f"ended before: {codes.count(None)}"] * (None in codes)
    print(f"{name:32} {whole:8.2f} s {late:7.2f} s {clock:7.2f} s "
          f"{len(heard):3} of {len(results)}"
          + "".join(f", {word}" for word in words), flush=True)
    return late


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--tfprof", required=True)
    parser.add_argument("--nodes", type=int, default=300000)
    parser.add_argument("--moments", type=int, default=10)
    parser.add_argument("--dir", type=pathlib.Path,
                        default=pathlib.Path("build/bench/cancel"))
    parser.add_argument("--most", type=float, default=float("inf"))
    parser.add_argument("--only", default="",
                        help="questions whose name has this word")
    args = parser.parse_args()
    folder = args.dir.resolve() / str(args.nodes)
    if not (folder / "run_meta").exists():
        generator = pathlib.Path(__file__).resolve().with_name("gen_large.py")
        subprocess.run([sys.executable, generator, str(args.nodes), folder,
                        "--no-pbtxt"], check=True)
    silence = os.open(os.devnull, os.O_RDWR)
    print(f"{'question':32} {'takes':>10} {'late by':>9} {'clock':>9} "
          "heard")
    late = [show(name, *measure(os.path.realpath(args.tfprof), arguments,
                                silence, args.moments))
            for name, arguments in questions(folder).items()
            if args.only in name]
    print(f"late by at most {max(late, default=0.0):.2f} s of processor time")
    if max(late, default=0.0) > args.most:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
