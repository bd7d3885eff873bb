"""The sample models that `tfprof demo` writes."""

from __future__ import annotations

import os
import pathlib
import shutil

from tfprof._errors import OutputError

_SAMPLES = pathlib.Path(__file__).parent / "_samples"
_SUITABLE = "use a new or empty directory that you can write to"


def demo(directory: str | os.PathLike[str]) -> list[pathlib.Path]:
    """Writes sample models to a new or empty directory: a trace, graphs with
    their op logs and steps, and a SavedModel; at most 1 MB. Returns the folder
    of each sample, for tfprof.open()."""
    target = pathlib.Path(directory)
    try:
        target.mkdir(parents=True, exist_ok=True)
        is_empty = not os.listdir(target)
    except OSError as error:
        raise OutputError(f"{target}: cannot create: {error.strerror} "
                          f"({_SUITABLE})", error.errno) from None
    if not is_empty:
        raise OutputError(f"{target}: directory is not empty ({_SUITABLE})")
    made = []
    try:
        for sample in sorted(_SAMPLES.iterdir()):
            made.append(target / sample.name)
            shutil.copytree(sample, made[-1], copy_function=shutil.copyfile)
    except OSError as error:
        for folder in made:
            shutil.rmtree(folder, ignore_errors=True)
        raise OutputError(f"{target}: cannot write: {error.strerror or error} "
                          f"({_SUITABLE})", error.errno) from None
    return made
