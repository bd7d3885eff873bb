"""Memory, stack, descriptors, file size and time, each with a limit; and the
limits that tfprof sets itself, at their edge.

Memory is measured by limiting it: what runs in so much address space has not
used more.
"""

# labels: both, slow

import gzip
import json
import os
import resource
import signal
import subprocess

import pytest

from faults import (MIB, SANITIZED, SLOW, complaint, failure, field, graph,
                    integer, nested_graph, no_sanitizer, node, printed,
                    run, run_metadata, start, varint)
from messages import NOON
from surroundings import PATIENCE

# What the program and its libraries take before they do anything.
PROGRAM = 24 * MIB


def address_space(size):
    return [(resource.RLIMIT_AS, size)]


def write(folder, data, name="input"):
    path = folder / name
    path.write_bytes(data)
    return path


# ---- ME-05: the system's limits ---------------------------------------------

@no_sanitizer
def test_ME_05_any_amount_of_memory_is_enough_or_told(tmp_path, say):
    """From too little for the program itself up to plenty."""
    path = write(tmp_path, graph(40000))
    seen = {}
    for mib in [*range(2, 24), *range(24, 80, 4)]:
        process = start(["info", "--format", "json", path],
                        address_space(mib * MIB))
        out, err = process.communicate(timeout=PATIENCE)
        code = process.returncode
        if code == 127 or (code < 0 and not out and not err) \
                or b"loading shared libraries" in err:
            assert mib < 10  # the system's loader gave up, not the program
            continue
        assert code in (0, 4), (mib, code, err)
        if code == 4:
            assert "out of memory" in complaint(err)
        else:
            assert json.loads(out)["files"][0]["counts"]["nodes"] == 40000
        seen[code] = seen.get(code, 0) + 1
    say(f"{seen[4]} times too little, {seen[0]} times enough")
    assert seen[0] and seen[4]


@pytest.mark.parametrize("levels", [99, 100, 101, 10000])
def test_ME_05_a_stack_of_256_KiB_is_enough(tmp_path, levels):
    path = write(tmp_path, nested_graph(levels))
    stack = [(resource.RLIMIT_STACK, (2048 if SANITIZED else 256) << 10)]
    code, _, err = run("info", "--graph_path", path, limits=stack)
    if levels <= 100:
        assert (code, err) == (0, b"")
    else:
        assert code == 1
        assert "nesting deeper than 100" in complaint(err)


@pytest.mark.parametrize("text", [
    b"node { " + b"a { " * 100000,
    b"node { " + b"attr { value { func { " * 30000,
], ids=["unknown", "known"])
def test_ME_05_a_small_stack_is_enough_for_text(tmp_path, text):
    path = write(tmp_path, text)
    stack = [(resource.RLIMIT_STACK, (2048 if SANITIZED else 256) << 10)]
    assert "nesting deeper than 100" in failure(1, "info", "--graph_path", path,
                                                limits=stack)


def test_ME_05_four_descriptors_are_enough_for_files(tmp_path):
    paths = [write(tmp_path, graph(3), f"{i}.pb") for i in range(50)]
    few = [(resource.RLIMIT_NOFILE, 4)]
    out = printed("info", "--format", "json", *paths, limits=few)
    assert len(json.loads(out)["files"]) == 50
    # A directory and the file in it are two.
    code, _, err = run("info", tmp_path, limits=few)
    assert code == 1
    for line in err.decode().splitlines():
        assert line.endswith(": cannot open: Too many open files")


def test_ME_05_a_limit_on_file_size_is_a_full_disk(tmp_path):
    paths = [write(tmp_path, graph(3), f"{i}.pb") for i in range(20)]
    for size in (0, 1, 100, 1000):
        with open(tmp_path / "out", "wb") as out:
            code, _, err = run("info", *paths, stdout=out,
                               limits=[(resource.RLIMIT_FSIZE, size)])
        assert code == 3
        assert complaint(err) == ("cannot write to standard output: "
                                  "File too large")


