// steps_tab.js - steps as bars: how long each step took, and how much of this time
// the device was busy.
import { make } from './dom.js';
import { barCell } from './table.js';
import { TableTab, tableValues } from './table_tab.js';
import { share } from './units.js';

// The column of bars. A bar is as long as the wall time of a step; for a device, as
// long as its busy and idle time together. A row whose time is unknown has no bar.
// Null if the table has no such times.
export function busyColumn(chunk) {
  const column = (name) => chunk.columns.find((c) => c.name === name);
  const busy = column('busy_micros'), wall = column('wall_micros');
  const idle = column('idle_micros');
  if (!busy || !wall && !idle) return null;
  const whole = (row) => wall ? tableValues(wall)[row]
    : tableValues(busy)[row] + Math.max(0, tableValues(idle)[row]);
  const part = (row) => whole(row) < 0 ? -1
    : Math.max(0, tableValues(busy)[row]) / (whole(row) || 1);
  let most = 0;
  for (let i = 0; i < chunk.rows; i++) most = Math.max(most, whole(i));
  return {
    title: 'Busy share', className: 'bars', width: innerWidth < 700 ? 210 : 320,
    values: () => Float64Array.from({ length: chunk.rows }, (_, row) => part(row)),
    fill: (td, row) => td.append(part(row) < 0 ? '-'
      : barCell(whole(row) / (most || 1), part(row), share(part(row), 1))),
  };
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
        'idle (the length of a bar is busy plus idle time)')));
  }
}
