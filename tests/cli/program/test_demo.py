"""`tfprof demo DIR`: sample models from beside the program, and commands to try.

tools/check-release, check-static and python/tests/smoke.py ask the same of what is
shipped.
"""

import os
import pathlib
import resource
import runpy
import shlex
import shutil
import subprocess

import pytest

from program import SOURCE_DIR, TFPROF, run

MOST = 1_000_000
BUILT = pathlib.Path(shutil.which(TFPROF) or TFPROF).resolve().parent
SAMPLES = BUILT / "share" / "tfprof" / "demo"
SUITABLE = "(use a new or empty directory that you can write to)"


def files(folder):
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(pathlib.Path(folder).rglob("*"))
            if path.is_file()}


def demo(*args, **kwargs):
    done = run("demo", *args, **kwargs)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo") / "new" / "samples"
    code, printed, noted = demo(folder)
    assert (code, noted) == (0, "")
    return folder, printed


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    """What examples/models makes."""
    folder = tmp_path_factory.mktemp("models")
    runpy.run_path(str(SOURCE_DIR / "examples" / "models"))["main"](
        [str(folder)])
    return files(folder)


def test_samples_are_those_of_the_documentation(written, models):
    found = files(written[0])
    assert {name.split("/")[0] for name in found} == {
        "jax", "multi", "tf1_cnn", "while"}
    for name, data in found.items():
        assert models[name] == data, name


def test_samples_have_at_most_one_megabyte(written):
    assert sum(map(len, files(written[0]).values())) <= MOST


def test_what_was_written_is_said(written):
    folder, printed = written
    said, _, commands = printed.partition("\ntry:\n")
    first, *rows = said.splitlines()
    size = sum(map(len, files(folder).values()))
    assert first == f"wrote sample models to {folder} ({size // 1000} KB):"
    assert [row.split()[0] for row in rows] == sorted(os.listdir(folder))
    assert len(commands.splitlines()) == 3


def test_commands_to_try_have_an_answer(written):
    for line in written[1].split("\ntry:\n")[1].splitlines():
        name, *words = shlex.split(line)
        assert name == "tfprof"
        done = run(*words, "-q")
        assert (done.returncode, done.stderr) == (0, b""), line
        assert len(done.stdout.splitlines()) > 3, line


@pytest.mark.parametrize("name", ["a b", "it's", "$HOME", "-x", "ends/"])
def test_commands_to_try_are_for_a_shell(tmp_path, name):
    code, printed, _ = demo("--", name, cwd=tmp_path)
    assert code == 0
    words = shlex.split(printed.split("\ntry:\n")[1].splitlines()[0])
    assert words[:2] == ["tfprof", "summary"]
    assert (tmp_path / words[2]).is_dir()
    assert run(*words[1:], cwd=tmp_path).returncode == 0


def test_an_empty_directory_is_taken(tmp_path):
    assert demo(tmp_path)[0] == 0
    assert files(tmp_path) == files(SAMPLES)


def test_missing_directory_is_refused():
    for args in ((), ("",), ("-q",)):
        assert demo(*args) == (
            2, "", "tfprof: demo needs an output directory: tfprof demo DIR\n")


def test_two_directories(tmp_path):
    assert demo("one", "two", cwd=tmp_path) == (
        2, "", "tfprof: demo accepts only one directory; unexpected 'two'\n")
    assert os.listdir(tmp_path) == []


def test_an_option_of_other_commands(tmp_path):
    assert demo(tmp_path, "-select", "micros") == (
        2, "",
        "tfprof: demo does not support --select (see tfprof help demo)\n")


def test_a_directory_with_files_stays_as_it_is(tmp_path):
    (tmp_path / "mine").write_text("kept")
    assert demo(tmp_path) == (
        3, "", f"tfprof: {tmp_path}: directory is not empty {SUITABLE}\n")
    assert files(tmp_path) == {"mine": b"kept"}


def test_a_file_is_not_a_directory(tmp_path):
    file = tmp_path / "file"
    file.write_text("kept")
    assert demo(file) == (
        3, "", f"tfprof: {file}: cannot open: Not a directory {SUITABLE}\n")
    assert demo(file / "below") == (
        3, "", f"tfprof: {file}/below: cannot create: Not a directory "
        f"{SUITABLE}\n")
    assert file.read_text() == "kept"


@pytest.mark.skipif(os.geteuid() == 0, reason="root writes everywhere")
def test_a_directory_without_permission(tmp_path):
    tmp_path.chmod(0o500)
    assert demo(tmp_path / "new") == (
        3, "", f"tfprof: {tmp_path}/new: cannot create: Permission denied "
        f"{SUITABLE}\n")


def test_a_name_that_is_too_long(tmp_path):
    name = "n" * 300
    assert demo(name, cwd=tmp_path) == (
        3, "", f"tfprof: {name}: cannot create: File name too long "
        f"{SUITABLE}\n")


@pytest.mark.parametrize("exists", [False, True])
def test_a_failed_write_leaves_nothing(tmp_path, exists):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
    folder = tmp_path / "samples"
    if exists:
        folder.mkdir()
    done = subprocess.run([TFPROF, "demo", folder], capture_output=True,
                          preexec_fn=limit)
    assert done.returncode == 3
    assert done.stderr.decode() == \
        f"tfprof: {folder}: cannot write: File too large {SUITABLE}\n"
    assert os.listdir(tmp_path) == (["samples"] if exists else [])
    assert not exists or os.listdir(folder) == []


# ---- Where the samples are ---------------------------------------------------

def place(root, where):
    """A copy of the program in root/bin, and the samples where they are put."""
    (root / "bin").mkdir(parents=True)
    shutil.copy(BUILT / "tfprof", root / "bin")
    if where:
        shutil.copytree(SAMPLES, root / where)
    return root / "bin" / "tfprof"


@pytest.mark.parametrize("where", [
    "share/tfprof/demo",
    "lib/python3.11/site-packages/tfprof/_samples",
    "lib64/python3.9/dist-packages/tfprof/_samples",
    "tfprof/_samples",
])
def test_samples_are_found_beside_the_program(tmp_path, where):
    program = place(tmp_path / "pre [f]*x", where)
    subprocess.run([program, "demo", tmp_path / "out"], check=True,
                   stdout=subprocess.DEVNULL)
    assert files(tmp_path / "out") == files(SAMPLES)


def test_a_program_alone_has_no_samples(tmp_path):
    done = subprocess.run([place(tmp_path, None), "demo", tmp_path / "out"],
                          capture_output=True)
    assert done.returncode == 1
    assert done.stderr == (
        b"tfprof: cannot find the sample models, which are installed as "
        b"share/tfprof/demo next to this program (install the complete "
        b"package)\n")
    assert not (tmp_path / "out").exists()


def test_a_sample_of_another_version_is_refused(tmp_path):
    program = place(tmp_path / "root", "share/tfprof/demo")
    sample = tmp_path / "root/share/tfprof/demo/while/op_log"
    sample.write_bytes(b"")
    done = subprocess.run([program, "demo", tmp_path / "out"],
                          capture_output=True)
    assert done.returncode == 1
    assert b"op_log: not the sample model of this version (install the " \
        b"complete package)\n" in done.stderr
    sample.unlink()
    done = subprocess.run([program, "demo", tmp_path / "out"],
                          capture_output=True)
    assert done.returncode == 1
    assert b"op_log: cannot read: No such file or directory\n" in done.stderr
    assert not (tmp_path / "out").exists()
