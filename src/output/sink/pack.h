/*
 * pack.h - gzip on the way out.
 *
 * A tfp_write_fn that packs what it is given and hands it to another one. The
 * bytes depend on nothing but the bytes packed: no time, no name.
 */
#ifndef TFP_OUTPUT_PACK_H
#define TFP_OUTPUT_PACK_H

#include <stdbool.h>

#include "base/memory.h"
#include "output/sink/sink.h"

typedef struct tfp_pack tfp_pack;

/* NULL when out of memory. */
tfp_pack *tfp_pack_new(tfp_memory *memory, tfp_write_fn *write, void *context);

/* The same at another of zlib's levels, 1 to 9. */
tfp_pack *tfp_pack_new_at(tfp_memory *memory, int level, tfp_write_fn *write,
                          void *context);
void tfp_pack_free(tfp_pack *pack);

/* A tfp_write_fn; `context` is the tfp_pack. */
int tfp_pack_write(void *context, const void *data, size_t size);

/* Writes what is left; false when it could not. Nothing may follow. */
bool tfp_pack_end(tfp_pack *pack);

#endif
