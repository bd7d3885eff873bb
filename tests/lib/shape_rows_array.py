"""Rows of operations that move and cut tensors, for test_shape_array.py."""

import itertools

from shape_judge import (Input, b, const, d, f, h, i, l, q, reference, row, s,
                         u, variable)


def shapes_of_shapes():
    for op in ("Shape", "ShapeN", "Size"):
        for kind in ("int32", "int64"):
            values = [f(2, 3), f(2, 3)] if op == "ShapeN" else f(2, 3)
            yield row(op, values, out_type=kind)
    yield row("ShapeN", [f(2), f(3, 4), f()])
    yield row("Rank", f(2, 3))
    yield row("Rank", f())
    for wanted in ([6, 4], [-1, 4], [2, -1], [24], [-1], [2, 1, 3, -1, 2],
                   [1, 24, 1], [4, 3, 2]):
        yield row("Reshape", f(2, 3, 4), const(wanted))
        yield row("Reshape", f(2, 3, 4), const(wanted, "int64"))
        yield row("QuantizedReshape", q(2, 3, 4), const(wanted), f(), f())
    yield row("Reshape", f(), const([1, 1]))
    yield row("Reshape", f(1, 1), const([]))
    yield row("Reshape", f(0, 3), const([0, 5]))
    yield row("Reshape", f(0, 3), const([-1, 5]))
    yield row("Reshape", f(0, 3), const([7, 0]))
    for axis in (-4, -1, 0, 1, 3):
        yield row("ExpandDims", f(2, 3, 4), const(axis))
        yield row("ExpandDims", f(2, 3, 4), const([axis], "int64"))
    yield row("ExpandDims", f(), const(-1))
    for dims in ([], [0], [-1], [0, 2], [-4, -2]):
        yield row("Squeeze", f(1, 3, 1, 1), squeeze_dims=[
            dim for dim in dims if dim != -1 or len(dims) == 1])
    yield row("Squeeze", f(2, 3))
    yield row("Squeeze", f(1, 1))
    for op in ("StopGradient", "PreventGradient", "ZerosLike", "OnesLike",
               "Snapshot", "DebugGradientIdentity", "DeepCopy", "Copy",
               "CopyHost", "DebugIdentity"):
        yield row(op, f(2, 3))
    yield row("CheckNumerics", f(2, 3), message="no")
    yield row("CheckNumericsV2", f(2, 3), message="no")
    yield row("RefIdentity", reference("float32", 2, 3))
    for kind in ("int32", "bool", "complex64", "float16"):
        yield row("Cast", f(2, 3), DstT=kind)
    for source, kind in itertools.product(
            (f(2, 2), d(2, 2), u(3, 8), u(3, 4), h(5, 2)),
            ("float32", "int64", "uint8", "complex64")):
        last = {"float32": 4, "int64": 8, "uint8": 1, "complex64": 8}[kind]
        have = {"float32": 4, "float64": 8, "uint8": 1,
                "float16": 2}[source.dtype]
        shape = source.shape[:-1] + ([last // have] if last > have else [3])
        yield row("Bitcast", Input(source.dtype, shape), type=kind)
    for op in ("InplaceAdd", "InplaceSub", "InplaceUpdate"):
        yield row(op, f(4, 3), i(2), f(2, 3))
    for shape in ([2, 3], [None, 3], [2, None], [None, None]):
        yield row("EnsureShape", f(2, 3), shape=shape)


def made_up():
    for kind in ("int32", "int64"):
        yield row("Fill", const([2, 3], kind), f())
        yield row("Fill", const([], kind), f())
    yield row("Empty", const([2, 3]), dtype="float32")
    yield row("BroadcastTo", f(3, 1), const([2, 3, 4]))
    yield row("BroadcastTo", f(), const([2], "int64"))
    yield row("BroadcastTo", f(2, 3), const([2, 3]))
    yield row("BroadcastTo", f(1, 0), const([1, 0]))
    yield row("BroadcastArgs", const([2, 1]), const([3]))
    yield row("BroadcastArgs", i(2), i(3))
    yield row("BroadcastGradientArgs", const([2, 1]), const([3]))
    yield row("BroadcastGradientArgs", i(2), i(3))
    for start, limit, delta in ((0, 10, 1), (0, 10, 3), (10, 0, -3), (3, 3, 1),
                                (-5, 6, 2), (0, 9, 3), (0, -1, -1)):
        for kind in ("int32", "int64", "float32", "float64"):
            yield row("Range", const(start, kind), const(limit, kind),
                      const(delta, kind))
    for start, limit, delta in ((0.0, 1.0, 0.1), (0.0, 0.7, 0.1),
                                (1.0, 0.0, -0.3), (0.1, 0.9, 0.2)):
        for kind in ("float32", "float64"):
            yield row("Range", const(start, kind), const(limit, kind),
                      const(delta, kind))
    yield row("Range", const(-2 ** 31), const(2 ** 31 - 1), const(2 ** 30))
    yield row("LinSpace", f(), f(), const(7))
    yield row("LinSpace", f(), f(), const(7, "int64"))


def joins():
    for axis in (0, 1, -1, -2):
        yield row("ConcatV2", [f(2, 3), f(2, 3), f(2, 3)], const(axis))
        yield row("Concat", const(axis), [f(2, 3), f(2, 3)])
    yield row("ConcatV2", [f(2, 3, 4), f(2, 5, 4), f(2, 1, 4)],
              const(1, "int64"))
    yield row("ConcatV2", [f(0, 4), f(2, 4)], const(0))
    yield row("ConcatV2", [f(2), f(3)], const(0))
    yield row("QuantizedConcat", const(1), [q(2, 3), q(2, 4)], [f(), f()],
              [f(), f()])
    yield row("ConcatOffset", const(0), [i(3), i(3)])
    yield row("ConcatOffset", const(0), [const([2, 3]), const([4, 3])])
    for axis in (0, 1, 2, -1, -3):
        yield row("Pack", [f(2, 3), f(2, 3), f(2, 3)], axis=axis)
        yield row("Pack", [f(2, 3)], axis=axis)
    yield row("Pack", [i(), i()])
    yield row("ParallelConcat", [f(1, 3), f(1, 3)], shape=[2, 3])


def splits():
    for axis in (0, 1, 2, -1, -2):
        yield row("Unpack", f(3, 3, 3), axis=axis, num=3)
        yield row("Split", const(axis), f(4, 6, 8), num_split=2)
        yield row("SplitV", f(6, 6, 6), const([1, 2, 3]), const(axis),
                  num_split=3)
        yield row("SplitV", f(6, 6, 6), const([1, -1, 3], "int64"),
                  const(axis), num_split=3)
    yield row("Unpack", f(0, 3), num=0)
    yield row("Split", const(0), f(5), num_split=1)
    yield row("Split", const(0), f(0, 3), num_split=4)
    yield row("SplitV", f(6), const([6]), const(0), num_split=1)
    yield row("SplitV", f(6, 2), const([6, 0]), const(0), num_split=2)


def margins():
    for op in ("Pad", "PadV2", "MirrorPad"):
        more = [f()] if op == "PadV2" else []
        attrs = {"mode": "REFLECT"} if op == "MirrorPad" else {}
        yield row(op, f(2, 3), const([[1, 0], [0, 2]]), *more, **attrs)
        yield row(op, f(2, 3), const([[0, 0], [0, 0]], "int64"), *more,
                  **attrs)
        yield row(op, f(2), const([[1, 1]]), *more, **attrs)
    yield row("Pad", f(), i(0, 2))
    yield row("MirrorPadGrad", f(6, 7), const([[1, 2], [0, 3]]),
              mode="SYMMETRIC")
    yield row("MirrorPadGrad", f(6, 7), const([[0, 0], [0, 0]]),
              mode="SYMMETRIC")


def turns():
    yield row("Tile", f(2, 3), const([3, 1]))
    yield row("Tile", f(2, 3), const([0, 2], "int64"))
    yield row("Tile", f(1), const([5]))
    yield row("Tile", f(), i(0))
    for op in ("Transpose", "ConjugateTranspose"):
        for order in ([0, 1, 2], [2, 0, 1], [1, 2, 0]):
            yield row(op, f(2, 3, 4), const(order))
        yield row(op, f(2, 3), const([1, 0], "int64"))
        yield row(op, f(2, 3), const([-1, 0]))
        yield row(op, f(5), const([0]))
        yield row(op, f(), i(0))
    yield row("InvertPermutation", const([2, 0, 1]))
    yield row("InvertPermutation", i(3))
    yield row("Reverse", f(2, 3), b(2))
    yield row("ReverseV2", f(2, 3), const([-1]))
    yield row("ReverseV2", f(2, 3), const([0, 1]))
    for batch in (0, 1):
        yield row("ReverseSequence", f(4, 4, 4), l(4), seq_dim=2,
                  batch_dim=batch)
    yield row("Roll", f(2, 3), const(1), const(0))
    yield row("Roll", f(2, 3), i(2), i(2))
    for axis in (-1, 0, 1, 2):
        yield row("OneHot", i(2, 3), const(7), f(), f(), axis=axis)
    yield row("OneHot", i(), const(7), f(), f())


def spaces():
    yield row("SpaceToBatchND", f(2, 6, 8, 3), const([2, 2]),
              const([[0, 0], [1, 1]]))
    yield row("SpaceToBatchND", f(2, 6), const([3]), const([[1, 2]]))
    yield row("SpaceToBatchND", f(2, 6, 5), const([2]), const([[1, 1]]))
    yield row("BatchToSpaceND", f(8, 3, 5, 3), const([2, 2]),
              const([[0, 0], [1, 0]]))
    yield row("BatchToSpaceND", f(6, 4, 5), const([3], "int64"),
              const([[1, 2]], "int64"))
    yield row("SpaceToBatch", f(2, 6, 8, 3), const([[0, 0], [1, 1]]),
              block_size=2)
    yield row("BatchToSpace", f(8, 3, 5, 3), const([[0, 0], [1, 0]]),
              block_size=2)
    yield row("SpaceToDepth", f(2, 4, 6, 3), block_size=2)
    yield row("SpaceToDepth", f(2, 3, 4, 6), block_size=2, data_format="NCHW")
    yield row("SpaceToDepth", Input("qint8", [2, 3, 4, 6, 4]), block_size=2,
              data_format="NCHW_VECT_C")
    yield row("DepthToSpace", f(2, 4, 6, 12), block_size=2)
    yield row("DepthToSpace", f(2, 12, 4, 6), block_size=2,
              data_format="NCHW")
    yield row("DepthToSpace", Input("qint8", [2, 12, 4, 6, 4]), block_size=2,
              data_format="NCHW_VECT_C")


def _slice(begin, end, strides, kind="int32", **masks):
    return row("StridedSlice", f(5, 6, 7), const(begin, kind),
               const(end, kind), const(strides, kind), **masks)


def slices():
    yield row("Slice", f(5, 6), const([1, 2]), const([3, -1]))
    yield row("Slice", f(5, 6), const([0, 0], "int64"),
              const([-1, 4], "int64"))
    yield row("Slice", f(5, 6), const([5, 6]), const([0, -1]))
    yield row("Slice", f(5), const([0]), const([-1]))
    yield row("Slice", f(), i(0), i(0))
    for begin, end, stride in itertools.product((0, 2, -2, 9, -9),
                                                (0, 4, -1, 9, -9),
                                                (1, 2, -1, -3)):
        yield _slice([begin], [end], [stride])
    for mask in range(8):
        for key in ("begin_mask", "end_mask", "shrink_axis_mask",
                    "new_axis_mask"):
            yield _slice([1, 2, 3], [3, 4, 5], [1, 1, 1], **{key: mask})
        yield _slice([1, 2, 3], [3, 4, 5], [1, 2, -1], begin_mask=mask,
                     end_mask=7 - mask)
        yield _slice([1, 2, 3], [3, 4, 5], [1, 2, -1], begin_mask=mask,
                     end_mask=mask)
    for bit in range(3):
        for key in ("shrink_axis_mask", "new_axis_mask"):
            for mask in range(8):
                yield _slice([1, 2, 3], [3, 4, 5], [1, 1, 1],
                             ellipsis_mask=1 << bit, **{key: mask})
    yield _slice([1, 2, 3], [3, 4, 5], [1, 1, 1], new_axis_mask=5,
                 shrink_axis_mask=7)
    yield _slice([0], [0], [1], ellipsis_mask=1)
    yield _slice([], [], [])
    yield _slice([-1], [0], [1], shrink_axis_mask=1, kind="int64")
    yield _slice([0, 0, 0, 0], [0, 0, 0, 0], [1, 1, 1, 1], ellipsis_mask=2,
                 new_axis_mask=9)
    yield _slice([0, 0, 0, -1], [0, 9, 0, 0], [1, 1, 1, 1], ellipsis_mask=4,
                 new_axis_mask=1, shrink_axis_mask=8)
    masks = {"begin_mask": 1, "end_mask": 1}
    ends = [const([1]), const([3]), const([1])]
    yield row("StridedSliceGrad", const([5, 6]), *ends, f(2, 6), **masks)
    yield row("StridedSliceAssign", reference("float32", 5, 6), *ends,
              f(2, 6))
    yield row("ResourceStridedSliceAssign", variable("float32", 5, 6), *ends,
              f(2, 6))
    yield row("TensorStridedSliceUpdate", f(5, 6), *ends, f(2, 6))


def gathers():
    yield row("Gather", f(5, 6, 7), i(2, 3))
    yield row("Gather", f(5), i())
    for axis in (0, 1, 2, -1, -2, -3):
        yield row("GatherV2", f(5, 6, 7), i(2, 3), const(axis))
        yield row("GatherV2", f(5, 6, 7), i(), const(axis, "int64"))
    for axis, batch in ((1, 1), (2, 1), (-1, 1), (2, 2), (-1, -1), (1, -1),
                        (-1, 2), (0, 0)):
        yield row("GatherV2", f(5, 6, 7), i(5, 6), const(axis),
                  batch_dims=batch)
    for depth in range(4):
        yield row("GatherNd", f(5, 6, 7), i(2, 3, depth))
    yield row("GatherNd", f(5, 6, 7), i(2))
    yield row("ResourceGather", variable("float32", 5, 6, 7), i(2, 3),
              dtype="float32")
    yield row("ResourceGather", variable("float32", 5, 6, 7), i(5, 3),
              dtype="float32", batch_dims=1)
    yield row("ResourceGather", variable("float32", None, 6), i(2),
              dtype="float32")
    yield row("ResourceGatherNd", variable("float32", 5, 6, 7), i(2, 2),
              dtype="float32")
    yield row("ResourceGatherNd", variable("float32", None, 6), i(2, 1),
              dtype="float32")


def scatters():
    for op in ("Add", "Div", "Max", "Min", "Mul", "Sub", "Update"):
        yield row("Scatter" + op, reference("float32", 5, 6), i(2), f(2, 6))
        yield row("ResourceScatter" + op, variable("float32", 5, 6), i(2),
                  f(2, 6), dtype="float32")
    for op in ("Add", "Max", "Min", "Sub", "Update"):
        yield row("ScatterNd" + op, reference("float32", 5, 6), i(2, 1),
                  f(2, 6))
        yield row("ResourceScatterNd" + op, variable("float32", 5, 6),
                  i(2, 1), f(2, 6))
        yield row("TensorScatter" + op, f(5, 6), i(2, 1), f(2, 6))
    yield row("ScatterNdNonAliasingAdd", f(5, 6), i(2, 1), f(2, 6))
    yield row("ScatterNd", i(2, 1), f(2, 6), const([5, 6]))
    yield row("ScatterNd", l(4, 2), f(4), const([5, 6], "int64"))
    yield row("DynamicPartition", f(5, 6), i(5), num_partitions=3)
    yield row("DynamicPartition", f(5, 6, 7), i(5, 6), num_partitions=2)
    yield row("DynamicPartition", f(5), i(), num_partitions=2)
    for op in ("DynamicStitch", "ParallelDynamicStitch"):
        yield row(op, [const([0, 2]), const(4)], [f(2, 6), f(6)])
        yield row(op, [i(2, 3), i()], [f(2, 3, 6, 7), f(6, 7)])
        yield row(op, [const([3])], [f(1)])


def by_contents():
    yield row("Where", b(2, 3))
    yield row("Where", f(4))
    yield row("Where", b())
    for op in ("Unique", "UniqueWithCounts"):
        yield row(op, i(7))
    for op in ("UniqueV2", "UniqueWithCountsV2"):
        yield row(op, i(7, 3), const([0]))
        yield row(op, i(7), const([], "int64"))
    yield row("ListDiff", i(7), i(3))
    yield row("UnravelIndex", i(), i(3))
    yield row("UnravelIndex", i(5), i(3))
    yield row("UnravelIndex", i(5, 2), i(3))
    yield row("LowerBound", f(2, 9), f(2, 4))
    yield row("UpperBound", f(2, 9), f(2, 4))


def texts():
    same = {
        "AsString": f, "DecodeBase64": s, "EncodeBase64": s, "StringLower": s,
        "StringUpper": s, "StringStrip": s, "StringLength": s,
        "StringToNumber": s, "DecodeCompressed": s, "DecodeJSONExample": s,
        "UnicodeScript": i}
    for op, kind in same.items():
        yield row(op, kind(2, 3))
    yield row("StaticRegexReplace", s(2, 3), pattern="a", rewrite="b")
    yield row("StaticRegexFullMatch", s(2, 3), pattern="a")
    yield row("RegexReplace", s(2, 3), s(), s())
    yield row("RegexFullMatch", s(2, 3), s())
    for op in ("StringToHashBucket", "StringToHashBucketFast"):
        yield row(op, s(2, 3), num_buckets=9)
    yield row("StringToHashBucketStrong", s(2, 3), num_buckets=9, key=[1, 2])
    yield row("StringFormat", [f(2), i(3, 4)], template="%s%s")
    yield row("StringJoin", [s(2, 3), s(), s(2, 3)])
    yield row("StringJoin", [s(), s()])
    yield row("StringJoin", [s(4)])
    yield row("StringSplit", s(5), s())
    yield row("StringSplitV2", s(5), s())
    yield row("Substr", s(2, 3), i(3), i(3))
    yield row("Substr", s(2, 3), i(), i())
    yield row("Substr", s(2, 3), i(2, 3), i(2, 3))
    yield row("UnicodeDecode", s(5), input_encoding="UTF-8")
    yield row("UnicodeDecode", s(2, 3), input_encoding="UTF-8")
    yield row("UnicodeDecodeWithOffsets", s(5), input_encoding="UTF-8")
    yield row("UnicodeEncode", i(9), l(4), output_encoding="UTF-8")
    yield row("UnicodeTranscode", s(2, 3), input_encoding="UTF-8",
              output_encoding="UTF-16-BE")
    yield row("StringNGrams", s(9), l(4), separator=" ", ngram_widths=[2],
              left_pad="", right_pad="", pad_width=0,
              preserve_short_sequences=False)
    yield row("DecodeRaw", s(2, 3), out_type="float32")
    yield row("DecodePaddedRaw", s(2, 3), const(8), out_type="float32")
    yield row("DecodeCSV", s(5), [f(1), s(1)])
    yield row("ReduceJoin", s(2, 3, 4), const([0, -1]))
    yield row("ReduceJoin", s(2, 3, 4), const(1), keep_dims=True)
    yield row("UnsortedSegmentJoin", s(5, 3), i(5), const(4))
    yield row("MatchingFiles", s(3))
    yield row("ReadFile", s())
    yield row("WriteFile", s(), s())
    yield row("ShardedFilename", s(), i(), i())
    yield row("ShardedFilespec", s(), i())


def _sparse(rank=2, count=9):
    return l(count, rank), f(count), l(rank)


def sparse():
    yield row("SparseAdd", *_sparse(), *_sparse(), f())
    yield row("SparseAddGrad", f(9), l(4, 2), l(5, 2), l(9, 2))
    yield row("SparseConcat", [l(9, 2), l(4, 2)], [f(9), f(4)], [l(2), l(2)],
              concat_dim=0)
    yield row("SparseCross", [l(9, 2)], [l(9)], [l(2)], [l(5, 1)],
              hashed_output=True, num_buckets=9, hash_key=1,
              out_type="int64", internal_type="int64")
    yield row("SparseCrossHashed", [l(9, 2)], [l(9)], [l(2)], [l(5, 1)], l(),
              b(), l(2))
    yield row("SparseCrossV2", [l(9, 2)], [l(9)], [l(2)], [l(5, 1)], s())
    for op in ("Add", "Div", "Mul"):
        yield row("SparseDenseCwise" + op, *_sparse(), f(4, 5))
    yield row("SparseFillEmptyRows", l(9, 2), f(9), const([4, 5], "int64"),
              f())
    yield row("SparseFillEmptyRows", l(9, 3), f(9), l(3), f())
    yield row("SparseFillEmptyRowsGrad", l(9), f(12))
    for op in ("SparseReduceMax", "SparseReduceSum"):
        for keeps in (False, True):
            yield row(op, l(9, 3), f(9), const([4, 5, 6], "int64"),
                      const([0, -1]), keep_dims=keeps)
        yield row(op + "Sparse", l(9, 3), f(9), const([4, 5, 6], "int64"),
                  const([0, -1]))
    yield row("SparseReorder", *_sparse())
    yield row("SparseReshape", l(9, 2), l(2), l(3))
    yield row("SparseSlice", *_sparse(), l(2), l(2))
    yield row("SparseSliceGrad", f(4), l(9, 2), l(2), l(4, 2))
    yield row("SparseSoftmax", *_sparse())
    for op in ("SparseSparseMaximum", "SparseSparseMinimum"):
        yield row(op, *_sparse(), *_sparse())
    yield row("SparseSplit", l(), *_sparse(), num_split=3)
    yield row("SparseTensorDenseAdd", *_sparse(), f(4, 5))
    yield row("SparseToDense", l(9, 2), const([4, 5], "int64"), f(9), f())
    yield row("SparseToDense", l(9, 2), l(2), f(9), f())
    yield row("SerializeSparse", *_sparse())
    yield row("SerializeManySparse", *_sparse())
    yield row("DeserializeSparse", s(4, 3), dtype="float32")
    yield row("DeserializeManySparse", s(4, 3), dtype="float32")
    yield row("DenseCountSparseOutput", i(9, 4), f(9, 4),
              binary_output=False)
    yield row("SparseCountSparseOutput", l(9, 2), i(9), l(2), f(9),
              binary_output=False)


def ragged():
    yield row("RaggedCountSparseOutput", l(4), i(9), f(9),
              binary_output=False)
    yield row("RaggedCross", [l(9)], [l(4)], [l(9, 2)], [l(9)], [l(2)],
              [l(3, 1)], input_order="RSD", hashed_output=True, num_buckets=9,
              hash_key=1, out_values_type="int64", out_row_splits_type="int64")
    for rank in (1, 2):
        yield row("RaggedGather", [l(4)] * rank, f(9, 5), i(3),
                  OUTPUT_RAGGED_RANK=rank)
        yield row("RaggedTensorToSparse", [l(4)] * rank, f(9, 5))
        yield row("RaggedTensorToSparse", [l(4)] * rank, f(9))
        yield row("RaggedTensorToVariant", [l(4)] * rank, f(9, 5),
                  batched_input=True)
        yield row("RaggedTensorToVariant", [l(4)] * rank, f(9, 5),
                  batched_input=False)
    yield row("RaggedRange", i(4), i(4), i())
    yield row("RaggedRange", i(), i(), i())
    yield row("RaggedTensorFromVariant", Input("variant", [4]),
              input_ragged_rank=1, output_ragged_rank=2, Tvalues="float32")
    yield row("RaggedTensorToVariantGradient", Input("variant", [4]), l(5),
              const([9, 5]), Tvalues="float32")
    for shape in ([-1, -1, 5], [4, 7, 5], [-1, 7, -1]):
        yield row("RaggedTensorToTensor", const(shape, "int64"), f(9, 5), f(),
                  [l(5)], row_partition_types=["ROW_SPLITS"])
        yield row("RaggedTensorToTensor", const(shape, "int64"), f(9, 5), f(),
                  [l(), l(9)],
                  row_partition_types=["FIRST_DIM_SIZE", "VALUE_ROWIDS"])
    yield row("RaggedTensorToTensor", const(-1, "int64"), f(9, 5), f(),
              [l(5)], row_partition_types=["ROW_SPLITS"])
    yield row("RaggedTensorToTensor", const([-1, -1, -1], "int64"), f(9), f(),
              [l(5), l(7)], row_partition_types=["ROW_SPLITS"] * 2)


def state():
    for shape in ([2, 3], [None, 3], [], None):
        yield row("Placeholder", dtype="float32", shape=shape)
        yield row("VarHandleOp", dtype="float32", shape=shape)
        yield row("TemporaryVariable", dtype="float32", shape=shape)
        yield row("Variable", dtype="float32", shape=shape)
        yield row("VariableV2", dtype="float32", shape=shape)
        yield row("VariableShape", variable("float32", *(shape or [])))
        yield row("ReadVariableOp", variable("float32", *(shape or [])),
                  dtype="float32")
        yield row("ImmutableConst", dtype="float32", shape=shape,
                  memory_region_name="x")
        yield row("Placeholder", dtype="float32", shape=shape, legacy=True)
        yield row("PlaceholderV2", dtype="float32", shape=shape, legacy=True)
    yield row("Placeholder", dtype="float32")
    yield row("PlaceholderWithDefault", f(2, 3), shape=[None, 3])
    yield row("PlaceholderWithDefault", f(2, 3), shape=None)
    for op in ("AssignAddVariableOp", "AssignSubVariableOp",
               "AssignVariableOp"):
        yield row(op, variable("float32", 2, 3), f(2, 3))
    for checks in (True, False):
        yield row("Assign", reference("float32", 2, None), f(2, 3),
                  validate_shape=checks)
        yield row("Assign", reference("float32", 2, 3), f(2, 3),
                  validate_shape=checks)
    for op in ("AssignAdd", "AssignSub"):
        yield row(op, reference("float32", None, 3), f(2, 3))
    yield row("VarIsInitializedOp", variable("float32", 2))
    yield row("IsVariableInitialized", reference("float32", 2))
    yield row("DestroyResourceOp", variable("float32", 2))
    yield row("DisableCopyOnRead", variable("float32", 2))
    yield row("DestroyTemporaryVariable", reference("float32", 2, 3),
              var_name="x")
    yield row("CountUpTo", reference("int32"), limit=9)
    yield row("ResourceCountUpTo", variable("int32"), limit=9, T="int32")
    yield row("GuaranteeConst", f(2, 3))
    yield row("Print", f(2, 3), [f(2)])
    yield row("PrintV2", s())
    yield row("Assert", b(), [f(2)])
    yield row("Timestamp")
    yield row("Save", s(), s(1), [f(2)])
    yield row("SaveSlices", s(), s(1), s(1), [f(2)])
    yield row("SaveV2", s(), s(1), s(1), [f(2)])
    yield row("Restore", s(), s(), dt="float32")
    yield row("RestoreSlice", s(), s(), s(), dt="float32")
    yield row("RestoreV2", s(), s(2), s(2), dtypes=["float32", "int32"])
    yield row("MergeV2Checkpoints", s(2), s())
    yield row("ScalarSummary", s(), f())
    yield row("HistogramSummary", s(), f(9))
    yield row("ImageSummary", s(), f(2, 4, 4, 3))
    yield row("AudioSummary", s(), f(2, 9), sample_rate=1.0, legacy=True)
    yield row("AudioSummaryV2", s(), f(2, 9), f())
    yield row("TensorSummary", f(2, 3))
    yield row("TensorSummaryV2", s(), f(2, 3), s())
    yield row("MergeSummary", [s(), s()])
    yield row("SummaryWriter")
    yield row("MutexLock", Input("resource", []))
    yield row("ConsumeMutexLock", Input("variant", []))
    for op in ("TFRecordReaderV2", "TextLineReaderV2", "WholeFileReaderV2",
               "IdentityReaderV2"):
        yield row(op)
    yield row("FixedLengthRecordReaderV2", record_bytes=3)
    yield row("ReaderReadV2", Input("resource", []), Input("resource", []))
    yield row("ReaderReadUpToV2", Input("resource", []),
              Input("resource", []), l())


FAMILIES = {family.__name__: family for family in (
    shapes_of_shapes, made_up, joins, splits, margins, turns, spaces, slices,
    gathers, scatters, by_contents, texts, sparse, ragged, state)}
