"""README.md and docs/: every command runs and prints what stands below it,
every link leads somewhere, and the site can be built.

All blocks of a page run in order, in one bash, in one folder that holds the
sample models of examples/models, `examples` itself and `tests`; how blocks are written
stands in doc_blocks.py. TFPROF_UPDATE=1 writes what commands print into the
pages, whose diff is to be read.
"""

# labels: once, long

import collections
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from xml.etree import ElementTree

import doc_blocks
import pytest
from lacking import CI, lacks
from program import SOURCE_DIR, TFPROF
from surroundings import PATIENCE

DOCS = SOURCE_DIR / "docs"
PAGES = [SOURCE_DIR / "README.md", *sorted(DOCS.glob("*.md"))]
LINKED = [*PAGES, *sorted(SOURCE_DIR.glob("[!R]*.md")),
          *(path for path in sorted(SOURCE_DIR.glob("[!.]*/**/README.md"))
            if path.relative_to(SOURCE_DIR).parts[0] != "build")]
BUILD_DIR = pathlib.Path(os.environ.get("TFPROF_BUILD_DIR", "build/dev"))
TOOLS = {"pprof": SOURCE_DIR / ".tools" / "bin" / "pprof",
         "inferno": SOURCE_DIR / ".tools" / "bin" / "inferno-flamegraph"}
UPDATE = os.environ.get("TFPROF_UPDATE") == "1"

# Pages whose blocks for packages and build tools/check-packages runs.
INSTALLED = {"README.md", "install.md"}

# Pages whose Python programs another test runs, and which.
PYTHON_ELSEWHERE = {
    "arrow.md": "python/tests/test_arrow.py",
    "python.md": "python/tests/test_docs.py",
}

counted = collections.Counter()


def page_id(path):
    return path.name


def imported(block):
    """The modules that a program imports."""
    for line in block.lines if block.language == "python" else []:
        found = re.match(r"(?:from|import) (\w+(?:, *\w+)*)", line)
        yield from re.findall(r"\w+", found[1]) if found else []


def missing(block):
    """Why a block cannot run on this machine; None when it can."""
    needed = {*imported(block), block.needs}
    if needed & {"python", "tfprof"} and \
            not (BUILD_DIR / "python" / "tfprof").is_dir():
        return "the Python package is not part of this build"
    for name in sorted(needed & TOOLS.keys()):
        if not TOOLS[name].exists():
            return f"{TOOLS[name]} is not there"
    for name in sorted(needed - {None, "python", "tfprof", *TOOLS}):
        if not importlib.util.find_spec(name):
            return f"{name} is not there"
    return None


# ---- Running a page --------------------------------------------------------

@pytest.fixture(scope="session")
def models(tmp_path_factory):
    folder = tmp_path_factory.mktemp("models")
    subprocess.run([sys.executable, SOURCE_DIR / "examples" / "models",
                    folder], check=True, capture_output=True)
    return folder


@pytest.mark.parametrize("arguments,status", [
    (["--help"], 0), (["--list"], 2), (["one", "two"], 2)])
def test_the_samples_explain_themselves(arguments, status, tmp_path):
    done = subprocess.run(
        [sys.executable, SOURCE_DIR / "examples" / "models", *arguments],
        cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == status and "extract the sample models" in done.stdout
    assert not list(tmp_path.iterdir())


@pytest.fixture
def scratch(models, tmp_path):
    """The folder in which a page runs, and `bin` beside it."""
    folder = tmp_path / "run"
    shutil.copytree(models, folder)
    for name in ("examples", "tests"):
        (folder / name).symlink_to(SOURCE_DIR / name)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "tfprof").symlink_to(
        pathlib.Path(shutil.which(TFPROF)).resolve())
    for tool in TOOLS.values():
        if tool.exists():
            (programs / tool.name).symlink_to(tool)
    python = programs / "python"
    python.write_text(f"#!/bin/sh\nexec {sys.executable} \"$@\"\n")
    python.chmod(0o755)
    return folder


def environment(folder):
    kept = {name: os.environ[name]
            for name in ("ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS")
            if name in os.environ}
    return {
        **kept,
        "HOME": str(folder.parent),
        "LC_ALL": "C.UTF-8",
        "PATH": f"{folder.parent / 'bin'}:{os.environ['PATH']}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(BUILD_DIR.resolve() / "python"),
        "TF_CPP_MIN_LOG_LEVEL": "3",
        "TF_ENABLE_ONEDNN_OPTS": "0",
        "TMPDIR": str(folder.parent),
    }


