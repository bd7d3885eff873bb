/*
 * options.c - looks options up and sets them from text.
 */
#include "options/options.h"

#include <string.h>

/* ---- Names -------------------------------------------------------------- */

static char fold(char c)
{
    return c == '-' ? '_' : c;
}

static bool same_name(const char *a, const char *b)
{
    while (*a && fold(*a) == fold(*b)) {
        a++;
        b++;
    }
    return *a == *b;
}

const tfp_option *tfp_option_find(const char *name)
{
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        if (same_name(tfp_option_table[i].shown.name, name))
            return &tfp_option_table[i];
    }
    return NULL;
}

enum { LONGEST_NAME = 40 };

/* Edits that turn one name into the other: Levenshtein's distance, with one
 * row of the table at a time. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST_NAME + 1], a_size = strlen(a), b_size = strlen(b);
    if (a_size > LONGEST_NAME || b_size > LONGEST_NAME)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_size; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            size_t change = diagonal + (fold(a[i - 1]) != fold(b[j - 1]));
            size_t best = row[j - 1] < row[j] ? row[j - 1] : row[j];
            diagonal = row[j];
            row[j] = change < best + 1 ? change : best + 1;
        }
    }
    return row[b_size];
}

const tfp_option *tfp_option_nearest(const char *name)
{
    const tfp_option *nearest = NULL;
    size_t best = strlen(name) / 2 + 1; /* further away is another word */
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        size_t d = distance(name, tfp_option_table[i].shown.name);
        if (d < best) {
            best = d;
            nearest = &tfp_option_table[i];
        }
    }
    return nearest;
}

/* ---- Values ------------------------------------------------------------- */

static bool parse_bool(const char *text, int64_t *out)
{
    *out = !strcmp(text, "true");
    return *out || !strcmp(text, "false");
}

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

static bool parse_int(const char *text, int64_t *out)
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

/* The index of `text` among the words of "a|b|c". */
static bool parse_choice(const char *words, const char *text, int64_t *out)
{
    size_t size = strlen(text);
    for (*out = 0; size > 0; ++*out) {
        const char *end = strchr(words, '|');
        size_t word = end ? (size_t)(end - words) : strlen(words);
        if (word == size && !memcmp(words, text, size))
            return true;
        if (!end)
            break;
        words = end + 1;
    }
    return false;
}

static bool parse(const tfp_option *option, const char *text, int64_t *out)
{
    switch (option->shown.kind) {
    case TFPROF_OPTION_BOOL: return parse_bool(text, out);
    case TFPROF_OPTION_INT:
        return parse_int(text, out) && *out >= option->low &&
               *out <= option->high;
    case TFPROF_OPTION_SIZE:
        return parse_size(text, out) && *out >= option->low &&
               *out <= option->high;
    case TFPROF_OPTION_CHOICE:
        return parse_choice(option->shown.values, text, out);
    default: return false;
    }
}

static int fail_value(const tfp_option *option, const char *value,
                      tfprof_error *err)
{
    switch (option->shown.kind) {
    case TFPROF_OPTION_INT:
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s takes a number from %lld to %lld, not '%.60s'",
                        option->shown.name, (long long)option->low,
                        (long long)option->high, value);
    case TFPROF_OPTION_SIZE:
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s takes a number of bytes such as 500000000 or "
                        "2G, not '%.60s'",
                        option->shown.name, value);
    default:
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s takes %s, not '%.60s'", option->shown.name,
                        option->shown.values, value);
    }
}

void tfp_options_init(tfp_options *options)
{
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        const tfp_option *option = &tfp_option_table[i];
        if (option->shown.kind != TFPROF_OPTION_PATHS)
            tfp_options_set(options, option->shown.name,
                            option->shown.default_value, NULL);
    }
}

int tfp_options_set(tfp_options *options, const char *name, const char *value,
                    tfprof_error *err)
{
    const tfp_option *option = tfp_option_find(name);
    int64_t parsed;
    if (!option) {
        option = tfp_option_nearest(name);
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "unknown option --%.60s%s%s%s", name,
                        option ? " (did you mean --" : "",
                        option ? option->shown.name : "", option ? "?)" : "");
    }
    if (option->shown.kind == TFPROF_OPTION_PATHS)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s names an input, not a setting",
                        option->shown.name);
    if (!parse(option, value, &parsed))
        return fail_value(option, value, err);
    memcpy((char *)options + option->place, &parsed, sizeof(parsed));
    return TFPROF_OK;
}
