"""Random small models with hostile values: a graph, runs and an op log whose
names, shapes, times and sizes are those that programs trip over."""

from faults import field, integer
from flops_models import (function, function_attr, graph, node, shape_attr,
                          string_attr, type_attr)
from growing import number_attr, numbers_attr, shapes_attr
from messages import (CPU, GPU, LARGEST, NOON, SMALLEST, attribute, dims,
                      entry, frame, run_of, strings)

NUMBERS = [0, 1, -1, 2, 7, 1000, 999999, 10**15, 2**31 - 1, 2**31, -2**31,
           2**32, 2**53, 2**53 + 1, 2**62, LARGEST, SMALLEST, SMALLEST + 1]
NAMES = [b"a", b"b", b"a/b", b"a/b/c", b"a//b", b"/", b"a/", b"/a", b"",
         b"_TFProfRoot", b"_TFProfRoot/x", b"_kTFScopeParent", b"^a", b"a:0",
         b"a:1", b"gradients/a_grad/x", b"gradients/a/b_grad/Mul", b"x" * 300,
         b"\xff\xfe", b"n\0m", b"caf\xc3\xa9", b"(7 more)", b"a b", b"a|b",
         b"_SOURCE", b"s/t/u/v/w", b"a/b:0", b"_arg_a_0_1",
         b"a/LoopCond/_12", b"-1", b"=1"]
OPS = [b"Relu", b"MatMul", b"Conv2D", b"Const", b"VariableV2", b"Placeholder",
       b"Add", b"NoOp", b"RecvTensor", b"_Send", b"Identity", b"", b"Foo",
       b"Switch", b"Merge", b"Enter", b"Exit", b"NextIteration", b"LoopCond",
       b"VarHandleOp", b"ReadVariableOp", b"StatefulPartitionedCall",
       b"While", b"If", b"Split", b"FusedBatchNorm", b"BiasAdd", b"Reshape",
       b"\x1b[2J"]
DEVICES = [CPU, GPU, b"/gpu:0", b"/cpu:0", b"/device:GPU:0/stream:all",
           GPU + b"/stream:all", GPU + b"/stream:12", GPU + b"/memcpy", b"",
           b"weird", b"/job:worker/replica:0/task:3/device:TPU:0",
           GPU + b"/stream:H2D", b"/host:CPU"]
SIZES = [1, 2, 3, 5, -1, -1, 0, 2**31, 2**40, 2**62, -2, SMALLEST]