class Step:
    """A command or a program of a page, with the lines expected of it."""

    def __init__(self, block, text, expected, checked=False, command=None):
        self.block = block
        self.text = text
        self.expected = expected
        self.checked = checked
        self.command = command
        self.printed = None
        self.status = None


def steps_of(path, here):
    """The steps that run here; `here` has the folder for programs."""
    found = doc_blocks.blocks(path)
    for block, after in zip(found, [*found[1:], None]):
        if not block.runs_here or missing(block):
            continue
        if block.language == "console":
            for command in doc_blocks.commands(block):
                yield Step(block, command.text, command.expected,
                           command.checked, command)
        if block.language == "python" and path.name not in PYTHON_ELSEWHERE:
            program = here / f"line_{block.start + 1}.py"
            program.write_text("\n".join(block.lines) + "\n")
            behind = after and after.language == "text" and \
                after.start - block.end <= 2
            # What TensorFlow says on standard error is shown on failure only.
            it = shlex.quote(str(program))
            yield Step(after if behind else block,
                       f"python {it} 2>{it}.err || {{ cat {it}.err; false; }}",
                       after.lines if behind else [])


def run_page(path, folder):
    """Its steps, each with what it printed and its exit status."""
    steps = list(steps_of(path, folder.parent))
    answers = doc_blocks.converse([step.text for step in steps], cwd=folder,
                                  env=environment(folder), timeout=PATIENCE)
    for step, (printed, status) in zip(steps, answers):
        step.printed = printed
        step.status = status
    return steps


def holds(step):
    return doc_blocks.matches(step.expected, step.printed) and \
        (step.status == 0 or step.checked)


def update(path, steps):
    """Writes what was printed into the page."""
    lines = path.read_text("utf-8").split("\n")
    by_block = collections.defaultdict(list)
    for step in steps:
        if step.status and not step.checked:
            return  # what went wrong is no example
        by_block[step.block.start, step.block.end].append(step)
    for (start, end), members in sorted(by_block.items(), reverse=True):
        block = members[0].block
        if block.language == "python":
            # Nothing stood below it; what it prints goes there.
            if members[0].printed:
                lines[end + 1:end + 1] = ["", "```text", *members[0].printed,
                                          "```"]
            continue
        fresh = []
        for step in members:
            if step.command:
                fresh += step.command.written
            fresh += step.expected if holds(step) else \
                doc_blocks.renewed(doc_blocks.trimmed(step.expected),
                                   step.printed)
        lines[start + 1:end] = [block.indent + line if line else ""
                                for line in fresh]
    path.write_text("\n".join(lines), "utf-8")


@pytest.mark.parametrize("path", PAGES, ids=page_id)
def test_commands_print_what_the_page_shows(path, scratch):
    lacking = [f"{block}: {missing(block)}"
               for block in doc_blocks.blocks(path)
               if block.runs_here and missing(block)]
    steps = run_page(path, scratch)
    if UPDATE:
        update(path, steps)
    else:
        wrong = [f"{step.block}: $ {step.text}\nexit {step.status}, printed:\n"
                 + "\n".join(step.printed) for step in steps if not holds(step)]
        assert not wrong, "\n\n".join(wrong)
    failed = [f"{step.block}: {step.text}\n" + "\n".join(step.printed)
              for step in steps if step.status and not step.checked]
    assert not failed, "\n\n".join(failed)
    counted["pages"] += 1
    counted["commands"] += sum(bool(step.command) for step in steps)
    counted["programs"] += sum(not step.command for step in steps)
    counted["blocks"] += len({step.block.start for step in steps})
    if lacking:
        counted["not here"] += len(lacking)
        # The package is left out of some builds, but never of all.
        assert not CI or all("not part" in line for line in lacking), lacking


def test_enough_blocks_of_the_pages_were_run(say):
    """The figures of this run, and the blocks that others run or nobody."""
    if not counted["pages"]:
        pytest.skip("no page was run")
    say(f"{counted['pages']} pages, {counted['blocks']} blocks with "
        f"{counted['commands']} commands and {counted['programs']} Python "
        f"programs run, {counted['not here']} blocks not here")
    others = collections.Counter()
    for path in PAGES:
        for block in doc_blocks.blocks(path):
            if block.marker and not block.runs_here:
                others[block.marker] += 1
    for marker, count in sorted(others.items()):
        say(f"{count} blocks for `{marker}`")
    assert counted["pages"] < len(PAGES) or counted["commands"] > 150


