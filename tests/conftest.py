"""What the pytest files share: lines that stand in the log of every run, and
the sample models."""

import os
import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent / "lib"))

import surroundings
from program import SOURCE_DIR
from recorded import pytest_configure, recorded_is_not_imported  # noqa: F401
from saying import pytest_terminal_summary, say  # noqa: F401

surroundings.forget()

# Before TensorFlow is imported: of its faster kernels some write past the end
# of a buffer, such as BatchMatMulV2 of [6,1,5,5] and [1,1,5,3].
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")


@pytest.fixture(scope="session", name="samples")
def unpack_samples(tmp_path_factory):
    folder = tmp_path_factory.mktemp("samples")
    subprocess.run([sys.executable, SOURCE_DIR / "examples" / "models", folder],
                   check=True, stdout=subprocess.DEVNULL)
    return folder
