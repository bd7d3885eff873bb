/*
 * texts.c - lists of patterns, and where the answer goes.
 */
#include <string.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "options/values.h"

/* ---- Lists of patterns -------------------------------------------------- */

static const char *skip_digits(const char *text)
{
    while (*text >= '0' && *text <= '9')
        text++;
    return text;
}

/* The bytes of a counted repeat with a comma, "{2,3}" or "{2,}", or 0. */
static size_t repeat_size(const char *text)
{
    const char *at = skip_digits(text + 1);
    if (at == text + 1 || *at != ',')
        return 0;
    at = skip_digits(at + 1);
    return *at == '}' ? (size_t)(at + 1 - text) : 0;
}

size_t tfp_words_step(const char *text)
{
    size_t repeat = *text == '{' ? repeat_size(text) : 0;
    if (*text == '\\' && text[1] != '\0')
        return 2;
    return repeat > 0 ? repeat : 1;
}

/* The same in a list of plain texts, where only "\," and "\\" belong
 * together. */
static size_t plain_step(const char *text)
{
    return *text == '\\' && (text[1] == ',' || text[1] == '\\') ? 2 : 1;
}

/* Cuts a list apart. `out` has its words, each with a NUL, unless NULL: then
 * they are only measured. */
static tfp_words cut(const char *text, bool is_plain, char *out)
{
    tfp_words words = { .data = out };
    size_t start = 0; /* of the word */
    for (;; text++) {
        while (*text != '\0' && *text != ',') {
            size_t size = is_plain ? plain_step(text) : tfp_words_step(text);
            bool is_escape = is_plain ? size == 2
                                      : text[0] == '\\' && text[1] == ',';
            if (out)
                memcpy(out + words.size, text + is_escape, size - is_escape);
            words.size += size - is_escape;
            text += size;
        }
        if (words.size > start) {
            if (out)
                out[words.size] = '\0';
            start = ++words.size;
            words.count++;
        }
        if (*text == '\0')
            return words;
    }
}

int tfp_words_parse(const char *text, bool is_plain, tfp_memory *memory,
                    tfp_words *out, tfprof_error *err)
{
    tfp_words words = cut(text, is_plain, NULL);
    if (words.count > 0) {
        char *data = tfp_memory_alloc(memory, words.size);
        if (!data)
            return tfp_fail_nomem(err);
        words = cut(text, is_plain, data);
    }
    *out = words;
    return TFPROF_OK;
}

bool tfp_words_copy(const tfp_words *words, tfp_memory *memory, tfp_words *out)
{
    *out = *words;
    if (words->count == 0)
        return true;
    out->data = tfp_memory_alloc(memory, words->size);
    if (!out->data) {
        *out = (tfp_words){ 0 };
        return false;
    }
    memcpy(out->data, words->data, words->size);
    return true;
}

void tfp_words_release(tfp_words *words, tfp_memory *memory)
{
    tfp_memory_free(memory, words->data);
    *words = (tfp_words){ 0 };
}

/* ---- Output ------------------------------------------------------------- */

const char tfp_output_types[] = "stdout|none|file|timeline|pprof|profile|"
                                "folded|speedscope|html|parquet";
static const char keys[] = "outfile|output"; /* some write the second */

/* What else a pprof file may be told. The words are in the order of the enum
 * of that name. */
static const struct {
    const char *key, *words;
    size_t place; /* in a tfp_output */
} pprof_keys[] = {
    { "labels=", "node|all|groups", offsetof(tfp_output, labels) },
    { "samples=", "leaves|all", offsetof(tfp_output, samples) },
    { "places=", "calls|lines", offsetof(tfp_output, places) },
};

/* An --output that is being read. */
typedef struct output_text {
    const tfp_option *option;
    const char *type; /* its first word */
    int type_size;
    tfp_memory *memory;
    tfp_output *out;
    tfprof_error *err;
} output_text;

/* Keeps a file's name. With `unescape`, "\," stands for a comma. */
static int keep_file(const output_text *t, const char *name, size_t size,
                     bool unescape)
{
    size_t kept = 0;
    char *file;
    for (size_t i = 0; i < size; i++)
        kept += !(unescape && name[i] == '\\' && name[i + 1] == ',');
    if (kept == 0)
        return tfp_fail(t->err, TFPROF_ERR_OPTION, -1, "--%s: empty file name",
                        t->option->shown.name);
    file = tfp_memory_alloc(t->memory, kept + 1);
    if (!file)
        return tfp_fail_nomem(t->err);
    t->out->outfile = file;
    for (size_t i = 0; i < size; i++) {
        if (!(unescape && name[i] == '\\' && name[i + 1] == ','))
            *file++ = name[i];
    }
    *file = '\0';
    return TFPROF_OK;
}

/* The row of pprof_keys that a pair begins with, or -1. */
static int find_pprof_key(const char *pair)
{
    for (size_t i = 0; i < sizeof(pprof_keys) / sizeof(pprof_keys[0]); i++) {
        if (!strncmp(pair, pprof_keys[i].key, strlen(pprof_keys[i].key)))
            return (int)i;
    }
    return -1;
}

