/*
 * expensive.c - ExpensiveOperationChecker: what takes longest.
 *
 * Three reports: types of operations, nodes, and lines of code. Types and
 * lines are rows of the op and the code view, asked as upstream asks them.
 * For nodes upstream shows the outermost scopes, which are hardly ever nodes
 * and then have no time of their own; here they are nodes.
 */
#include "advise/expensive.h"

#include "advise/inquiry.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/census.h"
#include "model/times.h"
#include "options/options.h"
#include "view/view.h"

enum {
    MOST = TFP_MOST_FINDINGS,
    DEEPEST = 3,      /* a line of code stands below at most so many */
    LEAST_CODE = 1000 /* microseconds; a quicker line is not worth a word */
};

int tfp_expensive_view(tfp_inquiry *q, const tfp_view_type *type,
                       int64_t max_depth, bool own, tfp_options *options,
                       tfp_view *view, tfprof_error *err)
{
    int status = TFPROF_OK;
    *view = (tfp_view){ .memory = q->memory, .census = q->census };
    if (!tfp_options_init(options, q->memory))
        return tfp_fail_nomem(err);
    options->max_depth = max_depth;
    options->minima[TFP_COST_MICROS] = 1;
    options->order_by = TFP_ORDER_MICROS;
    options->select = TFP_SELECT_MICROS;
    if (own)
        status = tfp_options_set(options, "own", "true", err);
    if (status != TFPROF_OK)
        return status;
    return tfp_view_init(view, type, q->census, options, q->watch.cancel, err);
}

void tfp_expensive_view_release(tfp_options *options, tfp_view *view)
{
    tfp_view_release(view);
    tfp_options_release(options);
}

/* ---- Members of rows ---------------------------------------------------- */

uint32_t tfp_expensive_member(tfp_inquiry *q, const tfp_view *view,
                              uint32_t row, uint32_t before, int64_t *count)
{
    size_t members;
    const uint32_t *member = tfp_row_members(view, row, &members);
    for (size_t i = 0; i < members && !tfp_watch_ends(&q->watch); i++)
        before = tfp_inquiry_costlier(q, before, member[i], TFP_COST_MICROS);
    *count += (int64_t)members;
    return before;
}

/* The same with all below it: rows that follow, up to one that stands below
 * an earlier row. */
static uint32_t costliest_below(tfp_inquiry *q, const tfp_view *view,
                                uint32_t row, int64_t *count)
{
    uint32_t found = tfp_expensive_member(q, view, row, TFP_NO_ID, count);
    for (uint32_t r = row + 1;
         r < view->rows.count && view->rows.data[r].parent >= row; r++)
        found = tfp_expensive_member(q, view, r, found, count);
    return found;
}

/* ---- Types of operations ------------------------------------------------ */

static int tell_types(tfp_inquiry *q, const tfp_view *view, tfprof_error *err)
{
    int status;
    if (view->shown_count <= 1)
        return TFPROF_OK;
    status = tfp_inquiry_report(q, err);
    for (size_t i = 1;
         i < view->shown_count && i <= MOST && status == TFPROF_OK; i++) {
        uint32_t row = view->shown[i].row;
        tfp_finding found = {
            .kind = TFP_FINDING_TYPE,
            .name = tfp_row_name(&view->rows.data[row]),
            .cpu_micros = tfp_row_self(view, row, TFP_COST_CPU_MICROS),
            .accelerator_micros = tfp_row_self(view, row,
                                               TFP_COST_ACCELERATOR_MICROS),
            .micros = tfp_row_self(view, row, TFP_COST_MICROS),
            .whole_micros = tfp_row_total(view, 0, TFP_COST_MICROS)
        };
        uint32_t member = tfp_expensive_member(q, view, row, TFP_NO_ID,
                                               &found.node_count);
        status = tfp_inquiry_tell(q, found, member, err);
    }
    return status;
}

static int check_types(tfp_inquiry *q, tfprof_error *err)
{
    tfp_options options;
    tfp_view view;
    int status = tfp_expensive_view(q, &tfp_op_view, MOST, false, &options,
                                    &view, err);
    if (status == TFPROF_OK)
        status = tell_types(q, &view, err);
    tfp_expensive_view_release(&options, &view);
    return status;
}

/* ---- Nodes -------------------------------------------------------------- */

static int check_nodes(tfp_inquiry *q, tfprof_error *err)
{
    uint32_t top[MOST] = { TFP_NO_ID, TFP_NO_ID, TFP_NO_ID };
    int status = TFPROF_OK;
    for (uint32_t m = 0;
         m < q->census->members.count && !tfp_watch_ends(&q->watch); m++) {
        if (tfp_inquiry_cost(q, m, TFP_COST_MICROS) > 0)
            tfp_inquiry_rank(q, top, MOST, m);
    }
    if (top[0] != TFP_NO_ID)
        status = tfp_inquiry_report(q, err);
    for (int i = 0; i < MOST && top[i] != TFP_NO_ID; i++) {
        tfp_finding found = {
            .kind = TFP_FINDING_NODE,
            .name = tfp_inquiry_name(q, top[i]),
            .cpu_micros = tfp_inquiry_cost(q, top[i], TFP_COST_CPU_MICROS),
            .accelerator_micros = tfp_inquiry_cost(q, top[i],
                                                   TFP_COST_ACCELERATOR_MICROS),
            .micros = tfp_inquiry_cost(q, top[i], TFP_COST_MICROS),
            .node_count = 1
        };
        if (status == TFPROF_OK)
            status = tfp_inquiry_tell(q, found, top[i], err);
    }
    return status;
}

