/*
 * whole_file.h - a small file, read in one piece.
 *
 * For files that say how to answer, not what to answer about. As everywhere, a
 * path may be "-" for stdin or lead to a pipe, and the file may be packed.
 */
#ifndef TFP_INPUT_WHOLE_FILE_H
#define TFP_INPUT_WHOLE_FILE_H

#include "base/gzip.h"

typedef struct tfp_whole_file {
    tfp_reader packed, unpacked;
    tfp_gzip *gzip; /* NULL when it is not packed */
    tfp_span bytes; /* until it is released */
} tfp_whole_file;

/* Reads it, if it has at most `most` bytes. A pipe that nobody writes to is
 * empty; devices and directories are refused. The caller names the file in
 * messages. After a failure releasing is allowed. */
int tfp_whole_file_read(tfp_whole_file *file, tfp_memory *memory,
                        const char *path, size_t most, tfprof_error *err);
void tfp_whole_file_release(tfp_whole_file *file);

#endif
