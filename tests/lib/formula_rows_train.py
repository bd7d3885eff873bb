"""Rows of optimizers."""

from counting_numbers import by_element, size
from formula_graphs import In, number, reference, variable
from formula_row import F, I, Row, e, f, i


def adam(m, v, var, g):
    m = m + (g - m) * 0.1
    v = v + (g * g - v) * 0.1
    return var - m * 0.01 / (e(v) + 1e-7)


def amsgrad(m, v, var, g):
    m = m + (g - m) * 0.1
    v = v + (g * g - v) * 0.1
    return var - m * 0.01 / (e(e(v)) + 1e-7)


def ada_max(m, v, var, g):
    m = m + (g - m) * 0.1
    v = e(v * 0.9, abs(g))
    return var - m * 0.01 / (v + 1e-7)


def rms_prop(ms, mom, var, g):
    ms = ms + (g * g - ms) * 0.1
    mom = mom * 0.9 + g * 0.01 / e(ms + 1e-7)
    return var - mom


def centered_rms_prop(mg, ms, mom, var, g):
    ms = ms + (g * g - ms) * 0.1
    mg = mg + (g - mg) * 0.1
    mom = mom * 0.9 + g * 0.01 / e(ms - mg * mg + 1e-7)
    return var - mom


def adadelta(accum, update, var, g):
    accum = accum * 0.9 + g * g * 0.1
    step = e(update + 1e-7) * (1 / e(accum + 1e-7)) * g
    update = update * 0.9 + step * step * 0.1
    return var - step * 0.01


def momentum(accum, var, g):
    accum = accum * 0.9 + g
    return var - accum * 0.01


def adagrad(accum, var, g):
    accum = accum + g * g
    return var - g * 0.01 / e(accum)


def add_sign(m, var, g):
    m = m * 0.9 + g * 0.1
    return var - (1 + 0.5 * (e(g) * e(m))) * 0.01 * g


def power_sign(m, var, g):
    m = m * 0.9 + g * 0.1
    return var - e(0.5 * (e(g) * e(m))) * 0.01 * g


def proximal_gradient_descent(var, g):
    step = var - g * 0.01
    return e(step) * e(abs(step) - 0.1) / 1.1


def proximal_adagrad(accum, var, g):
    accum = accum + g * g
    rate = 0.01 * (1 / e(accum))
    step = var - g * rate
    return e(step) * e(abs(step) - rate * 0.1) / (1 + rate * 0.1)


def adagrad_da(total, squares, g):
    total = total + g
    squares = squares + g * g
    rest = e(total) * e(abs(total) - 0.1)
    return rest * 0.01 / (0.1 + e(squares))


# name: which input the gradient is, how many inputs, how many of them are
# variables, what is done. Numbers where the proposal is kept that a literal
# count would exceed by a few: docs/float-operations.md.
OPTIMIZERS = {
    "AdaMax": (8, 9, 3, ada_max),
    "Adadelta": (6, 7, 3, adadelta),
    "Adagrad": (3, 4, 2, adagrad),
    "AdagradDA": (3, 8, 3, adagrad_da),
    "AdagradV2": (4, 5, 2, 6),
    "Adam": (9, 10, 3, adam),
    "AddSign": (6, 7, 2, add_sign),
    "CenteredRMSProp": (8, 9, 4, centered_rms_prop),
    "Ftrl": (3, 8, 3, 16),
    "FtrlV2": (3, 9, 3, 16),
    "GradientDescent": (2, 3, 1, lambda var, g: var - g * 0.01),
    "Momentum": (3, 5, 2, momentum),
    "PowerSign": (6, 7, 2, power_sign),
    "ProximalAdagrad": (5, 6, 2, proximal_adagrad),
    "ProximalGradientDescent": (4, 5, 1, proximal_gradient_descent),
    "RMSProp": (7, 8, 3, rms_prop),
}
ONLY_RESOURCES = {
    "AdamWithAmsgrad": (10, 11, 4, amsgrad),
    "KerasMomentum": (3, 5, 2, momentum),
}
NO_ROWS = ("AdaMax", "Adam", "AddSign", "GradientDescent", "PowerSign",
           "AdamWithAmsgrad")


def optimizer(name, facts, resource, rows):
    """rows: of the gradient, for indices; or None, and it is dense."""
    grad, count, variables, step = facts
    full, given = (9, 5), (9, 5) if rows is None else (rows, 5)
    inputs = [f()] * count
    for k in range(variables):
        inputs[k] = (variable if resource else reference)(*full)
    inputs[grad] = f(*given)
    attrs = {"T": F}
    if rows is not None:
        inputs.insert(grad + 1, i(rows))
        attrs["Tindices"] = I
    prefix = "Resource" if resource else ""
    prefix += "Apply" if rows is None else "SparseApply"
    if name == "AdagradDA":
        inputs[-1] = In((), "int64")
    arguments = step.__code__.co_argcount if callable(step) else 0
    work = (by_element(given, step, arguments) if callable(step)
            else step * size(given))
    return Row(prefix + name, inputs, [] if resource else [full], work, **attrs)


def training():
    for name, facts in OPTIMIZERS.items():
        for rows in (None, 4):
            if rows is None or name not in NO_ROWS:
                yield optimizer(name, facts, False, rows)
                yield optimizer(name, facts, True, rows)
    for name, facts in ONLY_RESOURCES.items():
        for rows in (None, 4):
            if rows is None or name not in NO_ROWS:
                yield optimizer(name, facts, True, rows)
    handle = In((), "resource")
    for op in ("AccumulatorApplyGradient", "ResourceAccumulatorApplyGradient"):
        yield Row(op, [handle if op[0] == "R" else In((), "string"),
                       In((), "int64"), f(4, 5)], [],
                  by_element((4, 5), e), dtype=F)
    for op in ("AccumulatorTakeGradient", "ResourceAccumulatorTakeGradient"):
        yield Row(op, [handle if op[0] == "R" else In((), "string"),
                       number(3)], [(4, 5)], by_element((4, 5), e), dtype=F)
