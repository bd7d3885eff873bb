"""What `tfprof help` says, and what it lists."""

import functools
import re

from program import run


@functools.cache
def told(*topic):
    done = run("help", *topic)
    assert (done.returncode, done.stderr) == (0, b""), topic
    return done.stdout.decode()


def commands():
    """All but help, in the order of the help."""
    found = re.findall(r"^  tfprof (\w+) +\S", told(), re.MULTILINE)
    return [name for name in found if name != "help"]


def topics(text=None):
    """Of the help itself, or of another text that lists them."""
    listed = (text or told()).split("\ntopics:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+) +\S", listed, re.MULTILINE)


def options(topic="options"):
    """Those of a command, or all."""
    return re.findall(r"^  --(\w+) ", told(topic), re.MULTILINE)


def descriptions(topic):
    """What it says about each option, in one line each."""
    found = re.findall(r"^  --(\w+) .*\n((?:      .*\n)+)", told(topic) + "\n",
                       re.MULTILINE)
    return {name: " ".join(re.split(r"^      (?:One|Any) of:", text,
                                    flags=re.MULTILINE)[0].split())
            for name, text in found}
