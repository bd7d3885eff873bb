"""docs/flops.md and the parameters of docs/float-operations.md are true. (What
the commands of pages print is compared by test_docs.py.)"""

# labels: once

import re

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


def test_the_graphs_whose_parameters_differ(consts):
    """The page names those whose figure is not that of Keras, and no others."""
    text = (DOCS / "float-operations.md").read_text()
    named = re.findall(r"`(\w+)`", text.split("<!-- parameters -->")[1]
                       .split("<!-- end -->")[0])
    assert sorted(named) == sorted(
        name for name, found in consts.items()
        if not found.notes["params as in Keras"])
    assert f"in {len(consts) - len(named)} of the {len(consts)}" in text
