"""tfprof.demo(): the sample models that `tfprof demo` writes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

import tfprof

PROGRAM = os.environ["TFPROF"]


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes()
            for path in sorted(folder.rglob("*")) if path.is_file()}


def test_samples_are_those_of_the_program(tmp_path: Path) -> None:
    ours, its = tmp_path / "new" / "ours", tmp_path / "its"
    made = tfprof.demo(ours)
    subprocess.run([PROGRAM, "demo", its], check=True,
                   stdout=subprocess.DEVNULL)
    assert files(ours) == files(its)
    assert made == sorted(ours.iterdir())


def test_samples_can_be_opened(tmp_path: Path) -> None:
    for folder in tfprof.demo(str(tmp_path)):
        assert list(tfprof.open(folder).op())


def test_a_directory_with_files_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("kept")
    with pytest.raises(tfprof.OutputError, match=r"is not empty .use a new"):
        tfprof.demo(tmp_path)
    assert files(tmp_path) == {"mine": b"kept"}


def test_a_file_is_not_a_directory(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("kept")
    for name in ("file", "file/below"):
        with pytest.raises(tfprof.OutputError, match=r"cannot create: .*use"):
            tfprof.demo(tmp_path / name)


def test_a_failed_write_leaves_nothing(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")
    monkeypatch.setattr("shutil.copyfile", fail)
    with pytest.raises(tfprof.OutputError, match="cannot write: ") as caught:
        tfprof.demo(tmp_path)
    assert "(use a new or empty directory" in str(caught.value)
    assert os.listdir(tmp_path) == []
