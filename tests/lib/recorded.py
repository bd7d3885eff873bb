"""Answers of TensorFlow and xprof to questions that are the same in each run.

Asking takes seconds of processor time, so a test asks once and tests/recorded
keeps what it heard: a file for each user, JSON in xz, with the versions of
the packages and each answer by the hash of its question. A question has the
bytes of its inputs, never a path.

    pytest FILE                    compares with the record; asks nobody
    TFPROF_ASK=1 pytest FILE       asks again; another answer is a failure
    TFPROF_RECORD=1 pytest FILE    asks again and writes what FILE has asked

A question without an answer is a failure, unless a variable of OTHERS has
other questions drawn than those that are recorded: these are asked.
"""

import atexit
import functools
import hashlib
import importlib.metadata
import json
import lzma
import os
import pathlib
import subprocess
import sys

import pytest

from surroundings import PATIENCE

FOLDER = pathlib.Path(__file__).resolve().parents[1] / "recorded"
OTHERS = ("TFPROF_SLOW", "TFPROF_TEST_SEED", "TFPROF_LIVE_DRAWS",
          "TFPROF_ADVISE_DRAWS", "TFPROF_RANDOM_GRAPHS", "TFPROF_XPROF_FILES")


def is_set(name):
    return os.environ.get(name, "0") not in ("", "0")


def draws_others():
    return any(is_set(name) for name in OTHERS)


def asks_nobody():
    return not (is_set("TFPROF_ASK") or is_set("TFPROF_RECORD")
                or draws_others())


def tensorflow_is_loaded():
    """tf_messages.py imports its messages alone, which is cheap."""
    return any(name.startswith(("tensorflow.python", "xprof.convert", "jaxlib"))
               for name in sys.modules)


def digest(data):
    """What stands for bytes in a question."""
    return hashlib.sha256(data).hexdigest()


def digest_of_files(*paths):
    """What stands for the programs that make an input, so that a record is
    not used for another input."""
    return digest(b"".join(pathlib.Path(path).read_bytes() for path in paths))


def ask_script(name, *words):
    """What tests/lib/NAME, a process of its own, prints in its last line."""
    done = subprocess.run(
        [sys.executable, pathlib.Path(__file__).with_name(name), *words],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        timeout=PATIENCE)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def _key(question):
    return digest(json.dumps(question, sort_keys=True).encode())[:24]


def _here():
    """The file of the test that runs, for messages."""
    return os.environ.get("PYTEST_CURRENT_TEST", "FILE").partition("::")[0]


def _as_json(value):
    """Bytes are text of Latin-1, which compresses better than base64."""
    if isinstance(value, bytes):
        return {"bytes": value.decode("latin-1")}
    raise TypeError(type(value))


def _from_json(value):
    return (value["bytes"].encode("latin-1") if value.keys() == {"bytes"}
            else value)


def _plain(value):
    """As it comes back from the file."""
    return json.loads(json.dumps(value, default=_as_json),
                      object_hook=_from_json)


class Record:
    """The answers that one user of a judge has heard."""

    def __init__(self, path, packages):
        self.path = path
        self._packages = packages
        self._known = {"versions": {}, "answers": {}}
        if path.exists():
            self._known = json.loads(lzma.decompress(path.read_bytes()),
                                     object_hook=_from_json)
        self._new = {}
        if path.parent == FOLDER and is_set(
                "TFPROF_RECORD") and not draws_others():
            atexit.register(self.write)

    @property
    def versions(self):
        """Those of the packages that gave the answers."""
        return self._known["versions"]

    def _installed(self):
        return {name: importlib.metadata.version(name)
                for name in self._packages}

    def _fail(self, why):
        pytest.fail(f"{self.path.name} {why}; to record what is answered now: "
                    f"TFPROF_RECORD=1 pytest {_here()}", pytrace=False)

    def answers(self, questions, ask, same=lambda answer: answer):
        """The answer of each question. `ask` gives those of the questions
        with the numbers that it is called with; same() is the part of an
        answer that is the same whenever it is asked."""
        keys = [_key(question) for question in questions]
        known = self._known["answers"]
        asks_again = is_set("TFPROF_ASK") or is_set("TFPROF_RECORD")
        asked = [i for i, key in enumerate(keys)
                 if asks_again or key not in known]
        if not asked:
            return [known[key] for key in keys]
        if not asks_again and not draws_others():
            self._fail("is stale: it has no answer to "
                       f"{json.dumps(questions[asked[0]])[:400]}")
        heard = dict(zip(asked, _plain(ask(asked)), strict=True))
        self._new.update((keys[i], answer) for i, answer in heard.items())
        if is_set("TFPROF_ASK"):
            self._compare(keys, heard, same)
        return [heard[i] if i in heard else known[key]
                for i, key in enumerate(keys)]

    def answer(self, question, ask, same=lambda answer: answer):
        return self.answers([question], lambda _: [ask()], same)[0]

    def made(self, question, folder, make):
        """What make() answers, and in `folder` the files that it makes there.
        Files may differ from one making to the next, answers may not."""
        def ask():
            told = make()
            return {"told": told, "files": {
                str(path.relative_to(folder)): path.read_bytes()
                for path in sorted(folder.rglob("*")) if path.is_file()}}

        answer = self.answer(question, ask, lambda answer: answer["told"])
        for name, data in answer["files"].items():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
        return answer["told"]

    def _compare(self, keys, heard, same):
        """Fails when a judge answers otherwise than it did."""
        known = self._known["answers"]
        if self.versions != self._installed() and not draws_others():
            self._fail(f"is stale: it is of {self.versions}, "
                       f"installed are {self._installed()}")
        for i, answer in heard.items():
            if keys[i] not in known and draws_others():
                continue
            if keys[i] not in known or same(known[keys[i]]) != same(answer):
                self._fail("is stale: the judge answers\n"
                           f"{str(answer)[:2000]}\nrecorded was\n"
                           f"{str(known.get(keys[i]))[:2000]}\n")

    def write(self):
        """Writes what was asked in this run, and nothing else."""
        text = json.dumps({"versions": self._installed(),
                           "answers": self._new}, default=_as_json,
                          ensure_ascii=False, sort_keys=True, indent=0)
        self.path.parent.mkdir(exist_ok=True)
        self.path.write_bytes(lzma.compress(
            text.encode(), preset=9 | lzma.PRESET_EXTREME))


@functools.cache
def record(name, *packages):
    """tests/recorded/NAME.xz, and the packages that answer."""
    return Record(FOLDER / f"{name}.xz", packages)


# ---- What conftest.py takes from here ----------------------------------------

def pytest_configure(config):
    config.addinivalue_line("markers", "recorded: TensorFlow and xprof answer "
                            "from tests/recorded, and are not imported")
    config.addinivalue_line("markers", "live: TensorFlow itself is part of "
                            "what is tested, and cannot be recorded")


@pytest.fixture(scope="module", autouse=True)
def recorded_is_not_imported(request):
    """Another file of the same process may have imported them before."""
    before = tensorflow_is_loaded()
    yield
    marks = [mark.name for mark in request.node.iter_markers()]
    # What fails may ask more, to show it.
    if ("recorded" in marks and asks_nobody()
            and not request.session.testsfailed):
        assert before or not tensorflow_is_loaded()
