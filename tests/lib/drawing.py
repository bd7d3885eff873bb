"""Small files with random content, well formed, and questions about them."""

import contextlib
import pathlib
import tempfile

from hypothesis import strategies as st

from messages import (COSTS, EVERYTHING, LARGEST, SMALLEST, Folder, entry,
                      frame, node_def, record, run_of, strings)

# Few words, so that nodes, records and entries meet.
NAMES = [b"a", b"b", b"a/b", b"a/b/c", b"a/c", b"_TFProfRoot", b"", b"/", b"//",
         b"gradients/a_grad/x", b"a/", b"x\0y", b"\xff", b"w\x1b[2J", b"a:0",
         "é".encode(), b"RecvTensor", b"_SOURCE", b"MEMCPYHtoD", b"=x"]
NAME = st.sampled_from(NAMES)
TYPE = st.sampled_from([b"NoOp", b"VariableV2", b"Conv2D", b"", b"a", b"\xff",
                        b"_trainable_variables", b"_checkpoint_variables"])
DEVICE = st.sampled_from([b"", b"/device:CPU:0", b"/device:GPU:0", b"/gpu:0",
                          b"/device:GPU:0/stream:all", b"/device:TPU:0",
                          b"/device:SYCL:0", b"stream:all", b"/cpu:7"])
NUMBER = st.one_of(
    st.integers(0, 5000), st.sampled_from([
        SMALLEST, SMALLEST + 1, -1, 0, 1, 1 << 31, 1 << 32, 1 << 53, 1 << 62,
        LARGEST - 1, LARGEST]))
SHAPE = st.none() | st.lists(NUMBER, max_size=3)
SOURCE = st.builds(lambda mark, name, output: mark + name + output,
                   st.sampled_from([b"", b"", b"", b"^"]), NAME,
                   st.sampled_from([b"", b"", b":0", b":1", b":x", b":-1"]))


def several(strategy, most):
    return st.lists(strategy, max_size=most).map(b"".join)


NODES = several(st.builds(
    node_def, NAME, TYPE, st.lists(SOURCE, max_size=4), SHAPE,
    st.none() | st.lists(st.lists(NUMBER, max_size=2), max_size=2), DEVICE), 12)
RECORDS = several(st.builds(
    record, NAME, NUMBER, NUMBER,
    st.lists(st.tuples(NUMBER, NUMBER, NUMBER), max_size=2),
    st.lists(NUMBER, max_size=2), NUMBER, NUMBER), 8)
RUN = st.lists(st.tuples(DEVICE, RECORDS), max_size=4).map(
    lambda devices: run_of(*devices))
FRAMES = several(st.builds(frame, st.integers(0, 4), NUMBER,
                           st.integers(0, 4), st.integers(0, 4)), 5)
LOG = st.builds(lambda entries, words: entries + strings(words), several(
    st.builds(entry, NAME, st.none() | FRAMES, st.lists(TYPE, max_size=2),
              NUMBER), 8),
    st.dictionaries(st.integers(0, 4), NAME, max_size=5))
# Enough of each file to be known by; of the rest nothing has to make sense.
HEADS = {
    "graph": b"".join(node_def(b"plain/%d" % i, b"Const", shape=[i])
                      for i in range(4)),
    "run": run_of((b"/device:CPU:0", record(b"plain/1") * 4)),
    "log": entry(b"plain/1", frame(1, 7), [b"plain"]) * 4,
}
FILES = st.fixed_dictionaries(
    {"graph": NODES, "log": LOG}, optional={"run": RUN, "run2": RUN})

PATTERNS = st.lists(st.sampled_from(
    [".*", "a", "a/.*", "[ab]", "NoOp", ".*gpu.*", "", "(a|b).*", r".*\.py.*",
     "_TFProfRoot", ".{2,}"]), max_size=2).map(",".join)
OPTIONS = st.fixed_dictionaries({}, optional={
    "max_depth": st.sampled_from([-1, 0, 1, 2, 3, 100, (1 << 31) - 1]),
    "step": st.sampled_from([-2, -1, -1, -1, 0, 0, 1, 2]),
    "order_by": st.sampled_from(["name", "depth", *COSTS]),
    "account_displayed_op_only": st.sampled_from(["true", "false"]),
    "select": st.one_of(st.just(EVERYTHING), st.lists(st.sampled_from(
        EVERYTHING.split(",")), min_size=1, max_size=4).map(",".join)),
    **{f"min_{cost}": NUMBER for cost in COSTS[::3]},
    **{name: PATTERNS for name in (
        "account_type_regexes", "start_name_regexes", "trim_name_regexes",
        "show_name_regexes", "hide_name_regexes", "device_regexes")},
})


def files(drawn):
    """What FILES gave, as Folder() takes it."""
    return {name: HEADS[name.rstrip("2")] + data
            for name, data in drawn.items()}


@contextlib.contextmanager
def question(drawn, options):
    """A folder with the files, and the words of a question about them."""
    with tempfile.TemporaryDirectory() as place:
        folder = Folder(pathlib.Path(place), **files(drawn))
        yield folder, [*folder.args, *(f"--{name}={value}"
                                       for name, value in options.items())]
