// names.js - long names that stand below each other, cut so that they differ.

const HEAD = 12; // characters of the start that a cut name keeps

// Where the part of `name` begins that others with the same first `same`
// characters do not have: at a word.
function wordAt(name, same) {
  return Math.max(HEAD, name.slice(0, same).search(/[^/:<>, ()]*$/));
}

function commonLength(a, b) {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}

// The names in a form whose first `room` characters differ if the names do:
// "program_1219…copy-done.4", or if nothing else helps, "void Eigen::…long)~2".
// A Map from name to form. A name that differs without a cut stays as it is.
export function distinct(names, room) {
  const forms = new Map(), groups = new Map();
  for (const name of new Set(names)) {
    const seen = name.slice(0, room);
    groups.set(seen, [...groups.get(seen) ?? [], name]);
  }
  const taken = new Set(groups.keys());
  const take = (name, form) => {
    if (taken.has(form.slice(0, room))) return false;
    taken.add(form.slice(0, room));
    forms.set(name, form);
    return true;
  };
  const tail = room - HEAD - 1;
  for (const group of groups.values()) {
    if (group.length === 1) {
      forms.set(group[0], group[0]);
      continue;
    }
    group.sort(); // neighbors share the most
    const all = commonLength(group[0], group.at(-1));
    group.forEach((name, i) => {
      const same = Math.max(...[group[i - 1], group[i + 1]].filter((other) => other !== undefined)
        .map((other) => commonLength(name, other)));
      const head = name.slice(0, HEAD) + '…', part = name.slice(wordAt(name, all));
      const ends = (size) => name.slice(Math.max(HEAD, name.length - size));
      const cuts = [head + name.slice(wordAt(name, same)), head + ends(tail),
        ...[7, 10].map((size) => head + part.slice(0, size) + '…' + ends(tail - size - 1))];
      if (cuts.some((form) => take(name, form))) return;
      for (let number = 2; ; number++) {
        const mark = '~' + number;
        if (take(name, head + ends(tail - mark.length) + mark)) return;
      }
    });
  }
  return forms;
}