# ---- How pages are written -------------------------------------------------

def test_no_block_escapes():
    wrong = [f"{block}: {block.complaint()}"
             for path in PAGES
             for block in doc_blocks.blocks(path) if block.complaint()]
    wrong += [f"{block}: nobody looks for `{block.marker}` in this page"
              for path in PAGES if path.name not in INSTALLED
              for block in doc_blocks.blocks(path)
              if block.marker in doc_blocks.ELSEWHERE]
    assert not wrong, "\n".join(wrong)


def test_programs_that_run_elsewhere_do():
    for page, test in PYTHON_ELSEWHERE.items():
        assert page in (SOURCE_DIR / test).read_text("utf-8")


@pytest.mark.parametrize("text,complaint", [
    ("```console\n$ true\n```", None),
    ("```text\n$ tfprof\n```", None),
    ("```\nsome output\n```", None),
    ("<!-- run: packages -->\n```console\n$ apt install x\n```", None),
    ("<!-- run: packages -->\n\n```console\n$ apt install x\n```", None),
    ("<!-- run: with pprof -->\n```console\n$ pprof\n```", None),
    ("<!-- run: none: needs a service -->\n```sh\nx\n```", None),
    ("```\n$ tfprof\n```", "without a language"),
    ("```\ntfprof info x\n```", "without a language"),
    ("```sh\ntfprof\n```", "console"),
    ("```bash\ntfprof\n```", "console"),
    ("```console\ntfprof\n```", "begins with"),
    ("<!-- run: somebody -->\n```console\n$ x\n```", "unknown marker"),
    ("<!-- run: with luck -->\n```console\n$ x\n```", "unknown marker"),
    ("<!-- run: none: -->\n```console\n$ x\n```", "unknown marker"),
])
def test_what_is_said_about_blocks(text, complaint):
    block, = doc_blocks.blocks(pathlib.Path("page.md"), text)
    if complaint:
        assert complaint in block.complaint()
    else:
        assert block.complaint() is None


@pytest.mark.parametrize("expected,printed,same", [
    ("a b", "a b", True), ("a", "a b", False), ("a b", "a", False),
    ("", "", True), ("...", "", True), ("...", "a b", True),
    ("a ...", "a", True), ("a ... c", "a b b c", True),
    ("a ... c", "a b", False), ("... b ... b", "a b c b", True),
    ("... b ... b", "a b c", False), ("a ... b", "a b b", True),
])
def test_three_points_stand_for_any_lines(expected, printed, same):
    assert doc_blocks.matches(expected.split(), printed.split()) == same


def page_says(scratch, text):
    page = scratch.parent / "page.md"
    page.write_text(text)
    return run_page(page, scratch)


def test_a_wrong_page_is_found_out(scratch):
    """Each of these would pass if the comparison were blind to it."""
    one, two, three, four, five = page_says(scratch, """\
```console
$ echo one
two
$ false
$ false
$ echo $?
1
$ cat; echo 'no line is read'
no line is read
```
""")
    assert not holds(one)
    assert not holds(two) and two.status == 1
    assert holds(three) and holds(four) and holds(five)


def test_commands_share_their_shell(scratch):
    assert all(map(holds, page_says(scratch, """\
```console
$ cd resnet && \\
    name=graph
```

text

```console
$ ls $name.pb
graph.pb
$ echo to stderr >&2
to stderr
```
""")))


def test_limits_of_size_and_start_are_those_that_are_checked():
    page = (DOCS / "performance.md").read_text("utf-8")
    table = page.split("| refused above |\n")[1].split("\n\n")[0]
    told = [int(line.split("|")[-2].replace(",", ""))
            for line in table.splitlines()[1:]]
    held = dict(re.findall(r"^(most_\w+)=(\d+)",
                           (SOURCE_DIR / "tools" / "limits").read_text("utf-8"),
                           re.M))
    assert told == [int(held[f"most_{name}"]) for name in (
        "release", "static", "static", "start", "start")]


# ---- Links -----------------------------------------------------------------

def fault_of_link(path, target):
    """What is wrong with a link; None when nothing."""
    if re.match(r"[a-z][a-z+.-]*:", target):
        return None
    file, _, anchor = target.partition("#")
    there = (path.parent / file).resolve() if file else path
    if not there.exists():
        return "no such file"
    if not there.is_relative_to(SOURCE_DIR.resolve()):
        return "outside of the repository"
    if anchor and there.suffix == ".md" and \
            anchor not in doc_blocks.anchors(there):
        return "no such title, or not one that GitHub and mkdocs call alike"
    return None


