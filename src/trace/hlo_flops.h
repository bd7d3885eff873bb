/*
 * hlo_flops.h - float operations of a compiled program's instructions, worked
 * out from their shapes.
 *
 * The conventions are those of docs/float-operations.md, so that a trace and a
 * model give the same figures: a multiplication with an addition is two; an
 * elementary function is one, logistic four, rsqrt and clamp two; moving,
 * choosing and converting are none; a reduction starts from its first element,
 * a window from nothing; convolutions count taps on padding, but none in the
 * holes that a base dilation makes. What works on integers does no float
 * operations.
 *
 * A fusion has those of the instructions in it. A loop, a call and a
 * conditional have none of their own: what they run are instructions of the
 * trace, too. An instruction of an unknown kind is uncounted, and so is a
 * fusion around it.
 */
#ifndef TFP_TRACE_HLO_FLOPS_H
#define TFP_TRACE_HLO_FLOPS_H

#include <stdint.h>

#include "base/error.h"
#include "trace/hlo.h"

/* Sets `flops` of every instruction; TFP_HLO_UNCOUNTED stays where it is not
 * known. Figures stop at INT64_MAX. Fails only when memory runs out. */
int tfp_hlo_count_flops(tfp_hlo_program *program, tfprof_error *err);

#endif
