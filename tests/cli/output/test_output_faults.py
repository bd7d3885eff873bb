"""OU-03, OU-04, OU-07, IN-08: an answer on its way into a file, with every
system call failing, and every one the last.

25 random places of each sweep; every one with TFPROF_SLOW=1.
"""

# labels: slow, long

import os
import resource
import signal
import subprocess
import threading
import time

import pytest

from faults import SLOW, complaint, needs_strace, start
from outputs import (OLD, PROGRAM, Place, calls_of_writing, leftovers, mounted,
                     needs_root, open_folder, run_as, some)
from program import chooser
from surroundings import PATIENCE

pytestmark = needs_strace

# Calls that carry no part of the answer; the program copes without memory,
# too, but that is the subject of other tests.
NOT_FILES = {"mmap", "munmap", "mremap", "brk", "madvise", "exit_group",
             "getrandom", "futex", "rt_sigprocmask", "sigaltstack",
             "mprotect", "sched_yield", "gettid", "getpid", "geteuid",
             "rt_sigaction", "prctl", "tgkill"}


@pytest.fixture(params=["there", "new"])
def place(request, tmp_path):
    return Place(tmp_path, old=OLD if request.param == "there" else None)


def calls(place):
    code, err, log = place.trace("trace=all")
    assert (code, err) == (0, b"")
    place.check_written()
    place.reset()
    return calls_of_writing(log)


def times(found, name):
    return [which for call, which in found if call == name]


# ---- OU-03 ------------------------------------------------------------------

@pytest.mark.parametrize("error, words", [
    ("ENOSPC", "No space left on device"),
    ("EDQUOT", "Disk quota exceeded"),
    ("EIO", "Input/output error"),
])
def test_OU_03_a_write_that_fails_leaves_the_old_file(place, error, words, say):
    writes = times(calls(place), "write")
    assert len(writes) > 15
    chosen = some([(k, later) for k in writes for later in ("", "+")],
                  f"write {error}")
    for k, later in chosen:
        answer = place.inject("write", error, f"{k}{later}")
        # With "+" the complaint, a write as well, cannot be written either.
        if later:
            assert answer == (3, b"")
            place.check_unchanged()
        else:
            place.check_refused(answer, words, k)
    say(f"{len(chosen)} of {2 * len(writes)} places")


@pytest.mark.parametrize("name", ["fsync", "fchmod", "renameat"])
@pytest.mark.parametrize("error, words", [
    ("EIO", "Input/output error"),
    ("ENOSPC", "No space left on device"),
    ("EDQUOT", "Disk quota exceeded"),
    ("EPERM", "Operation not permitted"),
])
def test_OU_03_the_last_steps_that_fail(place, name, error, words):
    for k in times(calls(place), name):
        place.check_refused(place.inject(name, error, k), words, (name, k))


@pytest.mark.parametrize("error, words", [
    ("EIO", "Input/output error"),
    ("EDQUOT", "Disk quota exceeded"),
])
def test_OU_03_a_close_that_fails(place, error, words):
    """The close after fsync is the one that counts; those before it are of
    what was only looked at, the one after it of what only held the lock."""
    found = calls(place)
    last = [name for name, _ in found].index("fsync")
    counts = next(which for name, which in found[last:] if name == "close")
    for k in times(found, "close"):
        answer = place.inject("close", error, k)
        if k == counts:
            place.check_refused(answer, words)
        else:
            place.check_succeeded(answer)
        place.reset()


@pytest.mark.parametrize("name", ["write", "fsync", "close"])
def test_OU_03_an_interruption_is_no_failure(place, name):
    for k in some(times(calls(place), name), f"interrupted {name}"):
        place.check_succeeded(place.inject(name, "EINTR", k), (name, k))
        place.reset()


def test_OU_03_a_file_system_that_cannot_sync_is_no_failure(place):
    place.check_succeeded(place.inject("fsync", "EINVAL", "1+"))


def test_OU_03_whatever_call_fails(place, say):
    """Old or new, never half; an exit code that says which; nothing left."""
    found = [call for call in calls(place) if call[0] not in NOT_FILES]
    chosen = some([(name, k, error) for name, k in found
                   for error in ("EIO", "ENOSPC", "EACCES", "ENOENT", "ESTALE",
                                 "ENOMEM", "EMFILE")], "any")
    codes = {0: 0, 3: 0}
    for name, k, error in chosen:
        what = f"{name}:error={error}:when={k}"
        code, err, log = place.trace(f"trace={name}", f"inject={what}")
        if "(INJECTED)" not in log:
            continue  # fewer calls than last time: nothing was done to it
        assert code in codes, (what, err)
        codes[code] += 1
        if code == 0:
            assert err == b"", what
            place.check_written(what)
        else:
            assert ": cannot write: " in complaint(err), what
            place.check_unchanged(what)
        place.reset()
    say(f"{len(chosen)} of {7 * len(found)} places: {codes[0]} times written "
        f"all the same, {codes[3]} times not")
    assert codes[0] and codes[3]


