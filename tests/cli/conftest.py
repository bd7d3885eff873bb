"""What the pytest files share: lines that stand in the log of every run."""

import os

import surroundings
from saying import pytest_terminal_summary, say  # noqa: F401

surroundings.forget()

# Before TensorFlow is imported: of its faster kernels some write past the end
# of a buffer, such as BatchMatMulV2 of [6,1,5,5] and [1,1,5,3].
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
