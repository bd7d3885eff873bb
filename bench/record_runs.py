#!/usr/bin/env python3
"""record_runs.py OUT [--runs N] [--turns] [--width W]: runs of one program.

Each run is a process of its own, which writes a folder with the run metadata of
each step, as tfprof diff and check read it. The processes are forked after
TensorFlow was imported, since the import takes far longer than a run. The model
has ten equal layers. With --turns, runs of two versions are recorded in turns,
into OUT/base and OUT/head; in the second one layer_5 is W times as wide, so that
W = 2 makes a step about 10 % longer. docs/check.md reports what was measured.
"""

import argparse
import os
import pathlib

os.environ["TF_CPP_MIN_LOG_LEVEL"] = "3"
import numpy
import tensorflow as tf

LAYERS = 10
BATCH, WIDTH = 64, 384
WARM, STEPS = 5, 15


def layers(value, width):
    random = numpy.random.default_rng(1)
    for layer in range(LAYERS):
        inner = int(width * WIDTH) if layer == 5 else WIDTH
        with tf.compat.v1.name_scope(f"layer_{layer}"):
            for _ in range(4):
                up = random.standard_normal((WIDTH, inner), "float32")
                down = random.standard_normal((inner, WIDTH), "float32")
                value = tf.matmul(tf.matmul(value, tf.constant(up / WIDTH)),
                                  tf.constant(down / WIDTH))
    return tf.identity(value, name="output")


def record(folder, width):
    v1 = tf.compat.v1
    v1.disable_eager_execution()
    value = v1.placeholder(tf.float32, [BATCH, WIDTH], name="input")
    output = layers(value, width)
    fed = {value: numpy.ones((BATCH, WIDTH), "float32")}
    threads = v1.ConfigProto(intra_op_parallelism_threads=1,
                             inter_op_parallelism_threads=1)
    traced = v1.RunOptions(trace_level=v1.RunOptions.FULL_TRACE)
    folder.mkdir(parents=True)
    with v1.Session(config=threads) as session:
        for step in range(-WARM, STEPS):
            metadata = v1.RunMetadata()
            session.run(output, fed, options=traced, run_metadata=metadata)
            if step >= 0:
                (folder / f"run_meta_{step:02}").write_bytes(
                    metadata.SerializeToString())


def start(folder, width):
    child = os.fork()
    if child == 0:
        record(folder, width)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if status != 0:
        raise SystemExit(f"{folder}: the run failed")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=8)
    parser.add_argument("--turns", action="store_true")
    parser.add_argument("--width", type=float, default=2)
    asked = parser.parse_args()
    for run in range(asked.runs):
        if asked.turns:
            start(asked.out / "base" / f"run_{run:02}", 1)
            start(asked.out / "head" / f"run_{run:02}", asked.width)
        else:
            start(asked.out / f"run_{run:02}", 1)


if __name__ == "__main__":
    main()
