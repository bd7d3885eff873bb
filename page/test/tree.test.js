import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ranksOf } from '../src/sort.js';
import { Tree } from '../src/tree.js';
import { treeHead } from './make.js';

const make = (rows, metrics, more) => {
  const { head, strings } = treeHead(rows, metrics, more);
  return new Tree(head, strings);
};

const SMALL = [
  [0, '', 0, 0],
  [1, 'a', 5, 1],
  [2, 'b', 10, 0],
  [2, 'c', 2, 9],
  [1, 'd', 1, 50],
];

test('parents and ends follow from depths', () => {
  const tree = make(SMALL);
  assert.deepEqual([...tree.parent], [0, 0, 1, 1, 0]);
  assert.deepEqual([...tree.end], [5, 4, 3, 4, 5]);
});

test('a total is the sum of all rows below', () => {
  const tree = make(SMALL, ['micros', 'bytes']);
  assert.deepEqual([...tree.costs('micros', -1).total], [18, 17, 10, 2, 1]);
  assert.deepEqual([...tree.costs('bytes', -1).total], [60, 10, 0, 9, 50]);
});

test('hidden rows are part of totals, not of self', () => {
  const { head, strings } = treeHead(SMALL);
  head.columns.push({ name: 'rest', metric: 'micros', step: -1, values: [0, 100, 0, 0, 0] });
  const { self, total } = new Tree(head, strings).costs('micros', -1);
  assert.deepEqual([...total], [118, 117, 10, 2, 1]);
  assert.equal(self[1], 5);
});

test('a metric without that step has the values of all steps', () => {
  const { head, strings } = treeHead(SMALL);
  head.columns.push({ name: 'self', metric: 'micros', step: 3, values: [0, 0, 0, 0, 7] });
  const tree = new Tree(head, strings);
  assert.equal(tree.costs('micros', 3).total[0], 7);
  assert.equal(tree.costs('micros', 4).total[0], 18);
});

test('children are sorted by the metric that is drawn', () => {
  const tree = make(SMALL, ['micros', 'bytes']);
  assert.deepEqual(tree.top(tree.costs('micros', -1), 0).rows, [1, 4]);
  assert.deepEqual(tree.top(tree.costs('bytes', -1), 0).rows, [4, 1]);
  const top = tree.top(tree.costs('bytes', -1), 1);
  assert.deepEqual([top.rows, top.count, top.sum], [[3], 1, 9]);
});

test('paths join the names below the root', () => {
  const tree = make(SMALL);
  assert.equal(tree.pathOf(2), 'a/b');
  assert.equal(tree.pathOf(0), '');
});

test('groups are the most expensive types; others share a color', () => {
  const rows = [[0, '', 0], ...Array.from({ length: 9 }, (_, i) => [1, 'n' + i, 9 - i])];
  const type = ['', ...Array.from({ length: 9 }, (_, i) => 't' + i)];
  const tree = make(rows, ['micros'], { columns: { type } });
  const { of, legend, others } = tree.groups();
  assert.deepEqual(legend, ['t0', 't1', 't2', 't3', 't4', 't5', 't6']);
  assert.deepEqual([...of], [0, 1, 2, 3, 4, 5, 6, 7, 8, 8]);
  assert.equal(others, true);
});

test('trees without types are colored by the scope below the root', () => {
  const tree = make(SMALL);
  assert.deepEqual(tree.groups().legend, ['a', 'd']);
  assert.deepEqual([...tree.groups().of], [0, 1, 1, 1, 2]);
});

test('rows by path have siblings by name and children behind parents', () => {
  const tree = make([[0, 'z', 0], [1, 'x', 0], [2, 'q', 0], [2, 'b', 0], [1, 'a', 0]]);
  const order = tree.byPath(ranksOf(tree.strings.all()));
  assert.deepEqual([...order].map((row) => tree.pathOf(row)), ['', 'a', 'x', 'x/b', 'x/q']);
});

// ---- Sizes

const numbers = (count, of) => Float64Array.from({ length: count }, (_, i) => of(i));

function large(depths, selves) {
  const column = (name, values, rest = {}) => ({ name, values, ...rest });
  return new Tree({
    rows: depths.length, main: 'micros', metrics: [{ id: 'micros', unit: 'us' }],
    columns: [column('depth', depths), column('name', new Uint8Array(depths.length)),
      column('self', selves, { metric: 'micros', step: -1 })],
  }, { get: () => 'n', all: () => ['n'] });
}

test('a million children of one parent', () => {
  const count = 1000001;
  const tree = large(numbers(count, (i) => i ? 1 : 0),
    numbers(count, (i) => i ? 1 + (i * 7919) % 1000 : 0));
  const top = tree.top(tree.costs('micros', -1), 0);
  assert.equal(top.count, count - 1);
  assert.equal(top.rows.length, 0); // none has a pixel
  tree.costs('micros', -1).total[5] = 1e9;
  assert.equal(tree.groups().of.length, count);
});

test('a chain of a million rows', () => {
  const count = 1000000;
  const tree = large(numbers(count, (i) => i), numbers(count, () => 1));
  assert.equal(tree.costs('micros', -1).total[0], count);
  assert.equal(tree.end[count - 2], count);
  assert.equal(tree.byPath(new Uint32Array(1)).at(-1), count - 1);
});
