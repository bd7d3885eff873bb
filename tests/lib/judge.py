"""TensorFlow's own tfprof, the one inside the wheel, as a judge.

The wheel holds one profiler in a process, prints its answers to C's stdout,
keeps traces of one question in the next, and aborts where it does not know
better. So it works in processes of its own, each forked from the one before:

    importer   has imported TensorFlow, which takes seconds
    keeper     has loaded one set of inputs
    answerer   answers one question, from a profiler that was never asked

Judge is the side of the tests. Run as a program this file is the importer.
Requests and replies are lines of JSON, one at a time. The importer starts with
the first question that has no recorded answer (see recorded.py).
"""

import base64
import contextlib
import ctypes
import functools
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile

import wirebytes

MINIMA = ("bytes", "peak_bytes", "residual_bytes", "output_bytes", "micros",
          "accelerator_micros", "cpu_micros", "params", "float_ops",
          "occurrence")
SECONDS = 120  # for one answer

# 2.x does not count the time of SYCL devices, 1.15 did and so do we. The
# judge is told of a device that it counts in the same way, of a name as long,
# so that messages stay whole; the name is put right in what it says.
_SYCL, _TOLD = "/device:SYCL:0", "/device:/GPU:0"


# Words inside CodeDef.Trace, of which 2.x only knows the ids: number of the
# word's field, and the field that takes the place.
_WORDS = ((1, "file_id"), (3, "function_id"))


class Failed(Exception):
    """The wheel refused, threw or died."""


REFUSED = "the wheel refuses (TFPROF_ASK=1 asks it why)"


def _about(inputs):
    """Inputs without their paths."""
    import recorded

    def digest(path):
        with open(path, "rb") as file:
            return recorded.digest(file.read())

    found = {**inputs}
    for key in ("profile", "graph", "log"):
        if inputs.get(key):
            found[key] = digest(inputs[key])
    if "graph" in inputs:
        found["text"] = inputs["graph"].endswith(".pbtxt")
        found["runs"] = [[step, digest(path)] for step, path in inputs["runs"]]
    return found


def _without_order(reply):
    """A reply to compare with another: entries of a map come in any order,
    and so do the sections of advice and the nodes of equal cost in it."""
    if isinstance(reply.get("message"), bytes):
        return {**reply, "message": sorted(reply["message"])}
    if "reports" in reply:
        return sorted(reply["reports"]), sorted(
            line for line in reply["text"].splitlines()
            if " graph node: " not in line)
    return reply


