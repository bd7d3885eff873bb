"""Several steps. TensorFlow keeps something of one question for the next, so
each is asked of a new profiler; and it has no two of them at a time."""

from typing import Any

from dropin_names import graph, profiler, run_meta, show

B = profiler.ProfileOptionBuilder

for model in ("cnn", "lstm", "transformer", "devices"):
    def steps(model: str = model) -> Any:
        found = profiler.Profiler(graph(model))
        for step in (1, 5, 30):
            found.add_step(step, run_meta(f"{model}_{step % 3}"))
        found.add_step(5, run_meta(f"{model}_0"))
        return found

    for step in (-1, 1, 5, 30):
        for method in ("profile_python", "profile_operations",
                       "profile_name_scope", "profile_graph"):
            for label, start in (("time", B.time_and_memory()),
                                 ("flops", B.float_operation()),
                                 ("params", B.trainable_variables_parameter())):
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
