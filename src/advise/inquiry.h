/*
 * inquiry.h - what checkers share: what they look at, and how they tell.
 */
#ifndef TFP_ADVISE_INQUIRY_H
#define TFP_ADVISE_INQUIRY_H

#include "advise/advise.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/memory.h"
#include "model/costs.h"
#include "model/model.h"

struct tfp_inquiry {
    tfp_advice *advice;
    const tfp_census *census;
    const tfp_model *model;
    const tfp_model *traces; /* with what was gathered; NULL: no trace */
    tfp_memory *memory;
    tfp_watch watch;      /* loops end when it does; then nothing that was found
                             counts */
    tfp_costs costs;      /* times of each member, on average */
    bool has_accelerator; /* some node ran on one */
    uint32_t checker;     /* whose turn it is */
};

extern const tfp_checker tfp_utilization_checker, tfp_expensive_checker,
    tfp_host_bound_checker, tfp_idle_checker, tfp_input_bound_checker,
    tfp_operation_checker, tfp_copy_checker, tfp_small_kernel_checker;

/* ---- Telling ------------------------------------------------------------ */

/* Begins a report. */
int tfp_inquiry_report(tfp_inquiry *inquiry, tfprof_error *err);

/* Adds a finding to it. The name is copied; where to look and what to try
 * come from `member`, unless that is TFP_NO_ID or a hint is there already. */
int tfp_inquiry_tell(tfp_inquiry *inquiry, tfp_finding finding, uint32_t member,
                     tfprof_error *err);

/* A report of one finding. */
int tfp_inquiry_tell_alone(tfp_inquiry *inquiry, tfp_finding finding,
                           uint32_t member, tfprof_error *err);

/* ---- Looking ------------------------------------------------------------ */

static inline int64_t tfp_inquiry_cost(const tfp_inquiry *inquiry,
                                       uint32_t member, tfp_cost cost)
{
    return *tfp_costs_at(&inquiry->costs, member, cost);
}

static inline tfp_span tfp_inquiry_name(const tfp_inquiry *inquiry,
                                        uint32_t member)
{
    return tfp_model_text(inquiry->model,
                          inquiry->census->members.data[member].name);
}

/* Which of two members costs more; of equal ones the first by name. Either
 * may be TFP_NO_ID: then the other one. */
uint32_t tfp_inquiry_costlier(const tfp_inquiry *inquiry, uint32_t a,
                              uint32_t b, tfp_cost cost);

/* Puts a member among the `most` costliest so far, if it is one of them; places
 * that are free have TFP_NO_ID. */
void tfp_inquiry_rank(const tfp_inquiry *inquiry, uint32_t *top, int most,
                      uint32_t member);

/* The member of that name, or TFP_NO_ID. What was gathered of traces may be in
 * another model, so that names are all that both know. */
uint32_t tfp_inquiry_member(const tfp_inquiry *inquiry, tfp_span name);

/* A text of what was gathered. */
static inline tfp_span tfp_inquiry_gathered(const tfp_inquiry *inquiry,
                                            tfp_string text)
{
    return tfp_model_text(inquiry->traces, text);
}

/* Is `part` at least so many percent of `whole`? */
static inline bool tfp_is_share(int64_t part, int64_t whole, int percent)
{
    return whole > 0 && (double)part * 100 >= (double)whole * percent;
}

/* Did this member run on an accelerator? */
bool tfp_inquiry_accelerates(const tfp_inquiry *inquiry, uint32_t member);

/* What to try when a node takes long: hints.c. Cannot fail. */
const char *tfp_hint_for(const tfp_inquiry *inquiry, uint32_t member);

/* The same of the update of an optimizer. */
const char *tfp_hint_for_update(void);

/* Is it an operation that updates a variable as an optimizer does? */
bool tfp_is_update_type(tfp_span op);

/* Does an operation of this type set a variable, whatever for? */
bool tfp_is_assignment_type(tfp_span op);

/* The line of a member's stack that is the model's own, not of a library; if
 * there is none, the innermost. Of a gradient, that of its operation. NULL
 * without a stack. */
const tfp_frame *tfp_inquiry_source(const tfp_inquiry *inquiry,
                                    uint32_t member);

#endif
