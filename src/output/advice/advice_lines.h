/*
 * advice_lines.h - what a finding says, in one line.
 *
 * The line is upstream's, to the byte. It is made of raw names: each form of
 * an answer has its way to make them safe.
 */
#ifndef TFP_OUTPUT_ADVICE_LINES_H
#define TFP_OUTPUT_ADVICE_LINES_H

#include "advise/advise.h"
#include "base/memory.h"

/* A line while it is made. Out of memory is remembered. */
typedef struct tfp_advice_line {
    tfp_memory *memory;
    int64_t time_unit; /* of findings */
    TFP_VEC(uint8_t) text;
    bool failed;
} tfp_advice_line;

/* To make the lines of a piece of advice. */
tfp_advice_line tfp_advice_line_for(const tfp_advice *advice);

/* The line of a finding, without its end; good until the next one is made. */
tfp_span tfp_advice_line_make(tfp_advice_line *line,
                              const tfp_finding *finding);
void tfp_advice_line_release(tfp_advice_line *line);

/* What a tfp_finding_kind is called where programs read it. */
extern const char *const tfp_finding_kinds[];

#endif
