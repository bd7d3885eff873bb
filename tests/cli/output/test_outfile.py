"""Where `-output file:outfile=F` writes, and what it leaves alone: OU-05,
OU-06 and OU-16, the rules of docs/output.md."""

import contextlib
import fcntl
import os
import signal
import socket
import stat
import subprocess
import threading
import time

import pytest

from faults import complaint, needs_strace
from messages import (VIEWS, Folder, entry, frame, node_def, record, run_of,
                      strings)
from outputs import (LEGEND, NOBODY, OLD, PROGRAM, Place, calls_of_writing,
                     needs_root, open_folder, run_as)
from outputs import leftovers as leftovers_in


@pytest.fixture
def folder(tmp_path):
    return Folder(tmp_path, graph=node_def(b"a", shape=[2]))


def write(folder, outfile, stdout=subprocess.PIPE, **kwargs):
    done = subprocess.run(
        [PROGRAM, "scope", "--graph_path", "graph", "-select",
         "params", "-output", f"file:outfile={outfile}"],
        cwd=folder.path, stdin=subprocess.DEVNULL, stdout=stdout,
        stderr=subprocess.PIPE, check=False, **kwargs)
    return done.returncode, done.stdout, done.stderr


def refused(folder, outfile):
    """What is said of a place that is not written to."""
    code, out, err = write(folder, outfile)
    assert (code, out) == (3, b"")
    return complaint(err)


def leftovers(folder):
    return leftovers_in(folder.path)


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


@pytest.mark.parametrize("name", ["out", "o" * 255, ".hidden", "a b"])
def test_a_file_is_made(folder, name):
    code, out, err = write(folder, name)
    assert (code, out, err) == (0, b"", b"")
    assert (folder.path / name).read_bytes().startswith(LEGEND)
    assert leftovers(folder) == []


def test_a_file_that_was_there_is_replaced_and_keeps_its_mode(folder):
    target = folder.path / "out"
    target.write_text("old")
    target.chmod(0o640)
    before = target.stat().st_ino
    assert write(folder, "out")[0] == 0
    assert target.read_bytes().startswith(LEGEND)
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    assert target.stat().st_ino != before
    assert leftovers(folder) == []


# ---- OU-05 ------------------------------------------------------------------

@needs_strace
@pytest.mark.parametrize("old", [OLD, None], ids=["there", "new"])
def test_OU_05_the_new_file_is_beside_the_old_one(tmp_path, old):
    place = Place(tmp_path, nodes=10, old=old)
    names = set()
    for _ in range(3):
        place.reset()
        code, _, log = place.trace("trace=openat,renameat")
        assert code == 0
        [opened] = [line for line in log.splitlines()
                    if f'"{place.folder}/"' in line]
        [made] = [line for line in log.splitlines() if "O_CREAT" in line]
        [moved] = [line for line in log.splitlines() if "renameat(" in line]
        folder, name = opened.split(" = ")[1], made.split('"')[1]
        assert "O_PATH" in opened and "/" not in name
        assert made.startswith(f"openat({folder}, ")
        assert moved.startswith(
            f'renameat({folder}, "{name}", {folder}, "{place.target.name}")')
        assert "O_EXCL|O_NOFOLLOW|O_CLOEXEC" in made
        names.add(name)
    assert len(names) == 3


@needs_strace
@pytest.mark.parametrize("old", [OLD, None], ids=["there", "new"])
def test_OU_05_nobody_else_reads_an_unfinished_file(tmp_path, old):
    """Killed as soon as it has written, and before it gives the file away."""
    place = Place(tmp_path, nodes=10, old=old)
    _, _, log = place.trace("trace=fchmod")
    count = log.count("fchmod(")
    assert count == (1 if old else 2)
    for call, when in (("write", 1), ("fchmod", count)):
        place.reset()
        place.trace(f"trace={call}", f"inject={call}:signal=KILL:when={when}")
        [name] = leftovers_in(place.folder)
        assert mode(place.folder / name) == 0o600


