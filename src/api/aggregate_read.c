/*
 * aggregate_read.c - the runs of an aggregate, one file after the other.
 *
 * The steps of one file are added to the rows and dropped from the model before
 * the next file is read. RunMetadata is read into the model of the profile,
 * which has the graph. A unit, which is a profile file or the traces of one
 * directory, has its own graph, so it is read into a separate profile that is
 * freed afterwards. Traces without other files in their directory share such a
 * profile (tfp_agg_base): it has the graphs and op logs, which are not read
 * again for each trace, and each trace is removed from it afterwards. What was
 * read before, such as a pipe, is in the model of the profile and is added
 * first.
 */
#include "api/aggregate_read.h"

#include "api/again.h"
#include "api/question.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "input/kind/input.h"
#include "input/kind/kinds.h"
#include "input/kind/role.h"
#include "model/census.h"
#include "model/gathered.h"
#include "model/model.h"
#include "model/steps.h"

/* ---- Step numbers ------------------------------------------------------- */

/* The step number of an input: the one that was given (`input` may be NULL), or
 * the next unused one. */
static int number_step(tfp_agg_work *w, const tfp_input *input, int64_t *number,
                       tfprof_error *err)
{
    tfp_span id = { (const uint8_t *)number, sizeof(*number) };
    bool is_given = input && input->is_numbered;
    *number = is_given ? input->number : w->next;
    while (!is_given && tfp_interner_find(&w->taken, id) != TFP_NO_ID) {
        if (w->next == INT64_MAX)
            return tfp_fail(err, TFPROF_ERR_LIMIT, -1,
                            "no larger step number is left (give numbers with "
                            "--run_meta_path N=FILE)");
        *number = ++w->next;
    }
    return tfp_intern(&w->taken, id) != TFP_NO_ID ? TFPROF_OK
                                                  : tfp_fail_nomem(err);
}

/* Of traces without steps, which get a number later: their records are in a
 * step of the model behind all steps of other traces. */
#define UNNUMBERED (INT64_C(1) << 62)

static bool is_without_steps(const tfp_input *input)
{
    return input->trace.is_one && !input->trace.has_steps &&
           input->trace.only_step >= UNNUMBERED;
}

static bool is_unnumbered(const tfp_model *model, int64_t number)
{
    for (size_t i = 0; number >= UNNUMBERED && i < model->inputs.count; i++) {
        if (is_without_steps(&model->inputs.data[i]) &&
            model->inputs.data[i].trace.only_step == number)
            return true;
    }
    return false;
}

/* Notes the step numbers of a model, and gives numbers to the steps from
 * `first` on that have none. */
static int take_numbers(tfp_agg_work *w, const tfp_model *model, size_t first,
                        tfprof_error *err)
{
    int status = TFPROF_OK;
    for (size_t i = 0; i < model->steps.count; i++) {
        int64_t number = model->steps.data[i].id;
        tfp_span id = { (const uint8_t *)&number, sizeof(number) };
        if (model->steps.data[i].execs.count == 0 ||
            model->steps.data[i].is_rest || is_unnumbered(model, number))
            continue;
        if (tfp_intern(&w->taken, id) == TFP_NO_ID)
            return tfp_fail_nomem(err);
        if (number >= w->next)
            w->next = tfp_add_sat(number, 1);
    }
    for (size_t i = first; i < w->aggregate.steps.count; i++) {
        tfp_agg_step *step = &w->aggregate.steps.data[i];
        if (status == TFPROF_OK && is_unnumbered(model, step->number))
            status = number_step(w, NULL, &step->number, err);
    }
    return status;
}

/* ---- One file after the other ------------------------------------------- */

/* Adds the steps of a profile to the rows. The census was begun, if its
 * `memory` is set. */
static int fold(tfp_agg_work *w, tfprof_profile *from, tfp_census *census,
                tfp_agg_places *places, tfprof_error *err)
{
    const tfp_cancel *cancel = &w->profile->cancel;
    size_t first = w->aggregate.steps.count;
    int status = TFPROF_OK;
    tfp_profile_drop_census(from);
    if (!census->memory)
        status = tfp_census_begin(census, &from->model, &from->memory, cancel,
                                  err);
    if (status == TFPROF_OK)
        status = tfp_census_renew(census, &from->model, cancel, err);
    if (status == TFPROF_OK) {
        tfp_run_notes_add(&w->notes, &from->model, census);
        if (census->clashing_nodes > 0 && !w->has_clash)
            tfp_remark_on_clashes(from, census);
        w->has_clash |= census->clashing_nodes > 0;
        status = tfp_aggregate_add_steps(&w->aggregate, places, census, cancel,
                                         err);
    }
    if (status == TFPROF_OK)
        status = take_numbers(w, &from->model, first, err);
    return status;
}

