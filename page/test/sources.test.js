// What packing needs of the modules: cmake/PackPage.cmake works by line.
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

const folder = new URL('../src/', import.meta.url);
const order = readFileSync(new URL('ORDER', folder), 'utf8').trim().split('\n');
const source = (name) => readFileSync(new URL(name, folder), 'utf8');

test('every module is in ORDER, once', () => {
  assert.deepEqual([...order].sort(), readdirSync(folder).filter((f) => f.endsWith('.js')).sort());
});

test('top-level names are unique over all modules', () => {
  const where = new Map();
  for (const name of order) {
    const pattern = /^(?:export )?(?:async )?(?:const|let|class|function) (\w+)/gm;
    for (const [, word] of source(name).matchAll(pattern)) {
      assert.ok(!where.has(word), `${word} in ${name} and ${where.get(word)}`);
      where.set(word, name);
    }
    // Such a statement would hide names from the pattern above.
    assert.doesNotMatch(source(name), /^(?:export )?(?:const|let) [[{]/m);
  }
});

test('imports and exports are single lines that packing can drop', () => {
  for (const name of order) {
    const lines = source(name).split('\n');
    for (const line of lines) {
      if (/^import\b/.test(line)) assert.match(line, /^import \{ .* \} from '\.\/\w+\.js';$/);
      if (/^export\b/.test(line)) assert.match(line, /^export (async function|function|class|const) /);
    }
  }
});

test('a class is behind the class that it extends', () => {
  const place = new Map();
  order.forEach((name, at) => {
    for (const [, word, parent] of source(name).matchAll(/^export class (\w+)(?: extends (\w+))?/gm)) {
      place.set(word, at);
      if (parent) assert.ok(place.get(parent) < at, `${word} before ${parent}`);
    }
  });
});

test('no literal and no comment spans lines', () => {
  for (const name of order) {
    source(name).split('\n').forEach((line, at) => {
      assert.equal((line.match(/`/g) ?? []).length % 2, 0, `${name}:${at + 1}`);
      assert.ok(!line.includes('/*'), `${name}:${at + 1}`);
    });
  }
});

test('the script cannot end its element', () => {
  for (const name of order) assert.doesNotMatch(source(name), /<\/scri|<!--/i);
});

test('the style has no comment with a star inside, which packing would keep', () => {
  const style = readFileSync(new URL('../page.css', import.meta.url), 'utf8');
  assert.doesNotMatch(style.replace(/\/\*[^*]*\*\//g, ''), /\/\*|\*\//);
});
