"""The version is the same wherever it is stated, and the workflow of hosted CI
runs .ci/run."""

import os
import pathlib
import re
import subprocess

import pytest
import yaml

from lacking import needs
from program import SOURCE_DIR, run

BUILD_DIR = pathlib.Path(os.environ.get("TFPROF_BUILD_DIR", "build/dev"))


def found(pattern, path):
    match = re.search(pattern, path.read_text(), re.MULTILINE)
    assert match, (pattern, path)
    return match[1]


@pytest.fixture(scope="module")
def version():
    """The one that everything is built from."""
    return found(r"^    VERSION (\d+\.\d+\.\d+)$",
                 SOURCE_DIR / "CMakeLists.txt")


def test_program_headers_and_changelog_state_one_version(version):
    assert run("--version").stdout == f"tfprof {version}\n".encode()
    assert found(r'#define TFPROF_VERSION "(.*)"', BUILD_DIR / "include"
                 / "tfprof" / "version.h") == version
    assert found(r"^## \[(.*)\] - (?:unreleased|\d{4}-\d\d-\d\d)$",
                 SOURCE_DIR / "CHANGELOG.md") == version


def test_python_package_takes_its_version_from_cmake(version):
    settings = (SOURCE_DIR / "pyproject.toml").read_text()
    pattern = re.search(r"^regex = '''(.*)'''$", settings, re.MULTILINE)[1]
    assert re.search(pattern, (SOURCE_DIR / "CMakeLists.txt").read_text()
                     )["value"] == version
    assert 'dynamic = ["version"]' in settings


def test_pages_state_no_other_version(version):
    for page in ["README.md", *(SOURCE_DIR / "docs").glob("*.md")]:
        text = (SOURCE_DIR / page).read_text()
        for stated in re.findall(r"\btfprof[ -](\d+\.\d+\.\d+)", text):
            assert stated == version, page


@needs(subprocess.run(["which", "readelf"], capture_output=True,
                      check=False).returncode == 0, "needs readelf")
def test_binary_interface_keeps_its_own_number():
    library = BUILD_DIR / "libtfprof.so"
    if not library.exists():
        library = BUILD_DIR / "src" / "libtfprof.so"
    shown = subprocess.run(["readelf", "-d", library], check=True, text=True,
                           capture_output=True).stdout
    assert "Library soname: [libtfprof.so.1]" in shown


def test_hosted_workflow_runs_all_of_ci():
    workflow = yaml.safe_load(
        (SOURCE_DIR / ".github/workflows/ci.yml").read_text())
    job = workflow["jobs"]["ci"]
    steps = job["steps"]
    assert ".ci/run" in [step.get("run") for step in steps]
    checkout = next(step for step in steps
                    if step.get("uses", "").startswith("actions/checkout"))
    assert checkout["with"]["fetch-depth"] == 0
    assert job["timeout-minutes"] >= 90


@pytest.mark.parametrize("form", ["bug", "feature"])
def test_issue_forms_ask_at_least_one_question(form):
    read = yaml.safe_load((SOURCE_DIR / ".github/ISSUE_TEMPLATE"
                           / f"{form}.yml").read_text())
    assert read["name"] and read["description"]
    assert any(part.get("validations", {}).get("required")
               for part in read["body"])
