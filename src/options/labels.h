/*
 * labels.h - constant columns that the option `label` adds to every table.
 *
 * The value of the option is a list of words, "worker=w17,job=j4". Setting the
 * option checks the words, so that reading them cannot fail.
 */
#ifndef TFP_OPTIONS_LABELS_H
#define TFP_OPTIONS_LABELS_H

#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "options/options.h"

enum {
    TFP_MOST_LABELS = 16,
    TFP_LABEL_KEY = 31 /* bytes of a key, without the NUL */
};

typedef struct tfp_label_pair {
    char key[TFP_LABEL_KEY + 1]; /* letters, "_", and digits after the first */
    const char *value;           /* UTF-8, ends in NUL; part of the words */
    int64_t bounds[2];           /* 0 and the size of the value: the offsets
                                  * of an Arrow column with only this text */
} tfp_label_pair;

typedef struct tfp_labels {
    size_t count;
    tfp_label_pair at[TFP_MOST_LABELS]; /* in the order given */
} tfp_labels;

/* Refuses words that are not KEY=VALUE, and keys that differ only in case,
 * because SQL engines do not distinguish such columns. */
int tfp_labels_check(const tfp_words *words, tfprof_error *err);

/* Reads words that were checked. `words` must outlive `labels`. */
void tfp_labels_read(const tfp_words *words, tfp_labels *labels);

/* The label with this key, in any case, or NULL. */
const tfp_label_pair *tfp_labels_find(const tfp_labels *labels,
                                      const char *key);

/* Refuses a label that has the name of this column, in any case. */
int tfp_labels_check_column(const tfp_labels *labels, const char *column,
                            tfprof_error *err);

static inline tfp_span tfp_label_value(const tfp_label_pair *label)
{
    return (tfp_span){ (const uint8_t *)label->value,
                       (size_t)label->bounds[1] };
}

#endif
