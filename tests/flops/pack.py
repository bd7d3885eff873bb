#!/usr/bin/env python3
"""pack.py FLOPS: make this folder's archives, ops.tsv and SHA256SUMS anew.

FLOPS has what TensorFlow, Keras and XLA say about a few dozen models: frozen/
and models/ (the files a profiler is given), and tables of shapes, operations
and parameters. The files become frozen.tar.xz and models.tar.xz, without their
gzip, which would only stand in the way of xz; the tables tables.tar.xz. Of
formulas.md the op types are kept, in ops.tsv. The same files give the same
bytes (with the same liblzma).
"""

import gzip
import hashlib
import io
import lzma
import pathlib
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
SUMS = "SHA256SUMS"
OPS = "ops.tsv"

# Archive -> the files of FLOPS in it.
ARCHIVES = {
    "frozen.tar.xz": ["frozen/*"],
    "models.tar.xz": ["models/*/saved_model.pb*",
                      "models/*/variables/variables.index"],
    "tables.tar.xz": ["*.tsv", "*/*.tsv"],
}


def read(path):
    """(name, content), both without gzip."""
    content = path.read_bytes()
    if path.suffix != ".gz":
        return path, content
    return path.with_suffix(""), gzip.decompress(content)


def select(flops):
    """{archive: {name: bytes}} of what is to be kept."""
    archives = {}
    for archive, patterns in ARCHIVES.items():
        files = archives[archive] = {}
        for path in (path for pattern in patterns
                     for path in flops.glob(pattern)):
            name, content = read(path)
            files[name.relative_to(flops).as_posix()] = content
    return archives


def read_ops(formulas):
    """(op type, "yes" | "no": upstream has a formula) of all the tables of
    formulas.md; the last of them has only types with a formula, and no column
    that says so."""
    found = {}
    for line in formulas.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if not line.startswith("| ") or cells[0] == "op type":
            continue
        found[cells[0]] = cells[3] if len(cells) == 6 else "yes"
    assert set(found.values()) == {"yes", "no"}
    return sorted(found.items())


def tar_xz(files):
    """Bytes that depend on names and contents alone."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w",
                      format=tarfile.USTAR_FORMAT) as archive:
        for name, content in sorted(files.items()):
            member = tarfile.TarInfo(name)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return lzma.compress(out.getvalue(), preset=9 | lzma.PRESET_EXTREME)


def unpack(archive, folder):
    """All files of one of ARCHIVES, below a folder."""
    with tarfile.open(HERE / archive) as members:
        for member in members:
            target = folder / member.name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(members.extractfile(member).read())


def sums():
    """SHA256SUMS as it should be."""
    return "".join(
        f"{hashlib.sha256((HERE / name).read_bytes()).hexdigest()}  {name}\n"
        for name in sorted([*ARCHIVES, OPS]))


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    flops = pathlib.Path(sys.argv[1])
    archives = select(flops)
    for name, files in archives.items():
        (HERE / name).write_bytes(tar_xz(files))
    (HERE / OPS).write_text(
        "# op type\tupstream has a formula\n" + "".join(
            f"{op}\t{has}\n" for op, has in read_ops(flops / "formulas.md")),
        encoding="utf-8")
    (HERE / SUMS).write_text(sums(), encoding="utf-8")
    count = sum(len(files) for files in archives.values())
    size = sum((HERE / name).stat().st_size for name in archives)
    print(f"{count} files in {len(archives)} archives of {size} bytes")


if __name__ == "__main__":
    main()
