// tree_tab.js - a tree as picture and table, with its choices.
import { groupColor, HUES, onTheme, theme } from './colors.js';
import { breadcrumb, choice, searchField, switchButtons } from './controls.js';
import { make, nameElement, plain } from './dom.js';
import { noCosts } from './empty.js';
import { distinct } from './names.js';
import { Picture } from './picture.js';
import { matchRows, sumMatches } from './search.js';
import { stringRanks } from './sort.js';
import { barCell, Table } from './table.js';
import { headRow } from './tooltip.js';
import { cellFigure, figure, grouped, share } from './units.js';

const LEGEND = 36; // visible characters of a long entry

export class TreeTab {
  constructor(tree, tooltip) {
    this.tree = tree;
    this.metric = tree.metrics.find((m) => m.id === tree.head.main) ?? tree.metrics[0];
    this.step = tree.steps[0].id;
    this.mask = null;
    this.picture = new Picture(this, tooltip, tree.head.title);
    this.path = make('nav', { class: 'path', 'aria-label': 'Zoomed row' });
    this.legend = make('ul', { class: 'legend', 'aria-label': 'Colors' });
    this.empty = make('div', { class: 'empty', hidden: true });
    this.table = new Table({
      label: tree.head.title, columns: this.columns(), open: (row) => this.openRow(row),
    });
    this.search = searchField('Search', (pattern) => this.find(pattern));
    this.element = make('div', {},
      make('div', { class: 'controls' }, ...[
        choice('Metric', tree.metrics.map((m) => [m.id, m.title]), this.metric?.id,
          (id) => this.choose({ metric: tree.metrics.find((m) => m.id === id) })),
        choice('Step', tree.steps.map((s) => [String(s.id), s.title]), String(this.step),
          (id) => this.choose({ step: Number(id) })),
        switchButtons('Picture', [['icicle', 'Icicle'], ['treemap', 'Treemap']], 'icicle',
          (kind) => this.drawAs(kind)),
        this.search.element,
      ].filter(Boolean)),
      ...this.about(), this.path, this.empty, this.picture.element, this.legend, this.table.element);
    onTheme(() => {
      this.showLegend();
      this.table.fill();
    });
  }

  // Elements to show above the path.
  about() {
    return [];
  }

  // Draws the picture first. The table, which may have to sort a million rows, is
  // filled after the browser has shown the picture.
  shown() {
    if (this.ready) return this.picture.draw();
    this.ready = true;
    this.showLegend();
    this.refresh(false);
    setTimeout(() => {
      this.fillTable();
      document.body.dataset.ready = '1';
    });
  }

  costs() {
    return this.tree.costs(this.metric?.id, this.step);
  }

  rootName() {
    return this.tree.head.flat ? 'all types' : 'total';
  }

  // ---- Choices

  // The columns of the chosen metric come first. The table is then sorted by this
  // metric, unless it is sorted by name.
  choose(change) {
    Object.assign(this, change);
    const { table } = this;
    table.setColumns(this.columns(), table.sorted?.at === 0 ? table.sorted : null);
    this.refresh(true);
  }

  drawAs(kind) {
    this.picture.kind = kind;
    this.picture.draw();
  }

  find(pattern) {
    const started = performance.now();
    this.mask = pattern ? this.matching(pattern) : null;
    window.tfprof.search = performance.now() - started;
    this.picture.draw();
    this.fillTable();
    return this.matches();
  }

  matching(pattern) {
    return matchRows(this.tree, pattern);
  }

  matches() {
    if (!this.mask) return '';
    const { total } = this.costs(), { root } = this.picture;
    const { count, sum } = sumMatches(this.tree, total, this.mask, root);
    return grouped(count) + (count === 1 ? ' row, ' : ' rows, ') +
      share(sum, total[root]);
  }

  zoomed() {
    this.refresh(true, false);
  }

  // Zooms to a row of the table. If it has no rows below it, zooms to the row above
  // it.
  openRow(row) {
    const { tree, picture } = this;
    const leaf = tree.end[row] === row + 1;
    picture.zoom(leaf ? tree.parent[row] : row);
    picture.current = picture.boxOf(row) ?? null;
    picture.showMark();
  }

  refresh(withTable, draw = true) {
    const { tree, picture, metric } = this;
    const has = this.costs().total[0] > 0;
    this.empty.hidden = has;
    picture.element.hidden = this.legend.hidden = this.path.hidden = !has;
    if (!has) this.empty.replaceChildren(...noCosts(tree, metric, this.step));
    if (draw) picture.draw();
    this.path.replaceChildren(breadcrumb(tree, picture.root, this.rootName(),
      (row) => picture.zoom(row)));
    if (withTable) {
      this.fillTable();
      this.search.show(this.matches());
    }
  }

  // ---- The table

  columns() {
    const { tree } = this;
    const columns = [{
      title: 'Name', className: 'name',
      fill: (td, row) => this.fillName(td, row),
      values: () => this.pathPlaces(),
    }];
    if (tree.valuesOf('text').some((text) => text !== 0)) {
      columns.push({
        title: 'Source', className: 'source', width: 320,
        fill: (td, row) => td.append(make('code', {}, plain(tree.textOf('text', row)))),
      });
    }
    const others = tree.metrics.filter((m) => m !== this.metric);
    for (const metric of this.metric ? [this.metric, ...others] : []) {
      columns.push(...this.metricColumns(metric));
    }
    return columns;
  }

