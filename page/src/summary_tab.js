// summary_tab.js - the results of `tfprof summary` on one screen.
import { make, nameElement, plain } from './dom.js';
import { distinct } from './names.js';
import { barElement } from './table.js';
import { exactTime, figure, grouped, share } from './units.js';

const time = (micros) => figure('us', Math.round(micros));

function card(title, value, more) {
  return make('div', { class: 'card' }, make('dt', {}, title), make('dd', {},
    make('span', { class: 'value' }, value),
    ...(more ? [make('span', { class: 'dim' }, more)] : [])));
}

const steps = (count) => grouped(count) + (count === 1 ? ' step' : ' steps');

// What sums of operations are about: "per step, sum of 8 devices".
function scale({ steps: count, devices = [] }) {
  return [...(count ? ['per step'] : []),
    ...(devices.length > 1 ? [`sum of ${grouped(devices.length)} devices`] : [])].join(', ');
}

function cards(answer) {
  const { wall_micros: wall, input_wait: input, memory, params, float_ops: flops } = answer;
  const list = [];
  if (answer.steps && wall) {
    const known = wall.p50 !== null && wall.p50 !== undefined;
    list.push(card('Median step', known ? exactTime(wall.p50) : 'unknown',
      steps(answer.steps) + (!known ? ', nothing marks how long they last'
        : answer.steps > 1 ? `, ${exactTime(wall.min)} to ${exactTime(wall.max)}` : '')));
  }
  if (input) {
    list.push(card('Input wait', share(input.share, 1),
      `${exactTime(input.micros)} of ${exactTime(input.wall_micros)}, in ` +
      `${grouped(input.waiting_steps)} of ${grouped(input.steps)} steps`));
  }
  if (flops !== null && flops !== undefined) {
    list.push(card('Float operations', figure('flops', flops), scale(answer)));
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

const NAME = 32; // visible characters of a long name

// Entries have one cost: time if anything ran. Costs of views are whole microseconds,
// as in their tables; the time of a device is not.
function cost({ busy, micros, params, float_ops: flops }) {
  if (busy !== undefined) return exactTime(busy);
  return micros !== undefined ? time(micros)
    : flops !== undefined ? figure('flops', flops) : figure('count', params ?? 0);
}

// A list of names with their cost, share and a bar; the heading links to a tab.
function ranking(title, about, tab, entries, has) {
  if (!entries?.length) return null;
  const forms = distinct(entries.map((entry) => entry.name), NAME);
  return make('section', { class: 'ranking' },
    make('h2', {}, has(tab) ? make('a', { href: '#' + tab }, title) : title,
      ...(about ? [make('span', { class: 'dim' }, ' ' + about)] : [])),
    make('ol', {}, ...entries.map((entry) => make('li', {},
      make('span', { class: 'line', title: plain(entry.name) },
        nameElement(forms.get(entry.name), 'leaf'),
        make('span', {}, cost(entry)),
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
    name: names[at], busy: device.busy_micros,
    share: device.busy_micros / ((device.busy_micros + device.idle_micros) || 1),
  }));
  const windows = new Set((answer.devices ?? []).map((d) =>
    exactTime(d.busy_micros + d.idle_micros)));
  return ranking('Devices', 'busy time per step' +
    (windows.size === 1 ? `, of ${[...windows][0]} on average` : ''), 'devices', list, has);
}

// Commands in the data of a report have neither the program nor the inputs.
function commandLine(command) {
  return plain(command.startsWith('tfprof ') ? command : 'tfprof ' + command);
}

// What a finding says, by its kind.
const FINDINGS = {
  host_bound: (_, part) => ['Steps wait for the host', ` ${part} of their time`],
  idle_device: (name, part) => [name, ` is idle for ${part} of the steps`],
  type: (name, part) => [name, ` takes ${part} of operation time`],
};
FINDINGS.node = FINDINGS.type;

function advicePart({ kind, about, share: part, try: text }) {
  const [name, more] = FINDINGS[kind]?.(about, share(part, 1)) ?? [about, ''];
  return make('p', { class: 'advice' }, make('strong', {}, nameElement(name)), more +
    (text ? '. Try: ' + plain(text) : ''));
}

export class SummaryTab {
  // has(id): whether the page has a tab with this id.
  constructor(answer, has) {
    const { advice, input_wait: input, next } = answer;
    this.element = make('div', { class: 'summary' }, cards(answer),
      ...(input ? [advicePart({ about: 'Steps wait for input', try: input.try })] : []),
      ...(advice ? [advicePart(advice)] : []),
      make('div', { class: 'rankings' }, ...[
        ranking('Scopes', scale(answer), 'scope', answer.scopes, has),
        ranking('Operation types', scale(answer), 'op', answer.op_types, has),
        ranking('Source lines', scale(answer), 'code', answer.lines, has),
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
