"""TensorFlow as the judge of checkpoints, in a process of its own.

Run as a program, `checkpoint_judge.py FOLDER`: writes checkpoints of every sort
into FOLDER, and for each what TensorFlow reads in it into NAME.truth: one line
of JSON a tensor, [name, dtype, shape, elements], the elements flat. Reals are
written as hexadecimal floats, bytes of strings as Latin-1. Where TensorFlow
refuses to read what it wrote itself (slices and halves in version 1), what was
written is the truth.
"""

import json
import os
import subprocess
import sys

import recorded

MANY = 1000


def make(folder):
    """Runs this file; what TensorFlow reads in each checkpoint, as a hash."""
    done = subprocess.run(
        [sys.executable, __file__, folder], capture_output=True, text=True,
        check=False, env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3"})
    assert done.returncode == 0, done.stdout + done.stderr
    return {str(path.relative_to(folder)): recorded.digest(
                json.dumps(read_truth(path), sort_keys=True).encode())
            for path in folder.rglob("*.truth")}


def read_files(prefixes, folder):
    """[{name: (dtype, shape, elements)}] of checkpoints."""
    script = ("import sys\n"
              "import tensorflow as tf\n"
              "import checkpoint_judge as judge\n"
              "folder, *paths = sys.argv[1:]\n"
              "for i, path in enumerate(paths):\n"
              "    judge.read_what_can_be(tf, path, f'{folder}/{i}')\n")
    subprocess.run(
        [sys.executable, "-c", script, folder, *prefixes], check=True,
        capture_output=True, env={
            **os.environ, "TF_CPP_MIN_LOG_LEVEL": "3",
            "PYTHONPATH": os.path.dirname(__file__)})
    return [read_truth(folder / str(i)) for i in range(len(prefixes))]


def read_truth(path):
    """{name: (dtype, shape, elements)}"""
    with open(path, encoding="utf-8") as lines:
        return {name: (dtype, shape, elements) for name, dtype, shape, elements
                in map(json.loads, lines)}


# ---- The process ------------------------------------------------------------

def _element(value):
    import numpy as np

    if isinstance(value, bytes):
        return value.decode("latin-1")
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (complex, np.complexfloating)):
        return [float(value.real).hex(), float(value.imag).hex()]
    try:
        return float(value).hex()
    except TypeError:
        return int(value)


def _is_whole(name):
    return name.removeprefix("q").removeprefix("u").startswith("int")


def _write_truth(path, tensors):
    import numpy as np

    with open(path, "w", encoding="utf-8") as file:
        for name, (dtype, array) in tensors.items():
            array = np.asarray(array)
            flat = array.reshape(-1)
            if _is_whole(dtype):
                flat = flat.astype(np.uint64 if dtype == "uint64"
                                   else np.int64)
            print(json.dumps([name, dtype, list(array.shape),
                              [_element(value) for value in flat]]), file=file)


def _read(tf, prefix, path):
    reader = tf.train.load_checkpoint(prefix)
    types = reader.get_variable_to_dtype_map()
    _write_truth(path, {
        name: (types[name].name, reader.get_tensor(name))
        for name in reader.get_variable_to_shape_map()})


def read_what_can_be(tf, prefix, path):
    """Without the tensors whose shards are missing."""
    reader = tf.train.load_checkpoint(prefix)
    types = reader.get_variable_to_dtype_map()
    found = {}
    for name in reader.get_variable_to_shape_map():
        try:
            found[name] = types[name].name, reader.get_tensor(name)
        except Exception:  # whatever it raises, there is no value
            pass
    _write_truth(path, found)


def _dtype(tf, name):
    from tensorflow.python.framework import dtypes

    return getattr(dtypes, name, None)


