/*
 * thrift.h - structs in Thrift's compact protocol, which is the form of
 * Parquet's metadata.
 *
 * A field begins with a byte: the difference between its number and that of the
 * previous field, and its type. Structs nest; a struct ends with a byte of 0.
 */
#ifndef TFP_OUTPUT_PARQUET_THRIFT_H
#define TFP_OUTPUT_PARQUET_THRIFT_H

#include "base/bytes.h"
#include "output/parquet/bytes.h"

/* Types of elements. */
enum { TFP_THRIFT_I32 = 5, TFP_THRIFT_BINARY = 8, TFP_THRIFT_STRUCT = 12 };

enum { TFP_THRIFT_DEPTH = 8 };

typedef struct tfp_thrift {
    tfp_pq_bytes *out;
    size_t depth;               /* of open structs */
    int last[TFP_THRIFT_DEPTH]; /* the previous field of each open struct */
} tfp_thrift;

/* Begins a struct that is not a field: the first one, or an element of a list.
 */
void tfp_thrift_begin(tfp_thrift *thrift);
void tfp_thrift_open(tfp_thrift *thrift, int field);
void tfp_thrift_end(tfp_thrift *thrift); /* of either */

void tfp_thrift_bool(tfp_thrift *thrift, int field, bool value);
void tfp_thrift_i16(tfp_thrift *thrift, int field, int64_t value);
void tfp_thrift_i32(tfp_thrift *thrift, int field, int64_t value);
void tfp_thrift_i64(tfp_thrift *thrift, int field, int64_t value);
void tfp_thrift_binary(tfp_thrift *thrift, int field, tfp_span bytes);

/* `count` elements follow, without fields. */
void tfp_thrift_list(tfp_thrift *thrift, int field, int type, size_t count);
void tfp_thrift_element(tfp_thrift *thrift, tfp_span bytes);

#endif
