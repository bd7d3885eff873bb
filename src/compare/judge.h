/*
 * judge.h - is a time of two sets of runs different?
 *
 * Each run is one value. The rank test (stats/rank.h) gives the probability of
 * values this far apart if nothing changed; it is corrected for the number of
 * tests (stats/holm.h). Runs that are too few for any result are not judged.
 */
#ifndef TFP_COMPARE_JUDGE_H
#define TFP_COMPARE_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "base/memory.h"

/* When a difference counts. */
typedef struct tfp_judge_rule {
    double alpha; /* largest corrected p */
    double share; /* smallest shift, as a share of the median of the base */
    double least; /* smallest shift, in the unit of the values */
} tfp_judge_rule;

/* The rule of `diff`. Times are in microseconds. */
extern const tfp_judge_rule tfp_judge_diff;

/* The values of two sets of runs. */
typedef struct tfp_judge_test {
    const double *base, *head;
    size_t base_runs, head_runs;
} tfp_judge_test;

typedef struct tfp_judgement {
    double base, head; /* medians */
    double shift;      /* Hodges-Lehmann, from base to head */
    bool has_interval; /* the next two are known */
    double low, high;  /* confidence interval of the shift */
    double p;          /* of this test alone */
    double adjusted;   /* corrected for the number of tests */
    size_t more_runs;  /* that each side needs before it can be judged */
    bool is_judged;    /* there are enough runs */
    bool is_changed;   /* judged, and all limits of the rule are reached */
    double noise;      /* median distance of runs from the median of their
                        * side, as a share of it; negative: not known */
    double smallest;   /* smallest change that can be shown; infinite: none
                        */
} tfp_judgement;

/* Judges all tests together. Values must be finite. Fails when memory runs out
 * and for more runs than tests accept (stats/sample.h). */
int tfp_judge(const tfp_judge_rule *rule, const tfp_judge_test *tests,
              size_t count, tfp_memory *memory, tfp_judgement *out,
              tfprof_error *err);

#endif