def check_space(place, what):
    """The exit code where there may be too little room."""
    code, err = place.save()
    if code == 0:
        place.check_succeeded((code, err), what)
    else:
        place.check_refused((code, err), "No space left on device", what)
    return code


def test_OU_03_a_full_file_system(tmp_path, say):
    """tmpfs gives what fits and then says no."""
    full = tmp_path / "full"
    full.mkdir()
    place = Place(tmp_path)
    enough = len(place.new) // 4096 + 2  # one for the old file
    seen = {0: 0, 3: 0}
    for size in [*some(range(1, enough), "pages", 12), enough]:
        with mounted(f"size={size * 4096}", full):
            place.folder, place.target = full, full / "answer.txt"
            place.reset()
            seen[check_space(place, size)] += 1
    with mounted("nr_inodes=2", full):  # the root's and the old file's
        place.reset()
        place.check_refused(place.save(), "No space left on device")
    say(f"{seen[3]} sizes too small, {seen[0]} enough")
    assert seen[3] and seen[0] == 1


def test_OU_03_a_full_disk(tmp_path, say):
    """ext4 on 1 MiB, with less and less room; blocks are found late there."""
    image, disk = tmp_path / "image", tmp_path / "disk"
    image.write_bytes(bytes(1 << 20))
    disk.mkdir()
    try:
        subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", image], check=True,
                       capture_output=True)
    except FileNotFoundError:
        pytest.skip("there is no mkfs.ext4")
    place = Place(tmp_path)
    seen = {0: 0, 3: 0}
    with mounted("loop", disk, image, kind=()):
        place.folder, place.target = disk, disk / "answer.txt"
        (disk / "lost+found").rmdir()
        place.reset()
        enough = len(place.new) + (16 << 10)
        ballast = tmp_path / "disk" / "ballast"
        for room in [*some(range(0, enough, 4096), "room", 12), enough]:
            ballast.write_bytes(b"")
            size = os.statvfs(disk).f_bavail * os.statvfs(disk).f_frsize
            ballast.write_bytes(bytes(max(0, size - room - 4096)))
            place.target.write_bytes(OLD)
            seen[check_space(place, room)] += 1
    say(f"{seen[3]} times too little room, {seen[0]} enough")
    assert seen[3] and seen[0]


def test_OU_04_what_was_left_does_not_fill_the_disk(tmp_path):
    full = tmp_path / "full"
    full.mkdir()
    place = Place(tmp_path)
    pages = len(place.new) // 4096 + 2
    with mounted(f"size={pages * 4096}", full):
        place.folder, place.target = full, full / "answer.txt"
        place.reset()
        place.trace("trace=fsync", "inject=fsync:signal=KILL")
        assert len(leftovers(full)) == 1
        check_after_end(place, "full")


