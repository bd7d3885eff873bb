import assert from 'node:assert/strict';
import { test } from 'node:test';

import { columnValues, decodeChunks, Strings, unpack } from '../src/decode.js';
import { base64, chunk, column, join, stringsChunk } from './make.js';

const values = (numbers) => {
  const { description, bytes } = column({}, numbers);
  return [...columnValues({ ...description, rows: numbers.length,
    bytes: Uint8Array.from(bytes) })];
};

test('planes of every width give the numbers back', () => {
  for (const largest of [0, 1, 255, 256, 65535, 65536, 2 ** 24, 2 ** 32 - 1, 2 ** 32,
    2 ** 40, 2 ** 53]) {
    assert.deepEqual(values([0, largest, 1]), [0, largest, 1]);
  }
});

test('zigzag gives negative numbers back', () => {
  assert.deepEqual(values([0, -1, 1, -128, 2 ** 40, -(2 ** 40) - 1]),
    [0, -1, 1, -128, 2 ** 40, -(2 ** 40) - 1]);
});

test('numbers beyond 2^53 are rounded, not damaged', () => {
  const [large, small] = values([2n ** 62n + 1n, -(2n ** 61n)]);
  assert.equal(large, 2 ** 62);
  assert.equal(small, -(2 ** 61));
});

test('a column without planes is all zeros', () => {
  assert.deepEqual(values([0, 0, 0]), [0, 0, 0]);
});

test('gzip and base64 are unpacked', async () => {
  const bytes = join(chunk({ kind: 'page', title: 'a' }));
  assert.deepEqual(await unpack('\n' + base64(bytes) + '\n'), bytes);
});

test('chunks are sorted by kind and have their columns', () => {
  const found = decodeChunks(join(
    chunk({ kind: 'page', version: 1, title: 'resnet' }),
    chunk({ kind: 'tree', id: 'scope', rows: 2 },
      [column({ name: 'depth' }, [0, 1]), column({ name: 'name', type: 'string' }, [0, 1])]),
    chunk({ kind: 'table', id: 'steps', rows: 1 }, [column({ name: 'step' }, [70000])]),
    chunk({ kind: 'curve', id: 'memory', rows: 1 }, [column({ name: 'time' }, [5])]),
    chunk({ kind: 'summary', answer: { steps: 2 } }),
    chunk({ kind: 'future', rows: 1 }, [column({ name: 'x' }, [7])]),
    stringsChunk(['', 'añ</script>'])));
  assert.equal(found.page.title, 'resnet');
  assert.deepEqual([...columnValues(found.trees[0].columns[1])], [0, 1]);
  assert.deepEqual([...columnValues(found.tables[0].columns[0])], [70000]);
  assert.equal(found.curves.length, 1);
  assert.equal(found.summary.answer.steps, 2);
  assert.equal(found.strings.get(1), 'añ</script>');
});

test('strings are the same one by one and all at once', () => {
  const bytes = new TextEncoder().encode('\0one\0zwölf\0');
  const strings = new Strings(bytes, 3);
  const alone = [0, 1, 2].map((i) => strings.get(i));
  assert.deepEqual(alone, ['', 'one', 'zwölf']);
  assert.deepEqual([...strings.all()], alone);
  assert.equal(strings.get(2), 'zwölf');
  assert.equal(strings.get(3), '');
});
