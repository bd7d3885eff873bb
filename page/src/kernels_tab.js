// kernels_tab.js - a flat table that is also drawn as a picture, by time or bytes.
import { make, plain } from './dom.js';
import { tableColumn, tableValues } from './table_tab.js';
import { Tree } from './tree.js';
import { TreeTab } from './tree_tab.js';

const DRAWN = ['us', 'ps', 'bytes'];
const NAMES = ['kernel', 'name', 'short', 'op'];

// The table as a tree. If several rows have the same name, a new row with that name
// is above them. Null if the table has no names or nothing to draw. For each row of
// the tree, `rowOf` of the head is the row of the table, or -1.
export function tableTree(chunk, strings) {
  const texts = chunk.columns.filter((c) => c.type === 'string');
  const name = NAMES.map((n) => texts.find((c) => c.name === n)).find(Boolean) ?? texts[0];
  // Only the first column of each unit is drawn. Sums of other columns, such as the
  // longest time, have no meaning.
  const drawn = DRAWN.map((unit) => chunk.columns.find((c) => c.unit === unit))
    .filter((c) => c && tableValues(c).some((value) => value > 0));
  if (!name || !drawn.length) return null;
  const names = tableValues(name);
  const detail = texts.find((c) => c.name === 'op' && c !== name);
  const groups = new Map();
  for (let row = 0; row < chunk.rows; row++) {
    if (!groups.has(names[row])) groups.set(names[row], []);
    groups.get(names[row]).push(row);
  }
  const flat = groups.size === chunk.rows;
  const depths = [0], keys = [0], rowOf = [-1];
  const add = (depth, key, row) => {
    depths.push(depth);
    keys.push(key);
    rowOf.push(row);
  };
  for (const [key, rows] of groups) {
    if (rows.length > 1) add(1, key, -1);
    const alone = rows.length === 1;
    for (const row of rows) {
      add(alone ? 1 : 2, alone || !detail ? key : tableValues(detail)[row], row);
    }
  }
  return new Tree({
    chunk, name, rowOf, flat, title: chunk.title, rows: rowOf.length, main: drawn[0].name,
    metrics: drawn.map((c) => ({ id: c.name, title: c.title || c.name, unit: c.unit })),
    columns: [{ name: 'depth', values: depths }, { name: 'name', values: keys },
      ...drawn.map((c) => ({ name: 'self', metric: c.name, step: -1,
        values: byTreeRow(rowOf, tableValues(c)) }))],
  }, strings);
}

// The values of table rows, by tree row. Unknown values are 0.
function byTreeRow(rowOf, values) {
  return Float64Array.from(rowOf, (row) => row < 0 ? 0 : Math.max(0, values[row]));
}

export class KernelsTab extends TreeTab {
  rootName() {
    return 'total';
  }

  about() {
    const { note } = this.tree.head.chunk;
    return note ? [make('p', { class: 'dim' }, plain(note))] : [];
  }

  // The name comes first, as in other tables.
  shownColumns() {
    const { chunk, name } = this.tree.head;
    return [name, ...chunk.columns.filter((column) => column !== name)];
  }

  columns() {
    const { head: { rowOf }, strings } = this.tree;
    return this.shownColumns().map((described) => {
      const column = tableColumn(described, strings);
      const values = () => byTreeRow(rowOf, column.values());
      return { ...column, values, fill: (td, row) => column.fill(td, rowOf[row]) };
    });
  }

  // Only the rows that the table has.
  tableRows() {
    const { rowOf } = this.tree.head;
    return super.tableRows().filter((row) => rowOf[row] >= 0);
  }

  // Rows that are not in the table do not count as matches.
  matching(pattern) {
    const { rowOf } = this.tree.head;
    return super.matching(pattern).map((is, row) => is && rowOf[row] >= 0 ? 1 : 0);
  }

  firstSort() {
    return this.shownColumns().findIndex((c) => c.name === this.metric.id);
  }
}
