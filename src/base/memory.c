/*
 * memory.c - counted allocation, arenas and growing columns.
 */
#include "base/memory.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <malloc.h>
#include <sys/mman.h>
#endif

/* Chunks start small so that a tiny file costs little, and grow so that a
 * large one needs few of them; more than the cap would only waste its tail. */
enum { FIRST_CHUNK = 4 << 10, LARGEST_CHUNK = 1 << 20, FIRST_ELEMENTS = 16 };

struct tfp_arena_chunk {
    tfp_arena_chunk *older;
    size_t size; /* with this header */
    size_t held; /* of this and all older chunks */
};

/* Requests huge pages for a block that has a mapping of its own, which glibc
 * gives to large blocks. Without them a profile of a million nodes takes about
 * 100,000 page faults, an eighth of its time. The request must cover the whole
 * mapping: otherwise the kernel splits it, and mremap() can no longer move it
 * when the block grows. */
static void prefer_large_pages(void *block, size_t size)
{
#if defined(__GLIBC__) && defined(MADV_HUGEPAGE)
    enum { LARGE = 4 << 20, PAGE = 4096, HEADER = 16 }; /* of glibc */
    if (size >= LARGE && (uintptr_t)block % PAGE == HEADER)
        madvise((char *)block - HEADER, malloc_usable_size(block) + HEADER,
                MADV_HUGEPAGE);
#else
    (void)block;
    (void)size;
#endif
}

static void *libc_resize(void *context, void *block, size_t old_size,
                         size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    block = realloc(block, new_size);
    if (block)
        prefer_large_pages(block, new_size);
    return block;
}

void tfp_memory_init(tfp_memory *memory, tfp_resize_fn *resize, void *context)
{
    *memory = (tfp_memory){ .resize = resize ? resize : libc_resize,
                            .context = context,
                            .limit = SIZE_MAX };
}

/* What stands before a block. What follows it is aligned for anything. */
typedef union block_head {
    size_t size;
    max_align_t aligned;
} block_head;

void *tfp_memory_resize(tfp_memory *memory, void *block, size_t size)
{
    block_head *head = block ? (block_head *)block - 1 : NULL;
    size_t old_size = head ? head->size : 0, whole;
    size_t others = memory->held - old_size;
    if (size > memory->limit || others > memory->limit - size) {
        memory->limit_reached = true;
        return NULL;
    }
    if (!tfp_add_size(size, sizeof(*head), &whole))
        return NULL;
    head = memory->resize(memory->context, head,
                          head ? old_size + sizeof(*head) : 0, whole);
    if (!head)
        return NULL;
    head->size = size;
    memory->held = others + size;
    if (memory->held > memory->peak)
        memory->peak = memory->held;
    return head + 1;
}

void *tfp_memory_alloc(tfp_memory *memory, size_t size)
{
    return tfp_memory_resize(memory, NULL, size);
}

void *tfp_memory_zalloc(tfp_memory *memory, size_t size)
{
    void *block = tfp_memory_alloc(memory, size);
    if (block)
        memset(block, 0, size);
    return block;
}

void *tfp_memory_array(tfp_memory *memory, size_t count, size_t element)
{
    size_t size;
    return tfp_mul_size(count, element, &size) ? tfp_memory_alloc(memory, size)
                                               : NULL;
}

void *tfp_memory_zarray(tfp_memory *memory, size_t count, size_t element)
{
    size_t size;
    return tfp_mul_size(count, element, &size) ? tfp_memory_zalloc(memory, size)
                                               : NULL;
}

void tfp_memory_free(tfp_memory *memory, void *block)
{
    block_head *head = block ? (block_head *)block - 1 : NULL;
    if (!head)
        return;
    memory->held -= head->size;
    memory->resize(memory->context, head, head->size + sizeof(*head), 0);
}

size_t tfp_memory_size_of(const void *block)
{
    return ((const block_head *)block - 1)->size;
}

void tfp_arena_init(tfp_arena *arena, tfp_memory *memory)
{
    *arena = (tfp_arena){ .memory = memory, .next_size = FIRST_CHUNK };
}

void tfp_arena_release(tfp_arena *arena)
{
    while (arena->chunk) {
        tfp_arena_chunk *older = arena->chunk->older;
        tfp_memory_free(arena->memory, arena->chunk);
        arena->chunk = older;
    }
    tfp_arena_init(arena, arena->memory);
}

static bool add_chunk(tfp_arena *arena, size_t wanted)
{
    size_t size = arena->next_size;
    tfp_arena_chunk *chunk;
    if (!tfp_add_size(wanted, sizeof(*chunk), &wanted))
        return false;
    if (size < wanted)
        size = wanted;
    chunk = tfp_memory_alloc(arena->memory, size);
    if (!chunk)
        return false;
    chunk->older = arena->chunk;
    chunk->size = size;
    chunk->held = size + (chunk->older ? chunk->older->held : 0);
    arena->chunk = chunk;
    arena->at = (uint8_t *)(chunk + 1);
    arena->end = (uint8_t *)chunk + size;
    if (arena->next_size < LARGEST_CHUNK)
        arena->next_size *= 2;
    return true;
}

void *tfp_arena_alloc(tfp_arena *arena, size_t size, size_t align)
{
    size_t gap = (size_t)(-(uintptr_t)arena->at & (align - 1));
    size_t left = (size_t)(arena->end - arena->at);
    uint8_t *block;
    if (!arena->at || gap > left || size > left - gap) {
        if (!tfp_add_size(size, align, &left) || !add_chunk(arena, left))
            return NULL;
        gap = (size_t)(-(uintptr_t)arena->at & (align - 1));
    }
    block = arena->at + gap;
    arena->at = block + size;
    return block;
}

size_t tfp_arena_held(const tfp_arena *arena)
{
    return arena->chunk ? arena->chunk->held : 0;
}

void *tfp_vec_grow(tfp_memory *memory, void *data, size_t *capacity,
                   size_t count, size_t extra, size_t element)
{
    size_t wanted = *capacity + *capacity / 2, least, size;
    void *moved;
    if (!tfp_add_size(count, extra, &least))
        return data;
    if (wanted < least)
        wanted = least;
    if (wanted < FIRST_ELEMENTS)
        wanted = FIRST_ELEMENTS;
    if (!tfp_mul_size(wanted, element, &size))
        return data;
    moved = tfp_memory_resize(memory, data, size);
    if (!moved)
        return data;
    *capacity = wanted;
    return moved;
}
