/*
 * devices.c - the name of a device in two parts: where it is, and what it is.
 */
#include "model/devices.h"

#include <stdbool.h>
#include <stddef.h>

/* The end of the component that begins with the slash at `at`. */
static size_t end_of_component(tfp_span name, size_t at)
{
    for (at++; at < name.size && name.data[at] != '/'; at++)
        ;
    return at;
}

static tfp_span rest_of(tfp_span name, size_t at)
{
    return (tfp_span){ name.data + at, name.size - at };
}

static size_t end_of_place(tfp_span name)
{
    static const char *const parts[] = { "/job:", "/replica:", "/task:" };
    size_t at = 0;
    if (tfp_span_starts(name, "/host:")) {
        at = end_of_component(name, 0);
        return at + 1 < name.size ? at : 0;
    }
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        if (tfp_span_starts(rest_of(name, at), parts[i]))
            at = end_of_component(name, at);
    }
    return at;
}

/* Is it "/device:KIND:NUMBER" or "/KIND:NUMBER"? */
static bool is_device(tfp_span component)
{
    size_t digits = component.size;
    while (digits > 0 && component.data[digits - 1] >= '0' &&
           component.data[digits - 1] <= '9')
        digits--;
    return digits < component.size && digits > 2 && component.data[0] == '/' &&
           component.data[digits - 1] == ':';
}

void tfp_device_split(tfp_span name, tfp_span *place, tfp_span *device)
{
    size_t at = name.size > 0 ? end_of_place(name) : 0;
    *place = (tfp_span){ name.data, at };
    *device = (tfp_span){ 0 };
    if (at < name.size) {
        tfp_span rest = rest_of(name, at), first = rest;
        first.size = end_of_component(rest, 0);
        *device = is_device(first) ? first : rest;
    }
}
