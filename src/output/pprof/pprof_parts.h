/*
 * pprof_parts.h - the messages of profile.proto, written as they come.
 *
 * A reader puts the message together from its fields in any order, so nothing
 * is gathered: a string is written just before the first message that names it
 * by number, a function before its location, and both before or behind the
 * samples that pass through them. What stays in memory is the number of each
 * string of the model that has one.
 *
 * Out of memory is remembered; tfp_pprof_ok() tells at the end.
 */
#ifndef TFP_OUTPUT_PPROF_PARTS_H
#define TFP_OUTPUT_PPROF_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "model/model.h"
#include "output/sink/sink.h"
#include "proto/put.h"

typedef struct tfp_pprof {
    tfp_sink *sink;
    tfp_memory *memory;
    const tfp_model *model;
    tfp_put put;           /* the message that is being made */
    uint32_t *numbers;     /* by tfp_string: its number, 0 when it has none */
    size_t name_count;     /* of them */
    uint32_t string_count; /* written so far */
    bool failed;
} tfp_pprof;

/* Writes the empty string, which is number 0. Releasing is always allowed. */
void tfp_pprof_init(tfp_pprof *pprof, const tfp_model *model, tfp_sink *sink);
void tfp_pprof_release(tfp_pprof *pprof);
bool tfp_pprof_ok(const tfp_pprof *pprof);

/* The number of a text, which is written; of a name of the model, which is
 * written the first time. What is not fit to be shown is escaped. */
uint32_t tfp_pprof_text(tfp_pprof *pprof, tfp_span text);
uint32_t tfp_pprof_name(tfp_pprof *pprof, tfp_string name);

/* ---- Messages; all texts are numbers ------------------------------------ */

void tfp_pprof_type(tfp_pprof *pprof, uint32_t type, uint32_t unit);
void tfp_pprof_comment(tfp_pprof *pprof, uint32_t text);
void tfp_pprof_default_type(tfp_pprof *pprof, uint32_t type);

typedef struct tfp_pprof_function {
    uint32_t name, file;
    int64_t start_line;
} tfp_pprof_function;

/* Ids count from 1. */
void tfp_pprof_add_function(tfp_pprof *pprof, uint64_t id,
                            const tfp_pprof_function *function);
void tfp_pprof_add_location(tfp_pprof *pprof, uint64_t id, uint64_t function,
                            int64_t line);

/* A sample: the stack, leaf first, as location ids between begin and values,
 * then a value for each type, then labels.
 *
 *     size_t stack = tfp_pprof_begin_sample(p);
 *     tfp_put_varint(&p->put, id); ...
 *     size_t values = tfp_pprof_begin_values(p, stack);
 *     tfp_put_varint(&p->put, value); ...
 *     tfp_pprof_end_values(p, values);
 *     tfp_pprof_label(p, key, text); ...
 *     tfp_pprof_end_sample(p);
 */
size_t tfp_pprof_begin_sample(tfp_pprof *pprof);
size_t tfp_pprof_begin_values(tfp_pprof *pprof, size_t stack);
void tfp_pprof_end_values(tfp_pprof *pprof, size_t values);
void tfp_pprof_label(tfp_pprof *pprof, uint32_t key, uint32_t text);
void tfp_pprof_end_sample(tfp_pprof *pprof);

#endif
