"""Random keys, sizes and signals at the prompt of a session about a model with
hostile names. Whatever is typed, no byte of a name may control the terminal,
and the session must still answer and end.

`python prompts.py`
"""

import os
import random
import signal

import attack
import pages
import pexpect
from messages import CPU, node_def, record, run_of
from prompting import CTRL_C, PROMPT, Terminal

KEYS = ("\t", "\t\t", "\r", "\x01", "\x05", "\x0b", "\x15", "\x17", "\x7f",
        "\x1b[A", "\x1b[B", "\x1b[C", "\x1b[D", "\x12", "\x1b", "\x1b[3~",
        "\x1bb", "\x1bf", "\x02", "\x06", "\x0e", "\x10", "\x14", "\x19",
        "\x0c", CTRL_C, "\x1b[200~", "\x1b[201~", "\xff", "caf\u00e9",
        "\U0001f600", "'", '"', "\\", " ", "-", "=", "!!", "scope", "op",
        "graph -max_depth 3", "set -", "-select micros", "help", "advise",
        "scope -show_name_regexes ", "(", "[", "*", "x" * 300)
SIGNALS = (signal.SIGWINCH, signal.SIGCONT, signal.SIGINT)
LAST_ERASES = "\x15\x0b"
INTERRUPTED_TWICE = 130  # within a second: this ends a session


def model(found, chance):
    names = ["/".join(chance.sample(pages.NAMES, 2)).replace("\0", "")
             for _ in range(12)]
    graph, runs = found.folder / "graph", found.folder / "runs"
    graph.write_bytes(b"".join(node_def(name.encode(), b"Add")
                               for name in dict.fromkeys(names)))
    runs.write_bytes(run_of((CPU, b"".join(
        record(name.encode()) for name in dict.fromkeys(names)))))
    return f"--graph_path={graph}", f"--run_meta_path={runs}"


def press(session, chance):
    what = chance.random()
    if what < 0.8:
        session.press(chance.choice(KEYS))
    elif what < 0.9:
        session.child.setwinsize(chance.choice((1, 2, 5, 24, 100)),
                                 chance.choice((1, 2, 10, 80, 500)))
    else:
        signal_number = chance.choice(SIGNALS)
        if session.child.isalive():  # two interrupts end it
            os.kill(session.child.pid, signal_number)


def drain(session):
    """What it has said so far."""
    said = b""
    try:
        while True:
            said += session.child.read_nonblocking(1 << 16, timeout=0)
    except (pexpect.TIMEOUT, pexpect.EOF):
        return said


def end(session):
    """Ends what is typed, asks one question, and leaves."""
    session.child.setwinsize(24, 1000)
    session.press("\x1b[201~" + CTRL_C + LAST_ERASES)
    session.press("set -max_depth 7\r")
    session.press("set\r")
    session.child.expect(r"-max_depth +7")
    session.wait_prompt()
    session.press("\x04")
    return session.end()


def attack_seed(found, seed, presses=40):
    chance = random.Random(seed)
    found.runs += 1
    said, pressed = b"", 0
    with Terminal("-q", *model(found, chance), columns=120,
                  home=found.folder / "state") as session:
        session.child.timeout = 30
        try:
            session.child.expect_exact(PROMPT)
            for pressed in range(presses):
                press(session, chance)
                if chance.random() < 0.2:
                    said += drain(session)
            code = end(session)
            if code != 0:
                found.fail(seed, "exit code", code)
        except (pexpect.EOF, pexpect.TIMEOUT) as error:
            session.child.close(force=True)
            if session.child.exitstatus != INTERRUPTED_TWICE:
                found.fail(seed, type(error).__name__, "after", pressed,
                           session.child.signalstatus,
                           session.child.exitstatus,
                           repr(session.child.before)[-200:])
    for mark in b"\x1b[31m", "\u202e".encode():
        if mark in said:
            found.fail(seed, "a name controls the terminal", mark)


attack_all = attack.each(attack_seed)

if __name__ == "__main__":
    attack.main(lambda found, _: attack_all(found, range(60)), [])
