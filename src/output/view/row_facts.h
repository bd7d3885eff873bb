/*
 * row_facts.h - what a row has besides its costs: devices, types, shapes.
 *
 * Rows are asked one after the other; what comes back is good until the next
 * question. Out of memory is remembered in `failed`, and answers are empty
 * from then on.
 */
#ifndef TFP_OUTPUT_ROW_FACTS_H
#define TFP_OUTPUT_ROW_FACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/ids.h"
#include "model/steps.h"
#include "output/sink/sink.h"
#include "view/view.h"

/* One way in which the nodes of a row get their inputs. */
typedef struct tfp_input_form {
    tfp_span text; /* "0:3x3,\t1:unknown" */
    int64_t nodes, runs, micros;
} tfp_input_form;

/* One input of a node, as its rows show it. */
typedef struct tfp_node_input {
    int32_t number;
    tfp_shape shape;
} tfp_node_input;

typedef struct tfp_row_facts {
    const tfp_view *view;
    tfp_memory *memory;
    tfp_sink *sink; /* set after tfp_row_facts_init(), or NULL: once it is done,
                       answers are not complete */
    size_t rounds;  /* members so far, for asking the sink */
    bool failed;
    size_t enough; /* bytes of shapes of one node that are asked for: the list
                      ends with the input that goes past it. 0: all */
    uint8_t *seen; /* by tfp_string */
    TFP_VEC(tfp_string) names;
    TFP_VEC(tfp_sort_item) items;
    TFP_VEC(tfp_input_form) forms;
    TFP_VEC(char) text;
    TFP_VEC(uint32_t) scratch;      /* types of one node */
    TFP_VEC(tfp_node_input) inputs; /* of one node */
    tfp_interner shape_lists;       /* lists of the same */
} tfp_row_facts;

/* Cannot fail. */
void tfp_row_facts_init(tfp_row_facts *facts, const tfp_view *view);
void tfp_row_facts_release(tfp_row_facts *facts);

/* The devices of its nodes, sorted. In views of groups the empty name stands
 * for nodes that did not run; else it is left out. */
const tfp_string *tfp_row_devices(tfp_row_facts *facts, uint32_t row,
                                  size_t *count);

/* The types of its nodes, sorted. */
const tfp_string *tfp_row_types(tfp_row_facts *facts, uint32_t row,
                                size_t *count);

/* The shape of the variable that a row is, as text: "3x3x64", or empty. */
tfp_span tfp_row_shape(tfp_row_facts *facts, uint32_t row);

/* Where a row of the code view stands in the source: the path as it was
 * recorded, the line, the function and the text of the line. False where the
 * row is no line: all is empty then, but for a function that is all there is to
 * tell of a call. */
typedef struct tfp_code_place {
    tfp_span file, function, text;
    int64_t line;
} tfp_code_place;

bool tfp_row_source(const tfp_view *view, uint32_t row, tfp_code_place *source);

/* The shapes of the inputs of a row that is one node, "0:3x3|1:unknown" with
 * `separator` between them. */
tfp_span tfp_row_inputs(tfp_row_facts *facts, uint32_t row,
                        const char *separator);

/* The inputs of one node. */
const tfp_node_input *tfp_member_inputs(tfp_row_facts *facts, uint32_t member,
                                        size_t *count);

/* The same of a group: each form that occurs, those that ran most first. */
const tfp_input_form *tfp_row_input_forms(tfp_row_facts *facts, uint32_t row,
                                          const char *separator, size_t *count);

/* The shapes of the outputs in the form of tfp_row_inputs(): as the graph has
 * them, or as they were in one run. Empty when nothing is known. */
tfp_span tfp_row_outputs(tfp_row_facts *facts, uint32_t row,
                         const char *separator);
tfp_span tfp_run_outputs(tfp_row_facts *facts, tfp_detail_reader *run,
                         const char *separator);

#endif
