// picture.js - boxes on a canvas: drawing, pointer and keys.
//
// The owner decides what boxes mean. It is an object with
//   tree, costs()            what is drawn
//   paint(box)               { color, hatch, falls, text } of a box
//   details(box)             elements for the tooltip
//   sentence(box)            the same in one line for screen readers
//   zoomed(row)              is called when the user zooms
import { inkOn, onTheme, theme } from './colors.js';
import { make, plain } from './dom.js';
import { drawHatch } from './hatch.js';
import { icicle, icicleRow, treemap } from './layout.js';

const FONT = '12px system-ui, -apple-system, "Segoe UI", sans-serif';

export class Picture {
  constructor(owner, tooltip, label) {
    this.owner = owner;
    this.tooltip = tooltip;
    this.root = 0;
    this.kind = 'icicle';
    this.boxes = [];
    this.current = null; // the box under the pointer, or selected by keys
    this.widths = new Map();
    this.canvas = make('canvas', {
      tabindex: '0', role: 'img',
      'aria-label': label + ', drawn as nested boxes. Arrow keys select a box, Enter ' +
        'zooms in, Escape zooms out. The table below has the same rows.',
      pointermove: (event) => this.point(event),
      pointerleave: () => this.leave(),
      click: (event) => this.click(event),
      keydown: (event) => this.key(event),
      blur: () => this.leave(),
    });
    this.mark = make('div', { class: 'mark', hidden: true });
    this.note = make('p', { class: 'dim note', hidden: true },
      'Deeper levels are not drawn. Click a box to zoom in.');
    this.live = make('p', { class: 'unseen', 'aria-live': 'polite' });
    this.element = make('div', { class: 'picture' }, this.canvas, this.mark,
      this.note, this.live);
    new ResizeObserver(() => this.draw()).observe(this.element);
    onTheme(() => this.draw());
  }

  // ---- Drawing

  draw() {
    const width = this.element.clientWidth;
    if (!width) return; // in a tab that is not shown
    const started = performance.now();
    const { canvas, owner, kind } = this;
    const costs = owner.costs();
    const room = Math.max(360, Math.round(innerHeight * 0.55));
    const layout = (kind === 'treemap' ? treemap : icicle)(
      owner.tree, costs, this.root, width, room);
    this.boxes = layout.boxes;
    let height = room;
    if (kind !== 'treemap') {
      height = this.boxes.reduce((most, b) => Math.max(most, b.y + b.h),
        2 * icicleRow(owner.tree));
    }
    const ratio = devicePixelRatio || 1;
    canvas.width = Math.round(width * ratio);
    canvas.height = Math.round(height * ratio);
    canvas.style.height = height + 'px';
    const g = canvas.getContext('2d');
    g.scale(ratio, ratio);
    g.font = FONT;
    g.textBaseline = 'middle';
    this.colors = theme();
    for (const box of this.boxes) this.drawBox(g, box);
    if (this.current) {
      const { row, more } = this.current;
      this.current = this.boxes.find((b) => b.row === row && b.more === more) ?? null;
    }
    this.showMark();
    this.note.hidden = !layout.cut;
    this.took = performance.now() - started;
    window.tfprof.redraw = this.took;
    window.tfprof.boxes = this.boxes.length;
  }

  drawBox(g, box) {
    const { color, hatch, falls, text } = this.owner.paint(box, this.colors);
    const inner = { x: box.x, y: box.y, w: Math.max(box.w - 1, 0.5), h: Math.max(box.h - 1, 0.5) };
    g.fillStyle = color;
    g.fillRect(inner.x, inner.y, inner.w, inner.h);
    if (hatch && box.w > 2) drawHatch(g, inner, hatch, falls);
    if (this.kind === 'treemap' && box.w > 6) {
      // Boxes inside boxes need an edge, because colors may be the same.
      g.strokeStyle = this.colors.line;
      g.strokeRect(box.x + 0.5, box.y + 0.5, box.w - 1, box.h - 1);
    }
    if (box.w < 24 || box.h < 14) return;
    const label = this.fit(g, plain(text), box.w - 9);
    if (!label) return;
    // In a treemap the name is at the top, above the boxes inside.
    const y = box.y + (this.kind === 'treemap' ? Math.min(box.h, 20) : box.h) / 2 + 0.5;
    if (hatch) {
      // Lines behind letters would make them hard to read.
      g.fillStyle = color;
      g.fillRect(box.x + 2, y - 8, this.measure(g, label) + 5, 15);
    }
    g.fillStyle = inkOn(color);
    g.fillText(label, box.x + 4, y);
  }

