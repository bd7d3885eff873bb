/*
 * file.h - an answer in a file: whole or not at all.
 *
 * The bytes go to a new file beside the target, which takes the target's name
 * when all is written; until then whatever was there stays. What is no plain
 * file (a pipe, /dev/null) is written through. docs/output.md has the rule for
 * each kind of target.
 *
 * The new file is called ".tfprof-" and 16 random digits. Its writer holds a
 * flock() on it until it has its final name, so one that nobody has locked was
 * left behind by a writer that was killed: the next writer into that folder
 * takes it away (leftover.h).
 */
#ifndef TFP_OUTPUT_FILE_H
#define TFP_OUTPUT_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "options/options.h"
#include "output/sink/leftover.h"
#include "output/sink/target.h"

typedef struct tfp_file {
    tfp_memory *memory;
    const tfp_cancel *cancel; /* asked while waiting for a pipe; may be NULL */
    bool cancelled;           /* it said so */
    tfp_target target;
    int fd;        /* written to */
    int lock;      /* the new file again, to keep the lock; or -1 */
    int failure;   /* errno of the first write that failed, or 0 */
    unsigned mode; /* that the new file will have */
    char temporary[TFP_LEFTOVER_SIZE]; /* its name in the folder of the
                                          target; "" when writing through */
} tfp_file;

/* Refuses a target that is one of the inputs or of the formula files. Each name
 * that is written to has to be asked about, also one that tfp_file_step_name()
 * made. */
int tfp_file_check_target(const char *path, const tfp_model *model,
                          const tfp_words *formula_files, tfprof_error *err);

/* Refuses a target that is one of these files; `what` says so: "one of the
 * formula files". */
int tfp_file_check_others(const char *path, const tfp_words *others,
                          const char *what, tfprof_error *err);

/* The name of the file for one step of several: "F_7" of "F", "F_7.json" of
 * "F.json" and "F_7.gz" of "F.gz". Nothing else is ever put into a name: what a
 * file calls its nodes and devices is no name for a file. Cut when it does not
 * fit, always ended by NUL; returns the length needed without it, at most
 * TFP_STEP_NAME_EXTRA more than that of `path`. */
enum { TFP_STEP_NAME_EXTRA = sizeof("_-9223372036854775808") - 1 };
size_t tfp_file_step_name(const char *path, int64_t step, char *buffer,
                          size_t size);

/* Does its name ask for gzip? */
bool tfp_file_is_packed_name(const char *path);

/* Waits for the reader of a FIFO until `cancel`, which may be NULL, ends it. */
int tfp_file_open(tfp_file *file, const char *path, tfp_memory *memory,
                  const tfp_cancel *cancel, tfprof_error *err);

/* A tfp_write_fn; `context` is the tfp_file. */
int tfp_file_write(void *context, const void *data, size_t size);

/* Puts the file in place if `status` is TFPROF_OK, else takes it away. The
 * status, or what went wrong here. */
int tfp_file_close(tfp_file *file, int status, tfprof_error *err);

#endif
