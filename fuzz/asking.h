/*
 * asking.h - a profile that is asked by a target, and what it answers.
 */
#ifndef TFP_FUZZ_ASKING_H
#define TFP_FUZZ_ASKING_H

#include <stddef.h>
#include <stdint.h>

#include <tfprof/tfprof.h>

/* Its memory is counted in *held, and limited. */
tfprof_profile *fuzz_profile_new(size_t *held, size_t most_memory);

/* The option and the value are known to be right. */
void fuzz_set(tfprof_profile *profile, const char *name, const char *value);

/* Sets an option of words to that of this number, counted round and round. */
void fuzz_set_word(tfprof_profile *profile, const char *name, size_t number);

/* The word of that number in "a|b|c", counted round and round. */
void fuzz_pick_word(const char *words, size_t number, char *out, size_t size);

/* What was written; `data` is to be freed. */
typedef struct fuzz_answer {
    uint8_t *data;
    size_t size;
    int status; /* of what wrote it */
} fuzz_answer;

/* A tfprof_write_fn; `context` is a fuzz_answer. */
int fuzz_keep(void *context, const void *data, size_t size);

/* Ends the process when the error is not one that a question may have, or does
 * not say what it is. */
void fuzz_check_status(int status, const tfprof_error *err);

/* The same twice: ends the process when it is not. `again` is freed. */
void fuzz_check_again(const fuzz_answer *first, fuzz_answer *again);

/* A remark or a message: one line that can be printed. */
void fuzz_check_line(void *context, const char *line);

#endif
