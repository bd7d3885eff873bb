import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cellFigure, figure, fixed, grouped, share, signedFigure } from '../src/units.js';

test('figures are worded like the tables of the program', () => {
  // From src/output/text/figures.c and its tests.
  for (const [unit, value, text] of [
    ['us', 999, '999us'], ['us', 1000, '1.00ms'], ['us', 12345, '12.35ms'],
    ['us', 1234567, '1.23sec'], ['us', 730.77, '730.77us'],
    ['ps', 0, '0ns'], ['ps', 999, '1.00ns'], ['ps', 730770000, '730.77us'],
    ['ps', 6344763000, '6.34ms'], ['ps', 2e12, '2.00sec'],
    ['bytes', 999, '999B'], ['bytes', 1200000, '1.20MB'], ['bytes', 5e9, '5.00GB'], ['bytes', 21491714048, '21.49GB'],
    ['bytes', 2e12, '2.00TB'], ['us', 7.2e9, '2.00h'], ['ps', 5.4e15, '1.50h'],
    ['count', 2e12, '2.00t'], ['flops', 8255.4e9, '8.26 TFLOP'], ['flops', 12, '12 FLOP'],
    ['GFLOP/s', 31576.1234, '31576.12'],
    ['bytes', 20740, '20.74KB'],
    ['count', 960, '960'], ['count', 52100, '52.10k'], ['flops', 2471234, '2.47 MFLOP'],
    ['count', 3e9, '3.00b'], ['percent', 47.25, '47.2%'],
    [undefined, 1234567, '1,234,567'],
  ]) assert.equal(figure(unit, value), text);
});

test('rounding is that of printf', () => {
  assert.equal(fixed(1.005, 2), '1.00');
  assert.equal(fixed(1.125, 2), '1.12');
  assert.equal(fixed(1.375, 2), '1.38');
  assert.equal(fixed(0.25, 1), '0.2');
  assert.equal(fixed(0.75, 1), '0.8');
  assert.equal(figure('us', 1125), '1.12ms'); // 1.125 is exact in binary
});

test('a cost of 0 has no unit in tables', () => {
  assert.equal(cellFigure('us', 0), '0');
  assert.equal(cellFigure('us', 1), '1us');
});

test('signs are always written for changes', () => {
  assert.equal(signedFigure('us', 5), '+5us');
  assert.equal(signedFigure('bytes', -2000), '−2.00KB');
});

test('digits are grouped; rounded numbers say so', () => {
  assert.equal(grouped(0), '0');
  assert.equal(grouped(999), '999');
  assert.equal(grouped(2636551), '2,636,551');
  assert.equal(grouped(2 ** 60), 'about 1,152,921,504,606,847,000');
});

test('shares have one decimal', () => {
  assert.equal(share(1, 3), '33.3%');
  assert.equal(share(1, 0), '0.0%');
});
