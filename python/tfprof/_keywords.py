"""The options of the command line, as the keywords of tfprof.open() and others.

Made by tools/python-tables from the option table: not written by hand. Only
what checks types imports it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from typing import Any, SupportsIndex, TypedDict, Union

# None leaves an option as it is; a str is what the command line takes.
Flag = Union[bool, str, None]
Number = Union[SupportsIndex, str, None]
Word = Union[str, None]
Words = Union[str, Iterable[str], None]
Patterns = Union[str, "os.PathLike[str]",
                 Iterable[Union[str, "os.PathLike[str]"]], Mapping[str, Any],
                 None]


class Options(TypedDict, total=False):
    """What every question takes."""

    max_depth: Number
    min_bytes: Number
    min_peak_bytes: Number
    min_residual_bytes: Number
    min_output_bytes: Number
    min_micros: Number
    min_accelerator_micros: Number
    min_cpu_micros: Number
    min_params: Number
    min_float_ops: Number
    min_occurrence: Number
    step: Number
    order_by: Word
    account_type_regexes: Patterns
    start_name_regexes: Patterns
    trim_name_regexes: Patterns
    show_name_regexes: Patterns
    hide_name_regexes: Patterns
    account_displayed_op_only: Flag
    select: Words
    device_regexes: Patterns
    min_queue_micros: Number
    min_self_bytes: Number
    min_self_peak_bytes: Number
    min_self_residual_bytes: Number
    min_self_output_bytes: Number
    min_self_micros: Number
    min_self_accelerator_micros: Number
    min_self_cpu_micros: Number
    min_self_params: Number
    min_self_float_ops: Number
    min_self_occurrence: Number
    min_self_queue_micros: Number
    formulas: Word
    functions: Word
    batch: Number
    shape: Patterns
    trips: Patterns
    formula_file: Patterns
    signature: Patterns
    list: Word
    uncounted: Flag
    depth: Number
    by: Word
    sort: Word
    top: Number
    max_arrows: Number
    code_text: Flag
    own: Flag
    own_regexes: Patterns
    color: Word
    width: Number
    charset: Word
    verbose: Flag
    salvage: Flag
    follow: Flag
    fold_transforms: Flag
    frames: Word
    max_memory: Number
    max_input: Number
    max_block: Number
    max_depth_nesting: Number


class ViewOptions(Options, total=False):
    """What views and files take."""

    checkers: Words


class OpenOptions(ViewOptions, total=False):
    """What holds for all questions."""

    format: Word
