"""The same tensors as checkpoints of version 1 and 2, in one shard or several,
with other sizes of blocks: the views must say the same.

`python stored.py`
"""

import json
import random

import attack
from bundles import FLOAT, Bundle, float_val, floats, table_v1, \
    slice_meta

QUESTIONS = (("scope", "--select", "params,tensor_value"),
             ("op", "--select", "params"))
NAMES = (b"a", b"a/b", b"a/b/Adam", b"layer/kernel", b"layer/bias",
         b"z" * 300, b"caf\xc3\xa9", b"a b")


def tensors(chance):
    """{name: (shape, values)}"""
    found = {}
    for name in chance.sample(NAMES, chance.randrange(1, len(NAMES) + 1)):
        shape = [chance.randrange(1, 5)
                 for _ in range(chance.randrange(3))]
        count = 1
        for size in shape:
            count *= size
        found[name] = shape, [chance.randrange(-99, 99) for _ in range(count)]
    return found


def version_2(found, name, contents, shards, chance, **options):
    """Tensors are in any shard."""
    bundle = Bundle(shards=shards)
    for tensor in sorted(contents):
        shape, values = contents[tensor]
        bundle.add(tensor, FLOAT, shape, floats(*values),
                   shard=chance.randrange(shards))
    return bundle.write(found.folder / name, **options)


def version_1(found, name, contents):
    metas, values = [], {}
    for tensor in sorted(contents):
        shape, numbers = contents[tensor]
        extents = [(0, None)] * len(shape)
        metas.append(slice_meta(tensor, FLOAT, shape, [extents]))
        values[tensor, tuple(extents)] = float_val(*numbers)
    path = found.folder / name
    path.write_bytes(table_v1(metas, values))
    return path


def answers(found, path):
    out = []
    for command, *options in QUESTIONS:
        done = found.run(command, "-q", "--checkpoint_path", path, *options,
                         "--max_depth", "100", "--format", "json")
        out.append((done.returncode, done.stdout.decode()))
    return out


def attack_seed(found, seed):
    chance = random.Random(seed)
    contents = tensors(chance)
    before = answers(found, version_2(found, "one", contents, 1, chance))
    if before[0][0]:
        found.fail(seed, "no answer", before[0])
    others = {
        "shards": version_2(found, "many", contents, chance.randrange(2, 5),
                            chance),
        "small blocks": version_2(found, "blocks", contents, 1, chance,
                                  per_block=1),
        "version 1": version_1(found, "old", contents),
    }
    for name, path in others.items():
        after = answers(found, path)
        if after != before:
            found.fail(seed, name, *(b for a, b in zip(before, after)
                                     if a != b))
    rows = json.loads(before[0][1])["rows"]
    total = rows[0]["total"]["params"]
    count = sum(len(values) for _, values in contents.values())
    if total != count:
        found.fail(seed, "params", total, count)


attack_all = attack.each(attack_seed)

if __name__ == "__main__":
    attack.main(lambda found, _: attack_all(found, range(100)), [])
