"""The messages of tfprof: those of tfprof_output.proto, tfprof_log.proto and
tfprof_options.proto, with all that they hold.

python/tests/test_protos.py holds them against the descriptors of the installed
TensorFlow.
"""

from tfprof._schema import *  # noqa: F403
