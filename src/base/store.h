/*
 * store.h - bytes that can be read at any place: a file, or memory.
 *
 * A file is read with pread() and never mapped: one that shrinks meanwhile
 * gives an error, not a signal.
 */
#ifndef TFP_BASE_STORE_H
#define TFP_BASE_STORE_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"

typedef struct tfp_store {
    /* Puts `size` bytes from place `at` on into `buffer`, all or none. */
    int (*read)(void *self, uint64_t at, void *buffer, size_t size,
                tfprof_error *err);
    void *self;
    uint64_t size; /* of all of it */
} tfp_store;

/* A file of `size` bytes. The descriptor must stay. */
tfp_store tfp_store_fd(const int *fd, uint64_t size);
tfp_store tfp_store_span(const tfp_span *bytes);

/* Is there so much at that place? Both numbers may be anything. */
static inline bool tfp_store_has(const tfp_store *store, uint64_t at,
                                 uint64_t size)
{
    return at <= store->size && size <= store->size - at;
}

/* Reads what must be there; TFPROF_ERR_MALFORMED when it is not. */
int tfp_store_read(const tfp_store *store, uint64_t at, void *buffer,
                   size_t size, tfprof_error *err);

#endif
