"""docs/flops.md and the parameters of docs/float-operations.md are true."""

import re
import shlex

import flops_truth
from flops_checks import results
from program import SOURCE_DIR, run

consts = results("consts")

DOCS = SOURCE_DIR / "docs"


def examples():
    """Each command of the page with what stands below it."""
    text = (DOCS / "flops.md").read_text()
    return re.findall(r"^```\n\$ (tfprof .*)\n((?:.*\n)*?)```$", text, re.M)


def test_the_examples_of_the_page():
    assert len(examples()) >= 2
    for command, expected in examples():
        args = shlex.split(command)[1:]
        done = run(*args, cwd=flops_truth.saved("MobileNetV2").parent)
        assert done.returncode == 0 and done.stdout.decode() == expected


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
