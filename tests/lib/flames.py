"""Flame graphs: what is in their files, what a view says of the same rows, and
what inferno and speedscope make of them."""

import base64
import collections
import contextlib
import decimal
import functools
import json
import os
import re
import subprocess
import types
import xml.etree.ElementTree

import chromium
from lacking import lacks
from program import SOURCE_DIR
from surroundings import PATIENCE

SPEEDSCOPE = SOURCE_DIR / ".tools" / "speedscope"
INFERNO = SOURCE_DIR / ".tools" / "bin" / "inferno-flamegraph"
ROOT = "_TFProfRoot"


# ---- What a view says --------------------------------------------------------

def number(value):
    """A number of JSON, which is a text where a double could not hold it."""
    return decimal.Decimal(value)


class Rows:
    """The rows of `--format json`."""

    def __init__(self, text, adds_names):
        view = json.loads(text, parse_float=decimal.Decimal)
        self.rows = view["rows"]
        self.adds_names = adds_names

    def total(self, cost):
        return number(self.rows[0]["total"][cost]) if self.rows else 0

    def stacks(self, cost):
        """{names: own value}, and whether every row has at least what is below
        it, so that no box is cut."""
        found, path, tame = collections.Counter(), [], True
        ends = {"depth": 0, "name": "", "total": {cost: 0}}
        for row in [*self.rows, ends]:
            for box in path[row["depth"]:]:
                tame = tame and box.own >= 0
                if box.own:
                    found[box.names or (ROOT,)] += box.own
            del path[row["depth"]:]
            own = number(row["total"][cost])
            names = ()
            if path:
                above = path[-1]
                above.own -= own
                names = (*above.names, self.name_below(above, row["name"]))
            path.append(types.SimpleNamespace(
                names=names, name=row["name"], own=own))
        return found, tame

    def name_below(self, above, name):
        if self.adds_names and above.names:
            name = name[len(above.name) + 1:]
        return name or "(no name)"


# ---- Folded stacks -----------------------------------------------------------

def is_hidden(char):
    code = ord(char)
    return (code < 0x20 or 0x7f <= code < 0xa0 or 0x200b <= code <= 0x200f
            or 0x2028 <= code <= 0x202e or 0x2060 <= code <= 0x206f
            or code in (0xad, 0x61c, 0x180e, 0xfeff))


def folded_name(name):
    """A name of JSON as it stands in a stack."""
    blank = re.search(r" [0-9.]*\Z", name)
    odd = {0, len(name) - 1}
    return "".join(
        "".join(f"\\x{byte:02x}" for byte in char.encode())
        if (char == ";" or is_hidden(char) or (at in odd and char.isspace())
            or (char == "#" and at == 0)
            or (blank and at == blank.start())) else char
        for at, char in enumerate(name))


def folded(stacks):
    """{names: value} as a file of folded stacks has it."""
    found = collections.Counter()
    for names, value in stacks.items():
        found[tuple(map(folded_name, names))] += value
    return found


def read_folded(data):
    found = collections.Counter()
    for line in data.decode().splitlines():
        stack, _, count = line.rpartition(" ")
        assert re.fullmatch("[1-9][0-9]*", count), line
        found[tuple(stack.split(";"))] += int(count)
    return found


def inferno(data, *args):
    """{(name, depth): samples} of the boxes that inferno draws, narrow ones
    too. Siblings of one name are one box; boxes of one name and level are
    summed up."""
    if not INFERNO.exists():
        lacks("needs inferno (tools/setup brings it, by Rust)")
    done = subprocess.run(
        [INFERNO, "--minwidth", "0", *args], input=data, capture_output=True,
        check=False, timeout=PATIENCE)
    assert done.returncode == 0, done.stderr.decode(errors="replace")
    assert b"ignored" not in done.stderr.lower(), done.stderr
    found = collections.Counter()
    spaces = {"svg": "http://www.w3.org/2000/svg"}
    root = xml.etree.ElementTree.fromstring(done.stdout)
    boxes = [(group.find("svg:title", spaces), group.find("svg:rect", spaces))
             for group in root.iterfind(".//svg:g", spaces)]
    boxes = [(title.text, float(rect.get("y"))) for title, rect in boxes
             if title is not None and rect is not None]
    lowest = max(y for _, y in boxes)
    for text, y in boxes:
        name, count = re.fullmatch(r"(?s)(.*) \(([\d,]+) samples, [\d.]+%\)",
                                   text).groups()
        found[name, round((lowest - y) / 16)] += int(count.replace(",", ""))
    return found


def drawn(stacks):
    """The boxes that inferno should draw of folded stacks."""
    found = collections.Counter()
    for names, count in stacks.items():
        found["all", 0] += count
        for depth, name in enumerate(names, 1):
            found[name, depth] += count
    return found


# ---- speedscope --------------------------------------------------------------

class Speedscope:
    """A file of speedscope: the stacks of each of its profiles."""

    def __init__(self, data):
        self.data = data
        self.file = json.loads(data, parse_float=decimal.Decimal)
        self.frames = self.file["shared"]["frames"]
        self.profiles = {profile["name"]: profile
                         for profile in self.file["profiles"]}
        assert len(self.profiles) == len(self.file["profiles"])

    def heads(self):
        """[(name, unit, total)], in their order."""
        return [(one["name"], one["unit"],
                 one["endValue"] - one["startValue"])
                for one in self.file["profiles"]]

    def stacks(self, cost, key=lambda frame: frame["name"]):
        """{names: own value}."""
        found, path = collections.Counter(), []
        profile = self.profiles[cost]
        last = profile["startValue"]
        for event in profile["events"]:
            at = event["at"]
            assert at >= last
            if at > last:
                found[tuple(key(self.frames[i]) for i in path)] += at - last
            last = at
            if event["type"] == "O":
                path.append(event["frame"])
            else:
                assert path.pop() == event["frame"]
        assert not path and last == profile["endValue"]
        return found


@functools.cache
def schema():
    path = SPEEDSCOPE / "file-format-schema.json"
    if not path.exists():
        lacks("needs speedscope (tools/setup brings it, by npm)")
    return json.loads(path.read_text())


class Page:
    """The page of speedscope in a browser. What it has read of a file, it saves
    when its button "Export" is pressed."""

    def __init__(self, browser, folder):
        self.browser = browser
        self.folder = folder
        self.requests = []

    def read(self, data, name="file.json"):
        """What the page has read of a file."""
        script = self.folder / "load.js"
        content = base64.b64encode(data).decode()
        script.write_text(f"speedscope.loadFileFromBase64({json.dumps(name)}, "
                          f"{json.dumps(content)})")
        page = self.browser.new_page()
        page.set_default_timeout(PATIENCE * 1000)
        said = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("pageerror", lambda error: said.append(str(error)))
        page.on("dialog", lambda dialog: (said.append(dialog.message),
                                          dialog.dismiss()))
        page.goto(f"{(SPEEDSCOPE / 'index.html').resolve().as_uri()}"
                  f"#localProfilePath={os.fspath(script).lstrip('/')}")
        button = page.get_by_text("Export")
        button.wait_for()
        with page.expect_download() as download:
            button.click()
        found = self.folder / "exported.json"
        download.value.save_as(found)
        page.close()
        assert not said
        return Speedscope(found.read_bytes())


@contextlib.contextmanager
def page(folder):
    """Without a browser the test is skipped, but not where tests decide."""
    schema()
    with chromium.started() as browser:
        yield Page(browser, folder)
        browser.close()