  measure(g, text) {
    let width = this.widths.get(text);
    if (width === undefined) {
      if (this.widths.size > 20000) this.widths.clear();
      this.widths.set(text, width = g.measureText(text).width);
    }
    return width;
  }

  // The text, cut to fit a width. A cut text ends in "…".
  fit(g, text, room) {
    const head = text.slice(0, 300);
    const width = this.measure(g, head);
    if (width <= room && head === text) return text;
    let length = Math.floor(head.length * room / Math.max(width, room)) - 1;
    while (length > 0) {
      const label = head.slice(0, length).trimEnd() + '…';
      if (g.measureText(label).width <= room) return label;
      length--;
    }
    return '';
  }

  // The frame around the current box is an element of its own, so that no box is
  // drawn again when the pointer moves.
  showMark() {
    const box = this.current, { style } = this.mark;
    this.mark.hidden = !box;
    if (!box) return;
    style.left = box.x + 'px';
    style.top = box.y + 'px';
    style.width = Math.max(box.w - 1, 3) + 'px';
    style.height = box.h - 1 + 'px';
  }

  // ---- Pointer

  boxAt(event) {
    const place = this.canvas.getBoundingClientRect();
    const x = event.clientX - place.left, y = event.clientY - place.top;
    // The last box that contains the point is the innermost one.
    return this.boxes.findLast((b) =>
      x >= b.x && x < b.x + b.w && y >= b.y && y < b.y + b.h) ?? null;
  }

  point(event) {
    const box = this.boxAt(event);
    const same = box === this.current && this.pointed;
    this.pointed = Boolean(box);
    if (!same) {
      this.current = box;
      this.showMark();
    }
    this.canvas.style.cursor = box ? 'pointer' : '';
    if (!box) this.tooltip.hide();
    else {
      this.tooltip.show(event.clientX, event.clientY,
        same ? null : this.owner.details(box));
    }
  }

  leave() {
    this.pointed = false;
    this.tooltip.hide();
    if (!this.current) return;
    this.current = null;
    this.showMark();
  }

  click(event) {
    const box = this.boxAt(event);
    if (!box) return;
    this.current = box;
    this.zoom(box.row);
  }

  // ---- Keys

  // Boxes of the same parent, as they are drawn.
  siblings(row) {
    const { tree } = this.owner;
    if (row === this.root) return [];
    return this.boxes.filter((b) => !b.more && b.row !== this.root &&
      tree.parent[b.row] === tree.parent[row])
      .sort((a, b) => a.x - b.x || a.y - b.y);
  }

  boxOf(row) {
    return this.boxes.find((b) => b.row === row && !b.more);
  }

  key(event) {
    const { tree } = this.owner;
    const row = this.current?.row ?? this.root;
    let next = null;
    if (event.key === 'Enter') this.zoom(row);
    else if (event.key === 'Escape') this.zoom(tree.parent[this.root]);
    else if (event.key === 'Home') next = this.boxOf(this.root);
    else if (event.key === 'ArrowUp') next = this.boxOf(tree.parent[row]);
    else if (event.key === 'ArrowDown') {
      next = this.current ? this.boxes.find((b) => !b.more && b.row !== row &&
        b.row !== this.root && tree.parent[b.row] === row) : this.boxOf(row);
      const first = next && this.siblings(next.row)[0];
      if (this.current && first) next = first;
    } else if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
      const all = this.siblings(row);
      const at = all.findIndex((b) => b.row === row);
      next = all[at + (event.key === 'ArrowLeft' ? -1 : 1)];
    } else return;
    event.preventDefault();
    event.stopPropagation();
    if (next) this.select(next);
  }

  select(box) {
    this.current = box;
    this.showMark();
    this.live.textContent = this.owner.sentence(box);
    const place = this.canvas.getBoundingClientRect();
    this.tooltip.show(place.left + box.x, place.top + box.y + box.h,
      this.owner.details(box));
  }

  zoom(row) {
    this.tooltip.hide();
    this.pointed = false;
    this.root = row;
    this.draw();
    const box = this.boxOf(row);
    if (box) this.live.textContent = this.owner.sentence(box);
    this.owner.zoomed(row);
  }
}
