// tooltip.js - one box of details beside the pointer or the selected box.
import { make } from './dom.js';

const GAP = 14;

export class Tooltip {
  constructor() {
    this.element = make('div', { class: 'tooltip', role: 'tooltip', hidden: true });
    document.querySelector('main').append(this.element);
    // Escape hides it without moving the pointer.
    addEventListener('keydown', (event) => {
      if (event.key === 'Escape') this.hide();
    });
    addEventListener('scroll', () => this.hide(), { passive: true });
  }

  // Shows the children, or the previous content, near a position in the window. The
  // tooltip stays inside the edges of the window.
  show(x, y, children) {
    const { element } = this;
    if (children) element.replaceChildren(...children);
    element.hidden = false;
    const { width, height } = element.getBoundingClientRect();
    const left = x + GAP + width < innerWidth ? x + GAP : x - GAP - width;
    const top = y + GAP + height < innerHeight ? y + GAP : y - GAP - height;
    element.style.left = Math.max(4, left) + 'px';
    element.style.top = Math.max(4, top) + 'px';
  }

  hide() {
    this.element.hidden = true;
  }
}

// The head of a table of metrics. The first column has no title.
export function headRow(...titles) {
  return make('thead', {}, make('tr', {}, make('td'),
    ...titles.map((title) => make('th', { scope: 'col' }, title))));
}
