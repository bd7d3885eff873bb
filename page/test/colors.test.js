import assert from 'node:assert/strict';
import { test } from 'node:test';

import { contrast, groupColor, HUES, inkOn, THEMES } from '../src/colors.js';

// Every color that a box can have.
const boxColors = (colors) => [...colors.hues, ...colors.scope, colors.other, colors.muted,
  ...colors.more, ...colors.less];

test('text on every box has a contrast of 4.5 at least', () => {
  for (const [name, colors] of Object.entries(THEMES)) {
    for (const color of boxColors(colors)) {
      assert.ok(contrast(inkOn(color), color) >= 4.5, `${name} ${color}`);
    }
  }
});

test('contrast is that of WCAG', () => {
  assert.ok(Math.abs(contrast('#000000', '#ffffff') - 21) < 1e-9);
  assert.ok(Math.abs(contrast('#777777', '#ffffff') - 4.478) < 0.001);
});

test('groups have the color of their number', () => {
  const { light } = THEMES;
  assert.equal(groupColor(light, 0, 1), light.scope[1]);
  assert.equal(groupColor(light, 1, 0), light.hues[0]);
  assert.equal(groupColor(light, HUES + 1, 0), light.other);
});

// ---- Color deficiencies: Machado, Oliveira and Fernandes 2009, severity 1.0, in
// linear RGB; distances in CIE Lab.

const SEEN = {
  everyone: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881]],
  tritanopia: [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602],
    [0.004733, 0.691367, 0.3039]],
};

function lab(color, matrix) {
  const linear = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  const [r, g, b] = matrix.map((row) => Math.min(1, Math.max(0,
    row[0] * linear[0] + row[1] * linear[1] + row[2] * linear[2])));
  const f = (t) => t > 0.008856 ? Math.cbrt(t) : 7.787 * t + 16 / 116;
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

// Below about 2.3 two colors look the same side by side.
const distance = (a, b, matrix) => {
  const [p, q] = [lab(a, matrix), lab(b, matrix)];
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2]);
};

for (const [who, matrix] of Object.entries(SEEN)) {
  test(`hues stay apart for ${who}`, () => {
    for (const { hues } of Object.values(THEMES)) {
      for (let i = 0; i < hues.length; i++) {
        for (let k = 0; k < i; k++) {
          assert.ok(distance(hues[i], hues[k], matrix) >= 10, `${hues[i]} ${hues[k]}`);
        }
      }
    }
  });

  test(`more and less stay apart for ${who}`, () => {
    for (const { more, less } of Object.values(THEMES)) {
      for (let i = 0; i < more.length; i++) {
        assert.ok(distance(more[i], less[i], matrix) >= 10, `${more[i]} ${less[i]}`);
      }
    }
  });
}