def test_OU_03_a_limit_on_file_size(place):
    sizes = [0, 1, 4095, 16384, len(place.new) // 2, len(place.new) - 1]
    for size in sizes:
        place.check_refused(place.save(limits=[(resource.RLIMIT_FSIZE, size)]),
                            "File too large", size)
    place.check_succeeded(place.save(
        limits=[(resource.RLIMIT_FSIZE, len(place.new))]))


def test_OU_03_short_writes_are_continued(tmp_path):
    """Into a pipe that does not wait and whose reader is slow."""
    place = Place(tmp_path)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    place.target = "/dev/stdout"
    with start(place.words(), stdout=writer) as process:
        os.close(writer)
        got = b""
        while part := os.read(reader, 1000):
            got += part
            if len(got) % 7000 < 1000:
                time.sleep(0.001)
        err = process.stderr.read()
    os.close(reader)
    assert (process.returncode, err, got) == (0, b"", place.new)


# ---- OU-04 ------------------------------------------------------------------

def check_after_end(place, what):
    """Old or new, and what is left is gone after the next run."""
    content = place.content()
    assert content in (place.old, place.new), what
    left = leftovers(place.folder)
    assert len(left) <= 1, what
    place.check_succeeded(place.save(), what)
    return bool(left), content == place.new


def test_OU_04_killed_at_any_call(place, say):
    found = calls(place)
    chosen = some(found, "kill")
    left = new = 0
    for name, k in chosen:
        what = f"{name}:signal=KILL:when={k}"
        code, _, _ = place.trace(f"trace={name}", f"inject={what}")
        assert code in (-signal.SIGKILL, 128 + signal.SIGKILL, 0), what
        was_left, was_new = check_after_end(place, what)
        left += was_left
        new += was_new
        place.reset()
    say(f"{len(chosen)} of {len(found)} places: {left} times a file was left, "
        f"{new} times it was written already")
    assert left


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
def test_OU_04_ended_by_a_signal_at_any_call(place, name):
    number = getattr(signal, f"SIG{name}")
    found = calls(place)
    for call, k in some(found, name, 8):
        what = f"{call}:signal={name}:when={k}"
        code, err, _ = place.trace(f"trace={call}", f"inject={what}")
        assert code == 128 + number or (call == "exit_group" and code == 0), (
            what, code)
        assert err.count(b"\n") <= 1
        check_after_end(place, what)
        place.reset()


def test_OU_04_a_hundred_kills_leave_one_file_at_most(tmp_path):
    place = Place(tmp_path)
    for _ in range(100 if SLOW else 20):
        place.trace("trace=fsync", "inject=fsync:signal=KILL")
        assert len(leftovers(place.folder)) == 1
        assert place.content() == OLD
    check_after_end(place, "at the end")


# ---- Signals while files are read -------------------------------------------

@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
@pytest.mark.parametrize("how", ["pipe", "stdin", "half"])
def test_OU_04_a_signal_while_an_input_is_awaited(tmp_path, name, how):
    """The writer of a pipe may take its time; whoever waits may not want to."""
    number = getattr(signal, f"SIG{name}")
    place = Place(tmp_path, nodes=10)
    os.mkfifo(tmp_path / "pipe")
    words = place.words()
    reader, writer = os.pipe()
    words[2] = "-" if how != "pipe" else os.fspath(tmp_path / "pipe")
    with start(words, stdin=reader) as process:
        if how == "half":
            os.write(writer, b"\x0a\xff\xff\x7f")  # a long node begins
        wait_until_asleep(process.pid)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    os.close(reader)
    os.close(writer)
    assert (process.returncode, out) == (128 + number, b"")
    assert complaint(err) == ("interrupted" if name == "INT"
                              else "terminated by a signal")
    place.check_unchanged()


@pytest.mark.parametrize("name", ["INT", "TERM", "HUP"])
@pytest.mark.parametrize("how", ["closed", "full"])
def test_OU_04_a_signal_while_the_reader_of_a_pipe_is_awaited(
        tmp_path, name, how):
    """Nobody has opened the pipe, or whoever has does not read it."""
    number = getattr(signal, f"SIG{name}")
    place = Place(tmp_path, nodes=3000)
    assert len(place.new) > 1 << 16  # more than a pipe holds
    place.target = tmp_path / "pipe"
    os.mkfifo(place.target)
    reader = (os.open(place.target, os.O_RDONLY | os.O_NONBLOCK)
              if how == "full" else None)
    with start(place.words()) as process:
        wait_until_asleep(process.pid)
        process.send_signal(number)
        out, err = process.communicate(timeout=PATIENCE)
    if reader is not None:
        os.close(reader)
    assert (process.returncode, out) == (128 + number, b"")
    assert complaint(err) == ("interrupted" if name == "INT"
                              else "terminated by a signal")


def test_OU_08_a_pipe_has_all_once_somebody_reads_it(tmp_path):
    place = Place(tmp_path, nodes=3000)
    place.target = tmp_path / "pipe"
    os.mkfifo(place.target)
    with start(place.words()) as process:
        wait_until_asleep(process.pid)
        with open(place.target, "rb") as pipe:
            wait_until_asleep(process.pid)  # the pipe is full
            assert pipe.read() == place.new
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")


def wait_until_asleep(pid):
    """Waits until a process waits in a call: in state S, three times over."""
    asleep = 0
    while asleep < 3:
        time.sleep(0.02)
        with open(f"/proc/{pid}/stat", encoding="ascii") as file:
            state = file.read().rsplit(")", 1)[1].split()[0]
        asleep = asleep + 1 if state == "S" else 0


def test_OU_04_a_signal_that_is_ignored_stays_ignored(tmp_path):
    place = Place(tmp_path, nodes=10)
    reader, writer = os.pipe()
    words = place.words()
    words[2] = "-"
    with subprocess.Popen(
            ["sh", "-c", 'trap "" INT; exec "$@"', "sh", PROGRAM, *words],
            stdin=reader, stderr=subprocess.PIPE) as process:
        os.close(reader)
        wait_until_asleep(process.pid)
        process.send_signal(signal.SIGINT)
        os.write(writer, place.input.read_bytes())
        os.close(writer)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err) == (0, b"")
    place.check_written()


# ---- OU-07 ------------------------------------------------------------------

def test_OU_07_a_folder_that_is_not_there(tmp_path):
    place = Place(tmp_path, nodes=10)
    place.target = place.folder / "missing" / "answer.txt"
    code, _, err = place.run()
    assert (code, complaint(err)) == (
        3, f"{place.target}: cannot write: No such file or directory")
    assert os.listdir(place.folder) == ["answer.txt"]


