"""What a report draws is what the commands say: each number on each tab, under the
same name. A browser reads the pages."""

# labels: once, long

import decimal
import functools
import json
import re
import subprocess

import pytest

import chromium
import samples
from device_sums import device_sums
from files import SHARED
from page_files import Page
from page_numbers import cell, collect, figure, share
from program import DATA_DIR, TFPROF
from trace_build import Plane, space

TRACES = DATA_DIR / "traces"
FILES, LOGS, CASES = (SHARED / "xspace" / "files", SHARED / "tried" / "logs",
                      SHARED / "doctor" / "cases")
NS, US, MS = 10**3, 10**6, 10**9

OURS = {path.name.partition(".")[0]: [path]
        for path in sorted(TRACES.glob("*.xplane.pb"))}
THEIRS = {name: [FILES / f"{name}.xplane.pb"] for name in (
    "tf2_gpu_multiworker", "jax_tpu_inference", "jax_mi300_attention",
    "jax_mi300_gemm", "jax_te_fused_attn", "tf23_keras_cpu")} | {
    name: [LOGS / name] for name in ("klines", "jplain", "kslow", "kfast")} | {
    "d01_bad": [CASES / "d01/bad.xplane.pb.gz", "--base",
                CASES / "d01/fixed.xplane.pb.gz"],
    "kslow_kfast": [LOGS / "kslow", "--base", LOGS / "kfast"]}


# ---- Inputs of our own ------------------------------------------------------

def two_gpus():
    """Equal work of two GPUs, of which one begins later; no markers."""
    planes = []
    for gpu in range(2):
        plane = Plane(f"/device:GPU:{gpu}")
        plane.line(1, "Stream #1", *(
            plane.event("gemm", (step * 20 + gpu * 3) * MS, 5 * MS,
                        group_id=step, hlo_op=f"dot.{step}")
            for step in range(3)))
        planes.append(plane)
    return space(*planes)


