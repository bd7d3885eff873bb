/*
 * table.h - the tables "steps", "kernels", "memory" and "devices".
 *
 * A table is a copy: it does not depend on its profile, never changes, and may
 * be read by several threads at the same time. Its rows are not nested. A table
 * has the same columns as its CSV output; docs/tables.md lists the columns.
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

/* Releases a table. Arrow streams exported from it stay valid. NULL is allowed.
 */
TFPROF_API void tfprof_table_free(tfprof_table *table);

/* Returns the name of a table, such as "steps", or NULL if the argument is not
 * a table. The text is static. */
TFPROF_API const char *tfprof_table_name(const tfprof_table *table);

/* Returns the number of rows. Cannot fail. */
TFPROF_API size_t tfprof_table_row_count(const tfprof_table *table);

/* Exports all rows through Arrow's C data interface, without a copy. The result
 * is a stream of one record batch. The old content of *stream is overwritten,
 * not released. The caller releases the new stream through its release
 * callback, in any thread. The stream does not depend on the table or the
 * profile. <tfprof/arrow.h> declares struct ArrowArrayStream. On failure
 * *stream is unchanged. */
struct ArrowArrayStream;
TFPROF_API int tfprof_table_export_arrow(const tfprof_table *table,
                                         struct ArrowArrayStream *stream,
                                         tfprof_error *err);

#ifdef __cplusplus
}
#endif

#endif
