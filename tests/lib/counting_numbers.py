"""Numbers that count what is done with them.

An operation written down as it is defined, and run on these, says how much
arithmetic it is: nothing is typed in. The conventions are those of
docs/float-operations.md: a sum of n products starts from nothing and counts n
multiply-adds, an elementary function is one operation.
"""

import itertools
import math


class Tape:
    """What was done since the last reset."""

    ops = 0
    macs = 0

    @classmethod
    def measure(cls, work):
        """(operations, multiply-adds) of calling `work`."""
        cls.ops = cls.macs = 0
        work()
        return cls.ops, cls.macs


def elementary(*_):
    """exp, log, sqrt, max, a comparison: one operation."""
    Tape.ops += 1
    return Number()


class Number:
    """Arithmetic without values."""

    def _operate(self, *_):
        return elementary()

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _operate
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __mod__ = _operate
    __floordiv__ = __neg__ = __abs__ = __lt__ = __le__ = __gt__ = _operate
    __ge__ = _operate


def multiply_add(total, a, b):
    """total + a*b, known to be one."""
    Tape.macs += 1
    return total + a * b


# ---- Tensors -----------------------------------------------------------------

def places(shape):
    return itertools.product(*map(range, shape))


def size(shape):
    return math.prod(shape)


def by_element(shape, function, arguments=1):
    """function(number, ...) for each element."""
    def work():
        for _ in places(shape):
            function(*(Number() for _ in range(arguments)))
    return work


def reduce_rows(rows, length, combine=elementary, finish=None, start=False):
    """`rows` reductions of `length` elements each. With `start` the first
    element is combined, too; an empty one does nothing."""
    def work():
        for _ in range(rows):
            total = Number()
            for k in range(length):
                if start or k > 0:
                    total = combine(total, Number())
            if finish:
                finish(total)
    return work


def matmul(batch, rows, shared, columns):
    def work():
        for _ in places((batch, rows, columns)):
            total = Number()
            for _ in range(shared):
                total = multiply_add(total, Number(), Number())
    return work


def einsum(equation, *shapes):
    """As the equation says, by loops over its labels; "..." is spelled out."""
    operands, result = equation.split("->")
    operands = operands.split(",")
    extent = {}
    for labels, shape in zip(operands, shapes):
        for label, dim in zip(labels, shape):
            extent[label] = max(extent.get(label, 1), dim)
    summed = [label for label in extent if label not in result]

    def work():
        for _ in places([extent[label] for label in result]):
            total = Number()
            for _ in places([extent[label] for label in summed]):
                if summed:
                    total = multiply_add(total, Number(), Number())
                else:
                    total = Number() * Number()
    return work


def convolve(outputs, kernel, depth):
    """For each output each tap of the kernel, wherever it falls."""
    def work():
        for _ in places(outputs):
            total = Number()
            for _ in places((*kernel, depth)):
                total = multiply_add(total, Number(), Number())
    return work


def pool(outputs, kernel, combine=elementary):
    """A window for each output, from a start that is no element."""
    return reduce_rows(size(outputs), size(kernel), combine, start=True)


def both(*works):
    def work():
        for one in works:
            one()
    return work
