"""Float operations and parameters of a network that Keras brings along.

Needs TF_USE_LEGACY_KERAS=1: sessions are set in Keras 2.
"""

import tensorflow.compat.v1 as tf

K = tf.keras.backend
MobileNet = tf.keras.applications.mobilenet.MobileNet

tf.disable_v2_behavior()
run_meta = tf.RunMetadata()

with tf.Session(graph=tf.Graph()) as sess:
    K.set_session(sess)
    net = MobileNet(alpha=.75, weights=None,
                    input_tensor=tf.placeholder("float32",
                                                shape=(1, 32, 32, 3)))
    opts = tf.profiler.ProfileOptionBuilder.float_operation()
    flops = tf.profiler.profile(sess.graph, run_meta=run_meta, cmd="op",
                                options=opts)
    opts = tf.profiler.ProfileOptionBuilder.trainable_variables_parameter()
    params = tf.profiler.profile(sess.graph, run_meta=run_meta, cmd="op",
                                 options=opts)
    print(f"{flops.total_float_ops:,} --- {params.total_parameters:,}")
