"""`tfprof help MESSAGE` explains every message of docs/messages.tsv."""

# labels: slow

import itertools
import os
import re
import subprocess

import pytest

import meanings
import samples
from meanings import HOLE
from program import run
from surroundings import PATIENCE

ROWS = meanings.complete_rows()

# What precedes a message, and what its places are filled with.
ASKED = {
    "numbers": ("", ["4711", "3", "12"]),
    "paths": ("tfprof: note: /data/m.pb: offset 99: ",
              ["/data/run_7/m.pb", "conv_1:0", "4711"]),
    "as the table has it": ("", [HOLE]),
}

# What is typed between messages, and the answer to it.
MARK = "help quit"
MARKED = "usage: quit\n\nEnd the session, as Ctrl-D does.\n"


def filled(message, values):
    """After a letter stands the s of a plural."""
    given = itertools.cycle(values)
    return re.sub(rf"(?<=[a-z]){HOLE}(?![a-z.])|{HOLE}",
                  lambda match: "s" if match.start() > 0 and
                  message[match.start() - 1].isalpha() and values != [HOLE]
                  else next(given), message)


def shown(message):
    return message.replace(HOLE, "...")


def flat(text):
    return " ".join(text.split())


def quoted(text):
    return '"' + text.replace('"', '\\"') + '"'


@pytest.fixture(scope="module")
def graph(tmp_path_factory):
    return samples.make(tmp_path_factory.mktemp("messages")) / "graph.pb"


def typed(lines, graph):
    """What a session answers to each line."""
    text = f"\n{MARK}\n".join(lines)
    done = subprocess.run([samples.TFPROF, os.fspath(graph)],
                          input=text.encode() + b"\n", capture_output=True,
                          check=False, timeout=PATIENCE)
    answers = done.stdout.decode().split(MARKED)
    assert len(answers) == len(lines), done.stderr.decode()
    return answers, done.stderr.decode()


def asked(*words):
    done = run("help", *words)
    assert (done.returncode, done.stderr) == (0, b""), words
    return done.stdout.decode()


def fixed(message):
    """What makes a message specific. Messages such as "cannot open" and
    "…: cannot open: …" look the same when they are printed."""
    return re.sub(rf"{HOLE}|\.\.\.|[ :/]", "", message)


def precedes(paragraphs, message, meaning):
    """Is the row there, behind none but those that look the same?"""
    for text in map(flat, paragraphs):
        if text.startswith(flat(shown(message))) and text.endswith(meaning):
            return True
        if fixed(text.split(" cause ")[0]) != fixed(message):
            return False
    return False


@pytest.mark.parametrize("way", ASKED)
def test_the_row_of_a_message_comes_first(graph, way):
    before, values = ASKED[way]
    answers, complaints = typed(
        [f"help {quoted(before + filled(message, values))}"
         for message, _, _ in ROWS], graph)
    assert complaints == ""
    wrong = [(message, answer)
             for (message, cause, remedy), answer in zip(ROWS, answers)
             if not precedes(answer.split("\n\n"), message,
                             f"cause {cause} remedy {remedy}")]
    assert wrong == [], len(wrong)


def test_a_part_of_a_message_is_enough():
    """Words of it, in any spelling, on any number of lines."""
    first, *_ = asked("the file ends inside this NodeDef (truncated or still "
                      "being written?)").split("\n\n")
    assert first.startswith("the file ends inside this ... (truncated")
    for words in (["NodeDef", "(truncated", "or", "still"],
                  ["The File ends inside this\n   NodeDef"],
                  ["file ends inside this node"]):
        assert flat(asked(*words).split("\n\n")[0]) == flat(first)


def test_the_more_specific_message_comes_first():
    """Which is not always the longest one."""
    answer = asked("tfprof: m.pb: cannot open: No such file or directory")
    assert answer.startswith("cannot open\n")
    answer = asked("tfprof: there is no step 7 (steps: 0)")
    assert answer.startswith("there is no step ... (steps: ...)\n")


def test_few_of_many_messages_are_shown():
    answer = asked("truncated")
    assert answer.count("  cause ") <= 3
    assert re.search(r"\n\n(\d+) more messages \(give more words of the "
                     r"message\)\n$", answer)
    assert "more message" not in asked("no help for", "xyzzy")


@pytest.mark.parametrize("words", [
    ["xyzzy", "plugh"], ["no", "such", "thing"], ["7"], ["it"], ["…"], [": /"],
    ["x" * 300], ["\\ \xff\xfe"]])
def test_words_of_no_message_have_no_help(words, graph):
    done = run("help", *words)
    assert (done.returncode, done.stdout) == (2, b"")
    start = "tfprof: no help for '"
    assert done.stderr.decode().startswith(start)
    assert done.stderr.decode().endswith("' (try: tfprof help)\n")


def test_topics_win():
    """Over the messages that contain the word."""
    assert asked("memory").startswith("usage: tfprof memory")
    assert asked("inputs").startswith("File types are detected")
    done = run("help", "scop")
    assert done.stderr == b"tfprof: no help for 'scop' (did you mean scope?)\n"


def test_more_words_than_a_message_has_are_read():
    answer = asked(" ".join(["word"] * 2000) + " cannot open")
    assert answer.startswith("cannot open\n")
