/*
 * json_tree.h - loads JSON text as a tree of jansson.
 *
 * jansson refuses everything that is not strict JSON: invalid UTF-8, NUL, keys
 * that occur twice, more than 2048 levels, bytes after the end. So the caller
 * only checks that the tree has the expected form.
 *
 * The tree is not counted by a tfp_memory: to give jansson another allocator
 * would change it for the whole program. The limit of the size bounds it, to 80
 * times as much at worst.
 */
#ifndef TFP_BASE_JSON_TREE_H
#define TFP_BASE_JSON_TREE_H

#include <stdbool.h>

#include "base/bytes.h"
#include "base/error.h"

/* Was this built with jansson, the library that reads JSON? */
bool tfp_json_tree_is_there(void);

/* Fails with "NAME: what"; of a long name its end is shown. */
int tfp_json_tree_fail(tfprof_error *err, int code, const char *name,
                       const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));

#if defined(TFPROF_HAVE_JANSSON)

#include <jansson.h>

/* Reads a complete file of at most `most` bytes; `name` is its path. The caller
 * releases *tree with json_decref(). Mistakes are reported with their line and
 * column. Fails with MALFORMED, LIMIT or NOMEM. */
int tfp_json_tree_load(tfp_span json, int most, const char *name, json_t **tree,
                       tfprof_error *err);

/* The bytes of a string of the tree. */
static inline tfp_span tfp_json_tree_text(const json_t *string)
{
    return (tfp_span){ (const uint8_t *)json_string_value(string),
                       json_string_length(string) };
}

#endif
#endif
