/*
 * walk.h - from an input of any length to its records, one at a time.
 *
 * Streamed messages (schema.h) are entered while the input is read; all other
 * fields are leaves. A leaf is handed over in one piece, on the wire format,
 * whether the input is binary or text. Memory is the window of the reader.
 *
 * Both walkers call the same visitor, in the order of the input.
 */
#ifndef TFP_PROTO_WALK_H
#define TFP_PROTO_WALK_H

#include "base/reader.h"
#include "proto/schema.h"
#include "proto/wire.h"

/* What `leaf` returns when it has not looked inside: the walker then does. */
enum { TFP_LEAF_UNREAD = 1 };

typedef struct tfp_visitor {
    /* A streamed message begins, in `field` of `parent`. Every enter is
     * followed by its leave, also when the input turns out to be damaged. If
     * memory runs out in such a leave, that is what the walk says: the records
     * before the damage are then not all there. */
    int (*enter)(void *self, const tfp_message *parent,
                 const tfp_field_spec *field, tfprof_error *err);
    int (*leave)(void *self, const tfp_message *parent,
                 const tfp_field_spec *field, tfprof_error *err);

    /* One leaf of `parent`. `f` has the tag and a plain number; `record` the
     * bytes of anything longer. A visitor that blames the record just
     * returns: the walker makes the error. Both are gone after the call. */
    int (*leaf)(void *self, const tfp_message *parent, const tfp_field *f,
                tfp_record *record, tfprof_error *err);
    void *self;
} tfp_visitor;

typedef struct tfp_walk {
    tfp_reader *reader;
    tfp_visitor visitor;
    int max_depth;      /* of nested messages, at most TFP_MOST_DEPTH */
    int64_t known_size; /* of the input in bytes, or -1 */
    bool counts_all;    /* unknown fields in leaves, too: another look at each.
                         * Those of text are always counted */

    /* Set by the walk: */
    tfp_unknown unknown; /* fields that were passed over */
} tfp_walk;

/* Walks one message of the given type to the end of the input. On failure
 * the offset (text: line and column too) is in `err`. */
int tfp_walk_wire(tfp_walk *walk, const tfp_message *root, tfprof_error *err);
int tfp_walk_text(tfp_walk *walk, const tfp_message *root, tfprof_error *err);

#endif