def _arrays(np, tf):
    """name -> tensor of every type that can be made."""
    random = np.random.default_rng(5)
    odd = [0.0, -0.0, 1.0, -1.5, float("inf"), -float("inf"), float("nan"),
           1e-40, 65504.0, 3.1415926535, 1e-7, 448.0, 57344.0, 0.1]
    out = {}
    for name in ("float32", "float64", "float16", "bfloat16", "float8_e5m2",
                 "float8_e4m3fn", "float8_e4m3fnuz", "float8_e4m3b11fnuz",
                 "float8_e5m2fnuz", "float4_e2m1fn"):
        dtype = _dtype(tf, name)
        if dtype is None:
            continue
        out[name] = np.array(odd).astype(dtype.as_numpy_dtype)
        out[name + "/random"] = (random.standard_normal((7, 5, 3)) * 50).astype(
            dtype.as_numpy_dtype)
        if out[name].dtype.itemsize == 1:  # every value there is
            every = np.arange(16 if "float4" in name else 256, dtype=np.uint8)
            out[name + "/every"] = every.view(dtype.as_numpy_dtype)
    for bits in (8, 16, 32, 64):
        for sign in ("", "u"):
            dtype = np.dtype(f"{sign}int{bits}")
            limits = np.iinfo(dtype)
            out[dtype.name] = np.array([0, 1, limits.min, limits.max, 100],
                                       dtype)
    out["bool"] = np.array([[True, False], [False, True]])
    out["complex64"] = np.array([1 + 2j, -0.5j, 1e-30], np.complex64)
    out["complex128"] = np.array([1 / 3 + 2j, -1e300j], np.complex128)
    out["string"] = np.array([[b"hello", b""], [b"\x00\xff'\"", "ä".encode()]],
                             object)
    out["long_string"] = np.array([b"x" * 100000, b"y"], object)
    out["scalar"] = np.float32(42.125)
    out["empty"] = np.zeros((0,), np.float32)
    out["empty_rows"] = np.zeros((3, 0, 2), np.float32)
    out["deep"] = np.arange(3, dtype=np.int32).reshape((1,) * 20 + (3,))
    row = random.standard_normal(701).astype(np.float32)
    # Each row is another, and all together compress well.
    out["large"] = np.stack([np.roll(row, i) for i in range(300)])
    return out


def _save(tf, prefix, arrays, slices=None):
    names = list(arrays)
    tf.raw_ops.SaveV2(prefix=prefix, tensor_names=names,
                      shape_and_slices=[(slices or {}).get(n, "")
                                        for n in names],
                      tensors=list(arrays.values()))


def _slices(np, rows, columns):
    """The parts of a tensor cut along both dimensions: [(spec, array)]."""
    whole = np.arange(12 * 10, dtype=np.float32).reshape(12, 10) / 7
    parts = []
    for r in range(0, 12, rows):
        for c in range(0, 10, columns):
            parts.append((f"12 10 {r},{rows}:{c},{columns}",
                          whole[r:r + rows, c:c + columns]))
    return whole, parts


def _save_parts(tf, prefix, name, parts):
    tf.raw_ops.SaveV2(prefix=prefix, tensor_names=[name] * len(parts),
                      shape_and_slices=[spec for spec, _ in parts],
                      tensors=[array for _, array in parts])


def _version_2(tf, np, folder):
    arrays = _arrays(np, tf)
    _save(tf, f"{folder}/types", arrays)
    for name in ("qint8", "quint8", "qint16", "quint16", "qint32", "int4",
                 "uint4", "int2", "uint2"):
        dtype = _dtype(tf, name)
        try:
            values = tf.cast(tf.constant([0, 1, -2, 1]
                                         if not name.startswith(("qu", "u"))
                                         else [0, 1, 2, 3]), dtype)
            _save(tf, f"{folder}/type_{name}", {"t": values})
        except Exception as why:  # the wheel knows the name and no kernel
            print(f"{name}: {type(why).__name__}")
    _save(tf, f"{folder}/many", {
        f"scope_{i % 10}/layer_{i}/weights": np.full(
            (i % 7, 3), i, np.float32 if i % 2 else np.int64)
        for i in range(MANY)})
    for name, rows, columns in (("rows", 3, 10), ("columns", 12, 2),
                                ("grid", 4, 5), ("single", 12, 10)):
        _, parts = _slices(np, rows, columns)
        _save_parts(tf, f"{folder}/slices_{name}", "part", parts)
    # Shards: each written for itself, then merged, as a distributed saver does.
    pieces = []
    for i in range(3):
        piece = f"{folder}/part_{i}_temp"
        _save(tf, piece, {f"shard_{i}/a": np.arange(i + 4, dtype=np.float32),
                          f"shard_{i}/b": np.array([b"text"] * i, object)})
        pieces.append(piece)
    whole, parts = _slices(np, 6, 10)
    for i, (spec, array) in enumerate(parts):
        piece = f"{folder}/sliced_{i}_temp"
        tf.raw_ops.SaveV2(prefix=piece, tensor_names=["over_shards"],
                          shape_and_slices=[spec], tensors=[array])
        pieces.append(piece)
    tf.raw_ops.MergeV2Checkpoints(checkpoint_prefixes=pieces,
                                  destination_prefix=f"{folder}/merged")


