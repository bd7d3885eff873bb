// kernels_tab.js - a flat table as a picture, too: rows by time or bytes.
import { make, plain } from './dom.js';
import { tableColumn, tableValues } from './table_tab.js';
import { Tree } from './tree.js';
import { TreeTab } from './tree_tab.js';

const DRAWN = ['us', 'ps', 'bytes'];
const NAMES = ['kernel', 'name', 'short', 'op'];

// Row i of the table is row i + 1 of the tree, below a root.
function below(values) {
  const shifted = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) shifted[i + 1] = Math.max(0, values[i]);
  return shifted;
}

// The table as a tree of two levels; null if it has no names or nothing to draw.
export function tableTree(chunk, strings) {
  const texts = chunk.columns.filter((c) => c.type === 'string');
  const name = NAMES.map((n) => texts.find((c) => c.name === n)).find(Boolean) ?? texts[0];
  const drawn = chunk.columns.filter((c) => DRAWN.includes(c.unit) &&
    tableValues(c).some((value) => value > 0));
  if (!name || !drawn.length) return null;
  const depth = new Uint8Array(chunk.rows + 1).fill(1);
  depth[0] = 0;
  return new Tree({
    chunk, title: chunk.title, rows: chunk.rows + 1, flat: true, main: drawn[0].name,
    metrics: drawn.map((c) => ({ id: c.name, title: c.title || c.name, unit: c.unit })),
    columns: [{ name: 'depth', values: depth },
      { name: 'name', values: below(tableValues(name)) },
      ...drawn.map((c) => ({ name: 'self', metric: c.name, step: -1,
        values: below(tableValues(c)) }))],
  }, strings);
}

export class KernelsTab extends TreeTab {
  rootName() {
    return 'total';
  }

  about() {
    const { note } = this.tree.head.chunk;
    return note ? [make('p', { class: 'dim' }, plain(note))] : [];
  }

  columns() {
    const { head: { chunk }, strings } = this.tree;
    return chunk.columns.map((described) => {
      const column = tableColumn(described, strings);
      const values = () => below(column.values());
      return { ...column, values, fill: (td, row) => column.fill(td, row - 1) };
    });
  }

  // All rows but the root, which the table does not have.
  tableRows() {
    return super.tableRows().filter((row) => row > 0);
  }

  firstSort() {
    return this.tree.head.chunk.columns.findIndex((c) => c.name === this.metric.id);
  }
}
