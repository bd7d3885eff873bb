"""Small messages with any content, in wire bytes, and views of them."""

import os

from faults import complaint, field, integer, run

VIEWS = ("scope", "graph", "op", "code")
FORMATS = ("text", "json", "csv")
LARGEST = (1 << 63) - 1
SMALLEST = -1 << 63
COSTS = ("bytes", "peak_bytes", "residual_bytes", "output_bytes", "micros",
         "accelerator_micros", "cpu_micros", "params", "float_ops",
         "occurrence", "queue_micros")
EVERYTHING = ",".join((*COSTS, "device", "op_types", "input_shapes",
                       "tensor_value", "num_hidden_ops"))
# Options that let every row pass, also one whose costs are below 0.
LOW = [f"--min_{cost}={SMALLEST}" for cost in COSTS]
NOON = 1_700_000_000_000_000  # a time that a record may well have
CPU = b"/job:localhost/replica:0/task:0/device:CPU:0"
GPU = b"/job:localhost/replica:0/task:0/device:GPU:0"


# ---- GraphDef ---------------------------------------------------------------

def dims(*sizes):
    """A TensorShapeProto."""
    return b"".join(field(2, integer(1, size)) for size in sizes)


def attribute(name, value):
    return field(5, field(1, name) + field(2, value))


def node_def(name, op=b"NoOp", inputs=(), shape=None, outputs=None, device=b""):
    """A node; with `shape`, a variable of that many parameters."""
    body = field(1, name) + field(2, op)
    body += b"".join(field(3, source) for source in inputs)
    if device:
        body += field(4, device)
    if shape is not None:
        body += attribute(b"shape", field(7, dims(*shape)))
    if outputs is not None:
        body += attribute(b"_output_shapes", field(1, b"".join(
            field(7, dims(*sizes)) for sizes in outputs)))
    return field(1, body)


# ---- RunMetadata ------------------------------------------------------------

def record(name, start=NOON, end=5, memory=(), outputs=(), temp=0, kept=0,
           scheduled=0):
    """A NodeExecStats that takes `end` microseconds; `memory` has total, peak
    and live bytes for each allocator, `outputs` the bytes of each."""
    body = (field(1, name) + integer(2, start) + integer(3, 1)
            + integer(4, end) + integer(5, end))
    for total, peak, live in memory:
        body += field(6, field(1, b"cpu") + integer(2, total)
                      + integer(3, peak) + integer(4, live))
    for slot, size in enumerate(outputs):
        body += field(7, integer(1, slot) + field(3, field(
            4, integer(1, size) + integer(2, size))))
    if scheduled:
        body += integer(9, scheduled)
    if temp or kept:
        body += field(12, integer(1, temp) + integer(3, kept))
    return field(2, body)


def run_of(*devices):
    """A RunMetadata of (device, its records in one piece)."""
    return field(1, b"".join(field(1, field(1, name) + records)
                             for name, records in devices))


# ---- OpLogProto -------------------------------------------------------------

def frame(file_id, line, function_id=2, text_id=3):
    return field(1, integer(6, file_id) + integer(2, line)
                 + integer(7, function_id) + integer(8, text_id))


def entry(name, frames=None, types=(), float_ops=0):
    """`frames` in one piece; None is an entry without any."""
    body = field(1, name) + b"".join(field(3, word) for word in types)
    if float_ops:
        body += integer(2, float_ops)
    if frames is not None:
        body += field(4, frames)
    return field(1, body)


def strings(words):
    """The strings that frames name by number."""
    return b"".join(field(2, integer(1, number) + field(2, word))
                    for number, word in words.items())


CODE = {1: b"model.py", 2: b"build", 3: b"x = layer(x)"}


# ---- Views ------------------------------------------------------------------

class Folder:
    """Files in a directory, each given by the option that goes with it."""

    ROLES = {"graph": "--graph_path", "run": "--run_meta_path",
             "log": "--op_log_path"}

    def __init__(self, path, **files):
        self.path = path
        self.args = []
        for name, data in files.items():
            (path / name).write_bytes(data)
            role = self.ROLES[name.rstrip("0123456789")]
            self.args += [role, os.fspath(path / name)]

    def ask(self, view, *args, **kwargs):
        """(stdout, notes on stderr) of a view that must answer."""
        code, out, err = run(view, *self.args, *map(str, args), **kwargs)
        assert code == 0, err.decode(errors="replace")
        return out, notes(err)

    def refuse(self, view, *args, code=2, **kwargs):
        """What is said when it must not."""
        found, out, err = run(view, *self.args, *map(str, args), **kwargs)
        assert (found, out) == (code, b""), (found, out, err)
        return complaint(err)


def notes(err):
    """The remarks on stderr, when there is nothing else."""
    lines = err.decode().splitlines()
    start = "tfprof: note: "
    assert all(line.startswith(start) for line in lines), lines
    return [line[len(start):] for line in lines]


def rows(out):
    """[(level, name)] of a text of the scope, graph or code view."""
    found = []
    for line in out.decode().splitlines()[1:]:
        name = line.lstrip(" ").rpartition(" (")[0]
        found.append(((len(line) - len(line.lstrip(" "))) // 2, name))
    return found
