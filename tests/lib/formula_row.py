"""What a row of the tests of formulas is: a node, and its work written down
as it is defined, on numbers that count.

What is approximate by its nature (decompositions, transforms, recurrent
cells, colours) is worked out by a formula in plain Python instead, as the
documentation has it.
"""

from counting_numbers import Number, Tape, elementary
from formula_graphs import In, Type

e = elementary
SHAPE = (2, 3, 5)


class Row:
    """`work` is a function to be run on counting numbers, or a number of
    operations; `integer` says which sum it belongs to."""

    def __init__(self, op, inputs, outputs, work, integer=False, **attrs):
        self.op, self.inputs, self.outputs = op, inputs, outputs
        self.work, self.integer, self.attrs = work, integer, attrs

    def expected(self):
        """(float operations, integer operations, multiply-adds)"""
        ops, macs = (Tape.measure(self.work) if callable(self.work)
                     else (self.work, 0))
        return (0, ops, macs) if self.integer else (ops, 0, macs)


F, I, Z = Type("float32"), Type("int32"), Type("complex64")


def f(*shape):
    return In(shape)


def i(*shape):
    return In(shape, "int32")


def q(*shape):
    return In(shape, "quint8")


def interpolate(*_):
    """Between four, by three lines: a + (b - a)*t."""
    for _ in range(3):
        _ = Number() + (Number() - Number()) * Number()
