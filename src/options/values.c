/*
 * values.c - truths, numbers, sizes, choices and sets of words.
 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "options/values.h"

#include "base/error.h"
#include "base/escape.h"

/* ---- Numbers ------------------------------------------------------------ */

/* Digits with an optional "-"; `rest` is what follows them. No "+5", no
 * "0x10", no blanks, nothing that does not fit. */
static bool parse_digits(const char *text, int64_t *out, const char **rest)
{
    bool negative = *text == '-';
    int64_t value = 0;
    text += negative;
    if (*text < '0' || *text > '9')
        return false;
    for (; *text >= '0' && *text <= '9'; text++) {
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_sub_overflow(value, *text - '0', &value))
            return false;
    }
    if (!negative && value == INT64_MIN)
        return false;
    *out = negative ? value : -value;
    *rest = text;
    return true;
}

static bool parse_number(const char *text, int64_t *out)
{
    const char *rest;
    return parse_digits(text, out, &rest) && *rest == '\0';
}

static bool parse_size(const char *text, int64_t *out)
{
    static const char units[] = "KMGT";
    const char *rest, *unit;
    if (!parse_digits(text, out, &rest))
        return false;
    if (*rest == '\0')
        return true;
    unit = strchr(units, *rest >= 'a' ? *rest - 'a' + 'A' : *rest);
    return unit && rest[1] == '\0' &&
           !__builtin_mul_overflow(*out, (int64_t)1 << 10 * (unit - units + 1),
                                   out);
}

static int fail_number(const tfp_option *option, const char *text,
                       tfprof_error *err)
{
    const char *name = option->shown.name, *word = tfp_option_word(option);
    tfp_short shown = tfp_shorten(tfp_span_of(text), 60);
    if (option->shown.kind == TFPROF_OPTION_SIZE)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s accepts a number of bytes such as 500000000 or "
                        "2G, not '%s'",
                        name, shown.text);
    if (option->low <= INT64_MIN + 1 && option->high == INT64_MAX)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s accepts a 64-bit integer%s%s, not '%s'", name,
                        word ? " or " : "", word ? word : "", shown.text);
    return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                    "--%s accepts a number from %lld to %lld%s%s, not '%s'",
                    name, (long long)option->low, (long long)option->high,
                    word ? " or " : "", word ? word : "", shown.text);
}

const char *tfp_option_word(const tfp_option *option)
{
    const char *word = option->shown.default_value, *values;
    if (option->shown.kind != TFPROF_OPTION_INT)
        return NULL;
    values = strchr(option->shown.values, '|');
    if (values)
        return values + 1;
    return *word >= 'a' ? word : NULL;
}

static int set_number(const tfp_option *option, const char *text, int64_t *out,
                      tfprof_error *err)
{
    bool is_size = option->shown.kind == TFPROF_OPTION_SIZE;
    const char *word = tfp_option_word(option);
    int64_t value;
    if (word && !strcmp(text, word)) {
        *out = option->low - 1;
        return TFPROF_OK;
    }
    if (!(is_size ? parse_size(text, &value) : parse_number(text, &value)) ||
        value < option->low || value > option->high)
        return fail_number(option, text, err);
    *out = value;
    return TFPROF_OK;
}

/* ---- Words -------------------------------------------------------------- */

/* The place of a column with times, whose name ends in "_micros". */
static int64_t find_time(const char *words, const char *text)
{
    char name[40];
    int size = snprintf(name, sizeof(name), "%s_micros", text);
    if (size < 0 || (size_t)size >= sizeof(name))
        return -1;
    return tfp_word_find(words, name, (size_t)size);
}

static int set_choice(const tfp_option *option, const char *text, int64_t *out,
                      tfprof_error *err)
{
    const char *words = option->shown.values;
    int64_t place = tfp_word_meant(words, text, strlen(text));
    if (place < 0)
        place = find_time(words, text);
    if (place < 0)
        return tfp_fail_word(option, words, text, strlen(text), err);
    *out = place;
    return TFPROF_OK;
}

int tfp_truth_of(const char *text)
{
    static const char *const words[] = { "false", "true", "f", "t", "no",
                                         "yes",   "n",    "y", "0", "1" };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!strcasecmp(words[i], text))
            return i % 2;
    }
    return -1;
}

static int set_truth(const tfp_option *option, const char *text, int64_t *out,
                     tfprof_error *err)
{
    int truth = tfp_truth_of(text);
    if (truth < 0)
        return tfp_fail_word(option, option->shown.values, text, strlen(text),
                             err);
    *out = truth;
    return TFPROF_OK;
}

/* A bit for each word. Empty words are passed over, as upstream does, but a
 * set of nothing is more likely a mistake than a wish. */
static int set_words(const tfp_option *option, const char *text, int64_t *out,
                     tfprof_error *err)
{
    const char *words = option->shown.values, *at = text;
    int64_t bits = 0;
    if (!strcmp(text, option->shown.default_value)) {
        *out = -1; /* the view chooses */
        return TFPROF_OK;
    }
    for (;;) {
        size_t size = strcspn(at, ",");
        int64_t place = tfp_word_meant(words, at, size);
        if (size > 0 && place < 0)
            return tfp_fail_word(option, words, at, size, err);
        if (size > 0)
            bits |= (int64_t)1 << place;
        if (at[size] == '\0')
            break;
        at += size + 1;
    }
    if (bits == 0)
        return tfp_fail_word(option, words, text, strlen(text), err);
    *out = bits;
    return TFPROF_OK;
}

int tfp_value_parse(const tfp_option *option, const char *text, int64_t *out,
                    tfprof_error *err)
{
    switch (option->shown.kind) {
    case TFPROF_OPTION_BOOL: return set_truth(option, text, out, err);
    case TFPROF_OPTION_CHOICE: return set_choice(option, text, out, err);
    case TFPROF_OPTION_SET: return set_words(option, text, out, err);
    default: return set_number(option, text, out, err);
    }
}
