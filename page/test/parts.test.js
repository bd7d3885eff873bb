import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ticks } from '../src/curve_tab.js';
import { changeShare, DiffTree } from '../src/diff_tab.js';
import { plain } from '../src/dom.js';
import { distinct } from '../src/names.js';
import { neighbors } from '../src/graph_tab.js';
import { tableTree } from '../src/kernels_tab.js';
import { listTabs } from '../src/main.js';
import { busyColumn } from '../src/steps_tab.js';
import { shortDevices } from '../src/summary_tab.js';
import { shortNames } from '../src/tree.js';
import { treeHead } from './make.js';

test('hidden characters become visible', () => {
  assert.equal(plain('a\u202eb\u0000c\u2066\n'), 'a\\u202eb\\u0000c\\u2066\\u000a');
  assert.equal(plain('שלום é 漢'), 'שלום é 漢');
});

test('ticks are round and cover the range', () => {
  assert.deepEqual(ticks(65, 4), [0, 20, 40, 60]);
  assert.deepEqual(ticks(0, 4), [0]);
  assert.deepEqual(ticks(1000, 2), [0, 500, 1000]);
  assert.deepEqual(ticks(50, 3, 38), [40, 60, 80]);
});

test('names that look alike are cut where they differ', () => {
  const start = 'program_12190760917235803885/';
  const forms = distinct([start + 'copy-done.4', start + 'copy-done.2', 'short'], 30);
  assert.deepEqual([...forms.values()].sort(),
    ['program_1219…copy-done.2', 'program_1219…copy-done.4', 'short']);
  const names = [];
  for (const layer of [1, 2, 3]) {
    for (const op of ['Cast', 'Mul']) {
      for (const part of ['a', 'b']) {
        names.push(`replica_4/bert/encoder/transformer/layer_${layer}/attention_output/` +
          `dropout_${part}/dropout/random_uniform/${op}`);
      }
    }
  }
  const shown = [...distinct(names, 34).values()].map((form) => form.slice(0, 34));
  assert.equal(new Set(shown).size, names.length);
});

test('rows without a known time have no share of it', () => {
  globalThis.innerWidth ??= 1000;
  const chunk = { rows: 3, columns: [
    { name: 'busy_micros', numbers: [50, 100, 7] },
    { name: 'idle_micros', numbers: [50, 0, -1] }] };
  assert.deepEqual([...busyColumn(chunk).values()], [0.5, 1, -1]);
  const cell = { append: (text) => { cell.text = text; } };
  busyColumn(chunk).fill(cell, 2);
  assert.equal(cell.text, '?');
});

test('neighbors are found in both directions', () => {
  const from = [1, 1, 3], to = [2, 3, 2];
  assert.deepEqual([...neighbors(4, from, to).of(1)], [2, 3]);
  assert.deepEqual([...neighbors(4, to, from).of(2)], [1, 3]);
  assert.deepEqual([...neighbors(4, to, from).of(1)], []);
});

test('changes have a sign; rows without a base are new', () => {
  assert.equal(changeShare(100, 125), '+25.0%');
  assert.equal(changeShare(100, 50), '−50.0%');
  assert.equal(changeShare(0, 5), 'new');
  assert.equal(changeShare(7, 7), '0.0%');
});

test('a box of a diff is as wide as its larger side and its children', () => {
  const { head, strings } = treeHead([[0, ''], [1, 'a'], [2, 'b'], [2, 'c']], []);
  head.columns.push(
    { name: 'base', metric: 'micros', values: [30, 30, 30, 0] },
    { name: 'new', metric: 'micros', values: [20, 20, 0, 20] });
  const costs = new DiffTree(head, strings).costs('micros');
  assert.deepEqual([...costs.total], [50, 50, 30, 20]);
  assert.deepEqual([...costs.change], [-10, -10, -30, 20]);
});

