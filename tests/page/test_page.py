"""The page around its trees: tabs, other tabs, hostile names, looks."""

import re

import pytest
import sample
from page_data import Strings, chunk, tree_chunk

TABS = ["Summary", "Scopes", "Operation types", "Code", "Graph", "Memory",
        "Steps", "Kernels", "Devices", "Diff"]
IDS = ["summary", "scope", "op", "code", "graph", "memory", "steps",
       "kernels", "devices", "diff"]


# ---- Tabs

def test_tabs_follow_keys_and_address(opened, report):
    page = opened(report)
    tabs = page.page.get_by_role("tab")
    assert tabs.all_inner_texts() == TABS
    assert page.page.get_by_role("tab", selected=True).inner_text() == "Summary"
    tabs.first.focus()
    page.page.keyboard.press("ArrowRight")
    assert page.page.get_by_role("tab", selected=True).inner_text() == "Scopes"
    assert page.page.url.endswith("#scope")
    page.page.keyboard.press("End")
    assert page.page.url.endswith("#diff")
    page.page.go_back()
    assert page.page.get_by_role("tab", selected=True).inner_text() == "Scopes"
    page.page.go_back()
    assert page.page.get_by_role("tab", selected=True).inner_text() == "Summary"
    assert page.panel().count() == 1


def test_view_has_no_list_of_tabs(opened, write):
    page = opened(write(sample.scope_page(shows="scope")))
    assert page.page.get_by_role("tab").count() == 0


def test_head_shows_title_inputs_and_notes(opened, report):
    page = opened(report)
    assert page.page.title() == "sample <report> & more"
    assert page.page.locator("h1").inner_text() == "sample"
    assert page.page.locator("#made").inner_text() == \
        "graph.pb, run · tfprof 1.2.0"
    assert page.page.locator("#notes").inner_text() == \
        "12,345 rows were left out."


# ---- Other tabs

def test_summary_is_shown(opened, report):
    page = opened(report)
    text = page.panel().inner_text()
    for part in ("830.00us", "2 steps, 830.00us to 919.00us", "2.64 MFLOP", "per step",
                 "50.94k", "54.02KB", "CPU:1 mklcpu", "gradients", "159us",
                 "43.2%", "MatMul takes 31.5% of operation time. Try: narrower layers", "CPU:1\n206.50us",
                 "tfprof advise graph.pb"):
        assert part in text
    page.panel("a:text-is('Operation types')").click()
    assert page.page.url.endswith("#op")


def test_flat_tree_lists_types(opened, report):
    page = opened(report, "op")
    assert page.texts("th") == ["Name", "time", "%"]
    assert page.rows()[1] == ["MatMul", "500us", "50.0%"]


def test_graph_walks_to_neighbors(opened, report):
    page = opened(report, "graph")
    assert page.panel(".center .leaf").inner_text() == "tower/MatMul"
    assert page.texts(".inputs .leaf") == ["head/w"]
    assert page.texts(".outputs .leaf") == ["tower/Relu"]
    assert page.panel(".edges path").count() == 2
    page.panel(".outputs .node").click()
    assert page.panel(".center .leaf").inner_text() == "tower/Relu"
    assert page.texts(".outputs .leaf") == ["tower/MatMul_1"]
    page.panel(".finder input").fill("no such node")
    assert page.panel(".results li").inner_text() == (
        "no node with edges has this name")
    page.panel(".finder input").fill("LOSS")
    page.panel(".results button").click()
    assert page.panel(".center .leaf").inner_text() == "loss"
    assert page.texts(".outputs p") == ["no outputs"]