def test_links_lead_somewhere(say):
    found = [(path, number, target) for path in LINKED
             for number, target in doc_blocks.links(path)]
    wrong = [f"{path.relative_to(SOURCE_DIR)}:{number}: {target}: {fault}"
             for path, number, target in found
             if (fault := fault_of_link(path, target))]
    assert not wrong, "\n".join(wrong)
    local = [target for _, _, target in found
             if not re.match(r"[a-z][a-z+.-]*:", target)]
    say(f"{len(local)} local links in {len(LINKED)} pages")
    assert len(local) > 50


def test_a_broken_link_is_found_out(tmp_path):
    page = SOURCE_DIR / "docs" / "views.md"
    assert fault_of_link(page, "no-such-page.md") == "no such file"
    assert "no such title" in fault_of_link(page, "views.md#no-such-title")
    assert "outside" in fault_of_link(page, "../../..")
    here = tmp_path / "page.md"
    here.write_text("## A `b` & c: d\n[x](y.md) `[a](b)` ![i](<z.png>)\n"
                    "## Twice\n## Twice\n## One, two\n\n[r]: q.md\n"
                    "```text\n[n](o.md)\n```\n")
    assert list(doc_blocks.links(here)) == [(2, "y.md"), (2, "z.png"),
                                            (7, "q.md")]
    assert doc_blocks.anchors(here) == {"twice", "one-two"}


def test_pictures_are_small_and_whole():
    """docs/images/make draws them; 200 kB is what a page can bear."""
    pictures = [path for path in (DOCS / "images").iterdir() if path.suffix]
    made = (DOCS / "images" / "make").read_text()
    assert pictures and all(f'"{path.name}"' in made for path in pictures)
    assert all(path.stat().st_size < 200_000 for path in pictures)
    for name, words in (("prompt.svg", ["tfprof> op -select",
                                        "Conv2DBackpropFilter"]),
                        ("tui.svg", ["scope by time", "unit_last", "q quit"])):
        root = ElementTree.parse(DOCS / "images" / name).getroot()
        text = "".join(root.itertext()).replace("\xa0", " ")
        assert all(word in text for word in words)
    for picture in pictures:
        png = picture.read_bytes()
        assert picture.suffix == ".svg" or (
            png.startswith(b"\x89PNG") and png.endswith(b"IEND\xaeB`\x82"))


def test_every_page_can_be_reached():
    """From the README, over links; so that nothing is written for nobody."""
    seen, waiting = set(), [SOURCE_DIR / "README.md"]
    while waiting:
        page = waiting.pop()
        if page in seen or page.suffix != ".md" or not page.exists():
            continue
        seen.add(page)
        waiting += [(page.parent / target.partition("#")[0]).resolve()
                    for _, target in doc_blocks.links(page)
                    if ":" not in target and target.partition("#")[0]]
    lost = {path.resolve() for path in PAGES} - {p.resolve() for p in seen}
    assert not lost, sorted(map(str, lost))


# ---- The site --------------------------------------------------------------

def test_every_page_stands_once_in_the_nav():
    """mkdocs tells of pages that are missing there, not of doubles."""
    config = (SOURCE_DIR / "mkdocs.yml").read_text("utf-8")
    listed = re.findall(r"^ +- (\S+\.md)$", config, re.M)
    assert sorted(listed) == [path.name for path in PAGES[1:]]


def test_the_site_is_built_without_warnings(tmp_path, say):
    if not importlib.util.find_spec("material"):
        lacks("mkdocs-material is not there")
    done = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir",
         tmp_path / "site", "--config-file", SOURCE_DIR / "mkdocs.yml"],
        cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1",
             "NO_MKDOCS_2_WARNING": "1"})
    assert done.returncode == 0, done.stdout + done.stderr
    assert "WARNING" not in done.stderr, done.stderr
    assert "INFO    -  The following pages" not in done.stderr, done.stderr
    site = tmp_path / "site"
    pages = list(site.rglob("*.html"))
    assert len(pages) > len(list(DOCS.glob("*.md")))
    outside = [f"{page.relative_to(site)}: {found}" for page in pages
               for found in re.findall(
                   r"<(?:link|script|img)[^>]+(?:href|src)=\"?(https?:[^\s\">]+)",
                   page.read_text("utf-8"))
               if "canonical" not in found]
    assert not outside, outside[:5]
    say(f"{len(pages)} pages of HTML, none of which loads anything from "
        "elsewhere")
