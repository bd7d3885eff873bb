/*
 * view.c - the life of a view: from options and model to rows shown.
 */
#include "view/view.h"

#include "model/times.h"

#include "base/intern.h"

#include <stdio.h>
#include <string.h>

#include "view/tree.h"

const tfp_view_type *const tfp_view_types[] = {
    &tfp_scope_view, &tfp_graph_view, &tfp_op_view, &tfp_code_view, NULL,
};

const tfp_view_type *tfp_view_find(const char *name)
{
    for (size_t i = 0; tfp_view_types[i]; i++) {
        if (!strcmp(tfp_view_types[i]->name, name))
            return tfp_view_types[i];
    }
    return NULL;
}

/* ---- Rows --------------------------------------------------------------- */

bool tfp_view_is_cancelled(tfp_view *v, size_t round)
{
    enum { ROUNDS_BETWEEN_ASKS = 1 << 14 };
    if (!v->cancelled && round % ROUNDS_BETWEEN_ASKS == 0)
        v->cancelled = tfp_cancelled(v->cancel);
    return v->cancelled;
}

uint32_t tfp_view_add_row(tfp_view *v, tfp_span name, uint32_t parent,
                          uint32_t subject)
{
    tfp_row row = { .name = name.data,
                    .name_size = (uint32_t)name.size,
                    .parent = parent,
                    .subject = subject };
    if (v->rows.count >= TFP_NO_ID || tfp_view_is_cancelled(v, v->rows.count) ||
        !TFP_VEC_PUSH(v->memory, &v->rows, row))
        return TFP_NO_ID;
    return (uint32_t)v->rows.count - 1;
}

static bool place_rows(tfp_view *v, const tfp_sibling_order *order,
                       uint32_t *parent, uint32_t *place)
{
    size_t count = v->rows.count;
    tfp_row *rows = tfp_memory_array(v->memory, count, sizeof(*rows));
    if (!rows)
        return false;
    for (size_t i = 0; i < count; i++)
        parent[i] = v->rows.data[i].parent;
    if (!tfp_tree_order(v->memory, parent, count, order, place)) {
        tfp_memory_free(v->memory, rows);
        return false;
    }
    for (size_t i = 0; i < count && !tfp_view_is_cancelled(v, i); i++) {
        rows[place[i]] = v->rows.data[i];
        rows[place[i]].parent = place[parent[i]];
    }
    if (v->cancelled) {
        tfp_memory_free(v->memory, rows);
        return false;
    }
    TFP_VEC_RELEASE(v->memory, &v->rows);
    v->rows.data = rows;
    v->rows.count = v->rows.capacity = count;
    return true;
}

bool tfp_view_arrange(tfp_view *v, const tfp_sibling_order *order)
{
    size_t count = v->rows.count;
    tfp_sibling_order asking = *order;
    uint32_t *numbers = tfp_memory_array(v->memory, 2 * count,
                                         sizeof(*numbers));
    bool ok;
    asking.view = v;
    ok = numbers && place_rows(v, &asking, numbers, numbers + count);
    tfp_memory_free(v->memory, numbers);
    return ok;
}

const uint32_t *tfp_row_members(const tfp_view *v, uint32_t row, size_t *count)
{
    const tfp_row *r = &v->rows.data[row];
    *count = 0;
    if (r->subject == TFP_NO_ID || (v->flags && v->flags[row] & TFP_ROW_REST))
        return NULL;
    if (!v->type->groups) {
        *count = 1;
        return &r->subject;
    }
    *count = v->group_first[r->subject + 1] - v->group_first[r->subject];
    return v->group_members + v->group_first[r->subject];
}

const tfp_frame *tfp_row_frame(const tfp_view *v, uint32_t row)
{
    if (!v->lines || row == 0 || tfp_row_rest(v, row) > 0)
        return NULL;
    return v->lines[row].frame == TFP_NO_ID
               ? NULL
               : &v->model->frames.data[v->lines[row].frame];
}

int64_t tfp_row_nodes(const tfp_view *v, uint32_t row)
{
    size_t count;
    if (tfp_row_rest(v, row) > 0)
        return v->rest_nodes;
    tfp_row_members(v, row, &count);
    return (int64_t)count;
}

/* ---- Life --------------------------------------------------------------- */

