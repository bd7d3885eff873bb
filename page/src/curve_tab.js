// curve_tab.js - memory over time as a curve for each device, and what held the
// memory at a peak.
import { choice } from './controls.js';
import { columnValues } from './decode.js';
import { make, makeSvg, nameElement, plain } from './dom.js';
import { ranksOf, upTo } from './sort.js';
import { Table } from './table.js';
import { TableTab } from './table_tab.js';
import { figure, share } from './units.js';

const HEIGHT = 260, LEFT = 76, RIGHT = 16, TOP = 14, BOTTOM = 28;

// About `count` round values from `from` to `from` + `most`.
export function ticks(most, count, from = 0) {
  if (!(most > 0)) return [from];
  const rough = most / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((f) => f * power).find((s) => s >= rough);
  const values = [], first = Math.ceil(from / step);
  for (let i = first; i * step <= (from + most) * (1 + 1e-9); i++) values.push(i * step);
  return values;
}

export class CurveTab {
  constructor(curves, tables, strings, tooltip) {
    this.curves = curves;
    this.tooltip = tooltip;
    this.curve = curves[0];
    this.chart = make('div', { class: 'chart' });
    this.caption = make('h2');
    this.live = new Table({ label: 'Live set', columns: this.columns() });
    this.lists = tables.map((table) => new TableTab(table, strings));
    this.element = make('div', {});
    if (curves.length) {
      const name = (curve) => plain(curve.device) + (curve.estimated ? ' (estimated)' : '');
      const select = choice('Device', curves.map((c, i) => [String(i), name(c)]), '0',
        (at) => this.choose(curves[at]));
      this.element.append(
        make('div', { class: 'controls' }, select ?? make('p', { class: 'dim' },
          nameElement(name(this.curve)))),
        this.chart, this.caption, this.live.element);
      new ResizeObserver(() => this.draw()).observe(this.chart);
    }
    for (const list of this.lists) {
      this.element.append(make('h2', {}, plain(list.chunk.title)), list.element);
    }
  }

  shown() {
    if (this.curve && !this.peak) this.choose(this.curve);
    for (const list of this.lists) list.shown();
    document.body.dataset.ready = '1';
  }

  choose(curve) {
    this.curve = curve;
    this.peak = null; // that of another curve
    const column = (name) => curve.columns.find((c) => c.name === name);
    this.time = columnValues(column('time'));
    this.bytes = columnValues(column('bytes'));
    this.unit = column('time').unit ?? 'ps';
    const peaks = (curve.peaks ?? []).filter((p) => p.row < curve.rows);
    this.peaks = peaks.sort((a, b) => a.row - b.row);
    // Of equal peaks the last, as in the table.
    const highest = this.peaks.reduce((best, p) =>
      !best || this.bytes[p.row] >= this.bytes[best.row] ? p : best, null);
    this.draw();
    this.select(highest);
  }

  // ---- The live set

  columns() {
    const live = (row) => this.peak.live[row];
    return [
      { title: 'Held by', className: 'name',
        values: () => ranksOf(this.peak.live.map((l) => l.name)),
        fill: (td, row) => {
          td.append(nameElement(live(row).name));
          td.title = plain(live(row).name);
        } },
      { title: 'Bytes', numeric: true, values: () => this.peak.live.map((l) => l.bytes),
        fill: (td, row) => td.append(figure('bytes', live(row).bytes)) },
      { title: '% of peak', numeric: true,
        fill: (td, row) => td.append(share(live(row).bytes, this.bytes[this.peak.row])) },
    ];
  }

  select(peak) {
    this.peak = peak;
    this.live.element.hidden = !peak;
    if (!peak) {
      this.caption.textContent = 'No live sets are known for this device.';
      return;
    }
    this.caption.textContent = `Live at ${figure(this.unit, this.time[peak.row])}: ` +
      figure('bytes', this.bytes[peak.row]);
    for (const dot of this.chart.querySelectorAll('circle')) {
      const is = dot.peak === peak;
      dot.setAttribute('aria-pressed', String(is));
      dot.setAttribute('tabindex', is ? '0' : '-1');
      dot.setAttribute('r', is ? '6' : '4');
    }
    this.live.setRows(upTo(peak.live.length));
  }

  // ---- The curve

  draw() {
    const width = this.chart.clientWidth;
    if (!width || !this.time) return;
    const started = performance.now();
    const { time, bytes } = this;
    const count = time.length;
    const from = time[0], span = time[count - 1] - from || 1;
    const most = bytes.reduce((a, b) => Math.max(a, b), 0) || 1;
    const x = (t) => LEFT + (t - from) / span * (width - LEFT - RIGHT);
    const y = (b) => HEIGHT - BOTTOM - b / most * (HEIGHT - TOP - BOTTOM);
    const line = [`M${x(from).toFixed(1)},${y(0)}V${y(bytes[0]).toFixed(1)}`];
    for (let i = 1; i < count; i++) {
      line.push(`H${x(time[i]).toFixed(1)}V${y(bytes[i]).toFixed(1)}`);
    }
    line.push(`V${y(0)}Z`);
    const svg = makeSvg('svg', { width, height: HEIGHT, role: 'group',
      'aria-label': `Memory of ${plain(this.curve.device)} over time. Arrow keys move between peaks.`,
      keydown: (event) => this.key(event) });
    for (const value of ticks(most, 4)) {
      svg.append(makeSvg('line', { x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
        makeSvg('text', { x: LEFT - 8, y: y(value) + 4, 'text-anchor': 'end' },
          figure('bytes', value)));
    }
    for (const value of ticks(span, Math.max(2, Math.floor(width / 160)), from)) {
      svg.append(makeSvg('text', { x: x(value), y: HEIGHT - 8,
        'text-anchor': value > from ? 'middle' : 'start' }, figure(this.unit, value)));
    }
    svg.append(makeSvg('path', { d: line.join('') }));
    for (const peak of this.peaks) svg.append(this.dot(peak, x, y));
    this.chart.replaceChildren(svg);
    if (this.peak) this.select(this.peak);
    window.tfprof.redraw = performance.now() - started;
  }

  dot(peak, x, y) {
    const label = `${figure('bytes', this.bytes[peak.row])} at ` +
      figure(this.unit, this.time[peak.row]);
    const dot = makeSvg('circle', {
      cx: x(this.time[peak.row]), cy: y(this.bytes[peak.row]), r: 4, role: 'button',
      'aria-label': 'Peak: ' + label,
      click: () => this.select(peak),
      pointermove: (event) => this.tooltip.show(event.clientX, event.clientY,
        [make('strong', {}, label), make('p', { class: 'dim' },
          'Click to list what held this memory.')]),
      pointerleave: () => this.tooltip.hide(),
    });
    dot.peak = peak;
    return dot;
  }

  key(event) {
    const { peaks } = this;
    const at = peaks.indexOf(this.peak);
    const next = { ArrowRight: peaks[at + 1], ArrowLeft: peaks[at - 1],
      Home: peaks[0], End: peaks.at(-1) }[event.key];
    if (!next) return;
    event.preventDefault();
    this.select(next);
    this.chart.querySelector('circle[tabindex="0"]').focus();
  }
}