def _savers(tf, np, folder):
    """What users do: Saver of both versions, and tf.train.Checkpoint."""
    v1 = tf.compat.v1
    with tf.Graph().as_default():
        partitioner = v1.fixed_size_partitioner(3)
        with v1.variable_scope("model", partitioner=partitioner):
            v1.get_variable("embedding", [10, 4],
                            initializer=v1.random_normal_initializer(seed=1),
                            use_resource=False)
        v1.get_variable("bias", [5], use_resource=False,
                        initializer=v1.random_normal_initializer(seed=2))
        v1.get_variable("step", [], tf.int64, use_resource=False,
                        initializer=v1.constant_initializer(7))
        with v1.Session() as session:
            session.run(v1.global_variables_initializer())
            written = {
                "model/embedding": ("float32", np.concatenate([
                    session.run(f"model/embedding/part_{i}:0")
                    for i in range(3)])),
                "bias": ("float32", session.run("bias:0")),
                "step": ("int64", session.run("step:0"))}
            v1.train.Saver().save(session, f"{folder}/saver_v2/model.ckpt",
                                  global_step=9)
            v1.train.Saver(write_version=1).save(
                session, f"{folder}/saver_v1/model.ckpt")
            v1.train.Saver(write_version=1, sharded=True).save(
                session, f"{folder}/saver_v1_sharded/model.ckpt")
    for name in ("saver_v1/model.ckpt", "saver_v1_sharded/model.ckpt"):
        _write_truth(f"{folder}/{name}.truth", written)
    model = tf.train.Checkpoint(weights=tf.Variable([[1.5, 2.5]]),
                                steps=tf.Variable(3, dtype=tf.int64))
    model.save(f"{folder}/objects/ckpt")


def _version_1(tf, np, folder):
    arrays = {name: array for name, array in _arrays(np, tf).items()
              if not name.startswith(("bfloat16", "float8", "float4"))}
    kept = {}
    for name, array in arrays.items():  # one at a time: some are refused
        try:
            tf.raw_ops.Save(filename=f"{folder}/probe", tensor_names=[name],
                            data=[array])
            kept[name] = array
        except Exception as why:
            print(f"V1 {name}: {type(why).__name__}")
    tf.raw_ops.Save(filename=f"{folder}/types.v1", tensor_names=list(kept),
                    data=list(kept.values()))
    _write_truth(f"{folder}/types.v1.truth", {
        name: (tf.convert_to_tensor(array).dtype.name, array)
        for name, array in kept.items()})
    many = {f"layer_{i}/weights": np.full((i % 5 + 1, 2), i, np.float32)
            for i in range(MANY)}
    tf.raw_ops.Save(filename=f"{folder}/many.v1", tensor_names=list(many),
                    data=list(many.values()))
    for name, rows, columns in (("rows", 4, 10), ("columns", 12, 5),
                                ("grid", 4, 5)):
        whole, parts = _slices(np, rows, columns)
        tf.raw_ops.SaveSlices(
            filename=f"{folder}/slices_{name}.v1",
            tensor_names=["part"] * len(parts),
            shapes_and_slices=[spec for spec, _ in parts],
            data=[array for _, array in parts])
        _write_truth(f"{folder}/slices_{name}.v1.truth",
                     {"part": ("float32", whole)})
    whole, parts = _slices(np, 4, 10)
    for i, (spec, array) in enumerate(parts):
        tf.raw_ops.SaveSlices(
            filename=f"{folder}/set.v1-{i:05}-of-{len(parts):05}",
            tensor_names=["part", f"own_{i}"], shapes_and_slices=[spec, ""],
            data=[array, np.float32([i, i + 1])])
    _write_truth(f"{folder}/set.v1.truth", {
        "part": ("float32", whole),
        **{f"own_{i}": ("float32", np.float32([i, i + 1]))
           for i in range(len(parts))}})


def main(folder):
    import numpy as np
    import tensorflow as tf

    for name in ("saver_v1", "saver_v1_sharded", "saver_v2", "objects"):
        os.makedirs(f"{folder}/{name}", exist_ok=True)
    _version_2(tf, np, folder)
    _savers(tf, np, folder)
    _version_1(tf, np, folder)
    for below, _, files in os.walk(folder):
        for name in sorted(files):
            prefix = os.path.join(below, name.removesuffix(".index"))
            if name.endswith(".index") or name == "many.v1":
                _read(tf, prefix, f"{prefix}.truth")


if __name__ == "__main__":
    main(sys.argv[1])