/* ---- Lines of code ------------------------------------------------------ */

/* The shown rows of a view with the end of each: the row after it that does
 * not stand below it. */
typedef struct outline {
    const tfp_view *view;
    uint32_t *ends;
} outline;

static bool outline_init(outline *o, const tfp_view *view)
{
    uint32_t count = (uint32_t)view->shown_count;
    o->view = view;
    o->ends = tfp_memory_array(view->memory, count, sizeof(*o->ends));
    if (!o->ends)
        return false;
    for (uint32_t i = count; i-- > 0;) {
        uint32_t end = i + 1;
        while (end < count && view->shown[end].level > view->shown[i].level)
            end = o->ends[end];
        o->ends[i] = end;
    }
    return true;
}

static void outline_release(outline *o)
{
    tfp_memory_free(o->view->memory, o->ends);
}

static bool has_one_child(const outline *o, uint32_t at)
{
    return at + 1 < o->ends[at] && o->ends[at + 1] == o->ends[at];
}

static bool has_children(const outline *o, uint32_t at)
{
    return at + 1 < o->ends[at];
}

static int tell_line(tfp_inquiry *q, const tfp_view *view, uint32_t row,
                     uint32_t depth, tfprof_error *err)
{
    tfp_finding found = { .kind = TFP_FINDING_CODE,
                          .depth = depth,
                          .name = tfp_row_name(&view->rows.data[row]),
                          .cpu_micros = tfp_row_total(view, row,
                                                      TFP_COST_CPU_MICROS),
                          .accelerator_micros = tfp_row_total(
                              view, row, TFP_COST_ACCELERATOR_MICROS),
                          .micros = tfp_row_total(view, row, TFP_COST_MICROS) };
    uint32_t member = costliest_below(q, view, row, &found.node_count);
    return tfp_inquiry_tell(q, found, member, err);
}

/* Lines that are still to be told, at one depth. */
typedef struct siblings {
    uint32_t next, end;
    int left;
} siblings;

/* The longest lines below `top`, and below each of them the longest again,
 * where there is more than one. */
static int tell_lines(tfp_inquiry *q, const outline *o, uint32_t top,
                      tfprof_error *err)
{
    siblings levels[DEEPEST + 1] = { { top + 1, o->ends[top], MOST } };
    int64_t least = tfp_time_from_micros(LEAST_CODE,
                                         tfp_model_time_unit(q->model));
    uint32_t depth = 0;
    int status = TFPROF_OK;
    while (status == TFPROF_OK) {
        siblings *s = &levels[depth];
        uint32_t at = s->next, row;
        if (s->left == 0 || at == s->end) {
            if (depth-- == 0)
                break;
            continue;
        }
        s->next = o->ends[at];
        s->left--;
        row = o->view->shown[at].row;
        if (tfp_row_total(o->view, row, TFP_COST_MICROS) < least)
            continue;
        status = tell_line(q, o->view, row, depth, err);
        if (depth < DEEPEST && has_children(o, at) && !has_one_child(o, at))
            levels[++depth] = (siblings){ at + 1, o->ends[at], MOST };
    }
    return status;
}

/* What calls only one thing is a library's, mostly: the first line that calls
 * several is where the model's own code begins. */
static int tell_code(tfp_inquiry *q, const outline *o, tfprof_error *err)
{
    uint32_t top = 0;
    int status;
    while (has_one_child(o, top))
        top++;
    if (!has_children(o, top))
        return TFPROF_OK;
    status = tfp_inquiry_report(q, err);
    return status == TFPROF_OK ? tell_lines(q, o, top, err) : status;
}

static int check_code(tfp_inquiry *q, tfprof_error *err)
{
    enum { DEPTH = 100 };
    tfp_options options;
    tfp_view view;
    outline o = { 0 };
    int status = tfp_expensive_view(q, &tfp_code_view, DEPTH, false, &options,
                                    &view, err);
    if (status == TFPROF_OK && !outline_init(&o, &view))
        status = tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = tell_code(q, &o, err);
    if (o.ends)
        outline_release(&o);
    tfp_expensive_view_release(&options, &view);
    return status;
}

/* ---- The checker -------------------------------------------------------- */

static int check(tfp_inquiry *q, tfprof_error *err)
{
    int status;
    if (q->advice->misses_runs)
        return TFPROF_OK;
    q->advice->misses_traces = !tfp_census_has_traces(q->census);
    if (q->advice->is_brief)
        return tfp_expensive_tell_brief(q, err);
    status = check_types(q, err);
    if (status == TFPROF_OK)
        status = check_nodes(q, err);
    if (status == TFPROF_OK && !q->advice->misses_traces)
        status = check_code(q, err);
    return status;
}

const tfp_checker tfp_expensive_checker = {
    .name = "ExpensiveOperationChecker",
    .needs_runs = true,
    .check = check,
};
