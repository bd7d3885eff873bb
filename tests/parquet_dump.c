/*
 * parquet_dump.c - writes columns as a Parquet file, for the tests that compare
 * them with what pyarrow reads. Read by
 * tests/cli/output/test_parquet_columns.py.
 *
 * Standard input has a line "ROWS COLUMNS", and for each column a line
 *
 *   NAME FORMAT OPTIONAL NULLS PRESENT FIRST SECOND TEXTS STARTS BYTES
 *
 * FORMAT is that of Arrow, OPTIONAL is 0 or 1. PRESENT, FIRST and SECOND are
 * the sizes of the buffers of the column, STARTS and BYTES those of its TEXTS
 * texts; 0: there is no such buffer. The bytes of the buffers follow the line.
 * The file is written to standard output.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"
#include "output/arrow/arrow.h"
#include "output/parquet/parquet.h"
#include "output/sink/sink.h"

static const char *const formats[] = { TFP_ARROW_TEXT,  TFP_ARROW_BIT,
                                       TFP_ARROW_INT32, TFP_ARROW_UINT32,
                                       TFP_ARROW_INT64, TFP_ARROW_DOUBLE };

static _Noreturn void die(const char *why)
{
    fprintf(stderr, "parquet_dump: %s\n", why);
    exit(2);
}

enum { MOST = 5 * TFP_ARROW_COLUMNS }; /* buffers */

static void *buffers[MOST];
static size_t buffer_count;

static const void *read_buffer(size_t size)
{
    void *buffer;
    if (size == 0)
        return NULL;
    buffer = malloc(size);
    if (!buffer || fread(buffer, 1, size, stdin) != size)
        die("a buffer is missing");
    buffers[buffer_count++] = buffer;
    return buffer;
}

static const char *find_format(const char *text)
{
    for (size_t i = 0; i < sizeof(formats) / sizeof(*formats); i++) {
        if (!strcmp(formats[i], text))
            return formats[i];
    }
    die("unknown format");
}

static void read_column(tfp_arrow_table *table)
{
    char line[256], name[32], format[2];
    size_t optional, nulls, present, first, second, texts, starts, bytes;
    tfp_arrow_column *column;
    if (!fgets(line, sizeof(line), stdin) ||
        sscanf(line, "%31s %1s %zu %zu %zu %zu %zu %zu %zu %zu", name, format,
               &optional, &nulls, &present, &first, &second, &texts, &starts,
               &bytes) != 10)
        die("expected a column");
    column = tfp_arrow_add(table, "", name, find_format(format), NULL);
    column->is_optional = optional > 0;
    column->null_count = (int64_t)nulls;
    column->buffers[0] = read_buffer(present);
    column->buffers[1] = read_buffer(first);
    column->buffers[2] = read_buffer(second);
    column->buffer_count = !strcmp(column->format, TFP_ARROW_TEXT) ? 3 : 2;
    column->text_count = texts;
    column->texts[1] = read_buffer(starts);
    column->texts[2] = read_buffer(bytes);
}

static int put(void *context, const void *data, size_t size)
{
    (void)context;
    return fwrite(data, 1, size, stdout) == size ? 0 : -1;
}

int main(void)
{
    static tfp_arrow_table table;
    static tfp_sink sink;
    tfp_memory memory;
    tfprof_error err = { 0 };
    char line[64];
    size_t columns;
    if (!fgets(line, sizeof(line), stdin) ||
        sscanf(line, "%zu %zu", &table.row_count, &columns) != 2 ||
        columns > TFP_ARROW_COLUMNS)
        die("expected ROWS COLUMNS");
    for (size_t i = 0; i < columns; i++)
        read_column(&table);
    tfp_memory_init(&memory, NULL, NULL);
    tfp_sink_init(&sink, put, NULL);
    if (tfp_parquet_write(&table, &memory, &sink, &err) != TFPROF_OK)
        die(err.message);
    if (!tfp_sink_flush(&sink))
        die("cannot write");
    while (buffer_count > 0)
        free(buffers[--buffer_count]);
    return memory.held == 0 ? 0 : 3;
}
