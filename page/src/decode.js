// decode.js - from the base64 text in the page to chunks of columns.
//
// page/README.md describes the format. Columns stay planes of bytes until they are
// used, because a page may have a hundred columns of a million rows and show only
// a few of them.

function fromBase64(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64); // much faster
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

// Decodes base64 and decompresses the gzip data into one Uint8Array.
export async function unpack(base64) {
  const stream = new Blob([fromBase64(base64.trim())]).stream()
    .pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// The values of a column, in the smallest array type that stores them exactly.
// Values beyond 2^53 are rounded, because they are stored as Numbers.
export function columnValues(column) {
  if (column.values) return column.values; // decoded before, or made by the page
  const { bytes, rows, planes } = column;
  const Type = column.zigzag || planes > 4 ? Float64Array
    : [Uint8Array, Uint8Array, Uint16Array, Uint32Array, Uint32Array][planes];
  if (planes === 1 && !column.zigzag) return bytes;
  const values = new Type(rows);
  let factor = 1;
  for (let j = 0; j < planes; j++, factor *= 256) {
    const from = j * rows;
    for (let i = 0; i < rows; i++) values[i] += bytes[from + i] * factor;
  }
  if (column.zigzag) {
    // The lowest bit is the sign. Sums beyond 2^53 have lost this bit, so it is
    // read from the lowest plane.
    for (let i = 0; i < rows; i++) {
      const odd = planes ? bytes[i] & 1 : 0;
      values[i] = odd ? -(values[i] + 1) / 2 : values[i] / 2;
    }
  }
  return values;
}

// The number of bytes that fit into a Number without rounding.
export const KEY_BYTES = 6;

// The strings of the last chunk. A string is decoded when it is drawn. When a search
// or a sort needs all strings, they are decoded together, which is faster.
export class Strings {
  constructor(bytes, count) {
    this.bytes = bytes;
    this.count = count;
    this.starts = new Uint32Array(count + 1);
    for (let i = 0, at = 0; i < count; i++) {
      this.starts[i] = at;
      const end = bytes.indexOf(0, at);
      at = end < 0 ? bytes.length : end + 1;
      this.starts[i + 1] = at;
    }
    this.decoder = new TextDecoder();
    this.list = null;
  }

  get(number) {
    if (this.list) return this.list[number] ?? '';
    if (!(number < this.count)) return '';
    const from = this.starts[number], to = this.starts[number + 1] - 1;
    return this.decoder.decode(this.bytes.subarray(from, to));
  }

  // The bytes of a string from `offset` on, as one number. Bytes after the end of
  // the string are 0.
  key(number, offset) {
    const end = this.starts[number + 1] - 1;
    let key = 0, at = this.starts[number] + offset;
    for (let i = 0; i < KEY_BYTES; i++, at++) {
      key = key * 256 + (at < end ? this.bytes[at] : 0);
    }
    return key;
  }

  all() {
    if (!this.list) {
      this.list = this.decoder.decode(this.bytes).split('\0');
      this.list.length = this.count;
    }
    return this.list;
  }
}

// All chunks: { page, trees, tables, summary, curves, graph, diff, strings }.
// A chunk is its head. Each of its `columns` also has the bytes of the column.
export function decodeChunks(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = new TextDecoder();
  const found = {
    page: {}, trees: [], tables: [], curves: [],
    summary: null, graph: null, diff: null, strings: new Strings(bytes, 0),
  };
  for (let at = 0; at < bytes.length;) {
    const size = view.getUint32(at, true);
    const head = JSON.parse(text.decode(bytes.subarray(at + 4, at + 4 + size)));
    at += 4 + size;
    for (const column of head.columns ?? []) {
      column.rows = head.rows;
      column.planes ??= 0;
      column.bytes = bytes.subarray(at, at += column.planes * head.rows);
    }
    if (head.kind === 'strings') {
      found.strings = new Strings(bytes.subarray(at, at += head.bytes), head.count);
    } else if (head.kind === 'tree' || head.kind === 'table' ||
               head.kind === 'curve') {
      found[head.kind + 's'].push(head);
    } else {
      found[head.kind] = head;
    }
  }
  return found;
}
