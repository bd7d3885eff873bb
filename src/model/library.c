/*
 * library.c - which files are libraries, and not a user's own code.
 */
#include "model/library.h"

#include <string.h>

/* ".../lib/python3.11/json/decoder.py": of an environment that has no
 * site-packages in the path, this is the standard library. */
static bool is_standard(tfp_span file)
{
    static const char start[] = "/lib/python3.";
    const uint8_t *at = tfp_span_find(file, start);
    size_t left;
    if (!at)
        return false;
    at += strlen(start);
    left = (size_t)(file.data + file.size - at);
    while (left > 0 && *at >= '0' && *at <= '9') {
        at++;
        left--;
    }
    return left > 0 && *at == '/';
}

bool tfp_is_library(tfp_span file)
{
    return tfp_span_find(file, "/tensorflow/python/") ||
           tfp_span_find(file, "/site-packages/") ||
           tfp_span_find(file, "/dist-packages/") || is_standard(file) ||
           tfp_span_starts(file, "<");
}
