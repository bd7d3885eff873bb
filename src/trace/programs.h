/*
 * programs.h - the compiled programs that a trace contains or names.
 *
 * A program is read when the first event needs it. In the model, two programs
 * that compute the same, such as two compilations of one function, are one.
 */
#ifndef TFP_TRACE_PROGRAMS_H
#define TFP_TRACE_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/model.h"
#include "trace/hlo.h"
#include "trace/id_map.h"
#include "trace/plane.h"

typedef struct tfp_trace_program {
    tfp_span bytes; /* of its HloProto; a plane has them */
    tfp_span name;  /* as the plane or the events call it: "jit_f(17)" */
    bool is_read, is_damaged;
    uint64_t names;      /* without HLO: hash of the instructions that ran */
    uint32_t key;        /* in the model; TFP_NO_ID before it is known */
    tfp_hlo_program hlo; /* once it is read */
} tfp_trace_program;

typedef struct tfp_trace_programs {
    tfp_memory *memory;
    int max_depth;
    TFP_VEC(tfp_trace_program *) all;
    tfp_id_map ids;    /* of those with HLO */
    tfp_interner bare; /* {id, module} of those without; item k + 1 is program
                        * bare_at.data[k] */
    TFP_VEC(uint32_t) bare_at;
    int64_t with_hlo;
    int64_t damaged;       /* that an event was of */
    tfp_span damaged_name; /* the first of them */
    tfprof_error damage;   /* and what is wrong with it */
} tfp_trace_programs;

/* False when out of memory; releasing is allowed then. */
bool tfp_trace_programs_init(tfp_trace_programs *programs, tfp_memory *memory,
                             uint64_t seed, int max_depth);
void tfp_trace_programs_release(tfp_trace_programs *programs);

/* Notes the programs of a plane with metadata. */
int tfp_trace_add_programs(tfp_trace_programs *programs, const tfp_plane *plane,
                           tfprof_error *err);

/* Finds the program of an id, and reads it. *program is TFP_NO_ID if the trace
 * does not contain it. Only memory that ran out is a failure: a damaged program
 * is noted. */
int tfp_trace_program_find(tfp_trace_programs *programs, uint64_t id,
                           uint32_t *program, tfprof_error *err);

static inline bool tfp_trace_program_has_hlo(const tfp_trace_program *program)
{
    return program->bytes.size > 0 && program->is_read && !program->is_damaged;
}

/* Finds or adds a program that the trace does not contain. TFP_NO_ID when out
 * of memory. */
uint32_t tfp_trace_program_add_bare(tfp_trace_programs *programs, uint64_t id,
                                    tfp_span module);

/* Notes that an instruction of this name ran. Without HLO, the names make up
 * the fingerprint of the program. Each name must be noted once. */
void tfp_trace_program_names(tfp_trace_programs *programs, uint32_t program,
                             tfp_span instruction);

/* The name of its module, without the number of the run. */
tfp_span tfp_trace_program_module(const tfp_trace_programs *programs,
                                  uint32_t program);

/* The number of a program in a model, when all events are read. Fails only when
 * out of memory. */
int tfp_trace_program_key(tfp_trace_programs *programs, tfp_model *model,
                          uint32_t program, uint32_t *key, tfprof_error *err);

#endif
