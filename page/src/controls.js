// controls.js - labeled choices, search and the path of the zoomed row.
import { make, nameElement, newId } from './dom.js';

// A select element; null if there are fewer than two choices. choices: a list of
// [value, title].
export function choice(title, choices, value, changed) {
  if (choices.length < 2) return null;
  const id = newId();
  const select = make('select', { id, change: () => changed(select.value) },
    ...choices.map(([key, text]) => make('option', { value: key }, text)));
  select.value = value;
  return make('div', { class: 'control' }, make('label', { for: id }, title), select);
}

// A row of buttons. One of them is always pressed.
export function switchButtons(title, choices, value, changed) {
  const buttons = choices.map(([key, text]) => make('button', {
    'aria-pressed': String(key === value),
    click: () => {
      for (const b of buttons) b.setAttribute('aria-pressed', String(b === buttons[at(key)]));
      changed(key);
    },
  }, text));
  const at = (key) => choices.findIndex(([k]) => k === key);
  return make('div', { class: 'switch', role: 'group', 'aria-label': title }, ...buttons);
}

// A search field: { element, show(text) }. `changed` gets a RegExp, or null for an
// empty field, and returns the text to show beside it.
export function searchField(title, changed) {
  const id = newId(), status = newId();
  let timer = 0;
  const result = make('output', { class: 'result', id: status, for: id });
  const run = () => {
    const text = input.value;
    let pattern = null, wrong = false;
    try {
      pattern = text ? new RegExp(text, 'i') : null;
    } catch {
      wrong = true;
    }
    input.setAttribute('aria-invalid', String(wrong));
    result.textContent = wrong ? 'not a regular expression' : changed(pattern);
  };
  const input = make('input', {
    id, type: 'search', placeholder: 'regular expression', spellcheck: 'false',
    autocomplete: 'off', 'aria-describedby': status,
    input: () => {
      clearTimeout(timer);
      timer = setTimeout(run, 150);
    },
  });
  return { element: make('div', { class: 'control search' },
    make('label', { for: id }, title), input, result),
  show: (text) => {
    if (input.getAttribute('aria-invalid') !== 'true') result.textContent = text;
  } };
}

// Buttons for the rows from the root to `row`.
export function breadcrumb(tree, row, rootName, zoom) {
  const rows = [];
  for (let at = row; at > 0; at = tree.parent[at]) rows.push(at);
  rows.push(0);
  return make('ol', {}, ...rows.reverse().map((at, place) => make('li', {},
    make('button', {
      'aria-current': place === rows.length - 1 ? 'location' : undefined,
      click: () => zoom(at),
    }, nameElement(at ? tree.nameOf(at) : rootName)))));
}