/* Adds the steps of the profile of the caller, and drops them from its
 * model. */
static int fold_model(tfp_agg_work *w, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    int status = fold(w, p, &w->census, &w->places, err);
    if (!tfp_model_drop_steps(&p->model) && status == TFPROF_OK)
        status = tfp_fail_nomem(err);
    return status;
}

/* JAX writes its version beside the environment of a trace. */
static void note_producer(tfp_agg_work *w, const tfp_input *input)
{
    if (input->trace.jax != 0)
        w->producer = "jax";
    else if (*w->producer == '\0' &&
             (input->kind != TFP_FILE_XSPACE || input->trace.has_environment))
        w->producer = "tensorflow";
}

/* Copies the result of reading a deferred input, which is in another model, to
 * its entry. What the notes need of a trace is copied too. */
static bool copy_result(tfp_model *model, tfp_input *to, const tfp_model *other,
                        const tfp_input *from)
{
    const tfp_input_trace before = to->trace;
    to->status = from->status;
    to->why = from->why;
    to->partial = from->partial;
    to->is_left_out = from->is_left_out;
    to->counts = from->counts;
    to->counts.log_entries = 0; /* which are compared with those of op logs */
    to->unknown_name = tfp_model_string(
        model, tfp_model_text(other, from->unknown_name));
    to->trace = (tfp_input_trace){
        .is_one = from->trace.is_one,
        .has_environment = from->trace.has_environment,
        .damaged_programs = from->trace.damaged_programs,
        .damaged_name = tfp_model_string(
            model, tfp_model_text(other, from->trace.damaged_name)),
        .damage = tfp_model_string(model,
                                   tfp_model_text(other, from->trace.damage)),
        .unknown_instructions = from->trace.unknown_instructions,
        .unnamed_events = from->trace.unnamed_events,
        .odd_events = from->trace.odd_events,
        .repeated_steps = from->trace.repeated_steps,
        .by_number = from->trace.by_number,
        .by_link = from->trace.by_link,
        .by_time = from->trace.by_time,
        .in_none = from->trace.in_none,
        .has_steps = from->trace.has_steps,
        .runs = before.runs,
        .is_chosen = before.is_chosen,
        .beside = before.beside,
        .only_step = from->trace.only_step,
    };
    return to->unknown_name != TFP_NO_ID &&
           to->trace.damaged_name != TFP_NO_ID && to->trace.damage != TFP_NO_ID;
}

static void note_gone(tfp_input *input)
{
    input->status = tfp_fail(&input->why, TFPROF_ERR_IO, -1,
                             "the file is gone or was replaced");
}

/* Copies the results of the entries from `before` on, which are the last ones,
 * to one input, and removes them. */
static bool take_result(tfprof_profile *p, size_t index, size_t before)
{
    tfp_input *inputs = p->model.inputs.data;
    size_t count = p->model.inputs.count - before;
    bool ok = true;
    if (count == 1)
        ok = copy_result(&p->model, &inputs[index], &p->model, &inputs[before]);
    else
        note_gone(&inputs[index]); /* it is a directory now */
    while (p->model.inputs.count > before)
        tfp_input_release(&inputs[--p->model.inputs.count], &p->memory);
    return ok;
}

/* Reads RunMetadata into the model that has the graph, and adds its step. */
static int read_run(tfp_agg_work *w, size_t index, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    size_t before = p->model.inputs.count;
    tfp_input_request request = { .role = TFP_ROLE_RUN_META, .has_step = true };
    char *path;
    int status = number_step(w, &p->model.inputs.data[index], &request.step,
                             err);
    if (status != TFPROF_OK)
        return status;
    if (!tfp_profile_input_path(p, &p->model.inputs.data[index], &p->memory,
                                &path))
        return tfp_fail_nomem(err);
    request.path = path;
    status = tfp_input_add_path(tfp_profile_context(p), &request, err);
    tfp_memory_free(&p->memory, path);
    if (!take_result(p, index, before) && !tfp_stops_all(status))
        status = tfp_fail_nomem(err);
    if (tfp_stops_all(status))
        return status;
    if (!tfp_agg_is_damaged(&p->model.inputs.data[index]) ||
        p->model.inputs.data[index].partial)
        return fold_model(w, err);
    return tfp_model_drop_steps(&p->model) ? TFPROF_OK : tfp_fail_nomem(err);
}

