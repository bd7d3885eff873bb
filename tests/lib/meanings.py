"""docs/messages.tsv: each message of the program, with its cause and remedy."""

from program import SOURCE_DIR

HOLE = "…"  # stands for a value
HEAD = ["message", "cause", "remedy"]


def rows():
    """The columns of each row. A row without a cause and a remedy has those of
    the row above it."""
    text = (SOURCE_DIR / "docs" / "messages.tsv").read_text()
    head, *found = [line.split("\t") for line in text.splitlines()]
    assert head == HEAD
    assert [row for row in found if len(row) != len(HEAD)] == []
    return found


def complete_rows():
    """With the cause and the remedy of each."""
    found = []
    for message, *meaning in rows():
        found.append((message, *(meaning if meaning[0] else found[-1][1:])))
    return found
