#!/usr/bin/env python3
"""compare.py BINARY [WHAT] [REGEX] [-v]: hold `tfprof flops` against the truth.

BINARY is tfprof. WHAT is one of these, or all:
  shapes        every tensor of the frozen graphs
  saved_shapes  the same of SavedModels' bodies, as stored and with batch 1
  per_op        --formulas tensorflow, node by node
  totals        the same in all, and by op type
  saved         the same of SavedModels' signatures
  nested        the same with the bodies of functions
  nested_calls  the same call by call
  proposed      --formulas full, in all and by op type
  params        the variables of SavedModels
  consts        the constants of frozen graphs
REGEX chooses models by name. -v shows every difference, not the first three of
a model. The exit code is 0 if all is equal.
"""

import collections
import os
import pathlib
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "lib"))

FEW = 3


def report(found, most):
    """The lines about one model."""
    notes = "".join(f", {count} {note}" for note, count in found.notes.items()
                    if count)
    verdict = (f"{len(found.differences)} different" if found.differences
               else "ok")
    print(f"{found.name}: {verdict} ({found.checked} checked{notes})")
    for difference in found.differences[:most]:
        print(f"    {difference.kind}: {difference.op} {difference.text}")


def summarize(what, results):
    """What differs in all models, by kind and op type."""
    kinds = collections.defaultdict(collections.Counter)
    notes = collections.Counter()
    for found in results:
        notes.update(found.notes)
        for difference in found.differences:
            kinds[difference.kind][difference.op] += 1
    good = sum(not found.differences for found in results)
    print(f"== {what}: {good} of {len(results)} models equal, "
          f"{sum(found.checked for found in results)} checked")
    for kind, counts in kinds.items():
        print(f"   {kind}: {counts.total()}: " + ", ".join(
            f"{op} {count}" for op, count in counts.most_common(40)))
    if notes["known beyond TensorFlow"]:
        print(f"   beyond: {notes['known beyond TensorFlow']}")
    return good == len(results)


def main():
    words = [word for word in sys.argv[1:] if word != "-v"]
    if not 1 <= len(words) <= 3 or words[0].startswith("-"):
        sys.exit(__doc__)
    binary, what, pattern = [*words, "all", ""][:3] if len(words) == 1 else (
        [*words, ""][:3])
    os.environ["TFPROF"] = os.path.abspath(binary)
    os.environ["TFPROF_SOURCE_DIR"] = str(
        pathlib.Path(__file__).resolve().parents[2])
    import flops_compare
    if what != "all" and what not in flops_compare.COMPARISONS:
        sys.exit(__doc__)
    good = True
    for chosen in flops_compare.COMPARISONS if what == "all" else [what]:
        results = flops_compare.compare_all(chosen, pattern)
        for found in results:
            report(found, None if "-v" in sys.argv else FEW)
        good = summarize(chosen, results) and good
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
