// search.js - which rows match a regular expression, and their share.

// The rows whose path matches, as an array of 0 and 1. In code trees the source
// line is searched, too.
export function matchRows(tree, pattern) {
  const { rows, depth } = tree;
  const strings = tree.strings.all();
  const name = tree.name;
  const mask = new Uint8Array(rows);
  const paths = [''];
  const text = tree.column('text') && tree.valuesOf('text');
  for (let i = 1; i < rows; i++) {
    const at = depth[i];
    const path = at > 1 ? paths[at - 1] + '/' + strings[name[i]] : strings[name[i]];
    paths[at] = path;
    if (pattern.test(path) || text && pattern.test(strings[text[i]])) mask[i] = 1;
  }
  return mask;
}

// { count, sum } of the matches below a row. A match below another match is already
// part of that match's total, so it is not added again.
export function sumMatches(tree, total, mask, root) {
  let count = 0, sum = 0, counted = 0;
  for (let i = root; i < tree.end[root]; i++) {
    if (!mask[i]) continue;
    count++;
    if (i < counted) continue;
    sum += total[i];
    counted = tree.end[i];
  }
  return { count, sum };
}
