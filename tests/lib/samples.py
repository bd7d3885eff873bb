"""The files that the examples of help speak of, made of the sample models."""

import json
import os
import pathlib
import shutil
import subprocess

import flops_truth
import upstream
from program import DATA_DIR, TFPROF

FROZEN = """
node { name: "input" op: "Placeholder"
       attr { key: "dtype" value { type: DT_FLOAT } } }
node { name: "filter" op: "Const"
       attr { key: "dtype" value { type: DT_FLOAT } }
       attr { key: "value" value { tensor { dtype: DT_FLOAT
         tensor_shape { dim { size: 3 } dim { size: 3 } dim { size: 3 }
                        dim { size: 8 } } float_val: 1 } } } }
node { name: "conv" op: "Conv2D" input: "input" input: "filter"
       attr { key: "T" value { type: DT_FLOAT } }
       attr { key: "padding" value { s: "SAME" } }
       attr { key: "strides" value { list { i: 1 i: 1 i: 1 i: 1 } } } }
"""

NAMES = {
    "graph.pb": "cifar.pb",
    "run_meta": "cifar_run_meta_0",
    "run_meta_7": "cifar_run_meta_1",
    "run_meta_8": "cifar_run_meta_2",
    "tfprof_log": "cifar_oplog",
    "model.ckpt.index": "cifar.ckpt.index",
    "model.ckpt.data-00000-of-00001": "cifar.ckpt.data-00000-of-00001",
    "model.profile": "cifar.profile",
    "loop.pb": "while.pbtxt",
}


TRACE = DATA_DIR / "traces" / "gen_tf-gpu.xplane.pb"


def make(folder):
    """Puts all of them into a folder, and `tfprof` into its folder bin."""
    for name, sample in NAMES.items():
        shutil.copy(upstream.input_path(sample), folder / name)
    shutil.copytree(flops_truth.saved("MobileNetV2"), folder / "saved_model")
    (folder / "frozen.pb").write_text(FROZEN)
    (folder / "cut_short.pb").write_bytes(
        (folder / "graph.pb").read_bytes()[:-3])
    (folder / "formulas.json").write_text(json.dumps({"Relu6": "#y0"}))
    (folder / "questions.txt").write_text("scope -max_depth 2\nop\n")
    run = folder / "logdir" / "plugins" / "profile" / ("2026_11_17_10_21_11")
    run.mkdir(parents=True)
    for trace in (folder, run):
        shutil.copy(TRACE, trace / "host.xplane.pb")
    for side in ("old", "new"):
        shutil.copy(folder / "graph.pb", folder / f"{side}.pb")
        (folder / side).mkdir()
        shutil.copy(folder / "graph.pb", folder / side)
    for side in ("base_runs", "head_runs"):
        (folder / side / "run").mkdir(parents=True)
        shutil.copy(TRACE, folder / side / "run" / "host.xplane.pb")
    (folder / "budgets.json").write_text(
        '{"budgets": [{"metric": "nodes", "max": 100000}]}\n')
    (folder / "base.json").write_text(
        '{"tfprof_baseline": 1, "of": "median", "skip_steps": 0, "runs": 1,\n'
        ' "machine": {"cpu": "", "cores": 0, "accelerators": "",\n'
        '             "versions": ""},\n "rows": []}\n')
    subprocess.run(["gzip", "-k", folder / "graph.pb"], check=True)
    (folder / "bin").mkdir()
    (folder / "bin" / "tfprof").symlink_to(
        os.path.abspath(shutil.which(TFPROF) or TFPROF))
    return folder


def environment(folder):
    """In which `tfprof` is the program under test."""
    return {**os.environ, "PATH": f"{folder / 'bin'}:{os.environ['PATH']}",
            "TERM": "dumb"}


def restore(folder, before):
    """Takes away what a command has written; returns its names."""
    written = sorted(set(os.listdir(folder)) - set(before))
    for name in written:
        path = pathlib.Path(folder, name)
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    return written
