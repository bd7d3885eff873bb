"""A small residual network for pictures, with the names that such had."""

import tensorflow.compat.v1 as tf


def _convolved(x, name, channels, stride=1):
    with tf.variable_scope(name):
        kernel = tf.get_variable("DW", [3, 3, x.shape[-1], channels])
        return tf.nn.conv2d(x, kernel, [1, stride, stride, 1], "SAME")


def _unit(x, name, channels, stride):
    with tf.variable_scope(name):
        with tf.variable_scope("sub1"):
            y = tf.nn.relu(_convolved(x, "conv1", channels, stride))
        with tf.variable_scope("sub2"):
            y = _convolved(y, "conv2", channels)
        if stride > 1:
            x = tf.nn.avg_pool(x, [1, stride, stride, 1],
                               [1, stride, stride, 1], "VALID")
            x = tf.pad(x, [[0, 0], [0, 0], [0, 0],
                           [0, channels - x.shape[-1]]])
        return x + y


def build(pictures=2):
    """The operation that trains it for a step. Without a number of pictures
    their number is known only once it runs."""
    images = tf.placeholder_with_default(
        tf.ones([2, 16, 16, 3]), [pictures, 16, 16, 3], name="images")
    labels = tf.constant([[1.] + [0.] * 9] * 2, name="labels")
    with tf.variable_scope("init"):
        x = _convolved(images, "init_conv", 8)
    x = _unit(x, "unit_1_0", 8, 1)
    x = _unit(x, "unit_2_0", 16, 2)
    x = tf.reduce_mean(x, [1, 2])
    with tf.variable_scope("pool_logit"):
        weights = tf.get_variable("DW", [16, 10])
        biases = tf.get_variable("biases", [10])
        logits = tf.nn.xw_plus_b(x, weights, biases)
    with tf.variable_scope("costs"):
        cost = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(
            labels=labels, logits=logits))
    return tf.train.MomentumOptimizer(0.1, 0.9).minimize(cost)
