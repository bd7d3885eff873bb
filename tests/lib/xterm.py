"""A terminal as xterm is one. docs/images/make uses it, too."""

import pyte


class Window(pyte.Screen):
    """With what xterm can do besides, and curses uses: repeat a character
    (REP), scroll a part of the screen (SU, SD)."""

    drawn = " "

    def draw(self, data):
        super().draw(data)
        self.drawn = data[-1:] or self.drawn

    def repeat(self, count=1):
        self.draw(self.drawn * count)

    def at_top(self, move, count):
        x, y = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        move(count)
        self.cursor.x, self.cursor.y = x, y

    def scroll_up(self, count=1):
        self.at_top(self.delete_lines, count)

    def scroll_down(self, count=1):
        self.at_top(self.insert_lines, count)


MORE = {"b": "repeat", "S": "scroll_up", "T": "scroll_down"}


class Stream(pyte.ByteStream):
    csi = {**pyte.ByteStream.csi, **MORE}
    events = pyte.ByteStream.events | set(MORE.values())
