// units.js - values with units, written as in the tables of the program
// (src/output/text/figures.c): "12.35ms", "1.20MB", "52.10k", "47.2%". Float
// operations have units of their own: "2.64 MFLOP".

// Like printf("%.*f"): an exact tie goes to the even digit. toFixed() rounds it
// up. Ties are exact in binary, so multiplying by a power of two finds them.
export function fixed(value, decimals) {
  const halves = value * 2 ** (decimals + 1);
  if (Number.isInteger(halves) && halves % 2 !== 0) {
    const scale = 10 ** decimals;
    const low = Math.floor(value * scale);
    return ((low % 2 === 0 ? low : low + 1) / scale).toFixed(decimals);
  }
  return value.toFixed(decimals);
}

const SIZES = {
  us: [[3.6e9, 'h'], [1e6, 'sec'], [1e3, 'ms'], [0, 'us', 1]],
  ps: [[3.6e15, 'h'], [1e12, 'sec'], [1e9, 'ms'], [1e6, 'us'], [0, 'ns', 1e3]],
  bytes: [[1e12, 'TB'], [1e9, 'GB'], [1e6, 'MB'], [1e3, 'KB'], [0, 'B', 1]],
  count: [[1e12, 't'], [1e9, 'b'], [1e6, 'm'], [1e3, 'k'], [0, '', 1]],
  flops: [[1e15, ' PFLOP'], [1e12, ' TFLOP'], [1e9, ' GFLOP'], [1e6, ' MFLOP'],
    [1e3, ' kFLOP'], [0, ' FLOP', 1]],
};

// The value for people. Only times in picoseconds keep decimals in the smallest
// unit, as in the program.
export function figure(unit, value) {
  if (value < 0) return '-' + figure(unit, -value);
  if (unit === 'percent') return fixed(value, 1) + '%';
  if (unit?.endsWith('/s')) return fixed(value, 2); // the title has the unit
  if (unit === 'us' && !Number.isInteger(value)) {
    return figure('ps', Math.round(value * 1e6));
  }
  for (const [least, name, size = least] of SIZES[unit] ?? []) {
    if (value < least) continue;
    return (size === 1 || value === 0 ? String(value) : fixed(value / size, 2)) +
      name;
  }
  return grouped(value);
}

// A time in microseconds, which may have decimals, rounded once.
export function exactTime(micros) {
  return figure('ps', Math.round(micros * 1e6));
}

// What is not known, as in the tables of the program.
export const UNKNOWN = '?';

// In a table, 0 has no unit, so that other values are easy to see.
export function cellFigure(unit, value) {
  return value === 0 ? '0' : figure(unit, value);
}

export function signedFigure(unit, value) {
  return (value < 0 ? '−' : '+') + figure(unit, Math.abs(value));
}

// All digits, in groups of three. Numbers beyond 2^53 were rounded, so they begin
// with "about".
export function grouped(value) {
  const digits = String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
  return Number.isSafeInteger(value) ? digits : digits.includes('.')
    ? String(value) : 'about ' + digits;
}

// The share of a part as the column % shows it.
export function share(part, whole) {
  return fixed(whole ? 100 * part / whole : 0, 1) + '%';
}
