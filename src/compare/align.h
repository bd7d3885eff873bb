/*
 * align.h - which rows of two snapshots are about the same thing.
 *
 * Rows align from the root down. Children of an aligned pair align by name
 * (source lines by file, function and line number), then by name without the
 * number that frameworks add to make names unique ("_1", ".1") if operation
 * type and shape agree (source lines by function and text). A subtree of the
 * rest whose content occurs once on each side has moved; its content is the
 * types, shapes and names below its top, so a renamed scope has moved, too.
 *
 * Instructions of compiled programs align by program and name. What is left of
 * a program, or of the programs of a module that only one side has, aligns by
 * scope, type, shape and float operations (if both sides have them); ties are
 * broken by name, then by time. The rest aligns where scope, type and shape, or
 * scope and name, leave no choice: numbers in names say nothing then.
 * Instructions of two modules that both sides have never align.
 */
#ifndef TFP_COMPARE_ALIGN_H
#define TFP_COMPARE_ALIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "compare/snapshot.h"

typedef struct tfp_alignment {
    tfp_memory *memory;
    const tfp_snapshot *base, *head;
    uint32_t *to;   /* by row of the base: row of the head, or TFP_NO_ID */
    uint32_t *from; /* by row of the head: row of the base, or TFP_NO_ID */
    uint8_t *moved; /* by row of the base, bits: the row has moved; rows below
                     * it are aligned, but are not marked */
    size_t renamed; /* pairs whose names differ only by a number */
} tfp_alignment;

/* Both snapshots are of one view type, share their texts and must outlive the
 * alignment. `finds_moved` false: aligns by name only. Takes linear time, but
 * for the rows that did not align by name, which are sorted (if any rows are
 * instructions, or moved rows are asked for). After a failure
 * releasing is allowed. */
int tfp_align(tfp_alignment *alignment, const tfp_snapshot *base,
              const tfp_snapshot *head, bool finds_moved, tfp_memory *memory,
              const tfp_cancel *cancel, tfprof_error *err);
void tfp_alignment_release(tfp_alignment *alignment);

static inline bool tfp_row_has_moved(const tfp_alignment *a, size_t base_row)
{
    return a->moved[base_row / 8] >> base_row % 8 & 1;
}

/* A name without the number at its end: "conv_12" and "fusion.7" are "conv"
 * and "fusion". */
tfp_span tfp_name_without_number(tfp_span name);

#endif
