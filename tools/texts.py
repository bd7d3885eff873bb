"""What people read, passage by passage: the documentation, the help and the
messages (strings of src/), the comments of the public headers, and the strings
of the Python package. A passage is a paragraph, a list item, a table cell, a
string or a comment, without code and markup."""

import ast
import collections
import pathlib
import re

import csource

# Stands for a code span, a value that is filled in, or a link's address.
CODE = "`"


class Passage(collections.namedtuple("Passage", "path kind text raw begun")):
    """text is raw, which begins in line `begun`, with single spaces."""

    def line(self, position):
        words = list(re.finditer(r"\S+", self.raw))
        word = words[self.text[:position].count(" ")]
        return self.begun + self.raw[:word.start()].count("\n")


_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
FENCE = re.compile(r"^([ \t]*)(```+|~~~+).*?^[ \t]*\2[ \t]*$",
                    re.DOTALL | re.MULTILINE)
_SPAN = re.compile(r"(`+)(?:[^`\n]|\n(?!\n))+?\1")
_ADDRESS = re.compile(r"\]\([^)]*\)|<https?://[^>\s]*>")
_ITEM = re.compile(r"^[ \t]*(?:[-*+]|\d+\.)[ \t]+")


def _without(pattern, text, by=""):
    """Matches become `by`; their line ends stay."""
    return pattern.sub(lambda m: by + "\n" * m[0].count("\n"), text)


def of_markdown(text):
    """(line, raw text) of paragraphs, items, cells and headings."""
    text = _without(_COMMENT, text)
    text = _without(FENCE, text)
    text = _without(_SPAN, text, CODE)
    text = _without(_ADDRESS, text, "]").replace("[", "").replace("]", "")
    text = text.replace("**", "")
    begun, lines = 1, []
    for number, line in enumerate([*text.split("\n"), ""], 1):
        table = line.lstrip().startswith("|")
        ends = not line.strip() or table or line.startswith("#")
        if ends or _ITEM.match(line):
            if lines:
                yield begun, "\n".join(lines)
            lines = []
        if table:
            for cell in line.strip().strip("|").split("|"):
                yield number, cell
        elif line.startswith("#"):
            yield number, line.lstrip("#")
        elif line.strip():
            if not lines:
                begun = number
                line = _ITEM.sub("", line, count=1)
            lines.append(line.replace("> ", "", 1))


_CONVERSION = re.compile(r"%[-+ #0]*(?:\d+|\*)?(?:\.(?:\d+|\*))?"
                         r"(?:hh|h|ll|l|z|j|t)?[a-zA-Z]")
_ESCAPE = re.compile(r"\\(?:[0-7]{1,3}|x[0-9a-fA-F]+|.)")


def strings_of_c(text):
    """(line, raw text); neighboring strings are one, as they are in C."""
    begun, raw, end = 0, "", 0
    for match in csource.tokens(text):
        if not (match["string"] or "").startswith('"'):
            continue
        between = text[end:match.start()]
        inside = _CONVERSION.sub(CODE, match[0][1:-1]).replace("%%", "%")
        inside = inside.replace(r"\"", '"').replace(r"\n", " ")
        inside = _ESCAPE.sub(" ", inside)
        if raw and not between.strip():
            raw += "\n" * between.count("\n") + inside
        else:
            if raw:
                yield begun, raw
            begun, raw = csource.line_of(text, match.start()), inside
        end = match.end()
    if raw:
        yield begun, raw


def comments_of_c(text):
    """(line, raw text) of each paragraph of a comment."""
    for match in csource.tokens(text):
        if match["comment"] is None:
            continue
        raw = re.sub(r"(?m)^[ \t]*\*(?!/)|/\*+|\*+/|//", "", match[0])
        line = csource.line_of(text, match.start())
        for part in re.split(r"\n[ \t]*\n", raw):
            yield line, part
            line += part.count("\n") + 2


def _strings(node):
    """(line, value) of each string; what is filled in is CODE."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.lineno, node.value
    elif isinstance(node, ast.JoinedStr):
        yield node.lineno, "".join(
            part.value if isinstance(part, ast.Constant) else CODE
            for part in node.values)
    else:
        for child in ast.iter_child_nodes(node):
            yield from _strings(child)


def strings_of_python(text):
    """(line, raw text) of each paragraph of a string, docstrings included."""
    for line, value in _strings(ast.parse(text)):
        for part in re.split(r"\n[ \t]*\n", value):
            yield line, re.sub(r"`+[^`]*`+", CODE, part)
            line += part.count("\n") + 2


def of_table(text):
    """(line, raw text) of each column of tab-separated values."""
    for number, line in enumerate(text.split("\n"), 1):
        for cell in line.split("\t"):
            yield number, cell


HELP = re.compile(r"src/(options/(table|texts)\.c|model/metrics\.h|"
                  r"cli/(help|help_text|table|topics|commands)\.c|manual/.*)$")


def kind_of(name):
    """What a file has to read and how to find it, or None."""
    suffix = pathlib.PurePath(name).suffix
    if name.startswith("tests/golden/"):
        return None
    if suffix == ".md":
        return "docs", of_markdown
    if name.startswith("src/") and suffix in (".c", ".h"):
        return "help" if HELP.match(name) else "messages", strings_of_c
    if name == "docs/messages.tsv":
        return "messages", of_table
    if name == "src/manual/options.md.in":
        return "help", of_markdown
    if name.startswith("include/"):
        return "headers", comments_of_c
    if (name.startswith(("python/tfprof/", "python/pytest_tfprof/"))
            and suffix == ".py"):
        return "python", strings_of_python
    return None


def passages(tree):
    """Every passage of the tree."""
    for name in tree.names:
        if kind_of(name):
            kind, split = kind_of(name)
            for line, raw in split(tree.text(name)):
                text = " ".join(raw.split())
                if text:
                    yield Passage(name, kind, text, raw, line)
