"""Faults: damaged files and odd buffers through the package.

The ids are those of FAULTS.md of the specification.
"""

from __future__ import annotations

import contextlib
import json
import mmap
import os
import pathlib
import random
import subprocess
import sys
import threading
from typing import Any

import pytest
from inputs import DATA, GRAPH, RUN
from wirebytes import varint

import tfprof

HERE = pathlib.Path(__file__).parent
CORPUS = pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "fuzz" / "corpus"
ROLES = {"graph": "graph", "meta_graph": "graph", "saved_model": "graph",
         "run_metadata": "run_meta", "step_stats": "run_meta",
         "op_log": "op_log", "profile": "profile"}


# ---- PY-01 ------------------------------------------------------------------

def corpus() -> list[tuple[pathlib.Path, str]]:
    """Every file that fuzzing has left, with what it was fed as."""
    found = []
    for folder in sorted(CORPUS.iterdir()):
        kind = folder.name.partition("_")[2]
        role = ("checkpoint" if folder.name == "checkpoint_index"
                else ROLES.get(kind, ""))
        if folder.is_dir():
            found += [(path, role) for path in sorted(folder.iterdir())]
    return found


def spoilt(folder: pathlib.Path) -> list[tuple[pathlib.Path, str]]:
    """The small inputs, cut short and with bytes changed."""
    choose = random.Random(7)
    found = []
    for path in sorted(DATA.iterdir()):
        if not path.is_file() or path.suffix in (".py", ".json"):
            continue
        data = path.read_bytes()
        role = next((role for word, role in ROLES.items()
                     if path.name.startswith(word.replace("adata", "a"))), "")
        for i in range(8):
            cut = data[:choose.randrange(1, len(data))]
            changed = bytearray(data)
            for _ in range(choose.randrange(1, 4)):
                changed[choose.randrange(len(data))] = choose.randrange(256)
            for how, bad in (("cut", cut), ("changed", bytes(changed))):
                name = folder / f"{path.name}.{how}.{i}"
                name.write_bytes(bad)
                found.append((name, role))
    return found


def run_damage(files: list[tuple[pathlib.Path, str]]) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", HERE / "damage.py"],
        input="".join(f"{path}\t{role}\n" for path, role in files),
        capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, (done.returncode, done.stderr[-3000:])
    assert done.stderr == ""
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_PY_01_what_fuzzing_found_raises_errors_of_ours_only(say: Any) -> None:
    files = corpus()
    assert len(files) > 3000
    told = run_damage(files)
    assert told["wrong"] == []
    assert told["counts"]["files"] == len(files)
    assert told["counts"]["with offset"] > 1000
    say(f"{len(files)} files of the corpus: {told['counts']}")


def test_PY_01_cut_and_changed_files_raise_errors_of_ours_only(
        tmp_path: pathlib.Path, say: Any) -> None:
    files = spoilt(tmp_path)
    told = run_damage(files)
    assert told["wrong"] == []
    assert told["counts"]["with offset"] > 100
    say(f"{len(files)} cut or changed files: {told['counts']}")


@pytest.mark.parametrize("name", ["graph.pb", "run_meta", "profile"])
def test_PY_01_a_cut_inside_a_record_has_an_offset(name: str) -> None:
    data = (DATA / name).read_bytes()
    role = {"graph.pb": "graph", "run_meta": "run_meta",
            "profile": "profile"}[name]
    offsets = 0
    for size in range(1, len(data)):
        try:
            given: Any = {role: data[:size]}
            tfprof.open(**given).close()
        except tfprof.CorruptInput as error:
            assert error.offset is not None and 0 <= error.offset <= size
            offsets += 1
    assert offsets > len(data) // 2


def test_PY_01_formula_files_that_are_none() -> None:
    for path in sorted((CORPUS / "formula_file").iterdir()):
        try:
            tfprof.flops(GRAPH, formula_file=[path])
        except tfprof.Error as error:
            assert not isinstance(error, tfprof.OutputError)


# ---- PY-02 ------------------------------------------------------------------

def keep_changing(buffer: Any, done: threading.Event) -> None:
    choose = random.Random(3)
    while not done.is_set():
        buffer[choose.randrange(len(buffer))] = choose.randrange(256)


@pytest.mark.parametrize("kind", ["bytearray", "mmap"])
def test_PY_02_bytes_that_change_while_they_are_read(kind: str) -> None:
    data = RUN.read_bytes() * 400
    buffer: Any = bytearray(data)
    if kind == "mmap":
        buffer = mmap.mmap(-1, len(data))
        buffer[:] = data
    done = threading.Event()
    changing = threading.Thread(target=keep_changing, args=(buffer, done))
    changing.start()
    outcomes = set()
    try:
        for _ in range(60):
            try:
                p = tfprof.open(run_meta=buffer)
                p.scope()
                outcomes.add("read")
            except tfprof.Error as error:
                outcomes.add(type(error).__name__)
            buffer[:] = data
    finally:
        done.set()
        changing.join()
    assert outcomes <= {"read", "CorruptInput", "LimitExceeded", "OptionError"}
    assert tfprof.open(run_meta=data).scope().total.micros > 0


