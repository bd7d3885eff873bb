/*
 * dtype.h - TensorFlow's data types: their numbers, names and elements.
 */
#ifndef TFP_PROTO_DTYPE_H
#define TFP_PROTO_DTYPE_H

#include <stdbool.h>
#include <stdint.h>

#include "proto/enums.h"

/* TFP_DT_FLOAT and so on. */
#define TFP_DECLARE_DTYPE(name, number) TFP_##name = number,
enum tfp_dtype { DataType_VALUES(TFP_DECLARE_DTYPE) };
#undef TFP_DECLARE_DTYPE

typedef enum tfp_dtype_form {
    TFP_FORM_NONE, /* no value that could be shown: handles, variants */
    TFP_FORM_SIGNED,
    TFP_FORM_UNSIGNED,
    TFP_FORM_BOOL,
    TFP_FORM_REAL,
    TFP_FORM_COMPLEX, /* two reals, each half of the element */
    TFP_FORM_STRING
} tfp_dtype_form;

/* How a real number uses the bits that mark infinity and NaN in IEEE 754. */
typedef enum tfp_real_kind {
    TFP_REAL_IEEE,
    TFP_REAL_FN,    /* all ones is NaN, there is no infinity */
    TFP_REAL_FNUZ,  /* the negative zero is NaN, and that is all */
    TFP_REAL_FINITE /* neither */
} tfp_real_kind;

typedef struct tfp_dtype_facts {
    int32_t dtype;
    const char *name; /* as TensorFlow's Python has it: "float32" */
    tfp_dtype_form form;
    uint8_t size;          /* of an element, in bytes; 0 for strings */
    uint8_t bits;          /* of a number that count */
    uint32_t field;        /* its tag in a TensorProto, not packed; or 0 */
    uint8_t exponent_bits; /* of a real */
    uint8_t bias;          /* of its exponent */
    tfp_real_kind real;
} tfp_dtype_facts;

/* A reference to a type (DT_FLOAT_REF) counts as the type. NULL when there is
 * no such number. */
const tfp_dtype_facts *tfp_dtype_find(int32_t dtype);

/* Numbers without a fraction; bool is none. And those with one. */
bool tfp_dtype_is_integer(int32_t dtype);
bool tfp_dtype_is_real(int32_t dtype);

/* The number that the bits of an element are; for a signed type with its
 * sign, for an unsigned one of 64 bits to be taken as such. */
int64_t tfp_dtype_integer(const tfp_dtype_facts *facts, uint64_t bits);

/* The same of a real of up to 64 bits. */
double tfp_dtype_real(const tfp_dtype_facts *facts, uint64_t bits);

#endif