  metricColumns(metric) {
    const costs = () => this.tree.costs(metric.id, this.step);
    const numbers = (title, key) => ({
      title, numeric: true,
      values: () => costs()[key],
      fill: (td, row) => td.append(cellFigure(metric.unit, costs()[key][row])),
    });
    const columns = [numbers(metric.title, 'total')];
    if (metric === this.metric) {
      columns.push({
        title: '%', className: 'bars', width: 150,
        fill: (td, row) => {
          const { total } = costs();
          td.append(barCell(total[row] / (total[0] || 1), 1, share(total[row], total[0])));
        },
      });
    }
    if (!this.tree.head.flat) columns.push(numbers('self ' + metric.title, 'self'));
    return columns;
  }

  fillName(td, row) {
    const { tree } = this;
    const swatch = make('span', { class: 'swatch', 'aria-hidden': 'true' });
    swatch.style.background = this.rowColor(row, 0, theme());
    const above = row && tree.parent[row] ? tree.pathOf(tree.parent[row]) + '/' : '';
    const more = tree.valuesOf('more')[row];
    td.append(make('span', { class: 'names' }, swatch,
      ...(above ? [nameElement(above, 'above')] : []),
      more ? make('i', {}, grouped(more) + ' more')
        : nameElement(row ? tree.nameOf(row) : this.rootName(), 'leaf')));
    td.title = plain(above + (row ? tree.nameOf(row) : ''));
  }

  // For each row, its index in the order of paths.
  pathPlaces() {
    const { tree } = this;
    if (!this.places) {
      const order = tree.byPath(stringRanks(tree.strings));
      this.places = new Uint32Array(tree.rows);
      for (let i = 0; i < order.length; i++) this.places[order[i]] = i;
    }
    return this.places;
  }

  // The zoomed row and the rows below it; during a search, only the matches.
  tableRows() {
    const { tree, mask } = this;
    const { root } = this.picture;
    const rows = new Uint32Array(tree.end[root] - root);
    let count = 0;
    for (let i = root; i < tree.end[root]; i++) if (!mask || mask[i]) rows[count++] = i;
    return rows.subarray(0, count);
  }

  // The column that the table is sorted by at first.
  firstSort() {
    return this.table.columns.findIndex((c) => c.numeric);
  }

  fillTable() {
    const { table } = this;
    if (!table.sorted && this.metric) {
      table.sorted = { at: this.firstSort(), descending: true };
      table.showSort();
    }
    table.setRows(this.tableRows());
  }

  // ---- The picture

  paint(box, colors) {
    const { tree, mask } = this;
    const more = box.more || tree.valuesOf('more')[box.row];
    if (more) {
      return { color: colors.muted, hatch: colors.hatch, text: grouped(more) + ' more' };
    }
    const text = box.row ? tree.nameOf(box.row) : this.rootName();
    if (mask && !mask[box.row]) return { color: colors.muted, text };
    return { color: this.rowColor(box.row, box.level, colors), text };
  }

  rowColor(row, level, colors) {
    return groupColor(colors, this.tree.groups().of[row], level);
  }

  // Shows what the colors mean. Empty if no row has a group.
  showLegend() {
    const { legend, others } = this.tree.groups();
    const colors = theme();
    const forms = distinct(legend, LEGEND);
    const entry = (color, name) => {
      const swatch = make('span', { class: 'swatch', 'aria-hidden': 'true' });
      swatch.style.background = color;
      return make('li', { title: plain(name) }, swatch, nameElement(forms.get(name) ?? name));
    };
    this.legend.replaceChildren(
      ...legend.map((name, i) => entry(colors.hues[i], name)),
      ...(others ? [entry(groupColor(colors, HUES + 1), 'other')] : []));
  }

  sentence(box) {
    const { tree, metric } = this;
    const { total, self } = this.costs();
    if (box.more) {
      return `${grouped(box.more)} more rows below ${plain(tree.pathOf(box.row) || this.rootName())}`;
    }
    return `${plain(tree.pathOf(box.row) || this.rootName())}: ${metric.title} ` +
      `${figure(metric.unit, total[box.row])}, ${share(total[box.row], total[0])}, ` +
      `self ${figure(metric.unit, self[box.row])}`;
  }

  details(box) {
    const { tree } = this;
    const { row } = box;
    const name = row ? tree.nameOf(row) : this.rootName();
    if (box.more) {
      return [make('strong', {}, `${grouped(box.more)} more rows below `, nameElement(name)),
        make('p', { class: 'dim' }, 'These rows are too small to draw. The table lists them.')];
    }
    const parts = [make('strong', {}, nameElement(name))];
    if (row && tree.parent[row]) {
      parts.push(make('p', { class: 'dim' }, 'in ', nameElement(tree.pathOf(tree.parent[row]))));
    }
    for (const key of ['type', 'function']) {
      const text = tree.textOf(key, row);
      if (text && text !== name) parts.push(make('p', {}, key + ' ', nameElement(text)));
    }
    const file = tree.textOf('file', row), text = tree.textOf('text', row);
    if (file) {
      parts.push(make('p', { class: 'dim' },
        nameElement(file + ':' + tree.valuesOf('line')[row])));
    }
    if (text) parts.push(make('code', {}, plain(text)));
    parts.push(make('table', {}, headRow('total', '%', 'self'), make('tbody', {}, ...tree.metrics.map((metric) => {
      const { total, self } = tree.costs(metric.id, this.step);
      return make('tr', {}, make('th', {}, metric.title),
        ...[cellFigure(metric.unit, total[row]), share(total[row], total[0]),
          cellFigure(metric.unit, self[row])].map((cell) => make('td', {}, cell)));
    }))));
    return parts;
  }
}