def test_ME_05_a_limit_on_time_ends_the_program():
    """Nobody asked for more than the second; nothing is said that is not so."""
    reader, writer = os.pipe()
    feeder = subprocess.Popen(["cat", "/dev/zero"], stdout=writer)
    os.close(writer)
    head = varint(77 << 3 | 2) + varint(1 << 34)  # an endless unknown field
    joined = subprocess.Popen(["sh", "-c", 'printf "$1"; exec cat', "sh",
                               "".join(f"\\{byte:03o}" for byte in head)],
                              stdin=reader, stdout=subprocess.PIPE)
    os.close(reader)
    process = start(["info", "--graph_path", "-"],
                    [(resource.RLIMIT_CPU, 1)], stdin=joined.stdout)
    joined.stdout.close()
    out, err = process.communicate(timeout=PATIENCE)
    feeder.kill()
    joined.kill()
    feeder.wait()
    joined.wait()
    # Slow pipes may bring all 16 GiB before a second is used up.
    if process.returncode >= 0:
        assert process.returncode == 1
        complaint(err)
    else:
        assert process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
        assert (out, err) == (b"", b"")


# ---- GZ-01, PB-16: much out of little ---------------------------------------

@no_sanitizer
def test_GZ_01_bombs_stay_below_64_MiB(tmp_path):
    zeros = gzip.compress(bytes(64 * MIB), 9)
    assert len(zeros) < 66000
    small = address_space(64 * MIB)
    path = write(tmp_path, zeros, "zeros.gz")
    assert failure(1, "info", "--graph_path", path, limits=small) == (
        f"{path}: offset 0: GraphDef is damaged: bad " "field tag (zero bytes)")
    unknown = graph(3) + varint(77 << 3 | 2) + varint(256 * MIB)
    path = write(tmp_path, gzip.compress(unknown + bytes(256 * MIB), 6),
                 "unknown.gz")
    code, _, err = run("info", path, limits=small)
    assert (code, err) == (0, b"")
    told = failure(4, "info", "--max-input", "100M", path, limits=small)
    assert told == (f"{path}: offset 104857600: input exceeds the limit of "
                    "104857600 bytes (see --max_input)")
    path = write(tmp_path, gzip.compress(zeros), "twice.gz")
    code, out, err = run("info", path, limits=small)
    assert b"gzip inside gzip" in out


PATTERNS = {
    "graph_path": [b"\x0a\x00", b"\x12\x00", node(b""), b"\x12\x02\x0a\x00"],
    "run_meta_path": [b"\x0a\x00", b"\x12\x00", b"\x0a\x02\x0a\x00"],
    "op_log_path": [b"\x0a\x00", b"\x12\x00"],
    "profile_path": [b"\x0a\x00", b"\x22\x00", b"\x18\x05"],
}


@no_sanitizer
@pytest.mark.parametrize("role", ["checkpoint_path", "run_meta_path"])
def test_GZ_01_memory_follows_the_bytes_of_the_file(tmp_path, role):
    """However much comes out of a small file, 64 bytes of it count for each
    byte of the file, also where the input is held as a whole."""
    record = field(2, field(1, b"a") + integer(2, NOON) + integer(5, 1))
    plain = {"checkpoint_path": bytes(256 * MIB),
             "run_meta_path": field(1, field(1, record * 6000000))}[role]
    path = write(tmp_path, gzip.compress(plain, 9))
    rule = 64 * MIB + 8 * 64 * path.stat().st_size
    assert rule < 8 * len(plain)
    told = failure(4, "info", f"--{role}", path,
                   limits=address_space(PROGRAM + rule))
    assert "needs more memory than the limit of" in told


@no_sanitizer
@pytest.mark.parametrize("role, pattern", [
    (role, pattern) for role, all in PATTERNS.items() for pattern in all],
    ids=lambda x: x if isinstance(x, str) else x.hex())
