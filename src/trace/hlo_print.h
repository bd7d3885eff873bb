/*
 * hlo_print.h - the fingerprint of a compiled program.
 *
 * Programs that compute the same have the same fingerprint, in any process and
 * on any machine: it covers opcodes, shapes, names of operations and edges, but
 * no ids, no paths, no numbers in names and no order of instructions. So a
 * program keeps its fingerprint when it is compiled again.
 */
#ifndef TFP_TRACE_HLO_PRINT_H
#define TFP_TRACE_HLO_PRINT_H

#include <stdint.h>

#include "base/error.h"
#include "trace/hlo.h"

/* Fails only when out of memory. Linear in the size of the program. */
int tfp_hlo_fingerprint(const tfp_hlo_program *program, uint64_t *fingerprint,
                        tfprof_error *err);

#endif
