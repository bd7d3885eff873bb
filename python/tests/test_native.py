"""What stands between Python and the library."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from inputs import DATA, SOURCE_DIR

import tfprof
from tfprof import _native


def test_version_is_that_of_the_program(tfprof_version: str) -> None:
    assert tfprof.__version__ == tfprof_version


def test_an_option_that_is_none_names_the_nearest() -> None:
    handle = _native.Handle()
    with pytest.raises(tfprof.OptionError, match="did you mean select"):
        handle.set({"selct": "micros"})


def test_a_closed_profile_says_so() -> None:
    handle = _native.Handle()
    handle.close()
    handle.close()
    with pytest.raises(ValueError, match="closed"):
        handle.view("scope")


# ---- Messages ---------------------------------------------------------------

@pytest.mark.parametrize("message, expected", [
    ("the limit (see --max_memory)", "the limit (see max_memory)"),
    ("--top 0 shows all", "top=0 shows all"),
    ("--min_micros -5 hides", "min_micros=-5 hides"),
    ("--max_depth shows more", "max_depth shows more"),
    ("--max-depth 3 shows", "max_depth=3 shows"),
    ("--frames python supports only", 'frames="python" supports only'),
    ("with --of min --skip_steps 2 (use", 'with of="min" skip_steps=2 (use'),
    ("add --select micros,bytes", 'add select="micros,bytes"'),
    ("--select chooses", "select chooses"),
    ("check needs --budgets FILE (tfprof check --init INPUT writes it)",
     "check needs budgets=FILE (tfprof check --init INPUT writes it)"),
    ("--trips NAME=N", "trips=NAME=N"),
    ("give run metadata with --run_meta_path",
     "give run metadata with run_meta="),
    ("use --run_meta_path 7=FILE)", "use run_meta={7: FILE})"),
    ("use --run_meta_path N=FILE)", "use run_meta={N: FILE})"),
    ("the index: --checkpoint_path a b/c.index",
     'the index: checkpoint="a b/c.index"'),
    ("(to show them, use tfprof op TRACE --select float_ops)",
     "(to show them, use tfprof op TRACE --select float_ops)"),
    ("use tfprof op --top 0, or --top 0", "use tfprof op --top 0, or top=0"),
    ("'--top 0' is not a name", "'--top 0' is not a name"),
])
def test_options_in_messages_are_arguments(message: str, expected: str) -> None:
    assert _native.in_python(message) == expected


def literals(path: Path) -> Iterator[str]:
    """The string literals of a C file, with adjacent ones joined."""
    for found in re.finditer(r'"(?:[^"\\\n]|\\.)*"(?:\s*"(?:[^"\\\n]|\\.)*")*',
                             path.read_text()):
        yield "".join(re.findall(r'"((?:[^"\\\n]|\\.)*)"', found[0]))


def test_every_command_line_in_a_message_stays_as_it_is() -> None:
    """Also one that a message of the library will have in the future."""
    seen = 0
    for path in sorted((SOURCE_DIR / "src").rglob("*.c")):
        if path.parent.name in ("cli", "tui", "manual"):
            continue  # the program prints their text, and Python does not
        for text in literals(path):
            for command in re.findall(
                    r"\btfprof [a-z]+ [^(),;:']*--[^(),;:']*", text):
                assert command in _native.in_python(text), (path, text)
                seen += 1
    assert seen >= 3


def test_a_trace_without_a_graph_names_the_command() -> None:
    with pytest.raises(tfprof.OptionError) as told:
        tfprof.open(DATA / "traces" / "gen_tf-gpu.xplane.pb").flops()
    assert "use tfprof op TRACE --select float_ops" in str(told.value)
