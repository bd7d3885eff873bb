"""A small page with every tab, and the numbers that it must show."""

from page_data import Strings, chunk, tree_chunk

METRICS = [("micros", "time", "us"), ("bytes", "requested bytes", "bytes"),
           ("params", "parameters", "count")]
STEPS = ((-1, "all steps (average)"), (0, "step 0"), (1, "step 1"))

# Totals: 1,000us in all steps, 600us in step 0, 1,400us in step 1. By bytes the
# order of the first two scopes is the other way around.
#   depth, name, type, micros (all, step 0, step 1), bytes, params
SCOPES = [
    (0, "_TFProfRoot", "", (0, 0, 0), 0, 0),
    (1, "tower", "", (0, 0, 0), 0, 0),
    (2, "MatMul", "MatMul", (400, 200, 600), 1000, 0),
    (2, "Relu", "Relu", (200, 100, 300), 0, 0),
    (2, "MatMul_1", "MatMul", (100, 100, 100), 500, 0),
    (1, "head", "", (0, 0, 0), 0, 0),
    (2, "w", "VariableV2", (200, 150, 250), 8_000_000, 52_100),
    (2, "tower_norm", "Mul", (50, 25, 75), 500, 0),
    (1, "loss", "Sum", (50, 25, 75), 0, 0),
]


def scope_rows():
    return [{"depth": depth, "name": name, "type": kind,
             "self": {("micros", -1): micros[0], ("micros", 0): micros[1],
                      ("micros", 1): micros[2], ("bytes", -1): size,
                      ("params", -1): params}}
            for depth, name, kind, micros, size, params in SCOPES]


def head(**more):
    return chunk({"kind": "page", "version": 1, "title": "sample",
                  "program": "tfprof 1.2.0", "made_of": ["graph.pb", "run"],
                  "notes": [], "shows": "scope", **more}, [])


def scope_chunk(strings):
    return tree_chunk(strings, scope_rows(), METRICS, "micros", STEPS,
                      id="scope", title="Scopes")


def scope_page(**more):
    strings = Strings()
    return [head(**more), scope_chunk(strings), strings.chunk()]


def op_chunk(strings):
    rows = [{"depth": 0, "name": "_TFProfRoot"}] + [
        {"depth": 1, "name": name, "self": {("micros", -1): micros}}
        for name, micros in (("MatMul", 500), ("Relu", 200),
                             ("VariableV2", 200), ("Mul", 50), ("Sum", 50))]
    return tree_chunk(strings, rows, METRICS[:1], "micros", id="op",
                      title="Operation types", flat=True)


def code_chunk(strings):
    rows = [{"depth": 0, "name": "_TFProfRoot"}]
    for depth, line, function, text, micros in (
            (1, 43, "<module>", "main()", 0),
            (2, 25, "main", "loss = tower(x) # <b>&amp;", 700),
            (2, 29, "main", "train.minimize(loss)", 300)):
        rows.append({"depth": depth, "name": f"train.py:{line}:{function}",
                     "file": "train.py", "line": line, "function": function,
                     "text": text, "self": {("micros", -1): micros}})
    return tree_chunk(strings, rows, METRICS[:1], "micros", id="code",
                      title="Code")


def curve_chunk(device, scale):
    times = [0, 1_000_000, 2_000_000, 3_000_000, 4_000_000]
    sizes = [0, 4000 * scale, 1000 * scale, 3000 * scale, 0]
    return chunk({
        "kind": "curve", "id": "memory", "device": device,
        "peaks": [
            {"row": 1, "live": [{"name": "tower/MatMul", "bytes": 3000 * scale},
                                {"name": "head/w", "bytes": 1000 * scale}]},
            {"row": 3, "live": [{"name": "loss", "bytes": 3000 * scale}]}]},
        [({"name": "time", "unit": "ps"}, times), ({"name": "bytes"}, sizes)])


