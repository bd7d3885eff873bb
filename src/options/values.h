/*
 * values.h - from text to the value of an option, and to the nearest word.
 *
 * Each parser makes its error itself, with the name of the option in it, and
 * touches its output only on success.
 */
#ifndef TFP_OPTIONS_VALUES_H
#define TFP_OPTIONS_VALUES_H

#include "base/memory.h"
#include "options/options.h"

/* ---- Values ------------------------------------------------------------- */

/* A truth, a number, a size, a choice, or a set of words. */
int tfp_value_parse(const tfp_option *option, const char *text, int64_t *out,
                    tfprof_error *err);

/* The word that a number may be instead, which is its default then and has the
 * value one below the lowest; NULL: there is none. */
const char *tfp_option_word(const tfp_option *option);

/* 1 or 0 for the words that tfprof_truth() lists, in any case; -1 for others.
 */
int tfp_truth_of(const char *text);

/* The words between commas. "\," is a comma inside a word; a comma in a
 * counted repeat, "{2,3}" or "{2,}", does not end a word either. All other
 * bytes stay as they are, other backslashes too. If `is_plain`, the words are
 * not regular expressions: "\\" is a backslash, and there are no repeats. */
int tfp_words_parse(const char *text, bool is_plain, tfp_memory *memory,
                    tfp_words *out, tfprof_error *err);
bool tfp_words_copy(const tfp_words *words, tfp_memory *memory, tfp_words *out);
void tfp_words_release(tfp_words *words, tfp_memory *memory);

/* How many bytes of a list belong together: a backslash and what follows it,
 * a counted repeat, or one. `text` is not at its end. */
size_t tfp_words_step(const char *text);

/* "TYPE", "TYPE:outfile=FILE" or "pprof:outfile=FILE,KEY=WORD"; for an older
 * option the name of a file. */
int tfp_output_parse(const tfp_option *option, const char *text,
                     tfp_memory *memory, tfp_output *out, tfprof_error *err);
bool tfp_output_copy(const tfp_output *output, tfp_memory *memory,
                     tfp_output *out);
void tfp_output_release(tfp_output *output, tfp_memory *memory);

extern const char tfp_output_types[]; /* "a|b|c", by tfp_output_kind */

/* ---- Words -------------------------------------------------------------- */

/* The place of a word in "a|b|c", or -1. */
int64_t tfp_word_find(const char *words, const char *text, size_t size);

/* The same; the alias of a metric that is one of the words stands for it. */
int64_t tfp_word_meant(const char *words, const char *text, size_t size);

/* The most similar word of "a|b|c", up to its "|" or the end, or alias of one;
 * NULL when none is similar. */
const char *tfp_word_nearest(const char *words, const char *text, size_t size);
/* The order of the alphabet of two words, each of which "|" may end. */
int tfp_word_compare(const char *a, const char *b);

/* "'TEXT' is not known", with the nearest of `words`, or with all that the
 * option takes. */
int tfp_fail_word(const tfp_option *option, const char *words, const char *text,
                  size_t size, tfprof_error *err);

/* Goes through words, most similar first wins:
 * for each word: if (tfp_nearest_try(&near, word, size)) found = word; */
typedef struct tfp_nearest {
    const char *text;
    size_t size;
    size_t best; /* edits; what is further away is another word */
} tfp_nearest;

tfp_nearest tfp_nearest_to(const char *text, size_t size);

/* Is this word similar, and more so than all before? */
bool tfp_nearest_try(tfp_nearest *nearest, const char *word, size_t size);

#endif
