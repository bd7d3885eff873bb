// table_tab.js - flat tables: kernels, devices, steps, lists of memory.
import { searchField } from './controls.js';
import { columnValues } from './decode.js';
import { make, nameElement, plain } from './dom.js';
import { stringRanks, upTo } from './sort.js';
import { Table } from './table.js';
import { distinct } from './names.js';
import { cellFigure, grouped, UNKNOWN } from './units.js';

// About as many characters of a long text are visible.
const SHORT = 34;

// The numbers of a column, divided by 10^scale.
export function tableValues(column) {
  if (column.numbers) return column.numbers;
  let values = columnValues(column);
  if (column.scale) values = Float64Array.from(values, (v) => v / 10 ** column.scale);
  return column.numbers = values;
}

// The width of a column of texts. If the texts are long, the width is 0, which means
// all remaining space.
function textWidth(column, strings) {
  const values = tableValues(column);
  let most = (column.title ?? '').length + 2;
  for (let i = 0; i < Math.min(values.length, 200); i++) {
    most = Math.max(most, strings.get(values[i]).length);
  }
  return most > 44 ? 0 : Math.round(most * 7.6) + 26;
}

// A long text that all rows share. It is shown once, above the table.
function isShared(column, strings) {
  if (column.type !== 'string' || column.rows < 2 || textWidth(column, strings)) return false;
  const values = tableValues(column);
  return values.every((value) => value === values[0]);
}

// A column of a chunk as a column of Table. A number below 0 is unknown.
export function tableColumn(column, strings) {
  const values = () => tableValues(column);
  const title = column.title || column.name;
  if (column.type === 'string') {
    const width = textWidth(column, strings);
    const forms = width ? null
      : distinct([...new Set(values())].map((number) => strings.get(number)), SHORT);
    return {
      title, className: 'text', width,
      values: () => values().map((number) => stringRanks(strings)[number]),
      fill: (td, row) => {
        const text = strings.get(values()[row]);
        td.append(nameElement(forms?.get(text) ?? text));
        td.title = plain(text);
      },
    };
  }
  return {
    title, numeric: true, values, width: column.unit ? undefined : 56 + title.length * 8,
    fill: (td, row) => {
      const value = values()[row];
      if (value < 0) td.append(column.unknown ?? UNKNOWN);
      else td.append(column.unit ? cellFigure(column.unit, value) : String(value));
    },
  };
}

export class TableTab {
  // `bars`: a column to show after the first one, or null.
  constructor(chunk, strings, bars = null) {
    this.chunk = chunk;
    this.strings = strings;
    const shared = chunk.columns.filter((column) => isShared(column, strings));
    const columns = chunk.columns.filter((column) => !shared.includes(column))
      .map((column) => tableColumn(column, strings));
    if (bars) columns.splice(1, 0, bars);
    this.table = new Table({ label: chunk.title, most: 24, columns });
    this.search = searchField('Search', (pattern) => this.find(pattern));
    this.element = make('div', {},
      make('div', { class: 'controls' }, this.search.element),
      ...(chunk.note ? [make('p', { class: 'dim' }, plain(chunk.note))] : []),
      ...shared.map((column) => make('p', { class: 'dim' }, (column.title || column.name) + ' ',
        nameElement(strings.get(tableValues(column)[0])))),
      this.table.element);
  }

  shown() {
    if (!this.table.rows.length) this.table.setRows(upTo(this.chunk.rows));
    document.body.dataset.ready = '1';
  }

  // The rows with a text that matches.
  find(pattern) {
    const { chunk, strings } = this;
    const all = upTo(chunk.rows);
    if (!pattern) {
      this.table.setRows(all);
      return '';
    }
    const texts = chunk.columns.filter((c) => c.type === 'string').map(tableValues);
    const found = all.filter((row) => texts.some((v) => pattern.test(strings.get(v[row]))));
    this.table.setRows(found);
    return `${grouped(found.length)} of ${grouped(all.length)} rows`;
  }
}
