"""Rows of recurrent cells and of images."""

from counting_numbers import (Number, both, by_element, matmul, places,
                              reduce_rows, size)
from formula_graphs import In, Type, ints, number
from formula_row import F, Row, e, f, i, interpolate, q

# ---- Recurrent ---------------------------------------------------------------

def cell(batch, inputs, units, gates, by_unit):
    """What comes in and what was before by the gates' weights."""
    return both(matmul(1, batch, inputs + units, gates * units),
                by_element((batch, units), lambda h: [e(h) for _ in
                                                      range(by_unit)]))


def recurrent():
    b, n, h, t = 2, 6, 4, 3
    state = (b, h)
    peepholes = [f(h)] * 3
    weights = [f(n + h, 4 * h), *peepholes, f(4 * h)]
    lstm = cell(b, n, h, 4, 26)
    yield Row("LSTMBlockCell", [f(b, n), f(*state), f(*state), *weights],
              [state] * 7, lstm, T=F)
    yield Row("LSTMBlockCellGrad",
              [f(b, n), f(*state), f(*state), *weights, *[f(*state)] * 8],
              [state, (b, 4 * h), (h,), (h,), (h,)],
              by_element(state, lstm_grad, 9), T=F, use_peephole=False)
    gru = cell(b, n, h, 3, 17)
    inputs = [f(b, n), f(*state), f(n + h, 2 * h), f(n + h, h), f(2 * h), f(h)]
    yield Row("GRUBlockCell", inputs, [state] * 4, gru, T=F)
    yield Row("GRUBlockCellGrad", [*inputs, *[f(*state)] * 4],
              [(b, n), state, state, (b, 2 * h)], gru, T=F)
    inputs = [In((), "int64"), f(t, b, n), f(*state), f(*state), *weights]
    for op in ("BlockLSTM", "BlockLSTMV2"):
        yield Row(op, inputs, [(t, b, h)] * 7, both(*[lstm] * t), T=F)
    for op in ("BlockLSTMGrad", "BlockLSTMGradV2"):
        yield Row(op, [*inputs, *[f(t, b, h)] * 9],
                  [(t, b, n), state, state, (n + h, 4 * h), (h,), (h,), (h,),
                   (4 * h,)], both(*[lstm] * (2 * t)), T=F,
                  use_peephole=False)
    yield from cudnn(b, n, h, t)


def lstm_grad(i_, f_, o, ci, co, cs, cs_prev, cs_grad, h_grad):
    """The gradients of the four gates of one unit."""
    _ = o * (1 - o) * h_grad * co
    dcs = (1 - co * co) * h_grad * o + cs_grad
    _ = (1 - ci * ci) * i_ * dcs
    _ = f_ * (1 - f_) * cs_prev * dcs
    _ = i_ * (1 - i_) * ci * dcs
    return dcs * f_


def cudnn(b, n, h, t):
    for mode, gates in (("lstm", 4), ("gru", 3), ("rnn_tanh", 1)):
        for layers, directions in ((1, 1), (2, 2), (3, 1)):
            steps = []
            for layer in range(layers):
                fed = directions * h if layer else n
                steps += [cell(b, fed, h, gates, 26)] * directions * t
            kinds = {"T": F, "rnn_mode": mode, "direction": (
                "bidirectional" if directions == 2 else "unidirectional")}
            states = (layers * directions, b, h)
            wide = (t, b, directions * h)
            inputs = [f(t, b, n), f(*states), f(*states), f(99)]
            outputs = [wide, states, states if gates == 4 else (), None]
            results = [f(*wide), f(*states), f(*states)]
            forward, back = both(*steps), both(*steps, *steps)
            yield Row("CudnnRNN", inputs, outputs, forward, **kinds)
            yield Row("CudnnRNNV2", inputs, [*outputs, None], forward, **kinds)
            yield Row("CudnnRNNV3", [*inputs, i(b)], [*outputs, None],
                      forward, **kinds)
            grads = [(t, b, n), states, states, (99,)]
            yield Row("CudnnRNNBackprop", [*inputs, *results, *results, f(9)],
                      grads, back, **kinds)
            yield Row("CudnnRNNBackpropV2", [*inputs, *results, *results,
                                             f(9), In((9,), "int8")],
                      grads, back, **kinds)
            yield Row("CudnnRNNBackpropV3", [*inputs, i(b), *results,
                                             *results, f(9),
                                             In((9,), "int8")],
                      grads, back, **kinds)
    yield Row("CudnnRNNV3", [f(b, t, n), f(b, 1, h), f(b, 1, h), f(99), i(b)],
              [(b, t, h), (b, 1, h), (b, 1, h), None, None],
              both(*[cell(b, n, h, 4, 26)] * t), T=F, time_major=False)


# ---- Images ------------------------------------------------------------------

def mix16(*_):
    """Sixteen neighbours, each by its weight."""
    total = Number()
    for _ in range(16):
        total = total + Number() * Number()


