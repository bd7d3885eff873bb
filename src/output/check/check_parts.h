/*
 * check_parts.h - what the writers of verdicts share.
 */
#ifndef TFP_OUTPUT_CHECK_PARTS_H
#define TFP_OUTPUT_CHECK_PARTS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "base/sort.h"
#include "budget/verdict.h"
#include "output/check/check.h"
#include "output/sink/sink.h"

enum { TFP_CHECK_VERDICTS = TFP_CHECK_NO_VERDICT + 1 };

typedef TFP_VEC(char) tfp_check_text;

typedef struct tfp_check_writer {
    const tfp_check_answer *answer;
    tfp_sink *sink;
    const tfp_sort_item *order; /* the worst first */
    size_t counts[TFP_CHECK_VERDICTS];
    tfp_check_text label, message; /* of the budget at hand */
    tfp_check_text detail;         /* likewise */
    tfp_check_text spare;          /* of the form at hand */
    bool failed;                   /* out of memory */
} tfp_check_writer;

/* "ok", "broken", "no verdict". */
extern const char *const tfp_check_words[TFP_CHECK_VERDICTS];

/* The budget at a place of the order. */
const tfp_checked *tfp_check_at(const tfp_check_writer *w, size_t place);

/* The worst of all verdicts. */
tfp_check_verdict tfp_check_worst(const tfp_check_writer *w);

/* Texts with names from files; whoever writes them escapes them. Each is valid
 * until the next call with the same buffer. */
void tfp_check_add(tfp_check_writer *w, tfp_check_text *text,
                   const char *addition);
void tfp_check_add_bytes(tfp_check_writer *w, tfp_check_text *text,
                         tfp_span addition);
tfp_span tfp_check_span(const tfp_check_text *text);

/* The name of a budget, or "scope tower/.*: micros". Uses w->label. */
tfp_span tfp_check_label(tfp_check_writer *w, const tfp_checked *checked);

/* "largest row: tower/conv1 (model.py:37)", or nothing. Uses w->message, as the
 * next two do. */
tfp_span tfp_check_place(tfp_check_writer *w, const tfp_checked *checked);

/* What grew, if the wall time of a step broke its limit: "idle grew most: idle
 * 188.70ms -> 888.00ms, operations ..."; or nothing. Uses w->detail. */
tfp_span tfp_check_detail(tfp_check_writer *w, const tfp_checked *checked);

/* The reason and the place. */
tfp_span tfp_check_reason(tfp_check_writer *w, const tfp_checked *checked);

/* The same, with the values that were compared. */
tfp_span tfp_check_message(tfp_check_writer *w, const tfp_checked *checked);

/* A value of a budget with its unit; `out` has room for TFP_CHECK_FIGURE. */
enum { TFP_CHECK_FIGURE = 48 };
size_t tfp_check_figure(const tfp_budget *budget, double value, char *out);

/* "2 broken, 1 without a verdict, 14 ok", without a newline. */
void tfp_check_put_summary(const tfp_check_writer *w);

/* The last line, if no budget is broken and some have no verdict: which, why,
 * and what that means for the exit status; or nothing. Uses w->message. */
tfp_span tfp_check_last(tfp_check_writer *w);
void tfp_check_put_last(tfp_check_writer *w); /* escaped */

/* ---- One for each form --------------------------------------------------- */

void tfp_check_write_text(tfp_check_writer *w); /* Markdown too */
void tfp_check_write_json(tfp_check_writer *w);
void tfp_check_write_github(tfp_check_writer *w);
void tfp_check_write_junit(tfp_check_writer *w);
void tfp_check_write_sarif(tfp_check_writer *w);

#endif