@pytest.mark.parametrize("umask", [0o000, 0o022, 0o027, 0o077])
def test_OU_05_a_new_file_has_the_usual_rights(folder, umask):
    assert write(folder, "out", umask=umask)[0] == 0
    assert mode(folder.path / "out") == 0o666 & ~umask


@pytest.mark.parametrize("rights", [0o600, 0o644, 0o664, 0o666, 0o755, 0o200])
def test_OU_05_a_replaced_file_keeps_its_rights(folder, rights):
    target = folder.path / "out"
    target.write_bytes(OLD)
    target.chmod(rights)
    assert write(folder, "out", umask=0o077)[0] == 0
    assert mode(target) == rights


def test_OU_05_a_text_does_not_become_another_user(folder):
    """What is written to a set-user-id program is none any more."""
    target = folder.path / "out"
    target.write_bytes(OLD)
    target.chmod(0o6755)
    assert write(folder, "out")[0] == 0
    assert mode(target) == 0o755


@needs_strace
@pytest.mark.parametrize("kind", ["link", "dangling link", "file"])
def test_OU_05_what_stands_at_the_name_is_not_followed(tmp_path, kind):
    """The random number is made 0 by force, and the name of it is taken."""
    place = Place(tmp_path, nodes=10)
    taken = place.folder / (".tfprof-" + "0" * 16)
    victim = tmp_path / "victim"
    if kind == "link":
        victim.write_bytes(OLD)
    if kind == "file":
        taken.write_bytes(OLD)
        guard = open(taken, "rb")
        fcntl.flock(guard, fcntl.LOCK_EX)  # else it would be a leftover
    else:
        taken.symlink_to(victim)
    _, _, log = place.trace("trace=getrandom,openat")
    lines = log.splitlines()
    made = next(i for i, line in enumerate(lines) if "O_CREAT" in line)
    when = sum("getrandom(" in line for line in lines[:made])
    place.target.write_bytes(OLD)

    zeros = "inject=getrandom:poke_exit=@arg1=" + "00" * 8
    code, err, log = place.trace("trace=getrandom,openat",
                                 f"{zeros}:when={when}")
    assert (code, err) == (0, b"")
    assert (f'"{taken.name}", O_WRONLY|O_CREAT|O_EXCL' in log
            and "EEXIST" in log)
    assert place.content() == place.new

    place.target.write_bytes(OLD)
    code, err, _ = place.trace("trace=getrandom", f"{zeros}:when={when}+")
    assert code == 3
    assert complaint(err) == f"{place.target}: cannot write: File exists"
    assert place.content() == OLD
    if kind == "file":
        guard.close()
        assert taken.read_bytes() == OLD
    else:
        assert taken.is_symlink()
        assert victim.exists() == (kind == "link")
        assert kind != "link" or victim.read_bytes() == OLD


# ---- OU-04: what a killed writer left ---------------------------------------

LEFT = ".tfprof-0123456789abcdef"


def test_OU_04_what_is_nobody_s_is_taken_away(folder):
    (folder.path / LEFT).write_bytes(OLD)
    assert write(folder, "out")[0] == 0
    assert leftovers(folder) == []


