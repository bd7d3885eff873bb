import assert from 'node:assert/strict';
import { test } from 'node:test';

import { icicle, treemap } from '../src/layout.js';
import { Tree } from '../src/tree.js';
import { treeHead } from './make.js';

const make = (rows, metrics, more) => {
  const { head, strings } = treeHead(rows, metrics, more);
  const tree = new Tree(head, strings);
  return { tree, costs: tree.costs(head.main, -1) };
};

test('widths are proportional to totals', () => {
  const { tree, costs } = make([[0, '', 0], [1, 'a', 10], [2, 'b', 20], [1, 'c', 70]]);
  const { boxes, cut } = icicle(tree, costs, 0, 1000, 400);
  const of = (row) => boxes.find((b) => b.row === row);
  assert.deepEqual([of(0).w, of(1).w, of(2).w, of(3).w], [1000, 300, 200, 700]);
  assert.deepEqual([of(3).x, of(1).x, of(2).x], [0, 700, 700]);
  assert.equal(cut, false);
});

test('children below a pixel share one box', () => {
  const many = Array.from({ length: 412 }, () => [1, 's', 1]);
  const { tree, costs } = make([[0, '', 0], [1, 'big', 99588], ...many]);
  const { boxes } = icicle(tree, costs, 0, 1000, 400);
  assert.equal(boxes.length, 3);
  const more = boxes.find((b) => b.more);
  assert.equal(more.more, 412);
  assert.ok(Math.abs(more.w - 4.12) < 1e-9);
  assert.ok(Math.abs(more.x - 995.88) < 1e-9);
});

test('a row that stands for others counts as many', () => {
  const { tree, costs } = make([[0, '', 0], [1, 'big', 99000], [1, '', 400], [1, 't', 600]],
    ['micros'], { columns: { more: [0, 0, 30, 0] } });
  const { boxes } = icicle(tree, costs, 0, 100, 400);
  assert.deepEqual(boxes.map((b) => [b.row, b.more]), [[0, 0], [0, 31], [1, 0]]);
});

test('a height that is too small is reported', () => {
  const { tree, costs } = make([[0, '', 0], [1, 'a', 1], [2, 'b', 1], [3, 'c', 1]]);
  const { boxes, cut } = icicle(tree, costs, 0, 100, 50);
  assert.equal(boxes.length, 2);
  assert.equal(cut, true);
});

test('boxes of a treemap are inside their parent and do not overlap', () => {
  const rows = [[0, '', 0]];
  for (let i = 0; i < 40; i++) rows.push([1, 'n' + i, 1 + i * i]);
  const { tree, costs } = make(rows);
  const { boxes } = treemap(tree, costs, 0, 900, 500);
  const inner = boxes.filter((b) => b.level === 1);
  assert.ok(inner.length > 30);
  for (const a of inner) {
    assert.ok(a.x >= 0 && a.y >= 18 && a.x + a.w <= 900.001 && a.y + a.h <= 500.001);
    for (const b of inner) {
      if (a === b) continue;
      const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
      const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
      assert.ok(Math.min(across, down) < 1e-6);
    }
  }
  const area = (row) => inner.filter((b) => b.row === row && !b.more)
    .reduce((sum, b) => sum + b.w * b.h, 0);
  const total = costs.total;
  assert.ok(Math.abs(area(40) / area(20) - total[40] / total[20]) < 1e-6);
});

test('an empty tree has one box', () => {
  const { tree, costs } = make([[0, '', 0]]);
  assert.equal(icicle(tree, costs, 0, 100, 100).boxes.length, 1);
  assert.equal(treemap(tree, costs, 0, 100, 100).boxes.length, 1);
});
