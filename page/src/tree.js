// tree.js - rows in depth-first order as a tree: parents, totals, children.
//
// Everything is a loop over arrays: a million rows may have one parent, or each
// row may be the only child of the one before it.
import { columnValues } from './decode.js';

// A picture is at most so many pixels wide. Children with less than that part
// of their parent are never drawn alone.
const WIDEST = 8192;

// Totals of so many pairs of metric and step are kept.
const KEPT = 24;

export class Tree {
  constructor(head, strings) {
    this.head = head;
    this.strings = strings;
    this.rows = head.rows;
    this.metrics = head.metrics ?? [];
    this.steps = head.steps?.length ? head.steps : [{ id: -1, title: '' }];
    this.depth = this.values(this.column('depth'));
    this.name = this.values(this.column('name'));
    this.kept = new Map();
    this.link();
  }

  // The column of that name, or undefined.
  column(name, metric, step) {
    return this.head.columns.find((c) => c.name === name &&
      (metric === undefined || c.metric === metric && (c.step ?? -1) === step));
  }

  values(column) {
    return column ? column.values ??= columnValues(column)
      : new Uint8Array(this.rows);
  }

  // `parent` of the root is 0, itself. `end` is the row behind the last
  // descendant.
  link() {
    const { rows, depth } = this;
    const parent = this.parent = new Uint32Array(rows);
    const end = this.end = new Uint32Array(rows);
    const count = this.children = new Uint32Array(rows);
    const open = [];
    for (let i = 0; i < rows; i++) {
      while (open.length && depth[open[open.length - 1]] >= depth[i]) {
        end[open.pop()] = i;
      }
      if (open.length) count[parent[i] = open[open.length - 1]]++;
      open.push(i);
    }
    while (open.length) end[open.pop()] = rows;
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
    const self = column ? columnValues(column) : new Uint8Array(rows);
    const total = Float64Array.from(self);
    const rest = this.column('rest', metric, known);
    if (rest) {
      const more = columnValues(rest);
      for (let i = 0; i < rows; i++) total[i] += more[i];
    }
    for (let i = rows - 1; i > 0; i--) total[parent[i]] += total[i];
    costs = { key, self, total, tops: new Map() };
    if (this.kept.size >= KEPT) this.kept.delete(this.kept.keys().next().value);
    this.kept.set(key, costs);
    return costs;
  }

  // The children of a row that may be drawn alone, the most expensive first.
  // Only they are sorted, so a million children take one pass, once.
  top(costs, row) {
    let top = costs.tops.get(row);
    if (top) return top;
    const { end } = this, { total } = costs;
    const least = total[row] / WIDEST;
    top = [];
    for (let i = row + 1; i < end[row]; i = end[i]) {
      if (total[i] > 0 && total[i] >= least) top.push(i);
    }
    top.sort((a, b) => total[b] - total[a] || a - b);
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
}
