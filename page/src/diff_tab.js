// diff_tab.js - compares two profiles. Orange rows cost more than before, blue rows
// cost less. Plus and minus signs show the same. Hatching marks rows that only one
// profile has.
import { theme } from './colors.js';
import { columnValues } from './decode.js';
import { make, nameElement, plain } from './dom.js';
import { headRow } from './tooltip.js';
import { Tree } from './tree.js';
import { TreeTab } from './tree_tab.js';
import { cellFigure, exactTime, figure, fixed, grouped, signedFigure } from './units.js';

// The costs of both sides for every metric. The width of a box is the larger of its
// two costs, so that removed rows are visible too. If its children need more, the
// box is as wide as they are.
export class DiffTree extends Tree {
  costs(metric) {
    let costs = this.kept.get(metric);
    if (costs) return costs;
    const side = (name) => {
      const column = this.column(name, metric, -1);
      return column ? columnValues(column) : this.valuesOf('');
    };
    const base = side('base'), now = side('new');
    const total = new Float64Array(this.rows), below = new Float64Array(this.rows);
    const change = new Float64Array(this.rows);
    for (let i = this.rows - 1; i >= 0; i--) {
      change[i] = now[i] - base[i];
      total[i] = Math.max(base[i], now[i], below[i]);
      if (i) below[this.parent[i]] += total[i];
    }
    costs = { key: metric, base, new: now, change, total, self: total, tops: new Map() };
    this.kept.set(metric, costs);
    return costs;
  }

  groups() {
    return this.grouped ??= { of: this.valuesOf(''), legend: [], others: false };
  }
}

// The change in percent of the base, such as "+12.3%".
export function changeShare(base, now) {
  if (base === now) return '0.0%';
  if (base === 0) return 'new';
  const part = 100 * (now - base) / Math.abs(base);
  return (part < 0 ? '−' : '+') + fixed(Math.abs(part), 1) + '%';
}

const STEP_TITLES = { step_micros: 'step', step_busy_micros: 'busy',
  step_idle_micros: 'idle', input_wait_micros: 'input wait' };

// "step 15.73ms to 36.36ms, +131.2%", as `tfprof diff` has it.
function totalElement({ name, base, new: now }) {
  return make('li', {}, make('b', {}, STEP_TITLES[name] ?? name),
    ` ${exactTime(base)} to ${exactTime(now)}, ${changeShare(base, now)}`);
}

// 0, 1 or 2: the color for a small, a medium or a large change.
function strength(base, now) {
  const part = Math.abs(now - base) / (Math.max(base, now) || 1);
  return part < 0.05 ? 0 : part < 0.25 ? 1 : 2;
}

export class DiffTab extends TreeTab {
  costs() {
    return this.tree.costs(this.metric?.id);
  }

  about() {
    const { base, new: now, totals = [] } = this.tree.head;
    if (!base && !now) return [];
    return [make('p', { class: 'dim' }, 'from ', nameElement(base ?? ''), ' to ',
      nameElement(now ?? '')),
    make('ul', { class: 'totals', 'aria-label': 'Steps' }, ...totals.map(totalElement))];
  }

  // Sums over threads and devices: a step may change by another share.
  rootName() {
    return 'all operations';
  }

  state(row) {
    return this.tree.textOf('state', row);
  }

  metricColumns(metric) {
    const costs = () => this.tree.costs(metric.id);
    const numbers = (title, key, write) => ({
      title, numeric: true,
      values: () => costs()[key],
      fill: (td, row) => td.append(write(costs()[key][row])),
    });
    const plainFigure = (value) => cellFigure(metric.unit, value);
    const change = numbers(metric.title + ' change', 'change',
      (value) => value ? signedFigure(metric.unit, value) : '0');
    // Sorted by size, whatever the sign.
    change.values = () => costs().change.map(Math.abs);
    return [
      change,
      { title: '%', numeric: true,
        fill: (td, row) => td.append(changeShare(costs().base[row], costs().new[row])) },
      numbers('base', 'base', plainFigure),
      numbers('new', 'new', plainFigure),
    ];
  }

  columns() {
    const columns = super.columns();
    columns.splice(1, 0, { title: 'State', className: 'text', width: 110,
      values: () => this.tree.valuesOf('state'),
      fill: (td, row) => td.append(plain(this.state(row))) });
    return columns;
  }

  matches() {
    if (!this.mask) return '';
    let count = 0;
    const { root } = this.picture;
    for (let i = root; i < this.tree.end[root]; i++) count += this.mask[i];
    return grouped(count) + (count === 1 ? ' row' : ' rows');
  }

  paint(box, colors) {
    const drawn = super.paint(box, colors);
    const { row } = box;
    if (drawn.hatch || this.mask && !this.mask[row]) return drawn;
    const { base, new: now } = this.costs();
    const state = this.state(row);
    if (state === 'added' || state === 'removed') {
      drawn.hatch = colors.line;
      drawn.falls = state === 'removed';
    }
    if (base[row] !== now[row]) {
      drawn.text = changeShare(base[row], now[row]) + '  ' + drawn.text;
    }
    return drawn;
  }

  rowColor(row, level, colors) {
    const { base: { [row]: base }, new: { [row]: now } } = this.costs();
    if (now === base) return colors.scope[level % 2];
    return (now > base ? colors.more : colors.less)[strength(base, now)];
  }

  showLegend() {
    const colors = theme();
    const entry = (color, text, className = '') => {
      const swatch = make('span', { class: 'swatch ' + className, 'aria-hidden': 'true' });
      swatch.style.backgroundColor = color;
      return make('li', {}, swatch, text);
    };
    this.legend.replaceChildren(
      entry(colors.more[2], '+ more than the base'),
      entry(colors.less[2], '− less than the base'),
      entry(colors.more[2], 'added', 'rising'),
      entry(colors.less[2], 'removed', 'falling'),
      entry(colors.scope[0], 'unchanged'));
  }

  sentence(box) {
    const { base, new: now } = this.costs();
    const name = plain(this.tree.pathOf(box.row) || this.rootName());
    if (box.more) return `${grouped(box.more)} more rows below ${name}`;
    const { title, unit } = this.metric;
    return `${name}: ${title} from ${figure(unit, base[box.row])} to ` +
      `${figure(unit, now[box.row])}, ${changeShare(base[box.row], now[box.row])}`;
  }

  details(box) {
    const { tree } = this;
    const { row } = box;
    if (box.more) return super.details(box);
    const state = this.state(row);
    return [make('strong', {}, nameElement(tree.pathOf(row) || this.rootName())),
      ...(state ? [make('p', { class: 'dim' }, plain(state))] : []),
      make('table', {}, headRow('base', 'new', 'change', '%'), make('tbody', {}, ...tree.metrics.map((metric) => {
        const { base, new: now, change } = tree.costs(metric.id);
        return make('tr', {}, make('th', {}, metric.title),
          ...[figure(metric.unit, base[row]), figure(metric.unit, now[row]),
            signedFigure(metric.unit, change[row]), changeShare(base[row], now[row])]
            .map((cell) => make('td', {}, cell)));
      })))];
  }
}
