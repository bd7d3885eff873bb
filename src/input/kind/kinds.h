/*
 * kinds.h - every kind of file that is known, read or only recognized.
 */
#ifndef TFP_INPUT_KINDS_H
#define TFP_INPUT_KINDS_H

#include "base/bytes.h"
#include "input/kind/role.h"
#include "model/inputs.h"
#include "proto/schema.h"

typedef struct tfp_kind {
    tfp_file_kind kind;
    tfp_role role;              /* that such a file is given in, or ANY */
    bool is_read;               /* into the model; else recognized only. One
                                 * that is no message is a table */
    const tfp_message *message; /* NULL when it is no protobuf message */
    const char *remark;         /* for the user, or NULL */
    const char *advice;         /* what to give instead, or NULL */
} tfp_kind;

const tfp_kind *tfp_kind_of(tfp_file_kind kind);

/* Notes in the entry of a file what it is. */
void tfp_kind_note(tfp_input *input, const tfp_kind *kind);

/* Is it a kind of files that any program may leave in a directory: empty ones,
 * JSON, pipes, what is not known? */
bool tfp_kind_is_foreign(tfp_file_kind kind);

/* The kind that a role promises first of all, or NULL. */
const tfp_kind *tfp_kind_of_role(tfp_role role);

typedef struct tfp_probe {
    tfp_span head;    /* of the input, unpacked */
    bool is_complete; /* `head` is all there is */
    tfp_span tail;    /* its last bytes when they can be had, or empty */
    const char *path; /* decides only between kinds that fit equally */
} tfp_probe;

/* What the bytes are. *is_text is set for text. Never NULL. */
const tfp_kind *tfp_probe_kind(const tfp_probe *probe, bool *is_text);

/* The best of the messages of `role`; NULL when there are none. */
const tfp_kind *tfp_probe_kind_of(const tfp_probe *probe, bool is_text,
                                  tfp_role role);

/* Is a file that was given as `wanted` beyond doubt `found`? Yes if that is
 * read and knows every field, which `wanted` does not; no if nothing is wrong
 * with the wanted kind but odd names, which any kind may have. */
bool tfp_probe_is_another(const tfp_probe *probe, bool is_text,
                          const tfp_kind *wanted, const tfp_kind *found);

/* How well the bytes fit a kind that is read: fields that do, and do not. */
typedef struct tfp_fit {
    int hits, misses;
    int odd;     /* of the misses: strings with bytes that names seldom have */
    int unknown; /* fields on the wire that the message does not define */
    int doubts;  /* records that lack what they should have */
} tfp_fit;

tfp_fit tfp_fit_wire(const tfp_message *message, tfp_span bytes, bool is_cut);
tfp_fit tfp_fit_text(const tfp_message *message, tfp_span text);

#endif
