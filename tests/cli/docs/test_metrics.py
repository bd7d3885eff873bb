"""docs/metrics.md has every word of -select, with its unit, and nothing else."""

import json
import re

from program import DATA_DIR, SOURCE_DIR, run

PAGE = SOURCE_DIR / "docs" / "metrics.md"


def words():
    """As a wrong one is answered with them."""
    err = run("scope", "-select", "nonsense", DATA_DIR / "graph.pb").stderr
    found = re.search(r"--select accepts (\S+), not", err.decode())
    return found[1].split("|")


def rows():
    """Word: its unit and where it is defined."""
    return {word: (unit, where) for word, unit, where in re.findall(
        r"^\| `(\w+)` \| (count|microseconds|bytes|fact) \|"
        r" [^|]+ \| (\[.*\]\(.*\)) \|$", PAGE.read_text(), re.M)}


def test_every_word_has_a_row():
    assert len(words()) >= 15
    assert set(rows()) == set(words())


def test_units_are_those_of_json():
    metrics = [word for word, (unit, _) in rows().items() if unit != "fact"]
    out = run("scope", "-format", "json", "-select", ",".join(metrics),
              DATA_DIR / "graph.pb").stdout
    units = json.loads(out)["units"]
    units["occurrence"] = units.pop("runs")
    assert units == {word: rows()[word][0] for word in metrics}
