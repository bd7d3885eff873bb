// table.js - a sortable table of any number of rows.
//
// Only the visible rows are elements. They are filled again when the table scrolls.
// aria-rowcount and aria-rowindex describe the other rows to screen readers. One row
// has the focus. Arrow keys, Page Up, Page Down, Home and End move the focus; Enter
// opens the row.
import { make, newId } from './dom.js';
import { sortRows } from './sort.js';

const ROW = 26;         // pixels, as in page.css
const TALLEST = 8000000; // pixels that browsers can scroll; more rows share them

// The minimum width of a column that has no `width`.
const leastName = () => innerWidth < 700 ? 150 : 300;

// Numbers have about ten characters. Titles are in bold and have an arrow.
function numberWidth(title) {
  return Math.max(108, Math.ceil(title.length * 8.2) + 52);
}

// columns: { title, numeric, className, width, fill(td, row), values() }.
// values() returns a number for each row, by which the table can be sorted. A table
// cannot be sorted by a column without it. Widths are in pixels. Columns without a
// width share the remaining space.
export class Table {
  constructor({ label, columns, open, most = 14 }) {
    this.open = open;
    this.most = most;
    this.rows = this.order = new Uint32Array(0);
    this.focus = 0;
    this.label = label;
    this.body = make('tbody');
    this.head = make('thead');
    this.widths = make('colgroup');
    this.table = make('table', { role: 'grid', 'aria-label': label },
      this.widths, this.head, this.body);
    this.space = make('div', { class: 'space' }, this.table);
    this.scroller = make('div', {
      class: 'scroller', id: newId(), tabindex: '-1',
      scroll: () => this.fill(),
      keydown: (event) => this.key(event),
      click: (event) => this.click(event),
    }, this.space);
    this.element = this.scroller;
    this.sorted = null;
    this.setColumns(columns);
    new ResizeObserver(() => this.fill()).observe(this.scroller);
  }

  setColumns(columns, sorted = this.sorted) {
    this.columns = columns;
    this.sorted = sorted;
    this.body.replaceChildren();
    this.table.setAttribute('aria-colcount', columns.length);
    let least = 0;
    this.widths.replaceChildren(...columns.map((column) => {
      const { width = column.numeric ? numberWidth(column.title) : 0 } = column;
      const element = make('col');
      if (width) element.style.width = width + 'px';
      least += width || leastName();
      return element;
    }));
    this.space.style.minWidth = least + 'px';
    this.head.replaceChildren(make('tr', { 'aria-rowindex': 1 },
      ...columns.map((column, at) => make('th', {
        scope: 'col', class: column.numeric ? 'number' : column.className,
      }, column.values
        ? make('button', { click: () => this.sort(at) }, column.title)
        : column.title))));
    this.showSort();
  }

  // Sets the rows. If the user has chosen an order, the rows are sorted by it.
  setRows(rows) {
    this.rows = rows;
    this.focus = 0;
    this.scroller.scrollTop = 0;
    this.applySort();
  }

  // ---- Order

  // A second click reverses the order. By default, the largest number is first.
  sort(at, descending) {
    const column = this.columns[at];
    const same = this.sorted?.at === at;
    this.sorted = { at, descending: descending ??
      (same ? !this.sorted.descending : Boolean(column.numeric)) };
    this.focus = 0;
    this.scroller.scrollTop = 0;
    this.applySort();
    this.showSort();
  }

  applySort() {
    const started = performance.now();
    const { at, descending } = this.sorted ?? {};
    const column = this.columns[at];
    if (!column) this.order = this.rows;
    else this.order = sortRows(this.rows, column.values(), descending);
    window.tfprof.sort = performance.now() - started;
    this.space.style.height = Math.min(TALLEST, ROW * (this.order.length + 1)) + 'px';
    this.table.setAttribute('aria-rowcount', this.order.length + 1);
    this.fill();
  }

  showSort() {
    [...this.head.rows[0].cells].forEach((cell, at) => {
      if (!this.columns[at].values) return;
      cell.setAttribute('aria-sort', this.sorted?.at !== at ? 'none'
        : this.sorted.descending ? 'descending' : 'ascending');
    });
  }