def test_peak_of_memory_shows_its_live_set(opened, report):
    page = opened(report, "memory")
    assert page.panel("h2").inner_text() == "Live at 1.00us: 4.00MB"
    assert page.rows() == [["tower/MatMul", "3.00MB", "75.0%"],
                           ["head/w", "1.00MB", "25.0%"]]
    page.panel("circle").nth(1).click()
    assert page.panel("h2").inner_text() == "Live at 3.00us: 3.00MB"
    assert page.rows() == [["loss", "3.00MB", "100.0%"]]
    page.page.keyboard.press("Tab")
    page.panel("circle[tabindex='0']").focus()
    page.page.keyboard.press("ArrowLeft")
    assert page.panel("h2").inner_text() == "Live at 1.00us: 4.00MB"
    page.panel("select").select_option("1")
    assert page.panel("h2").inner_text() == "Live at 1.00us: 4.00KB"


def test_steps_are_bars_with_their_busy_share(opened, report):
    page = opened(report, "steps")
    assert page.panel("p").first.inner_text() == "Times of two steps."
    assert page.rows() == [
        ["0", "75.0%", "CPU:0", "800.00us", "600.00us", "200.00us", "?"],
        ["1", "25.0%", "CPU:0", "1.60ms", "400.00us", "1.20ms", "5.00us"]]
    widths = page.panel("td .bar").evaluate_all(
        "(bars) => bars.map((b) => [b.style.width, b.firstChild.style.width])")
    assert widths == [["50%", "75%"], ["100%", "25%"]]


def test_table_sorts_and_searches(opened, report):
    page = opened(report, "kernels")
    assert page.column(1) == ["3.00us", "2.00us", "1.00us"]
    assert page.column(2) == ["50.2%", "0", "100.0%"]
    page.header("occ. %").locator("button").click()
    assert page.column(2) == ["100.0%", "50.2%", "0"]
    page.header("kernel").locator("button").click()
    assert page.column(0) == ["gemm", "gemm", "relu_kernel"]
    assert page.search("^relu") == "1 row, 16.7%"
    assert page.column(0) == ["relu_kernel"]


def test_table_is_drawn(opened, report):
    page = opened(report, "kernels")
    # Two rows of gemm, with 3 and 2 of 6us, are below one box of that name.
    assert page.pixel(.4, 33) == page.pixel(.6, 33) == "#4d9cc9"
    assert page.pixel(.4, 55) == page.pixel(.6, 55) == "#4d9cc9"
    assert page.pixel(.9, 33) == "#eebc4d"
    assert page.hover(.9, 33).startswith("relu_kernel")
    page.click(.6, 33)
    assert page.texts(".path button") == ["total", "gemm"]
    assert page.column(1) == ["3.00us", "2.00us"]


def test_long_text_that_all_rows_share_is_shown_once(opened, write):
    strings = Strings()
    path = "/" + "folder/" * 9 + "trace.xplane.pb"
    table = chunk({"kind": "table", "id": "steps", "title": "Steps"}, [
        ({"name": "step", "title": "step", "type": "integer"}, [0, 1, -1]),
        ({"name": "trace", "title": "trace", "type": "string"},
         [strings(path)] * 3)])
    page = opened(write([sample.head(shows="steps"), table, strings.chunk()]))
    assert page.texts("th") == ["step"]
    assert page.texts("p") == ["trace " + path]
    assert page.column(0) == ["0", "1", "rest"]


def test_diff_has_colors_signs_and_hatching(opened, report):
    page = opened(report, "diff")
    assert page.column(0) == ["tower", "extra", "all operations", "head"]
    assert page.rows()[0] == ["tower", "changed", "−200us", "−33.3%", "600us",
                              "400us"]
    assert page.rows()[1][1:4] == ["added", "+200us", "new"]
    # Widths: tower 600, head 500, extra 200.
    assert page.pixel(.40, 33) == "#4d9cc9"
    assert page.pixel(.80, 33) == "#f0b98f"
    added = {page.pixel(.93 + i / 1200, 33) for i in range(24)}
    assert "#e28e4d" in added and len(added) > 1
    assert "from 600us to 400us, −33.3%" in page.panel("canvas").evaluate(
        """(canvas) => { canvas.focus(); for (const key of
            ["ArrowDown", "ArrowDown"]) canvas.dispatchEvent(
            new KeyboardEvent("keydown", { key }));
            return canvas.parentNode.querySelector(".unseen").textContent; }""")
    assert page.texts(".legend li") == [
        "+ more than the base", "− less than the base", "added", "removed",
        "unchanged"]


