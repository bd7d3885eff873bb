"""Files as they come: cut, zero-filled, special, sparse, oddly named."""

# labels: both

import json
import os
import resource
import socket
import stat
import subprocess
import threading

import pytest

import bundles
import checkpoints
from faults import (MIB, complaint, failure, graph, no_sanitizer, node,
                    printed, refusal, run, run_metadata, varint, writing)
from program import TFPROF
from surroundings import PATIENCE


# ---- IN-01: after a power cut -----------------------------------------------

PAGE = 4096


@pytest.fixture(scope="module")
def sound():
    """40 pages of nodes, and a little more."""
    return graph(9000)


def counts(out):
    return json.loads(out)["files"][0]["counts"]


def salvage(path, *args):
    return run("info", "--format", "json", "--salvage", *args, path)


def check_damage(path, words, at_most):
    """Refused with one of `words`; what --salvage keeps is less than all."""
    line = failure(1, "info", "--format", "json", "--graph_path", path)
    assert line.startswith(f"{path}: offset ")
    assert any(word in line for word in words), line
    code, out, err = salvage(path, "--graph_path")
    assert code == 1
    assert complaint(err).startswith(f"partial: {path}: offset ")
    assert counts(out)["nodes"] <= at_most
    return counts(out)["nodes"]


@pytest.mark.parametrize("cut", [1, 5, 6, 100, PAGE, PAGE + 1, 3 * PAGE + 7])
def test_IN_01_a_file_cut_short_is_told(tmp_path, sound, cut):
    path = tmp_path / "graph.pb"
    path.write_bytes(sound[:cut])
    kept = check_damage(path, ["the file ends inside this NodeDef",
                               "the file ends inside this GraphDef"], 9000)
    assert kept == sound[:cut].count(b"NoOp")


@pytest.mark.parametrize("cut", [100, PAGE, 2 * PAGE + 1, 30 * PAGE, 31 * PAGE])
def test_IN_01_a_zero_filled_tail_is_told(tmp_path, sound, cut):
    path = tmp_path / "graph.pb"
    path.write_bytes(sound[:cut] + bytes(len(sound) - cut))
    # The zeros may complete a name, so one node more may be whole.
    check_damage(path, ["zero bytes"], sound[:cut].count(b"NoOp") + 1)


@pytest.mark.parametrize("page", [1, 2, 7, 20, 39])
def test_IN_01_a_zeroed_page_is_told(tmp_path, sound, page):
    path = tmp_path / "graph.pb"
    start = page * PAGE
    path.write_bytes(sound[:start] + bytes(PAGE) + sound[start + PAGE:])
    check_damage(path, ["zero bytes"], sound[:start + PAGE].count(b"NoOp"))


def test_IN_01_swapped_pages_are_told(tmp_path):
    path = tmp_path / "graph.pb"
    # Names of many lengths: records do not fit where others were.
    whole = b"".join(node(b"n%d" % i + b"x" * (i * 37 % 101))
                     for i in range(2000))
    refused = 0
    for a, b in [(1, 2), (3, 9), (4, 5), (10, 20), (0, 7)]:
        data = bytearray(whole)
        data[a * PAGE:(a + 1) * PAGE] = whole[b * PAGE:(b + 1) * PAGE]
        data[b * PAGE:(b + 1) * PAGE] = whole[a * PAGE:(a + 1) * PAGE]
        path.write_bytes(data)
        code, _, err = run("info", "--graph_path", path)
        assert code == 1
        refused += "offset" in complaint(err)
    assert refused == 5


def test_IN_01_a_text_cut_short_is_told(tmp_path):
    path = tmp_path / "graph.pbtxt"
    path.write_bytes(b'node { name: "a" op: "A" }\nnode { name: "b')
    code, out, err = salvage(path)
    assert code == 1
    assert "the file ends inside" in complaint(err)
    assert counts(out)["nodes"] == 1


# ---- IN-03: what is no plain file -------------------------------------------

