/*
 * programs.h - the compiled programs of traces, and names of their
 * instructions.
 *
 * Two programs can have instructions of the same name. So an instruction is
 * identified by its name and its program, and a program by the name of its
 * module and a fingerprint of what it computes. Neither depends on the order in
 * which programs ran or files were read, nor on the numbers that a run gave to
 * its programs, so hosts, runs and files share them.
 *
 * An instruction has a tfp_string of its own. If several programs have the
 * name, its text gets a number, for people: "f/dot", "f/dot#2". Numbers follow
 * the order of the programs by name and fingerprint; tfp_model_number_names()
 * gives them when all inputs are read. Before that the text has no number.
 */
#ifndef TFP_MODEL_PROGRAMS_H
#define TFP_MODEL_PROGRAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/ids.h"

struct tfp_model;

typedef struct tfp_program {
    uint64_t fingerprint;
    tfp_string name; /* of the module */
    uint32_t unused; /* 0: programs are compared byte by byte */
} tfp_program;

typedef struct tfp_program_node {
    tfp_string base;  /* its name without a number */
    tfp_string shape; /* of its result: "64x10", "scalar|8"; 0: not known */
    uint32_t program; /* index into model->programs.all */
    tfp_string id;    /* of the instruction; ids rise with the index */
} tfp_program_node;

/* All zero bytes if there are none; tfp_model_program() makes the tables. */
typedef struct tfp_programs {
    tfp_interner keys; /* tfp_program; item k + 1 is all.data[k] */
    TFP_VEC(tfp_program) all;
    tfp_interner instruction_keys; /* {base, program}, likewise */
    TFP_VEC(tfp_program_node) instructions;
    TFP_VEC(uint32_t)
    named;            /* by string: the instruction with this text, plus
                       * 1, or 0 */
    bool is_numbered; /* the texts are those of all inputs */
} tfp_programs;

void tfp_programs_release(tfp_programs *programs, tfp_memory *memory);

/* The name of a module without the number of the run behind it: "jit_f" for
 * "jit_f(17)". */
tfp_span tfp_module_name(tfp_span name);

/* Finds or adds a program. TFP_NO_ID when out of memory. */
uint32_t tfp_model_program(struct tfp_model *model, tfp_span module,
                           uint64_t fingerprint);

/* Finds or adds an instruction: its string, or TFP_NO_ID. `node` has its base,
 * program and shape. */
tfp_string tfp_model_instruction(struct tfp_model *model,
                                 tfp_program_node node);

/* What a string of a node is an instruction of, or NULL. */
const tfp_program_node *tfp_model_find_instruction(
    const struct tfp_model *model, tfp_string name);

/* Gives numbers to names that several programs have, unless is_numbered. It is
 * called before an answer, and numbers may change when more inputs are read.
 * False when out of memory. */
bool tfp_model_number_names(struct tfp_model *model);

/* The string of a node with this text, or TFP_NO_ID. */
tfp_string tfp_model_named(const struct tfp_model *model, tfp_span text);

/* The string of the same node in another model, or TFP_NO_ID. */
tfp_string tfp_model_name_in(const struct tfp_model *to,
                             const struct tfp_model *from, tfp_string name);

#endif
