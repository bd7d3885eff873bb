"""Trees on the page: picture, table, zoom, search, order, metric and step."""

import sample
from page_data import Strings, tree_chunk

# Middle of a row of the icicle.
ROOT, FIRST, SECOND = 11, 33, 55

HUES = {"MatMul": "#4d9cc9", "Relu": "#eebc4d", "VariableV2": "#4dbb9d"}
SCOPE, MUTED = "#d0d9e3", "#eef1f4"


def test_boxes_are_as_wide_as_their_costs(opened, write):
    page = opened(write(sample.scope_page()))
    # tower has 700 of 1,000us, of which MatMul has 400; head follows.
    assert page.pixel(.10, FIRST) == page.pixel(.69, FIRST) == SCOPE
    assert page.pixel(.39, SECOND) == HUES["MatMul"]
    assert page.pixel(.41, SECOND) == page.pixel(.59, SECOND) == HUES["Relu"]
    assert page.pixel(.61, SECOND) == HUES["MatMul"]
    assert page.pixel(.75, SECOND) == HUES["VariableV2"]


def test_table_has_totals_shares_and_selfs(opened, write):
    page = opened(write(sample.scope_page()))
    assert page.texts("th") == [
        "Name", "time", "%", "self time", "requested bytes",
        "self requested bytes", "parameters", "self parameters"]
    rows = page.rows()
    assert rows[0] == ["total", "1.00ms", "100.0%", "0", "8.00MB", "0",
                       "52.10k", "0"]
    assert rows[1][:4] == ["tower", "700us", "70.0%", "0"]
    assert [row[0] for row in rows] == [
        "total", "tower", "tower/MatMul", "head", "tower/Relu", "head/w",
        "tower/MatMul_1", "head/tower_norm", "loss"]


def test_click_zooms_and_path_leads_back(opened, write):
    page = opened(write(sample.scope_page()))
    whole = page.image()
    page.click(.8, FIRST)  # head
    assert page.texts(".path button") == ["total", "head"]
    assert page.column(0) == ["head", "head/w", "head/tower_norm"]
    assert page.pixel(.75, FIRST) == HUES["VariableV2"]  # 200 of 250us
    zoomed = page.image()
    assert zoomed != whole
    page.panel(".path button").first.click()
    assert page.texts(".path button") == ["total"]
    assert page.image() == whole


def test_keys_walk_zoom_and_return(opened, write):
    page = opened(write(sample.scope_page()))
    page.panel("canvas").focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowDown"):
        page.page.keyboard.press(key)
    said = page.panel(".unseen")
    assert said.inner_text() == "head/w: time 200us, 20.0%, self 200us"
    page.page.keyboard.press("ArrowUp")
    assert said.inner_text() == "head: time 250us, 25.0%, self 0us"
    page.page.keyboard.press("Enter")
    assert page.texts(".path button") == ["total", "head"]
    page.page.keyboard.press("Escape")
    assert page.texts(".path button") == ["total"]


def test_tooltip_has_every_metric(opened, write):
    page = opened(write(sample.scope_page()))
    lines = page.hover(.71, SECOND).split("\n")
    assert lines[0] == "w"
    assert "in head" in lines
    assert "type VariableV2" in lines
    table = [line.split("\t") for line in lines]
    assert ["time", "200us", "20.0%", "200us"] in table
    assert ["requested bytes", "8.00MB", "100.0%", "8.00MB"] in table
    assert ["parameters", "52.10k", "100.0%", "52.10k"] in table
    page.page.keyboard.press("Escape")
    assert not page.page.locator(".tooltip").is_visible()


def test_search_counts_nested_matches_once(opened, write):
    page = opened(write(sample.scope_page()))
    # tower and its three children, and head/tower_norm: 700 + 50 of 1,000us.
    assert page.search("tower") == "5 rows, 75.0%"
    assert page.column(0) == ["tower", "tower/MatMul", "tower/Relu",
                              "tower/MatMul_1", "head/tower_norm"]
    assert page.pixel(.8, FIRST) == MUTED
    assert page.pixel(.39, SECOND) == HUES["MatMul"]
    page.click(.8, FIRST)  # in head, 50 of 250us
    assert page.panel(".search output").inner_text() == "1 row, 20.0%"
    assert page.search("tower/(MatMul|Relu)$") == "0 rows, 0.0%"
    assert page.search("(") == "not a regular expression"
    assert page.search("") == ""
    assert len(page.rows()) == 3


def test_columns_sort_both_ways(opened, write):
    page = opened(write(sample.scope_page()))
    header = page.header("requested bytes")
    assert page.header("time").get_attribute("aria-sort") == "descending"
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "descending"
    assert page.header("time").get_attribute("aria-sort") == "none"
    assert page.column(4)[:5] == ["8.00MB", "8.00MB", "8.00MB", "1.50KB",
                                  "1.00KB"]
    header.locator("button").click()
    assert header.get_attribute("aria-sort") == "ascending"
    assert page.column(4)[:3] == ["0", "0", "500B"]
    page.header("Name").locator("button").click()
    assert page.column(0) == [
        "total", "head", "head/tower_norm", "head/w", "loss", "tower",
        "tower/MatMul", "tower/MatMul_1", "tower/Relu"]


