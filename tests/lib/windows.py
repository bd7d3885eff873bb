"""A terminal window that can be looked at: what a program draws in it."""

import codecs
import re
import unicodedata

SEQUENCE = re.compile(r"\x1b\[([0-9;?]*)([@-~])")


def width(char):
    if unicodedata.category(char) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def layout(text, columns):
    """(rows, places): the text as rows of that many cells at most, and where
    each character, and what follows the last one, begins."""
    rows, places = [""], []
    used = 0
    for char in text:
        if used + width(char) > columns:
            rows[-1] += " " * (columns - used)
            rows.append("")
            used = 0
        places.append((len(rows) - 1, used))
        rows[-1] += char
        used += width(char)
        if used == columns:
            rows.append("")
            used = 0
    places.append((len(rows) - 1, used))
    return [row.rstrip() for row in rows], places


class Window:
    """Cells and a cursor. A character in the last column leaves the cursor
    there; the next one wraps. Rows do not wrap anew when the size changes."""

    def __init__(self, rows, columns):
        self.rows, self.columns = rows, columns
        self.cells = [[" "] * columns for _ in range(rows)]
        self.row = self.column = self.bells = 0
        self.decoder = codecs.getincrementaldecoder("utf-8")()
        self.rest = ""  # a sequence whose end has not come yet

    def resize(self, rows, columns):
        gone = max(0, self.row + 1 - rows)
        kept = self.cells[gone:gone + rows]
        kept += [[] for _ in range(rows - len(kept))]
        self.cells = [(cells + [" "] * columns)[:columns] for cells in kept]
        self.row -= gone
        self.column = min(self.column, columns - 1)
        self.rows, self.columns = rows, columns

    def text(self):
        """The rows, without blanks at their ends; "" marks the second cell of
        a wide character."""
        return ["".join(cells).rstrip() for cells in self.cells]

    def feed(self, data):
        """Bytes, as they come: characters and sequences may be cut."""
        data = self.rest + self.decoder.decode(data)
        self.rest = ""
        at = 0
        while at < len(data):
            if data[at] != "\x1b":
                self.put(data[at])
                at += 1
                continue
            found = SEQUENCE.match(data, at)
            if not found:
                self.rest = data[at:]
                assert len(self.rest) < 20, self.rest
                return
            self.obey(found[1], found[2])
            at = found.end()

    def down(self):
        self.row += 1
        if self.row == self.rows:
            self.cells = self.cells[1:] + [[" "] * self.columns]
            self.row -= 1

    def put(self, char):
        if char == "\r":
            self.column = 0
        elif char == "\n":
            self.down()
        elif char == "\b":
            self.column = max(0, min(self.column, self.columns - 1) - 1)
        elif char == "\a":
            self.bells += 1
        else:
            assert char >= " ", char
            size = width(char)
            if self.column + size > self.columns:
                self.column = 0
                self.down()
            self.cells[self.row][self.column:self.column + size] = (
                [char] + [""] * (size - 1))
            self.column += size

    def obey(self, numbers, what):
        if what == "m":
            return
        count = int(numbers or 1)
        self.column = min(self.column, self.columns - 1)
        if what == "A":
            self.row = max(0, self.row - count)
        elif what == "B":
            self.row = min(self.rows - 1, self.row + count)
        elif what == "C":
            self.column = min(self.columns - 1, self.column + count)
        elif what == "H":
            self.row = self.column = 0
        elif what == "J":
            first = 0 if numbers == "2" else self.row
            for row in range(first, self.rows):
                start = self.column if row == first and not numbers else 0
                self.cells[row][start:] = [" "] * (self.columns - start)
        else:
            raise AssertionError(f"{numbers}{what}")
