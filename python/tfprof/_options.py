"""Dicts of options, as tf.compat.v1.profiler uses them.

ProfileOptionBuilder creates them with the same keys; settings() translates them
to options of the library.
"""

from __future__ import annotations

import copy
import operator
import re
from collections.abc import Iterable, Mapping
from typing import Any

from tfprof import _native, _settings

Options = dict[str, Any]

TRAINABLE_VARIABLES = "_trainable_variables"

# One per metric: TensorFlow's in its order, then those of this library only.
_MINIMA = tuple(name for name in _native.option_names()
                if name.startswith("min_"))
_PATTERNS = ("account_type_regexes", "start_name_regexes",
             "trim_name_regexes", "show_name_regexes", "hide_name_regexes")
_EVERYTHING = ".*"
_INT32 = (1 << 31) - 1


# ---- The builder ------------------------------------------------------------

def _made(max_depth: int, minima: Mapping[str, int], order_by: str,
          account_type: str, displayed_only: bool,
          select: list[str]) -> Options:
    """All keys, in TensorFlow's order."""
    return {"max_depth": max_depth, **minima,
            "order_by": order_by,
            "account_type_regexes": [account_type],
            "start_name_regexes": [_EVERYTHING],
            "trim_name_regexes": [],
            "show_name_regexes": [_EVERYTHING],
            "hide_name_regexes": [],
            "account_displayed_op_only": displayed_only,
            "select": select,
            "step": -1,
            "output": "stdout"}


def _minima(**given: int) -> dict[str, int]:
    """The minima that every dict of TensorFlow has, and the given ones, in the
    order of _MINIMA."""
    usual = ("min_bytes", "min_micros", "min_params", "min_float_ops",
             "min_occurrence")
    return {name: given.get(name, 0) for name in _MINIMA
            if name in usual or name in given}


class ProfileOptionBuilder:
    """Builds the dict of options for profile() and Profiler.

    >>> builder = ProfileOptionBuilder()
    >>> opts = builder.with_max_depth(3).select(["micros"]).build()
    >>> opts["max_depth"], opts["select"], opts["output"]
    (3, ['micros'], 'stdout')

    It can start from an existing dict, such as a predefined one:

    >>> start = ProfileOptionBuilder.time_and_memory()
    >>> opts = (ProfileOptionBuilder(start)
    ...         .with_file_output("out.txt").build())
    >>> opts["output"], opts["order_by"]
    ('file:outfile=out.txt', 'micros')
    """

    def __init__(self, options: Options | None = None) -> None:
        self._options: Options = (
            copy.deepcopy(options) if options is not None else
            _made(100, _minima(), "name", _EVERYTHING, False, ["micros"]))

    @staticmethod
    def trainable_variables_parameter() -> Options:
        """Options for the number of parameters of the trainable variables, for
        the scope view."""
        return _made(10000, _minima(), "name", TRAINABLE_VARIABLES, True,
                     ["params"])

    @staticmethod
    def float_operation() -> Options:
        """Options for the number of float operations."""
        return _made(10000, _minima(min_float_ops=1), "float_ops",
                     _EVERYTHING, True, ["float_ops"])

    @staticmethod
    def time_and_memory(min_micros: int = 1, min_bytes: int = 1,
                        min_accelerator_micros: int = 0,
                        min_cpu_micros: int = 0, min_peak_bytes: int = 0,
                        min_residual_bytes: int = 0,
                        min_output_bytes: int = 0) -> Options:
        """Options for time and memory, with minima for each metric."""
        return _made(10000, _minima(
            min_bytes=min_bytes, min_peak_bytes=min_peak_bytes,
            min_residual_bytes=min_residual_bytes,
            min_output_bytes=min_output_bytes, min_micros=min_micros,
            min_accelerator_micros=min_accelerator_micros,
            min_cpu_micros=min_cpu_micros), "micros", _EVERYTHING, True,
            ["micros", "bytes"])

    def build(self) -> Options:
        """Returns a copy of the dict: the builder can be used again."""
        return copy.deepcopy(self._options)

    def _with(self, **values: Any) -> ProfileOptionBuilder:
        self._options.update(values)
        return self

    def with_max_depth(self, max_depth: int) -> ProfileOptionBuilder:
        """Show at most `max_depth` levels; in the op view, at most
        `max_depth` + 1 types."""
        return self._with(max_depth=max_depth)

    def with_min_memory(self, min_bytes: int = 0, min_peak_bytes: int = 0,
                        min_residual_bytes: int = 0,
                        min_output_bytes: int = 0) -> ProfileOptionBuilder:
        """Show rows with at least these requested, peak, residual and output
        bytes."""
        return self._with(min_bytes=min_bytes, min_peak_bytes=min_peak_bytes,
                          min_residual_bytes=min_residual_bytes,
                          min_output_bytes=min_output_bytes)

    def with_min_execution_time(
            self, min_micros: int = 0, min_accelerator_micros: int = 0,
            min_cpu_micros: int = 0) -> ProfileOptionBuilder:
        """Show rows that run for at least these microseconds."""
        return self._with(min_micros=min_micros,
                          min_accelerator_micros=min_accelerator_micros,
                          min_cpu_micros=min_cpu_micros)

    def with_min_micros(self, min_micros: int) -> ProfileOptionBuilder:
        """Show rows that run for at least `min_micros` microseconds."""
        return self._with(min_micros=min_micros)

    def with_min_parameters(self, min_params: int) -> ProfileOptionBuilder:
        """Show rows with at least `min_params` parameters."""
        return self._with(min_params=min_params)

    def with_min_occurrence(self, min_occurrence: int
                            ) -> ProfileOptionBuilder:
        """Show rows that occur at least `min_occurrence` times."""
        return self._with(min_occurrence=min_occurrence)

    def with_min_float_operations(self, min_float_ops: int
                                  ) -> ProfileOptionBuilder:
        """Show rows with at least `min_float_ops` float operations."""
        return self._with(min_float_ops=min_float_ops)

    def with_accounted_types(self, account_type_regexes: list[str]
                             ) -> ProfileOptionBuilder:
        """Count only nodes with a matching type: their operation, their
        device, or a type from an op log."""
        return self._with(
            account_type_regexes=copy.copy(account_type_regexes))

    def with_node_names(self, start_name_regexes: list[str] | None = None,
                        show_name_regexes: list[str] | None = None,
                        hide_name_regexes: list[str] | None = None,
                        trim_name_regexes: list[str] | None = None
                        ) -> ProfileOptionBuilder:
        """Select nodes by name: where to start, which to show, which to hide,
        and where to stop. None keeps the current value."""
        given = {"start_name_regexes": start_name_regexes,
                 "show_name_regexes": show_name_regexes,
                 "hide_name_regexes": hide_name_regexes,
                 "trim_name_regexes": trim_name_regexes}
        return self._with(**{name: copy.copy(value)
                             for name, value in given.items()
                             if value is not None})

    with_displaying_options = with_node_names

    def account_displayed_op_only(self, is_true: bool
                                  ) -> ProfileOptionBuilder:
        """Sum only the displayed rows."""
        return self._with(account_displayed_op_only=is_true)

    def with_empty_output(self) -> ProfileOptionBuilder:
        """Print nothing and write no file."""
        return self._with(output="none")

    def with_stdout_output(self) -> ProfileOptionBuilder:
        """Print the rows."""
        return self._with(output="stdout")

    def with_file_output(self, outfile: Any) -> ProfileOptionBuilder:
        """Write the rows to a file."""
        return self._with(output=f"file:outfile={outfile}")

    def with_timeline_output(self, timeline_file: Any
                             ) -> ProfileOptionBuilder:
        """Write a timeline to a file, as JSON for trace viewers."""
        return self._with(output=f"timeline:outfile={timeline_file}")

    def with_pprof_output(self, pprof_file: Any) -> ProfileOptionBuilder:
        """Write a file for pprof, usually named *.pb.gz."""
        return self._with(output=f"pprof:outfile={pprof_file}")

    def order_by(self, attribute: str) -> ProfileOptionBuilder:
        """Sort by name, or by a metric with the largest value first."""
        return self._with(order_by=attribute)

    def select(self, attributes: list[str]) -> ProfileOptionBuilder:
        """Choose the columns."""
        return self._with(select=copy.copy(attributes))

    def with_step(self, step: int) -> ProfileOptionBuilder:
        """Show the costs of this step; -1 for the average of all."""
        return self._with(step=step)