def test_missing_tabs_say_what_to_do(opened, report):
    page = opened(report)
    page.page.get_by_role("tab", name="Devices").click()
    assert "Record a trace" in page.panel(".empty").inner_text()


# ---- Hostile names

HOSTILE = [
    "</script><img src=x onerror=alert(1)>",
    "<!--", "<script>alert(2)</script>", "&lt;b&gt;", "javascript:alert(3)",
    "\" onmouseover=\"alert(4)", "\u202egnp.exe", "\u2066isolated", "a\x01b\x7f",
    "__proto__", "constructor", "שלום", "é漢字🙂", "x" * 3000,
]


def shown(name):
    """A name as the page writes it: hidden characters are visible."""
    return re.sub("[\x00-\x1f\x7f\u202e\u2066]",
                  lambda m: f"\\u{ord(m[0]):04x}", name)


def hostile_page(strings):
    rows = [{"depth": 0, "name": "root"}]
    rows += [{"depth": 1, "name": name, "type": name, "file": name,
              "function": name, "text": name, "line": 1,
              "self": {("micros", -1): 100 + i}}
             for i, name in enumerate(HOSTILE)]
    tree = tree_chunk(strings, rows, [("micros", HOSTILE[0], "us")], "micros",
                      id="scope", title=HOSTILE[0])
    numbers = [strings(name) for name in HOSTILE]
    return [
        sample.head(title=HOSTILE[0], program=HOSTILE[0], made_of=HOSTILE,
                    notes=HOSTILE, shows="scope"),
        chunk({"kind": "summary", "answer": {
            "scopes": [{"name": n, "micros": 1, "share": .1} for n in HOSTILE],
            "advice": {"about": HOSTILE[0], "try": HOSTILE[2]},
            "next": HOSTILE}}, []),
        tree,
        chunk({"kind": "graph"}, [({"name": "from"}, [1, 2, 3]),
                                  ({"name": "to"}, [2, 3, 1])]),
        chunk({"kind": "curve", "id": "memory", "device": HOSTILE[0],
               "peaks": [{"row": 1, "live": [{"name": n, "bytes": 5}
                                             for n in HOSTILE]}]},
              [({"name": "time"}, [0, 1, 2]), ({"name": "bytes"}, [0, 9, 1])]),
        chunk({"kind": "table", "id": "kernels", "title": HOSTILE[0],
               "note": HOSTILE[0]},
              [({"name": "kernel", "title": HOSTILE[0], "type": "string"},
                numbers)]),
        chunk({"kind": "diff", "title": HOSTILE[0], "metrics": [
            {"id": "micros", "title": HOSTILE[0], "unit": "us"}]}, [
            ({"name": "depth"}, [0] + [1] * len(numbers)),
            ({"name": "name", "type": "string"}, [0, *numbers]),
            ({"name": "state", "type": "string"}, [0, *numbers]),
            ({"name": "base", "metric": "micros"}, [9] * (len(numbers) + 1)),
            ({"name": "new", "metric": "micros"}, [8] * (len(numbers) + 1))]),
        strings.chunk()]


def test_hostile_names_stay_text(opened, write):
    page = opened(write(hostile_page(Strings()), title=HOSTILE[0]))
    assert page.page.title() == HOSTILE[0]
    assert page.page.locator("h1").inner_text() == HOSTILE[0]
    for tab in page.page.get_by_role("tab").all():
        tab.click()
        assert page.panel().count() == 1
        assert page.page.locator("img, iframe, object").count() == 0
        assert page.page.locator("script").count() == 1
    page.page.get_by_role("tab").nth(1).click()
    names = page.column(0)
    for name in HOSTILE[:-1]:
        assert shown(name) in names
    for x in range(2, 100, 7):
        page.hover(x / 100, 33)
    page.click(.3, 33)
    assert page.search("onerror") == "1 row, " + page.search("onerror")[7:]


