"""axe-core finds nothing to complain about, in any tab, light and dark."""

import os
import pathlib

import pytest
from lacking import lacks

AXE = (pathlib.Path(os.environ["TFPROF_SOURCE_DIR"]) / ".tools" / "page"
       / "node_modules" / "axe-core" / "axe.min.js")


# Dark, only the colors are others.
@pytest.mark.parametrize("scheme, options, least", [
    ("light", {}, 16), ("dark", {"runOnly": ["color-contrast"]}, 1)])
def test_axe_finds_no_violations(opened, report, scheme, options, least):
    if not AXE.exists():
        lacks("needs axe-core (tools/setup installs it)")
    # The policy of the page would refuse axe itself.
    page = opened(report, color_scheme=scheme, bypass_csp=True)
    page.page.evaluate(AXE.read_text())
    found = {}
    for tab in page.page.get_by_role("tab").all():
        tab.click()
        page.page.wait_for_timeout(100)
        if page.panel("canvas").count():
            page.hover(.3, 33)
        result = page.page.evaluate("(options) => axe.run(options)", options)
        assert len(result["passes"]) >= least
        for violation in result["violations"]:
            found.setdefault(violation["id"], []).extend(
                f"{tab.inner_text()}: {node['html'][:120]}: "
                f"{node['failureSummary'][:200]}"
                for node in violation["nodes"])
    assert found == {}
