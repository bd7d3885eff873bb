// make.js - chunks for unit tests, written apart from decode.js.
import { gzipSync } from 'node:zlib';

// Planes of 64-bit numbers: BigInt, so that nothing is rounded here.
export function column(description, values) {
  const zigzag = values.some((v) => v < 0);
  const words = values.map((v) => {
    const big = BigInt(v);
    return zigzag ? BigInt.asUintN(64, (big << 1n) ^ (big >> 63n)) : big;
  });
  let planes = 0;
  while (words.some((w) => w >> BigInt(8 * planes))) planes++;
  const bytes = [];
  for (let j = 0; j < planes; j++) {
    for (const word of words) bytes.push(Number((word >> BigInt(8 * j)) & 255n));
  }
  return { description: { ...description, planes, ...(zigzag ? { zigzag } : {}) }, bytes };
}

export function chunk(head, columns = [], body = []) {
  const text = new TextEncoder().encode(JSON.stringify(
    columns.length ? { ...head, columns: columns.map((c) => c.description) } : head));
  const size = new Uint8Array(new Uint32Array([text.length]).buffer);
  return [size, text, ...columns.map((c) => Uint8Array.from(c.bytes)), Uint8Array.from(body)];
}

export function stringsChunk(list) {
  const body = list.flatMap((s) => [...new TextEncoder().encode(s), 0]);
  return chunk({ kind: 'strings', bytes: body.length, count: list.length }, [], body);
}

export function join(...chunks) {
  const parts = chunks.flat();
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

export function base64(bytes) {
  return gzipSync(bytes).toString('base64');
}

// A head as Tree takes it, with values instead of bytes. rows: [depth, name,
// self...] with one self for each metric; names are interned into `strings`.
export function treeHead(rows, metrics = ['micros'], more = {}) {
  const list = [''];
  const intern = (text) => {
    const at = list.indexOf(text);
    return at >= 0 ? at : list.push(text) - 1;
  };
  const named = (name, values, rest = {}) => ({ name, values, ...rest });
  const columns = [
    named('depth', rows.map((r) => r[0])),
    named('name', rows.map((r) => intern(r[1]))),
    ...metrics.map((metric, k) =>
      named('self', rows.map((r) => r[2 + k] ?? 0), { metric, step: -1 })),
    ...Object.entries(more.columns ?? {}).map(([name, values]) => named(name,
      values.map((v) => typeof v === 'string' ? intern(v) : v))),
  ];
  const strings = { get: (i) => list[i] ?? '', all: () => list, list };
  return {
    head: { rows: rows.length, main: metrics[0], title: 'tree',
      metrics: metrics.map((id) => ({ id, title: id, unit: 'us' })),
      columns, ...(more.head ?? {}) },
    strings,
  };
}
