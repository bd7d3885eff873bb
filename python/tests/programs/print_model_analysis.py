"""The calls of the first profiler: parameters, float operations, time and
memory, and types of one's own for operations."""

import os
import sys

import resnet_model
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
train_op = resnet_model.build()

param_stats = tf.contrib.tfprof.model_analyzer.print_model_analysis(
    tf.get_default_graph(),
    tfprof_options=tf.contrib.tfprof.model_analyzer.
        TRAINABLE_VARS_PARAMS_STAT_OPTIONS)
sys.stdout.write("total_params: %d\n" % param_stats.total_parameters)  # noqa: UP031

tf.contrib.tfprof.model_analyzer.print_model_analysis(
    tf.get_default_graph(),
    tfprof_options=tf.contrib.tfprof.model_analyzer.FLOAT_OPS_OPTIONS)

run_metadata = tf.RunMetadata()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    _ = sess.run(train_op,
                 options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
                 run_metadata=run_metadata)

tf.contrib.tfprof.model_analyzer.print_model_analysis(
    tf.get_default_graph(),
    run_meta=run_metadata,
    tfprof_options=tf.contrib.tfprof.model_analyzer.PRINT_ALL_TIMING_MEMORY)

tfprof_log_pb2 = tf.contrib.tfprof.tfprof_log_pb2
op_log = tfprof_log_pb2.OpLog()
entry = op_log.log_entries.add()
entry.name = "pool_logit/DW"
entry.types.append("pool_logit")
entry = op_log.log_entries.add()
entry.name = "pool_logit/biases"
entry.types.append("pool_logit")

opts = tf.contrib.tfprof.model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS \
    .copy()
opts["account_type_regexes"] = ["pool_logit"]
opts["max_depth"] = 4
node = tf.contrib.tfprof.model_analyzer.print_model_analysis(
    sess.graph, op_log=op_log, tfprof_options=opts)
sys.stdout.write("pool_logit: %d\n" % node.total_parameters)  # noqa: UP031

tf.contrib.tfprof.tfprof_logger.write_op_log(
    sess.graph, os.getcwd(), op_log)
tf.contrib.tfprof.tfprof_logger.write_op_log(
    sess.graph, os.getcwd(), op_log, run_metadata)
