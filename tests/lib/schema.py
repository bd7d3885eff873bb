"""The field tables of src/proto, as the program schema_dump prints them."""

import collections
import functools
import os
import pathlib
import subprocess

Field = collections.namedtuple("Field", "number name type label of")
Message = collections.namedtuple("Message", "table name kind fields")

Tables = collections.namedtuple("Tables", "messages enums")


def _dump_program():
    return os.environ.get("TFPROF_SCHEMA_DUMP") or str(
        pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests" / "schema_dump")


@functools.cache
def tables():
    """Messages by full name, and enums as {name: number} by full name."""
    messages, enums = {}, {}
    text = subprocess.run([_dump_program()], check=True, text=True,
                          capture_output=True).stdout
    for line in text.splitlines():
        what, *words = line.split("\t")
        if what == "message":
            table, name, kind = words
            messages[name] = Message(table, name, kind, [])
        elif what == "field":
            name, number, *rest = words
            messages[name].fields.append(Field(int(number), *rest))
        elif what == "enum":
            enums[words[0]] = {}
        else:
            enum, name, number = words
            enums[enum][name] = int(number)
    return Tables(messages, enums)


@functools.cache
def streamed():
    """Full names of the messages that are entered while a file is read; all
    other fields are leaf records."""
    return frozenset(name for name, message in tables().messages.items()
                     if message.kind == "STREAMED")