def images():
    small, large = (2, 4, 5, 3), (2, 8, 10, 3)
    to = ints(8, 10)
    yield Row("ResizeBilinear", [f(*small), to], [large],
              by_element(large, interpolate), T=F)
    yield Row("ResizeBilinear", [In(small, "uint8"), to], [large],
              by_element(large, interpolate), T=Type("uint8"))
    yield Row("ResizeBicubic", [f(*small), to], [large],
              by_element(large, mix16), T=F)
    yield Row("ResizeBilinearGrad", [f(*large), f(*small)], [small],
              9 * size(large), T=F)
    yield Row("ResizeBicubicGrad", [f(*large), f(*small)], [small],
              by_element(large, mix16), T=F)
    yield Row("ResizeNearestNeighborGrad", [f(*large), ints(4, 5)], [small],
              by_element(large, e), T=F)
    weigh = lambda x: x * 0.5 + 1  # noqa: E731, a step of a sum
    yield Row("ResizeArea", [f(*large), ints(4, 5)], [small],
              by_element(large, weigh), T=F)
    yield Row("ResizeArea", [f(*small), to], [large],
              by_element(large, weigh), T=F)
    yield Row("QuantizedResizeBilinear", [q(*small), to, f(), f()],
              [large, (), ()], by_element(large, interpolate), True,
              T=Type("quint8"))
    boxes, crops = [f(7, 4), i(7)], (7, 6, 6, 3)
    yield Row("CropAndResize", [f(*small), *boxes, ints(6, 6)], [crops],
              by_element(crops, interpolate), T=F)
    yield Row("CropAndResizeGradImage", [f(*crops), *boxes, ints(*small)],
              [small], 9 * size(crops), T=F)
    yield Row("CropAndResizeGradImage", [f(*crops), *boxes, ints(*small)],
              [small], by_element(crops, e), T=F, method="nearest")
    yield Row("CropAndResizeGradBoxes", [f(*crops), f(*small), *boxes],
              [(7, 4)], 22 * size(crops), T=F)

    def project(interpolated):
        def work():
            for _ in places(large[:-1]):
                x = y = Number()
                k = Number() * x + Number() * y + 1
                _ = (Number() * x + Number() * y + 1) / k
                _ = (Number() * x + Number() * y + 1) / k
                for _ in range(large[-1] if interpolated else 0):
                    interpolate()
        return work

    for op, more in (("ImageProjectiveTransformV2", []),
                     ("ImageProjectiveTransformV3", [f()])):
        for how in ("BILINEAR", "NEAREST"):
            yield Row(op, [f(*small), f(2, 8), to, *more], [large],
                      project(how == "BILINEAR"), dtype=F, interpolation=how)
    n = size(large)
    yield Row("AdjustContrastv2", [f(*large), f()], [large], both(
        reduce_rows(6, 80, finish=lambda s: s / 80),
        by_element(large, lambda x: (x - 1) * 2 + 1)), T=F)
    yield Row("AdjustContrast", [f(*large), f(), f(), f()], [large], both(
        reduce_rows(6, 80, finish=lambda s: s / 80),
        by_element(large, lambda x: e(e((x - 1) * 2 + 1)))), T=F)
    for op, each in (("AdjustHue", 14), ("AdjustSaturation", 14)):
        yield Row(op, [f(*large), f()], [large], each * n, T=F)
    for op, each in (("HSVToRGB", 9), ("RGBToHSV", 4)):
        yield Row(op, [f(*large)], [large], each * n, T=F)


def suppress(boxes, kept):
    """Each box that is kept is held against all: do they overlap by more?"""
    def work():
        for _ in range(kept):
            for _ in range(boxes):
                height = e(Number()) - e(Number())  # min of ends, max of starts
                width = e(Number()) - e(Number())
                shared = height * width
                union = Number() - shared  # of both areas, which are known
                _ = shared / union > 0.5
    return work


def boxes():
    n, kept = 17, 6
    inputs = [f(n, 4), f(n), number(kept)]
    some = (None,)
    work = suppress(n, kept)
    yield Row("NonMaxSuppression", inputs, [some], work)
    yield Row("NonMaxSuppressionV2", [*inputs, f()], [some], work, T=F)
    yield Row("NonMaxSuppressionV3", [*inputs, f(), f()], [some], work, T=F)
    yield Row("NonMaxSuppressionV4", [*inputs, f(), f()], [some, ()], work, T=F)
    yield Row("NonMaxSuppressionV5", [*inputs, f(), f(), f()],
              [some, some, ()], work, T=F)
    yield Row("NonMaxSuppressionWithOverlaps",
              [f(n, n), f(n), number(kept), f(), f()], [some],
              by_element((n, kept), e))
    yield Row("CombinedNonMaxSuppression",
              [f(2, n, 1, 4), f(2, n, 3), number(kept), number(9), f(), f()],
              [(2, 9, 4), (2, 9), (2, 9), (2,)],
              both(*[work] * (2 * 3)))