/* Is it a graph, an op log or a checkpoint, which every unit needs? */
static bool is_static(const tfp_input *input)
{
    switch (input->kind) {
    case TFP_FILE_RUN_METADATA:
    case TFP_FILE_STEP_STATS:
    case TFP_FILE_PROFILE:
    case TFP_FILE_XSPACE: return false;
    default:
        return input->is_read && !input->is_deferred &&
               (!tfp_agg_is_damaged(input) || input->partial);
    }
}

/* Adds the graphs and op logs of the profile to a unit, except those in the
 * directory `own`: they are read with the unit. */
static int add_statics(const tfp_agg_work *w, tfprof_profile *unit,
                       tfp_string own, tfprof_error *err)
{
    const tfprof_profile *p = w->profile;
    int status = TFPROF_OK;
    for (size_t i = 0; i < p->model.inputs.count && status == TFPROF_OK; i++) {
        const tfp_input *input = &p->model.inputs.data[i];
        const char *role = NULL;
        char *path;
        if (!is_static(input) || input->path == own)
            continue;
        status = tfp_profile_check_twice(p, i, err);
        if (status != TFPROF_OK)
            break;
        if (!tfp_profile_input_path(p, input, &unit->memory, &path))
            return tfp_fail_nomem(err);
        /* A role may have been given, because the bytes do not tell it. */
        if (tfp_kind_of(input->kind)->role == TFP_ROLE_GRAPH ||
            tfp_kind_of(input->kind)->role == TFP_ROLE_OP_LOG)
            role = tfp_role_options[tfp_kind_of(input->kind)->role];
        status = tfprof_profile_add_path(unit, path, role, err);
        tfp_memory_free(&unit->memory, path);
        if (input->partial && !tfp_stops_all(status))
            status = TFPROF_OK;
    }
    return status;
}

/* The entry of a unit for an input, or NULL. */
static const tfp_input *find_result(const tfprof_profile *unit,
                                    const tfp_input *input, tfp_span member)
{
    for (size_t i = unit->model.inputs.count; i-- > 0;) {
        const tfp_input *found = &unit->model.inputs.data[i];
        if (tfp_span_equal(tfp_model_text(&unit->model, found->member),
                           member) &&
            (tfp_agg_is_damaged(found) || found->kind == input->kind))
            return found;
    }
    return NULL;
}

/* Copies the results of a unit to its inputs. *any is set if there is anything
 * to add. */
static bool take_results(tfp_agg_work *w, const tfprof_profile *unit,
                         size_t first, size_t end, bool is_directory, bool *any)
{
    tfp_model *model = &w->profile->model;
    for (size_t i = first; i < end; i++) {
        tfp_input *input = &model->inputs.data[i];
        tfp_span member = { 0 };
        const tfp_input *found;
        if (!input->is_deferred ||
            input->kind != model->inputs.data[first].kind)
            continue;
        if (is_directory)
            member = tfp_model_text(model, input->member);
        found = find_result(unit, input, member);
        if (!found)
            note_gone(input);
        else if (!copy_result(model, input, &unit->model, found))
            return false;
        else
            note_producer(w, found);
        *any |= !tfp_agg_is_damaged(input) || input->partial;
    }
    return true;
}

/* Makes a profile with the graphs and op logs for a unit; NULL after a
 * failure. */
static int make_unit(const tfp_agg_work *w, bool is_trace, tfp_string own,
                     tfprof_profile **made, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    tfprof_profile *unit = tfprof_profile_new_with(p->memory.resize,
                                                   p->memory.context);
    int status;
    *made = unit;
    if (!unit)
        return tfp_fail_nomem(err);
    status = tfp_profile_copy_settings(p, unit, err);
    unit->context.leaves_logs = true; /* they have been found */
    unit->remark = p->remark;
    unit->remark_context = p->remark_context;
    unit->model.gathers = TFP_GATHER_STEPS | TFP_GATHER_NO_REST;
    unit->context.defers = is_trace ? TFP_DEFER_RUNS : 0;
    unit->context.next_step = UNNUMBERED;
    if (status == TFPROF_OK)
        status = add_statics(w, unit, own, err);
    if (status != TFPROF_OK) {
        tfprof_profile_free(unit);
        *made = NULL;
    }
    return status;
}

