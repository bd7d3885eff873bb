/*
 * table.h - a plain table that a caller keeps: steps, kernels, memory, devices.
 *
 * A table is a copy of what was found: it needs its profile no longer, never
 * changes, and may be read by several threads at a time. Its columns are those
 * of CSV; docs/tables.md has them.
 */
#ifndef TFPROF_TABLE_H
#define TFPROF_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include <tfprof/error.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tfprof_table tfprof_table;

/* Releases a table; what Arrow has of it stays. NULL is allowed. */
TFPROF_API void tfprof_table_free(tfprof_table *table);

/* Its name, "steps"; NULL for what is no table. Borrowed, for good. */
TFPROF_API const char *tfprof_table_name(const tfprof_table *table);

TFPROF_API size_t tfprof_table_row_count(const tfprof_table *table);

/* Gives all rows to whoever reads Arrow's C data interface, without a copy: a
 * stream of one record batch. What was in *stream is overwritten; its release
 * callback gives it back, in any thread, and it needs neither the table nor the
 * profile. <tfprof/arrow.h> has the struct. On failure *stream is as it
 * was. */
struct ArrowArrayStream;
TFPROF_API int tfprof_table_export_arrow(const tfprof_table *table,
                                         struct ArrowArrayStream *stream,
                                         tfprof_error *err);

#ifdef __cplusplus
}
#endif

#endif
