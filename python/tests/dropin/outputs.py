"""Files, timelines and pprof files."""

from typing import Any

from dropin_names import graph, path, profiler, run_meta, show

B = profiler.ProfileOptionBuilder
TREES = ("scope", "graph", "code")

for model in ("cnn", "lstm", "transformer", "devices"):
    def ask(cmd: str, options: Any, model: str = model) -> Any:
        return profiler.profile(graph(model), run_meta=run_meta(f"{model}_2"),
                                cmd=cmd, options=options)

    for cmd in (*TREES, "op"):
        show(f"{model} {cmd} file", ask(cmd, B(B.time_and_memory())
             .with_file_output(path("out.txt")).build()))
    show(f"{model} older file", ask("scope", dict(
        B.float_operation(), dump_to_file=path("older.txt"))))
    for cmd in TREES:
        show(f"{model} {cmd} timeline", ask(cmd, B(B.time_and_memory())
             .with_step(0).with_timeline_output(path("out.json")).build()))
    for select in (["micros"], ["bytes"], ["float_ops"], ["params"]):
        show(f"{model} pprof {select}", ask("code", B().select(select)
             .with_pprof_output(path("out.pprof")).build()))