class Hostile:
    """One model; `draw` is a random.Random."""

    def __init__(self, draw):
        self.draw = draw
        self.names = draw.sample(NAMES, draw.randrange(1, 12)) + [
            b"n%d/m%d" % (draw.randrange(3), i)
            for i in range(draw.randrange(8))]
        self.graph = self._graph()
        self.runs = [self._run() for _ in range(draw.randrange(4))]
        self.log = self._log() if self.chance(.6) else None

    def chance(self, part):
        return self.draw.random() < part

    def some(self, most, make):
        """Up to so many, less one, of what make() gives."""
        return [make() for _ in range(self.draw.randrange(most))]

    def number(self):
        return self.draw.choice(NUMBERS)

    def sizes(self):
        return self.some(5, lambda: self.draw.choice(SIZES))

    # ---- The graph ----------------------------------------------------------

    def _source(self):
        name = self.draw.choice(self.names)
        port = self.draw.choice([0, 1, 5, 2**31, 2**40])
        return self.draw.choice([name, b"^" + name, b"%s:%d" % (name, port),
                                 b"missing", name + b":x:0"])

    def _attrs(self):
        draw = self.draw
        makers = [
            (.5, lambda: shape_attr(b"shape", self.sizes())),
            (.5, lambda: shapes_attr(*self.some(3, self.sizes))),
            (.5, lambda: type_attr(b"T", draw.choice([1, 3, 9, 10, 20, 21,
                                                      9999]))),
            (.5, lambda: type_attr(b"dtype", draw.choice([1, 3, 9, 7, -1]))),
            (.2, lambda: number_attr(b"N", self.number())),
            (.2, lambda: function_attr(
                draw.choice([b"f", b"body", b"cond", b"then_branch",
                             b"else_branch"]),
                draw.choice([b"f0", b"f1", b"nope"]))),
            (.1, lambda: attribute(b"value", field(
                8, integer(1, draw.choice([1, 3, 9]))
                + field(2, dims(*self.sizes()))
                + field(4, bytes(self.some(40, lambda: draw.randrange(256))))
            ))),
            (.2, lambda: string_attr(b"frame_name", b"w")
             + string_attr(b"padding", draw.choice([b"SAME", b"VALID", b"x"]))
             + numbers_attr(b"strides", [self.number() for _ in range(4)])),
        ]
        return b"".join(make() for part, make in makers if self.chance(part))

    def _node(self, name):
        device = self.draw.choice([b"", CPU, GPU])
        return node(name, self.draw.choice(OPS),
                    *self.some(4, self._source),
                    attrs=(field(4, device) if device else b"")
                    + self._attrs())

    def _function(self, i):
        draw = self.draw
        return function(
            b"f%d" % i, [(b"x", 1)] * draw.randrange(3),
            self.some(3, lambda: node(
                draw.choice(self.names), draw.choice(OPS), b"x",
                attrs=type_attr(b"T", 1)
                + function_attr(b"f", b"f%d" % draw.randrange(3)))),
            [(b"y", 1, draw.choice([b"x", b"q:o:0"]))])

    def _graph(self):
        names = list(self.names)
        if self.chance(.3):
            names.append(self.draw.choice(names))
        return graph([self._node(name) for name in names],
                     [self._function(i)
                      for i in range(self.draw.randrange(3))])

    # ---- Runs ---------------------------------------------------------------

    def _memory(self):
        return field(6, field(1, self.draw.choice([b"cpu", b"GPU_0_bfc", b""]))
                     + b"".join(integer(i, self.number())
                                for i in (2, 3, 4, 5))
                     + b"".join(self.some(3, lambda: field(
                         6, integer(1, self.number())
                         + integer(2, self.number())))))

    def _output(self):
        slot = self.draw.choice([0, 1, 2, 2**31 - 1, -1, 2**31])
        allocation = (integer(1, self.number()) + integer(2, self.number())
                      + field(3, b"x") + integer(6, self.number()))
        return field(7, integer(1, slot) + field(
            3, integer(1, 1) + field(2, dims(*self.sizes()))
            + field(4, allocation)))

    def _record(self):
        draw = self.draw
        name = draw.choice(self.names)
        body = field(1, draw.choice([name, name, name + b":"
                                     + draw.choice(OPS), b"ghost"]))
        body += integer(2, draw.choice([
            NOON, NOON + draw.randrange(1000), 0, -5, LARGEST, SMALLEST,
            NOON * 1000]))
        for number in (3, 4, 5):
            if self.chance(.8):
                body += integer(number, draw.choice(NUMBERS + [5, 10, 20] * 3))
        body += b"".join(self.some(3, self._memory))
        body += b"".join(self.some(3, self._output))
        if self.chance(.4):
            body += field(12, b"".join(integer(i, self.number())
                                       for i in (1, 3, 2, 4)))
        if self.chance(.2):
            body += field(8, b"label " + name)
        for number in (13, 14, 15, 16, 17):
            if self.chance(.1):
                body += integer(number, self.number())
        return field(2, body)

    def _run(self):
        return run_of(*((self.draw.choice(DEVICES),
                         b"".join(self.some(8, self._record)))
                        for _ in range(self.draw.randrange(1, 4))))

    # ---- The op log ---------------------------------------------------------

    def _frame(self):
        draw = self.draw
        return frame(draw.choice([1, 1, 4, 9, -1]),
                     draw.choice([1, 2, 3, -1, 2**31 - 1]),
                     draw.choice([2, 9]))

    def _entry(self):
        draw = self.draw
        frames = (b"".join(self.some(5, self._frame)) if self.chance(.8)
                  else None)
        types = draw.sample([b"t1", b"_trainable_variables", b"", b"Relu",
                             b"\xff"], draw.randrange(3))
        return entry(draw.choice([*self.names, b"ghost"]), frames, types,
                     self.number())

    def _log(self):
        entries = [self._entry() for _ in range(self.draw.randrange(1, 6))]
        return b"".join(entries) + strings({
            1: b"/a/model.py", 2: b"fn", 3: b"code", 4: b"model.py"})
