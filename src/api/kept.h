/*
 * kept.h - an answer that a caller keeps: a view, or a table.
 *
 * It never changes once it is there, and lives until the caller and all that
 * Arrow has of it are gone.
 */
#ifndef TFP_API_KEPT_H
#define TFP_API_KEPT_H

#include <stdatomic.h>
#include <stdint.h>

#include "api/handle.h"
#include "base/error.h"
#include "base/memory.h"
#include "options/labels.h"
#include "options/options.h"
#include "output/arrow/arrow.h"

struct ArrowArrayStream;

/* The first member of what is kept. */
typedef struct tfp_kept {
    uint32_t handle;       /* TFP_HANDLE_VIEW or TFP_HANDLE_TABLE */
    atomic_size_t holders; /* the caller, and all that Arrow has of it */
    tfp_memory memory;     /* the profile's allocator, counted apart; once the
                            * rows are there, nobody changes it */
    /* Its columns. The rows stay. */
    void (*describe)(const struct tfp_kept *kept, tfp_arrow_table *table);
    /* Gives back all but the block it stands in. */
    void (*empty)(struct tfp_kept *kept);
    /* Columns that the option `label` adds: its words, and a 0 for each row. */
    tfp_words words;
    tfp_labels labels;
    int32_t *zeros;
} tfp_kept;

/* Copies the labels, for this number of rows. */
int tfp_kept_label(tfp_kept *kept, const tfp_words *words, size_t rows,
                   tfprof_error *err);

/* One more who gives it back with tfp_kept_drop(); from any thread. */
static inline tfp_kept *tfp_kept_hold(const tfp_kept *kept)
{
    tfp_kept *held = (tfp_kept *)(uintptr_t)kept;
    atomic_fetch_add(&held->holders, 1);
    return held;
}

static inline void tfp_kept_drop(tfp_kept *kept)
{
    tfp_memory memory;
    if (atomic_fetch_sub(&kept->holders, 1) > 1)
        return;
    kept->empty(kept);
    tfp_memory_free(&kept->memory, kept->words.data);
    tfp_memory_free(&kept->memory, kept->zeros);
    memory = kept->memory; /* it must outlive the block it stands in */
    kept->handle = 0;
    tfp_memory_free(&memory, kept);
}

/* Hands its rows to whoever reads Arrow. */
int tfp_kept_export(const tfp_kept *kept, struct ArrowArrayStream *stream,
                    tfprof_error *err);

#endif
