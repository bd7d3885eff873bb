/*
 * options.c - the life of the options, and setting them from text.
 */
#include "options/options.h"

#include <string.h>

#include "base/escape.h"
#include "options/labels.h"
#include "options/values.h"

static bool is_list(const tfp_option *option)
{
    return option->shown.kind == TFPROF_OPTION_LIST ||
           option->shown.kind == TFPROF_OPTION_PAIRS;
}

bool tfp_options_init(tfp_options *options, tfp_memory *memory)
{
    *options = (tfp_options){ .memory = memory };
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        const tfprof_option *option = &tfp_option_table[i].shown;
        if (option->kind != TFPROF_OPTION_PATHS &&
            tfp_options_set(options, option->name, option->default_value,
                            NULL) != TFPROF_OK)
            return false;
    }
    memset(options->given, 0, sizeof(options->given));
    return true;
}

void tfp_options_release(tfp_options *options)
{
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        const tfp_option *option = &tfp_option_table[i];
        char *place = (char *)options;
        if (is_list(option))
            tfp_words_release((void *)(place + option->place), options->memory);
        else if (option->shown.kind == TFPROF_OPTION_OUTPUT)
            tfp_output_release((void *)(place + option->place),
                               options->memory);
    }
}

bool tfp_options_copy(const tfp_options *options, tfp_options *out)
{
    bool copied = true;
    *out = *options;
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        const tfp_option *option = &tfp_option_table[i];
        if (is_list(option))
            copied &= tfp_words_copy(
                (const void *)((const char *)options + option->place),
                options->memory, (void *)((char *)out + option->place));
        else if (option->shown.kind == TFPROF_OPTION_OUTPUT)
            copied &= tfp_output_copy(
                (const void *)((const char *)options + option->place),
                options->memory, (void *)((char *)out + option->place));
    }
    return copied;
}

/* ---- Setting ------------------------------------------------------------ */

static int set_scalar(tfp_options *options, const tfp_option *option,
                      const char *value, tfprof_error *err)
{
    int64_t parsed;
    int status = tfp_value_parse(option, value, &parsed, err);
    if (status == TFPROF_OK && option->place != TFP_OPTION_NOWHERE)
        memcpy((char *)options + option->place, &parsed, sizeof(parsed));
    return status;
}

static int set_words(tfp_options *options, const tfp_option *option,
                     const char *value, tfprof_error *err)
{
    tfp_words *place = (void *)((char *)options + option->place), parsed;
    int status = tfp_words_parse(value,
                                 option->shown.kind == TFPROF_OPTION_PAIRS,
                                 options->memory, &parsed, err);
    if (status != TFPROF_OK)
        return status;
    if (place == &options->label)
        status = tfp_labels_check(&parsed, err);
    if (status != TFPROF_OK) {
        tfp_words_release(&parsed, options->memory);
        return status;
    }
    tfp_words_release(place, options->memory);
    *place = parsed;
    return TFPROF_OK;
}

static int set_output(tfp_options *options, const tfp_option *option,
                      const char *value, tfprof_error *err)
{
    tfp_output *place = (void *)((char *)options + option->place), parsed;
    int status = tfp_output_parse(option, value, options->memory, &parsed, err);
    if (status != TFPROF_OK)
        return status;
    if (!parsed.outfile) { /* the listing keeps the earlier one */
        place->kind = parsed.kind;
        return TFPROF_OK;
    }
    tfp_output_release(place, options->memory);
    *place = parsed;
    return TFPROF_OK;
}

static int fail_unknown(const char *name, tfprof_error *err)
{
    const tfp_option *nearest = tfp_option_nearest(name);
    tfp_fail(err, TFPROF_ERR_OPTION, -1, "unknown option --%s%s%s%s",
             tfp_shorten(tfp_span_of(name), 60).text,
             nearest ? " (did you mean --" : "",
             nearest ? nearest->shown.name : "", nearest ? "?)" : "");
    if (err && strlen(name) < sizeof(err->option))
        memcpy(err->option, name, strlen(name));
    return TFPROF_ERR_OPTION;
}

/* Older spellings set the same place. */
static size_t bit_of(const tfp_option *option)
{
    size_t at = 0;
    while (tfp_option_table[at].place != option->place)
        at++;
    return at;
}

bool tfp_options_give(const tfp_options *options, const char *name)
{
    size_t bit = bit_of(tfp_option_find(name));
    return options->given[bit / 64] >> bit % 64 & 1;
}

static int set_value(tfp_options *options, const tfp_option *option,
                     const char *value, tfprof_error *err)
{
    switch (option->shown.kind) {
    case TFPROF_OPTION_PATHS:
        return tfp_fail(
            err, TFPROF_ERR_OPTION, -1,
            "--%s is an input, not a setting (add the file as an input)",
            option->shown.name);
    case TFPROF_OPTION_LIST:
    case TFPROF_OPTION_PAIRS: return set_words(options, option, value, err);
    case TFPROF_OPTION_OUTPUT: return set_output(options, option, value, err);
    default: return set_scalar(options, option, value, err);
    }
}

/* People name first what matters most to them. */
static void note_first(tfp_options *options, const tfp_option *select,
                       const char *value)
{
    int64_t place;
    value += strspn(value, ",");
    place = tfp_word_meant(select->shown.values, value, strcspn(value, ","));
    options->select_first = place < 0 ? 0 : (int64_t)1 << place;
}

int tfp_options_set(tfp_options *options, const char *name, const char *value,
                    tfprof_error *err)
{
    const tfp_option *option = tfp_option_find(name);
    int status = option ? set_value(options, option, value, err)
                        : fail_unknown(name, err);
    if (status == TFPROF_OK) {
        size_t bit = bit_of(option);
        options->given[bit / 64] |= (uint64_t)1 << bit % 64;
        if (!strcmp(option->shown.name, "select"))
            note_first(options, option, value);
    }
    return status;
}
