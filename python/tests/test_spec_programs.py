"""The programs of the specification run as its documents have them.

They are read from the documents themselves; spec_blocks.py has what is changed
in them and why.
"""

from __future__ import annotations

import inspect
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import spec_blocks
from files import needs_tensorflow

import tfprof

needs_documents = pytest.mark.skipif(
    not list(spec_blocks.SPEC.glob("00*.txt")),
    reason="needs the documents; TFPROF_SHARED does not name their folder")
pytestmark = [pytest.mark.live, needs_documents, needs_tensorflow]

# Of each block a line that it prints, or a file that it writes.
TOTAL = "total_params: 4994\n"
FLOPS = "\n_TFProfRoot (--/6.90m flops)\n"
KNOWN = "\n_TFProfRoot (--/10.68k flops)\n"  # without the number of pictures
SHOWN = {
    "000.1": TOTAL, "000.2": FLOPS,
    "001.1": TOTAL, "001.2": KNOWN,
    "001.3": "", "001.4": "node name | requested bytes | total execution time",
    "001.5": "", "001.6": "tfprof_log", "001.7": "run_meta",
    "001.8": "tfprof_log",
    "002.1": "  unit_1_0/sub1/conv1/Conv2D (",
    "002.2": "\n19,963,810 --- 2,585,560\n",
    "003.1": "  resnet_model.py:44:build (",
    "004.1": TOTAL, "004.2": KNOWN,
    "004.3": "", "004.4": "  resnet_model.py:44:build (", "004.5": "",
    "004.6": "tfprof_log", "004.7": "run_meta",
    "004.8": "tfprof_log",
}
FILES = ("tfprof_log", "run_meta")


@pytest.fixture(scope="module")
def noted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("spec")
    output = folder / "noted"
    done = subprocess.run(
        [sys.executable, spec_blocks.__file__, folder, output],
        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3",
             "TF_ENABLE_ONEDNN_OPTS": "0", "CUDA_VISIBLE_DEVICES": "",
             "TF_USE_LEGACY_KERAS": "1"})
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = pickle.loads(output.read_bytes())
    return found


def test_every_program_of_the_documents_is_run(
        say: Callable[[str], None]) -> None:
    found = spec_blocks.blocks()
    assert sorted(found) == sorted(SHOWN)
    assert set(spec_blocks.CHANGES) <= set(found)
    say(f"{len(found)} blocks, {len(found) - len(spec_blocks.CHANGES)} of them "
        "without a change")


@pytest.mark.parametrize("name", SHOWN)
def test_a_program_of_the_documents_runs(name: str,
                                         noted: dict[str, Any]) -> None:
    block = noted[name]
    assert block["error"] is None, block["error"]
    if SHOWN[name] in FILES:
        assert SHOWN[name] in block["written"]
    else:
        assert SHOWN[name] in block["printed"]


def test_results_are_messages(noted: dict[str, Any]) -> None:
    assert noted["001.1"]["param_stats"][:2] == ("GraphNodeProto", 4994)
    assert noted["004.1"]["param_stats"][:2] == ("MultiGraphNodeProto", 4994)
    assert noted["003.1"]["tfprof_node"][3] > 0  # microseconds
    assert noted["002.2"]["flops"][2] == 19963810
    assert noted["002.2"]["params"][1] == 2585560


@pytest.mark.parametrize("document", ["001", "004"])
def test_a_log_has_types_of_the_user_and_trainable_variables(
        document: str, noted: dict[str, Any]) -> None:
    log = tfprof.OpLogProto.FromString(
        noted[f"{document}.6"]["written"]["tfprof_log"])
    types = {entry.name: list(entry.types) for entry in log.log_entries}
    assert types["pool_logit/DW"] == ["pool_logit", "_trainable_variables"]
    trained = [name for name, of in types.items()
               if "_trainable_variables" in of]
    assert len(trained) == 7
    # Shapes of these are known since the step was run.
    counted = {entry.name for entry in log.log_entries if entry.float_ops}
    assert "unit_1_0/sub1/conv1/Conv2D" in counted
    assert "/Conv2D (" not in noted[f"{document}.2"]["printed"]


def test_run_metadata_that_a_program_wrote_is_read(
        noted: dict[str, Any], tmp_path: Path) -> None:
    path = tmp_path / "run_meta"
    path.write_bytes(noted["001.7"]["written"]["run_meta"])
    view = tfprof.open(run_meta=path).scope(select="micros", max_depth=100)
    assert any(row.name.endswith("/Conv2D") for row in view)


METHODS = ("__init__", "account_displayed_op_only", "build", "float_operation",
           "order_by", "select", "time_and_memory",
           "trainable_variables_parameter", "with_accounted_types",
           "with_empty_output", "with_file_output", "with_max_depth",
           "with_min_execution_time", "with_min_float_operations",
           "with_min_memory", "with_min_occurrence", "with_min_parameters",
           "with_node_names", "with_pprof_output", "with_stdout_output",
           "with_step", "with_timeline_output")


def _declared() -> dict[str, str]:
    """The arguments of each method that the document declares."""
    found = {}
    for text in spec_blocks.signatures():
        match = re.fullmatch(r"(?:@staticmethod )?(\w+)\((.*)\)", text)
        assert match, text
        found[match[1]] = match[2].strip()
    return found


def test_every_method_of_the_document_is_looked_at() -> None:
    assert sorted(_declared()) == sorted(METHODS)


@pytest.mark.parametrize("name", METHODS)
def test_a_method_has_the_arguments_of_the_document(name: str) -> None:
    method = getattr(tfprof.ProfileOptionBuilder, name)
    parameters = list(inspect.signature(method).parameters.values())
    if parameters and parameters[0].name == "self":
        parameters = parameters[1:]
    found = [one.name if one.default is inspect.Parameter.empty
             else f"{one.name}={one.default!r}" for one in parameters]
    assert ", ".join(found) == _declared()[name]