def test_PB_16_memory_follows_the_rule(tmp_path, role, pattern):
    size = 10_000_000
    path = write(tmp_path, pattern * (size // len(pattern)))
    code, _, err = run("info", f"--{role}", path,
                       limits=address_space(64 * MIB + 8 * size + PROGRAM))
    assert code in (0, 4)
    if code:
        assert "(see --max_memory)" in complaint(err)


# ---- PB-20 ------------------------------------------------------------------

@pytest.mark.skipif(not SLOW, reason="reads 5 GiB; TFPROF_SLOW=1 does")
@pytest.mark.parametrize("where", ["at the root", "in a container"])
def test_PB_20_a_sparse_file_of_5_GiB_is_read(tmp_path, where):
    zeros = 5 << 30
    tail = run_metadata(3)
    skipped = varint(77 << 3 | 2) + varint(zeros)
    head = skipped if where == "at the root" else \
        varint(1 << 3 | 2) + varint(len(skipped) + zeros) + skipped
    path = tmp_path / "run_meta"
    with open(path, "wb") as file:
        file.write(head)
        file.seek(zeros, os.SEEK_CUR)
        file.write(tail)
    limits = [] if SANITIZED else address_space(64 * MIB)
    out = printed("info", "--format", "json", "--run_meta_path", path,
                  limits=limits, timeout=PATIENCE)
    told = json.loads(out)["files"][0]
    assert told["counts"]["run_records"] == 3
    assert told["bytes_read"] == len(head) + zeros + len(tail)
    with open(path, "ab") as file:
        file.write(b"\0")
    told = failure(1, "info", "--run_meta_path", path, timeout=PATIENCE)
    assert f"offset {len(head) + zeros + len(tail)}:" in told


# ---- The program's own limits, at their edge --------------------------------

@pytest.mark.parametrize("limit", [3, 100, 250])
def test_the_nesting_limit_holds_at_its_level(tmp_path, limit):
    for levels in (limit - 1, limit, limit + 1):
        path = write(tmp_path, nested_graph(levels))
        code, _, err = run("info", "--graph_path", path,
                           "--max-depth-nesting", str(limit))
        assert code == (1 if levels > limit else 0)
        if code:
            assert f"nesting deeper than {limit}" in complaint(err)
            assert "(see --max_depth_nesting)" in complaint(err)


@pytest.mark.parametrize("packed", [False, True])
def test_the_input_limit_holds_at_its_byte(tmp_path, packed):
    data = graph(500)
    path = write(tmp_path, gzip.compress(data) if packed else data)
    for limit in (len(data) - 1, len(data), len(data) + 1):
        code, _, err = run("info", path, "--max-input", str(limit))
        assert code == (4 if limit < len(data) else 0)
        if code:
            assert complaint(err) == (
                f"{path}: offset {limit}: input exceeds the limit of "
                f"{limit} bytes (see --max_input)")


def test_the_memory_limit_holds_at_its_byte(tmp_path):
    path = write(tmp_path, graph(5000) + field(4, integer(1, 5)))
    code, out, _ = run("info", "--format", "json", path)
    peak = json.loads(out)["model"]["peak_memory_bytes"]
    assert code == 0 and peak > MIB
    for limit in (peak - 1, peak, peak + 1):
        code, out, err = run("info", path, "--max-memory", str(limit))
        assert code == (4 if limit < peak else 0)
        if code:
            assert complaint(err) == (
                f"{path}: needs more memory than the limit of {limit} bytes "
                "(see --max_memory)")


def test_hardly_any_memory_is_told(tmp_path):
    path = write(tmp_path, graph(5))
    for limit in (1, 100, 10000, 100000):
        told = failure(4, "info", path, "--max-memory", str(limit))
        assert f"the limit of {limit} bytes" in told