@needs_root
def test_OU_07_a_folder_that_may_not_be_written():
    with open_folder() as folder:
        (folder / "old").write_bytes(OLD)
        (folder / "old").chmod(0o666)
        for name in ("new", "old"):
            code, err = run_as(65534, folder, folder / name)
            assert (code, complaint(err)) == (
                3, f"{folder}/{name}: cannot write: Permission denied")
        assert (folder / "old").read_bytes() == OLD
        assert not (folder / "new").exists()
        assert leftovers(folder) == []


def test_OU_07_a_file_system_that_is_read_only(tmp_path):
    readonly = tmp_path / "readonly"
    readonly.mkdir()
    place = Place(tmp_path, nodes=10)
    with mounted("size=1m", readonly):
        place.folder, place.target = readonly, readonly / "answer.txt"
        place.reset()
        subprocess.run(["mount", "-o", "remount,ro", readonly], check=True)
        place.check_refused(place.save(), "Read-only file system")
        place.target, place.old = readonly / "new", None
        place.check_refused(place.save(), "Read-only file system")


def test_OU_07_a_program_that_runs_is_not_replaced(tmp_path):
    place = Place(tmp_path, nodes=10)
    with open("/bin/sleep", "rb") as program:
        place.old = program.read()
    place.reset()
    place.target.chmod(0o755)
    with subprocess.Popen([place.target, "60"]) as running:
        try:
            answer = place.save()
        finally:
            running.kill()
    place.check_refused(answer, "Text file busy")


def test_OU_07_a_file_that_is_mounted_by_itself(tmp_path):
    """As containers do it; nothing can take its place."""
    place = Place(tmp_path, nodes=10)
    (tmp_path / "outside").write_bytes(OLD)
    with mounted("bind", place.target, tmp_path / "outside", kind=()):
        place.check_refused(place.save(), "Device or resource busy")


@pytest.mark.parametrize("name, error, words", [
    ("renameat", "EXDEV", "Invalid cross-device link"),
    ("renameat", "ETXTBSY", "Text file busy"),
    ("renameat", "EROFS", "Read-only file system"),
    ("renameat", "EBUSY", "Device or resource busy"),
    ("openat", "EDQUOT", "Disk quota exceeded"),
    ("openat", "ENFILE", "Too many open files in system"),
    ("openat", "ENAMETOOLONG", "File name too long"),
    ("newfstatat", "ELOOP", "Too many levels of symbolic links"),
])
def test_OU_07_what_the_system_may_say(place, name, error, words):
    """To the call that makes the new file, or to the last one of its kind."""
    code, _, log = place.trace(f"trace={name}")
    place.reset()
    lines = [line for line in log.splitlines() if line.startswith(name)]
    meant = [k for k, line in enumerate(lines, 1)
             if "O_EXCL" in line or (name != "openat" and
                                     "answer.txt" in line)]
    place.check_refused(place.inject(name, error, meant[-1]), words)


# ---- IN-08 ------------------------------------------------------------------

def test_IN_08_many_writers_of_one_file(tmp_path, say):
    """64 at a time, with different answers; a reader never sees half of one,
    and none of them takes away what another has begun."""
    place = Place(tmp_path)
    others = [["-select", select] for select in ("op_types", "occurrence",
                                                 "op_types,occurrence")]
    answers = {place.run("-output", "stdout", *more)[1] for more in others}
    assert len(answers) == len(others)
    seen, stopped = set(), threading.Event()

    def look():
        while not stopped.is_set():
            seen.add(place.target.read_bytes())

    reader = threading.Thread(target=look)
    reader.start()
    rounds = 10 if SLOW else 1
    for _ in range(rounds):
        running = [start(place.words(*others[i % len(others)]))
                   for i in range(64)]
        for process in running:
            with process:
                out, err = process.communicate(timeout=PATIENCE)
            assert (process.returncode, out, err) == (0, b"", b"")
    stopped.set()
    reader.join()
    say(f"{64 * rounds} writers, {len(seen)} different contents seen")
    assert seen <= answers | {OLD}
    assert place.content() in answers
    assert leftovers(place.folder) == []


def test_IN_08_writers_and_the_killed(tmp_path):
    """What was killed is cleared by those that go on, and only that."""
    place = Place(tmp_path)
    running = [start(place.words()) for _ in range(64)]
    killed = chooser("killed").sample(running, 20)
    for process in killed:
        time.sleep(0.002)
        process.kill()
    for process in running:
        with process:
            out, err = process.communicate(timeout=PATIENCE)
        assert process.returncode in ((0, -signal.SIGKILL)
                                      if process in killed else (0,)), err
    assert place.content() in (OLD, place.new)
    place.check_succeeded(place.save())
