"""Advice, with some checkers or all, with a run or without."""

from dropin_names import graph, profiler, run_meta, show

CHECKERS = ("ExpensiveOperationChecker", "AcceleratorUtilizationChecker",
            "JobChecker", "OperationChecker")

for model in ("cnn", "lstm", "transformer", "devices"):
    show(f"{model} all", profiler.advise(graph(model),
                                         run_meta=run_meta(f"{model}_1")))
    show(f"{model} static", profiler.advise(graph(model)))
    show(f"{model} nothing", profiler.advise(graph(model), options={}))
    show(f"{model} none", profiler.advise(graph(model), options=None))
    for checker in CHECKERS:
        show(f"{model} {checker}", profiler.advise(
            graph(model), run_meta(f"{model}_0"), {checker: {}}))