def steps_chunk(strings):
    def times(name, title, values):
        return ({"name": name, "title": title, "type": "integer",
                 "unit": "ps"}, values)
    return chunk({"kind": "table", "id": "steps", "title": "Steps",
                  "note": "Times of two steps."}, [
        ({"name": "step", "title": "step", "type": "integer"}, [0, 1]),
        ({"name": "short", "title": "device", "type": "string"},
         [strings("CPU:0"), strings("CPU:0")]),
        times("wall_micros", "wall", [800_000_000, 1_600_000_000]),
        times("busy_micros", "busy", [600_000_000, 400_000_000]),
        times("idle_micros", "idle", [200_000_000, 1_200_000_000]),
        times("input_wait_micros", "input wait", [-1, 5_000_000])])


def kernels_chunk(strings):
    names = ["gemm", "relu_kernel", "gemm"]
    return chunk({"kind": "table", "id": "kernels", "title": "Kernels"}, [
        ({"name": "micros", "title": "time", "type": "integer",
          "unit": "ps"}, [3_000_000, 1_000_000, 2_000_000]),
        ({"name": "occupancy_percent", "title": "occ. %", "type": "integer",
          "unit": "percent", "scale": 2}, [5025, 10000, 0]),
        ({"name": "kernel", "title": "kernel", "type": "string"},
         [strings(name) for name in names])])


SUMMARY = {
    "inputs": [{"kind": "GraphDef", "count": 1}], "params": 50944,
    "float_ops": 2636551, "steps": 2,
    "wall_micros": {"p50": 830, "min": 830, "max": 919},
    "devices": [{"device": "/job:localhost/replica:0/task:0/device:CPU:1",
                 "busy_micros": 206.5, "idle_micros": 668}],
    "parallelism": 0.9658792650918635,
    "memory": {"pool": "CPU:1 mklcpu", "peak_bytes": 54020},
    "scopes": [{"name": "gradients", "micros": 159, "share": 0.4320652}],
    "op_types": [{"name": "MatMul", "micros": 116, "share": 0.3152174}],
    "lines": [{"name": "train.py:15:tower", "micros": 141, "share": 0.38}],
    "advice": {"kind": "type", "about": "MatMul", "share": 0.3152174,
               "try": "narrower layers"},
    "next": ["tfprof advise graph.pb"],
}


def diff_chunk(strings):
    rows = [  # depth, name, state, base, new
        (0, "_TFProfRoot", "changed", 1000, 1100),
        (1, "tower", "changed", 600, 400),
        (1, "head", "changed", 400, 500),
        (1, "extra", "added", 0, 200),
    ]
    return chunk({
        "kind": "diff", "title": "Diff", "base": "a", "new": "b",
        "metrics": [{"id": "micros", "title": "time", "unit": "us"}]}, [
        ({"name": "depth"}, [r[0] for r in rows]),
        ({"name": "name", "type": "string"}, [strings(r[1]) for r in rows]),
        ({"name": "state", "type": "string"}, [strings(r[2]) for r in rows]),
        ({"name": "base", "metric": "micros"}, [r[3] for r in rows]),
        ({"name": "new", "metric": "micros"}, [r[4] for r in rows])])


def report():
    strings = Strings()
    edges = [(2, 3), (6, 2), (3, 4), (4, 8)]
    return [
        head(shows="summary", notes=["12,345 rows were left out."]),
        chunk({"kind": "summary", "answer": SUMMARY}, []),
        scope_chunk(strings), op_chunk(strings), code_chunk(strings),
        chunk({"kind": "graph"}, [({"name": "from"}, [a for a, _ in edges]),
                                  ({"name": "to"}, [b for _, b in edges])]),
        curve_chunk("/device:GPU:0 (BFC)", 1000),
        curve_chunk("/device:GPU:1 (BFC)", 1),
        steps_chunk(strings), kernels_chunk(strings), diff_chunk(strings),
        strings.chunk()]
