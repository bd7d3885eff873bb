"""cmake/sbom.py where the system does not tell all that it asks for."""

# labels: once

import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys

import pytest

from lacking import lacks
from program import SOURCE_DIR, TFPROF

UNKNOWN = "NOASSERTION"
PROGRAM = shutil.which(TFPROF)
LINKS = ("STATIC_LINK", "DYNAMIC_LINK", "OPTIONAL_DEPENDENCY_OF")


def made(folder, linked="", late=(), **environment):
    """What is written of the program; `linked` is the linker's map."""
    (folder / "map").write_text(linked)
    output = folder / "tfprof.spdx.json"
    subprocess.run(
        [sys.executable, "-B", SOURCE_DIR / "cmake" / "sbom.py", "--program",
         PROGRAM, "--map", folder / "map", "--version", "1", "--date", "0",
         "--output", output, "--late", *late], check=True,
        env={**os.environ, **environment})
    if not importlib.util.find_spec("spdx_tools"):
        lacks("needs spdx-tools (tools/requirements.txt)")
    check = subprocess.run(
        [sys.executable, "-m", "spdx_tools.spdx.clitools.pyspdxtools", "-i",
         output], capture_output=True, check=False, text=True)
    assert check.returncode == 0, check.stdout + check.stderr
    return json.loads(output.read_text())


def part(told, name):
    return next(package for package in told["packages"]
                if package["name"] == name)


def assert_only_named(package):
    assert package["versionInfo"] == package["supplier"] == UNKNOWN
    assert package["homepage"] == package["licenseDeclared"] == UNKNOWN
    assert "externalRefs" not in package and "sourceInfo" not in package


def linked_parts(told):
    return {line["relationshipType"]: line for line in told["relationships"]
            if line["relationshipType"] in LINKS}


def test_a_library_that_the_map_does_not_tell_is_only_named(tmp_path):
    told = made(tmp_path)
    wanted = re.findall(r"\(NEEDED\).*\[(.*)\]", subprocess.run(
        ["readelf", "-d", "-W", PROGRAM], capture_output=True, check=True,
        text=True).stdout)
    assert [package["name"] for package in told["packages"]] == [
        "tfprof", *sorted(wanted)] and wanted
    for name in wanted:
        assert_only_named(part(told, name))
    assert told["files"] == []
    assert set(linked_parts(told)) == {"DYNAMIC_LINK"}


@pytest.mark.parametrize("has_dpkg", [True, False])
def test_what_dpkg_does_not_know_is_named(tmp_path, has_dpkg):
    archive = tmp_path / "libodd.a"
    archive.write_bytes(b"!<arch>\n")
    fake = tmp_path / "dpkg-query"
    fake.write_text("#!/bin/sh\nexit 2\n")
    fake.chmod(0o755)
    path = os.environ["PATH"] if has_dpkg else (
        f"{tmp_path}:{os.environ['PATH']}")
    told = made(tmp_path, f"{archive}(odd.o)  main.o (odd)\n"
                "/gone/libgone.a(gone.o)  main.o (gone)\n",
                ["no-such-package"], PATH=path)
    file, = told["files"]
    assert file["fileName"] == f".{archive}"
    assert file["licenseConcluded"] == UNKNOWN
    for name in ("no-such-package", "/gone/libgone.a"):
        assert_only_named(part(told, name))
    assert {"STATIC_LINK", "OPTIONAL_DEPENDENCY_OF"} <= set(linked_parts(told))


def test_what_dpkg_knows_is_told(tmp_path):
    if not shutil.which("dpkg-query"):
        lacks("needs dpkg-query")
    package = part(made(tmp_path, late=["bash"]), "bash")
    assert package["versionInfo"] != UNKNOWN
    assert package["sourceInfo"] == "source package bash"
    reference, = package["externalRefs"]
    assert reference["referenceLocator"].startswith("pkg:deb/debian/bash@")
