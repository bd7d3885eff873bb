/*
 * dtype.c - TensorFlow's data types: their numbers, names and elements.
 */
#include "proto/dtype.h"

#include <math.h>
#include <string.h>

#include "proto/schema.h"

enum { REFERENCE = 100 }; /* DT_FLOAT_REF is DT_FLOAT and so much */

/* clang-format off */
#define INT(type, name, size, bits, field) \
    { TFP_##type, name, TFP_FORM_SIGNED, size, bits, TensorProto_##field, 0, 0, 0 }
#define UINT(type, name, size, bits, field) \
    { TFP_##type, name, TFP_FORM_UNSIGNED, size, bits, TensorProto_##field, 0, 0, 0 }
#define REAL(type, name, size, bits, field, exponent, bias, kind) \
    { TFP_##type, name, TFP_FORM_REAL, size, bits, TensorProto_##field, exponent, \
      bias, TFP_REAL_##kind }
#define OTHER(type, name, form, size, field) \
    { TFP_##type, name, TFP_FORM_##form, size, 8 * (size), field, 0, 0, 0 }

/* In the order of their numbers, which begin with 1. */
static const tfp_dtype_facts table[] = {
    REAL(DT_FLOAT, "float32", 4, 32, float_val, 8, 127, IEEE),
    OTHER(DT_DOUBLE, "float64", REAL, 8, TensorProto_double_val),
    INT(DT_INT32, "int32", 4, 32, int_val),
    UINT(DT_UINT8, "uint8", 1, 8, int_val),
    INT(DT_INT16, "int16", 2, 16, int_val),
    INT(DT_INT8, "int8", 1, 8, int_val),
    OTHER(DT_STRING, "string", STRING, 0, TensorProto_string_val),
    OTHER(DT_COMPLEX64, "complex64", COMPLEX, 8, TensorProto_scomplex_val),
    INT(DT_INT64, "int64", 8, 64, int64_val),
    OTHER(DT_BOOL, "bool", BOOL, 1, TensorProto_bool_val),
    INT(DT_QINT8, "qint8", 1, 8, int_val),
    UINT(DT_QUINT8, "quint8", 1, 8, int_val),
    INT(DT_QINT32, "qint32", 4, 32, int_val),
    REAL(DT_BFLOAT16, "bfloat16", 2, 16, half_val, 8, 127, IEEE),
    INT(DT_QINT16, "qint16", 2, 16, int_val),
    UINT(DT_QUINT16, "quint16", 2, 16, int_val),
    UINT(DT_UINT16, "uint16", 2, 16, int_val),
    OTHER(DT_COMPLEX128, "complex128", COMPLEX, 16, TensorProto_dcomplex_val),
    REAL(DT_HALF, "float16", 2, 16, half_val, 5, 15, IEEE),
    OTHER(DT_RESOURCE, "resource", NONE, 0, 0),
    OTHER(DT_VARIANT, "variant", NONE, 0, 0),
    UINT(DT_UINT32, "uint32", 4, 32, uint32_val),
    UINT(DT_UINT64, "uint64", 8, 64, uint64_val),
    REAL(DT_FLOAT8_E5M2, "float8_e5m2", 1, 8, float8_val, 5, 15, IEEE),
    REAL(DT_FLOAT8_E4M3FN, "float8_e4m3fn", 1, 8, float8_val, 4, 7, FN),
    REAL(DT_FLOAT8_E4M3FNUZ, "float8_e4m3fnuz", 1, 8, float8_val, 4, 8, FNUZ),
    REAL(DT_FLOAT8_E4M3B11FNUZ, "float8_e4m3b11fnuz", 1, 8, float8_val, 4, 11,
         FNUZ),
    REAL(DT_FLOAT8_E5M2FNUZ, "float8_e5m2fnuz", 1, 8, float8_val, 5, 16, FNUZ),
    INT(DT_INT4, "int4", 1, 4, int_val),
    UINT(DT_UINT4, "uint4", 1, 4, int_val),
    INT(DT_INT2, "int2", 1, 2, int_val),
    UINT(DT_UINT2, "uint2", 1, 2, int_val),
    REAL(DT_FLOAT4_E2M1FN, "float4_e2m1fn", 1, 4, float8_val, 2, 1, FINITE),
};
/* clang-format on */

const tfp_dtype_facts *tfp_dtype_find(int32_t dtype)
{
    const int32_t last = sizeof(table) / sizeof(table[0]);
    if (dtype > REFERENCE)
        dtype -= REFERENCE;
    return dtype >= 1 && dtype <= last ? &table[dtype - 1] : NULL;
}

static tfp_dtype_form form_of(int32_t dtype)
{
    const tfp_dtype_facts *facts = tfp_dtype_find(dtype);
    return facts ? facts->form : TFP_FORM_NONE;
}

bool tfp_dtype_is_integer(int32_t dtype)
{
    tfp_dtype_form form = form_of(dtype);
    return form == TFP_FORM_SIGNED || form == TFP_FORM_UNSIGNED;
}

bool tfp_dtype_is_real(int32_t dtype)
{
    return form_of(dtype) == TFP_FORM_REAL;
}

int64_t tfp_dtype_integer(const tfp_dtype_facts *facts, uint64_t bits)
{
    int shift = 64 - facts->bits;
    if (facts->form == TFP_FORM_SIGNED)
        return (int64_t)(bits << shift) >> shift;
    return (int64_t)(bits << shift >> shift);
}

static double small_real(const tfp_dtype_facts *facts, uint64_t bits)
{
    int fraction_bits = facts->bits - 1 - facts->exponent_bits;
    uint64_t fraction = bits & (((uint64_t)1 << fraction_bits) - 1);
    int most = (1 << facts->exponent_bits) - 1;
    int exponent = (int)(bits >> fraction_bits) & most;
    bool negative = bits >> (facts->bits - 1) & 1;
    double value;
    if (facts->real == TFP_REAL_FNUZ && negative && exponent == 0 &&
        fraction == 0)
        return NAN;
    if (facts->real == TFP_REAL_IEEE && exponent == most)
        value = fraction ? NAN : INFINITY;
    else if (facts->real == TFP_REAL_FN && exponent == most &&
             fraction == ((uint64_t)1 << fraction_bits) - 1)
        value = NAN;
    else if (exponent == 0)
        value = ldexp((double)fraction, 1 - facts->bias - fraction_bits);
    else
        value = ldexp((double)(fraction | (uint64_t)1 << fraction_bits),
                      exponent - facts->bias - fraction_bits);
    return negative ? -value : value;
}

double tfp_dtype_real(const tfp_dtype_facts *facts, uint64_t bits)
{
    double value;
    if (facts->size < sizeof(value))
        return small_real(facts, bits);
    memcpy(&value, &bits, sizeof(value));
    return value;
}
