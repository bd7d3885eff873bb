"""tfprof.contrib under the name model_analyzer, as in tf.contrib.tfprof."""

from __future__ import annotations

from tfprof.contrib import (
    ALL_ADVICE,
    FLOAT_OPS_OPTIONS,
    PRINT_ALL_TIMING_MEMORY,
    PRINT_PARAMS_ON_DEVICE,
    TRAINABLE_VARS_PARAMS_STAT_OPTIONS,
    Profiler,
    advise,
    print_model_analysis,
)

__all__ = ["ALL_ADVICE", "FLOAT_OPS_OPTIONS", "PRINT_ALL_TIMING_MEMORY",
           "PRINT_PARAMS_ON_DEVICE", "TRAINABLE_VARS_PARAMS_STAT_OPTIONS",
           "Profiler", "advise", "print_model_analysis"]
