"""What the checks of sources share: the files of the tree, C text without its
comments, and the names that headers declare."""

import collections
import functools
import os
import pathlib
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent


class Tree:
    """The texts of the repository by their paths, each read once; or those of
    planted files instead."""

    def __init__(self, planted=None):
        self.planted = planted is not None
        self.texts = dict(planted or {})
        self.names = sorted(self.texts if self.planted else listed_files())

    def text(self, name):
        if name not in self.texts:
            self.texts[name] = (ROOT / name).read_text("utf-8", "replace")
        return self.texts[name]

    def write(self, name, text):
        self.texts[name] = text
        if not self.planted:
            (ROOT / name).write_text(text, "utf-8")

    def c_files(self, *folders):
        """The .c and .h files below the folders."""
        return [name for name in self.names
                if name.endswith((".c", ".h")) and inside(name, folders)]


def inside(name, folders):
    return name.startswith(tuple(folder + "/" for folder in folders))


def listed_files():
    """Paths of the files that git tracks or would track, or of all files where
    there is no git."""
    if not (ROOT / ".git").exists():
        return {path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*")
                if path.is_file()}
    out = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout
    return {name for name in out.split("\0") if (ROOT / name).is_file()}


TOKEN = re.compile(
    r"""(?P<comment>/\*.*?(?:\*/|\Z)|//(?:\\\n|[^\n])*)"""
    r"""|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')"""
    r"""|\#(?:[ \t]|\\\n|/\*.*?\*/)*include\b"""
    r"""(?P<included>(?:[^\n/]|/(?![/*]))*)""",
    re.DOTALL,
)


@functools.cache
def tokens(text):
    """Matches of TOKEN: comments, strings, #include lines up to a comment."""
    return list(TOKEN.finditer(text))


def included(text):
    """(target, line) of each #include, the target with its marks."""
    return [(match["included"].strip(), line_of(text, match.start()))
            for match in tokens(text) if match["included"] is not None]


@functools.cache
def code_only(text):
    """The text with comments, strings and #include lines turned to spaces;
    positions stay."""
    code, end = [], 0
    for match in tokens(text):
        blank = "\n".join(" " * len(line) for line in match[0].split("\n"))
        code += text[end:match.start()], blank
        end = match.end()
    return "".join(code) + text[end:]


def line_of(text, position):
    return text.count("\n", 0, position) + 1


NAME = r"(?:tfp|TFP|tfprof|TFPROF)_\w+"
MACRO = re.compile(rf"^[ \t]*#[ \t]*define[ \t]+({NAME})", re.MULTILINE)
DECLARATIONS = [
    re.compile(pattern, re.MULTILINE)
    for pattern in (
        # The end of a typedef with a body; a typedef of another name.
        rf"^\}} ({NAME});",
        rf"^typedef (?!struct|enum|union)[^;{{}}()]*\b({NAME});",
        r"^typedef [^;{}()]*\b(tfp\w+)\(",
        rf"^typedef TFP_VEC\([^;]*\) ({NAME});",
        # A function; an object that is defined elsewhere.
        rf"^(?!typedef)\w[\w \t*]*\b({NAME})\([^;{{}}]*\)[\w\s(),]*[;{{]",
        rf"^extern [^;(){{}}]*?\b({NAME})(?:\[[^\]]*\])*;",
    )
]
ENUM = re.compile(r"\benum\s*\w*\s*\{([^{}]*)\}")
ENUMERATOR = re.compile(rf"(?:^|,)\s*({NAME})\s*(?==|,|$)")


def family(names):
    """What the enumerators of one enum all begin with, if it says something:
    TFP_COST_, but not TFP_."""
    start = os.path.commonprefix(names)
    start = start[:start.rfind("_") + 1]
    return start if len(names) > 1 and start.count("_") > 1 else None


def declarations(text):
    """The names of a header, with their positions, and families as names."""
    names = {}
    for match in MACRO.finditer(text): # one may stand in each branch of an #if
        if not match[1].endswith("_H"):
            names[match[1], "macro"] = match.start()
    found = [(name, start) for (name, _), start in names.items()]
    for pattern in DECLARATIONS:
        found += [(match[1], match.start()) for match in pattern.finditer(text)]
    families = {}
    for body in ENUM.finditer(text):
        enumerators = ENUMERATOR.findall(body[1])
        found += [(name, body.start()) for name in enumerators]
        if family(enumerators):
            families[family(enumerators) + "*"] = body.start()
    return found + list(families.items())


def declared(tree, *folders):
    """Name: (header, position) of each declaration in the folders."""
    places = collections.defaultdict(list)
    for path in tree.c_files(*folders):
        if path.endswith(".h"):
            for name, position in declarations(code_only(tree.text(path))):
                places[name].append((path, position))
    return places
