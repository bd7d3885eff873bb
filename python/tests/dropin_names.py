"""What a program of python/tests/dropin finds; dropin_run.py puts it here."""

from typing import Any

profiler: Any  # tf.compat.v1.profiler, or tfprof
tf: Any        # TensorFlow
graph: Any     # graph("cnn"): a model of dropin_models.py, the same each time
run_meta: Any  # run_meta("cnn_0"): a recorded RunMetadata
path: Any      # path("name"): a file that may be written
show: Any      # show("label", x): notes what was printed since the last time,
#                the message or bytes x, and the files that were written
