// print.js - what paper cannot show: the chosen values and the rows out of sight.
import { make } from './dom.js';
import { grouped } from './units.js';

// "Metric micros, Step 11": the controls in words.
function chosen(controls) {
  return [...controls.querySelectorAll('.control')].flatMap((control) => {
    const field = control.querySelector('select, input');
    const value = field.selectedOptions ? field.selectedOptions[0]?.text : field.value;
    return value ? [control.querySelector('label').textContent + ' ' + value] : [];
  }).join(', ');
}

// "15 of 267 rows", if a table has more than it shows.
function shownRows(scroller) {
  const table = scroller.querySelector('table');
  const all = Number(table.getAttribute('aria-rowcount')) - 1;
  const height = scroller.clientHeight;
  const count = [...table.tBodies[0].rows].filter((row) =>
    row.getBoundingClientRect().bottom <= scroller.getBoundingClientRect().top + height + 1)
    .length;
  return count < all ? `${grouped(count)} of ${grouped(all)} rows` : '';
}

function note(element, text) {
  if (element.nextElementSibling?.className === 'printed') element.nextElementSibling.remove();
  if (text) element.after(make('p', { class: 'printed' }, text));
}

// Adds lines that only a printed page shows.
export function describeForPrint() {
  const panel = document.querySelector('[role=tabpanel]:not([hidden])');
  for (const controls of panel?.querySelectorAll('.controls') ?? []) {
    note(controls, chosen(controls));
  }
  for (const scroller of panel?.querySelectorAll('.scroller') ?? []) {
    note(scroller, shownRows(scroller));
  }
}
