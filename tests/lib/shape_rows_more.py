"""Rows of operations around a model: random numbers, optimizers, recurrent
layers, quantization, images. For test_shape_math.py."""

from shape_judge import (const, f, i, l, n, packed, q, reference, reference_of,
                         row, s, u, variable, w)


def random_numbers():
    shape = const([2, 3])
    for op in ("RandomStandardNormal", "RandomUniform", "TruncatedNormal"):
        yield row(op, shape, dtype="float32")
        yield row(op, const([], "int64"), dtype="float32")
    yield row("RandomUniformInt", shape, i(), i())
    yield row("NonDeterministicInts", shape)
    yield row("ParameterizedTruncatedNormal", shape, f(), f(), f(), f())
    yield row("RandomGamma", shape, f(4, 5))
    yield row("RandomPoisson", shape, f(4, 5), legacy=True)
    yield row("RandomPoissonV2", shape, f(4, 5))
    yield row("RandomShuffle", f(2, 3))
    yield row("Multinomial", f(2, 3), const(7))
    yield row("StatelessMultinomial", f(2, 3), const(7), i(2))
    for op in ("StatelessRandomNormal", "StatelessRandomUniform",
               "StatelessTruncatedNormal"):
        yield row(op, shape, i(2))
        yield row(op + "V2", shape, u64(1), u64(2), i())
    yield row("StatelessRandomUniformFullInt", shape, i(2), dtype="int32")
    yield row("StatelessRandomUniformFullIntV2", shape, u64(1), u64(2), i(),
              dtype="int32")
    yield row("StatelessRandomUniformInt", shape, i(2), i(), i())
    yield row("StatelessRandomUniformIntV2", shape, u64(1), u64(2), i(), i(),
              i())
    yield row("StatelessRandomBinomial", const([4, 2, 3]), i(2), f(2, 3), f(3))
    yield row("StatelessRandomPoisson", const([4, 2, 3]), i(2), f(2, 3),
              dtype="float32")
    yield row("StatelessRandomGammaV2", const([4, 2, 3]), i(2), f(2, 3))
    yield row("StatelessRandomGammaV3", const([4, 2, 3]), u64(1), u64(2), i(),
              f(2, 3))
    yield row("StatelessParameterizedTruncatedNormal", const([4, 2, 3]), i(2),
              f(2, 3), f(3), f(), f())
    yield row("StatelessRandomGetAlg")
    yield row("StatelessRandomGetKeyCounter", i(2))
    yield row("StatelessRandomGetKeyCounterAlg", i(2))
    yield row("StatelessShuffle", f(2, 3), u64(1), u64(2), i())
    yield row("StochasticCastToInt", f(2, 3), u64(1), u64(2), i(), Tout="int8")
    generator = variable("int64", 3)
    yield row("StatefulStandardNormal", generator, shape, legacy=True)
    for op in ("StatefulStandardNormalV2", "StatefulTruncatedNormal",
               "StatefulUniform"):
        yield row(op, generator, l(), shape)
    yield row("StatefulUniformFullInt", generator, l(), shape, dtype="int32")
    yield row("StatefulUniformInt", generator, l(), shape, i(), i())
    yield row("StatefulRandomBinomial", generator, l(), const([4, 2, 3]),
              f(2, 3), f(3))
    yield row("RngReadAndSkip", generator, i(), u64())
    for op in ("AllCandidateSampler", "FixedUnigramCandidateSampler",
               "LearnedUnigramCandidateSampler", "LogUniformCandidateSampler",
               "ThreadUnsafeUnigramCandidateSampler",
               "UniformCandidateSampler"):
        more = {} if op == "AllCandidateSampler" else {"range_max": 100}
        yield row(op, l(2, 3), num_true=3, num_sampled=7, unique=True, **more)
    yield row("ComputeAccidentalHits", l(2, 3), l(7), num_true=3)


