/*
 * advise.h - what stands out in a model and its runs.
 *
 * A checker looks for one sort of thing and makes reports; a report is a list
 * of findings. A finding is data: what was found, where to look, what to try.
 * How it reads, output/advice/advice.c knows.
 *
 * Use: tfp_advise(), then the reports of each checker that was asked for.
 */
#ifndef TFP_ADVISE_ADVISE_H
#define TFP_ADVISE_ADVISE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/ids.h"

/* ---- Findings ----------------------------------------------------------- */

typedef enum tfp_finding_kind {
    TFP_FINDING_DEVICE,     /* an accelerator: how busy it was */
    TFP_FINDING_TYPE,       /* a type of operation that takes long */
    TFP_FINDING_NODE,       /* a node that does */
    TFP_FINDING_CODE,       /* a line of code whose nodes do */
    TFP_FINDING_BATCH_NORM, /* made of parts where one operation would do */
    TFP_FINDING_LAYOUT,     /* channels come last, on an accelerator */
    /* Of traces: */
    TFP_FINDING_IDLE,  /* an accelerator that idles in steps */
    TFP_FINDING_SMALL, /* kernels that are shorter than their launch */
    TFP_FINDING_COPY,  /* copies that a device does nothing else during */
    TFP_FINDING_INPUT, /* steps that wait for input */
    TFP_FINDING_HOST   /* steps that wait for the host */
} tfp_finding_kind;

/* Is it about a trace as a whole, not about sums of nodes? */
static inline bool tfp_finding_is_of_trace(tfp_finding_kind kind)
{
    return kind >= TFP_FINDING_IDLE;
}

/* Times have the unit of the model (model/times.h): of a device in the last
 * step of each node, of traces over all steps, else on average over the
 * steps. */
typedef struct tfp_finding {
    tfp_finding_kind kind;
    uint32_t rank;  /* among those of its report, from 1 */
    uint32_t depth; /* of a line of code: how many others it stands below */
    tfp_span name;  /* device, type, node or line; empty: it has none */
    int64_t cpu_micros, accelerator_micros, micros;
    int64_t whole_micros; /* that these are a part of; of a device, from its
                           * first start to its last end */

    /* Where to look. */
    tfp_string node;    /* the one that matters most; 0: none is known */
    int64_t node_count; /* how many it stands for */
    tfp_string file;    /* that made it; 0: not known */
    int32_t line;

    const char *hint; /* what to try */

    bool is_update; /* in brief advice: it is the update of the optimizer, and
                     * the name is its most expensive type */

    /* Of traces: */
    int64_t count, whole_count; /* of steps, kernels or copies, and of all */
    int64_t bytes;              /* that were copied; -1: not known */
    int64_t launch_micros;      /* of the host in launching; -1: not known */
} tfp_finding;

/* Its part of the whole, which is not 0. */
static inline double tfp_finding_share(const tfp_finding *finding)
{
    return 1.0 * (double)finding->micros / (double)finding->whole_micros;
}

/* A device that is busy for less than this has time to spare. */
#define TFP_LOW_SHARE 0.5

/* ---- Checkers ----------------------------------------------------------- */

typedef struct tfp_inquiry tfp_inquiry;

typedef struct tfp_checker {
    const char *name;
    bool needs_runs;  /* reports nothing without run records */
    uint32_t gathers; /* TFP_GATHER_* bits that it needs from traces. 0: it uses
                       * the sums of nodes and needs no trace. Otherwise it
                       * reports nothing when there is no trace */
    /* NULL: the name is accepted, but the checker never appears in answers. */
    int (*check)(tfp_inquiry *inquiry, tfprof_error *err);
} tfp_checker;

/* In the order of their names; the bits of the option `checkers` follow. */
enum { TFP_CHECKERS = 9 };
extern const tfp_checker *const tfp_checkers[TFP_CHECKERS];

/* The TFP_GATHER_* bits that the checkers in `asked` need from traces. */
uint32_t tfp_checkers_gather(int64_t asked);

/* ---- Advice ------------------------------------------------------------- */

/* One report of a checker. Upstream prints it as one string with a line for
 * each finding; a report without findings is an empty line. */
typedef struct tfp_checker_report {
    uint32_t checker;
    uint32_t first, count; /* findings */
} tfp_checker_report;

typedef struct tfp_advice {
    tfp_memory *memory;
    const tfp_model *model;  /* has the names of nodes and files */
    const tfp_model *traces; /* with what was gathered; NULL: no trace */
    uint32_t asked;          /* checkers, a bit each */
    bool is_brief; /* it names each thing once: tfp_advise_briefly() */
    TFP_VEC(tfp_checker_report) reports;
    TFP_VEC(tfp_finding) findings;
    tfp_arena names; /* of what no model knows */

    /* What a reader of the answer should know. */
    bool misses_runs, misses_traces;
} tfp_advice;

/* Runs the checkers whose bits are set in `asked`. TFPROF_ERR_MISSING
 * when all of them need run records or traces and there are none. `traces` is
 * the model with what was gathered, or NULL when there is no trace; it and the
 * census must outlive the advice; `cancel` may be NULL. After a failure
 * releasing is allowed. */
int tfp_advise(tfp_advice *advice, const tfp_census *census,
               const tfp_model *traces, int64_t asked, const tfp_cancel *cancel,
               tfprof_error *err);

/* The same for a table that people read, which names each thing once. The
 * expensive operations are reported as types (the optimizer update counts as
 * one type), as nodes outside of that update, and as lines of the model's own
 * code by the time of the nodes they created themselves. All of these findings
 * have a whole_micros. */
int tfp_advise_briefly(tfp_advice *advice, const tfp_census *census,
                       const tfp_model *traces, int64_t asked,
                       const tfp_cancel *cancel, tfprof_error *err);
void tfp_advice_release(tfp_advice *advice);

/* Was this checker asked for, and has it a section in the answer? */
bool tfp_advice_has(const tfp_advice *advice, uint32_t checker);

/* The report of a checker that follows `before`, or NULL; the first one when
 * that is NULL. */
const tfp_checker_report *tfp_advice_next(const tfp_advice *advice,
                                          uint32_t checker,
                                          const tfp_checker_report *before);

#endif
