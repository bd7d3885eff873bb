"""Man pages and docs/options.md: made from the tables, and well formed."""

# labels: once

import os
import pathlib
import re
import shutil
import subprocess

import pytest

import helps
from helps import told
from lacking import lacks
from program import SOURCE_DIR

BUILD = pathlib.Path(os.environ.get("TFPROF_BUILD_DIR", SOURCE_DIR / "build/dev"))
MANUAL = BUILD / "manual"
PAGES = sorted(MANUAL.glob("man*/*")) or [MANUAL / "none"]
COMMANDS = [*helps.commands(), "prompt"]


@pytest.fixture(autouse=True)
def made():
    if not (MANUAL / "pages.stamp").exists():
        lacks("built without the manual (TFPROF_MANUAL=OFF)")


def need(program):
    if not shutil.which(program):
        lacks(f"needs {program} (tools/setup installs it)")


def rendered(page, **environment):
    need("man")
    done = subprocess.run(
        ["man", "-l", page], capture_output=True, check=True, text=True,
        env={**os.environ, "MANWIDTH": "80", "LC_ALL": "C.UTF-8",
             "MANPAGER": "cat", "GROFF_NO_SGR": "1", **environment})
    return re.sub(".\b", "", done.stdout)


# ---- Man pages --------------------------------------------------------------

def test_there_is_a_page_for_each_command():
    assert [p.name for p in PAGES] == sorted(
        ["tfprof.1", *(f"tfprof-{name}.1" for name in COMMANDS)]) + [
        "libtfprof.3"]


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_mandoc_has_nothing_to_say(page):
    need("mandoc")
    done = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page],
                          capture_output=True, check=False, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_man_shows_it_without_a_warning(page):
    need("man")
    done = subprocess.run(["man", "--warnings", "-l", page],
                          capture_output=True, check=False, text=True,
                          env={**os.environ, "MANWIDTH": "80",
                               "LC_ALL": "C.UTF-8"})
    assert (done.returncode, done.stderr) == (0, "")
    assert len(done.stdout.splitlines()) > 60


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_apropos_finds_it(page):
    need("lexgrog")
    name = page.name.rsplit(".", 1)[0]
    done = subprocess.run(["lexgrog", page], capture_output=True, check=False,
                          text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(rf'"{name} - [a-zS].*[^.]"$', done.stdout.strip())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_has_the_options_of_its_command(name):
    text = rendered(MANUAL / "man1" / f"tfprof-{name}.1")
    listed = re.findall(r"^ {5}--(\w+) ", text, re.MULTILINE)
    assert listed == helps.options(name)
    examples = told(name).split("\nexamples:\n")[1]
    for line in re.sub(r" \\\n +", " ", examples).splitlines():
        assert line.strip() in text


@pytest.mark.parametrize("name", COMMANDS)
def test_a_page_describes_options_as_help_does(name):
    page = rendered(MANUAL / "man1" / f"tfprof-{name}.1", MANWIDTH="1000")
    described = " ".join(page.split())
    listed = helps.descriptions(name)
    assert list(listed) == helps.options(name)
    for option, words in listed.items():
        assert words in described, option


def test_the_page_of_the_program_has_all_topics_and_options():
    text = rendered(MANUAL / "man1" / "tfprof.1", MANWIDTH="1000")
    listed = text.split("\nOPTIONS\n")[1].split("\nMETRICS\n")[0]
    assert re.findall(r"^ {5}--(\w+) ", listed, re.MULTILINE) == (
        helps.options())
    topics = helps.topics()
    assert len(topics) == 8
    shown = " ".join(text.split())
    for topic in topics:
        assert f"\n{topic.upper()}\n" in text
        words = told(topic).split("\nexamples:\n")[0].split("\n\ninputs:\n")[0]
        assert " ".join(words.split()) in shown, topic


def test_the_page_of_the_library_has_every_function():
    text = (MANUAL / "man3" / "libtfprof.3").read_text()
    exported = set()
    for header in (SOURCE_DIR / "include" / "tfprof").glob("*.h"):
        exported.update(re.findall(r"TFPROF_API[^;(]*?(tfprof_\w+)\(",
                                   header.read_text()))
    assert len(exported) > 50
    assert set(re.findall(r"^\.Fo (\w+)$", text, re.MULTILINE)) >= exported
    assert set(re.findall(r"^\.It Fn (\w+)$", text, re.MULTILINE)) >= exported


def test_pages_have_a_date_that_the_build_does_not_choose(tmp_path):
    program = next(BUILD.rglob("tfprof_manual"))
    headers = SOURCE_DIR / "include" / "tfprof"

    def made_on(date, epoch):
        shutil.rmtree(tmp_path)
        for section in ("man1", "man3"):
            (tmp_path / section).mkdir(parents=True)
        environment = {k: v for k, v in os.environ.items()
                       if k != "SOURCE_DATE_EPOCH"}
        if epoch is not None:
            environment["SOURCE_DATE_EPOCH"] = epoch
        subprocess.run([program, "pages", tmp_path, date, headers], check=True,
                       env=environment)
        return {p.name: p.read_text() for p in tmp_path.glob("*/*")}

    assert ".Dd March 7, 2031\n" in made_on("2031-03-07", None)["tfprof.1"]
    assert ".Dd January 2, 1970\n" in made_on("2031-03-07", "86400")["tfprof.1"]
    assert ".Dd March 7, 2031\n" in made_on("release:2031-03-07",
                                            "86400")["tfprof.1"]
    assert made_on("2031-03-07", "1") == made_on("2031-03-08", "2")


# ---- docs/options.md --------------------------------------------------------

def test_the_page_about_options_is_what_the_build_makes():
    assert (SOURCE_DIR / "docs" / "options.md").read_text() == (
        MANUAL / "options.md").read_text(), "run: tools/manual"


def test_the_page_about_options_is_complete():
    text = (MANUAL / "options.md").read_text()
    sections = dict(re.findall(r"^### (\w+)\n\n((?:(?!#).*\n)*)", text,
                               re.MULTILINE))
    said = dict(re.findall(r"^  --(\w+) [^(\n]*(?:\(default: (.*)\))?$",
                           told("options"), re.MULTILINE))
    assert set(sections) == set(said)
    for name, default in said.items():
        assert f"`--{name} " in sections[name]
        assert (f"- default: `{default}`\n" in sections[name]) == bool(default)
        assert sections[name].count("- commands: ") == 1
    assert "@" not in text
