"""`diff` of a trace and a rewrite that means the same: there is no change.

`python rewrite.py FILE...` does this; `python rewrite.py FILE REWRITE SEED OUT`
writes one rewrite.
"""

import pathlib
import random
import sys

import attack
import trace_tree

REWRITES = ("planes", "lines", "events", "maps", "ids", "fields", "stats",
            "references_for_texts", "split", "negative_offsets",
            "moved_start")
VIEWS = ("scope", "graph", "op", "code")


def write(path, name, seed, out):
    chance = random.Random(f"{path.name} {name} {seed}")
    out.write_bytes(trace_tree.rewritten(trace_tree.read(path), name, chance))


def attack_trace(found, path, rewrites=REWRITES, views=VIEWS):
    copy = found.folder / "rewritten" / path.name
    copy.parent.mkdir(exist_ok=True)
    for name in rewrites:
        write(path, name, 0, copy)
        for view in views:
            answer = found.json("diff", view, "--base", path, copy)
            if answer is None:
                # A trace without lines or without operations has no code view.
                if found.run(view, path).returncode == 0:
                    found.fail(attack.short(path), name, view, "no answer")
            elif answer["changes"]:
                found.fail(attack.short(path), name, view,
                           answer["changes"][0])


attack_all = attack.each(attack_trace)

if __name__ == "__main__":
    if len(sys.argv) == 5 and sys.argv[2] in trace_tree.REWRITES:
        write(pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3],
              pathlib.Path(sys.argv[4]))
    else:
        attack.main(attack_all)