def test_OU_04_what_someone_writes_is_left_alone(folder):
    with open(folder.path / LEFT, "wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        assert write(folder, "out")[0] == 0
        assert leftovers(folder) == [LEFT]
    assert write(folder, "out")[0] == 0
    assert leftovers(folder) == []


@pytest.mark.parametrize("name", [
    ".tfprof-", ".tfprof-0123456789abcde", ".tfprof-0123456789abcdef0",
    ".tfprof-0123456789abcdeF", ".tfprof-0123456789abcdeg",
    "tfprof-0123456789abcdef", ".tfprof-0123456789abcdef.txt",
    "a.tfprof-0123456789abcdef"])
def test_OU_04_other_names_are_left_alone(folder, name):
    (folder.path / name).write_bytes(OLD)
    assert write(folder, "out")[0] == 0
    assert (folder.path / name).read_bytes() == OLD


@pytest.mark.parametrize("kind", ["link", "folder", "fifo", "socket"])
def test_OU_04_only_plain_files_are_taken_away(folder, kind):
    path, there = folder.path / LEFT, folder.path / "there"
    there.write_bytes(OLD)
    if kind == "link":
        path.symlink_to(there)
    elif kind == "folder":
        path.mkdir()
    elif kind == "fifo":
        os.mkfifo(path)
    else:
        socket.socket(socket.AF_UNIX).bind(os.fspath(path))
    assert write(folder, "out")[0] == 0
    assert os.path.lexists(path)
    assert there.read_bytes() == OLD


@needs_root
def test_OU_04_what_another_user_left_is_left_alone(folder):
    path = folder.path / LEFT
    path.write_bytes(OLD)
    os.chown(path, NOBODY, NOBODY)
    assert write(folder, "out")[0] == 0
    assert path.read_bytes() == OLD
    # Unless the output is that user's, whose unfinished file it may be.
    os.chown(folder.path / "out", NOBODY, NOBODY)
    assert write(folder, "out")[0] == 0
    assert leftovers(folder) == []


@needs_root
def test_OU_04_a_folder_that_cannot_be_listed_is_no_failure():
    with inner_folder(0o333) as (folder, inner):
        assert run_as(NOBODY, folder, inner / "out") == (0, b"")
        assert (inner / "out").read_bytes().startswith(LEGEND)


# ---- OU-06 ------------------------------------------------------------------

@pytest.mark.parametrize("to", ["there", "./there", "sub/../there", "{}/there"])
@pytest.mark.parametrize("exists", [True, False])
def test_OU_06_a_link_is_followed(folder, to, exists):
    """Also one that leads nowhere yet: there the file is made."""
    (folder.path / "sub").mkdir()
    there, link = folder.path / "there", folder.path / "link"
    if exists:
        there.write_bytes(OLD)
        there.chmod(0o640)
    link.symlink_to(to.format(folder.path))
    (folder.path / "second").symlink_to("link")
    (folder.path / "sub" / "third").symlink_to("../second")
    for name in ("link", "second", "sub/third"):
        assert write(folder, name) == (0, b"", b"")
        assert (folder.path / name).is_symlink()
        assert there.read_bytes().startswith(LEGEND)
        assert mode(there) == (0o640 if exists else 0o666 & ~umask())
        there.write_bytes(OLD)
    assert leftovers(folder) == []


def umask():
    now = os.umask(0)
    os.umask(now)
    return now


@needs_strace
def test_OU_06_a_link_to_nowhere_gets_a_whole_file_or_none(tmp_path):
    place = Place(tmp_path, old=None)
    link = tmp_path / "link"
    link.symlink_to(place.target)
    there, place.target = place.target, link
    code, err, _ = place.trace("trace=write",
                               "inject=write:error=ENOSPC:when=3")
    assert (code, complaint(err)) == (
        3, f"{there}: cannot write: No space left on device")
    assert not there.exists() and leftovers_in(place.folder) == []


def test_OU_06_a_link_that_leads_in_a_circle(folder):
    (folder.path / "a").symlink_to("b")
    (folder.path / "b").symlink_to("a")
    assert refused(folder, "a") == (
        "a: cannot write: Too many levels of symbolic links")


def test_OU_06_a_link_into_a_folder_that_is_not_there(folder):
    (folder.path / "a").symlink_to("missing/out")
    assert refused(folder, "a") == (
        "missing/out: cannot write: No such file or directory")
    assert leftovers(folder) == []


@contextlib.contextmanager
def inner_folder(rights=0o777):
    """(folder, one in it with these rights)"""
    with open_folder() as folder:
        inner = folder / "inner"
        inner.mkdir()
        inner.chmod(rights)
        yield folder, inner


@contextlib.contextmanager
def shared_folder(rights=0o1777):
    """(folder, one in it for everyone, as /tmp is, and one for NOBODY)."""
    with open_folder() as folder:
        shared, own = folder / "shared", folder / "own"
        shared.mkdir()
        shared.chmod(rights)
        own.mkdir()
        os.chown(own, NOBODY, NOBODY)
        yield folder, shared, own


@needs_root
@pytest.mark.parametrize("exists", [True, False])
def test_OU_06_another_user_s_link_in_a_shared_folder(exists):
    """It is not followed, whatever fs.protected_symlinks says."""
    with shared_folder() as (folder, shared, own):
        victim = own / "victim"
        if exists:
            victim.write_bytes(OLD)
            os.chown(victim, NOBODY, NOBODY)
        (shared / "out").symlink_to(victim)
        os.lchown(shared / "out", 1, 1)
        code, err = run_as(NOBODY, folder, shared / "out")
        assert code == 3
        assert complaint(err).endswith(": Permission denied")
        assert victim.exists() == exists
        assert not exists or victim.read_bytes() == OLD


@needs_root
@pytest.mark.parametrize("rights, link, owner", [
    (0o1777, NOBODY, 0),      # the user's own
    (0o1777, 1, 1),           # that of the folder's owner
    (0o777, 1, 0),            # anyone's, where the system has no rule
])
def test_OU_06_links_that_are_followed_in_a_shared_folder(rights, link, owner):
    with shared_folder(rights) as (folder, shared, own):
        os.chown(shared, owner, owner)
        (shared / "out").symlink_to("../own/file")
        os.lchown(shared / "out", link, link)
        assert run_as(NOBODY, folder, shared / "out") == (0, b"")
        assert (shared / "out").is_symlink()
        assert (own / "file").read_bytes().startswith(LEGEND)


# ---- OU-16: a link that appears in between ----------------------------------

def wait_for(log, words, process):
    """Until strace has written these words; False when it ended before."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        ended = process.poll() is not None
        if log.exists() and words in log.read_text():
            return True
        if ended:
            return False
        time.sleep(0.002)
    raise AssertionError(f"no {words!r} in {log}")


def put_foreign_link(path, to):
    """In one step, replacing what stands there."""
    made = path.with_name("made")
    made.symlink_to(to)
    os.lchown(made, NOBODY, NOBODY)
    os.rename(made, path)


def interrupted(place, name, which, act):
    """The exit code of the program, which is stopped after a system call until
    `act` is done; None when it made no such call."""
    log = place.path / "strace"
    log.unlink(missing_ok=True)
    command = ["strace", "-qq", "-o", log, "-e", f"trace={name}", "-e",
               f"inject={name}:signal=SIGSTOP:when={which}", PROGRAM,
               *place.words()]
    with subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True,
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0"}) as process:
        try:
            if not wait_for(log, "--- stopped by SIGSTOP ---", process):
                return None
            act()
            os.killpg(process.pid, signal.SIGCONT)
            return process.wait(60)
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise


@needs_root
@needs_strace
@pytest.mark.parametrize("old", [None, OLD])
def test_OU_16_a_link_that_appears_is_never_followed(tmp_path, old, say):
    """The program is stopped after each of its system calls in turn, from the
    first that names the output on, and another user puts a link there."""
    place = Place(tmp_path, nodes=10, old=old)
    place.folder.chmod(0o1777)
    victim = tmp_path / "victim"
    code, err, log = place.trace("trace=%file,%desc")
    assert (code, err) == (0, b"")
    codes, in_place = {}, False
    for name, which in calls_of_writing(log):
        in_place |= name == "renameat"
        place.reset()
        code = interrupted(place, name, which,
                           lambda: put_foreign_link(place.target, victim))
        if code is None:
            continue
        assert not victim.exists(), (name, which)
        assert code in (0, 3), (name, which)
        if code == 0 and not in_place:
            assert not place.target.is_symlink(), (name, which)
            assert place.content() == place.new, (name, which)
        assert leftovers_in(place.folder) == [], (name, which)
        codes[code] = codes.get(code, 0) + 1
    say(f"stopped {sum(codes.values())} times: {codes}")
    assert codes.get(0) and codes.get(3)


@needs_root
@needs_strace
def test_OU_16_a_pipe_that_becomes_a_file_is_not_written(tmp_path):
    place = Place(tmp_path, nodes=10, old=None)
    place.folder.chmod(0o1777)
    os.mkfifo(place.target)
    victim = tmp_path / "victim"
    victim.write_bytes(OLD)
    reader = os.open(place.target, os.O_RDONLY | os.O_NONBLOCK)
    _, _, log = place.trace("trace=%file,%desc")
    found = calls_of_writing(log)
    opens = [name for name, _ in found].index("openat")
    for name, which in found[:opens]:
        code = interrupted(place, name, which,
                           lambda: put_foreign_link(place.target, victim))
        assert code in (None, 3)
        assert victim.read_bytes() == OLD
        place.reset()
        os.mkfifo(place.target)
    os.close(reader)


def test_OU_06_other_names_of_a_file_keep_what_it_held(folder):
    (folder.path / "out").write_bytes(OLD)
    os.link(folder.path / "out", folder.path / "other")
    assert write(folder, "out") == (0, b"", b"")
    assert (folder.path / "out").read_bytes().startswith(LEGEND)
    assert (folder.path / "other").read_bytes() == OLD


def test_OU_06_a_pipe_is_written_through(folder):
    path, got = folder.path / "pipe", []
    os.mkfifo(path)
    reader = threading.Thread(target=lambda: got.append(path.read_bytes()))
    reader.start()
    assert write(folder, "pipe") == (0, b"", b"")
    reader.join()
    assert got[0].startswith(LEGEND)
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert leftovers(folder) == []


@pytest.mark.parametrize("name", [".", "sub", "sub/", "link"])
def test_OU_06_a_folder_is_refused(folder, name):
    (folder.path / "sub").mkdir()
    (folder.path / "link").symlink_to("sub")
    assert refused(folder, name) == f"{name}: cannot write: Is a directory"
    assert os.listdir(folder.path / "sub") == [] == leftovers(folder)


def test_OU_06_a_socket_is_refused(folder):
    socket.socket(socket.AF_UNIX).bind(os.fspath(folder.path / "out"))
    assert refused(folder, "out") == "out: cannot write: it is not a file"
    assert stat.S_ISSOCK((folder.path / "out").stat().st_mode)


@needs_root
def test_OU_06_a_disk_is_refused(folder):
    path = folder.path / "disk"
    try:
        os.mknod(path, 0o600 | stat.S_IFBLK, os.makedev(7, 250))
    except PermissionError:
        pytest.skip("no device may be made here")
    assert refused(folder, "disk") == "disk: cannot write: it is a block device"
    assert stat.S_ISBLK(path.stat().st_mode)


@needs_root
def test_OU_06_a_device_is_never_replaced(folder):
    path = folder.path / "null"
    try:
        os.mknod(path, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        open(path, "wb").close()
    except PermissionError:
        pytest.skip("no device may be made or opened here")
    assert write(folder, "null") == (0, b"", b"")
    assert stat.S_ISCHR(path.stat().st_mode)
    assert leftovers(folder) == []


@needs_root
def test_OU_06_a_file_that_may_not_be_written_is_not_replaced():
    """Although the folder would allow it."""
    with inner_folder() as (folder, inner):
        for name, owner, rights in (("own", NOBODY, 0o444),
                                    ("other", 0, 0o644)):
            path = inner / name
            path.write_bytes(OLD)
            path.chmod(rights)
            os.chown(path, owner, owner)
            code, err = run_as(NOBODY, folder, path)
            assert (code, complaint(err)) == (
                3, f"{path}: cannot write: Permission denied")
            assert path.read_bytes() == OLD and mode(path) == rights
        assert leftovers_in(inner) == []


@needs_root
def test_OU_06_another_user_s_file_stays_that_user_s():
    """Root can give the new file away, others cannot and are refused."""
    with inner_folder() as (folder, inner):
        path = inner / "out"
        path.write_bytes(OLD)
        path.chmod(0o666)
        os.chown(path, 1, 2)
        code, err = run_as(NOBODY, folder, path)
        assert (code, complaint(err)) == (
            3, f"{path}: cannot write: cannot preserve its owner and group: "
            "Operation not permitted")
        assert path.read_bytes() == OLD
        assert leftovers_in(inner) == []
        assert run_as(0, folder, path) == (0, b"")
        about = path.stat()
        assert (about.st_uid, about.st_gid, mode(path)) == (1, 2, 0o666)
        assert path.read_bytes().startswith(LEGEND)


@needs_root
def test_OU_06_a_group_that_the_user_is_in_is_kept():
    with inner_folder() as (folder, inner):
        path = inner / "out"
        path.write_bytes(OLD)
        os.chown(path, NOBODY, 12)
        assert run_as(NOBODY, folder, path, groups=(12,)) == (0, b"")
        assert (path.stat().st_uid, path.stat().st_gid) == (NOBODY, 12)
        path.write_bytes(OLD)
        os.chown(path, NOBODY, 13)
        code, err = run_as(NOBODY, folder, path)
        assert code == 3 and b"cannot preserve its owner and group" in err
        assert path.read_bytes() == OLD


def test_what_standard_output_goes_to_is_not_replaced(folder):
    """A log that the shell opened keeps what stands before and after."""
    log = folder.path / "log"
    with open(log, "wb") as stdout:
        stdout.write(b"first\n")
        stdout.flush()
        assert write(folder, "/dev/stdout", stdout=stdout)[0] == 0
        os.lseek(stdout.fileno(), 0, os.SEEK_END)
        stdout.write(b"last\n")
    lines = log.read_bytes().splitlines()
    assert lines[0] == b"first" and lines[1] == LEGEND and lines[-1] == b"last"


def test_a_device_is_written_through(folder):
    assert write(folder, "/dev/null") == (0, b"", b"")
    assert "/dev/full" in refused(folder, "/dev/full")


@pytest.mark.parametrize("name, word", [
    ("missing/out", "No such file"), ("graph/out", "Not a directory"),
    (".", "directory"), ("o" * 256, "too long")])
def test_a_place_that_cannot_be_written_is_named(folder, name, word):
    assert word in refused(folder, name)
    assert leftovers(folder) == []


def test_what_standard_output_is_may_be_a_socket(folder):
    ours, theirs = socket.socketpair()
    assert write(folder, "/dev/stdout", stdout=theirs)[::2] == (0, b"")
    theirs.close()
    assert ours.recv(1000).startswith(LEGEND)
    ours.close()


def test_what_is_only_read_is_no_place_to_write_to(folder):
    """A file that happens to be standard input as well."""
    target = folder.path / "out"
    target.write_bytes(OLD)
    with open(target, "rb") as stdin:
        done = subprocess.run(
            [PROGRAM, "scope", "graph", "-select", "params", "-output",
             "file:outfile=out"], cwd=folder.path, stdin=stdin,
            capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert target.read_bytes().startswith(LEGEND)


# ---- OU-09 ------------------------------------------------------------------

@pytest.mark.parametrize("name", [
    b"../../x", b"/etc/x", b"CON", b"n" * 300, b"a\nb", b"out", b".."])
def test_OU_09_no_file_is_called_as_data_say(tmp_path, name):
    """The names of nodes, devices and source files, in every view."""
    folder = Folder(tmp_path, graph=node_def(name, device=name),
                    run=run_of((name, record(name))),
                    log=entry(name, frame(1, 7)) + strings({1: name}))
    before = set(os.listdir(tmp_path))
    for view in VIEWS:
        out, _ = folder.ask(view, "-output", f"file:outfile={tmp_path}/answer")
        assert out == b""
        assert set(os.listdir(tmp_path)) - before == {"answer"}
        (tmp_path / "answer").unlink()
