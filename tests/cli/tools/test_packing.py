"""Scripts of cmake/ that date and pack, run in folders made for them."""

# labels: slow

import os
import shutil
import subprocess

import pytest

from lacking import needs
from program import SOURCE_DIR

CMAKE = SOURCE_DIR / "cmake"
DATED = "## [1.0.0] - 2031-03-07\n"
OLDEST = 315532800


def cmake(script, *defined, cwd, **environment):
    """What a script says by message()."""
    done = subprocess.run(
        ["cmake", *defined, "-P", script], cwd=cwd, capture_output=True,
        text=True, check=False, env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return done.stderr


# ---- The date of the sources -------------------------------------------------

def asked(function, folder, epoch):
    script = folder / "ask.cmake"
    script.write_text(f'include("{CMAKE}/SourceDate.cmake")\n'
                      f'{function}(answer "{folder}")\n'
                      'message("${answer}")\n')
    return cmake(script, cwd=folder, PATH=str(folder / "bin"),
                 SOURCE_DATE_EPOCH=epoch).strip()


def source_date(folder, epoch=""):
    return int(asked("tfp_source_date", folder, epoch))


@pytest.fixture
def sources(tmp_path):
    """A checkout on a machine that has no git."""
    (tmp_path / "bin").mkdir()
    for name in ("cmake", "date"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    (tmp_path / ".git").mkdir()
    (tmp_path / "CHANGELOG.md").write_text(DATED)
    return tmp_path


def seconds(day):
    return int(subprocess.run(["date", "-u", "-d", day, "+%s"], check=True,
                              capture_output=True, text=True).stdout)


def test_without_git_a_checkout_has_the_date_of_its_changelog(sources):
    assert source_date(sources) == seconds("2031-03-07")


def test_a_git_that_refuses_is_none(sources):
    git = sources / "bin" / "git"
    git.write_text("#!/bin/sh\nexit 128\n")
    git.chmod(0o755)
    assert source_date(sources) == seconds("2031-03-07")
    git.write_text("#!/bin/sh\necho 1234567\n")
    assert source_date(sources) == 1234567


def test_what_is_asked_for_goes_before_all_else(sources):
    assert source_date(sources, "86400") == 86400
    assert source_date(sources, "yesterday") == seconds("2031-03-07")


def test_sources_without_any_date_have_the_oldest(sources):
    (sources / "CHANGELOG.md").write_text("## [Unreleased]\n")
    assert source_date(sources) == OLDEST


@pytest.mark.parametrize("epoch, day", [
    ("", "2031-03-07"), ("86399", "1970-01-01"), ("86400", "1970-01-02")])
def test_the_day_is_that_of_the_date(sources, epoch, day):
    """The man pages have it."""
    assert asked("tfp_source_day", sources, epoch) == day


# ---- Packages ----------------------------------------------------------------

@pytest.mark.parametrize("name, multi_arch", [
    ("tfprof_1_amd64.deb", "no"), ("libtfprof1_1_amd64.deb", "same")])
@pytest.mark.parametrize("above", ["sources", "tfprof_src"])
@needs(shutil.which("dpkg-deb"), "needs dpkg-deb")
def test_libraries_of_several_machines_may_be_installed(tmp_path, above, name,
                                                        multi_arch):
    """Wherever they are built."""
    tree = tmp_path / "tree" / "DEBIAN"
    tree.mkdir(parents=True)
    (tree / "control").write_text(
        "Package: x\nVersion: 1\nArchitecture: amd64\nMaintainer: x <x@y.z>\n"
        "Description: x\n")
    package = tmp_path / above / name
    package.parent.mkdir()
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", tree.parent,
                    package], check=True, capture_output=True)
    cmake(CMAKE / "packages" / "repack.cmake",
          f"-DCPACK_PACKAGE_FILES={package}",
          f"-DCPACK_TEMPORARY_DIRECTORY={tmp_path}", cwd=tmp_path,
          SOURCE_DATE_EPOCH="0")
    told = subprocess.run(["dpkg-deb", "-f", package, "Multi-Arch"], text=True,
                          check=True, capture_output=True)
    assert told.stdout.strip() == multi_arch
