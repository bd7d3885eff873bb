"""Every view of every model, asked in many ways, with and without a run. Each
way is taken with every view of some model and with some view of every model;
with TFPROF_SLOW=1, with every view of every model."""

from typing import Any

from dropin_names import graph, profiler, run_meta, show
from faults import SLOW

B = profiler.ProfileOptionBuilder
EVERYTHING = ["bytes", "peak_bytes", "residual_bytes", "output_bytes",
              "micros", "accelerator_micros", "cpu_micros", "params",
              "float_ops", "occurrence", "device", "op_types", "input_shapes"]


def asked() -> Any:
    yield "default", 0
    yield "params", B.trainable_variables_parameter()
    yield "flops", B.float_operation()
    yield "time", B.time_and_memory()
    yield "builder", B().build()
    yield "everything", B().select(EVERYTHING).build()
    yield "silent", B().with_empty_output().build()
    yield "hidden", (B().with_node_names(
        hide_name_regexes=[".*/w.*", ".*gradients.*"],
        trim_name_regexes=[".*Assign.*"]).order_by("params")
        .select(["params", "float_ops"]).build())
    yield "starts", (B(B.time_and_memory()).with_node_names(
        start_name_regexes=[".*(?:conv|cell|tower|attention).*", ".*Mul.*"],
        show_name_regexes=[".*[a-z]{2,9}.*"]).with_max_depth(4).build())
    yield "types", (B().with_accounted_types(["MatMul", "VariableV2"])
                    .account_displayed_op_only(True)
                    .select(["params", "op_types"]).build())
    yield "minima", (B().with_min_memory(min_bytes=8, min_output_bytes=4)
                     .with_min_execution_time(min_cpu_micros=2)
                     .with_min_occurrence(1).select(["bytes", "micros"])
                     .order_by("bytes").build())
    yield "step", B().with_step(0).order_by("micros").build()
    yield "few keys", {"max_depth": 3, "account_type_regexes": [".*"],
                       "start_name_regexes": [".*"],
                       "show_name_regexes": [".*"],
                       "select": ["micros", "occurrence"], "unknown": 1}
    yield "no keys", {}
    yield "no types", dict(B().build(), account_type_regexes=[])
    yield "no select", dict(B().build(), select=[])


for m, model in enumerate(("cnn", "lstm", "transformer", "devices")):
    for k, cmd in enumerate(("scope", "graph", "op", "code")):
        for i, (label, options) in enumerate(asked()):
            for r, run in enumerate((None, run_meta(f"{model}_1"))):
                if label == "step" and run is None:
                    continue
                if not SLOW and (m + k + i + 2 * r) % 4:
                    continue
                show(f"{model} {cmd} {label} {'run' if run else 'static'}",
                     profiler.profile(graph(model), run_meta=run, cmd=cmd,
                                      options=options))
