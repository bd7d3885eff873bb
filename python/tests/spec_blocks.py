"""The programs of the specification, read from its documents, and run.

    spec_blocks.py FOLDER OUTPUT

The documents lie in TFPROF_SHARED/spec. Each of the five is run in a namespace
of its own that has a small ResNet and `tf`, block by block in the order of the
text; what a block prints, leaves in its names and writes is noted in OUTPUT.
CHANGES has all that is changed in a text before it runs.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import pickle
import re
import sys
import traceback
import types
from pathlib import Path
from typing import Any

SPEC = Path(os.environ.get("TFPROF_SHARED") or "/nonexistent", "spec")

# What a text says, what is run, and why. Each must be there. For
# tf.contrib.tfprof nothing is changed: it is there as in TensorFlow 1.
_PACKAGE = ("tf.profiler", "tfprof", "the package")
_VALUES = ("as sess:\n", "as sess:\n  sess.run(init)\n",
           "variables have values first")
_PATH = ("/tmp/my_op_log_dir", "log_dir", "a path without quotes")
_RUN = [("run(...,", "run(train_op,", "what is run is left out"),
        ('"w"', '"wb"', "Python 3 writes bytes so")]
CHANGES: dict[str, list[tuple[str, str, str]]] = {
    "000.1": [_PACKAGE],
    "000.2": [_PACKAGE],
    "001.3": [_VALUES],
    "001.6": [_PATH],
    "001.7": _RUN,
    "002.1": [_PACKAGE, (".*rnn.*", ".*unit_1.*", "a name of this model")],
    "002.2": [_PACKAGE,
              ("import tensorflow as tf", "", "sessions are in compat.v1"),
              ("import keras.backend as K", "K = tf.keras.backend",
               "the Keras that has sessions"),
              ("from keras.applications.mobilenet import MobileNet",
               "MobileNet = tf.keras.applications.mobilenet.MobileNet",
               "the same Keras"),
              ("alpha=.75,", "alpha=.75, weights=None,",
               "weights would be downloaded")],
    "003.1": [("model_analyzer_testlib.py", "resnet_model.py", "the file")],
    "004.1": [("tfprof_cmd='code'", "tfprof_cmd='code',", "a missing comma"),
              ("STAT_OPTIONS\nopts", "STAT_OPTIONS.copy()\nopts",
               "other blocks use the same options"),
              ("my_code1.py", "resnet_model.py", "the file")],
    "004.3": [_VALUES],
    "004.4": [("my_code.py", "resnet_model.py", "the file")],
    "004.6": [_PATH],
    "004.7": _RUN,
}


def _fenced(text: str) -> list[str]:
    """What stands between the fences of a page, but for dialogues of a
    shell."""
    found: list[str] = []
    inside: list[str] | None = None
    for line in text.splitlines():
        if line.startswith("```"):
            if inside is None:
                is_shell, inside = "shell" in line, []
            else:
                if not is_shell:
                    found.append("\n".join(inside) + "\n")
                inside = None
        elif inside is not None:
            inside.append(line)
    return found


def _plain(text: str) -> str:
    """What a converter to HTML has left of a program."""
    text = re.sub(r"</?(?:p|h1|code)>", "\n", text)
    text = re.sub(r"</?em>", "*", text)
    return text.replace("&gt;", ">").replace("&lt;", "<")


def _statements(block: str) -> str:
    """A block without the dialogue at the prompt and its answers."""
    found, skipping = [], False
    for line in block.splitlines():
        if line.startswith("tfprof>"):
            skipping = True
        elif skipping and (not line.strip() or line.startswith("#")):
            skipping = False
        if not skipping:
            found.append(line)
    return "\n".join(found).strip() + "\n"


def _is_program(text: str) -> bool:
    """It calls or builds something; the rest are signatures."""
    return bool(re.search(r"^\s*(?:\w[\w.]* = |_ = |tf\.\w|\w.*= \()", text,
                          re.MULTILINE))


def blocks() -> dict[str, str]:
    """{"001.3": the text of the third program of the document 001}."""
    found = {}
    for path in sorted(SPEC.glob("00*.txt")):
        text = path.read_text(encoding="utf-8")
        if path.name.startswith("003"):
            text = _plain(text)
            start = text.index("It can also be done in Python API")
            texts = [text[start:].split("\n", 1)[1].split("```")[0]]
        else:
            texts = _fenced(text)
        texts = [_statements(one) for one in texts]
        texts = [one for one in texts if _is_program(one)]
        for number, one in enumerate(texts, 1):
            found[f"{path.name[:3]}.{number}"] = one
    return found


def signatures() -> list[str]:
    """Methods of the option builder as the document declares them."""
    text = next(SPEC.glob("002*.txt")).read_text(encoding="utf-8")
    return [re.sub(r"\s+", " ", one).strip() for one in _fenced(text)
            if not _is_program(_statements(one))]


def changed(name: str, text: str) -> str:
    for there, here, _ in CHANGES.get(name, []):
        assert there in text, (name, there)
        text = text.replace(there, here)
    return text


# ---- Running -----------------------------------------------------------------

def _namespace(folder: str, document: str) -> dict[str, Any]:
    import tensorflow.compat.v1 as tf
    from tensorflow.core.protobuf import config_pb2

    import tfprof

    tf.reset_default_graph()
    # In two documents the number of pictures is known only when it runs.
    train_op = importlib.import_module("resnet_model").build(
        None if document in ("001", "004") else 2)
    run_meta = tf.RunMetadata()
    sess = tf.Session()
    init = tf.global_variables_initializer()
    sess.run(init)
    sess.run(train_op, run_metadata=run_meta, options=tf.RunOptions(
        trace_level=tf.RunOptions.FULL_TRACE))
    tf.contrib = types.SimpleNamespace(tfprof=tfprof.contrib)
    return {
        "tf": tf, "tfprof": tfprof, "sys": sys, "os": os, "sess": sess,
        "graph": sess.graph, "init": init, "train_op": train_op,
        "run_meta": run_meta, "config_pb2": config_pb2, "gfile": tf.gfile,
        "log_dir": folder, "output_dir": folder, "op_log": None,
        "model_analyzer": tfprof.contrib.model_analyzer,
        "tfprof_log_pb2": tfprof.contrib.tfprof_log_pb2,
        "self": types.SimpleNamespace(_sess=sess)}


def _facts(names: dict[str, Any]) -> dict[str, Any]:
    """What the names of a block say that is compared."""
    found: dict[str, Any] = {}
    for name in ("param_stats", "tfprof_node", "flops", "params"):
        if hasattr(names.get(name), "DESCRIPTOR") or name in names:
            node = names[name]
            found[name] = (type(node).__name__, node.total_parameters,
                           node.total_float_ops, node.total_exec_micros)
    if isinstance(names.get("opts"), dict):
        found["opts"] = names["opts"]
    if names.get("op_log") is not None:
        found["op_log"] = str(names["op_log"])
    return found


def _files(place: str) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in Path(place).iterdir()}


def main(folder: str, output: str) -> None:
    import tensorflow.compat.v1 as tf

    sys.path.insert(0, str(Path(__file__).parent / "programs"))
    tf.disable_v2_behavior()
    names: dict[str, Any] = {}
    noted: dict[str, Any] = {}
    document = ""
    for name, text in blocks().items():
        if name[:3] != document:
            document = name[:3]
            place = os.path.join(folder, document)
            os.makedirs(place)
            os.chdir(place)
            names = _namespace(place, document)
        printed, error = io.StringIO(), None
        before = _files(place)
        try:
            with contextlib.redirect_stdout(printed):
                exec(compile(changed(name, text), name, "exec"), names)
        except Exception:
            error = traceback.format_exc()
        written = {file: data for file, data in _files(place).items()
                   if before.get(file) != data}
        noted[name] = {"printed": printed.getvalue(), "error": error,
                       "written": written, **_facts(names)}
    with open(output, "wb") as file:
        pickle.dump(noted, file)


if __name__ == "__main__":
    main(*sys.argv[1:])