int64_t tfp_view_select(const tfp_model *model, const tfp_options *options)
{
    if (options->select != TFP_SELECT_AUTO)
        return options->select;
    return tfp_model_has_runs(model) ? TFP_SELECT_MICROS : TFP_SELECT_PARAMS;
}

uint32_t tfp_view_filter_costs(const tfp_options *o)
{
    uint32_t compared = 0;
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (o->minima[cost] > 0 || o->self_minima[cost] > 0)
            compared |= 1u << cost;
    }
    return compared;
}

uint32_t tfp_view_costs(const tfp_census *census, const tfp_options *o)
{
    uint32_t all = (1u << TFP_COST_COUNT) - 1;
    int64_t select = tfp_view_select(census->model, o);
    uint32_t wanted = (uint32_t)select & all;
    /* A cost below 0 is below the minimum of 0, which all of them have. */
    if (census->has_negatives || o->format == TFP_FORMAT_PROTO)
        return all;
    wanted |= tfp_view_filter_costs(o);
    wanted |= tfp_view_order_costs(census->model, o);
    if (o->output.kind == TFP_OUTPUT_TIMELINE)
        wanted |= 1u << TFP_COST_MICROS | 1u << TFP_COST_BYTES;
    if (o->output.kind == TFP_OUTPUT_HTML)
        wanted |= TFP_PAGE_COSTS;
    if (select & TFP_SELECT_INPUT_SHAPES) /* which tells both of each form */
        wanted |= 1u << TFP_COST_MICROS | 1u << TFP_COST_RUNS;
    return wanted;
}

/* The step with the smallest number above *last; of all if that is NULL. */
static const int64_t *next_step(const tfp_model *model, const int64_t *last)
{
    const int64_t *next = NULL;
    for (size_t i = 0; i < model->steps.count; i++) {
        const int64_t *id = &model->steps.data[i].id;
        if (model->steps.data[i].is_rest)
            continue;
        if ((!last || *id > *last) && (!next || *id < *next))
            next = id;
    }
    return next;
}

static int check_step(const tfp_model *model, int64_t step, tfprof_error *err)
{
    char list[128] = "";
    size_t used = 0;
    const int64_t *id = NULL;
    if (tfp_step_is_average(step) || tfp_model_find_step(model, step))
        return TFPROF_OK;
    if (step == TFP_STEP_REST)
        return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                        "no operation ran outside of all steps (--step rest "
                        "requires a trace with such operations)");
    while ((id = next_step(model, id)) && used + 28 < sizeof(list))
        used += (size_t)snprintf(list + used, sizeof(list) - used, " %lld",
                                 (long long)*id);
    return tfp_fail(err, TFPROF_ERR_MISSING, -1,
                    "there is no step %lld%s%s%s%s", (long long)step,
                    used ? " (steps:" : " (no run metadata was given)", list,
                    id ? " ..." : "", used ? ")" : "");
}

const char *tfp_view_lacks_lines(const tfp_census *census)
{
    const tfp_model *model = census->model;
    if (tfp_census_has_traces(census))
        return NULL;
    if (tfp_model_has_picos(model) && model->logged.count > 0)
        return "the op log contains no operation of the trace (is the op log "
               "from the function that ran?)";
    if (tfp_model_has_picos(model))
        return "no operation of the trace has a source line (in Python, "
               "tfprof.trace(LOGDIR, model=MODEL) records the lines of "
               "TensorFlow operations)";
    return "the code view requires code traces (give an op log or a profile "
           "that contains them: --op_log_path, --profile_path)";
}

static int check_traces(const tfp_view *v, tfprof_error *err)
{
    const char *why = tfp_view_lacks_lines(v->census);
    return why ? tfp_fail(err, TFPROF_ERR_MISSING, -1, "%s", why) : TFPROF_OK;
}

