/*
 * texts.c - lists of patterns, and where the answer goes.
 */
#include <string.h>

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

/* How many bytes belong together: a backslash keeps what follows it. */
static size_t step_size(const char *text)
{
    size_t repeat = *text == '{' ? repeat_size(text) : 0;
    if (*text == '\\' && text[1] != '\0')
        return 2;
    return repeat > 0 ? repeat : 1;
}

/* Cuts a list apart. `out` has its words, each with a NUL, unless NULL: then
 * they are only measured. */
static tfp_words cut(const char *text, char *out)
{
    tfp_words words = { .data = out };
    size_t start = 0; /* of the word */
    for (;; text++) {
        while (*text != '\0' && *text != ',') {
            size_t size = step_size(text);
            bool is_comma = text[0] == '\\' && text[1] == ',';
            if (out)
                memcpy(out + words.size, text + is_comma, size - is_comma);
            words.size += size - is_comma;
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

int tfp_words_parse(const char *text, tfp_memory *memory, tfp_words *out,
                    tfprof_error *err)
{
    tfp_words words = cut(text, NULL);
    if (words.count > 0) {
        char *data = tfp_memory_resize(memory, NULL, 0, words.size);
        if (!data)
            return tfp_fail_nomem(err);
        words = cut(text, data);
    }
    *out = words;
    return TFPROF_OK;
}

void tfp_words_release(tfp_words *words, tfp_memory *memory)
{
    tfp_memory_free(memory, words->data, words->size);
    *words = (tfp_words){ 0 };
}

/* ---- Output ------------------------------------------------------------- */

static const char types[] = "stdout|none|file|timeline|pprof|profile";
static const char keys[] = "outfile|output"; /* some write the second */

/* Keeps a file's name. With `unescape`, "\," stands for a comma. */
static int keep_file(const tfp_option *option, const char *name, bool unescape,
                     tfp_memory *memory, tfp_output *out, tfprof_error *err)
{
    size_t size = 0;
    char *file;
    for (const char *at = name; *at; at++)
        size += !(unescape && at[0] == '\\' && at[1] == ',');
    if (size == 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s: the name of the file is empty",
                        option->shown.name);
    file = tfp_memory_resize(memory, NULL, 0, size + 1);
    if (!file)
        return tfp_fail_nomem(err);
    out->outfile = file;
    for (const char *at = name; *at; at++) {
        if (!(unescape && at[0] == '\\' && at[1] == ','))
            *file++ = *at;
    }
    *file = '\0';
    return TFPROF_OK;
}

/* Is there a comma that is not written "\,"? */
static bool has_comma(const char *text)
{
    for (; *text; text++) {
        if (text[0] == '\\' && text[1] == ',')
            text++;
        else if (*text == ',')
            return true;
    }
    return false;
}

/* What follows "TYPE:". */
static int parse_pairs(const tfp_option *option, const char *pairs,
                       const char *type, int type_size, tfp_memory *memory,
                       tfp_output *out, tfprof_error *err)
{
    size_t key = strcspn(pairs, "=");
    if (out->kind == TFP_OUTPUT_STDOUT || out->kind == TFP_OUTPUT_NONE) {
        if (*pairs == '\0')
            return TFPROF_OK;
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s %.*s takes nothing more, not '%.60s'",
                        option->shown.name, type_size, type, pairs);
    }
    if (*pairs == '\0')
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s %.*s needs a file: %.*s:outfile=FILE",
                        option->shown.name, type_size, type, type_size, type);
    if (pairs[key] == '\0' || tfp_word_find(keys, pairs, key) < 0)
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s %.*s takes outfile=FILE, not '%.60s'",
                        option->shown.name, type_size, type, pairs);
    if (has_comma(pairs + key + 1))
        return tfp_fail(err, TFPROF_ERR_OPTION, -1,
                        "--%s %.*s takes one outfile; a comma in the name of "
                        "a file is written \\,",
                        option->shown.name, type_size, type);
    return keep_file(option, pairs + key + 1, true, memory, out, err);
}

int tfp_output_parse(const tfp_option *option, const char *text,
                     tfp_memory *memory, tfp_output *out, tfprof_error *err)
{
    tfp_output output = { .kind = TFP_OUTPUT_FILE };
    size_t size = strcspn(text, ":");
    int status;
    if (option->shown.group == TFPROF_GROUP_OLDER) {
        status = keep_file(option, text, false, memory, &output, err);
    } else {
        output.kind = tfp_word_find(types, text, size);
        if (output.kind < 0)
            return tfp_fail_word(option, types, text, size, err);
        status = parse_pairs(option, text + size + (text[size] == ':'), text,
                             (int)size, memory, &output, err);
    }
    if (status == TFPROF_OK)
        *out = output;
    return status;
}

void tfp_output_release(tfp_output *output, tfp_memory *memory)
{
    if (output->outfile)
        tfp_memory_free(memory, output->outfile, strlen(output->outfile) + 1);
    *output = (tfp_output){ 0 };
}
