"""The same page in Firefox: it decodes, draws, zooms and searches."""

import json
import os
import pathlib
import shutil
import subprocess

from lacking import lacks

HERE = pathlib.Path(__file__).parent
PUPPETEER = (pathlib.Path(os.environ["TFPROF_SOURCE_DIR"]) / ".tools" / "page"
             / "node_modules" / "puppeteer-core" / "lib" / "esm" / "puppeteer"
             / "puppeteer-core.js")


def test_firefox_shows_the_page(report):
    firefox, node = shutil.which("firefox-esr"), shutil.which("node")
    if not firefox or not node or not PUPPETEER.exists():
        lacks("needs firefox-esr, node and puppeteer-core "
              "(tools/setup installs them)")
    done = subprocess.run(
        [node, HERE / "firefox.mjs", firefox, PUPPETEER, report],
        capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    seen = json.loads(done.stdout)
    assert seen["messages"] == []
    assert seen["names"][:3] == ["total", "tower", "tower/MatMul"]
    assert seen["tooltip"].startswith("w")
    assert seen["path"] == ["total", "head"]
    assert seen["zoomed"] == ["head", "head/w", "head/tower_norm"]
    assert seen["search"] == "1 row, 20.0%"
    assert seen["pixel"][3] == 255  # drawn
    assert seen["tabs"] == {"op": 6, "code": 4, "graph": 3, "memory": 2,
                            "steps": 2, "kernels": 3, "diff": 4}
