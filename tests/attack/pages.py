"""Pages about models with hostile names, in a browser: no error, no dialog, no
request, and the rows of JSON.

`python pages.py`; it needs chromium and Playwright.
"""

import random
import unicodedata

import attack
import chromium
from messages import CPU, node_def, record, run_of

NAMES = (
    "<script>alert(1)</script>", "</script><script>alert(2)</script>",
    "<!--", "-->", "<![CDATA[", "<img src=x onerror=alert(3)>", "&amp;", "&lt",
    "a\"b'c`d", "${alert(4)}", "__proto__", "constructor", "toString",
    "hasOwnProperty", "\u2028line", "\u202egnp.exe", "\u200b", "caf\u00e9",
    "e\u0301", "\U0001f600", "\ufeffbom", "x" * 2000, "a\tb", "a\\nb", "%s%n",
    "0", "-1", "NaN", "null", "undefined", "=1+1", "javascript:alert(5)",
    "url(http://127.0.0.1:1/x)", "total", "\u0000nul", "\u001b[31m", " ",
)
VIEWS = ("scope", "op", "graph")


# Only the rows in sight are elements, so the table is scrolled through.
COLLECT = """async (box) => {
    const names = {};
    for (let at = 0; ; at += box.clientHeight / 2) {
        box.scrollTop = at;
        for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
        for (const row of box.querySelectorAll("tbody tr"))
            names[row.getAttribute("aria-rowindex")] =
                row.cells[0].textContent;
        if (at > box.scrollHeight) return names;
    }
}"""


class Page:
    """A page in a tab, and all that it reports."""

    def __init__(self, browser, path):
        self.context = browser.new_context()
        page = self.context.new_page()
        self.said = []
        page.on("console", lambda message: self.said.append(message.text))
        page.on("pageerror", lambda error: self.said.append(str(error)))
        page.on("dialog", self.dismiss)
        page.on("request", lambda request: request.url.partition("#")[0] ==
                path.as_uri() or self.said.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector("body[data-ready]", state="attached",
                               timeout=120000)
        panel = page.locator("[role=tabpanel]:not([hidden])")
        self.names = list(panel.locator(".scroller").first.evaluate(
            COLLECT).values())

    def dismiss(self, dialog):
        self.said.append(f"dialog: {dialog.message}")
        dialog.dismiss()


def is_shown_as_is(name):
    return len(name) < 100 and name == name.strip() and not any(
        unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp", "Mn")
        for letter in name)


def attack_seed(found, browser, seed):
    chance = random.Random(seed)
    names = ["/".join(chance.sample(NAMES, chance.randrange(1, 3)))
             for _ in range(20)]
    names = [name for name in dict.fromkeys(names) if "\0" not in name]
    graph, runs = found.folder / "graph", found.folder / "runs"
    graph.write_bytes(b"".join(
        node_def(name.encode(), chance.choice(NAMES[:20]).encode())
        for name in names))
    runs.write_bytes(run_of((CPU, b"".join(
        record(name.encode(), end=i + 1) for i, name in enumerate(names)))))
    files = ("--graph_path", graph, "--run_meta_path", runs)
    for view in VIEWS:
        out = found.folder / "page.html"
        out.unlink(missing_ok=True)
        done = found.run(view, "-q", *files, "--select", "micros",
                         "--max_depth", "100",
                         "--output", f"html:outfile={out}")
        answer = found.json(view, "-q", *files, "--select", "micros",
                            "--max_depth", "100")
        if done.returncode or answer is None:
            found.fail(seed, view, done.returncode, done.stderr)
            continue
        page = Page(browser, out)
        page.context.close()
        if page.said:
            found.fail(seed, view, *page.said)
        rows = [row["name"] for row in answer["rows"]]
        rows = rows if view == "op" else rows[1:]  # without the root
        if len(page.names) != 1 + len(rows):
            found.fail(seed, view, "rows", len(rows), len(page.names))
        for name in rows:
            if is_shown_as_is(name) and name not in page.names:
                found.fail(seed, view, "lacks", ascii(name))


def attack_all(found, seeds):
    with chromium.started() as browser:
        for seed in seeds:
            attack_seed(found, browser, seed)


if __name__ == "__main__":
    attack.main(lambda found, _: attack_all(found, range(20)), [])