/* Adds the steps of a unit that was read. */
static int fold_unit(tfp_agg_work *w, tfprof_profile *unit, tfp_census *census,
                     tfp_agg_places *places, size_t first, size_t end,
                     tfprof_error *err)
{
    const tfp_input *input = &w->profile->model.inputs.data[first];
    bool is_directory = input->kind == TFP_FILE_XSPACE && input->member != 0;
    bool any = false;
    if (!take_results(w, unit, first, end, is_directory, &any))
        return tfp_fail_nomem(err);
    if (!any)
        return TFPROF_OK;
    if (!w->aggregate.has_graph)
        tfp_aggregate_add_graph(&w->aggregate, &unit->model);
    return fold(w, unit, census, places, err);
}

/* Reads a unit into its profile, and adds its steps. */
static int read_into(tfp_agg_work *w, tfprof_profile *unit, tfp_census *census,
                     tfp_agg_places *places, size_t first, size_t end,
                     tfprof_error *err)
{
    const tfp_input *input = &w->profile->model.inputs.data[first];
    bool is_trace = input->kind == TFP_FILE_XSPACE;
    bool is_directory = is_trace && input->member != 0;
    tfp_input whole = *input;
    char *path;
    int status;
    whole.member = is_directory ? 0 : input->member;
    if (!tfp_profile_input_path(w->profile, &whole, &unit->memory, &path))
        return tfp_fail_nomem(err);
    status = tfprof_profile_add_path(
        unit, path, is_trace ? NULL : tfp_role_options[TFP_ROLE_PROFILE], err);
    tfp_memory_free(&unit->memory, path);
    tfp_question_limit(unit);   /* what was read is folded within the limit */
    if (!tfp_stops_all(status)) /* else the entry of the input has the error */
        status = fold_unit(w, unit, census, places, first, end, err);
    return tfp_question_end(unit, status, err);
}

static int read_alone(tfp_agg_work *w, size_t first, size_t end,
                      tfprof_error *err)
{
    const tfp_input *input = &w->profile->model.inputs.data[first];
    bool is_trace = input->kind == TFP_FILE_XSPACE;
    tfp_agg_places places;
    tfp_census census = { 0 };
    tfprof_profile *unit;
    int status = make_unit(
        w, is_trace, is_trace && input->member != 0 ? input->path : TFP_NO_ID,
        &unit, err);
    if (status != TFPROF_OK)
        return status;
    tfp_agg_places_init(&places, &w->aggregate.rows, &unit->model,
                        w->aggregate.max_depth);
    status = read_into(w, unit, &census, &places, first, end, err);
    tfp_agg_places_release(&places);
    if (census.memory)
        tfp_census_release(&census);
    tfprof_profile_free(unit);
    return status;
}

/* ---- Traces that share the graph ---------------------------------------- */

static void release_base(tfp_agg_base *base)
{
    if (!base->profile)
        return;
    tfp_agg_places_release(&base->places);
    if (base->census.memory)
        tfp_census_release(&base->census);
    tfp_model_release_mark(&base->mark, &base->profile->memory);
    tfprof_profile_free(base->profile);
    *base = (tfp_agg_base){ 0 };
}

/* Reads the graphs and op logs, if they were not read. They are also read again
 * if the names of the traces have doubled the memory: so it does not grow with
 * the number of traces, and the time of reading stays in proportion. */
static int reach_base(tfp_agg_work *w, tfprof_error *err)
{
    enum { SMALL = 1 << 20 };
    tfp_agg_base *base = &w->base;
    tfprof_profile *p;
    int status;
    if (base->profile && base->profile->memory.held > 2 * base->held + SMALL)
        release_base(base);
    if (base->profile)
        return TFPROF_OK;
    status = make_unit(w, true, TFP_NO_ID, &base->profile, err);
    if (status != TFPROF_OK)
        return status;
    p = base->profile;
    tfp_agg_places_init(&base->places, &w->aggregate.rows, &p->model,
                        w->aggregate.max_depth);
    if (!tfp_model_set_mark(&p->model, &base->mark))
        return tfp_fail_nomem(err);
    status = tfp_census_begin(&base->census, &p->model, &p->memory,
                              &w->profile->cancel, err);
    base->held = p->memory.held;
    return status;
}

