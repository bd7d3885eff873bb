import assert from 'node:assert/strict';
import { test } from 'node:test';

import { matchRows, sumMatches } from '../src/search.js';
import { Tree } from '../src/tree.js';
import { treeHead } from './make.js';

const { head, strings } = treeHead([
  [0, 'root', 0], [1, 'conv1', 1], [2, 'Conv2D', 10], [2, 'bias', 3], [1, 'fc', 6],
], ['micros'], { columns: { text: ['', '', '', 'y = relu(x)', ''] } });
const tree = new Tree(head, strings);
const { total } = tree.costs('micros', -1);

test('paths are searched', () => {
  assert.deepEqual([...matchRows(tree, /conv1\/b/i)], [0, 0, 0, 1, 0]);
});

test('source lines are searched', () => {
  assert.deepEqual([...matchRows(tree, /relu/)], [0, 0, 0, 1, 0]);
});

test('a match inside a match is not added again', () => {
  const mask = matchRows(tree, /conv/i);
  assert.deepEqual([...mask], [0, 1, 1, 1, 0]);
  assert.deepEqual(sumMatches(tree, total, mask, 0), { count: 3, sum: 14 });
});

test('only rows below the zoomed row count', () => {
  const mask = matchRows(tree, /b|f/i);
  assert.deepEqual(sumMatches(tree, total, mask, 1), { count: 1, sum: 3 });
});