def test_PY_02_a_bytearray_cannot_be_resized_while_it_is_read() -> None:
    data = bytearray(GRAPH.read_bytes() * 30000)
    refused = threading.Event()
    done = threading.Event()

    def resize() -> None:
        while not done.is_set():
            try:
                data.append(0)
                data.pop()
            except BufferError:
                refused.set()
                return

    trying = threading.Thread(target=resize)
    trying.start()
    try:
        for _ in range(20):
            # It may be read between append() and pop().
            with contextlib.suppress(tfprof.CorruptInput):
                tfprof.open(graph=data).close()
            if refused.is_set():
                break
    finally:
        done.set()
        trying.join()
    assert refused.is_set()
    data.append(0)  # the export has ended


def test_PY_02_a_buffer_of_more_than_two_gib() -> None:
    """Zeros that nobody has written take no memory. A part that is not known
    is passed over, and what comes after it is read."""
    part = 600 << 20
    head = b"\xa2\x06" + varint(part)  # field 100, of that length
    parts = 4
    tail = GRAPH.read_bytes()
    buffer = mmap.mmap(-1, parts * (len(head) + part) + len(tail) + 1)
    for i in range(parts):
        at = i * (len(head) + part)
        buffer[at:at + len(head)] = head
    at = parts * (len(head) + part)
    assert at > 2 << 30
    buffer[at:at + len(tail)] = tail
    view = memoryview(buffer)
    p = tfprof.open(graph=view[:at + len(tail)], max_memory="2G")
    assert p.info()["model"]["nodes"] == 8
    with pytest.raises(tfprof.CorruptInput) as told:
        tfprof.open(graph=view[:at + len(tail) - 1], max_memory="2G")
    assert told.value.offset is not None and told.value.offset >= at


def test_PY_02_bytes_that_lie_apart_are_copied() -> None:
    data = GRAPH.read_bytes()
    spread = bytearray(2 * len(data))
    spread[::2] = data
    p = tfprof.open(graph=memoryview(spread)[::2])
    assert p.info()["model"]["nodes"] == 8
    backward = memoryview(data[::-1])[::-1]
    assert tfprof.open(graph=backward).info()["model"]["nodes"] == 8


def test_PY_02_buffers_of_other_items_are_their_bytes() -> None:
    data = GRAPH.read_bytes()
    padding = 4 - (len(data) + 3) % 4
    data += b"\xa2\x06" + bytes([padding]) + bytes(padding)
    words = memoryview(data).cast("I")
    assert tfprof.open(graph=words).info()["model"]["nodes"] == 8


class Path:
    def __init__(self, path: Any) -> None:
        self.path = path

    def __fspath__(self) -> Any:
        return self.path


def test_PY_02_paths_of_every_sort(tmp_path: pathlib.Path) -> None:
    odd = os.path.join(os.fsencode(tmp_path), b"od\xff d")
    with open(odd, "wb") as file:
        file.write(GRAPH.read_bytes())
    for path in (GRAPH, str(GRAPH), Path(str(GRAPH)), Path(os.fsencode(GRAPH)),
                 Path(odd), os.fsdecode(odd)):
        p = tfprof.open(path)
        assert p.info()["model"]["nodes"] == 8
        p.save(Path(os.fsdecode(odd) + ".profile"))
    assert os.path.exists(odd + b".profile")
    with pytest.raises(TypeError):
        tfprof.open(Path(3))


def test_PY_02_a_null_byte_is_a_value_error(tmp_path: pathlib.Path) -> None:
    for path in ("a\0b", Path("\0"), Path(b"a\0b")):
        with pytest.raises(ValueError, match="null byte"):
            tfprof.open(path)
    p = tfprof.open(GRAPH)
    with pytest.raises(ValueError, match="null byte"):
        p.scope(show_name_regexes=["a\0b"])
    with pytest.raises(ValueError, match="null byte"):
        p.scope(order_by="name\0")
    with pytest.raises(ValueError, match="null byte"):
        p.save(f"{tmp_path}/a\0b")
    with pytest.raises(ValueError, match="null byte"):
        p.timeline(f"{tmp_path}/a\0b")
    assert list(tmp_path.iterdir()) == []


# ---- RX-02 ------------------------------------------------------------------

def test_RX_02_all_names_together_have_a_limit() -> None:
    names = (b"a" * 16 + b"%d" % i for i in range(2000))
    graph = b"".join(b"\x0a" + varint(len(name) + 5) + b"\x0a"
                     + varint(len(name)) + name + b"\x12\x01X"
                     for name in names)
    p = tfprof.open(graph=graph)
    with pytest.raises(tfprof.LimitExceeded, match="too many steps"):
        p.scope(show_name_regexes=["(a+)+[bc]"])
    assert len(p.scope(show_name_regexes=["a+1"])) == 2
