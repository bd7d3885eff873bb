// graph_tab.js - the neighborhood of a node: inputs on the left, outputs on the
// right. A click on a neighbor shows the neighborhood of that node.
import { choice } from './controls.js';
import { columnValues } from './decode.js';
import { make, makeSvg, nameElement, newId, plain } from './dom.js';
import { cellFigure, grouped } from './units.js';

const SHOWN = 10;   // neighbors on a side before "N more"
const FOUND = 12;   // results of a search

// The neighbors of every row. Those of row i are rows[starts[i]] up to, but without,
// rows[starts[i + 1]].
export function neighbors(count, from, to) {
  const starts = new Uint32Array(count + 1), rows = new Uint32Array(from.length);
  for (let i = 0; i < from.length; i++) starts[from[i] + 1]++;
  for (let i = 1; i <= count; i++) starts[i] += starts[i - 1];
  const next = starts.slice();
  for (let i = 0; i < from.length; i++) rows[next[from[i]]++] = to[i];
  return { of: (row) => rows.subarray(starts[row], starts[row + 1]) };
}

export class GraphTab {
  constructor(chunk, tree) {
    const column = (name) => columnValues(chunk.columns.find((c) => c.name === name));
    const from = column('from'), to = column('to');
    this.tree = tree;
    this.inputs = neighbors(tree.rows, to, from);
    this.outputs = neighbors(tree.rows, from, to);
    this.ends = [from, to];
    this.metric = tree.metrics.find((m) => m.id === tree.head.main) ?? tree.metrics[0];
    this.all = new Set(); // titles of the sides that show all neighbors
    this.lines = makeSvg('svg', { class: 'edges', 'aria-hidden': 'true' });
    this.stage = make('div', { class: 'graph' });
    this.row = this.mostExpensive();
    this.element = make('div', {}, make('div', { class: 'controls' }, ...[
      this.finder(),
      choice('Metric', tree.metrics.map((m) => [m.id, m.title]), this.metric?.id, (id) => {
        this.metric = tree.metrics.find((m) => m.id === id);
        this.draw();
      }),
    ].filter(Boolean)), this.stage);
    new ResizeObserver(() => this.connect()).observe(this.stage);
  }

  shown() {
    this.draw();
    document.body.dataset.ready = '1';
  }

  // The cost of each row without the rows below it.
  costs() {
    return this.tree.costs(this.metric?.id, this.tree.steps[0].id).self;
  }

  mostExpensive() {
    const self = this.costs();
    let best = -1;
    for (const rows of this.ends) {
      for (const row of rows) if (best < 0 || self[row] > self[best]) best = row;
    }
    return Math.max(0, best);
  }

  // ---- Finding a node

  finder() {
    const id = newId(), list = newId();
    const results = make('ul', { id: list, class: 'results', 'aria-label': 'Nodes found' });
    let timer = 0;
    const entry = (row) => make('li', {}, make('button', {
      click: () => {
        results.replaceChildren();
        input.value = '';
        this.go(row);
      },
    }, nameElement(this.tree.pathOf(row))));
    const line = (text) => make('li', { class: 'dim' }, text);
    const run = () => {
      const found = this.find(input.value);
      results.replaceChildren(...found.slice(0, FOUND).map(entry),
        ...(found.length > FOUND ? [line('more nodes match')] : []),
        ...(input.value && !found.length ? [line('no node with edges has this name')] : []));
    };
    const input = make('input', { id, type: 'search', autocomplete: 'off', spellcheck: 'false',
      placeholder: 'part of a name', 'aria-controls': list,
      input: () => {
        clearTimeout(timer);
        timer = setTimeout(run, 150);
      } });
    return make('div', { class: 'control finder' }, make('label', { for: id }, 'Find node'),
      input, results);
  }

  // The first rows with edges whose path contains the text, one more than are
  // listed.
  find(text) {
    const { tree } = this;
    const wanted = text.toLowerCase(), found = [];
    for (let row = 1; text && row < tree.rows && found.length <= FOUND; row++) {
      if (!this.inputs.of(row).length && !this.outputs.of(row).length) continue;
      if (tree.pathOf(row).toLowerCase().includes(wanted)) found.push(row);
    }
    return found;
  }

  go(row) {
    this.row = row;
    this.all.clear();
    this.draw();
    this.stage.querySelector('.center').focus();
  }

  // ---- Drawing

  draw() {
    const started = performance.now();
    this.stage.replaceChildren(this.lines, this.side('Inputs', this.inputs.of(this.row)),
      make('div', { class: 'side middle' }, make('h2', {}, 'Node'),
        this.node(this.row, true)),
      this.side('Outputs', this.outputs.of(this.row)));
    this.connect();
    window.tfprof.redraw = performance.now() - started;
  }

  side(title, rows) {
    const self = this.costs();
    const unique = [...new Set(rows)].sort((a, b) => self[b] - self[a] || a - b);
    const shown = this.all.has(title) ? unique : unique.slice(0, SHOWN);
    const list = shown.map((row) => this.node(row, false));
    if (!list.length) list.push(make('p', { class: 'dim' }, `no ${title.toLowerCase()}`));
    if (shown.length < unique.length) {
      list.push(make('button', { class: 'more', click: () => {
        this.all.add(title);
        this.draw();
      } }, `${grouped(unique.length - shown.length)} more`));
    }
    return make('div', { class: 'side ' + title.toLowerCase() }, make('h2', {},
      `${title} `, make('span', { class: 'dim' }, grouped(unique.length))), ...list);
  }

  node(row, center) {
    const { tree, metric } = this;
    const path = tree.pathOf(row), type = tree.textOf('type', row);
    return make('button', {
      class: center ? 'node center' : 'node', title: plain(path),
      'aria-current': center ? 'true' : undefined,
      click: () => this.go(row),
    }, nameElement(path, 'leaf'), make('span', { class: 'dim' },
      nameElement(type || ' '), ' ',
      metric ? make('b', {}, cellFigure(metric.unit, this.costs()[row])) : ''));
  }

  // Draws lines between the boxes if inputs and outputs are side by side.
  connect() {
    const { lines, stage } = this;
    const place = stage.getBoundingClientRect();
    const at = (element) => element.getBoundingClientRect();
    const center = stage.querySelector('.center');
    const paths = [];
    if (center && at(stage.children[1]).top === at(stage.children[3]).top) {
      const middle = at(center);
      const line = (x1, y1, x2, y2) => {
        const bend = (x1 + x2) / 2;
        paths.push(makeSvg('path', {
          d: `M${x1},${y1}C${bend},${y1} ${bend},${y2} ${x2},${y2}` }));
      };
      const y = middle.top + middle.height / 2 - place.top;
      for (const node of stage.querySelectorAll('.inputs .node')) {
        const box = at(node);
        line(box.right - place.left, box.top + box.height / 2 - place.top,
          middle.left - place.left, y);
      }
      for (const node of stage.querySelectorAll('.outputs .node')) {
        const box = at(node);
        line(middle.right - place.left, y,
          box.left - place.left, box.top + box.height / 2 - place.top);
      }
    }
    lines.replaceChildren(...paths);
  }
}
