/*
 * hlo.h - a program compiled by XLA, as a trace carries it: its instructions
 * with their names, shapes, operands and lines of source.
 *
 *     tfp_hlo_program program;
 *     int status = tfp_hlo_read(&program, memory, bytes, max_depth, err);
 *     const tfp_hlo_instruction *i = tfp_hlo_find(&program, name);
 *     ...
 *     tfp_hlo_release(&program);
 *
 * Nothing borrows from the bytes. Damage ends a program; references that lead
 * nowhere or in a circle do not, they are dropped and counted. All work is
 * linear in the size of the program, whatever its instructions call.
 *
 * Names are texts, numbers into one table: tfp_hlo_text() has the bytes, and 0
 * is the empty text, also where the program says nothing.
 */
#ifndef TFP_TRACE_HLO_H
#define TFP_TRACE_HLO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"
#include "proto/hlo.h"
#include "trace/id_map.h"

/* An array of numbers. A tuple is the list of the arrays inside of it, at any
 * depth, in their order. */
typedef struct tfp_hlo_shape {
    int32_t type;     /* of the elements, one of tfp_xla_type; or any number */
    uint32_t rank;    /* a token and an opaque value have rank 0, too */
    uint32_t dims;    /* first of them in program->numbers */
    int64_t elements; /* or INT64_MAX; -1: a dimension is below 0 */
} tfp_hlo_shape;

/* How a convolution lies over its operands. */
typedef struct tfp_hlo_convolution {
    int64_t kernel_input_feature; /* which dimension of the kernel */
    uint32_t output_spatial; /* program->numbers: dimensions of its result */
    uint32_t spatial_count;  /* as many as it has windows */
} tfp_hlo_convolution;

typedef struct tfp_hlo_instruction {
    uint32_t name, opcode, fusion_kind;
    uint32_t op_name, op_type; /* of the framework */
    uint32_t source_file, custom_call_target;
    uint32_t backend_config; /* text of a custom call, else 0 */
    int32_t source_line;     /* 0: none */
    int32_t frame;           /* innermost stack frame from 1; 0: none */
    int64_t id;
    uint32_t computation;   /* that it stands in */
    uint32_t operands;      /* first of them in program->links */
    uint32_t operand_count; /* an operand that is not there is TFP_NO_ID */
    uint32_t called;        /* computations: also in program->links */
    uint32_t called_count;
    uint32_t shapes; /* of its result: first in program->shapes */
    uint32_t shape_count;
    uint32_t contracted; /* of a dot: dimensions of its left operand */
    uint32_t contracted_count;
    uint32_t convolution; /* in program->convolutions, or TFP_NO_ID */
    uint32_t windows;     /* by dimension: first in program->windows */
    uint32_t window_count;
    bool is_tuple; /* its result */
    tfp_node node; /* the caller's; TFP_NO_NODE before that */
    int64_t flops; /* trace/hlo_flops.h; TFP_HLO_UNCOUNTED before */
} tfp_hlo_instruction;

enum { TFP_HLO_UNCOUNTED = -1 };

typedef struct tfp_hlo_computation {
    int64_t id;
    uint32_t first, count; /* in program->instructions */
} tfp_hlo_computation;

typedef struct tfp_hlo_frame {
    uint32_t file, function; /* texts */
    int32_t line;
    uint32_t parent;   /* the frame around it, from 1; 0: none */
    bool has_location; /* else it is passed over */
} tfp_hlo_frame;

/* What well-formed bytes had that led nowhere. */
typedef struct tfp_hlo_oddities {
    uint32_t operands; /* ids that no instruction has */
    uint32_t calls;    /* ids that no computation has */
    uint32_t frames;   /* numbers out of range */
    uint32_t loops;    /* frames that were around themselves; each was cut */
} tfp_hlo_oddities;

typedef struct tfp_hlo_program {
    tfp_memory *memory;
    tfp_interner texts;
    uint32_t name; /* of the module */
    TFP_VEC(tfp_hlo_instruction) instructions;
    TFP_VEC(tfp_hlo_computation) computations;
    TFP_VEC(uint32_t) links;
    TFP_VEC(tfp_hlo_shape) shapes;
    TFP_VEC(tfp_hlo_convolution) convolutions;
    TFP_VEC(tfp_hlo_window_dimension) windows;
    TFP_VEC(int64_t) numbers;
    TFP_VEC(tfp_hlo_frame) frames;
    tfp_hlo_oddities odd;

    TFP_VEC(tfp_string)
    strings; /* by text: the caller's number; TFP_NO_ID or
              * nothing before that */

    /* Looking up: */
    TFP_VEC(uint32_t) by_name; /* by text: an instruction or TFP_NO_ID */
    tfp_id_map by_id;          /* instructions; of equal ids the first */

    /* tfp_hlo_sources(): */
    uint32_t *seen; /* by instruction: the last search that came by */
    uint32_t *todo; /* instructions, as many as there are */
    uint32_t searches;
    int64_t work_left;
} tfp_hlo_program;

/* Reads one HloProto. On failure there is nothing to release, and the offset
 * in `err` counts from the first of the bytes. */
int tfp_hlo_read(tfp_hlo_program *program, tfp_memory *memory, tfp_span bytes,
                 int max_depth, tfprof_error *err);
void tfp_hlo_release(tfp_hlo_program *program);

static inline tfp_span tfp_hlo_text(const tfp_hlo_program *program,
                                    uint32_t text)
{
    return tfp_interned(&program->texts, text);
}

/* The first instruction of that name or id, or NULL. */
tfp_hlo_instruction *tfp_hlo_find(const tfp_hlo_program *program,
                                  tfp_span name);
tfp_hlo_instruction *tfp_hlo_find_id(const tfp_hlo_program *program,
                                     int64_t id);

/* What xprof calls its category: the kind of a fusion, a group of opcodes, or
 * the opcode. */
tfp_span tfp_hlo_category(const tfp_hlo_program *program,
                          const tfp_hlo_instruction *instruction);

/* The frames of an instruction, innermost first. No stack is deeper than
 * this; Python stops at 1,000. */
enum { TFP_HLO_MOST_FRAMES = 1024 };
typedef struct tfp_hlo_stack {
    uint32_t next;  /* frame, from 1; 0: the end */
    uint32_t taken; /* so far */
} tfp_hlo_stack;

static inline tfp_hlo_stack tfp_hlo_stack_of(
    const tfp_hlo_instruction *instruction)
{
    return (tfp_hlo_stack){ .next = instruction->frame > 0
                                        ? (uint32_t)instruction->frame
                                        : 0 };
}

/* The next frame that has a location, or NULL. */
const tfp_hlo_frame *tfp_hlo_stack_next(const tfp_hlo_program *program,
                                        tfp_hlo_stack *stack);

/*
 * Calls `add` for each instruction with a node that the given one gets values
 * from: its operands, and in place of one without a node what that one gets
 * values from. Nearest first, each once, never the instruction itself. What
 * `add` returns, if not 0, ends the search and is returned.
 *
 * All searches together take work in proportion to the program. Where chains
 * that many instructions share would take more, *cut is set and only the
 * nearest are found: the operands themselves always are. `cut` may be NULL.
 */
typedef int tfp_hlo_source_fn(void *self,
                              const tfp_hlo_instruction *instruction,
                              tfprof_error *err);
int tfp_hlo_sources(tfp_hlo_program *program,
                    const tfp_hlo_instruction *instruction,
                    tfp_hlo_source_fn *add, void *self, bool *cut,
                    tfprof_error *err);

#endif
