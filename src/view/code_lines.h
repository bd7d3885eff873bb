/*
 * code_lines.h - the rows of the code view for single nodes.
 *
 * The view places all nodes of a model. This places only those that are asked
 * for, and keeps its rows while the census is renewed (model/census.h). The
 * rows are those of the view in its form for programs: a node without a line
 * has a row, too.
 */
#ifndef TFP_VIEW_CODE_LINES_H
#define TFP_VIEW_CODE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/memory.h"
#include "model/census.h"

typedef struct tfp_code_lines tfp_code_lines;

/* NULL when out of memory. */
tfp_code_lines *tfp_code_lines_new(const tfp_census *census,
                                   tfp_memory *memory);
void tfp_code_lines_free(tfp_code_lines *lines); /* or NULL */

/* The row of a member. False when out of memory. */
bool tfp_code_lines_find(tfp_code_lines *lines, uint32_t member, uint32_t *row);

/* The name of a row, and the row above it; 0 is the root. */
tfp_span tfp_code_lines_name(const tfp_code_lines *lines, uint32_t row);
uint32_t tfp_code_lines_parent(const tfp_code_lines *lines, uint32_t row);

#endif
