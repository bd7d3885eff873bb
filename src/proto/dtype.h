/*
 * dtype.h - TensorFlow's data types by number: TFP_DT_FLOAT and so on.
 */
#ifndef TFP_PROTO_DTYPE_H
#define TFP_PROTO_DTYPE_H

#include "proto/enums.h"

#define TFP_DECLARE_DTYPE(name, number) TFP_##name = number,
enum tfp_dtype { DataType_VALUES(TFP_DECLARE_DTYPE) };
#undef TFP_DECLARE_DTYPE

#endif
