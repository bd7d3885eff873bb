/*
 * enums.h - the names that text files use for numbers.
 *
 * Binary files hold the numbers, of which any is allowed. Held against the
 * descriptors of TensorFlow by tests/cli/inputs/test_schema.py.
 */
#ifndef TFP_PROTO_ENUMS_H
#define TFP_PROTO_ENUMS_H

/* clang-format off */

#define TFP_ENUMS(D) \
    D(BundleHeaderProto_Endianness, "tensorflow.BundleHeaderProto.Endianness") \
    D(DataType, "tensorflow.DataType") \
    D(FullTypeId, "tensorflow.FullTypeId") \
    D(FunctionSpec_JitCompile, "tensorflow.FunctionSpec.JitCompile") \
    D(PrimitiveType, "xla.PrimitiveType") \
    D(SaverDef_CheckpointFormatVersion, "tensorflow.SaverDef.CheckpointFormatVersion") \
    D(TypeSpecProto_TypeSpecClass, "tensorflow.TypeSpecProto.TypeSpecClass") \
    D(VariableAggregation, "tensorflow.VariableAggregation") \
    D(VariableSynchronization, "tensorflow.VariableSynchronization")

#define BundleHeaderProto_Endianness_VALUES(V) \
    V(LITTLE, 0) \
    V(BIG, 1)

#define DataType_VALUES(V) \
    V(DT_INVALID, 0) \
    V(DT_FLOAT, 1) \
    V(DT_DOUBLE, 2) \
    V(DT_INT32, 3) \
    V(DT_UINT8, 4) \
    V(DT_INT16, 5) \
    V(DT_INT8, 6) \
    V(DT_STRING, 7) \
    V(DT_COMPLEX64, 8) \
    V(DT_INT64, 9) \
    V(DT_BOOL, 10) \
    V(DT_QINT8, 11) \
    V(DT_QUINT8, 12) \
    V(DT_QINT32, 13) \
    V(DT_BFLOAT16, 14) \
    V(DT_QINT16, 15) \
    V(DT_QUINT16, 16) \
    V(DT_UINT16, 17) \
    V(DT_COMPLEX128, 18) \
    V(DT_HALF, 19) \
    V(DT_RESOURCE, 20) \
    V(DT_VARIANT, 21) \
    V(DT_UINT32, 22) \
    V(DT_UINT64, 23) \
    V(DT_FLOAT8_E5M2, 24) \
    V(DT_FLOAT8_E4M3FN, 25) \
    V(DT_FLOAT8_E4M3FNUZ, 26) \
    V(DT_FLOAT8_E4M3B11FNUZ, 27) \
    V(DT_FLOAT8_E5M2FNUZ, 28) \
    V(DT_INT4, 29) \
    V(DT_UINT4, 30) \
    V(DT_INT2, 31) \
    V(DT_UINT2, 32) \
    V(DT_FLOAT4_E2M1FN, 33) \
    V(DT_FLOAT_REF, 101) \
    V(DT_DOUBLE_REF, 102) \
    V(DT_INT32_REF, 103) \
    V(DT_UINT8_REF, 104) \
    V(DT_INT16_REF, 105) \
    V(DT_INT8_REF, 106) \
    V(DT_STRING_REF, 107) \
    V(DT_COMPLEX64_REF, 108) \
    V(DT_INT64_REF, 109) \
    V(DT_BOOL_REF, 110) \
    V(DT_QINT8_REF, 111) \
    V(DT_QUINT8_REF, 112) \
    V(DT_QINT32_REF, 113) \
    V(DT_BFLOAT16_REF, 114) \
    V(DT_QINT16_REF, 115) \
    V(DT_QUINT16_REF, 116) \
    V(DT_UINT16_REF, 117) \
    V(DT_COMPLEX128_REF, 118) \
    V(DT_HALF_REF, 119) \
    V(DT_RESOURCE_REF, 120) \
    V(DT_VARIANT_REF, 121) \
    V(DT_UINT32_REF, 122) \
    V(DT_UINT64_REF, 123) \
    V(DT_FLOAT8_E5M2_REF, 124) \
    V(DT_FLOAT8_E4M3FN_REF, 125) \
    V(DT_FLOAT8_E4M3FNUZ_REF, 126) \
    V(DT_FLOAT8_E4M3B11FNUZ_REF, 127) \
    V(DT_FLOAT8_E5M2FNUZ_REF, 128) \
    V(DT_INT4_REF, 129) \
    V(DT_UINT4_REF, 130) \
    V(DT_INT2_REF, 131) \
    V(DT_UINT2_REF, 132) \
    V(DT_FLOAT4_E2M1FN_REF, 133)