# ---- Options of the library -------------------------------------------------

def _number(name: str, value: Any) -> str:
    try:
        return str(operator.index(value))
    except TypeError:
        if isinstance(value, float) and value.is_integer():
            return str(int(value))  # protobuf accepts it too
        raise TypeError(f"options[{name!r}] must be an int, not "
                        f"{type(value).__name__}") from None


def _word(name: str, value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if not isinstance(value, str):
        raise TypeError(f"options[{name!r}] must be a str, not "
                        f"{type(value).__name__}")
    return value


def _words(name: str, value: Any) -> list[str]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise TypeError(f"options[{name!r}] must be a list of str, not "
                        f"{type(value).__name__}")
    return [_word(name, word) for word in value]


def _pattern(pattern: str) -> str:
    """An empty pattern matches no name; it must not vanish from the list."""
    return _settings.word(pattern) or "(?:)"


def _output(value: str) -> str:
    """A comma that does not start another setting belongs to the path."""
    return re.sub(r"(?<!\\),(?![a-z_]+=)", r"\\,", value)


def settings(options: Mapping[str, Any]) -> dict[str, str]:
    """The library's options for a dict. As in TensorFlow, a missing key has
    TensorFlow's default, and an unknown key is ignored."""
    found = {"max_depth": str(max(-_INT32, min(_INT32, int(_number(
        "max_depth", options.get("max_depth", 10))))))}
    for name in _MINIMA:
        found[name] = _number(name, options.get(name, 0))
    found["step"] = _number("step", options.get("step", -1))
    found["order_by"] = _word("order_by",
                              options.get("order_by", "name")) or "depth"
    patterns = _PATTERNS + (("device_regexes",) if "device_regexes" in options
                            else ())
    for name in patterns:
        found[name] = ",".join(map(_pattern, _words(
            name, options.get(name, []))))
    found["account_displayed_op_only"] = (
        "true" if options.get("account_displayed_op_only", False) else "false")
    # An empty list shows only names; tensor_value does so without a checkpoint.
    found["select"] = ",".join(_words("select", options.get("select", [])
                                      )) or "tensor_value"
    # In TensorFlow an empty text means stdout too.
    found["output"] = _output(_word(
        "output", options.get("output", "stdout"))) or "stdout"
    dump = _word("dump_to_file", options.get("dump_to_file", ""))
    if dump:
        found["dump_to_file"] = dump
    return found
