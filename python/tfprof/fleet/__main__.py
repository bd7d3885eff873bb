"""python -m tfprof.fleet: reports about many workers."""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Sequence
from typing import Any

import tfprof
from tfprof.fleet import compact
from tfprof.fleet import open as open_fleet
from tfprof.fleet._fleet import EXCESS, Z

_HELP = {
    "report": "step times and the most expensive scopes, operations and lines",
    "stragglers": "workers that compute longer or wait longer for input than "
    "the others, and the operations that make the difference",
    "changes": "changes of the time per step between two groups of jobs",
    "excluded": "workers that no report uses, and why",
    "compact": "write the same rows to one folder per job",
}


def _pair(text: str) -> tuple[str, str]:
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise argparse.ArgumentTypeError(f"{text!r} is not LABEL=VALUE")
    return name, value


def _count(text: str) -> int:
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a count; give 1 "
                                         "or more")
    return value


def _positive(text: str) -> float:
    try:
        value = float(text.removesuffix("%"))
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"{text!r} must be a positive number")
    return value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m tfprof.fleet",
        description="Merge the tables that tfprof aggregate wrote on many "
        "workers, and print reports. The exit status is 1 if the tables "
        "cannot be read, 2 for an invalid command line, 3 if the output "
        "cannot be written, and 130 after Ctrl-C.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND",
                                     required=True)
    for name, text in _HELP.items():
        command = commands.add_parser(name, help=text, description=text)
        command.add_argument("path", metavar="PATH",
                             help="the folder with the tables of all workers, "
                             "at any depth, or an address: s3://BUCKET/PREFIX")
        command.add_argument("--format", default="table", choices=(
            "table", "json", "markdown", "html"),
            help="the form of the answer (default: table)")
        command.add_argument("--memory", default="1GB", metavar="SIZE",
                             help="memory limit of DuckDB (default: 1GB)")
        command.add_argument("--threads", type=_count, default=0, metavar="N",
                             help="threads of DuckDB (default: one for each "
                             "core, but at most 4)")
        if name == "compact":
            command.add_argument("out", metavar="OUT",
                                 help="a new folder outside of PATH")
            continue
        command.add_argument("--where", type=_pair, action="append",
                             default=[], metavar="LABEL=VALUE",
                             help="use only tables with this label; can be "
                             "repeated with other labels")
        command.add_argument("--min_steps", type=_count, default=2,
                             metavar="N",
                             help="exclude workers with fewer than N steps "
                             "(default: 2)")
        if name != "excluded":
            rows = ("workers to list, and up to 3 N operations"
                    if name == "stragglers" else "rows of each list")
            command.add_argument("--top", type=_count, default=10,
                                 metavar="N", help=f"{rows} (default: 10)")
        if name == "stragglers":
            command.add_argument("--z", type=_positive, default=Z, metavar="Z",
                                 help="name workers with at least this robust "
                                 f"z (default: {Z})")
            command.add_argument("--excess", type=_positive,
                                 default=100 * EXCESS, metavar="PERCENT",
                                 help="name workers that exceed the others by "
                                 "at least PERCENT (default: 1)")
        if name == "report":
            command.add_argument("--order", default="total",
                                 choices=("total", "self"),
                                 help="sort by total or by self time "
                                 "(default: total)")
        if name == "changes":
            for side in ("base", "new"):
                command.add_argument(
                    f"--{side}", required=True, action="append", metavar="JOB",
                    help="a job, a pattern such as 'nightly-*', or "
                    "LABEL=VALUE; can be repeated")
            command.add_argument("--view", default="op",
                                 choices=("op", "scope", "code"),
                                 help="the rows to compare (default: op)")
    return parser


def _run(args: Any) -> str:
    limits = {"memory": args.memory, "threads": args.threads}
    if args.command == "compact":
        return compact(args.path, args.out, **limits).form(args.format)
    where = dict(args.where)
    for label, value in args.where:
        if where[label] != value:
            raise tfprof.OptionError(f"--where: label {label!r} has two "
                                     "values; give one")
    with open_fleet(args.path, where=where,
                    min_steps=args.min_steps, **limits) as fleet:
        if args.command == "report":
            result = fleet.report(top=args.top, order=args.order)
        elif args.command == "stragglers":
            result = fleet.stragglers(top=args.top, z=args.z,
                                      excess=args.excess / 100)
        elif args.command == "changes":
            result = fleet.changes(args.base, args.new, view=args.view,
                                   top=args.top)
        else:
            result = fleet.excluded()
        return result.form(args.format)


def main(words: Sequence[str] | None = None) -> int:
    args = _parser().parse_args(words)
    try:
        _print(_run(args))
    except KeyboardInterrupt:
        return 130
    except tfprof.OptionError as error:
        print(f"tfprof.fleet: {error}", file=sys.stderr)
        return 2
    except tfprof.OutputError as error:
        print(f"tfprof.fleet: {error}", file=sys.stderr)
        return 3
    except tfprof.Error as error:
        print(f"tfprof.fleet: {error}", file=sys.stderr)
        return 1
    return 0


def _print(text: str) -> None:
    """Prints UTF-8, whatever the locale is, as the program tfprof does."""
    if sys.stdout is None:  # closed by the shell
        raise tfprof.OutputError("standard output: cannot write: closed")
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        # Python flushes again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(error, BrokenPipeError):  # the reader has closed it
            raise tfprof.OutputError(
                f"standard output: cannot write: {error.strerror}",
                error.errno) from error


if __name__ == "__main__":
    sys.exit(main())
