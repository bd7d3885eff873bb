"""The numbers that the page of a report shows, read by a browser.

collect() opens each tab of a page and returns what stands there, with its place:
cards, lists, cells, captions. Text that is in no such place is in `others`.
"""

SCRIPT = r"""() => {
  const panel = document.querySelector('[role=tabpanel]:not([hidden])');
  const text = (e) => e.innerText.trim();
  const seen = new Set();
  const take = (e) => { seen.add(e); return text(e); };
  const all = (selector, from = panel) => [...from.querySelectorAll(selector)];
  const out = { cards: [], rankings: [], advice: [], tables: [], captions: [],
    axes: [], totals: [], legend: [], nodes: [], others: [], bars: [] };
  for (const card of all('.card')) {
    seen.add(card);
    out.cards.push([text(card.querySelector('dt')), text(card.querySelector('.value')),
      card.querySelector('dd .dim') ? text(card.querySelector('dd .dim')) : '']);
  }
  for (const part of all('.ranking')) {
    seen.add(part);
    out.rankings.push({ title: text(part.querySelector('h2').firstChild.nodeType === 3
        ? part.querySelector('h2') : part.querySelector('h2 a')),
      about: part.querySelector('h2 .dim') ? text(part.querySelector('h2 .dim')) : '',
      entries: all('li', part).map((li) => [li.querySelector('.line').title || '',
        text(li.querySelector('.leaf')), text(li.querySelectorAll('.line > *')[1]),
        text(li.querySelector('b'))]) });
  }
  out.advice = all('.advice').map(take);
  for (const grid of all('[role=grid]')) {
    if (!grid.checkVisibility()) continue;
    seen.add(grid.closest('.scroller'));
    const cellText = (td) => td.title || text(td);
    out.tables.push({ label: grid.getAttribute('aria-label'),
      count: Number(grid.getAttribute('aria-rowcount')) - 1,
      heads: all('thead th', grid).map(text),
      rows: all('tbody tr', grid).map((tr) => [...tr.cells].map(cellText)),
      leaves: all('tbody tr', grid).map((tr) =>
        text(tr.cells[0].querySelector('.leaf') ?? tr.cells[0])),
      visible: all('tbody tr', grid).map((tr) => [...tr.cells].map(text)) });
  }
  out.captions = all('h2').filter((h) => text(h).startsWith('Live at')).map(take);
  out.axes = all('svg text').map((t) => {
    seen.add(t); return [t.getAttribute('text-anchor'), t.textContent]; });
  out.totals = all('.totals li').map(take);
  out.legend = all('.legend li').map(take);
  out.nodes = all('.node').map((n) => { seen.add(n);
    return [n.title, text(n.querySelector('b') ?? n)]; });
  for (const e of all('.side > h2, .side > .more, .path, .empty')) seen.add(e);
  const walker = document.createTreeWalker(panel, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const node = walker.currentNode;
    let at = node.parentElement;
    if (at.closest('bdi, code, select, script, style, label')) continue;
    while (at && at !== panel && !seen.has(at)) at = at.parentElement;
    if (at && at !== panel) continue;
    if (/\d/.test(node.textContent) && node.parentElement.checkVisibility()) {
      out.others.push(node.textContent.trim());
    }
  }
  out.bars = all('.bar').map((bar) => [bar.style.width, bar.firstChild.style.width]);
  return out;
}"""


def collect(browser, file):
    """{tab: what it shows}, and the errors of the page."""
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    errors = []
    page.on("pageerror", lambda e: errors.append(str(e)))
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-ready]", state="attached")
    shown = {}
    ids = page.eval_on_selector_all(
        "[role=tab]", "tabs => tabs.map(t => [t.innerText, t.id])")
    for at, (title, _) in enumerate(ids):
        page.evaluate("delete document.body.dataset.ready")
        page.locator("[role=tab]").nth(at).click()
        page.wait_for_timeout(20)
        page.evaluate("new Promise(r => requestAnimationFrame(() => "
                      "requestAnimationFrame(r)))")
        shown[title] = page.evaluate(SCRIPT)
    page.close()
    return shown, errors


# ---- Figures, written without the code of the page --------------------------

TIME = (("h", 3.6e15), ("sec", 1e12), ("ms", 1e9), ("us", 1e6), ("ns", 1e3))
BYTES = (("TB", 1e12), ("GB", 1e9), ("MB", 1e6), ("KB", 1e3))
COUNT = (("t", 1e12), ("b", 1e9), ("m", 1e6), ("k", 1e3))
FLOPS = ((" PFLOP", 1e15), (" TFLOP", 1e12), (" GFLOP", 1e9), (" MFLOP", 1e6),
         (" kFLOP", 1e3))


def scaled(value, units, least):
    for unit, size in units:
        if value >= size:
            return f"{value / size:.2f}{unit}"
    return f"{value}{least}"


def figure(unit, value):
    """A number as the page writes it; times are microseconds."""
    if value is None:
        return "?"
    if value < 0:
        return "-" + figure(unit, -value)
    if unit in ("us", "ps"):
        picos = int(value * 1_000_000)
        if picos == 0:
            return "0" + ("us" if unit == "us" else "ns")
        if unit == "us" and picos % 1_000_000 == 0 and picos < 1e9:
            return f"{picos // 1_000_000}us"
        return scaled(picos, TIME, "") if picos >= 1000 else (
            f"{picos / 1e3:.2f}ns")
    if unit == "bytes":
        return scaled(int(value), BYTES, "B")
    if unit == "flops":
        return scaled(int(value), FLOPS, " FLOP")
    if unit == "count":
        return scaled(int(value), COUNT, "")
    if unit == "percent":
        return f"{float(value):.1f}%"
    if unit.endswith("/s"):
        return f"{float(value):.2f}"
    return f"{int(value):,}"


def cell(unit, value):
    return "0" if value == 0 else figure(unit, value)


def share(part, whole):
    return f"{100 * float(part) / float(whole) if whole else 0:.1f}%"
