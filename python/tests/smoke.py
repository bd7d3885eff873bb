"""Does an installed package work? Plain Python, for environments that have
the package and nothing else; tools/check-wheel runs it.

    smoke.py PROGRAM DATA_DIR

PROGRAM is the command that came with the package, DATA_DIR is tests/data.
"""

from __future__ import annotations

import contextlib
import io
import os
import pty
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import subinterpreters

# Before anything is imported on demand.
subinterpreters.check()

import tfprof  # noqa: E402


def text(program: str, *words: str) -> str:
    done = subprocess.run([program, *words], capture_output=True, check=True)
    return done.stdout.decode()


def check_package(program: str, data: Path) -> None:
    graph, run = str(data / "graph.pb"), str(data / "run_meta")
    with tfprof.open(graph, run) as profile:
        view = profile.scope(select=["micros", "bytes"], order_by="micros")
        assert f"{view}\n" == text(program, "scope", graph, run, "-select",
                                   "micros,bytes", "-order_by", "micros")
        rows = list(view)
        assert rows and any(row.total.micros > 0 for row in rows)
        assert sum(row.self.bytes for row in rows) == view.total.bytes
        assert profile.op().to_json()
    assert tfprof.flops(graph).total >= 0


def check_dropin(data: Path) -> None:
    """In the place of TensorFlow's profiler, and without TensorFlow."""
    graph = (data / "graph.pb").read_bytes()
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        builder = tfprof.ProfileOptionBuilder
        found = tfprof.profile(graph, cmd="scope", options=builder(
            builder.trainable_variables_parameter())
            .with_accounted_types([".*"]).build())
    assert "node name | # parameters" in printed.getvalue()
    assert found.total_parameters > 0
    again = tfprof.GraphNodeProto.FromString(found.SerializeToString())
    assert again.total_parameters == found.total_parameters
    assert tfprof.compat.v1.profile is tfprof.profile
    assert tfprof.contrib.tfprof_logger.write_op_log is tfprof.write_op_log
    assert "tensorflow" not in sys.modules
    assert "google.protobuf" not in sys.modules


def check_demo(program: str) -> None:
    """The same sample models from the package and the program."""
    with tempfile.TemporaryDirectory() as scratch:
        ours, its = f"{scratch}/ours", f"{scratch}/its"
        made = tfprof.demo(ours)
        assert [path.name for path in made] == sorted(os.listdir(ours))
        printed = text(program, "demo", its)
        for line in printed.split("try:\n")[1].splitlines():
            name, *words = shlex.split(line)
            assert name == "tfprof" and text(program, *words)
        for folder, _, files in os.walk(ours):
            for file in files:
                mine = Path(folder, file)
                twin = Path(its, mine.relative_to(ours))
                assert mine.read_bytes() == twin.read_bytes(), mine


def check_errors(data: Path) -> None:
    damaged = (data / "graph.pb").read_bytes()[:-1]
    try:
        tfprof.open(damaged)
    except tfprof.CorruptInput as error:
        assert error.offset is not None
    else:
        raise AssertionError("a damaged file was read")
    try:
        tfprof.open(data / "graph.pb").scope(
            selct="micros")  # type: ignore[call-arg]
    except tfprof.OptionError as error:
        assert isinstance(error, ValueError)
        assert "select" in str(error)
    else:
        raise AssertionError("an unknown option was taken")


def check_program(program: str) -> None:
    """The real program: its version, its exit codes, and its death by a
    signal when its reader is gone, which a script in between would spoil."""
    with open(program, "rb") as file:
        assert file.read(4) == b"\x7fELF", f"{program} is a script"
    assert text(program, "--version") == f"tfprof {tfprof.__version__}\n"
    wrong = subprocess.run([program, "scope", "--nonsense"],
                           capture_output=True)
    assert wrong.returncode == 2 and b"nonsense" in wrong.stderr, wrong
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run([program, "help", "options"], stdout=writer)
    os.close(writer)
    assert done.returncode == -signal.SIGPIPE, done


def check_prompt(program: str, data: Path) -> None:
    """At a terminal: it edits lines, and takes completion for one."""
    ours, its = pty.openpty()
    with subprocess.Popen([program, str(data / "graph.pb")], stdin=its,
                          stdout=its, stderr=its, start_new_session=True,
                          env={**os.environ, "TERM": "xterm"}) as child:
        os.close(its)
        seen = b""
        lines = [b"quit\r", b"op -sel\tparams\r"]
        with contextlib.suppress(OSError):  # which is how its end is told
            while more := os.read(ours, 4096):
                seen += more
                if lines and seen.endswith(b"tfprof> "):
                    os.write(ours, lines.pop())
        os.close(ours)
    assert child.returncode == 0, (child.returncode, seen)
    assert b"ect params" in seen, seen
    assert b"data/graph.pb: op by params" in seen, seen


def main() -> None:
    program, data = sys.argv[1], Path(sys.argv[2])
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        check_package(program, data)
        check_dropin(data)
        check_demo(program)
        check_errors(data)
        check_program(program)
        check_prompt(program, data)
    assert printed.getvalue() == "", printed.getvalue()
    version = ".".join(map(str, sys.version_info[:3]))
    print(f"smoke: tfprof {tfprof.__version__} works on Python {version}")


if __name__ == "__main__":
    main()
