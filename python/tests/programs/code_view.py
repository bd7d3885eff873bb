"""Parameters, time and memory by the lines of a program."""

import sys

import resnet_model
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
train_op = resnet_model.build(pictures=None)

opts = tf.contrib.tfprof.model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS \
    .copy()
opts["show_name_regexes"] = [".*resnet_model.py.*", ".*code_view.py.*"]
param_stats = tf.contrib.tfprof.model_analyzer.print_model_analysis(
    tf.get_default_graph(),
    tfprof_cmd="code",
    tfprof_options=opts)
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

opts = tf.contrib.tfprof.model_analyzer.PRINT_ALL_TIMING_MEMORY.copy()
opts["show_name_regexes"] = [".*resnet_model.py.*"]
tf.contrib.tfprof.model_analyzer.print_model_analysis(
    tf.get_default_graph(),
    run_meta=run_metadata,
    tfprof_cmd="code",
    tfprof_options=opts)

tf.contrib.tfprof.model_analyzer.print_model_analysis(
    tf.get_default_graph(),
    run_meta=run_metadata,
    tfprof_options=tf.contrib.tfprof.model_analyzer.PRINT_ALL_TIMING_MEMORY)

model_analyzer = tf.contrib.tfprof.model_analyzer
opts = model_analyzer.TRAINABLE_VARS_PARAMS_STAT_OPTIONS.copy()
opts["account_type_regexes"] = [".*"]
opts["show_name_regexes"] = [".*resnet_model.py.*"]
opts["account_displayed_op_only"] = False
opts["select"] = ["micros"]
tfprof_node = model_analyzer.print_model_analysis(
    sess.graph, run_metadata, cmd="code", options=opts)
sys.stdout.write("exec_micros: %d\n" % tfprof_node.total_exec_micros)  # noqa: UP031

for cmd in "graph", "scope":
    opts = model_analyzer.PRINT_ALL_TIMING_MEMORY.copy()
    opts["output"] = f"timeline:outfile={cmd}.json"
    opts["step"] = 0
    model_analyzer.print_model_analysis(
        sess.graph, run_metadata, tfprof_cmd=cmd, tfprof_options=opts)
