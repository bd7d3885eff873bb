"""Converts keywords to the texts of options.

The option table of the library defines names and kinds; no option is named
here.
"""

from __future__ import annotations

import operator
import os
import re
from collections.abc import Mapping
from typing import Any

from tfprof import _native
from tfprof._errors import OptionError

# What the library reads as one unit inside a word of a list: an escape, a
# counted repeat such as {2,3}, or a comma, which ends the word.
_STEP = re.compile(r"\\.|\{[0-9]+,[0-9]*\}|,", re.S)


def word(value: Any) -> str:
    """One word of a list, with commas escaped."""
    word = os.fspath(value)
    if not isinstance(word, str):
        raise TypeError("a list must contain str, not "
                        + type(value).__name__)
    if re.search(r"(?<!\\)(\\\\)*\\$", word):
        raise TypeError(f"'{word}' ends in an incomplete escape (write two "
                        "backslashes)")
    return _STEP.sub(lambda m: r"\," if m[0] == "," else m[0], word)


def words(value: Any) -> str:
    """A list of words, or one."""
    return (word(value) if isinstance(value, (str, os.PathLike)) else
            ",".join(word(one) for one in value))


def _pair(name: str, value: Any) -> str:
    """NAME=VALUE. The value may be a shape as a sequence."""
    if not isinstance(value, (str, int)):
        value = "x".join("?" if size is None else str(operator.index(size))
                         for size in value)
    return word(f"{name}={value}")


def _list(value: Any) -> str:
    if isinstance(value, str):
        return value  # as on the command line
    if isinstance(value, os.PathLike):
        return word(value)
    if isinstance(value, Mapping):
        return ",".join(_pair(name, value[name]) for name in value)
    return ",".join(word(one) for one in value)


def _pairs(value: Any) -> str:
    if isinstance(value, str):
        return value  # as on the command line
    if not isinstance(value, Mapping):
        raise TypeError("must be a dict of str, or KEY=VALUE,... as a str")
    for name, one in value.items():
        if not isinstance(name, str):
            raise TypeError(f"the key {name!r} must be a str")
        if not isinstance(one, str):
            raise TypeError(f"the value of {name} must be a str, not "
                            + type(one).__name__)
    return ",".join(re.sub(r"[\\,]", r"\\\g<0>", f"{name}={one}")
                    for name, one in value.items())


def _set(value: Any) -> str:
    return value if isinstance(value, str) else ",".join(value)


def _bool(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value not in (False, True):
        raise TypeError("must be True or False")
    return "true" if value else "false"


def _integer(value: Any) -> str:
    if isinstance(value, bool):
        raise TypeError("must be a number")
    return value if isinstance(value, str) else str(operator.index(value))


def _plain(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"must be a str, not {type(value).__name__}")
    return value


def _paths(value: Any) -> str:
    raise TypeError("give inputs to tfprof.open()")


_TEXTS = {
    "bool": _bool,
    "int": _integer,
    "size": _integer,
    "choice": _plain,
    "paths": _paths,
    "list": _list,
    "set": _set,
    "output": _plain,
    "pairs": _pairs,
}


def texts(settings: Mapping[str, object],
          refused: Mapping[str, str] | None = None) -> dict[str, str]:
    """The options of keywords, as text; None leaves an option unchanged.
    `refused` maps options that are not allowed here to an explanation."""
    found = {}
    for name, value in settings.items():
        option, nearest = _native.find_option(name)
        if option is None:
            hint = ("" if nearest is None else
                    f" (did you mean {_native.option_name(nearest)}?)")
            raise OptionError(f"unknown option {name}{hint}")
        if refused and name in refused:
            raise OptionError(f"{name}: {refused[name]}")
        if value is None:
            continue
        try:
            found[name] = _TEXTS[_native.option_kind(option)](value)
        except TypeError as why:
            raise OptionError(f"{name}: {why}") from None
    return found


def with_file(kind: str, path: str | os.PathLike[str], **keys: str) -> str:
    """A value of the option `output` that writes to a file."""
    name = os.fsdecode(path).replace(",", r"\,")
    more = "".join(f",{key}={value}" for key, value in keys.items() if value)
    return f"{kind}:outfile={name}{more}"
