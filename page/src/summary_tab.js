// summary_tab.js - the results of `tfprof summary` on one screen.
import { make, nameElement, plain } from './dom.js';
import { barElement } from './table.js';
import { figure, grouped, share } from './units.js';

// Times of the summary are in microseconds with decimals; whole ones suffice.
const time = (micros) => figure('us', Math.round(micros));

function card(title, value, more) {
  return make('div', { class: 'card' }, make('dt', {}, title), make('dd', {},
    make('span', { class: 'value' }, value),
    ...(more ? [make('span', { class: 'dim' }, more)] : [])));
}

function cards(answer) {
  const { wall_micros: wall, input_wait: input, memory, params, float_ops: flops } = answer;
  const list = [];
  if (answer.steps && wall) {
    list.push(card('Median step', time(wall.p50),
      answer.steps === 1 ? '1 step'
        : `${grouped(answer.steps)} steps, ${time(wall.min)} to ${time(wall.max)}`));
  }
  if (input) {
    list.push(card('Input wait', share(input.share, 1),
      `${time(input.micros)} of ${time(input.wall_micros)}, in ` +
      `${grouped(input.waiting_steps)} of ${grouped(input.steps)} steps`));
  }
  if (flops !== null && flops !== undefined) {
    list.push(card('Float operations', figure('flops', flops), grouped(flops)));
  }
  if (params !== null && params !== undefined) {
    list.push(card('Parameters', figure('count', params), grouped(params)));
  }
  if (memory) {
    list.push(card('Peak memory', figure('bytes', memory.peak_bytes), plain(memory.pool ?? '')));
  }
  if (answer.parallelism) {
    list.push(card('Parallelism', answer.parallelism.toFixed(2), 'operations at the same time, on average'));
  }
  return make('dl', { class: 'cards' }, ...list);
}

// A list of names with their time, share and a bar; the heading links to a tab.
function ranking(title, tab, entries, has) {
  if (!entries?.length) return null;
  return make('section', { class: 'ranking' },
    make('h2', {}, has(tab) ? make('a', { href: '#' + tab }, title) : title),
    make('ol', {}, ...entries.map((entry) => make('li', {},
      make('span', { class: 'line' }, nameElement(entry.name, 'leaf'),
        make('span', {}, time(entry.micros)),
        make('b', {}, share(entry.share, 1))),
      barElement(1, entry.share)))));
}

// "CPU:0" for "/job:worker/replica:0/task:0/device:CPU:0", or "worker:0 CPU:0" if
// several devices would have the same short name.
export function shortDevices(names) {
  const forms = [
    (name) => name.replace(/^.*\/device:/, ''),
    (name) => name.replace(/^\/job:([^/]+)\/(?:replica:\d+\/)?task:(\d+)\/(?:device:)?/,
      '$1:$2 '),
  ];
  for (const form of forms) {
    const short = names.map(form);
    if (new Set(short).size === names.length) return short;
  }
  return names;
}

function devices(answer, has) {
  const names = shortDevices((answer.devices ?? []).map((d) => d.device));
  const list = (answer.devices ?? []).map((device, at) => ({
    name: names[at], micros: device.busy_micros,
    share: device.busy_micros / ((device.busy_micros + device.idle_micros) || 1),
  }));
  return ranking('Devices, average busy time per step', 'devices', list, has);
}

// Commands in the data of a report have neither the program nor the inputs.
function commandLine(command) {
  return plain(command.startsWith('tfprof ') ? command : 'tfprof ' + command);
}

function advicePart(about, text) {
  return make('p', { class: 'advice' }, make('strong', {}, about), '. Try: ' + plain(text));
}

export class SummaryTab {
  // has(id): whether the page has a tab with this id.
  constructor(answer, has) {
    const { advice, input_wait: input, next } = answer;
    this.element = make('div', { class: 'summary' }, cards(answer),
      ...(input ? [advicePart('Steps wait for input', input.try)] : []),
      ...(advice ? [advicePart(nameElement(advice.about), advice.try)] : []),
      make('div', { class: 'rankings' }, ...[
        ranking('Scopes', 'scope', answer.scopes, has),
        ranking('Operation types', 'op', answer.op_types, has),
        ranking('Source lines', 'code', answer.lines, has),
        devices(answer, has),
      ].filter(Boolean)),
      ...(next?.length ? [make('section', {}, make('h2', {}, 'Next'),
        make('ul', { class: 'next' }, ...next.map((command) =>
          make('li', {}, make('code', {}, commandLine(command))))))] : []));
  }

  shown() {
    document.body.dataset.ready = '1';
  }
}