def optimizers():
    """Names say which inputs are scalars: those in capitals are not."""
    for op, inputs in {
            "AdaMax": "VMVsssssG", "Adadelta": "VAAsssG", "Adagrad": "VAsG",
            "AdagradDA": "VAAGssst", "AdagradV2": "VAssG",
            "Adam": "VMVssssssG", "AddSign": "VMssssG",
            "CenteredRMSProp": "VMMMssssG", "Ftrl": "VALGssss",
            "FtrlV2": "VALGsssss", "GradientDescent": "VsG",
            "Momentum": "VAsGs", "PowerSign": "VMssssG",
            "ProximalAdagrad": "VAsssG", "ProximalGradientDescent": "VsssG",
            "RMSProp": "VMMssssG"}.items():
        # In a graph a variable is of known shape; placeholders of its type
        # can be unknown, as those of functions.
        for shape in ((2, 3), (None, 3), None):
            given = [f(2, 3) if letter == "G" else f() if letter == "s" else
                     l() if letter == "t" else reference_of("float32", shape)
                     for letter in inputs]
            yield row("Apply" + op, *given)
            if op in ("AdaMax", "Adam", "AddSign", "GradientDescent",
                      "PowerSign"):
                continue
            at = inputs.index("G")
            yield row("SparseApply" + op, *given[:at], f(5, 3), i(5),
                      *given[at + 1:])
    for op in ("Assign", "AssignAdd", "AssignSub"):
        for shape in ((2, 3), (None, 3), None):
            yield row(op, reference_of("float32", shape), f(2, 3))
    yield row("Assign", reference("float32", 4, 3), f(2, 3),
              validate_shape=False)
    yield row("CountUpTo", reference("int32"), limit=9)
    yield row("ResourceCountUpTo", variable("int32"), limit=9, T="int32")


def recurrent_layers():
    weights = [f(7, 16), f(4), f(4), f(4), f(16)]
    yield row("LSTMBlockCell", f(2, 3), f(2, 4), f(2, 4), *weights)
    yield row("LSTMBlockCellGrad", f(2, 3), f(2, 4), f(2, 4), *weights,
              *[f(2, 4)] * 8, use_peephole=True)
    for op in ("BlockLSTM", "BlockLSTMV2"):
        yield row(op, l(), f(5, 2, 3), f(2, 4), f(2, 4), *weights)
    for op in ("BlockLSTMGrad", "BlockLSTMGradV2"):
        yield row(op, l(), f(5, 2, 3), f(2, 4), f(2, 4), *weights,
                  *[f(5, 2, 4)] * 9, use_peephole=True)
    weights = [f(7, 8), f(7, 4), f(8), f(4)]
    yield row("GRUBlockCell", f(2, 3), f(2, 4), *weights)
    yield row("GRUBlockCellGrad", f(2, 3), f(2, 4), *weights, *[f(2, 4)] * 4)
    for mode in ("lstm", "gru", "rnn_relu"):
        for direction in ("unidirectional", "bidirectional"):
            given = [f(5, 2, 3), f(2, 2, 4), f(2, 2, 4), f(99)]
            attrs = {"rnn_mode": mode, "direction": direction}
            yield row("CudnnRNN", *given, **attrs)
            yield row("CudnnRNNV2", *given, **attrs)
            yield row("CudnnRNNV3", *given, i(2), **attrs)
            yield row("CudnnRNNV3", *given, i(2), time_major=False, **attrs)
            yield row("CudnnRNNV3", *given, i(2), num_proj=2, **attrs)
    back = [f(5, 2, 4), f(2, 2, 4), f(2, 2, 4)] * 2
    yield row("CudnnRNNBackprop", *given, *back, f(9))
    yield row("CudnnRNNBackpropV2", *given, *back, f(9), n(9).retyped("int8"))
    yield row("CudnnRNNBackpropV3", *given, i(2), *back, f(9),
              n(9).retyped("int8"))
    yield row("CudnnRNNParamsSize", i(), i(), i(), T="float32", S="int32")
    yield row("CudnnRNNCanonicalToParams", i(), i(), i(), [f(4, 3)] * 2,
              [f(4)] * 2)
    yield row("CudnnRNNCanonicalToParamsV2", i(), i(), i(), [f(4, 3)] * 2,
              [f(4)] * 2)
    yield row("CudnnRNNParamsToCanonical", i(), i(), i(), f(9), num_params=2)
    yield row("CudnnRNNParamsToCanonicalV2", i(), i(), i(), f(9),
              num_params_weights=2, num_params_biases=3)
    yield row("CTCLoss", f(5, 2, 3), l(9, 2), i(9), i(2))
    yield row("CTCLossV2", f(5, 2, 3), l(9, 2), i(9), i(2))
    yield row("CTCGreedyDecoder", f(5, 2, 3), i(2))
    yield row("CTCBeamSearchDecoder", f(5, 2, 3), i(2), beam_width=4,
              top_paths=3)


