// steps_tab.js - steps as bars: how long each step took, and how much of this time
// the device was busy.
import { make } from './dom.js';
import { barCell } from './table.js';
import { TableTab, tableValues } from './table_tab.js';
import { figure, share, UNKNOWN } from './units.js';

// How long each row lasts: busy plus idle time; -1 if that is unknown.
function lengths(chunk) {
  const column = (name) => chunk.columns.find((c) => c.name === name);
  const busy = column('busy_micros'), idle = column('idle_micros');
  if (!busy || !idle) return null;
  return Float64Array.from({ length: chunk.rows }, (_, row) => {
    const parts = [busy, idle].map((c) => tableValues(c)[row]);
    return parts.some((part) => part < 0) ? -1 : parts[0] + parts[1];
  });
}

// The column of bars. A bar is as long as a row lasts, and filled as far as the
// device was busy. Null if the table has no such times.
export function busyColumn(chunk) {
  const whole = lengths(chunk);
  if (!whole) return null;
  const busy = tableValues(chunk.columns.find((c) => c.name === 'busy_micros'));
  const part = (row) => whole[row] < 0 ? -1 : busy[row] / (whole[row] || 1);
  const most = whole.reduce((a, b) => Math.max(a, b), 0);
  return {
    title: 'Busy share', className: 'bars', width: innerWidth < 700 ? 210 : 320,
    values: () => Float64Array.from({ length: chunk.rows }, (_, row) => part(row)),
    fill: (td, row) => td.append(part(row) < 0 ? UNKNOWN
      : barCell(whole[row] / (most || 1), part(row), share(part(row), 1))),
  };
}

// What the length of a bar is. All devices of a trace have the same.
function scaleText(chunk) {
  if (chunk.columns.some((c) => c.name === 'step')) return 'how long the step lasted there';
  const known = [...new Set(lengths(chunk))].filter((length) => length >= 0);
  return 'all steps' + (known.length === 1 ? ': ' + figure('ps', known[0]) : '');
}

export class StepsTab extends TableTab {
  constructor(chunk, strings) {
    const column = busyColumn(chunk);
    for (const one of chunk.columns) {
      if (one.name === 'step') one.unknown = 'rest'; // what ran outside of all steps
    }
    super(chunk, strings, column);
    if (!column) return;
    this.element.firstChild.after(make('ul', { class: 'legend', 'aria-label': 'Bars' },
      make('li', {}, make('span', { class: 'swatch busy', 'aria-hidden': 'true' }), 'busy'),
      make('li', {}, make('span', { class: 'swatch idle', 'aria-hidden': 'true' }),
        `idle (busy plus idle is ${scaleText(chunk)})`)));
  }
}