def test_IN_03_a_fifo_and_a_pipe_are_streamed(tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    data = graph(20000)
    with writing(fifo, data):
        code, out, err = run("info", "--format", "json", fifo)
    assert (code, err) == (0, b"")
    assert counts(out)["nodes"] == 20000
    assert json.loads(out)["files"][0]["size"] is None
    out = printed("info", "--format", "json", "-", data=data)
    assert counts(out)["nodes"] == 20000


def test_IN_03_a_pipe_of_single_bytes_is_put_together(tmp_path):
    reader, writer = os.pipe()
    data = graph(60)

    def trickle():
        for i in range(len(data)):
            os.write(writer, data[i:i + 1])
        os.close(writer)
    thread = threading.Thread(target=trickle)
    thread.start()
    code, out, err = run("info", "--format", "json", "-", stdin=reader)
    thread.join()
    os.close(reader)
    assert (code, err) == (0, b"")
    assert counts(out)["nodes"] == 60


def test_IN_03_endless_input_stops_at_the_limit():
    with subprocess.Popen(["yes", node(b"n").decode()[:-1]],
                          stdout=subprocess.PIPE) as endless:
        code, _, err = run("info", "--graph_path", "-", "--max-input", "8M",
                           stdin=endless.stdout)
        endless.stdout.close()
        endless.kill()
    assert code in (1, 4)
    complaint(err)
    # Sound records without end, which nothing but the limit can stop.
    reader, writer = os.pipe()

    def pour():
        chunk = graph(1) * 50000
        try:
            while True:
                os.write(writer, chunk)
        except BrokenPipeError:
            pass
        os.close(writer)
    thread = threading.Thread(target=pour)
    thread.start()
    process = subprocess.Popen([TFPROF, "info", "--max-input", "8M", "-"],
                               stdin=reader, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE)
    os.close(reader)
    _, err = process.communicate(timeout=PATIENCE)
    thread.join()
    assert process.returncode == 4
    assert complaint(err) == ("-: offset 8388608: input exceeds the "
                              "limit of 8388608 bytes (see --max_input)")


ROLES = [None, "--graph_path", "--run_meta_path", "--op_log_path",
         "--checkpoint_path", "--profile_path"]
NOT_A_DEVICE = "is a device (use a file, a pipe, or - for standard input)"


@pytest.mark.parametrize("device", ["/dev/zero", "/dev/full", "/dev/random"])
@pytest.mark.parametrize("role", ROLES)
def test_IN_03_devices_are_refused(device, role):
    code, _, err = run("info", *([role] if role else []), device)
    assert (code, complaint(err)) == (1, f"{device}: {NOT_A_DEVICE}")


def test_IN_03_a_link_to_a_device_is_refused(tmp_path):
    (tmp_path / "zeros").symlink_to("/dev/zero")
    for role in ROLES:
        code, _, err = run("scope", *([role] if role else []),
                           tmp_path / "zeros")
        assert (code, complaint(err)) == (1,
                                          f"{tmp_path}/zeros: {NOT_A_DEVICE}")


@pytest.mark.parametrize("role", ["--graph_path", "--run_meta_path"])
def test_IN_03_endless_zeros_in_standard_input_are_refused_at_once(role):
    with open("/dev/zero", "rb") as zeros:
        code, _, err = run("info", role, "-", stdin=zeros.fileno())
    assert code == 1
    assert "zero bytes" in complaint(err)


def test_IN_03_the_null_device_is_empty(tmp_path):
    code, _, err = run("info", "/dev/null")
    assert (code, complaint(err)) == (1, "/dev/null: the file is empty")
    (tmp_path / "nothing").symlink_to("/dev/null")
    code, _, err = run("info", "--graph_path", tmp_path / "nothing")
    assert (code, err) == (0, b"")


def test_IN_03_a_socket_is_refused(tmp_path):
    path = tmp_path / "s"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.fspath(path))
        code, _, err = run("info", path)
    assert code == 1
    assert complaint(err) == f"{path}: cannot open: No such device or address"


def test_IN_03_directories_are_listed_or_named(tmp_path):
    assert "no supported file in this directory" in failure(1, "info", tmp_path)
    (tmp_path / "graph.pb").write_bytes(graph(3))
    (tmp_path / "inner").mkdir()
    out = printed("info", "--format", "json", tmp_path)
    files = json.loads(out)["files"]
    assert [f["member"] for f in files] == ["graph.pb"]
    # As standard input it is no file either.
    fd = os.open(tmp_path, os.O_RDONLY)
    code, _, err = run("info", "-", stdin=fd)
    os.close(fd)
    assert (code, complaint(err)) == (1, "-: cannot read: Is a directory")


def test_IN_03_the_memory_of_a_process_is_refused():
    assert failure(1, "info", "/proc/self/mem") == (
        "/proc/self/mem: cannot read: Input/output error")


def readable_devices():
    for name in sorted(os.listdir("/dev")):
        path = os.path.join("/dev", name)
        kind = os.stat(path, follow_symlinks=True).st_mode \
            if os.path.exists(path) else 0
        if stat.S_ISBLK(kind) and os.access(path, os.R_OK):
            yield path
        elif name in ("random", "urandom", "mem"):
            yield path


def test_IN_03_no_device_is_opened(say):
    seen = 0
    for path in readable_devices():
        code, _, err = run("info", path)
        assert (code, complaint(err)) == (1, f"{path}: {NOT_A_DEVICE}")
        seen += 1
    say(f"{seen} devices")
    assert seen


# ---- IN-04: sizes that lie --------------------------------------------------