  // ---- Visible rows

  visible() {
    return Math.max(1, Math.floor((this.scroller.clientHeight - ROW) / ROW));
  }

  // Rows per pixel of the scroll bar: 1 / ROW unless there are too many.
  first() {
    const range = this.space.offsetHeight - this.scroller.clientHeight;
    const last = Math.max(0, this.order.length - this.visible());
    return range <= 0 ? 0
      : Math.min(last, Math.round(this.scroller.scrollTop / range * last));
  }

  fill() {
    const { body, order, columns, scroller } = this;
    if (!scroller.clientWidth) return; // in a tab that is not shown
    // Whole rows, above a scroll bar if there is one.
    const below = scroller.offsetHeight - scroller.clientHeight;
    scroller.style.height = ROW * (Math.min(order.length, this.most) + 1) + below + 'px';
    const first = this.first();
    const count = Math.min(order.length - first, this.visible() + 1);
    const had = body.contains(document.activeElement);
    while (body.rows.length > count) body.lastChild.remove();
    while (body.rows.length < count) {
      body.append(make('tr', {}, ...columns.map((column) => make('td', {
        class: column.numeric ? 'number' : column.className }))));
    }
    if (this.focus < 0 || this.focus >= order.length) this.focus = 0;
    // The Tab key reaches one row: the row with the focus, or the first visible row.
    const reach = this.focus >= first && this.focus < first + count ? this.focus : first;
    for (let k = 0; k < count; k++) {
      const tr = body.rows[k], row = order[first + k];
      tr.setAttribute('aria-rowindex', first + k + 2);
      tr.tabIndex = first + k === reach ? 0 : -1;
      columns.forEach((column, at) => {
        const td = tr.cells[at];
        td.replaceChildren();
        column.fill(td, row);
      });
    }
    if (!had) return;
    if (reach === this.focus) body.rows[this.focus - first]?.focus({ preventScroll: true });
    else this.scroller.focus({ preventScroll: true });
  }

  // ---- Keys and pointer

  // Scrolls to a row and gives it the focus.
  moveTo(at) {
    const { order, scroller } = this;
    this.focus = Math.max(0, Math.min(order.length - 1, at));
    const page = this.visible();
    const range = this.space.offsetHeight - scroller.clientHeight;
    const last = Math.max(1, order.length - page);
    let first = this.first();
    if (this.focus < first) first = this.focus;
    else if (this.focus >= first + page) first = this.focus - page + 1;
    scroller.scrollTop = first * range / last;
    this.fill();
    this.body.rows[this.focus - this.first()]?.focus({ preventScroll: true });
  }

  key(event) {
    if (event.target.closest('thead') || !this.order.length) return;
    const page = this.visible();
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page }[event.key];
    if (step) this.moveTo(this.focus + step);
    else if (event.key === 'Home') this.moveTo(0);
    else if (event.key === 'End') this.moveTo(this.order.length - 1);
    else if (event.key === 'Enter' && this.open) this.open(this.order[this.focus]);
    else return;
    event.preventDefault();
  }

  click(event) {
    const tr = event.target.closest('tbody tr');
    if (!tr) return;
    this.focus = Number(tr.getAttribute('aria-rowindex')) - 2;
    for (const other of this.body.rows) other.tabIndex = other === tr ? 0 : -1;
    tr.focus({ preventScroll: true });
    this.open?.(this.order[this.focus]);
  }
}

// A bar. `whole` is its length relative to the longest bar. `part` is the filled
// share of the bar.
export function barElement(whole, part) {
  const bar = make('span', { class: 'bar', 'aria-hidden': 'true' }, make('span'));
  bar.style.width = 100 * Math.min(1, whole || 0) + '%';
  bar.firstChild.style.width = 100 * Math.min(1, part || 0) + '%';
  return make('span', { class: 'track' }, bar);
}

// A bar with its number before it.
export function barCell(whole, part, text) {
  return make('span', { class: 'barred' }, make('span', { class: 'number' }, text),
    barElement(whole, part));
}
