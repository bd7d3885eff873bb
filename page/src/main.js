// main.js - starts the page.
import { decodeChunks, unpack } from './decode.js';
import { Tree } from './tree.js';

async function start() {
  const element = document.getElementById('data');
  const found = decodeChunks(await unpack(element.textContent));
  element.remove();
  document.querySelector('h1').textContent = found.page.title ?? '';
  const tree = new Tree(found.trees[0], found.strings);
  const costs = tree.costs(tree.head.main, tree.steps[0].id);
  const canvas = document.createElement('canvas');
  document.querySelector('main').append(canvas);
  canvas.width = canvas.clientWidth || 1000;
  canvas.height = 400;
  const g = canvas.getContext('2d');
  const stack = [[0, 0, 0]], scale = canvas.width / (costs.total[0] || 1);
  while (stack.length) {
    const [row, x, level] = stack.pop();
    g.fillStyle = level % 2 ? '#9cf' : '#cdf';
    g.fillRect(x, level * 20, costs.total[row] * scale - 1, 19);
    g.fillStyle = '#000';
    g.fillText(tree.nameOf(row), x + 3, level * 20 + 14, costs.total[row] * scale);
    let at = x;
    for (const child of tree.top(costs, row)) {
      if (costs.total[child] * scale < 1) break;
      stack.push([child, at, level + 1]);
      at += costs.total[child] * scale;
    }
  }
  document.body.dataset.ready = '1';
}

start();