def test_IN_04_files_that_say_0_are_read():
    code, _, err = run("info", "/proc/self/status")
    assert code == 1
    assert "unknown file type" in complaint(err)  # so it has been read
    assert "offset" in failure(1, "info", "--graph_path", "/proc/self/cmdline")


LITTLE = 48 * MIB


@no_sanitizer
@pytest.mark.parametrize("head", [b"", b"\x0a", graph(3)],
                         ids=["zeros", "tag", "graph"])
def test_IN_04_a_sparse_terabyte_takes_no_memory(tmp_path, head):
    path = tmp_path / "sparse.pb"
    path.write_bytes(head)
    os.truncate(path, 1 << 40)
    limits = [(resource.RLIMIT_AS, LITTLE)]
    for role in ([], ["--graph_path"], ["--run_meta_path"]):
        assert "memory" not in failure(1, "info", *role, path, limits=limits)


@no_sanitizer
def test_IN_04_a_length_of_gigabytes_takes_what_is_there(tmp_path):
    path = tmp_path / "claim.pb"
    limits = [(resource.RLIMIT_AS, LITTLE)]
    for claim in (1 << 31, (1 << 32) - 1, 1 << 34):
        data = graph(3) + b"\x0a" + varint(claim) + b"x" * 1000
        path.write_bytes(data)
        for source in (None, data):  # a file, and a pipe
            told = failure(1, "info", "--graph_path", path if source is None
                           else "-", data=source, limits=limits)
            assert "the file ends inside this NodeDef" in told


# ---- IN-07: odd paths -------------------------------------------------------

@pytest.mark.parametrize("name, shown", [
    (b"plain", "plain"),
    (b"with blank", "with blank"),
    (b"caf\xc3\xa9", "café"),
    (b"\xff\xfe.pb", r"\xff\xfe.pb"),
    (b"new\nline", r"new\x0aline"),
    (b"\x1b]0;gotcha\x07", r"\x1b]0;gotcha\x07"),
    (b"turn\xe2\x80\xaened", r"turn\xe2\x80\xaened"),
    (b"back\\slash", "back\\slash"),
    (b"comma,in,it", "comma,in,it"),
    (b"7=step", "7=step"),
], ids=ascii)
def test_IN_07_names_are_kept_and_shown_escaped(tmp_path, name, shown):
    folder = os.fsencode(tmp_path)
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(graph(2))
    out = printed("info", path)
    assert out.decode().startswith(f"{tmp_path}/{shown}: GraphDef")
    code, out, err = run("info", "--format", "json", path)
    assert code == 0
    text = json.loads(out.decode())["files"][0]["path"]  # strict UTF-8
    assert counts(out)["nodes"] == 2
    if b"\xff" not in name:
        assert text == path.decode()
    assert failure(1, "info", path + b".gone") == (
        f"{tmp_path}/{shown}.gone: cannot open: No such file or directory")


def test_IN_07_a_leading_dash_needs_two_dashes(tmp_path):
    for name in ("-q", "--format", "-", "--"):
        (tmp_path / name).write_bytes(graph(2))
        path = "./-" if name == "-" else name
        out = printed("info", "--format", "json", "--", path, cwd=tmp_path)
        assert json.loads(out)["files"][0]["path"] == path
        code, out, _ = run("info", f"./{name}", cwd=tmp_path)
        assert code == 0


def test_IN_07_the_longest_paths(tmp_path):
    os.chdir(tmp_path)
    folder = "d" * 200
    for _ in range(15):
        os.mkdir(folder)
        os.chdir(folder)
    with open("graph.pb", "wb") as file:
        file.write(run_metadata(1))
    path = os.path.join(tmp_path, *[folder] * 15, "graph.pb")
    os.chdir("/")
    while len(path) < 4095:  # one byte is for the end
        path = path.replace("/graph.pb", "/./graph.pb" if len(path) < 4094
                            else "//graph.pb")
    assert len(path) == 4095
    out = printed("info", "--format", "json", path)
    assert json.loads(out)["files"][0]["path"] == path
    assert failure(1, "info", path[:-9] + "/" + path[-9:]).endswith(
        ": cannot open: File name too long")


# ---- IN-09: links -----------------------------------------------------------

def test_IN_09_a_loop_of_links_is_reported(tmp_path):
    (tmp_path / "a").symlink_to("b")
    (tmp_path / "b").symlink_to("a")
    assert failure(1, "info", tmp_path / "a") == (
        f"{tmp_path}/a: cannot open: Too many levels of symbolic links")
    # In a directory they are no files.
    assert "no supported file" in failure(1, "info", tmp_path)


def test_IN_09_a_link_to_a_fifo_is_streamed(tmp_path):
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "link").symlink_to("fifo")
    with writing(tmp_path / "link", graph(5)):
        code, out, _ = run("info", "--format", "json", tmp_path / "link")
    assert code == 0
    assert counts(out)["nodes"] == 5


