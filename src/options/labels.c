/*
 * labels.c - constant columns that the option `label` adds to every table.
 */
#include "options/labels.h"

#include <stdbool.h>
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/utf8.h"

/* The size of the key in bytes, or 0 if the word does not begin with "KEY=".
 * Does not depend on the locale. */
static size_t key_size(const char *word)
{
    size_t size = strspn(word, "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
    bool begins_with_digit = word[0] >= '0' && word[0] <= '9';
    return word[size] == '=' && !begins_with_digit ? size : 0;
}

static bool is_same(const char *a, const char *b)
{
    while (*a && tfp_lower(*a) == tfp_lower(*b))
        a++, b++;
    return tfp_lower(*a) == tfp_lower(*b);
}

/* Fails if a word is not a valid label. */
static int check_word(const char *word, tfprof_error *err)
{
    size_t size = key_size(word);
    tfp_span value = tfp_span_of(word + size + 1);
    if (size == 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--label: expected KEY=VALUE with a KEY of letters, "
                        "digits and _, not '%s' (write a comma in a value as "
                        "\\,)",
                        tfp_shorten(tfp_span_of(word), 60).text);
    if (size > TFP_LABEL_KEY)
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "--label: the key '%s' is longer than %d bytes",
            tfp_shorten((tfp_span){ (const uint8_t *)word, size }, 60).text,
            TFP_LABEL_KEY);
    if (tfp_utf8_run(value) < value.size)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--label: the value of %.*s is not valid UTF-8: '%s'",
                        (int)size, word, tfp_shorten(value, 60).text);
    return TFPROF_OK;
}

static void add(tfp_labels *labels, const char *word)
{
    tfp_label_pair *label = &labels->at[labels->count++];
    size_t size = key_size(word);
    memcpy(label->key, word, size);
    label->key[size] = '\0';
    label->value = word + size + 1;
    label->bounds[0] = 0;
    label->bounds[1] = (int64_t)strlen(label->value);
}

int tfp_labels_check(const tfp_words *words, tfprof_error *err)
{
    tfp_labels labels = { .count = 0 };
    const char *word = words->data;
    if (words->count > TFP_MOST_LABELS)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--label: %zu labels are more than the limit of %d",
                        words->count, TFP_MOST_LABELS);
    for (size_t i = 0; i < words->count; i++, word += strlen(word) + 1) {
        int status = check_word(word, err);
        tfp_labels one = { .count = 0 };
        if (status != TFPROF_OK)
            return status;
        add(&one, word);
        if (tfp_labels_find(&labels, one.at[0].key))
            return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                            "--label: the key '%s' is given twice (keys that "
                            "differ only in case are the same)",
                            one.at[0].key);
        labels.at[labels.count++] = one.at[0];
    }
    return TFPROF_OK;
}

void tfp_labels_read(const tfp_words *words, tfp_labels *labels)
{
    const char *word = words->data;
    labels->count = 0;
    for (size_t i = 0; i < words->count; i++, word += strlen(word) + 1)
        add(labels, word);
}

const tfp_label_pair *tfp_labels_find(const tfp_labels *labels, const char *key)
{
    for (size_t i = 0; i < labels->count; i++) {
        if (is_same(labels->at[i].key, key))
            return &labels->at[i];
    }
    return NULL;
}

int tfp_labels_check_column(const tfp_labels *labels, const char *column,
                            tfprof_error *err)
{
    const tfp_label_pair *label = tfp_labels_find(labels, column);
    return label ? tfp_fail(err, TFPROF_ERR_OPTION, -1,
                            "--label: the key '%s' is the name of a column of "
                            "this table (choose another key)",
                            label->key)
                 : TFPROF_OK;
}
