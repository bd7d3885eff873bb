/*
 * memory.h - where every byte of a profile comes from, and how many there are.
 *
 * A tfp_memory wraps the caller's allocator and counts what is held, so that a
 * limit can be enforced in one place and a test can make the k-th allocation
 * fail. A block knows its size, which stands before it.
 *
 * Three ways to use it: tfp_memory_alloc() and those after it for a single
 * block, a tfp_arena for many small things that live equally long, TFP_VEC for
 * columns that grow.
 */
#ifndef TFP_BASE_MEMORY_H
#define TFP_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"

/* Resizes `block` of `old_size` bytes to `new_size`; 0 frees it. NULL means
 * that it could not, and the old block is still there. */
typedef void *tfp_resize_fn(void *context, void *block, size_t old_size,
                            size_t new_size);

typedef struct tfp_memory {
    tfp_resize_fn *resize;
    void *context;
    size_t held;        /* bytes asked for and not yet given back */
    size_t peak;        /* the most that `held` has been */
    size_t limit;       /* `held` never passes it; SIZE_MAX for none */
    bool limit_reached; /* a request failed because of `limit` */
} tfp_memory;

/* `resize` NULL takes the C library's allocator. Cannot fail. */
void tfp_memory_init(tfp_memory *memory, tfp_resize_fn *resize, void *context);

/* Each gives NULL when out of memory. A block of no bytes is a block too. */
void *tfp_memory_alloc(tfp_memory *memory, size_t size); /* not zeroed */
void *tfp_memory_zalloc(tfp_memory *memory, size_t size);

/* `count` elements; their bytes may be more than a size_t can say. */
void *tfp_memory_array(tfp_memory *memory, size_t count, size_t element);
void *tfp_memory_zarray(tfp_memory *memory, size_t count, size_t element);

/* Makes a block, or a new one of NULL, larger or smaller. After NULL the old
 * one is still there. */
void *tfp_memory_resize(tfp_memory *memory, void *block, size_t size);

void tfp_memory_free(tfp_memory *memory, void *block); /* or NULL */

/* What it was asked for with. */
size_t tfp_memory_size_of(const void *block);

/* ---- Arena: many small things, released together ------------------------ */

typedef struct tfp_arena_chunk tfp_arena_chunk;

typedef struct tfp_arena {
    tfp_memory *memory;
    tfp_arena_chunk *chunk; /* newest first */
    size_t next_size;       /* of the next chunk; grows with the arena */
    uint8_t *at, *end;      /* free part of the newest chunk */
} tfp_arena;

void tfp_arena_init(tfp_arena *arena, tfp_memory *memory);
void tfp_arena_release(tfp_arena *arena);

/* Not zeroed, aligned to `align` (a power of two). NULL when out of memory.
 * A size of 0 gives a pointer that must not be read. */
void *tfp_arena_alloc(tfp_arena *arena, size_t size, size_t align);

/* Bytes taken from the memory so far. */
size_t tfp_arena_held(const tfp_arena *arena);

/* ---- Vector: one column, grown by half ---------------------------------- */

/*
 * typedef TFP_VEC(uint32_t) tfp_ids;
 * Initialize with all zero bytes. `data` moves when it grows.
 */
#define TFP_VEC(type)                                                          \
    struct {                                                                   \
        type *data;                                                            \
        size_t count, capacity;                                                \
    }

/* Is there room for `extra` more elements? */
#define TFP_VEC_HAS_ROOM(vec, extra)                                           \
    ((vec)->capacity - (vec)->count >= (size_t)(extra))

/* Makes room for `extra` more elements. False when out of memory; the vector
 * is then as it was. The arguments are evaluated more than once. */
#define TFP_VEC_RESERVE(memory, vec, extra)                                    \
    (TFP_VEC_HAS_ROOM(vec, extra) ||                                           \
     ((vec)->data = tfp_vec_grow((memory), (vec)->data, &(vec)->capacity,      \
                                 (vec)->count, (size_t)(extra),                \
                                 sizeof(*(vec)->data)),                        \
      TFP_VEC_HAS_ROOM(vec, extra)))

/* Appends one element. False when out of memory. */
#define TFP_VEC_PUSH(memory, vec, ...)                                         \
    (TFP_VEC_RESERVE(memory, vec, 1) &&                                        \
     ((vec)->data[(vec)->count++] = (__VA_ARGS__), true))

#define TFP_VEC_RELEASE(memory, vec)                                           \
    (tfp_memory_free((memory), (vec)->data), (vec)->data = NULL,               \
     (vec)->count = 0, (vec)->capacity = 0)

/* The block with room for `extra` more elements, and its new capacity. When
 * out of memory, the old block, whose capacity stays. The caller assigns the
 * block to its typed pointer, because a pointer to that pointer must not be
 * used as a `void **`. */
void *tfp_vec_grow(tfp_memory *memory, void *data, size_t *capacity,
                   size_t count, size_t extra, size_t element)
    __attribute__((cold, noinline));

#endif
