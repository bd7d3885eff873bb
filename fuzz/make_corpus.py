#!/usr/bin/env python3
"""make_corpus.py FOLDER | --check | --pin: make the fuzz corpora and dictionaries.

FOLDER/corpus/TARGET gets the seeds of each target and the inputs that broke it
once (found/), FOLDER/dict the dictionaries. The seeds come from the tables in
src and the rules in seeds/, and are always the same: corpus.sha256 holds one hash
of them all. --check compares it and exits 1 when it differs, --pin writes it.
"""

import hashlib
import pathlib
import shutil
import sys

sys.dont_write_bytecode = True

from seeds import (budget_seeds, checkpoint_seeds, formula_seeds, gzip_seeds,
                   hlo_seeds, other_seeds, profile_seeds, schema, session_seeds,
                   shapes_seeds, text_seeds, trace_seeds, views_seeds,
                   wire_seeds)

HERE = pathlib.Path(__file__).resolve().parent
PINNED = HERE / "corpus.sha256"
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
    yield "budgets", budget_seeds.seeds()
    yield "session", session_seeds.seeds()
    yield "hlo", hlo_seeds.seeds()
    yield "trace", trace_seeds.seeds()


def dictionary(entries):
    def line(name, data):
        escaped = "".join(f"\\x{byte:02x}" for byte in data)
        return f'{name}="{escaped}"\n'
    return "".join(line(*entry) for entry in entries).encode()


def made_files():
    """path below FOLDER -> bytes of all that is made."""
    files = {}
    for target, seeds in targets():
        contents = set()
        for name, data in seeds:
            path = f"corpus/{target}/{name}"
            assert path not in files, path
            assert len(data) <= MOST_BYTES, path
            if data not in contents:
                contents.add(data)
                files[path] = data
    for name, entries in (("wire", wire_seeds.dictionary()),
                          ("budgets", budget_seeds.dictionary()),
                          ("expression", formula_seeds.expression_dictionary()),
                          ("formula", formula_seeds.file_dictionary()),
                          ("hlo", hlo_seeds.dictionary()),
                          ("text", text_seeds.dictionary()),
                          ("trace", trace_seeds.dictionary()),
                          ("profile", wire_seeds.dictionary()),
                          ("probe", other_seeds.probe_dictionary()),
                          ("shapes", shapes_seeds.dictionary()),
                          ("flops", shapes_seeds.dictionary()),
                          ("views", views_seeds.dictionary())):
        files[f"dict/{name}.dict"] = dictionary(entries)
    return files


def hash_of(files):
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{path} {len(files[path])}\n".encode() + files[path])
    return whole.hexdigest()


def write(folder, files):
    for part in ("corpus", "dict"):
        shutil.rmtree(folder / part, ignore_errors=True)
    for path in {(folder / path).parent for path in files}:
        path.mkdir(parents=True)
    for path, data in files.items():
        (folder / path).write_bytes(data)
    for path in (HERE / "found").glob("*/found_*"):
        shutil.copyfile(path, folder / "corpus" / path.parent.name / path.name)


def main():
    if len(sys.argv) != 2 or (sys.argv[1].startswith("-") and
                              sys.argv[1] not in ("--check", "--pin")):
        sys.exit("usage: make_corpus.py FOLDER | --check | --pin")
    files = made_files()
    print(f"make_corpus: {len(files)} files, "
          f"{sum(map(len, files.values())) >> 10} KiB")
    if sys.argv[1] == "--pin":
        PINNED.write_text(hash_of(files) + "\n")
    elif sys.argv[1] != "--check":
        write(pathlib.Path(sys.argv[1]), files)
    elif hash_of(files) != PINNED.read_text().strip():
        print("make_corpus: the seeds differ from those of fuzz/corpus.sha256; "
              "if they should, run fuzz/make_corpus.py --pin")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
