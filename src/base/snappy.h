/*
 * snappy.h - unpacks what libsnappy has packed.
 *
 * A build may do without the library, and a machine where it is only looked for
 * when it is needed; unpacking then says so.
 */
#ifndef TFP_BASE_SNAPPY_H
#define TFP_BASE_SNAPPY_H

#include "base/bytes.h"
#include "base/error.h"

/* Is the library in this build? */
bool tfp_snappy_is_there(void);

/* The size that `packed` claims to have unpacked. A claim that no packed bytes
 * could keep (64 bytes for every 3 is the most there is) is refused here, so
 * that the caller may allocate what comes back; so is one past `most`. */
int tfp_snappy_size(tfp_span packed, size_t most, size_t *size,
                    tfprof_error *err);

/* Unpacks into `out`, which has room for exactly that size. */
int tfp_snappy_unpack(tfp_span packed, uint8_t *out, size_t size,
                      tfprof_error *err);

#endif