def quantization():
    ends = [f(), f()]
    yield row("FakeQuantWithMinMaxArgs", f(2, 3))
    yield row("FakeQuantWithMinMaxArgsGradient", f(2, 3), f(2, 3))
    yield row("FakeQuantWithMinMaxVars", f(2, 3), *ends)
    yield row("FakeQuantWithMinMaxVarsGradient", f(2, 3), f(2, 3), *ends)
    yield row("FakeQuantWithMinMaxVarsPerChannel", f(2, 3), f(3), f(3))
    yield row("FakeQuantWithMinMaxVarsPerChannelGradient", f(2, 3), f(2, 3),
              f(3), f(3))
    yield row("QuantizeAndDequantize", f(2, 3), legacy=True)
    for op in ("QuantizeAndDequantizeV2", "QuantizeAndDequantizeV4"):
        yield row(op, f(2, 3), *ends)
        yield row(op, f(2, 3), f(3), f(3), axis=1)
    yield row("QuantizeAndDequantizeV3", f(2, 3), *ends, i())
    yield row("QuantizeAndDequantizeV3", f(2, 3), f(3), f(3), i(), axis=1)
    yield row("QuantizeAndDequantizeV4Grad", f(2, 3), f(2, 3), *ends)
    yield row("QuantizeAndDequantizeV4Grad", f(2, 3), f(2, 3), f(3), f(3),
              axis=1)
    yield row("QuantizeV2", f(2, 3), *ends, T="qint8")
    yield row("QuantizeV2", f(2, 3), f(3), f(3), T="qint8", axis=1)
    yield row("Dequantize", q(2, 3), *ends)
    yield row("Dequantize", q(2, 3), f(3), f(3), axis=1)
    yield row("QuantizeDownAndShrinkRange", w(2, 3), *ends, out_type="quint8")
    yield row("Requantize", w(2, 3), *ends, *ends, out_type="quint8")
    yield row("RequantizePerChannel", w(2, 3), f(3), f(3), *ends)
    yield row("RequantizationRange", w(2, 3), *ends)
    yield row("RequantizationRangePerChannel", w(2, 3), f(3), f(3),
              clip_value_max=6.0)
    for op in ("QuantizedRelu", "QuantizedRelu6"):
        yield row(op, q(2, 3), *ends)
    yield row("QuantizedReluX", q(2, 3), f(), *ends)
    yield row("QuantizedBiasAdd", q(2, 3), q(3), *ends, *ends,
              out_type="qint32")
    yield row("QuantizedAdd", q(2, 1), q(3), *ends, *ends)
    yield row("QuantizedMul", q(2, 1), q(3), *ends, *ends)
    yield row("QuantizedInstanceNorm", q(2, 5, 6, 3), *ends)
    yield row("QuantizedBatchNormWithGlobalNormalization", q(2, 5, 6, 3),
              *ends, *[q(3), f(), f()] * 4, out_type="qint32",
              variance_epsilon=0.1, scale_after_normalization=True)


