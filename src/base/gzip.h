/*
 * gzip.h - a source that unpacks another source.
 *
 * Members that follow one another are joined, as gzip does; zero padding after
 * the last one is passed over, anything else is counted as trailing bytes.
 * Memory is zlib's 48 KiB and one input buffer, whatever the ratio.
 */
#ifndef TFP_BASE_GZIP_H
#define TFP_BASE_GZIP_H

#include "base/reader.h"

typedef struct tfp_gzip tfp_gzip;

/* NULL when out of memory. `packed` must outlive it. */
tfp_gzip *tfp_gzip_new(tfp_memory *memory, tfp_source packed);
void tfp_gzip_free(tfp_gzip *gzip);

tfp_source tfp_source_gzip(tfp_gzip *gzip);

/* True when bytes that are no gzip member follow the last member. */
bool tfp_gzip_has_trailing_bytes(const tfp_gzip *gzip);

/* True when `head` begins as a gzip member does. */
bool tfp_gzip_recognises(tfp_span head);

/* zlib's memory from a tfp_memory, which is its `opaque`. */
void *tfp_zlib_alloc(void *opaque, unsigned count, unsigned size);
void tfp_zlib_free(void *opaque, void *block);

#endif
