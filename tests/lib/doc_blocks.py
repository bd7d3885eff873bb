"""The blocks, titles and links of a page of the documentation.

A fenced block of language `console` is a dialogue: lines `$ COMMAND`, where a
`\\` at the end goes on in the next line, and below each what a terminal shows.
A line `...` stands for any number of lines. A block of language `python` is a
program; a `text` block right behind it is what it prints. A comment
`<!-- run: WHO -->` before a block says that it is not run here, or only where
something is there:

    packages     by tools/check-packages, in a clean root
    build        by the same, from a source tree
    with NAME    here, where NAME is there: inferno, pprof, tensorflow, or the
                 Python package of this build (python), which programs that
                 import it need anyway
    none: WHY    by nobody
"""

import dataclasses
import pathlib
import re
import subprocess
import unicodedata
import uuid

FENCE = re.compile(r"^( *)(`{3,}|~{3,})\s*([\w+-]*)[^`]*$")
MARKER = re.compile(r"^ *<!-- run: (.*?) -->$")
NEEDS = ("inferno", "pprof", "python", "tensorflow")
ELSEWHERE = ("packages", "build")

# Blocks of these are commands that would escape the test.
SHELLS = ("sh", "bash", "shell", "zsh", "shell-session", "sh-session")
COMMAND_WORDS = ("$", "tfprof", "cmake", "sudo", "pip", "python", "apt",
                 "apt-get")


@dataclasses.dataclass
class Block:
    """A fenced block; line numbers count from 0, `end` is the last fence."""
    page: pathlib.Path
    language: str
    marker: str
    start: int
    end: int
    indent: str
    lines: list

    def __str__(self):
        return f"{self.page.name}:{self.start + 1}"

    @property
    def needs(self):
        """What must be there to run it here; None when nothing."""
        return self.marker.removeprefix("with ") \
            if self.marker.startswith("with ") else None

    @property
    def runs_here(self):
        return not self.marker or self.needs is not None

    def complaint(self):
        """What is wrong with how the block is written; None when nothing."""
        known = not self.marker or self.marker in ELSEWHERE or \
            self.needs in NEEDS or re.fullmatch(r"none: .{5,}", self.marker)
        if not known:
            return f"unknown marker: {self.marker}"
        if self.marker:
            return None
        if self.language in SHELLS:
            return f"{self.language}: write a `console` block with `$ `"
        first = next((line for line in self.lines if line.strip()), "")
        if not self.language and first.split(" ")[0] in COMMAND_WORDS:
            return "commands in a block without a language: `console`"
        if self.language == "console" and not first.startswith("$ "):
            return "a `console` block begins with `$ COMMAND`"
        return None


@dataclasses.dataclass
class Command:
    """A command of a dialogue, and the lines that it prints."""
    text: str
    written: list   # the lines as they stand on the page, with `$ `
    expected: list
    checked: bool   # its status is shown by the next command


def commands(block):
    """The dialogue of a `console` block."""
    found = []
    lines = iter(block.lines)
    for line in lines:
        if not line.startswith("$ "):
            if found:
                found[-1].expected.append(line)
            continue
        written = [line]
        while written[-1].endswith("\\"):
            written.append(next(lines, ""))
        found.append(Command("\n".join(written)[2:], written, [], False))
    for command, after in zip(found, found[1:]):
        command.checked = after.text == "echo $?"
    return found


def blocks(path, text=None):
    """All fenced blocks of a page, in order."""
    found, opened, before = [], None, ["", ""]
    lines = (path.read_text("utf-8") if text is None else text).split("\n")
    for number, line in enumerate(lines):
        fence = FENCE.match(line)
        if opened is None and fence:
            near = before[-1] or before[-2]
            marker = MARKER.match(near)
            opened = Block(path, fence[3], marker[1] if marker else "",
                           number, -1, fence[1], [])
            mark = fence[2]
        elif opened and fence and fence[2].startswith(mark) and not fence[3]:
            opened.end = number
            found.append(opened)
            opened = None
        elif opened:
            opened.lines.append(line.removeprefix(opened.indent))
        before.append(line)
    assert opened is None, f"{opened}: the block has no end"
    return found


