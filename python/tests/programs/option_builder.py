"""Options ready-made, of one's own, and ready-made ones changed."""

import resnet_model
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
train_op = resnet_model.build()
run_meta = tf.RunMetadata()
with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    sess.run(train_op,
             options=tf.RunOptions(trace_level=tf.RunOptions.FULL_TRACE),
             run_metadata=run_meta)

every = [tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()]
every.append(tf.profiler.ProfileOptionBuilder().with_max_depth(10)
             .with_min_micros(1000).select(["accelerator_micros"])
             .with_stdout_output().build())
every.append(tf.profiler.ProfileOptionBuilder(
    tf.profiler.ProfileOptionBuilder.time_and_memory())
    .with_displaying_options(show_name_regexes=[".*unit_1.*"]).build())

for opts in every:
    _ = tf.profiler.profile(tf.get_default_graph(), run_meta=run_meta,
                            cmd="scope", options=opts)
