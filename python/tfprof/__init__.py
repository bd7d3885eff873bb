"""Profiles of TensorFlow models, read without TensorFlow."""

from tfprof._errors import (
    CorruptInput,
    Error,
    LimitExceeded,
    OptionError,
    OutputError,
)
from tfprof._native import version

__all__ = ["CorruptInput", "Error", "LimitExceeded", "OptionError",
           "OutputError", "__version__"]

__version__ = version()
