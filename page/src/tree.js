// tree.js - rows in depth-first order as a tree: parents, totals, children.
//
// Everything is a loop over arrays: a million rows may have one parent, or each
// row may be the only child of the row before it.
import { HUES } from './colors.js';
import { columnValues } from './decode.js';
import { sortRows, upTo } from './sort.js';

// A picture is at most so many pixels wide. Children with less than that part
// of their parent are never drawn alone.
const WIDEST = 8192;

// Totals of so many pairs of metric and step are kept.
const KEPT = 24;

// Names of files without their folders, if no two of them are the same.
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

  // The column of that name, and for costs of that metric and step. A page may
  // have a hundred of them, and each box asks.
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

  // `parent` of the root is 0, itself. `end` is the row behind the last
  // descendant.
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

  // The children of a row that may be drawn alone, the most expensive first:
  // { rows, count, sum }, the latter of all children with a cost. Only the
  // former are sorted, so a million children take one pass, once.
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

  // The string by which a row is colored: its type; in trees without types the
  // file (the function, if there is one file), the name of a flat row, or the name
  // below the root.
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

  // { of, legend }: the group of each row, and the strings of the groups that
  // have a hue. They are the most expensive of the main metric, whatever is
  // drawn, so that a color keeps its meaning.
  groups() {
    if (this.grouped) return this.grouped;
    const keys = this.groupKeys();
    const { self } = this.costs(this.head.main, -1);
    // By the numbers of strings: a Map of a million keys takes a second.
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

  // All rows in the order of their paths. Rows by name, then, keeping that
  // order, by parent; walking down gives the order.
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
