/*
 * parts.h - what the forms of a comparison share.
 */
#ifndef TFP_OUTPUT_COMPARE_PARTS_H
#define TFP_OUTPUT_COMPARE_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "compare/changes.h"
#include "compare/snapshot.h"
#include "model/metrics.h"
#include "output/compare/compare.h"
#include "output/sink/sink.h"
#include "output/text/style.h"

typedef struct tfp_compare_writer {
    const tfp_comparison *subject;
    tfp_sink *sink;
    tfp_snapshot_name name, was; /* of the row at hand */
    TFP_VEC(char) text;          /* of the graph change at hand */
    bool failed;                 /* out of memory */
} tfp_compare_writer;

/* One of TFP_COMPARED_COUNT or of the subjects of a change. */
const char *tfp_compare_metric_name(int metric);
tfp_unit tfp_compare_unit(int metric);

static inline bool tfp_compare_is_text(int metric)
{
    return metric >= TFP_CHANGE_TYPE;
}

/* The names of a row on both sides, into the writer; `was` is empty if they are
 * equal. A side without the row has TFP_NO_ID. */
void tfp_compare_names(tfp_compare_writer *writer, uint32_t base,
                       uint32_t head);

/* "+24 Cast -24 FusedSoftmax", of these entries of the graph changes. People
 * see the first types; a list for programs is complete. Holds until the next
 * call. */
tfp_span tfp_compare_graph(tfp_compare_writer *writer, size_t from, size_t end);

/* What a change of a text was, or is in the head. */
tfp_span tfp_compare_text(tfp_compare_writer *writer, const tfp_change *change,
                          bool is_head);

/* For people: people.c. */
void tfp_compare_write_people(tfp_compare_writer *writer);

/* What differs: lists.c. False when there is nothing. */
bool tfp_compare_write_things(tfp_compare_writer *writer);

/* ---- For people --------------------------------------------------------- */

bool tfp_compare_is_markdown(const tfp_compare_writer *writer);

/* Begins a line that is no row. Lines of a paragraph follow each other in
 * Markdown, unless they are a list. */
void tfp_compare_begin_line(tfp_compare_writer *writer);

/* A text as it is, in any form. */
void tfp_compare_put(tfp_compare_writer *writer, tfp_span text);

/* Words, each behind a blank, from the column `at` on; where a window has no
 * room they go on in the next line. The column where they end. */
size_t tfp_compare_put_words(tfp_compare_writer *writer, tfp_span text,
                             size_t at);

/* "+63", "-51", "+9.5", "+0.34": how much more than `base` it is, in percent
 * without its sign; "x40" where that is tenfold or more. Empty if `base` is 0.
 * The room is that of a figure. The length. */
size_t tfp_compare_percent(double base, double head, char *out);

/* Shortens names to `room` columns, cut in the middle, such that different
 * names stay different; `names` and `out` have `count` entries, and the texts
 * of `out` are appended to `texts`, of which they hold offsets. False when out
 * of memory: names.c. */
typedef struct tfp_short_name {
    size_t start, size; /* in the texts */
} tfp_short_name;

/* The bytes of a short name. */
static inline tfp_span tfp_short_text(const tfp_snapshot_name *texts,
                                      tfp_short_name name)
{
    return name.size == 0 ? (tfp_span){ 0 }
                          : (tfp_span){ texts->data + name.start, name.size };
}

bool tfp_compare_shorten(const tfp_span *names, size_t count, size_t room,
                         const tfp_style *style, tfp_memory *memory,
                         tfp_snapshot_name *texts, tfp_short_name *out);

/* What more than half of the names begin with, up to a slash and with it; empty
 * if there is no such text. */
tfp_span tfp_compare_prefix(const tfp_span *names, size_t count);

#endif
