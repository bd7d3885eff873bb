// colors.js - colors of boxes.
//
// The seven hues are those of Okabe and Ito, mixed with white so that dark text
// can be read on all of them. test/colors.test.js checks their contrast, and that
// people with any of three color deficiencies can tell them apart.

const LIGHT = {
  hues: ['#4d9cc9', '#eebc4d', '#4dbb9d', '#dba1c1', '#e28e4d', '#89cbf0',
    '#f4ec7b'],
  scope: ['#dde4ec', '#d0d9e3'],
  other: '#b9c2cd',
  muted: '#eef1f4',
  hatch: '#bcc5d0',
  more: ['#fbe6d6', '#f0b98f', '#e28e4d'],
  less: ['#d9ebf5', '#9ac8e2', '#4d9cc9'],
  line: '#ffffff',
};

const DARK = {
  hues: ['#338ec1', '#ebb233', '#33b18f', '#d694b9', '#dd7e33', '#78c3ed',
    '#f3e968'],
  scope: ['#3a434f', '#46505d'],
  other: '#5b6675',
  muted: '#262c34',
  hatch: '#4b5563',
  more: ['#5f4433', '#9c5a28', '#dd7e33'],
  less: ['#2c4658', '#2a6287', '#4d9cc9'],
  line: '#14171c',
};

const INKS = ['#111418', '#ffffff'];

export const THEMES = { light: LIGHT, dark: DARK };

export function theme() {
  return matchMedia('(prefers-color-scheme: dark)').matches &&
    !matchMedia('print').matches ? DARK : LIGHT;
}

// Calls changed() when the theme changes. The theme for printing is light.
export function onTheme(changed) {
  for (const query of ['(prefers-color-scheme: dark)', 'print']) {
    matchMedia(query).addEventListener('change', changed);
  }
}

function luminance(color) {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

// The contrast of two colors, from 1 to 21, as WCAG defines it.
export function contrast(a, b) {
  const [x, y] = [luminance(a), luminance(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

const inks = new Map();

// Dark or light: the text color that is easier to read on this color.
export function inkOn(color) {
  let ink = inks.get(color);
  if (!ink) {
    ink = contrast(INKS[0], color) >= contrast(INKS[1], color) ? INKS[0] : INKS[1];
    inks.set(color, ink);
  }
  return ink;
}

// The number of groups that have a color of their own.
export const HUES = LIGHT.hues.length;

// Groups: 0 is a scope, 1 to HUES have a hue, HUES + 1 is all other groups.
export function groupColor(colors, group, level) {
  if (group === 0) return colors.scope[level % 2];
  return group <= HUES ? colors.hues[group - 1] : colors.other;
}
