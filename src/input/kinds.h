/*
 * kinds.h - every kind of file that is known, read or only recognised.
 */
#ifndef TFP_INPUT_KINDS_H
#define TFP_INPUT_KINDS_H

#include "base/bytes.h"
#include "proto/schema.h"

typedef struct tfp_kind {
    const char *name;
    const tfp_message *message; /* NULL when it is no protobuf message */
    bool is_read;               /* into the model; else recognised only. One
                                 * that is no message is a table */
    const char *option;         /* that gives such a file by name, or NULL */
    const char *remark;         /* for the user, or NULL */
} tfp_kind;

extern const tfp_kind tfp_kind_graph, tfp_kind_run_metadata, tfp_kind_op_log,
    tfp_kind_profile;
extern const tfp_kind tfp_kind_checkpoint, tfp_kind_checkpoint_v1,
    tfp_kind_state, tfp_kind_shard;
extern const tfp_kind tfp_kind_unrecognised, tfp_kind_empty, tfp_kind_directory,
    tfp_kind_special;

/* Is it, by its name, the kind of files that any program may leave in a
 * directory: empty ones, JSON, pipes, what is not known? */
bool tfp_kind_is_foreign(const char *name);

/* The kind that `option` ("graph_path") promises, or NULL. */
const tfp_kind *tfp_kind_of_option(const char *option);

typedef struct tfp_probe {
    tfp_span head;    /* of the input, unpacked */
    bool is_complete; /* `head` is all there is */
    tfp_span tail;    /* its last bytes when they can be had, or empty */
    const char *path; /* decides only between kinds that fit equally */
} tfp_probe;

/* What the bytes are. *is_text is set for text. Never NULL. */
const tfp_kind *tfp_probe_kind(const tfp_probe *probe, bool *is_text);

/* The best of the kinds that `option` gives; NULL when there are none. */
const tfp_kind *tfp_probe_kind_of(const tfp_probe *probe, bool is_text,
                                  const char *option);

/* Is a file that was given as `wanted` beyond doubt `found`? Yes if that is
 * read and fits without a miss; no if nothing is wrong with the wanted kind
 * but odd names, which any kind may have. */
bool tfp_probe_is_another(const tfp_probe *probe, bool is_text,
                          const tfp_kind *wanted, const tfp_kind *found);

/* How well the bytes fit a kind that is read: fields that do, and do not. */
typedef struct tfp_fit {
    int hits, misses;
    int odd;    /* of the misses: strings with bytes that names seldom have */
    int doubts; /* records that lack what they should have */
} tfp_fit;

tfp_fit tfp_fit_wire(const tfp_message *message, tfp_span bytes, bool is_cut);
tfp_fit tfp_fit_text(const tfp_message *message, tfp_span text);

#endif