def marked(count=4, hours=0):
    """Marked steps of 10 ms; with `hours` each lasts so long."""
    plane = Plane("/host:CPU")
    length = hours * 3600 * 1000 * MS or 10 * MS
    plane.line(1, "python", *(
        event for step in range(count) for event in (
            plane.event("train", step * length, length, _r=1, step_num=step),
            plane.event("a:Add", step * length + MS, length // 2),
            plane.event("b:Mul", step * length + length // 2, length // 5))))
    return space(plane)


def short_markers():
    """Markers of 50 us, beside which another thread works for 9.7 ms."""
    plane = Plane("/host:CPU")
    plane.line(1, "python", *(
        plane.event("train", step * 10 * MS, 50 * US, _r=1, step_num=step)
        for step in range(5)))
    plane.line(2, "worker", *(
        plane.event("f:PyFunc", step * 10 * MS + 60 * US, 9700 * US)
        for step in range(5)))
    return space(plane)


def long_names():
    """Scopes that differ behind what a list has room for."""
    plane = Plane("/host:CPU")
    start = "program_12190760917235803885_of_a_long_name/"
    plane.line(1, "python", plane.event("train", 0, 20 * MS, _r=1, step_num=0),
               *(plane.event(f"{start}copy-done.{i}/run:Copy{i}", i * MS,
                             (9 - i) * MS // 10) for i in range(8)))
    return space(plane)


MADE = {"two_gpus": two_gpus, "marked": marked, "short_markers": short_markers,
        "long_names": long_names, "hours": lambda: marked(2, 2)}


@pytest.fixture(scope="module", name="folder")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pictures")
    samples.make(folder)
    for name, make in MADE.items():
        (folder / f"{name}.xplane.pb").write_bytes(make())
    return folder


@pytest.fixture(scope="module", name="browser")
def fixture_browser():
    with chromium.started() as running:
        yield running


def inputs_of(name, folder):
    if name in MADE:
        return [folder / f"{name}.xplane.pb"]
    if name == "records":
        return [folder / "graph.pb", folder / "tfprof_log", "--run_meta_path",
                f"0={folder / 'run_meta'},7={folder / 'run_meta_7'}"]
    if name == "model":
        return [folder / "graph.pb"]
    if name == "changed":
        return [TRACES / "gen_tf-gpu.xplane.pb", "--base",
                TRACES / "gen_jax-gpu.xplane.pb"]
    if name == "same_gpus":
        return [folder / "marked.xplane.pb", "--base",
                folder / "short_markers.xplane.pb"]
    return OURS.get(name) or THEIRS[name]


NAMES = [*OURS, *MADE, "records", "model", "changed", "same_gpus", *THEIRS]


class Report:
    """A report, what it shows, and what the commands say."""

    def __init__(self, name, args, folder, browser):
        self.args = args
        self.inputs = args[:args.index("--base")] if "--base" in args else args
        file = folder / f"{name}.html"
        subprocess.run([TFPROF, "report", "-q", *args, "--output",
                        f"html:outfile={file}"], check=True)
        self.page = Page(file)
        self.shown, self.errors = collect(browser, file)

    @functools.cache  # noqa: B019 - reports live as long as the tests
    def ask(self, *args):
        done = subprocess.run([TFPROF, *args, "-q", *self.inputs, "--format",
                               "json"], capture_output=True, check=False)
        return json.loads(done.stdout, parse_float=decimal.Decimal) \
            if done.returncode == 0 else None

    @functools.cached_property
    def diff(self):
        done = subprocess.run([TFPROF, "diff", "-q", *self.args, "--format",
                               "json"], capture_output=True, check=True)
        return json.loads(done.stdout, parse_float=decimal.Decimal)


@pytest.fixture(scope="module", name="report")
def fixture_report(folder, browser):
    made = {}

    def get(name):
        args = inputs_of(name, folder)
        if name in THEIRS and not all(
                str(a).startswith("--") or a.exists() for a in args):
            pytest.skip(f"needs {name} of the folder of larger files; "
                        "TFPROF_SHARED does not name one")
        if name not in made:
            made[name] = Report(name, args, folder, browser)
        return made[name]
    return get


# ---- Cards and lists --------------------------------------------------------

def whole_time(micros):
    """Times of views are rounded to microseconds."""
    return figure("us", decimal.Decimal(int(
        (micros + decimal.Decimal("0.5")).to_integral_value("ROUND_FLOOR"))))


def scale(answer):
    count, devices = answer["steps"], len(answer["devices"])
    return ", ".join((["per step"] if count else []) + (
        [f"sum of {devices} devices"] if devices > 1 else []))


def steps_text(count):
    return f"{count:,} step" + ("" if count == 1 else "s")


def expected_cards(answer):
    wall, wait = answer["wall_micros"], answer["input_wait"]
    cards = []
    if answer["steps"]:
        known = wall["p50"] is not None
        more = ", nothing marks how long they last" if not known else (
            f", {figure('ps', wall['min'])} to {figure('ps', wall['max'])}"
            if answer["steps"] > 1 else "")
        cards.append(["Median step",
                      figure("ps", wall["p50"]) if known else "unknown",
                      steps_text(answer["steps"]) + more])
    if wait:
        cards.append(["Input wait", share(wait["share"], 1),
                      f"{figure('ps', wait['micros'])} of "
                      f"{figure('ps', wait['wall_micros'])}, in "
                      f"{wait['waiting_steps']} of {wait['steps']} steps"])
    if answer["float_ops"] is not None:
        cards.append(["Float operations", figure("flops", answer["float_ops"]),
                      scale(answer)])
    if answer["params"] is not None:
        cards.append(["Parameters", figure("count", answer["params"]),
                      f"{answer['params']:,}"])
    if answer["memory"]:
        cards.append(["Peak memory", figure("bytes", answer["memory"]["peak_bytes"]),
                      answer["memory"]["pool"]])
    if answer["parallelism"]:
        cards.append(["Parallelism", f"{answer['parallelism']:.2f}",
                      "operations at the same time, on average"])
    return cards


def short_device(name):
    return re.split(r"/device:| ", name)[-1]


def cost_text(entry):
    if "micros" in entry:
        return whole_time(entry["micros"])
    key, unit = (("float_ops", "flops") if "float_ops" in entry
                 else ("params", "count"))
    return figure(unit, entry[key])


def check_summary(report):
    answer, shown = report.ask("summary"), report.shown["Summary"]
    assert shown["cards"] == expected_cards(answer)
    keys = {"Scopes": "scopes", "Operation types": "op_types",
            "Source lines": "lines"}
    count = len(shown["cards"])
    for ranking in shown["rankings"]:
        entries = ranking["entries"]
        if ranking["title"] == "Devices":
            wanted = [(short_device(d["device"]), figure("ps", d["busy_micros"]),
                       share(d["busy_micros"],
                             d["busy_micros"] + d["idle_micros"]))
                      for d in answer["devices"]]
            assert [(short_device(e[1]), e[2], e[3]) for e in entries] == wanted
            of = {figure("ps", d["busy_micros"] + d["idle_micros"])
                  for d in answer["devices"]}
            assert ranking["about"] == "busy time per step" + (
                f", of {of.pop()} on average" if len(of) == 1 else "")
        else:
            assert ranking["about"] == scale(answer)
            assert [(e[0], e[2], e[3]) for e in entries] == [
                (e["name"], cost_text(e), share(e["share"], 1))
                for e in answer[keys[ranking["title"]]]]
        count += len(entries)
    advice = answer["advice"]
    if advice and advice["kind"] in ("type", "node"):
        assert f"takes {share(advice['share'], 1)} of operation time" in \
            shown["advice"][-1]
    return count


# ---- Tables -----------------------------------------------------------------

TABLES = {"Steps": ("steps", "steps", "steps"),
          "Kernels": ("kernels", "kernels", "kernels"),
          "Devices": ("devices", "devices", "devices"),
          "Memory": ("memory", "pools", "memory_pools"),
          "Live set at the peak": ("memory", "memory", "memory_held")}


def cell_of(about, value, is_rest=False):
    if about["type"] == "string":
        return value or ""
    if about["name"] == "step" and value is None and is_rest:
        return "rest"
    if "unit" in about:
        if value is not None and "scale" in about:
            value = decimal.Decimal(round(float(value) * 1000)) / 1000
        return cell(about["unit"], value)
    return "?" if value is None else format(
        round(float(value), 3), "g") if "scale" in about else str(value)


def busy_share(row):
    if row["busy_micros"] is None or row["idle_micros"] is None:
        return "?"
    return share(row["busy_micros"], row["busy_micros"] + row["idle_micros"])


def check_table(report, table):
    """Each row in sight is a row of the command."""
    command, key, chunk_id = TABLES[table["label"]]
    said = report.ask(command)[key]
    chunk = next(c for c in report.page.of_kind("table")
                 if c.head["id"] == chunk_id)
    about = {c["name"]: c for c in chunk.head["columns"]}
    left, columns = list(chunk.head["columns"]), []
    by_name = [left.pop(next(i for i, c in enumerate(left)
                             if c.get("title") == table["heads"][0]))] \
        if table["heads"][0] == "kernel" else []
    for head in table["heads"]:
        if head == "Busy share":
            columns.append(None)
        elif by_name and head == "kernel":
            columns.append(by_name[0])
        else:
            while (left[0].get("title") or left[0]["name"]) != head:
                assert left[0]["type"] == "string"  # shown above the table
                left.pop(0)
            columns.append(left.pop(0))
    assert about and table["count"] == len(said)
    rows = {tuple(busy_share(row) if c is None else cell_of(c, row[c["name"]],
                                                       row.get("is_rest"))
                  for c in columns) for row in said}
    for row in table["rows"]:
        assert tuple(row) in rows
    return sum(c is None or c["type"] != "string" for c in columns) * len(
        table["rows"])


def check_tree(report, tree, table):
    """Each row in sight is a row of the view, at the same name."""
    metrics = tree.head["metrics"]
    words = ",".join("occurrence" if m["id"] == "runs" else m["id"]
                     for m in metrics)
    said = report.ask(tree.id, "--step", "-1", "--select", words, "--order_by",
                      tree.head["main"])
    main = next(m for m in metrics if m["id"] == tree.head["main"])
    whole, flat, rows = said["total"], tree.head.get("flat"), {}

    def cells(own, total):
        out = []
        for metric in [main, *(m for m in metrics if m is not main)]:
            value = total[metric["id"]]
            out.append(cell(metric["unit"], value))
            if metric is main:
                out.append(share(value, whole[metric["id"]]))
            if not flat:
                out.append(cell(metric["unit"], own[metric["id"]]))
        return tuple(out)

    for row in said["rows"]:
        rows.setdefault(row["name"], set()).add(
            cells(row["self"], row["self"] if flat else row["total"]))
    skip = 1 + ("Source" in table["heads"])
    checked = 0
    for row, leaf in zip(table["rows"], table["leaves"]):
        name = row[0] if tree.id == "scope" else leaf
        if leaf in ("total", "all types"):
            got = [v for i, v in enumerate(row[skip:]) if flat or i % 2 == 0
                   or i == 1]
            assert got[0] == cell(main["unit"], whole[main["id"]])
        elif not re.fullmatch(r"[\d,]+ more", leaf):
            assert tuple(row[skip:]) in rows[name], name
        checked += len(row) - skip
    return checked


def check_memory(report, shown):
    memory = report.ask("memory")
    pools = {(figure("ps", p["peak_at_micros"]),
              figure("bytes", p["peak_bytes"])): p for p in memory["pools"]}
    for caption in shown["captions"]:
        at, size = re.fullmatch(r"Live at (\S+): (\S+)", caption).groups()
        pool = pools[at, size]
        live = next(t for t in shown["tables"] if t["label"] == "Live set")
        held = {(row["name"] or "(unknown)", figure("bytes", row["bytes"]),
                 f"{row['percent_of_peak']:.1f}%") for row in memory["memory"]
                if (row["place"], row["allocator"]) == (
                    pool["place"], pool["allocator"])}
        assert {tuple(row) for row in live["rows"]} <= held
    return len(shown["captions"])


def check_changes(report, shown):
    """The steps of both sides; the rows are tested in test_report.py."""
    said = {t["metric"]: t for t in report.diff["totals"]}
    names = {"step": "step_micros", "busy": "step_busy_micros",
             "idle": "step_idle_micros", "input wait": "input_wait_micros"}
    assert shown["totals"] or "step_micros" not in said
    for total in shown["totals"]:
        name, base, new, percent = re.fullmatch(
            r"([a-z ]+?) (\S+) to (\S+), (\S+)", total).groups()
        side = said[names[name]]
        assert base == figure("ps", side["base"])
        assert new == figure("ps", side["head"])
        if side["base"] and side["base"] != side["head"]:
            change = 100 * (side["head"] - side["base"]) / side["base"]
            assert percent == f"{'+' if change > 0 else '−'}{abs(change):.1f}%"
    return len(shown["totals"])


def check_nodes(report, nodes):
    tree = report.page.trees["scope"]
    metric = next(m for m in tree.head["metrics"]
                  if m["id"] == tree.head["main"])
    said = {row["name"]: row["self"][metric["id"]] for row in report.ask(
        "scope", "--step", "-1", "--select", metric["id"])["rows"]}
    for path, value in nodes:
        if path in said:
            assert value == cell(metric["unit"], said[path])
    return len(nodes)


TREES = {"Scopes": "scope", "Operation types": "op", "Operations": "op",
         "Code": "code"}


@pytest.mark.parametrize("name", NAMES)
def test_each_number_of_a_report_is_that_of_a_command(report, name):
    found = report(name)
    assert found.errors == []
    numbers = 0
    for tab, shown in found.shown.items():
        if tab == "Summary":
            numbers += check_summary(found)
        elif tab in TREES and shown["tables"]:
            numbers += check_tree(found, found.page.trees[TREES[tab]],
                                  shown["tables"][0])
        elif tab == "Changes":
            numbers += check_changes(found, shown)
        else:
            if shown["captions"]:
                numbers += check_memory(found, shown)
            if shown["nodes"]:
                numbers += check_nodes(found, shown["nodes"])
            numbers += sum(check_table(found, table)
                           for table in shown["tables"]
                           if table["label"] != "Live set")
        assert shown["others"] == [], tab
    assert numbers > 10


# ---- What the eye once saw falsely ------------------------------------------
#
# One test for each row of the list of pictures that were false.

def card(found, title):
    return next(c[1:] for c in found.shown["Summary"]["cards"] if c[0] == title)


def table_of(found, tab, label=None):
    return next(t for t in found.shown[tab]["tables"]
                if label in (None, t["label"]))


def column(table, title):
    return [row[table["heads"].index(title)] for row in table["rows"]]


def percents(found):
    """All shares of a part in a whole on all tabs."""
    for tab, shown in found.shown.items():
        for table in shown["tables"] if tab != "Changes" else []:
            for at, head in enumerate(table["heads"]):
                if head in ("Busy share", "%", "% of peak", "occ. %",
                            "counted %"):
                    yield from (row[at] for row in table["visible"])
        for ranking in shown["rankings"]:
            yield from (entry[3] for entry in ranking["entries"])


@pytest.mark.parametrize("name", NAMES)
def test_no_share_is_outside_0_to_100(report, name):
    found = report(name)
    shares = [s for s in percents(found) if s != "?"]
    assert all(0 <= float(s.rstrip("%")) <= 100 for s in shares)
    for shown in found.shown.values():
        for widths in shown["bars"]:
            assert all(0 <= float(w.rstrip("%")) <= 100 for w in widths)


@pytest.mark.parametrize("name", ["short_markers", "klines", "tf221_eager_while"])
def test_row_1_steps_are_not_shorter_than_their_work(report, name):
    found = report(name)
    median = found.ask("summary")["wall_micros"]["p50"]
    busy = [row["busy_micros"] for row in found.ask("steps")["steps"]
            if not row["is_rest"]]
    assert card(found, "Median step")[0] == figure("ps", median)
    assert median >= sorted(busy)[len(busy) // 2]


@pytest.mark.parametrize("name", ["two_gpus", "tf2_gpu_multiworker",
                                  "jax_tpu_inference"])
def test_row_2_an_unknown_step_is_unknown(report, name):
    value, more = card(report(name), "Median step")
    assert value == "unknown" and "0us" not in more


@pytest.mark.parametrize("name", ["keras315_tf221_callback", "klines", "kslow"])
def test_row_3_the_rest_has_no_busy_share(report, name):
    table = table_of(report(name), "Steps")
    rest = [s for step, s in zip(column(table, "step"),
                                 column(table, "Busy share")) if step == "rest"]
    assert rest and set(rest) == {"?"}


@pytest.mark.parametrize("name", ["keras315_tf221_callback", "marked"])
def test_row_4_bars_are_as_long_as_their_numbers_say(report, name):
    found = report(name)
    rows = [row for row in found.ask("steps")["steps"] if not row["is_rest"]]
    for row in rows:
        assert row["busy_micros"] + row["idle_micros"] == row["wall_micros"]
    most = max(row["wall_micros"] for row in rows)
    widths = [float(w.rstrip("%")) for w, _ in found.shown["Steps"]["bars"]]
    assert widths[:5] == pytest.approx(
        [100 * float(row["wall_micros"] / most) for row in rows[:5]], abs=0.01)


@pytest.mark.parametrize("name", ["keras315_tf221_callback",
                                  "tf2_gpu_multiworker"])
def test_row_5_the_rest_is_not_a_step(report, name):
    found = report(name)
    rows = found.ask("steps")["steps"]
    numbers = {row["step"] for row in rows if not row["is_rest"]}
    assert any(row["is_rest"] and row["step"] is None for row in rows)
    assert card(found, "Median step")[1].startswith(steps_text(len(numbers)))


@pytest.mark.parametrize("name", [n for n in NAMES if n not in (
    "records", "model", "changed", "same_gpus", "kslow_kfast")])
def test_rows_6_and_7_devices_have_one_window(report, name):
    """The same share in Summary and Devices, the same length for all."""
    found = report(name)
    table = table_of(found, "Devices")
    shares = {short_device(d): s for d, s in zip(
        column(table, "device"), column(table, "Busy share"))}
    for ranking in found.shown["Summary"]["rankings"]:
        if ranking["title"] == "Devices":
            for _, device, _, part in ranking["entries"]:
                assert shares[short_device(device)] == part
    said = found.ask("devices")["devices"]
    lengths = {d["busy_micros"] + d["idle_micros"] for d in said}
    assert len(lengths) == 1
    sums = device_sums(found.ask("steps")["steps"])
    assert {busy + idle for busy, idle, _ in sums.values()} == lengths
    assert f"all steps: {figure('ps', lengths.pop())}" in \
        found.shown["Devices"]["legend"][1]


def test_row_7_equal_work_has_equal_bars(report):
    found = report("two_gpus")
    assert len(set(column(table_of(found, "Devices"), "Busy share"))) == 1
    widths = [tuple(bar) for bar in found.shown["Devices"]["bars"]]
    assert len(widths) == 2 and len(set(widths)) == 1


@pytest.mark.parametrize("name, says", [
    ("keras315_tf221_callback", "Steps wait for input"),
    ("jax_mi300_attention", "Steps wait for the host"),
    ("jax_tpu_inference", "start what it waits for earlier")])
def test_row_8_the_headline_is_what_the_steps_wait_for(report, name, says):
    assert says in report(name).shown["Summary"]["advice"][0]


@pytest.mark.parametrize("name", ["same_gpus", "d01_bad"])
def test_row_9_a_comparison_begins_with_the_step(report, name):
    found = report(name)
    shown = found.shown["Changes"]
    assert check_changes(found, shown) >= 3
    assert shown["totals"][0].startswith("step ")
    assert "all operations" in table_of(found, "Changes")["leaves"]


@pytest.mark.parametrize("name", ["gen_jax-gpu", "jax_tpu_inference",
                                  "tf2_gpu_multiworker"])
def test_row_10_grid_lines_have_different_labels(report, name):
    for shown in report(name).shown.values():
        labels = [text for anchor, text in shown["axes"] if anchor == "end"]
        assert len(labels) == len(set(labels))
        for label in labels:
            assert float(re.match(r"[\d.]+", label)[0]) < 1000


@pytest.mark.parametrize("name", [
    "gen_tf-gpu", "keras315_tf221_callback", "jax_tpu_inference",
    "tf2_gpu_multiworker"])
def test_row_11_curve_and_table_have_one_clock(report, name):
    found = report(name)
    assert check_memory(found, found.shown["Memory"]) == 1


def test_row_12_the_holders_have_one_name(report):
    found = report("jax_tpu_inference")
    live = table_of(found, "Memory", "Live set")
    assert "(reserved)" in column(live, "Held by")
    assert "reported_peak_bytes" not in table_of(found, "Memory",
                                                 "Memory")["heads"]


@pytest.mark.parametrize("name", ["long_names", "tf2_gpu_multiworker",
                                  "jax_tpu_inference", "klines"])
def test_row_13_different_things_look_different(report, name):
    for shown in report(name).shown.values():
        legend = [entry[:36] for entry in shown["legend"]]
        assert len(legend) == len(set(legend))
        for ranking in shown["rankings"]:
            forms = {entry[0] or entry[1]: entry[1][:32]
                     for entry in ranking["entries"]}
            assert len(set(forms.values())) == len(forms)


@pytest.mark.parametrize("name", ["gen_jax-gpu", "jax0102_cpu_4devices"])
def test_row_14_sums_say_what_they_are_sums_of(report, name):
    found = report(name)
    answer = found.ask("summary")
    value, more = card(found, "Float operations")
    assert more == f"per step, sum of {len(answer['devices'])} devices"
    assert value.endswith("FLOP")
    total = sum(d["float_ops"] for d in found.ask("devices")["devices"])
    assert answer["float_ops"] <= total / answer["steps"]


@pytest.mark.parametrize("name", ["keras315_tf221_callback",
                                  "tf2_gpu_multiworker"])
def test_row_15_zero_and_unknown_differ(report, name):
    found = report(name)
    cells = [cell_text for shown in found.shown.values()
             for table in shown["tables"] for row in table["visible"]
             for cell_text in row]
    assert "?" in cells and "0" in cells and "-" not in cells


def test_row_16_a_printed_page_lists_what_was_chosen(report, browser, folder):
    report("keras315_tf221_callback")
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    page.goto((folder / "keras315_tf221_callback.html").as_uri() + "#scope")
    page.wait_for_selector("body[data-ready]", state="attached")
    label = page.locator("select").last.evaluate(
        "(s) => { s.selectedIndex = 1; s.dispatchEvent(new Event('change'));"
        " return s.selectedOptions[0].text; }")
    page.emulate_media(media="print")
    page.locator(".printed").nth(1).wait_for(state="attached")
    lines = page.locator(".printed").all_inner_texts()
    assert lines[0].endswith(f"Step {label}")
    count, whole = re.fullmatch(r"(\d+) of (\d+) rows", lines[1]).groups()
    assert 0 < int(count) < int(whole)
    page.close()
