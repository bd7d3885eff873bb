"""What the checking scripts share: C text without its comments, the files
of the tree, and the report."""

import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

_TOKEN = re.compile(
    r"""(?P<comment>/\*.*?(?:\*/|\Z)|//(?:\\\n|[^\n])*)"""
    r"""|(?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')""",
    re.DOTALL,
)
_INCLUDE = re.compile(r"^[ \t]*#[ \t]*include\b[^\n]*", re.MULTILINE)


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def without_comments(text):
    """The text with comments turned to spaces; lines keep their numbers."""
    return _TOKEN.sub(
        lambda m: _blank(m[0]) if m["comment"] is not None else m[0], text
    )


def code_only(text):
    """As above, with strings, characters and #include lines blank too."""
    text = _TOKEN.sub(lambda m: _blank(m[0]), text)
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


def main(name, check, bad=(), good=()):
    """Run check(root) -> (summary, violations) over the tree.

    With --self-test instead: every file of `bad` (path -> text) must be
    refused when it stands alone in a tree, every file of `good` accepted.
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
                (root / path).parent.mkdir(parents=True)
                (root / path).write_text(text)
                violations = check(root)[1]
            if bool(violations) != expected:
                verb = "accepts" if expected else "refuses"
                print(f"{name}: {verb} {path}: {text!r}", file=sys.stderr)
                wrong += 1
    print(f"{name}: self-test, {len(bad)} bad and {len(good)} good cases, "
          f"{wrong} judged wrongly")
    return 1 if wrong else 0
