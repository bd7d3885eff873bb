// tabs.js - the tabs of the page, which follow the ARIA pattern for tabs. The hash
// of the address names the tab, so that links and the back button work.
import { make } from './dom.js';

export class Tabs {
  // tabs: { id, title, build() } where build() gives an object with `element`
  // and, optionally, shown(), called whenever the tab is shown.
  constructor(tabs) {
    this.tabs = tabs;
    this.list = make('div', { role: 'tablist', 'aria-label': 'Views',
      keydown: (event) => this.key(event) });
    this.panels = make('div');
    for (const tab of tabs) {
      tab.button = make('button', {
        role: 'tab', id: 'tab-' + tab.id, 'aria-controls': 'panel-' + tab.id,
        click: () => this.go(tab),
      }, tab.title);
      tab.panel = make('section', {
        role: 'tabpanel', id: 'panel-' + tab.id, 'aria-labelledby': 'tab-' + tab.id,
        hidden: true,
      });
      this.list.append(tab.button);
      this.panels.append(tab.panel);
    }
    addEventListener('hashchange', () => {
      const tab = this.fromHash() ?? this.first;
      if (tab !== this.now) this.show(tab);
    });
  }

  fromHash() {
    return this.find(location.hash.slice(1));
  }

  find(id) {
    return this.tabs.find((tab) => tab.id === id);
  }

  // A notebook may show the page in a frame that cannot change its address.
  go(tab) {
    this.show(tab);
    try {
      if (this.fromHash() !== tab) location.hash = tab.id;
    } catch {
      // The tab is shown, although the address does not name it.
    }
  }

  // A panel is made when it is first shown.
  show(shown) {
    this.now = shown;
    this.first ??= shown;
    for (const tab of this.tabs) {
      const is = tab === shown;
      tab.button.setAttribute('aria-selected', String(is));
      tab.button.tabIndex = is ? 0 : -1;
      tab.panel.hidden = !is;
    }
    if (!shown.view) {
      shown.view = shown.build();
      shown.panel.append(shown.view.element);
    }
    shown.view.shown?.();
    shown.button.scrollIntoView?.({ block: 'nearest', inline: 'nearest' });
  }

  key(event) {
    const { tabs } = this;
    const at = tabs.findIndex((tab) => tab.button === document.activeElement);
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    const tab = tabs.at(next % tabs.length);
    tab.button.focus();
    this.go(tab);
  }
}
