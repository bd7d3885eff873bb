/*
 * stored_trace.h - the traces in tests/data.
 */
#ifndef TFP_TESTS_STORED_TRACE_H
#define TFP_TESTS_STORED_TRACE_H

#include "testing.h"

#include "base/bytes.h"

static inline void stored_path(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/traces/%s.xplane.pb", TFPROF_TEST_DATA, name);
}

/* A trace by its name; it lives until the next is read. */
static inline tfp_span read_trace(const char *name)
{
    static uint8_t bytes[128 << 10];
    char path[1024];
    FILE *file;
    size_t size;
    stored_path(name, path, sizeof(path));
    file = fopen(path, "rb");
    assert_non_null(file);
    size = fread(bytes, 1, sizeof(bytes), file);
    assert_true(size > 0 && size < sizeof(bytes));
    fclose(file);
    return (tfp_span){ bytes, size };
}

#endif