def images():
    image = f(2, 17, 13, 3)
    for op in ("ResizeArea", "ResizeBicubic", "ResizeBilinear",
               "ResizeNearestNeighbor", "ResizeNearestNeighborGrad"):
        yield row(op, image, const([5, 6]))
    yield row("ScaleAndTranslate", image, const([5, 6]), f(2), f(2))
    yield row("QuantizedResizeBilinear", q(2, 17, 13, 3), const([5, 6]), f(),
              f())
    for op in ("ResizeBicubicGrad", "ResizeBilinearGrad"):
        yield row(op, f(2, 5, 6, 3), image)
    yield row("ScaleAndTranslateGrad", f(2, 5, 6, 3), image, f(2), f(2))
    yield row("CropAndResize", image, f(7, 4), i(7), const([5, 6]))
    yield row("CropAndResizeGradBoxes", f(7, 5, 6, 3), image, f(7, 4), i(7))
    yield row("CropAndResizeGradImage", f(7, 5, 6, 3), f(7, 4), i(7),
              const([2, 17, 13, 3]), T="float32")
    for op in ("ExtractGlimpse", "ExtractGlimpseV2"):
        yield row(op, image, const([5, 6]), f(2, 2))
    yield row("ImageProjectiveTransformV2", image, f(2, 8), const([5, 6]),
              interpolation="NEAREST")
    yield row("ImageProjectiveTransformV3", image, f(2, 8), const([5, 6]), f(),
              interpolation="NEAREST")
    yield row("RandomCrop", f(17, 13, 3), const([5, 6], "int64"), legacy=True)
    yield row("AdjustContrast", image, f(), f(), f(), legacy=True)
    for op in ("AdjustContrastv2", "AdjustHue", "AdjustSaturation"):
        yield row(op, image, f())
    yield row("DrawBoundingBoxes", image, f(2, 5, 4))
    yield row("DrawBoundingBoxesV2", image, f(2, 5, 4), f(9, 3))
    for op in ("HSVToRGB", "RGBToHSV"):
        yield row(op, f(17, 13, 3))
    for padding in ("SAME", "VALID"):
        yield row("ExtractImagePatches", image, ksizes=[1, 3, 2, 1],
                  strides=[1, 2, 3, 1], rates=[1, 2, 1, 1], padding=padding)
        yield row("ExtractVolumePatches", f(2, 17, 13, 11, 3),
                  ksizes=[1, 3, 2, 2, 1], strides=[1, 2, 3, 1, 1],
                  padding=padding)
    boxes = [f(9, 4), f(9), const(5)]
    yield row("NonMaxSuppression", *boxes)
    yield row("NonMaxSuppressionV2", *boxes, f())
    yield row("NonMaxSuppressionV3", *boxes, f(), f())
    for pads in (False, True):
        yield row("NonMaxSuppressionV4", *boxes, f(), f(),
                  pad_to_max_output_size=pads)
        yield row("NonMaxSuppressionV5", *boxes, f(), f(), f(),
                  pad_to_max_output_size=pads)
        for each in (4, 2):
            yield row("CombinedNonMaxSuppression", f(2, 9, 1, 4), f(2, 9, 3),
                      const(each), const(7), const(0.5, "float32"),
                      const(0.5, "float32"), pad_per_class=pads)
    yield row("NonMaxSuppressionWithOverlaps", f(9, 9), f(9), const(5), f(),
              f())
    for attrs in ({}, {"post_nms_topn": 50}):
        yield row("GenerateBoundingBoxProposals", f(2, 5, 6, 3),
                  f(2, 5, 6, 12), f(2, 5), f(5, 6, 12), f(), i(), f(),
                  **attrs)
    yield row("SampleDistortedBoundingBox", i(3), f(1, 5, 4))
    yield row("SampleDistortedBoundingBoxV2", i(3), f(1, 5, 4), f())
    yield row("StatelessSampleDistortedBoundingBox", i(3), f(1, 5, 4), f(),
              i(2))
    for op in ("DecodeJpeg", "DecodePng", "DecodeBmp", "DecodeWebP"):
        for channels in (0, 3):
            yield row(op, s(), channels=channels)
    yield row("DecodeAndCropJpeg", s(), const([1, 2, 5, 6]), channels=3)
    yield row("DecodeAndCropJpeg", s(), const([1, 2, 5, 6]))
    yield row("DecodeGif", s())
    for expands in (False, True):
        yield row("DecodeImage", s(), expand_animations=expands, channels=3)
    yield row("ExtractJpegShape", s())
    yield row("EncodeJpeg", u(17, 13, 3))
    yield row("EncodeJpegVariableQuality", u(17, 13, 3), i())
    yield row("EncodePng", u(17, 13, 3))
    yield row("EncodePng", u(2, 17, 13, 3))


def sounds():
    yield row("DecodeWav", s())
    yield row("DecodeWav", s(), desired_channels=2, desired_samples=100)
    yield row("EncodeWav", f(100, 2), i())
    for samples in (1000, 100, 10):
        yield row("AudioSpectrogram", f(samples, 2), window_size=100,
                  stride=30)
    yield row("AudioSpectrogram", f(1000, 2), window_size=128, stride=30)
    yield row("Mfcc", f(2, 30, 65), i(), dct_coefficient_count=20)


