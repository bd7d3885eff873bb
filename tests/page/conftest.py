"""Pages in a real browser: chromium, driven by Playwright.

Without them, which tools/setup installs, these tests skip; with CI=true they
fail.
"""

import os
import pathlib
import statistics
import time

import chromium
import page_data
import pytest
import sample
from saying import pytest_terminal_summary, say  # noqa: F401

TEMPLATE = pathlib.Path(os.environ["TFPROF_PAGE"])


@pytest.fixture(scope="session")
def browser():
    with chromium.started() as running:
        yield running


class Opened:
    """A page in a tab of the browser, with what it asked for and reported."""

    def __init__(self, browser, file, tab="", **options):
        options.setdefault("viewport", {"width": 1200, "height": 900})
        self.context = browser.new_context(**options)
        self.page = self.context.new_page()
        self.requests, self.messages = [], []
        self.page.on("request", lambda r: self.requests.append(r.url))
        self.page.on("console", self.note)
        self.page.on("pageerror", lambda e: self.messages.append(str(e)))
        self.page.on("dialog", self.dismiss)
        self.file = file
        self.page.goto(file.as_uri() + (f"#{tab}" if tab else ""))
        self.page.wait_for_selector("body[data-ready]", state="attached",
                                    timeout=120000)

    def note(self, message):
        # Reading pixels is done by these tests alone.
        if "getImageData" not in message.text:
            self.messages.append(message.text)

    def dismiss(self, dialog):
        self.messages.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def close(self):
        """Ends the test of a page: it used no other file and had no errors."""
        self.context.close()
        addresses = {url.partition("#")[0] for url in self.requests}
        assert addresses == {self.file.as_uri()}
        assert self.messages == []

    # ---- What a tab shows

    def panel(self, selector=""):
        return self.page.locator(f"[role=tabpanel]:not([hidden]) {selector}".strip())

    def texts(self, selector):
        return self.panel(selector).all_inner_texts()

    def rows(self):
        """The rows of the first table in sight, as lists of texts."""
        return [row.locator("td").all_text_contents()
                for row in self.panel(".scroller").first
                .locator("tbody tr").all()]

    def column(self, at):
        return [row[at] for row in self.rows()]

    def header(self, title):
        return self.panel("th").filter(
            has=self.page.locator(f'button:text-is("{title}")'))

    def place(self, x, y):
        """A place in the picture: x from 0 to 1, y in pixels."""
        box = self.panel("canvas").bounding_box()
        return box["x"] + x * box["width"], box["y"] + y

    def click(self, x, y):
        self.page.mouse.click(*self.place(x, y))

    def hover(self, x, y):
        self.page.mouse.move(*self.place(x, y))
        return self.page.locator(".tooltip").inner_text()

    def pixel(self, x, y):
        """The color at a place of the picture, as #rrggbb."""
        return self.panel("canvas").evaluate("""(canvas, [x, y]) => {
            const ratio = canvas.width / canvas.clientWidth;
            const at = Math.floor(x * canvas.clientWidth * ratio);
            const [r, g, b] = canvas.getContext("2d")
                .getImageData(at, Math.floor(y * ratio), 1, 1).data;
            return "#" + [r, g, b]
                .map((c) => c.toString(16).padStart(2, "0")).join("");
        }""", [x, y])

    def image(self):
        """The pixels of the picture, without the mark of the pointer."""
        self.page.mouse.move(2, 2)
        return self.panel("canvas").evaluate("(c) => c.toDataURL()")

    def search(self, text):
        """The result. The page waits for the next key; when it has searched, it
        tells whether the text was a pattern."""
        box = self.panel(".search input")
        box.evaluate("(input) => input.removeAttribute('aria-invalid')")
        box.fill(text)
        self.panel(".search input[aria-invalid]").wait_for()
        return self.panel(".search output").inner_text()

    def wait_for_pixel(self, x, y, color):
        """The page draws anew some time after its colors have changed."""
        until = time.monotonic() + 60
        while self.pixel(x, y) != color and time.monotonic() < until:
            self.page.wait_for_timeout(20)
        assert self.pixel(x, y) == color

    def timing(self, name):
        return self.page.evaluate(f"window.tfprof.{name}")

    def redraws(self, times=11):
        """The median of the time of so many drawings, in milliseconds."""
        took = []
        for i in range(times):
            self.page.set_viewport_size(
                {"width": 1200 + i % 2, "height": 900})
            self.page.evaluate("new Promise((r) => requestAnimationFrame("
                               "() => requestAnimationFrame(r)))")
            took.append(self.timing("redraw"))
        return statistics.median(took)


@pytest.fixture
def write(tmp_path):
    """Writes a page of chunks and returns its path."""
    def write_page(chunks, name="page.html", title="page"):
        file = tmp_path / name
        file.write_text(page_data.page(TEMPLATE, chunks, title),
                        encoding="utf-8")
        return file
    return write_page


@pytest.fixture
def opened(browser):
    """Opens pages, and asks of each at the end that it was quiet."""
    pages = []

    def open_page(file, tab="", **options):
        pages.append(Opened(browser, file, tab, **options))
        return pages[-1]

    yield open_page
    for page in pages:
        page.close()


@pytest.fixture
def report(write):
    """The file of a small page with every tab."""
    return write(sample.report(), title="sample <report> & more")
