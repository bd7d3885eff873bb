"""docs/flops.md and the parameters of docs/float-operations.md are true. (What
the commands of pages print is compared by test_docs.py.)"""

import re

import flops_truth
from flops_checks import results
from program import SOURCE_DIR, run

consts = results("consts")

DOCS = SOURCE_DIR / "docs"


def test_the_options_of_the_page_are_known():
    text = (DOCS / "flops.md").read_text()
    options = set(re.findall(r"--([a-z_]+)", text))
    known = run("help", "flops").stdout.decode()
    assert len(options) > 8
    assert not [name for name in options if f"--{name}" not in known]


def test_the_table_of_parameters(consts):
    """It has the graphs whose figure is not that of Keras, and no others."""
    text = (DOCS / "float-operations.md").read_text()
    table = text.split("<!-- parameters -->")[1].split("<!-- end -->")[0]
    rows = {name: (int(found.replace(",", "")), int(keras.replace(",", "")))
            for name, found, keras in re.findall(
                r"^\| (\w+) \| ([\d,]+) \| ([\d,]+) \| .{5,} \|$", table, re.M)}
    truth = flops_truth.by_name("truth")
    wanted = {}
    for name, found in consts.items():
        if not found.notes["params as in Keras"]:
            ours = flops_truth.ask_summary(flops_truth.frozen(name))["params"]
            wanted[name] = (ours, int(truth[name]["params_total"]))
    assert rows == wanted
    assert f"in {len(consts) - len(rows)} of the {len(consts)}" in text