def partly_known_sizes():
    """Where a part of a size is known, some operations take it, some not."""
    sizes = packed([2, None, 13, 4])
    image, gradient = f(2, 17, 13, 4), f(2, 9, 7, 8)
    attrs = {"strides": [1, 2, 2, 1], "padding": "SAME"}
    yield row("Conv2DBackpropInput", sizes, f(3, 3, 4, 8), gradient, **attrs)
    yield row("Conv2DBackpropInput", packed([17, None]), f(3, 3, 4, 8),
              gradient, **attrs)
    yield row("Conv2DBackpropFilter", image, packed([3, None, 4, 8]), gradient,
              **attrs)
    yield row("DepthwiseConv2dNativeBackpropInput", sizes, f(3, 3, 4, 2),
              gradient, **attrs)
    yield row("DepthwiseConv2dNativeBackpropFilter", image,
              packed([3, None, 4, 2]), gradient, **attrs)
    pool = {"ksize": [1, 2, 2, 1], **attrs}
    yield row("AvgPoolGrad", sizes, f(2, 9, 7, 4), **pool)
    yield row("AvgPoolGrad", packed([2, 17, 13, 4]), f(2, 9, 7, 4), **pool)
    yield row("FractionalAvgPoolGrad", packed([2, None, 13, 4], "int64"),
              f(2, 11, 7, 4), l(12), l(8))
    for k in (packed([1, None, 2, 1]), packed([1, 3, 2, 1])):
        yield row("MaxPoolV2", image, k, const([1, 2, 2, 1]), padding="SAME")
    sizes = packed([2, None, 13, 11, 4])
    attrs = {"strides": [1, 2, 2, 2, 1], "padding": "SAME"}
    gradient = f(2, 9, 7, 6, 8)
    yield row("Conv3DBackpropInputV2", sizes, f(3, 3, 3, 4, 8), gradient,
              **attrs)
    yield row("Conv3DBackpropFilterV2", f(2, 17, 13, 11, 4),
              packed([3, None, 3, 4, 8]), gradient, **attrs)
    yield row("AvgPool3DGrad", sizes, f(2, 9, 7, 6, 4), ksize=[1, 2, 2, 2, 1],
              **attrs)
    for size in (packed([5, None]), packed([5, 6])):
        yield row("ResizeBilinear", image, size)
        yield row("CropAndResize", image, f(7, 4), i(7), size)
        yield row("ExtractGlimpse", image, size, f(2, 2))
        yield row("ImageProjectiveTransformV2", image, f(2, 8), size,
                  interpolation="NEAREST")
        yield row("RFFT2D", f(2, 9, 9), size)
        yield row("RandomUniform", size, dtype="float32")
        yield row("RandomGamma", size, f(4, 5))
        yield row("StatelessRandomUniform", size, i(2))
        yield row("StatelessRandomUniformV2", size, u64(1), u64(2), i())
        yield row("StatefulUniform", variable("int64", 3), l(), size)
        yield row("FusedResizeAndPadConv2D", image, size,
                  const([[0, 0]] * 4), f(3, 3, 4, 8), mode="REFLECT",
                  strides=[1, 1, 1, 1], padding="SAME")
        yield row("Sum", f(2, 3, 4, 5, 6, 7, 8), size)
        yield row("Sum", f(2, 3, 4, 5, 6, 7, 8), size, keep_dims=True)
    yield row("CropAndResizeGradImage", f(7, 5, 6, 3), f(7, 4), i(7),
              packed([2, None, 13, 3]), T="float32")
    yield row("DecodeAndCropJpeg", s(), packed([None, 2, 5, 6]), channels=3)
    yield row("DecodeAndCropJpeg", s(), packed([1, 2, None, 6]), channels=3)
    yield row("SparseTensorDenseMatMul", l(9, 2), f(9),
              packed([None, 3], "int64"), f(3, 4))
    yield row("SparseTensorDenseMatMul", l(9, 2), f(9),
              packed([2, None], "int64"), f(3, 4))
    yield row("SparseBincount", l(9, 2), i(9), packed([20, None], "int64"),
              const(4), f(9))
    yield row("MatrixDiagPartV3", f(5, 6, 7), packed([None, 1]), f())


def u64(*shape):
    return i(*shape).retyped("uint64")


FAMILIES = {
    "random_numbers": random_numbers, "optimizers": optimizers,
    "recurrent_layers": recurrent_layers, "quantization": quantization,
    "images": images, "sounds": sounds,
    "partly_known_sizes": partly_known_sizes,
}
