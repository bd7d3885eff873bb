/*
 * names.c - finds options and words, and those that were meant.
 */
#include <string.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "model/metrics.h"
#include "options/values.h"

/* ---- Options ------------------------------------------------------------ */

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
    for (size_t i = 0; i < tfp_older_option_count; i++) {
        if (same_name(tfp_older_options[i].shown.name, name))
            return &tfp_older_options[i];
    }
    return NULL;
}

const tfp_option *tfp_option_nearest(const char *name)
{
    tfp_nearest nearest = tfp_nearest_to(name, strlen(name));
    const tfp_option *found = NULL;
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        const char *known = tfp_option_table[i].shown.name;
        if (tfp_nearest_try(&nearest, known, strlen(known)))
            found = &tfp_option_table[i];
    }
    return found;
}

/* ---- Words -------------------------------------------------------------- */

/* The size of the first word of "a|b|c". */
static size_t word_size(const char *words)
{
    return strcspn(words, "|");
}

static const char *next_word(const char *words)
{
    size_t size = word_size(words);
    return words + size + (words[size] == '|');
}

int64_t tfp_word_find(const char *words, const char *text, size_t size)
{
    for (int64_t i = 0; *words; i++, words = next_word(words)) {
        if (word_size(words) == size && !memcmp(words, text, size))
            return i;
    }
    return -1;
}

/* The place in `words` of what an alias means, or -1. */
static int64_t place_of_meaning(const char *words, const tfp_alias *alias)
{
    return tfp_word_find(words, alias->meaning, strlen(alias->meaning));
}

int64_t tfp_word_meant(const char *words, const char *text, size_t size)
{
    int64_t place = tfp_word_find(words, text, size);
    for (size_t i = 0; place < 0 && i < tfp_metric_alias_count; i++) {
        const tfp_alias *alias = &tfp_metric_aliases[i];
        if (strlen(alias->word) == size && !memcmp(alias->word, text, size))
            place = place_of_meaning(words, alias);
    }
    return place;
}

/* Does the word end in "_micros", which can be omitted? */
static bool is_time(const char *word, size_t size)
{
    static const char ending[] = "_micros";
    const size_t length = sizeof(ending) - 1;
    return size > length && !memcmp(word + size - length, ending, length);
}

const char *tfp_word_nearest(const char *words, const char *text, size_t size)
{
    tfp_nearest nearest = tfp_nearest_to(text, size);
    const char *found = NULL;
    for (const char *word = words; *word; word = next_word(word)) {
        size_t whole = word_size(word);
        if (tfp_nearest_try(&nearest, word, whole) ||
            (is_time(word, whole) &&
             tfp_nearest_try(&nearest, word, whole - strlen("_micros"))))
            found = word;
    }
    for (size_t i = 0; i < tfp_metric_alias_count; i++) {
        const tfp_alias *alias = &tfp_metric_aliases[i];
        if (place_of_meaning(words, alias) >= 0 &&
            tfp_nearest_try(&nearest, alias->word, strlen(alias->word)))
            found = alias->word;
    }
    return found;
}

int tfp_word_compare(const char *a, const char *b)
{
    size_t a_size = word_size(a), b_size = word_size(b);
    size_t common = a_size < b_size ? a_size : b_size;
    int order = memcmp(a, b, common);
    return order != 0 ? order : (a_size > b_size) - (a_size < b_size);
}

enum { SHOWN = 60 }; /* bytes of what the user wrote, in a message */

/* The list of words comes first, and the message has to end behind it. */
static size_t room_behind(const tfp_option *option)
{
    size_t taken = sizeof("-- accepts , not ''") + strlen(option->shown.name) +
                   strlen(option->shown.values);
    size_t most = sizeof(((tfprof_error *)NULL)->message);
    size_t room = taken < most ? most - taken : 0;
    return room < SHOWN ? room : SHOWN;
}

/* Metrics of steps stand beside those of nodes in docs, budgets and answers, so
 * they are tried here too. */
static bool is_of_steps(const char *words, tfp_span word)
{
    return strstr(words, "micros") && tfp_step_metric_find(word) >= 0;
}

int tfp_fail_word(const tfp_option *option, const char *words, const char *text,
                  size_t size, tfprof_error *err)
{
    const char *found = tfp_word_nearest(words, text, size);
    tfp_span word = { (const uint8_t *)text, size };
    if (is_of_steps(words, word))
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s does not accept '%s': it is a metric of steps, "
                        "not of nodes (see the command steps)",
                        option->shown.name, tfp_shorten(word, SHOWN).text);
    if (found)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s does not accept '%s' (did you mean %.*s?)",
                        option->shown.name, tfp_shorten(word, SHOWN).text,
                        (int)word_size(found), found);
    if (room_behind(option) == 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s does not accept '%s' (see tfprof help %s)",
                        option->shown.name, tfp_shorten(word, SHOWN).text,
                        option->shown.name);
    return tfp_fail(err, TFPROF_ERR_OPTION, -1, "--%s accepts %s, not '%s'",
                    option->shown.name, option->shown.values,
                    tfp_shorten(word, room_behind(option)).text);
}

/* ---- Similarity --------------------------------------------------------- */

enum { LONGEST_WORD = 40 };

/* Case and the two dashes make no difference. */
static char plain(char c)
{
    return fold(tfp_lower(c));
}

/* Edits that turn one word into the other: Levenshtein's distance, with one
 * row of the table at a time. */
static size_t distance(const char *a, size_t a_size, const char *b,
                       size_t b_size)
{
    size_t row[LONGEST_WORD + 1];
    if (a_size > LONGEST_WORD || b_size > LONGEST_WORD)
        return SIZE_MAX;
    for (size_t j = 0; j <= b_size; j++)
        row[j] = j;
    for (size_t i = 1; i <= a_size; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= b_size; j++) {
            size_t change = diagonal + (plain(a[i - 1]) != plain(b[j - 1]));
            size_t best = row[j - 1] < row[j] ? row[j - 1] : row[j];
            diagonal = row[j];
            row[j] = change < best + 1 ? change : best + 1;
        }
    }
    return row[b_size];
}

tfp_nearest tfp_nearest_to(const char *text, size_t size)
{
    return (tfp_nearest){ text, size, size / 2 + 1 };
}

bool tfp_nearest_try(tfp_nearest *nearest, const char *word, size_t size)
{
    size_t edits = distance(nearest->text, nearest->size, word, size);
    if (edits >= nearest->best)
        return false;
    nearest->best = edits;
    return true;
}