def converse(texts, words=("bash", "--norc", "-s"), before="", **how):
    """Runs commands one after the other in one shell, which `words` start.

    For each the lines that it printed, and its exit status. `before` is run
    first, and `how` is for subprocess.run().
    """
    token = uuid.uuid4().hex
    script = [before, "status=0"]
    for text in texts:
        # The status of the one before is there to be asked for. Standard
        # input is the script, so that a command must not read it.
        script += ["(exit $status)", f"{{ {text}", "} </dev/null 2>&1",
                   "status=$?", f"printf '{token}%d\\n' $status"]
    done = subprocess.run(words, input="\n".join(script) + "\n", text=True,
                          encoding="utf-8", errors="backslashreplace",
                          capture_output=True, check=False, **how)
    parts = re.split(token + r"(\d+)\n", done.stdout)
    whole = len(parts) == 2 * len(texts) + 1 and not done.stderr
    assert whole, f"the shell said:\n{done.stdout}{done.stderr}"
    return [(printed.removesuffix("\n").split("\n") if printed else [],
             int(status)) for printed, status in zip(parts[::2], parts[1::2])]


def trimmed(lines):
    """Without empty lines at the end: in a block they are layout."""
    lines = list(lines)
    while lines and not lines[-1]:
        lines.pop()
    return lines


def matches(expected, printed):
    """Whether lines are those expected, `...` being any number of them."""
    expected, printed = trimmed(expected), trimmed(printed)
    places = {0}
    for line in expected:
        if line == "...":
            places = set(range(min(places), len(printed) + 1))
        else:
            places = {at + 1 for at in places
                      if at < len(printed) and printed[at] == line}
        if not places:
            return False
    return len(printed) in places


def renewed(expected, printed):
    """What to write in the place of lines that are no longer true.

    As many lines as stood before and behind the first and the last `...` are
    kept; `...5` in a new page asks for the first five.
    """
    short = re.fullmatch(r"\.\.\.(\d+)", expected[0]) if expected else None
    if short:
        head, tail = int(short[1]), 0
    elif "..." in expected:
        head = expected.index("...")
        tail = expected[::-1].index("...")
    else:
        return printed
    if head + tail >= len(printed):
        return printed
    return [*printed[:head], "...", *printed[len(printed) - tail:]]


# ---- Titles and links ------------------------------------------------------

TITLE = re.compile(r"^#{1,6} +(.*?)(?: +#+)?$")
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?"
                  r"(?:\s+\"[^\"]*\")?\)")
REFERENCE = re.compile(r"^\[[^\]]+\]: +<?([^\s>]+)>?")
HTML = re.compile(r"<(?:a|img)\b[^>]*?\b(?:href|src)=\"([^\"]+)\"")
HTML_ID = re.compile(r"<[^>]*\b(?:id|name)=\"([^\"]+)\"")


def prose(path):
    """The lines of a page outside of its blocks, code within them removed."""
    lines = path.read_text("utf-8").split("\n")
    for block in blocks(path):
        for number in range(block.start, block.end + 1):
            lines[number] = ""
    return lines


def plain(title):
    """A title as it is read: without code marks, links and emphasis."""
    title = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", title)
    return re.sub(r"`|\*\*?", "", title)


def anchor_github(title):
    text = "".join(c for c in plain(title).strip().lower()
                   if c in "-_ " or unicodedata.category(c)[0] in "LN")
    return text.replace(" ", "-")


def anchor_mkdocs(title):
    text = unicodedata.normalize("NFKD", plain(title))
    text = text.encode("ascii", "ignore").decode()
    text = re.sub(r"[^\w\s-]", "", text).strip().lower()
    return re.sub(r"[-\s]+", "-", text)


def anchors(path):
    """The anchors that a page has both on GitHub and on the site."""
    lines = prose(path)
    titles = [match[1] for match in map(TITLE.match, lines) if match]
    sets = []
    for rule, joint in ((anchor_github, "-"), (anchor_mkdocs, "_")):
        seen, names = {}, set()
        for title in titles:
            name = rule(title)
            count = seen.get(name, 0)
            seen[name] = count + 1
            names.add(f"{name}{joint}{count}" if count else name)
        sets.append(names)
    ids = {found for line in lines for found in HTML_ID.findall(line)}
    return (sets[0] & sets[1]) | ids


def links(path):
    """(line number, target) of every link and image of a page."""
    for number, line in enumerate(prose(path), 1):
        line = re.sub(r"(`+)(?!`).+?(?<!`)\1(?!`)",
                      lambda found: "x" * len(found[0]), line)
        for pattern in (LINK, REFERENCE, HTML):
            for target in pattern.findall(line):
                yield number, target
