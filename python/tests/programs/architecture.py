"""Parameters and float operations of a model."""

import sys

import resnet_model
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
resnet_model.build()

param_stats = tf.profiler.profile(
    tf.get_default_graph(),
    options=tf.profiler.ProfileOptionBuilder
        .trainable_variables_parameter())
sys.stdout.write("total_params: %d\n" % param_stats.total_parameters)  # noqa: UP031

tf.profiler.profile(
    tf.get_default_graph(),
    options=tf.profiler.ProfileOptionBuilder.float_operation())