#define FullTypeId_VALUES(V) \
    V(TFT_UNSET, 0) \
    V(TFT_VAR, 1) \
    V(TFT_ANY, 2) \
    V(TFT_PRODUCT, 3) \
    V(TFT_NAMED, 4) \
    V(TFT_FOR_EACH, 20) \
    V(TFT_CALLABLE, 100) \
    V(TFT_TENSOR, 1000) \
    V(TFT_ARRAY, 1001) \
    V(TFT_OPTIONAL, 1002) \
    V(TFT_LITERAL, 1003) \
    V(TFT_ENCODED, 1004) \
    V(TFT_SHAPE_TENSOR, 1005) \
    V(TFT_BOOL, 200) \
    V(TFT_UINT8, 201) \
    V(TFT_UINT16, 202) \
    V(TFT_UINT32, 203) \
    V(TFT_UINT64, 204) \
    V(TFT_INT8, 205) \
    V(TFT_INT16, 206) \
    V(TFT_INT32, 207) \
    V(TFT_INT64, 208) \
    V(TFT_HALF, 209) \
    V(TFT_FLOAT, 210) \
    V(TFT_DOUBLE, 211) \
    V(TFT_BFLOAT16, 215) \
    V(TFT_COMPLEX64, 212) \
    V(TFT_COMPLEX128, 213) \
    V(TFT_STRING, 214) \
    V(TFT_DATASET, 10102) \
    V(TFT_RAGGED, 10103) \
    V(TFT_ITERATOR, 10104) \
    V(TFT_MUTEX_LOCK, 10202) \
    V(TFT_LEGACY_VARIANT, 10203)

#define FunctionSpec_JitCompile_VALUES(V) \
    V(DEFAULT, 0) \
    V(ON, 1) \
    V(OFF, 2)

#define PrimitiveType_VALUES(V) \
    V(PRIMITIVE_TYPE_INVALID, 0) \
    V(PRED, 1) \
    V(S8, 2) \
    V(S16, 3) \
    V(S32, 4) \
    V(S64, 5) \
    V(U8, 6) \
    V(U16, 7) \
    V(U32, 8) \
    V(U64, 9) \
    V(F16, 10) \
    V(F32, 11) \
    V(F64, 12) \
    V(TUPLE, 13) \
    V(OPAQUE_TYPE, 14) \
    V(C64, 15) \
    V(BF16, 16) \
    V(TOKEN, 17) \
    V(C128, 18) \
    V(F8E5M2, 19) \
    V(F8E4M3FN, 20) \
    V(S4, 21) \
    V(U4, 22) \
    V(F8E4M3B11FNUZ, 23) \
    V(F8E5M2FNUZ, 24) \
    V(F8E4M3FNUZ, 25) \
    V(S2, 26) \
    V(U2, 27) \
    V(F8E4M3, 28) \
    V(F8E3M4, 29) \
    V(S1, 30) \
    V(U1, 31) \
    V(F4E2M1FN, 32) \
    V(F8E8M0FNU, 33) \
    V(BUFFER, 34)

#define SaverDef_CheckpointFormatVersion_VALUES(V) \
    V(LEGACY, 0) \
    V(V1, 1) \
    V(V2, 2)

#define TypeSpecProto_TypeSpecClass_VALUES(V) \
    V(UNKNOWN, 0) \
    V(SPARSE_TENSOR_SPEC, 1) \
    V(INDEXED_SLICES_SPEC, 2) \
    V(RAGGED_TENSOR_SPEC, 3) \
    V(TENSOR_ARRAY_SPEC, 4) \
    V(DATA_DATASET_SPEC, 5) \
    V(DATA_ITERATOR_SPEC, 6) \
    V(OPTIONAL_SPEC, 7) \
    V(PER_REPLICA_SPEC, 8) \
    V(VARIABLE_SPEC, 9) \
    V(ROW_PARTITION_SPEC, 10) \
    V(REGISTERED_TYPE_SPEC, 12) \
    V(EXTENSION_TYPE_SPEC, 13)

#define VariableAggregation_VALUES(V) \
    V(VARIABLE_AGGREGATION_NONE, 0) \
    V(VARIABLE_AGGREGATION_SUM, 1) \
    V(VARIABLE_AGGREGATION_MEAN, 2) \
    V(VARIABLE_AGGREGATION_ONLY_FIRST_REPLICA, 3)

#define VariableSynchronization_VALUES(V) \
    V(VARIABLE_SYNCHRONIZATION_AUTO, 0) \
    V(VARIABLE_SYNCHRONIZATION_NONE, 1) \
    V(VARIABLE_SYNCHRONIZATION_ON_WRITE, 2) \
    V(VARIABLE_SYNCHRONIZATION_ON_READ, 3)

/* clang-format on */

#endif