class Judge:
    """A process that has imported TensorFlow. Use it in a `with`. With the
    `name` of a record, it is started for what the record lacks."""

    def __init__(self, name=None):
        self._record = None
        if name:
            import recorded
            self._record = recorded.record(name, "tensorflow-cpu")
        self._process = self._inputs = None
        self._is_open = False
        self._why = REFUSED

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._process:
            self._process.stdin.close()
            self._process.wait()
            self._process.stdout.close()
            self._log.close()
            self._process = None

    def _start(self):
        self._log = tempfile.TemporaryFile()
        self._process = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, stderr=self._log,
            env={**os.environ, "TF_CPP_MIN_LOG_LEVEL": "3",
                 "TF_ENABLE_ONEDNN_OPTS": "0"})

    def _talk(self, request):
        if not self._process:
            self._start()
        self._process.stdin.write(json.dumps(request).encode() + b"\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            self._log.seek(0)
            raise Failed("the judge is gone: "
                         + self._log.read().decode(errors="replace")[-2000:])
        reply = json.loads(line)
        if "failed" in reply:
            raise Failed(reply["failed"])
        return reply

    @contextlib.contextmanager
    def opened(self, inputs):
        """`inputs`: {"profile": path} or {"graph": path, "log": path or None,
        "runs": [(step, path), ...]}; with "at_once": True, of one run at
        most, by the function that keeps no profiler."""
        self._inputs, self._is_open = inputs, False
        self._question = self._record and _about(inputs)
        if not self._record:
            self._open()
        try:
            yield self
        finally:
            if self._is_open:
                self._is_open = False
                self._talk({"close": True})

    def _open(self):
        if not self._is_open:
            self._talk({"open": self._inputs})
            self._is_open = True

    def _asked(self, request):
        """The reply; "files" in it are those that the wheel has written."""
        if not self._record:
            return self._talk(request)
        options = request.get("options", {})
        output, mark, path = options.get("output", "").partition("outfile=")
        asked = {**request, "inputs": self._question}
        if mark:
            asked["options"] = {**options, "output": output + mark}
        reply = self._record.answer(asked, lambda: self._live(request, path),
                                    _without_order)
        if "failed" in reply:
            raise Failed(self._why)
        for ending, data in reply.get("files", {}).items():
            pathlib.Path(path + ending).write_bytes(data)
        return reply

    def _live(self, request, path):
        """The reply to be recorded; a refusal without its words, in which
        there may be addresses."""
        try:
            self._open()
            reply = self._talk(request)
        except Failed as failure:
            self._why = str(failure)
            return {"failed": REFUSED}
        if "message" in reply:
            reply["message"] = base64.b64decode(reply["message"])
        if path:
            path = pathlib.Path(path)
            reply["files"] = {
                found.name.removeprefix(path.name): found.read_bytes()
                for found in sorted(path.parent.glob(path.name + "*"))}
        return reply

    def ask(self, view, options):
        """`options`: fields of OptionsProto. The answer has "text", what it
        printed after "Profile:", for scope and graph "runs", the total run
        count of every row, "peaks" of devices in a timeline of the graph, and
        "coverage" after each step."""
        return self._asked({"view": view, "options": options})

    def message(self, view, options):
        """The message that it returns, in bytes."""
        message = self._asked({"view": view, "options": options,
                               "raw": True})["message"]
        return (message if isinstance(message, bytes)
                else base64.b64decode(message))

    def advise(self, checkers):
        """What it prints, and its AdviceProto as {checker: reports}."""
        reply = self._asked({"advise": checkers})
        return reply["text"], reply["reports"]


def with_ids(message):
    """An OpLogProto or ProfileProto with ids for the file and function names
    that stand inside it, which 1.15 wrote and read; and whether it had such.
    """
    from google.protobuf.unknown_fields import UnknownFieldSet

    strings = message.id_to_string
    ids = {}
    stacks = ([entry.code_def for entry in message.log_entries]
              if hasattr(message, "log_entries") else
              [node.trace for node in message.nodes.values()])
    for trace in (trace for stack in stacks for trace in stack.traces):
        words = {field.field_number: field.data
                 for field in UnknownFieldSet(trace)}
        for number, name in _WORDS:
            if words.get(number):
                new = ids.setdefault(words[number], (1 << 40) + len(ids))
                strings[new] = words[number].decode()
                setattr(trace, name, new)
    return message, bool(ids)


# ---- The other side ---------------------------------------------------------

def _load(tfprof, inputs):
    """The function that answers: of a command and options in bytes."""
    from google.protobuf import text_format
    from tensorflow.core.framework import graph_pb2
    from tensorflow.core.profiler import tfprof_log_pb2

    def read(path):
        with open(path, "rb") as file:
            data = file.read()
        return data.replace(_SYCL.encode(), _TOLD.encode())

    def read_with_ids(path, cls):
        message, _ = with_ids(cls.FromString(read(path)))
        return message.SerializeToString()

    if "profile" in inputs:
        with tempfile.NamedTemporaryFile() as file:
            file.write(read_with_ids(inputs["profile"],
                                     tfprof_log_pb2.ProfileProto))
            file.flush()
            tfprof.ProfilerFromFile(file.name.encode())
        return tfprof.Profile
    graph = read(inputs["graph"])
    if inputs["graph"].endswith(".pbtxt"):
        graph = text_format.Parse(
            graph, graph_pb2.GraphDef()).SerializeToString()
    log = b""
    if inputs["log"]:
        log = read_with_ids(inputs["log"], tfprof_log_pb2.OpLogProto)
    if inputs.get("at_once"):
        (_, run), = inputs["runs"] or [(0, os.devnull)]
        return functools.partial(tfprof.PrintModelAnalysis, graph, read(run),
                                 log)
    tfprof.NewProfiler(graph, log)
    answer = functools.partial(tfprof.Profile)
    answer.coverage = [tfprof.AddStep(step, b"", read(path), b"")
                       for step, path in inputs["runs"]]
    return answer


def _body(text):
    """The legend and the rows. The op view ends input shapes with a blank
    line, which nobody needs at the end."""
    _, mark, rest = text.partition("\nProfile:\n")
    if not mark:
        return ""
    end = rest.rindex("\n======================End of Report")
    return rest[:end].rstrip("\n") + "\n"


def _total_runs(data, child, runs):
    """total_run_count of a GraphNodeProto and all below it, as printed."""
    own, below = 0, []
    for number, _, value in wirebytes.fields(data):
        if number == runs:
            own = value
        elif number == child:
            below += _total_runs(value, child, runs)
    return [own, *below]


@contextlib.contextmanager
def _printed():
    """A list that has what C printed in the meantime."""
    out, found = os.memfd_create("stdout"), []
    os.dup2(out, 1)
    yield found
    ctypes.CDLL(None).fflush(None)
    with open(out, "rb") as file:
        file.seek(0)
        found.append(file.read().decode(errors="surrogateescape"))


def _advice(profile, checkers):
    from tensorflow.core.profiler import tfprof_options_pb2
    from tensorflow.core.profiler import tfprof_output_pb2

    options = tfprof_options_pb2.AdvisorOptionsProto()
    for name in checkers:
        options.checkers[name].SetInParent()
    with _printed() as text:
        message = profile(b"advise", options.SerializeToString())
    advice = tfprof_output_pb2.AdviceProto.FromString(message)
    return {"text": text[0],
            "reports": {name: list(checker.reports)
                        for name, checker in advice.checkers.items()}}


def _answer(profile, request):
    from tensorflow.core.profiler import tfprof_options_pb2
    from tensorflow.core.profiler import tfprof_output_pb2

    if "advise" in request:
        return _advice(profile, request["advise"])
    options = request["options"]
    options["account_type_regexes"] = [
        f"(?:{regex})|{_TOLD.lower()}"
        if regex != ".*" and re.fullmatch(regex, _SYCL.lower()) else regex
        for regex in options["account_type_regexes"]]
    with _printed() as text:
        message = profile(
            request["view"].encode(),
            tfprof_options_pb2.OptionsProto(**options).SerializeToString())
    if request.get("raw"):
        message = message.replace(_TOLD.lower().encode(),
                                  _SYCL.lower().encode())
        return {"message": base64.b64encode(message).decode()}
    reply = {"text": _body(text[0]).replace(_TOLD.lower(), _SYCL.lower()),
             "peaks": re.findall(r"^(.*) peak memory: (.*) MB$", text[0],
                                 re.MULTILINE),
             "coverage": getattr(profile, "coverage", [])}
    if request["view"] in ("scope", "graph"):
        fields = tfprof_output_pb2.GraphNodeProto.DESCRIPTOR.fields_by_name
        sys.setrecursionlimit(100000)
        reply["runs"] = _total_runs(message, fields["children"].number,
                                    fields["total_run_count"].number)
    return reply


def _forked(work, reply):
    """Does `work` in a child, and says so when the child dies of it."""
    said = os.memfd_create("stderr")
    child = os.fork()
    if not child:
        try:
            os.dup2(said, 2)
            work()
            os._exit(0)
        except BaseException as error:  # the parent has to hear of it
            reply({"failed": f"{type(error).__name__}: {error}"})
            os._exit(0)
    _, status = os.waitpid(child, 0)
    if status:
        with open(said, "rb") as file:
            file.seek(0)
            words = file.read().decode(errors="replace").strip()
        reply({"failed": f"exit code {os.waitstatus_to_exitcode(status)}: "
                         + words[-2000:]})
    else:
        os.close(said)


def main():
    # Unbuffered: what one process has not read, the next one will.
    requests = os.fdopen(os.dup(0), "rb", buffering=0)
    replies = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)

    from tensorflow.python.util import _pywrap_tfprof as tfprof

    def reply(message):
        data = json.dumps(message).encode() + b"\n"
        while data:
            data = data[os.write(replies, data):]

    def answer(profile, request):
        signal.alarm(SECONDS)
        reply(_answer(profile, request))

    def keep(inputs):
        profile = _load(tfprof, inputs)
        reply({"opened": True})
        for line in iter(requests.readline, b""):
            request = json.loads(line)
            if "close" in request:
                reply({"closed": True})
                return
            _forked(lambda: answer(profile, request), reply)

    for line in iter(requests.readline, b""):
        _forked(lambda: keep(json.loads(line)["open"]), reply)


if __name__ == "__main__":
    main()
