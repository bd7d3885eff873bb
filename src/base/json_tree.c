/*
 * json_tree.c - loads JSON text as a tree of jansson.
 */
#include "base/json_tree.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/escape.h"

enum { SHOWN_NAME = 64 /* bytes of a path that a message repeats */ };

bool tfp_json_tree_is_there(void)
{
#if defined(TFPROF_HAVE_JANSSON)
    return true;
#else
    return false;
#endif
}

int tfp_json_tree_fail(tfprof_error *err, int code, const char *name,
                       const char *format, ...)
{
    char shown[SHOWN_NAME], what[sizeof(err->message)];
    tfp_span path = tfp_span_of(name);
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof(what), format, args);
    va_end(args);
    if (path.size >= sizeof(shown)) {
        path.data += path.size - (sizeof(shown) - 1);
        path.size = sizeof(shown) - 1;
    }
    tfp_escape_short(path, shown, sizeof(shown));
    return tfp_fail(err, (tfprof_code)code, -1, "%s: %s", shown, what);
}

#if defined(TFPROF_HAVE_JANSSON)

/* jansson repeats what stands near the mistake, as it is. */
static int fail_at(const json_error_t *mistake, const char *name,
                   tfprof_error *err)
{
    char text[120];
    if (json_error_code(mistake) == json_error_out_of_memory)
        return tfp_fail_nomem(err);
    tfp_escape_short(tfp_span_of(mistake->text), text, sizeof(text));
    return tfp_json_tree_fail(
        err,
        json_error_code(mistake) == json_error_stack_overflow
            ? TFPROF_ERR_LIMIT
            : TFPROF_ERR_MALFORMED,
        name, "line %d, column %d: %s", mistake->line, mistake->column, text);
}

int tfp_json_tree_load(tfp_span json, int most, const char *name, json_t **tree,
                       tfprof_error *err)
{
    json_error_t mistake;
    if (json.size > (size_t)most)
        return tfp_json_tree_fail(err, TFPROF_ERR_LIMIT, name,
                                  "larger than %d bytes", most);
    if (json.size == 0)
        return tfp_json_tree_fail(err, TFPROF_ERR_MALFORMED, name, "is empty");
    *tree = json_loadb((const char *)json.data, json.size,
                       JSON_REJECT_DUPLICATES, &mistake);
    return *tree ? TFPROF_OK : fail_at(&mistake, name, err);
}

#endif
