// layout.js - the positions of boxes. Drawing is in picture.js.
//
// A box is { row, level, x, y, w, h, more }. `more` is 0, or the number of
// children of `row` that are too small to be drawn and share this box.

const DEEP_ROW = 22; // height of a row of an icicle
const FLAT_ROW = 44; // the same if the icicle has only two rows
const HEADER = 18;  // height of the name of a box in a treemap
const SMALLEST = 16; // smallest area of a box in a treemap

export function icicleRow(tree) {
  return tree.head.flat ? FLAT_ROW : DEEP_ROW;
}

// Children are sorted by cost, so the first child below a pixel ends the loop.
// `cut` in the result is true if rows did not fit into the height.
export function icicle(tree, costs, root, width, height) {
  const { total } = costs;
  const boxes = [];
  const scale = width / (total[root] || 1);
  const stack = [[root, 0, 0]];
  const h = icicleRow(tree);
  let cut = false;
  while (stack.length) {
    const [row, x, level] = stack.pop();
    const y = level * h;
    boxes.push({ row, level, x, y, w: total[row] * scale, h, more: 0 });
    if (tree.end[row] === row + 1) continue;
    const top = tree.top(costs, row);
    if (y + 2 * h > height) {
      cut ||= top.count > 0;
      continue;
    }
    let at = x, shown = 0, sum = 0;
    for (const child of top.rows) {
      if (total[child] * scale < 1) break;
      stack.push([child, at, level + 1]);
      at += total[child] * scale;
      sum += total[child];
      shown += tree.valuesOf('more')[child] || 1;
    }
    const w = (top.sum - sum) * scale;
    if (shown < top.count && w >= 1) {
      boxes.push({ row, level: level + 1, x: at, y: y + h, w, h,
        more: top.count - shown });
    }
  }
  return { boxes, cut };
}

// A squarified treemap: rows of boxes that are as close to squares as possible.
export function treemap(tree, costs, root, width, height) {
  const boxes = [];
  const stack = [{ row: root, level: 0, x: 0, y: 0, w: width, h: height, more: 0 }];
  while (stack.length) {
    const box = stack.pop();
    boxes.push(box);
    const inner = { x: box.x + 3, y: box.y + HEADER, w: box.w - 6, h: box.h - HEADER - 3 };
    if (box.more || tree.end[box.row] === box.row + 1 ||
        inner.w < 12 || inner.h < 12) {
      continue;
    }
    squarify(tree, costs, box, inner, stack);
  }
  return { boxes, cut: false };
}

function squarify(tree, costs, box, room, out) {
  const { total } = costs;
  const top = tree.top(costs, box.row);
  const scale = room.w * room.h / (total[box.row] || 1);
  const more = tree.valuesOf('more');
  const level = box.level + 1;
  let at = 0, shown = 0, left = top.sum;
  while (at < top.rows.length && total[top.rows[at]] * scale >= SMALLEST) {
    const side = Math.min(room.w, room.h);
    const first = total[top.rows[at]] * scale;
    let sum = 0, worst = Infinity, to = at;
    for (; to < top.rows.length; to++) {
      const area = total[top.rows[to]] * scale;
      if (area < SMALLEST) break;
      const next = sum + area;
      const ratio = Math.max(side * side * first / (next * next),
        next * next / (side * side * area));
      if (ratio > worst) break;
      sum = next;
      worst = ratio;
    }
    const thick = sum / side, wide = room.w >= room.h;
    let place = wide ? room.y : room.x;
    for (; at < to; at++) {
      const row = top.rows[at], long = total[row] * scale / thick;
      out.push(wide
        ? { row, level, x: room.x, y: place, w: thick, h: long, more: 0 }
        : { row, level, x: place, y: room.y, w: long, h: thick, more: 0 });
      place += long;
      shown += more[row] || 1;
      left -= total[row];
    }
    if (wide) {
      room.x += thick;
      room.w -= thick;
    } else {
      room.y += thick;
      room.h -= thick;
    }
    if (room.w < 4 || room.h < 4) break;
  }
  if (shown >= top.count || !(left > 0) || room.w < 2 || room.h < 2) return;
  // The space that is left belongs to the children that are too small, and to
  // the cost of the row itself.
  const part = Math.min(1, left * scale / (room.w * room.h));
  const wide = room.w >= room.h;
  out.push({ row: box.row, level, x: room.x, y: room.y,
    w: wide ? room.w * part : room.w, h: wide ? room.h : room.h * part,
    more: top.count - shown });
}
