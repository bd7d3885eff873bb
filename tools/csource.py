"""What the checking scripts share: C text without its comments, the names that
headers declare, the files of the tree, and the report."""

import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

TOKEN = re.compile(
    r"""(?P<comment>/\*.*?(?:\*/|\Z)|//(?:\\\n|[^\n])*)"""
    r"""|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.DOTALL,
)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*", re.MULTILINE)


def tokens(text):
    """Matches of TOKEN outside of #include lines."""
    return TOKEN.finditer(_INCLUDE.sub(lambda m: _blank(m[0]), text))


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """The text with comments turned to spaces; lines keep their numbers."""
    return TOKEN.sub(
        lambda m: _blank(m[0]) if m["comment"] is not None else m[0], text
    )


def code_only(text):
    """As above, with strings, characters and #include lines blank too."""
    text = TOKEN.sub(lambda m: _blank(m[0]), text)
    return _INCLUDE.sub(lambda m: _blank(m[0]), text)


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def c_files(root, *folders):
    """Every .c and .h below the folders of root, in a fixed order."""
    return sorted(
        path
        for folder in folders
        for path in (root / folder).rglob("*.[ch]")
        if path.is_file()
    )


def listed_files(root):
    """Files that git tracks or would track, as paths relative to root."""
    out = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=root, check=True, capture_output=True, text=True,
    ).stdout
    return sorted({name for name in out.split("\0")
                   if name and (root / name).is_file()})


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


def main(name, check, bad=(), good=()):
    """Run check(root) -> (summary, violations) over the tree.

    With --self-test instead: every file of `bad` (path -> text) must be
    refused when it stands alone in a tree, every file of `good` accepted. For
    several files path is a name, and text a dict.
    """
    if bad and sys.argv[1:] == ["--self-test"]:
        return _self_test(name, check, bad, good)
    if sys.argv[1:]:
        print(f"usage: {name}{' [--self-test]' if bad else ''}",
              file=sys.stderr)
        return 2
    summary, violations = check(ROOT)
    for violation in violations:
        print(violation, file=sys.stderr)
    print(f"{name}: {summary}, {len(violations)} violations")
    return 1 if violations else 0


def _self_test(name, check, bad, good):
    wrong = 0
    for expected, cases in ((True, bad), (False, good)):
        for path, text in cases:
            with tempfile.TemporaryDirectory() as folder:
                root = pathlib.Path(folder)
                files = text if isinstance(text, dict) else {path: text}
                for file, inside in files.items():
                    (root / file).parent.mkdir(parents=True, exist_ok=True)
                    (root / file).write_text(inside)
                violations = check(root)[1]
            if bool(violations) != expected:
                verb = "accepts" if expected else "refuses"
                print(f"{name}: {verb} {path}: {text!r}", file=sys.stderr)
                wrong += 1
    print(f"{name}: self-test, {len(bad)} bad and {len(good)} good cases, "
          f"{wrong} judged wrongly")
    return 1 if wrong else 0
