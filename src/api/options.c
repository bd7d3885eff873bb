/*
 * options.c - the option table as the public header shows it.
 */
#include <string.h>

#include <tfprof/tfprof.h>

#include "options/options.h"
#include "options/values.h"

size_t tfprof_option_count(void)
{
    return tfp_option_table_count;
}

const tfprof_option *tfprof_option_at(size_t index)
{
    return index < tfp_option_table_count ? &tfp_option_table[index].shown
                                          : NULL;
}

const tfprof_option *tfprof_option_find(const char *name,
                                        const tfprof_option **nearest)
{
    const tfp_option *option = name ? tfp_option_find(name) : NULL;
    const tfp_option *similar = NULL;
    if (name && !option)
        similar = tfp_option_nearest(name);
    if (nearest)
        *nearest = similar ? &similar->shown : NULL;
    return option ? &option->shown : NULL;
}

const char *tfprof_metric_alias(size_t index, const char **meaning)
{
    bool is_known = index < tfp_metric_alias_count;
    if (meaning)
        *meaning = is_known ? tfp_metric_aliases[index].meaning : NULL;
    return is_known ? tfp_metric_aliases[index].word : NULL;
}

int tfprof_truth(const char *text)
{
    return text ? tfp_truth_of(text) : -1;
}

const char *tfprof_nearest_word(const char *text, const char *const *words,
                                size_t count)
{
    tfp_nearest nearest;
    const char *found = NULL;
    if (!text || !words)
        return NULL;
    nearest = tfp_nearest_to(text, strlen(text));
    for (size_t i = 0; i < count; i++) {
        if (words[i] && tfp_nearest_try(&nearest, words[i], strlen(words[i])))
            found = words[i];
    }
    return found;
}