def test_metric_changes_picture_and_table(opened, write):
    page = opened(write(sample.scope_page()))
    page.panel("select").first.select_option("bytes")
    # head has nearly all bytes, and is drawn first.
    assert page.pixel(.5, SECOND) == HUES["VariableV2"]
    assert page.texts("th")[1:4] == ["requested bytes", "%",
                                     "self requested bytes"]
    assert page.rows()[1][:3] == ["head", "8.00MB", "100.0%"]
    assert page.rows()[0][1] == "8.00MB"


def test_step_changes_picture_and_table(opened, write):
    page = opened(write(sample.scope_page()))
    page.panel("select").nth(1).select_option("0")
    assert page.rows()[0][:2] == ["total", "600us"]
    # MatMul has 200 of 600us, and the other MatMul as much as Relu.
    assert page.pixel(.32, SECOND) == HUES["MatMul"]
    assert page.pixel(.35, SECOND) != HUES["MatMul"]
    assert page.rows()[0][4] == "8.00MB"  # bytes do not depend on the step
    page.panel("select").nth(1).select_option("1")
    assert page.rows()[0][:2] == ["total", "1.40ms"]


def test_treemap_draws_the_same_rows(opened, write):
    page = opened(write(sample.scope_page()))
    icicle = page.image()
    page.panel("button:text-is('Treemap')").click()
    assert page.panel("button:text-is('Treemap')").get_attribute(
        "aria-pressed") == "true"
    assert page.image() != icicle
    assert page.pixel(.1, 100) == HUES["MatMul"]
    page.click(.1, 100)
    assert page.texts(".path button") == ["total", "tower", "MatMul"]


def test_small_siblings_share_a_hatched_box(opened, write):
    strings = Strings()
    rows = [{"depth": 0, "name": "root"},
            {"depth": 1, "name": "big", "self": {("micros", -1): 9588}}]
    rows += [{"depth": 1, "name": f"s{i}", "self": {("micros", -1): 1}}
             for i in range(412)]
    chunk = tree_chunk(strings, rows, sample.METRICS[:1], "micros",
                       id="scope", title="Scopes")
    page = opened(write([sample.head(), chunk, strings.chunk()]))
    assert page.hover(.98, FIRST).startswith("412 more rows below total")
    assert page.timing("boxes") == 3
    colors = {page.pixel(.975 + i / 1200, FIRST) for i in range(24)}
    assert len(colors) > 1  # hatched


def test_code_rows_show_their_source(opened, report):
    page = opened(report, "code")
    assert page.texts("th")[:2] == ["Name", "Source"]
    assert page.rows()[2][1] == "loss = tower(x) # <b>&amp;"
    tooltip = page.hover(.3, SECOND)
    assert "train.py:25" in tooltip
    assert "loss = tower(x) # <b>&amp;" in tooltip


def test_keyboard_moves_through_the_table(opened, write):
    strings = Strings()
    rows = [{"depth": 0, "name": "root"}]
    rows += [{"depth": 1, "name": f"n{i:05}", "self": {("micros", -1): 1}}
             for i in range(30000)]
    chunk = tree_chunk(strings, rows, sample.METRICS[:1], "micros",
                       id="scope", title="Scopes")
    page = opened(write([sample.head(), chunk, strings.chunk()]))
    table = page.panel("table")
    assert table.get_attribute("aria-rowcount") == "30002"  # with the header
    page.panel("tbody tr").first.focus()

    def focused():
        return page.page.evaluate("[document.activeElement.getAttribute("
                                  "'aria-rowindex'), document.activeElement"
                                  ".cells[0].innerText]")

    page.page.keyboard.press("ArrowDown")
    assert focused() == ["3", "n00000"]
    page.page.keyboard.press("End")
    assert focused() == ["30002", "n29999"]
    page.page.keyboard.press("PageUp")
    assert focused() == ["29988", "n29985"]
    page.page.keyboard.press("Home")
    assert focused() == ["2", "total"]
    assert page.panel("tbody tr").count() < 40


def test_step_without_costs_is_explained(opened, write):
    strings = Strings()
    rows = [{"depth": 0, "name": "root"},
            {"depth": 1, "name": "a", "self": {("micros", -1): 5,
                                               ("micros", 0): 0}}]
    chunk = tree_chunk(strings, rows, sample.METRICS[:1], "micros",
                       sample.STEPS[:2], id="scope", title="Scopes")
    page = opened(write([sample.head(), chunk, strings.chunk()]))
    page.panel("select").select_option("0")
    assert page.texts(".empty p") == ["This step has 0 for time.",
                                      "Choose another step above."]


def test_zeros_are_explained(opened, write):
    strings = Strings()
    rows = [{"depth": 0, "name": "root"},
            {"depth": 1, "name": "a", "self": {("params", -1): 5}}]
    chunk = tree_chunk(strings, rows, [sample.METRICS[0], sample.METRICS[2]],
                       "micros", id="scope", title="Scopes")
    page = opened(write([sample.head(), chunk, strings.chunk()]))
    assert "This input has no times." in page.panel(".empty").inner_text()
    assert not page.panel("canvas").is_visible()
    page.panel("select").first.select_option("params")
    assert not page.panel(".empty").is_visible()
    assert page.panel("canvas").is_visible()
