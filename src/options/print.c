/*
 * print.c - the value of an option as text that would set it again.
 */
#include <string.h>

#include "options/values.h"

/* Text on its way into a buffer that may be too small for it. */
typedef struct printer {
    char *buffer;
    size_t size; /* of the buffer */
    size_t used; /* what would have been used */
} printer;

static void put(printer *p, const char *text, size_t size)
{
    for (size_t i = 0; i < size; i++, p->used++) {
        if (p->used + 1 < p->size)
            p->buffer[p->used] = text[i];
    }
}

static void put_text(printer *p, const char *text)
{
    put(p, text, strlen(text));
}

static void put_number(printer *p, int64_t value)
{
    char digits[24];
    size_t at = sizeof(digits);
    bool negative = value < 0;
    do {
        int64_t digit = value % 10;
        digits[--at] = (char)('0' + (digit < 0 ? -digit : digit));
        value /= 10;
    } while (value != 0);
    if (negative)
        digits[--at] = '-';
    put(p, digits + at, sizeof(digits) - at);
}

/* ---- Words -------------------------------------------------------------- */

/* The next of `words` in the order of the alphabet, of those whose bits are
 * set; `after` is the one before it, or NULL. */
static const char *next_word(const char *words, int64_t bits, const char *after)
{
    const char *found = NULL;
    for (; *words; words += strcspn(words, "|"), words += *words == '|') {
        bool is_set = bits & 1;
        bits >>= 1;
        if (is_set && (!after || tfp_word_compare(words, after) > 0) &&
            (!found || tfp_word_compare(words, found) < 0))
            found = words;
    }
    return found;
}

/* Upstream keeps what was selected sorted, and so lists it. */
static void put_set(printer *p, const char *words, int64_t bits)
{
    const char *word = next_word(words, bits, NULL);
    while (word) {
        put(p, word, strcspn(word, "|"));
        word = next_word(words, bits, word);
        if (word)
            put_text(p, ",");
    }
}

static void put_choice(printer *p, const char *words, int64_t place)
{
    for (; place > 0; place--)
        words += strcspn(words, "|") + 1;
    put(p, words, strcspn(words, "|"));
}

/* ---- Lists and outputs -------------------------------------------------- */

static void put_escaped(printer *p, const char *text)
{
    while (*text) {
        size_t size = tfp_words_step(text);
        if (*text == ',')
            put_text(p, "\\");
        put(p, text, size);
        text += size;
    }
}

/* A text of a list of plain texts. */
static void put_plain(printer *p, const char *text)
{
    for (; *text; text++) {
        if (*text == ',' || *text == '\\')
            put_text(p, "\\");
        put(p, text, 1);
    }
}

static void put_list(printer *p, const tfp_words *words, bool is_plain)
{
    const char *word = words->data;
    for (size_t i = 0; i < words->count; i++, word += strlen(word) + 1) {
        if (i > 0)
            put_text(p, ",");
        if (is_plain)
            put_plain(p, word);
        else
            put_escaped(p, word);
    }
}

/* "stdout:" and "stdout:outfile=F" are how upstream lists it. */
static void put_output(printer *p, const tfp_output *output)
{
    put_choice(p, tfp_output_types, output->kind);
    put_text(p, ":");
    if (!output->outfile)
        return;
    put_text(p, "outfile=");
    for (const char *at = output->outfile; *at; at++) {
        if (*at == ',')
            put_text(p, "\\");
        put(p, at, 1);
    }
    if (output->labels == TFP_LABELS_ALL)
        put_text(p, ",labels=all");
    if (output->labels == TFP_LABELS_GROUPS)
        put_text(p, ",labels=groups");
    if (output->samples == TFP_SAMPLES_ALL)
        put_text(p, ",samples=all");
    if (output->places == TFP_PLACES_LINES)
        put_text(p, ",places=lines");
}

/* ---- All of them -------------------------------------------------------- */

static void put_value(printer *p, const tfp_option *option, int64_t value)
{
    switch (option->shown.kind) {
    case TFPROF_OPTION_BOOL: put_text(p, value ? "true" : "false"); break;
    case TFPROF_OPTION_CHOICE:
        put_choice(p, option->shown.values, value);
        break;
    case TFPROF_OPTION_SET:
        if (value < 0) /* the view chooses */
            put_text(p, option->shown.default_value);
        else
            put_set(p, option->shown.values, value);
        break;
    default:
        if (tfp_option_word(option) && value < option->low)
            put_text(p, tfp_option_word(option));
        else
            put_number(p, value);
    }
}

static void put_option(printer *p, const tfp_options *options,
                       const tfp_option *option)
{
    const char *place = (const char *)options + option->place;
    int64_t value;
    if (option->shown.kind == TFPROF_OPTION_LIST ||
        option->shown.kind == TFPROF_OPTION_PAIRS) {
        put_list(p, (const void *)place,
                 option->shown.kind == TFPROF_OPTION_PAIRS);
    } else if (option->shown.kind == TFPROF_OPTION_OUTPUT) {
        put_output(p, (const void *)place);
    } else {
        memcpy(&value, place, sizeof(value));
        put_value(p, option, value);
    }
}

size_t tfp_options_print(const tfp_options *options, const tfp_option *option,
                         char *buffer, size_t size)
{
    printer p = { buffer, size, 0 };
    if (option->place != TFP_OPTION_NOWHERE)
        put_option(&p, options, option);
    if (size > 0)
        buffer[p.used < size ? p.used : size - 1] = '\0';
    return p.used;
}
