"""Several steps. TensorFlow keeps something of one question for the next, so
each is asked of a new profiler; and it has no two of them at a time. That is
slow: every question is asked about some model, and with TFPROF_SLOW=1 about
each."""

from typing import Any

from dropin_names import graph, profiler, run_meta, show
from faults import SLOW

B = profiler.ProfileOptionBuilder
METHODS = ("profile_python", "profile_operations", "profile_name_scope",
           "profile_graph")
ASKED = (("time", B.time_and_memory()), ("flops", B.float_operation()),
         ("params", B.trainable_variables_parameter()))

for m, model in enumerate(("cnn", "lstm", "transformer", "devices")):
    def steps(model: str = model) -> Any:
        found = profiler.Profiler(graph(model))
        for step in (1, 5, 30):
            found.add_step(step, run_meta(f"{model}_{step % 3}"))
        found.add_step(5, run_meta(f"{model}_0"))
        return found

    for s, step in enumerate((-1, 1, 5, 30)):
        for k, method in enumerate(METHODS):
            for i, (label, start) in enumerate(ASKED):
                if not SLOW and (m + s + k + i) % len(ASKED):
                    continue
                many = steps()
                show(f"{model} {method} {label} {step}", getattr(many, method)(
                    B(start).with_step(step).build()))
                del many
    many = steps()
    show(f"{model} advise", many.advise(profiler.ALL_ADVICE)
         if hasattr(profiler, "ALL_ADVICE") else many.advise({
             "ExpensiveOperationChecker": {},
             "AcceleratorUtilizationChecker": {}, "JobChecker": {},
             "OperationChecker": {}}))
    del many
    many = steps()
    show(f"{model} profile", many.serialize_to_string())
    del many
