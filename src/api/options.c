/*
 * options.c - the option table as the public header shows it.
 */
#include <tfprof/tfprof.h>

#include "options/options.h"

size_t tfprof_option_count(void)
{
    return tfp_option_table_count;
}

const tfprof_option *tfprof_option_at(size_t index)
{
    return &tfp_option_table[index].shown;
}

const tfprof_option *tfprof_option_find(const char *name,
                                        const tfprof_option **nearest)
{
    const tfp_option *option = tfp_option_find(name);
    const tfp_option *similar = NULL;
    if (!option)
        similar = tfp_option_nearest(name);
    if (nearest)
        *nearest = similar ? &similar->shown : NULL;
    return option ? &option->shown : NULL;
}