/* The options that are lists of patterns. */
static const struct {
    size_t patterns; /* place in a tfp_view */
    size_t words;    /* place in a tfp_options */
    const char *option;
} pattern_lists[] = {
#define LIST(member, name)                                                     \
    { offsetof(tfp_view, member), offsetof(tfp_options, name), #name }
    LIST(account, account_type_regexes),
    LIST(start, start_name_regexes),
    LIST(trim, trim_name_regexes),
    LIST(show, show_name_regexes),
    LIST(hide, hide_name_regexes),
    LIST(devices, device_regexes),
    LIST(own, own_regexes),
#undef LIST
};

enum { PATTERN_LISTS = sizeof(pattern_lists) / sizeof(pattern_lists[0]) };

static tfp_patterns *patterns_at(tfp_view *v, size_t list)
{
    return (void *)((char *)v + pattern_lists[list].patterns);
}

static int compile(tfp_view *v, tfprof_error *err)
{
    const char *options = (const char *)v->options;
    for (size_t i = 0; i < PATTERN_LISTS; i++) {
        int status = tfp_patterns_init(
            patterns_at(v, i), v->memory, pattern_lists[i].option,
            (const void *)(options + pattern_lists[i].words), err);
        if (status != TFPROF_OK)
            return status;
        patterns_at(v, i)->cancel = v->cancel;
        patterns_at(v, i)->work = v->work;
    }
    return TFPROF_OK;
}

/* A limit that a pattern reached while matching, if any did. */
static int check_patterns(tfp_view *v, tfprof_error *err)
{
    for (size_t i = 0; i < PATTERN_LISTS; i++) {
        const tfp_patterns *patterns = patterns_at(v, i);
        if (patterns->status != TFPROF_OK) {
            if (err)
                *err = patterns->why;
            return patterns->status;
        }
    }
    return TFPROF_OK;
}

static int build(tfp_view *v, tfprof_error *err)
{
    if (tfp_view_add_row(v, tfp_span_of(TFP_ROOT_NAME), 0, TFP_NO_ID) ==
        TFP_NO_ID)
        return tfp_fail_nomem(err);
    return v->type->build(v, err);
}

static int prepare(tfp_view *v, tfprof_error *err)
{
    int status = tfp_view_check_sort(v->options, err);
    if (status == TFPROF_OK)
        status = check_step(v->model, v->options->step, err);
    if (status == TFPROF_OK)
        status = compile(v, err);
    if (status == TFPROF_OK && v->type->needs_traces)
        status = check_traces(v, err);
    if (status == TFPROF_OK)
        status = tfp_costs_init(&v->costs, v->census, v->options->step,
                                tfp_view_costs(v->census, v->options),
                                v->cancel, err);
    return status;
}

int tfp_view_init(tfp_view *v, const tfp_view_type *type,
                  const tfp_census *census, const tfp_options *options,
                  const tfp_cancel *cancel, tfprof_error *err)
{
    return tfp_view_init_within(v, type, census, options, cancel, NULL, err);
}

int tfp_view_init_within(tfp_view *v, const tfp_view_type *type,
                         const tfp_census *census, const tfp_options *options,
                         const tfp_cancel *cancel, uint64_t *work,
                         tfprof_error *err)
{
    static int (*const steps[])(tfp_view *, tfprof_error *) = {
        prepare, build, tfp_view_account, tfp_view_show, check_patterns
    };
    *v = (tfp_view){ .type = type,
                     .memory = census->memory,
                     .model = census->model,
                     .census = census,
                     .options = options,
                     .cancel = cancel,
                     .work = work ? work : &v->own_work,
                     .select = tfp_view_select(census->model, options),
                     .order = tfp_view_order(type, census->model, options),
                     .top = tfp_view_top(type, options) };
    for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
        int status = tfp_view_is_cancelled(v, 0) ? TFPROF_OK : steps[i](v, err);
        if (v->cancelled)
            return tfp_fail_cancelled(err);
        if (status != TFPROF_OK)
            return status;
    }
    return TFPROF_OK;
}

void tfp_view_release(tfp_view *v)
{
    for (size_t i = 0; i < PATTERN_LISTS; i++)
        tfp_patterns_release(patterns_at(v, i));
    tfp_memory_free(v->memory, v->verdicts);
    tfp_memory_free(v->memory, v->device_verdicts);
    tfp_costs_release(&v->totals, v->memory);
    tfp_memory_free(v->memory, v->definitions);
    tfp_memory_free(v->memory, v->hidden);
    tfp_memory_free(v->memory, v->flags);
    tfp_memory_free(v->memory, v->lines);
    tfp_memory_free(v->memory, v->shown);
    tfp_memory_free(v->memory, v->group_first);
    tfp_memory_free(v->memory, v->group_members);
    tfp_costs_release(&v->group_costs, v->memory);
    tfp_costs_release(&v->costs, v->memory);
    TFP_VEC_RELEASE(v->memory, &v->rows);
    tfp_interner_release(&v->names);
}
