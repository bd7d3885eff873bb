"""`--formulas full` counts what the complete formulas say."""

import flops_truth
from flops_checks import check, names, results

proposed = results("proposed")


@names("proposed")
def test_in_all_and_by_type(name, proposed):
    check(proposed[name])


def test_how_much(proposed, say):
    assert len(proposed) == 81
    for name, found in proposed.items():
        # Float and integer operations at least of each type, and in all.
        assert found.checked >= 2 + 2 * len(
            flops_truth.table(f"proposed_by_type/{name}"))
    beyond = {name: dict(found.notes) for name, found in proposed.items()
              if found.notes}
    say(f"{sum(found.checked for found in proposed.values())} figures of 81 "
        f"models; beyond: {beyond}")
