/*
 * question.h - what every question to a profile begins and ends with.
 */
#ifndef TFP_API_QUESTION_H
#define TFP_API_QUESTION_H

#include "api/profile.h"
#include "base/memory.h"
#include "output/sink/answer.h"

/* Sets the limit of memory that the options ask for. It holds until
 * tfp_profile_leave(). */
void tfp_question_limit(tfprof_profile *profile);

/* The same, and refuses inputs that no answer can be made of. */
int tfp_question_begin(tfprof_profile *profile, tfprof_error *err);

/* The same where the question itself looks for what it needs: only inputs that
 * were not read are refused. */
int tfp_question_begin_any(tfprof_profile *profile, tfprof_error *err);

/* The same as the first for a view of lines, the only answer that there is
 * about calls in Python. */
int tfp_question_begin_lines(tfprof_profile *profile, tfprof_error *err);

/* Fails because an input has a kind that is not read. */
int tfp_question_fail_unread(const tfprof_profile *profile, size_t index,
                             tfprof_error *err);

/* Refuses the formats that only comparisons and checks have. */
int tfp_question_check_format(const tfprof_profile *profile, tfprof_error *err);

/* The same, and what goes to `write` needs one. */
int tfp_question_check_write(const tfprof_profile *profile,
                             tfprof_write_fn *write, tfprof_error *err);

/* Does the output that is set have columns of labels? Text has none. */
bool tfp_question_has_labels(const tfprof_profile *profile);

/* An answer that is text alone goes to stdout, to none or to a file. Else
 * `refusal` is the message. */
int tfp_question_check_output(const tfprof_profile *profile,
                              const char *refusal, tfprof_error *err);

/* For what a caller may keep longer than the profile: its allocator, counted
 * apart, with what is left of the limit. */
void tfp_question_memory(const tfprof_profile *profile, tfp_memory *memory);

/* The status of what is kept in such a memory: memory that ran out because of
 * the limit is a limit's error. `what` is in the plural: "rows". */
int tfp_question_end_kept(const tfp_memory *memory, const char *what,
                          int status, tfprof_error *err);

/* Sends an answer where the option `output` says: to `write`, nowhere, or as
 * it is into a file. */
int tfp_question_send(const tfprof_profile *profile, tfp_answer *answer,
                      tfprof_write_fn *write, void *context, tfprof_error *err);

/* Writes an answer into a file, and says so. */
int tfp_question_save(const tfprof_profile *profile, tfp_answer *answer,
                      const char *path, tfprof_error *err);

/* The status of the answer: memory that ran out because of the limit is a
 * limit's error. */
int tfp_question_end(const tfprof_profile *profile, int status,
                     tfprof_error *err);

#endif