static int keep_word(const output_text *t, int row, const char *word,
                     size_t size)
{
    const char *words = pprof_keys[row].words, *nearest;
    int64_t found = tfp_word_find(words, word, size);
    if (found < 0) {
        nearest = tfp_word_nearest(words, word, size);
        return tfp_fail(
            t->err, TFPROF_ERR_OPTION, -1,
            "--%s %.*s does not accept %s%s (%s%s%.*s%s)",
            t->option->shown.name, t->type_size, t->type, pprof_keys[row].key,
            tfp_shorten((tfp_span){ (const uint8_t *)word, size }, 60).text,
            nearest ? "did you mean " : "", pprof_keys[row].key,
            nearest ? (int)strcspn(nearest, "|") : (int)strlen(words),
            nearest ? nearest : words, nearest ? "?" : "");
    }
    memcpy((char *)t->out + pprof_keys[row].place, &found, sizeof(found));
    return TFPROF_OK;
}

/* Bytes up to a comma that is not written "\,". */
static size_t pair_size(const char *text)
{
    size_t size = 0;
    while (text[size] != '\0' && text[size] != ',')
        size += text[size] == '\\' && text[size + 1] == ',' ? 2 : 1;
    return size;
}

static int fail_comma(const output_text *t)
{
    return tfp_fail(t->err, TFPROF_ERR_OPTION, -1,
                    "--%s %.*s accepts only one outfile; write a comma in a "
                    "file name as \\,",
                    t->option->shown.name, t->type_size, t->type);
}

/* One "KEY=VALUE". */
static int parse_pair(const output_text *t, const char *pair, size_t size)
{
    bool is_pprof = t->out->kind == TFP_OUTPUT_PPROF;
    size_t key = strcspn(pair, "=,");
    int row = is_pprof ? find_pprof_key(pair) : -1;
    if (row >= 0)
        return keep_word(t, row, pair + key + 1, size - (key + 1));
    if (t->out->outfile)
        return fail_comma(t);
    if (pair[key] != '=' || tfp_word_find(keys, pair, key) < 0)
        return tfp_fail(t->err, TFPROF_ERR_OPTION, -1,
                        "--%s %.*s accepts outfile=FILE%s, not '%s'",
                        t->option->shown.name, t->type_size, t->type,
                        is_pprof ? ", labels=all|groups, samples=all and "
                                   "places=lines"
                                 : "",
                        tfp_shorten(tfp_span_of(pair), 60).text);
    if (!is_pprof && pair[size] == ',')
        return fail_comma(t);
    return keep_file(t, pair + key + 1, size - (key + 1), true);
}

/* What follows "TYPE:". */
static int parse_pairs(const output_text *t, const char *pairs)
{
    const char *at = pairs;
    if (t->out->kind == TFP_OUTPUT_STDOUT || t->out->kind == TFP_OUTPUT_NONE) {
        if (*pairs == '\0')
            return TFPROF_OK;
        return tfp_fail(t->err, TFPROF_ERR_OPTION, -1,
                        "--%s %.*s accepts no parameters; unexpected '%s'",
                        t->option->shown.name, t->type_size, t->type,
                        tfp_shorten(tfp_span_of(pairs), 60).text);
    }
    while (*at != '\0') {
        size_t size = pair_size(at);
        int status = parse_pair(t, at, size);
        if (status != TFPROF_OK)
            return status;
        if (at[size] == ',' && at[size + 1] == '\0')
            return fail_comma(t);
        at += size + (at[size] == ',');
    }
    if (!t->out->outfile)
        return tfp_fail(t->err, TFPROF_ERR_OPTION, -1,
                        "--%s %.*s needs a file (write %.*s:outfile=FILE)",
                        t->option->shown.name, t->type_size, t->type,
                        t->type_size, t->type);
    return TFPROF_OK;
}

int tfp_output_parse(const tfp_option *option, const char *text,
                     tfp_memory *memory, tfp_output *out, tfprof_error *err)
{
    tfp_output output = { .kind = TFP_OUTPUT_FILE };
    size_t size = strcspn(text, ":");
    output_text t = { option, text, (int)size, memory, &output, err };
    int status;
    if (option->shown.group == TFPROF_GROUP_OLDER) {
        status = keep_file(&t, text, strlen(text), false);
    } else if (*text == '\0') { /* as upstream */
        output.kind = TFP_OUTPUT_STDOUT;
        status = TFPROF_OK;
    } else {
        output.kind = tfp_word_find(tfp_output_types, text, size);
        if (output.kind < 0)
            return tfp_fail_word(option, tfp_output_types, text, size, err);
        status = parse_pairs(&t, text + size + (text[size] == ':'));
    }
    if (status == TFPROF_OK)
        *out = output;
    else
        tfp_output_release(&output, memory);
    return status;
}

bool tfp_output_copy(const tfp_output *output, tfp_memory *memory,
                     tfp_output *out)
{
    *out = *output;
    if (!output->outfile)
        return true;
    out->outfile = tfp_memory_alloc(memory, strlen(output->outfile) + 1);
    if (out->outfile)
        memcpy(out->outfile, output->outfile, strlen(output->outfile) + 1);
    return out->outfile != NULL;
}

void tfp_output_release(tfp_output *output, tfp_memory *memory)
{
    tfp_memory_free(memory, output->outfile);
    *output = (tfp_output){ 0 };
}
