#!/usr/bin/env python3
"""make_corpus.py [--check]: write the fuzz corpora and dictionaries.

Always the same files, from the tables in src/proto and the rules in seeds/.
Files called found_* are left alone: fuzzing found them, and corpus/README.md
says what each one broke. --check changes nothing and exits 1 when something
would change.
"""

import pathlib
import sys

sys.dont_write_bytecode = True

from seeds import (checkpoint_seeds, formula_seeds, gzip_seeds, other_seeds,
                   profile_seeds, schema, session_seeds, shapes_seeds,
                   text_seeds, views_seeds, wire_seeds)

HERE = pathlib.Path(__file__).resolve().parent
MOST_BYTES = 4096


def targets():
    """(target, its seeds)."""
    for kind in schema.ROOTS:
        yield f"wire_{kind}", wire_seeds.seeds(kind)
        yield f"text_{kind}", text_seeds.seeds(kind)
    yield "gzip", gzip_seeds.seeds()
    yield "probe", other_seeds.probe_seeds()
    yield "nomem", other_seeds.nomem_seeds()
    yield "views", views_seeds.seeds()
    yield "shapes", shapes_seeds.seeds()
    yield "flops", shapes_seeds.flops_seeds()
    yield "profile_roundtrip", profile_seeds.seeds()
    yield "checkpoint_index", checkpoint_seeds.index_seeds()
    yield "snappy", checkpoint_seeds.snappy_seeds()
    yield "tensor_values", checkpoint_seeds.value_seeds()
    yield "expression", formula_seeds.expression_seeds()
    yield "formula_file", formula_seeds.file_seeds()
    yield "session", session_seeds.seeds()


def dictionary(entries):
    def line(name, data):
        escaped = "".join(f"\\x{byte:02x}" for byte in data)
        return f'{name}="{escaped}"\n'
    return "".join(line(*entry) for entry in entries).encode()


def all_files():
    """path -> bytes of everything that is made."""
    files = {}
    for target, seeds in targets():
        contents = set()
        for name, data in seeds:
            path = HERE / "corpus" / target / name
            assert path not in files, path
            assert len(data) <= MOST_BYTES, path
            if data not in contents:
                contents.add(data)
                files[path] = data
    for name, entries in (("wire", wire_seeds.dictionary()),
                          ("expression", formula_seeds.expression_dictionary()),
                          ("formula", formula_seeds.file_dictionary()),
                          ("text", text_seeds.dictionary()),
                          ("profile", wire_seeds.dictionary()),
                          ("probe", other_seeds.probe_dictionary()),
                          ("shapes", shapes_seeds.dictionary()),
                          ("flops", shapes_seeds.dictionary()),
                          ("views", views_seeds.dictionary())):
        files[HERE / "dict" / f"{name}.dict"] = dictionary(entries)
    return files


def present_files():
    for folder in ("corpus", "dict"):
        for path in (HERE / folder).rglob("*"):
            if (path.is_file() and path.name != "README.md" and
                    not path.name.startswith("found_")):
                yield path


def main():
    check = sys.argv[1:] == ["--check"]
    if sys.argv[1:] and not check:
        sys.exit("usage: make_corpus.py [--check]")
    files = all_files()
    stale = set(present_files()) - set(files)
    wrong = [path for path, data in files.items()
             if not path.is_file() or path.read_bytes() != data]
    if check:
        for path in sorted([*stale, *wrong])[:20]:
            print(f"{path.relative_to(HERE)}: run fuzz/make_corpus.py")
    else:
        for path in stale:
            path.unlink()
        for path in wrong:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files[path])
    print(f"make_corpus: {len(files)} files, "
          f"{sum(map(len, files.values())) >> 10} KiB, "
          f"{len(wrong)} {'wrong' if check else 'written'}, "
          f"{len(stale)} {'stale' if check else 'removed'}")
    return 1 if check and (wrong or stale) else 0


if __name__ == "__main__":
    sys.exit(main())
