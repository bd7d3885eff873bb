"""No file written by hand is longer than 800 lines."""

import re

LIMIT = 800
BY_HAND = re.compile(
    r"(\.(c|h|h\.in|py|sh|cmake)|(^|/)CMakeLists\.txt)$|^(tools|\.ci)/")


def check(tree):
    lines = {name: tree.text(name).count("\n") for name in tree.names
             if BY_HAND.search(name)}
    return (f"{len(lines)} files, the longest has "
            f"{max(lines.values(), default=0)} lines"), [
        f"{name}:{count}: more than {LIMIT} lines; look for a second subject"
        for name, count in lines.items() if count > LIMIT]


LINE = r"\n"
CASES = rf"""
src/a.c: {LINE * (LIMIT - 1)}
docs/a.md: {LINE * LIMIT} && tests/a.tsv: {LINE * LIMIT}
""" + "\n".join(f"{name}: {LINE * LIMIT} => {name}:{LIMIT + 1}: more"
                for name in (
    "a.c src/a.h src/a.h.in a.py a.sh a.cmake src/CMakeLists.txt CMakeLists.txt "
    "tools/a .ci/run").split())
