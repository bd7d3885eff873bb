#!/usr/bin/env python3
"""pack.py GOLDEN: make this folder's cases.tsv, archives and sums anew.

GOLDEN has cases.tsv, inputs/, expected/ and stdin/: what TensorFlow's own
tfprof was asked and what it answered. Of its cases those are taken that
wanted() says; each model's inputs become inputs/MODEL.tar.xz and the answers
about it expected/MODEL.tar.xz, pprof files without their gzip. The same cases
give the same bytes (with the same liblzma), so a difference in an archive is
one in the cases.
"""

import collections
import fnmatch
import gzip
import hashlib
import io
import lzma
import pathlib
import re
import shlex
import sys
import tarfile

HERE = pathlib.Path(__file__).resolve().parent
SUMS = "SHA256SUMS"

# Files of another project: what uses them is not copied.
NOT_OURS = ("graph.pbtxt", "run_meta", "tfprof_log", "ckpt.*",
            "upstream.profile")
# A file belongs to the model that its name begins with, except:
MODELS = {"nostream": "resnet"}


class Case:
    """A line of cases.tsv."""

    def __init__(self, line):
        self.line = line
        self.name, self.arguments, self.stdin, files, *status = line.split("\t")
        self.files = [] if files == "-" else files.split(",")
        self.status = int(status[0]) if status else None
        self.words = shlex.split(self.arguments)

    @property
    def paths(self):
        """The values of --graph_path and its like."""
        return [path for word in self.words
                for _, values in re.findall(r"^--?(\w+_path)=(.*)", word)
                for path in values.split(",")]

    @property
    def model(self):
        return model(self.paths[0]) if self.paths else "none"


def read_cases(path):
    with open(path, encoding="utf-8") as lines:
        return [Case(line.rstrip("\n")) for line in lines
                if not line.startswith("#")]


def model(path):
    prefix = re.match("[a-z0-9]+", path)[0]
    return MODELS.get(prefix, prefix)


def inputs_of(case, folder):
    """The names of the files a case reads; a checkpoint's path is a prefix."""
    return [name.name for path in case.paths
            for name in sorted(folder.glob(f"{path}*"))
            if name.name == path or name.name.startswith(path + ".")
            and f"--checkpoint_path={path}" in case.words]


def wanted(case, inputs):
    if "../" in case.arguments:
        return False  # reads what lies outside of inputs/
    return not any(fnmatch.fnmatchcase(name, pattern)
                   for name in inputs for pattern in NOT_OURS)


def read_answer(path):
    """gzip inside of xz would only stand in its way."""
    content = path.read_bytes()
    is_packed = path.suffix == ".pprof" and content.startswith(b"\x1f\x8b")
    return gzip.decompress(content) if is_packed else content


def select(golden):
    """(cases, {archive: {name: bytes}}) of what is to be kept."""
    cases, archives = [], collections.defaultdict(dict)
    for case in read_cases(golden / "cases.tsv"):
        inputs = inputs_of(case, golden / "inputs")
        if not wanted(case, [*inputs, *case.paths]):
            continue
        cases.append(case)
        for name in inputs:
            archives[f"inputs/{model(name)}.tar.xz"][name] = (
                golden / "inputs" / name).read_bytes()
        answers = archives[f"expected/{case.model}.tar.xz"]
        for name in [f"{case.name}.txt", *case.files]:
            answers[name] = read_answer(golden / "expected" / name)
        if case.stdin != "-":
            answers[case.stdin] = (golden / case.stdin).read_bytes()
    return cases, archives


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


def unpack(kind, folder):
    """All files of the archives of a kind, "inputs" or "expected"."""
    for path in sorted((HERE / kind).glob("*.tar.xz")):
        with tarfile.open(path) as archive:
            for member in archive:
                target = folder / member.name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.extractfile(member).read())


def sums():
    """SHA256SUMS as it should be."""
    names = ["cases.tsv", *sorted(str(path.relative_to(HERE))
                                  for path in HERE.glob("*/*.tar.xz"))]
    return "".join(
        f"{hashlib.sha256((HERE / name).read_bytes()).hexdigest()}  {name}\n"
        for name in names)


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        sys.exit(__doc__)
    cases, archives = select(pathlib.Path(sys.argv[1]))
    for old in HERE.glob("*/*.tar.xz"):
        old.unlink()
    for name, files in archives.items():
        (HERE / name).parent.mkdir(exist_ok=True)
        (HERE / name).write_bytes(tar_xz(files))
    (HERE / "cases.tsv").write_text(
        "# name\targuments\tstdin or -\tfiles written or -\texit status\n"
        + "".join(f"{case.line}\n" for case in cases), encoding="utf-8")
    (HERE / SUMS).write_text(sums(), encoding="utf-8")
    size = sum((HERE / name).stat().st_size for name in archives)
    print(f"{len(cases)} cases, {len(archives)} archives of {size} bytes")


if __name__ == "__main__":
    main()