/* Reads traces into the profile of all traces, and removes them from it. */
static int read_shared(tfp_agg_work *w, size_t first, size_t end,
                       tfprof_error *err)
{
    tfp_agg_base *base = &w->base;
    int status = reach_base(w, err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_profile_copy_settings(w->profile, base->profile, err);
    if (status != TFPROF_OK)
        return status;
    base->profile->context.next_step = UNNUMBERED;
    status = read_into(w, base->profile, &base->census, &base->places, first,
                       end, err);
    tfp_agg_places_forget(&base->places, base->mark.graphs);
    if (!tfp_model_rewind(&base->profile->model, &base->mark) &&
        status == TFPROF_OK)
        status = tfp_fail_nomem(err);
    return status;
}

void tfp_agg_read_release(tfp_agg_work *w)
{
    release_base(&w->base);
    if (w->census.memory)
        tfp_census_release(&w->census);
}

/* Do the traces share a graph or an op log that is not in their directory? */
static bool is_shared(const tfp_agg_work *w, const tfp_input *unit)
{
    const tfp_model *model = &w->profile->model;
    bool has_static = false;
    if (unit->kind != TFP_FILE_XSPACE)
        return false;
    for (size_t i = 0; i < model->inputs.count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        if (!is_static(input))
            continue;
        has_static = true;
        if (unit->member != 0 && input->path == unit->path)
            return false;
    }
    return has_static;
}

/* Reads a unit, which is a profile file or the traces of one directory, into a
 * separate profile, and adds its steps. */
static int read_unit(tfp_agg_work *w, size_t first, size_t end,
                     tfprof_error *err)
{
    return is_shared(w, &w->profile->model.inputs.data[first])
               ? read_shared(w, first, end, err)
               : read_alone(w, first, end, err);
}

/* The end of the inputs that are read with one: all entries of its directory,
 * if it is a trace in one. A directory that is given twice has its entries
 * twice. */
static size_t find_end(const tfp_model *model, size_t first, size_t count)
{
    const tfp_input *input = &model->inputs.data[first];
    size_t end = first + 1;
    if (input->kind != TFP_FILE_XSPACE || input->member == 0)
        return end;
    while (end < count && model->inputs.data[end].path == input->path &&
           model->inputs.data[end].member != 0 &&
           model->inputs.data[end].member != input->member)
        end++;
    return end;
}

static int read_deferred(tfp_agg_work *w, tfprof_error *err)
{
    const tfp_model *model = &w->profile->model;
    size_t count = model->inputs.count, unit_end = 0;
    int status = TFPROF_OK;
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        const tfp_input *input = &model->inputs.data[i];
        bool is_trace = input->kind == TFP_FILE_XSPACE;
        if (!input->is_deferred || (is_trace && i < unit_end))
            continue;
        if (tfp_cancelled(&w->profile->cancel))
            return tfp_fail_cancelled(err);
        note_producer(w, input);
        if (!is_trace && input->kind != TFP_FILE_PROFILE) {
            status = read_run(w, i, err);
        } else {
            size_t end = find_end(model, i, count);
            if (is_trace)
                unit_end = end;
            status = read_unit(w, i, end, err);
        }
    }
    return status;
}

/* Drops the records of a damaged input that was read at once, such as a pipe.
 * Those of several inputs are together in the model. */
static int drop_damaged(tfp_agg_work *w, tfprof_error *err)
{
    tfp_model *model = &w->profile->model;
    size_t damaged = model->inputs.count;
    bool has_whole = false;
    char name[160];
    for (size_t i = 0; i < model->inputs.count; i++) {
        const tfp_input *input = &model->inputs.data[i];
        bool is_trace = input->kind == TFP_FILE_XSPACE;
        if (input->is_deferred || !input->is_read ||
            (!is_trace && input->kind != TFP_FILE_RUN_METADATA &&
             input->kind != TFP_FILE_STEP_STATS &&
             input->kind != TFP_FILE_PROFILE))
            continue;
        note_producer(w, input);
        if (!tfp_agg_is_damaged(input) || input->partial)
            has_whole = true;
        else if (!is_trace) /* a damaged trace adds nothing */
            damaged = i;
    }
    if (damaged == model->inputs.count)
        return TFPROF_OK;
    if (!has_whole)
        return tfp_model_drop_steps(model) ? TFPROF_OK : tfp_fail_nomem(err);
    tfp_profile_input_name(w->profile, damaged, name, sizeof(name));
    return tfp_fail(err, TFPROF_ERR_MALFORMED, -1,
                    "%s: the input is damaged, and it was read together with "
                    "other inputs that can be read only once (give files)",
                    name);
}

int tfp_agg_read(tfp_agg_work *w, tfprof_error *err)
{
    tfprof_profile *p = w->profile;
    int status = drop_damaged(w, err);
    if (status != TFPROF_OK)
        return status;
    tfp_aggregate_add_graph(&w->aggregate, &p->model);
    p->context.defers = 0;
    if (p->model.steps.count > 0)
        status = fold_model(w, err);
    return status == TFPROF_OK ? read_deferred(w, err) : status;
}