def test_IN_09_a_dangling_link_is_reported(tmp_path):
    (tmp_path / "link").symlink_to("nowhere")
    assert failure(1, "info", tmp_path / "link").endswith(
        "cannot open: No such file or directory")


# ---- IN-10: special files in directories ------------------------------------

SPECIAL = "pipe, device or socket: only regular files are read from a directory"


def make_fifo(path):
    os.mkfifo(path)  # nobody writes: opening it would take forever


def make_socket(path):
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(os.path.relpath(path))  # a name of at most 107 bytes


def make_link_to_zeros(path):
    path.symlink_to("/dev/zero")


def make_link_to_nothing(path):
    path.symlink_to("/dev/null")


MAKERS = [make_fifo, make_socket, make_link_to_zeros, make_link_to_nothing]
NAMES = ["variables/variables.index", "checkpoint", "saved_model.pb",
         "x.index", "x-00000-of-00002", "other"]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", MAKERS)
def test_IN_10_special_files_are_named_and_skipped(tmp_path, make, name):
    (tmp_path / "graph.pb").write_bytes(graph(3))
    (tmp_path / "variables").mkdir()
    make(tmp_path / name)
    out = printed("info", "--format", "json", tmp_path)
    files = {f["member"]: f for f in json.loads(out)["files"]}
    assert sorted(files) == sorted(["graph.pb", name])
    assert files[name]["kind"] == "special file"
    assert not files[name]["read"]
    out = printed("info", tmp_path)
    assert f"{tmp_path}/{name}: special file\n  {SPECIAL}\n" in out.decode()
    code, out, err = run("scope", tmp_path)
    assert code == 0
    assert (f"tfprof: note: {tmp_path}/{name}: skipped: not a regular "
            "file\n") in err.decode()


def test_IN_10_the_note_names_one_of_several(tmp_path):
    (tmp_path / "graph.pb").write_bytes(graph(3))
    for name in "cab":
        os.mkfifo(tmp_path / name)
    code, _, err = run("scope", tmp_path)
    assert code == 0
    assert (f"{tmp_path}/a: skipped: not a regular file (and 2 more files)\n"
            in err.decode())


@pytest.mark.parametrize("make", MAKERS)
def test_IN_10_a_state_that_names_a_special_file_is_refused(tmp_path, make):
    (tmp_path / "checkpoint").write_text('model_checkpoint_path: "x"\n')
    for name in ("x.index", "x"):
        make(tmp_path / name)
        for path in (tmp_path, tmp_path / "checkpoint"):
            told = refusal(1, "scope", "--checkpoint_path", path)
            assert told == (
                f"{tmp_path}/x: cannot open {tmp_path}/{name}: not a regular "
                "file")


@pytest.mark.parametrize("make", MAKERS)
def test_IN_10_a_prefix_of_a_special_file_is_refused(tmp_path, make):
    make(tmp_path / "x.index")
    for role in ("--checkpoint_path", None):
        assert refusal(1, "scope", *([role] if role else []),
                       tmp_path / "x").endswith("x.index: not a regular file")


@pytest.mark.parametrize("make", MAKERS)
def test_IN_10_a_directory_of_special_files_has_nothing(tmp_path, make):
    make(tmp_path / "checkpoint")
    make(tmp_path / "x.index")
    for role, what in (("--checkpoint_path", "no checkpoint"),
                       (None, "no supported file")):
        assert what in refusal(1, "scope", *([role] if role else []), tmp_path)


@pytest.mark.parametrize("make", MAKERS)
def test_IN_10_a_shard_that_is_a_special_file_is_refused(tmp_path, make):
    whole = [(0, None)]
    for i in range(2):
        (tmp_path / f"x-0000{i}-of-00002").write_bytes(bundles.table_v1(
            [bundles.slice_meta(b"t%d" % i, bundles.FLOAT, [1], [whole])],
            {(b"t%d" % i, tuple(whole)): bundles.float_val(i)}))
    code, _, err = run("info", tmp_path)
    assert (code, err) == (0, b"")
    (tmp_path / "x-00001-of-00002").unlink()
    make(tmp_path / "x-00001-of-00002")
    for role in ("--checkpoint_path", None):
        assert failure(1, "info", *([role] if role else []), tmp_path).endswith(
            "cannot open x-00001-of-00002: not a regular file")


def test_IN_10_a_fifo_that_is_given_is_read(tmp_path):
    prefix = checkpoints.sound().write(tmp_path / "y")
    os.mkfifo(tmp_path / "x.index")
    with writing(tmp_path / "x.index",
                 (tmp_path / f"{prefix.name}.index").read_bytes()):
        code, _, err = run("info", tmp_path / "x.index")
    assert (code, err) == (0, b"")
