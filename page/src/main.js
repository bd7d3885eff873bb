// main.js - starts the page: decodes the data and makes its tabs.
import { CurveTab } from './curve_tab.js';
import { decodeChunks, unpack } from './decode.js';
import { DiffTab, DiffTree } from './diff_tab.js';
import { make, plain } from './dom.js';
import { emptyTab, EXPECTED, isExpected } from './empty.js';
import { GraphTab } from './graph_tab.js';
import { KernelsTab, tableTree } from './kernels_tab.js';
import { describeForPrint } from './print.js';
import { busyColumn, StepsTab } from './steps_tab.js';
import { SummaryTab } from './summary_tab.js';
import { Tabs } from './tabs.js';
import { Tooltip } from './tooltip.js';
import { Tree } from './tree.js';
import { TreeTab } from './tree_tab.js';

const ORDER = ['summary', 'scope', 'op', 'code', 'graph', 'memory', 'steps', 'kernels',
  'devices'];

// A tab for each chunk, in the order of ORDER. Other tabs follow; the diff is last.
export function listTabs(found, tooltip) {
  const { strings } = found;
  const tabs = [];
  const add = (id, title, build) => tabs.push({ id, title, build });
  const has = (id) => tabs.some((tab) => tab.id === id && !tab.empty);
  const isMemory = (chunk) => (chunk.id ?? '').startsWith('memory');
  let scope = null;
  if (found.summary) {
    add('summary', 'Summary', () => new SummaryTab(found.summary.answer ?? {}, has));
  }
  for (const head of found.trees) {
    let tree = null;
    const open = () => tree ??= new Tree(head, strings);
    if (head.id === 'scope') scope = open;
    add(head.id, head.title, () => new TreeTab(open(), tooltip));
  }
  if (found.graph?.rows && scope) {
    add('graph', 'Graph', () => new GraphTab(found.graph, scope()));
  }
  const lists = found.tables.filter(isMemory);
  if (found.curves.length || lists.length) {
    add('memory', 'Memory', () => new CurveTab(found.curves, lists, strings, tooltip));
  }
  for (const table of found.tables.filter((t) => !isMemory(t))) {
    add(table.id, table.title, () => {
      const tree = busyColumn(table) ? null : tableTree(table, strings);
      return tree ? new KernelsTab(tree, tooltip) : new StepsTab(table, strings);
    });
  }
  // A report also has tabs without data, which explain how to get the data.
  const { answer, no_code: why } = found.summary ?? {};
  for (const [id, title] of found.summary ? EXPECTED : []) {
    if (has(id) || !isExpected(id, answer ?? {})) continue;
    tabs.push({ id, title, empty: true,
      build: () => ({ element: emptyTab(id, id === 'code' ? why : undefined) }) });
  }
  const place = (tab) => (ORDER.indexOf(tab.id) + 1 || ORDER.length + 1);
  tabs.sort((a, b) => place(a) - place(b));
  if (found.diff) {
    add('diff', found.diff.title || 'Diff',
      () => new DiffTab(new DiffTree({ title: 'Diff', ...found.diff }, strings), tooltip));
  }
  return tabs;
}

function showHead(page) {
  document.querySelector('h1').textContent = plain(page.title ?? '');
  document.getElementById('made').textContent =
    plain([(page.made_of ?? []).join(', '), page.program ?? ''].filter(Boolean).join(' · '));
  const notes = document.getElementById('notes');
  notes.append(...(page.notes ?? []).map((note) => make('li', {}, plain(note))));
  notes.hidden = !page.notes?.length;
}

async function start() {
  const element = document.getElementById('data');
  const found = decodeChunks(await unpack(element.textContent));
  element.remove(); // frees memory: the text is larger than the decoded data
  window.tfprof.decoded = performance.now();
  showHead(found.page);
  const main = document.querySelector('main');
  const tabs = new Tabs(listTabs(found, new Tooltip()));
  if (!tabs.tabs.length) {
    main.append('This page has no data.');
    return;
  }
  tabs.list.hidden = tabs.tabs.length < 2;
  main.append(tabs.list, tabs.panels);
  addEventListener('beforeprint', describeForPrint);
  matchMedia('print').addEventListener('change', describeForPrint);
  tabs.show(tabs.fromHash() ?? tabs.find(found.page.shows) ?? tabs.tabs[0]);
  window.tfprof.first = performance.now();
}

// window.tfprof has numbers for tests. `decoded` and `first` are milliseconds since
// the page was opened. `redraw`, `sort` and `search` are the milliseconds that the
// last such action took. `boxes` is the number of boxes.
if (typeof window !== 'undefined') {
  window.tfprof = {};
  start().catch((error) => {
    document.querySelector('main').textContent = `This page cannot be shown: ${error.message}`;
  });
}
