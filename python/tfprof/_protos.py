"""The messages of tfprof: those of tfprof_output.proto, tfprof_log.proto and
tfprof_options.proto, and the messages that they contain.

python/tests/test_protos.py compares them with the descriptors of the installed
TensorFlow.
"""

from tfprof._schema import *  # noqa: F403