test('devices are short unless two would be the same', () => {
  assert.deepEqual(shortDevices(['/job:a/device:CPU:0', '/job:a/device:GPU:0']),
    ['CPU:0', 'GPU:0']);
  assert.deepEqual(shortDevices(['/job:a/device:CPU:0', '/job:b/device:CPU:0']),
    ['/job:a/device:CPU:0', '/job:b/device:CPU:0']);
  assert.deepEqual(shortDevices(['/job:a/replica:0/task:1/device:CPU:0',
    '/job:b/replica:0/task:0/device:CPU:0']), ['a:1 CPU:0', 'b:0 CPU:0']);
});

test('files are short unless two would be the same', () => {
  assert.deepEqual(shortNames(['/a/train.py', '/b/ops.py'], true), ['train.py', 'ops.py']);
  assert.deepEqual(shortNames(['/a/ops.py', '/b/ops.py'], true), ['/a/ops.py', '/b/ops.py']);
  assert.deepEqual(shortNames(['a/b'], false), ['a/b']);
});

const found = (more) => ({ page: {}, trees: [], tables: [], curves: [], summary: null,
  graph: null, diff: null, strings: null, ...more });
const ids = (more) => listTabs(found(more), null).map((tab) => tab.id);

test('a view has its own tab only', () => {
  assert.deepEqual(ids({ trees: [{ id: 'scope', title: 'Scopes' }] }), ['scope']);
});

test('a report has all tabs in their order', () => {
  assert.deepEqual(ids({
    summary: { answer: {} }, diff: { rows: 1 }, tables: [{ id: 'kernels' }, { id: 'extra' }],
    trees: [{ id: 'op' }, { id: 'scope' }], graph: { rows: 3 }, curves: [{ id: 'memory' }],
  }), ['summary', 'scope', 'op', 'code', 'graph', 'memory', 'steps', 'kernels', 'devices',
    'extra', 'diff']);
});

test('tabs for accelerators are not shown if only CPUs ran', () => {
  const tabs = (...devices) => ids({
    summary: { answer: { devices: devices.map((device) => ({ device })) } } });
  assert.deepEqual(tabs('/host:vm/device:CPU:0'),
    ['summary', 'code', 'graph', 'steps', 'devices']);
  assert.deepEqual(tabs('/job:a/replica:0/task:0/cpu:0'),
    ['summary', 'code', 'graph', 'steps', 'devices']);
  for (const devices of [[], ['/device:CPU:0', '/device:GPU:0']]) {
    assert.deepEqual(tabs(...devices), ['summary', 'code', 'graph', 'memory', 'steps',
      'kernels', 'devices']);
  }
  assert.deepEqual(ids({ summary: { answer: { devices: [{ device: '/device:CPU:0' }] } },
    curves: [{ id: 'memory' }] }), ['summary', 'code', 'graph', 'memory', 'steps', 'devices']);
});

test('rows of a table with the same name are below one row', () => {
  const numbers = (name, values, unit) => ({ name, title: name, unit, numbers: values });
  const text = (name, values) => ({ name, type: 'string', numbers: values });
  const chunk = { title: 'Kernels', rows: 4, columns: [
    numbers('micros', [5, 1, 2, -1], 'us'), numbers('count', [9, 9, 9, 9]),
    text('kernel', [1, 2, 1, 1]), text('op', [3, 4, 5, 6])] };
  const tree = tableTree(chunk, { get: (i) => 's' + i });
  assert.deepEqual([...tree.depth], [0, 1, 2, 2, 2, 1]);
  assert.deepEqual(tree.head.rowOf, [-1, -1, 0, 2, 3, 1]);
  assert.equal(tree.pathOf(3), 's1/s5');
  assert.equal(tree.pathOf(5), 's2');
  assert.deepEqual(tree.metrics.map((m) => m.id), ['micros']);
  assert.deepEqual([...tree.costs('micros', -1).total], [8, 7, 5, 2, 0, 1]);
  assert.equal(tableTree({ ...chunk, columns: chunk.columns.slice(1) }, null), null);
});