def test_names_do_not_turn_the_text_around_them(opened, write):
    page = opened(write(hostile_page(Strings())))
    assert page.panel("tbody bdi").evaluate_all(
        "(all) => all.every((e) => getComputedStyle(e).unicodeBidi"
        " === 'isolate')")


def test_policy_refuses_other_scripts_and_requests(browser, report):
    context = browser.new_context()
    page = context.new_page()
    refused = []
    page.on("console", lambda m: refused.append(m.text))
    page.goto(report.as_uri())
    ran = page.evaluate("""async () => {
        const script = document.createElement("script");
        script.textContent = "window.ran = true";
        document.body.append(script);
        const fetched = await fetch("https://example.invalid/")
            .then(() => true, () => false);
        return [window.ran, fetched];
    }""")
    context.close()
    assert ran == [None, False]
    assert len([text for text in refused
                if "Content Security Policy" in text]) >= 2


# ---- Looks

def test_page_fits_the_window(opened, report):
    """A small one from the start, and one that grows and shrinks."""
    page = opened(report, viewport={"width": 360, "height": 800})
    for width in (360, 2560, 1400, 768):
        page.page.set_viewport_size({"width": width, "height": 800})
        for tab in page.page.get_by_role("tab").all():
            tab.click()
            page.page.evaluate("new Promise((r) => requestAnimationFrame("
                               "() => requestAnimationFrame(r)))")
            wide = page.page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, tab.inner_text()


def test_dark_and_light_differ(opened, write):
    file = write(sample.scope_page())
    light = opened(file, color_scheme="light")
    dark = opened(file, color_scheme="dark")
    assert light.pixel(.39, 55) == "#4d9cc9"
    assert dark.pixel(.39, 55) == "#338ec1"
    dark.page.emulate_media(color_scheme="light")
    dark.wait_for_pixel(.39, 55, "#4d9cc9")


def test_paper_has_light_colors_and_no_controls(opened, report):
    page = opened(report, "scope", color_scheme="dark")
    page.page.emulate_media(media="print")
    page.wait_for_pixel(.39, 55, "#4d9cc9")
    assert not page.panel(".controls").is_visible()
    assert page.panel(".legend .swatch").first.evaluate(
        "(e) => getComputedStyle(e).backgroundColor") == "rgb(77, 156, 201)"
    assert page.panel("td .swatch").nth(2).evaluate(
        "(e) => getComputedStyle(e).backgroundColor") == "rgb(77, 156, 201)"
    assert page.page.evaluate(
        "getComputedStyle(document.body).backgroundColor") == \
        "rgb(255, 255, 255)"


def test_nothing_moves_for_those_who_ask(opened, report):
    page = opened(report, reduced_motion="reduce")
    assert page.page.evaluate(
        "[...document.querySelectorAll('*')].every((e) =>"
        " getComputedStyle(e).transitionDuration === '0s' &&"
        " getComputedStyle(e).animationName === 'none')")


def test_picture_has_the_pixels_of_the_screen(opened, write):
    page = opened(write(sample.scope_page()), device_scale_factor=2)
    assert page.panel("canvas").evaluate(
        "(c) => c.width === Math.round(2 * c.clientWidth)")
    assert page.pixel(.39, 55) == "#4d9cc9"


def test_damaged_data_is_reported(browser, write):
    file = write(sample.scope_page())
    text = file.read_text(encoding="utf-8")
    at = text.index('id="data">') + 40
    file.write_text(text[:at] + "AAAA" + text[at + 4:], encoding="utf-8")
    context = browser.new_context()
    page = context.new_page()
    page.goto(file.as_uri())
    page.get_by_text("This page cannot be shown: ").wait_for()
    assert page.locator("main").inner_text().startswith(
        "This page cannot be shown: ")
    context.close()
