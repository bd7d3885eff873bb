// sort.js - rows sorted by numbers, fast enough for millions of them.

import { KEY_BYTES } from './decode.js';

const DIGIT = 0xffff;

// The bits of doubles as two words each. Comparing the words gives the same order
// as comparing the numbers.
function sortKeys(rows, values, descending) {
  const count = rows.length;
  const high = new Uint32Array(count), low = new Uint32Array(count);
  const number = new Float64Array(1), words = new Uint32Array(number.buffer);
  const flip = descending ? 0xffffffff : 0;
  for (let i = 0; i < count; i++) {
    number[0] = values[rows[i]] + 0; // -0 becomes 0
    const sign = words[1] >>> 31 ? 0xffffffff : 0;
    high[i] = (words[1] ^ (sign | 0x80000000) ^ flip) >>> 0;
    low[i] = (words[0] ^ sign ^ flip) >>> 0;
  }
  return [low, high];
}

// Sorts the rows by values[row]. Rows with equal values keep their order. This is a
// radix sort, because a comparison function would be called 20 million times for a
// million rows.
export function sortRows(rows, values, descending) {
  const count = rows.length;
  const keys = sortKeys(rows, values, descending);
  let from = new Uint32Array(count), to = new Uint32Array(count);
  for (let i = 0; i < count; i++) from[i] = i;
  const places = new Uint32Array(DIGIT + 2);
  for (const word of keys) {
    for (const shift of [0, 16]) {
      places.fill(0);
      for (let i = 0; i < count; i++) places[(word[i] >>> shift & DIGIT) + 1]++;
      // All rows have the same digit here, which is common for small integers.
      if (count && places[(word[0] >>> shift & DIGIT) + 1] === count) continue;
      for (let i = 1; i <= DIGIT; i++) places[i] += places[i - 1];
      for (let i = 0; i < count; i++) {
        to[places[word[from[i]] >>> shift & DIGIT]++] = from[i];
      }
      [from, to] = [to, from];
    }
  }
  for (let i = 0; i < count; i++) to[i] = rows[from[i]];
  return to;
}

// For each string of a page, its index in the order of all strings, by bytes.
export function stringRanks(strings) {
  return strings.ranks ??= placesOf(orderStrings(strings));
}

// Sorts strings by six bytes in each pass. Comparing a million strings as text would
// take seconds.
function orderStrings(strings) {
  const order = upTo(strings.count);
  const keys = new Float64Array(strings.count);
  const runs = [[0, strings.count, 0]];
  while (runs.length) {
    const [from, to, offset] = runs.pop();
    const part = order.subarray(from, to);
    for (const number of part) keys[number] = strings.key(number, offset);
    if (to - from < 500) part.sort((a, b) => keys[a] - keys[b] || a - b);
    else part.set(sortRows(part, keys, false));
    for (let i = from, end; i < to; i = end) {
      const key = keys[order[i]];
      for (end = i + 1; end < to && keys[order[end]] === key;) end++;
      // A last byte of 0 is behind the end of the string.
      if (end - i > 1 && key % 256) runs.push([i, end, offset + KEY_BYTES]);
    }
  }
  return order;
}

function placesOf(order) {
  const places = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) places[order[i]] = i;
  return places;
}

// The same for a short list.
export function ranksOf(list) {
  return placesOf(Array.from(list, (text, i) => i)
    .sort((a, b) => list[a] < list[b] ? -1 : list[a] > list[b] ? 1 : a - b));
}

// Numbers 0 to count - 1.
export function upTo(count) {
  const rows = new Uint32Array(count);
  for (let i = 0; i < count; i++) rows[i] = i;
  return rows;
}
