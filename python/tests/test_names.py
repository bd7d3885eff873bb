"""Each name of tf.compat.v1.profiler and of tf.contrib.tfprof, by the module
that has it and by the package itself."""

from __future__ import annotations

import importlib
import subprocess
import sys
import types

import pytest

import tfprof

V1 = ("ALL_ADVICE", "AdviceProto", "GraphNodeProto", "MultiGraphNodeProto",
      "OpLogProto", "ProfileOptionBuilder", "Profiler", "advise", "profile",
      "write_op_log")
CONTRIB = ("FLOAT_OPS_OPTIONS", "OpLog", "PRINT_ALL_TIMING_MEMORY",
           "PRINT_PARAMS_ON_DEVICE", "ProfileContext", "TFProfNode",
           "TRAINABLE_VARS_PARAMS_STAT_OPTIONS", "model_analyzer",
           "print_model_analysis", "tfprof_log_pb2", "tfprof_logger",
           "tfprof_output_pb2")
PATHS = [("compat.context", "ProfileContext"),
         *(("compat.v1", name) for name in V1),
         *(("contrib", name) for name in CONTRIB)]
each_path = pytest.mark.parametrize("module, name", PATHS)


@each_path
def test_name_is_the_same_by_both_paths(module: str, name: str) -> None:
    long = getattr(importlib.import_module(f"tfprof.{module}"), name)
    assert long is getattr(tfprof, name)
    assert name in dir(tfprof)


@each_path
def test_either_path_is_imported_alone_without_a_warning(module: str,
                                                         name: str) -> None:
    for path in ("tfprof", f"tfprof.{module}"):
        subprocess.run([sys.executable, "-W", "error", "-c",
                        f"from {path} import {name}"], check=True, timeout=120)


def test_modules_are_found_without_an_import_of_their_own() -> None:
    code = ("import tfprof; tfprof.compat.v1.profile; "
            "tfprof.contrib.model_analyzer.print_model_analysis; "
            "tfprof.contrib.tfprof_logger.write_op_log; "
            "tfprof.compat.context.ProfileContext")
    subprocess.run([sys.executable, "-W", "error", "-c", code], check=True,
                   timeout=120)


def test_modules_list_what_they_have() -> None:
    assert set(V1) == set(tfprof.compat.v1.__all__)
    older = set(tfprof.contrib.__all__)
    assert set(CONTRIB) <= older
    # These stand in model_analyzer, and are not those of the package.
    assert older - set(CONTRIB) == {"ALL_ADVICE", "Profiler", "advise"}
    modules: list[types.ModuleType] = [tfprof.compat, tfprof.compat.v1,
                                       tfprof.contrib]
    for module in modules:
        with pytest.raises(AttributeError, match="NoSuchName"):
            module.NoSuchName  # noqa: B018


def test_import_leaves_the_profilers_out() -> None:
    code = ("import sys, tfprof; print(*(name for name in sys.modules "
            "if name.startswith(('tfprof.compat', 'tfprof.contrib', "
            "'tfprof._protos'))))")
    done = subprocess.run([sys.executable, "-c", code], check=True,
                          capture_output=True, text=True, timeout=120)
    assert done.stdout.strip() == ""
