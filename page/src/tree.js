// tree.js - rows in depth-first order as a tree: parents, totals, children.
//
// All functions are loops over arrays, without recursion: a million rows may have
// one parent, or each row may be the only child of the row before it.
import { HUES } from './colors.js';
import { columnValues } from './decode.js';
import { sortRows, upTo } from './sort.js';

// The largest width of a picture, in pixels. Children whose share of their parent is
// less than one of these pixels never have a box of their own.
const WIDEST = 8192;

// The number of pairs of metric and step whose totals are kept.
const KEPT = 24;

// File names without their folders, if these are all different.
export function shortNames(names, areFiles) {
  const short = names.map((name) => name.replace(/^.*\//, ''));
  return areFiles && new Set(short).size === names.length ? short : names;
}

export class Tree {
  constructor(head, strings) {
    this.head = head;
    this.strings = strings;
    this.rows = head.rows;
    this.metrics = head.metrics ?? [];
    this.steps = head.steps?.length ? head.steps : [{ id: -1, title: '' }];
    this.depth = this.valuesOf('depth');
    this.name = this.valuesOf('name');
    this.kept = new Map();
    this.link();
  }

  // The column with this name. For costs, the column also has this metric and step.
  // A Map finds it, because a page may have a hundred columns, and each box needs
  // some of them.
  column(name, metric, step) {
    const keyOf = (...parts) => parts.join(' ');
    this.found ??= new Map(this.head.columns.map((c) =>
      [c.metric === undefined ? c.name : keyOf(c.name, c.metric, c.step ?? -1), c]));
    return this.found.get(metric === undefined ? name : keyOf(name, metric, step));
  }

  // The numbers of a column; zeros if the tree does not have it.
  valuesOf(name) {
    const column = this.column(name);
    if (column) return column.values ??= columnValues(column);
    return this.zeros ??= new Uint8Array(this.rows);
  }

  // `parent` of the root is 0, the root itself. `end` of a row is the first row
  // after its descendants.
  link() {
    const { rows, depth } = this;
    const parent = this.parent = new Uint32Array(rows);
    const end = this.end = new Uint32Array(rows);
    const open = new Uint32Array(rows + 1);
    let count = 0;
    for (let i = 0; i < rows; i++) {
      while (count && depth[open[count - 1]] >= depth[i]) end[open[--count]] = i;
      parent[i] = count ? open[count - 1] : 0;
      open[count++] = i;
    }
    while (count) end[open[--count]] = rows;
  }

  // { self, total } of a metric and a step. A metric that does not depend on
  // the step has the values of step -1.
  costs(metric, step) {
    const known = this.column('self', metric, step) ? step : -1;
    const key = metric + ' ' + known;
    let costs = this.kept.get(key);
    if (costs) return costs;
    const { rows, parent } = this;
    const column = this.column('self', metric, known);
    const self = column ? columnValues(column) : this.valuesOf('');
    const total = Float64Array.from(self);
    const rest = this.column('rest', metric, known);
    if (rest) {
      const hidden = columnValues(rest);
      for (let i = 0; i < rows; i++) total[i] += hidden[i];
    }
    for (let i = rows - 1; i > 0; i--) total[parent[i]] += total[i];
    costs = { key, self, total, tops: new Map() };
    if (this.kept.size >= KEPT) this.kept.delete(this.kept.keys().next().value);
    this.kept.set(key, costs);
    return costs;
  }

  // { rows, count, sum }. `rows` are the children that may have a box of their own,
  // the most expensive first. `count` and `sum` are of all children with a cost.
  // Only `rows` is sorted, so a million children need one pass.
  top(costs, row) {
    let top = costs.tops.get(row);
    if (top) return top;
    const { end } = this, { total } = costs;
    const more = this.valuesOf('more');
    const least = total[row] / WIDEST;
    top = { rows: [], count: 0, sum: 0 };
    for (let i = row + 1; i < end[row]; i = end[i]) {
      if (!(total[i] > 0)) continue;
      top.count += more[i] || 1;
      top.sum += total[i];
      if (total[i] >= least) top.rows.push(i);
    }
    top.rows.sort((a, b) => total[b] - total[a] || a - b);
    costs.tops.set(row, top);
    return top;
  }

  nameOf(row) {
    return this.strings.get(this.name[row]);
  }

  // Names from below the root to the row, joined by "/".
  pathOf(row) {
    const names = [];
    for (; row > 0; row = this.parent[row]) names.push(this.nameOf(row));
    return names.reverse().join('/');
  }

  textOf(name, row) {
    return this.strings.get(this.valuesOf(name)[row]);
  }

  // The string that decides the color of a row: its type. In trees without types, it
  // is the file, or the function if there is only one file. In trees without files,
  // it is the name of the row if the tree is flat, else the name of its ancestor
  // directly below the root.
  groupKeys() {
    const type = this.valuesOf('type');
    if (type.some((key) => key !== 0)) return type;
    if (this.column('file')) {
      const file = this.valuesOf('file');
      const one = file.find((key) => key !== 0);
      return file.some((key) => key !== 0 && key !== one) ? file
        : this.valuesOf('function');
    }
    const { name, depth, parent, rows } = this;
    const keys = new Uint32Array(rows);
    for (let i = 1; i < rows; i++) {
      keys[i] = depth[i] > 1 ? keys[parent[i]] : name[i];
    }
    return keys;
  }

  // { of, legend, others }: the group of each row, the strings of the groups that
  // have a hue, and whether there are more groups. The groups with the highest cost
  // in the main metric have a hue, whatever metric is drawn, so that a color keeps
  // its meaning.
  groups() {
    if (this.grouped) return this.grouped;
    const keys = this.groupKeys();
    const { self } = this.costs(this.head.main, -1);
    // Arrays by index of the string, because a Map of a million keys takes a second.
    const most = keys.reduce((a, b) => Math.max(a, b), 0);
    const sums = new Float64Array(most + 1), seen = new Uint8Array(most + 1);
    for (let i = 1; i < this.rows; i++) {
      sums[keys[i]] += self[i];
      seen[keys[i]] = 1;
    }
    const legend = [];
    let count = 0;
    for (let key = 1; key <= most; key++) {
      if (!seen[key]) continue;
      count++;
      let at = legend.length;
      while (at > 0 && legend[at - 1].sum < sums[key]) at--;
      if (at < HUES) legend.splice(at, 0, { key, sum: sums[key] });
      if (legend.length > HUES) legend.pop();
    }
    const groups = new Map(legend.map(({ key }, i) => [key, i + 1]));
    const of = new Uint8Array(this.rows);
    for (let i = 1; i < this.rows; i++) {
      of[i] = keys[i] ? groups.get(keys[i]) ?? HUES + 1 : 0;
    }
    this.grouped = {
      of,
      legend: shortNames(legend.map(({ key }) => this.strings.get(key)),
        keys === this.valuesOf('file')),
      others: count > HUES,
    };
    return this.grouped;
  }

  // All rows in the order of their paths. The rows are sorted by name, and then by
  // parent, which keeps the order by name. A depth-first walk gives the result.
  byPath(ranks) {
    const { rows, name, parent } = this;
    const rank = new Uint32Array(rows);
    for (let i = 0; i < rows; i++) rank[i] = ranks[name[i]];
    const byName = sortRows(upTo(rows), rank, false);
    const starts = new Uint32Array(rows + 1);
    for (let i = 1; i < rows; i++) starts[parent[i] + 1]++;
    for (let i = 1; i <= rows; i++) starts[i] += starts[i - 1];
    const next = starts.slice(), kids = new Uint32Array(rows);
    for (const row of byName) if (row) kids[next[parent[row]]++] = row;
    const order = new Uint32Array(rows), stack = new Uint32Array(rows + 1);
    let count = rows ? 1 : 0, at = 0;
    while (count) {
      const row = stack[--count];
      order[at++] = row;
      for (let k = starts[row + 1]; k > starts[row]; k--) {
        stack[count++] = kids[k - 1];
      }
    }
    return order;
  }
}
