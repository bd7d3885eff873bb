import assert from 'node:assert/strict';
import { test } from 'node:test';

import { Strings } from '../src/decode.js';
import { ranksOf, sortRows, stringRanks, upTo } from '../src/sort.js';

test('rows are sorted by their numbers, ties in their order', () => {
  const values = [3, -1, 3, 0, -0, 2 ** 40, 0.5, -(2 ** 40)];
  assert.deepEqual([...sortRows(upTo(8), values, false)], [7, 1, 3, 4, 6, 0, 2, 5]);
  assert.deepEqual([...sortRows(upTo(8), values, true)], [5, 0, 2, 6, 3, 4, 1, 7]);
});

test('only the given rows are sorted', () => {
  assert.deepEqual([...sortRows(Uint32Array.of(4, 2, 0), [1, 9, 5, 9, 3], true)], [2, 4, 0]);
  assert.deepEqual([...sortRows(new Uint32Array(0), [], true)], []);
});

test('the result is that of a comparison sort', () => {
  let state = 1;
  const random = () => (state = state * 48271 % 2147483647) / 2147483647;
  const values = Float64Array.from({ length: 20000 },
    () => Math.floor(random() * 5000) * (random() < 0.5 ? 1 : 1e9) - 1000);
  const expected = [...upTo(values.length)].sort((a, b) => values[b] - values[a] || a - b);
  assert.deepEqual([...sortRows(upTo(values.length), values, true)], expected);
});

test('a million rows take less than two seconds', () => {
  const values = Float64Array.from({ length: 1e6 }, (_, i) => (i * 7919) % 1000003);
  const started = performance.now();
  sortRows(upTo(1e6), values, true);
  assert.ok(performance.now() - started < 2000);
});

test('ranks of strings are their places', () => {
  assert.deepEqual([...ranksOf(['b', 'a', '', 'ab'])], [3, 1, 0, 2]);
});

test('ranks by bytes are the same as by text', () => {
  let state = 7;
  const random = (below) => (state = state * 48271 % 2147483647) % below;
  const list = ['', 'layer', 'layer_1', 'layer_1', 'layer_10/kernel', 'layer_10/kerne'];
  for (let i = 0; i < 3000; i++) {
    list.push('layer_'.repeat(random(4)) + 'ab/_'.charAt(random(4)).repeat(random(9)) + random(99));
  }
  const bytes = new TextEncoder().encode(list.map((s) => s + '\0').join(''));
  assert.deepEqual(stringRanks(new Strings(bytes, list.length)), ranksOf(list));
});
