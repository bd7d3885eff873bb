/*
 * account.c - which rows count, and what each costs with all below it.
 */
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/census.h"
#include "model/costs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "options/options.h"
#include "view/view.h"

#include <string.h>

/* ---- Types -------------------------------------------------------------- */

enum { UNKNOWN, MATCHES, DOES_NOT };

bool tfp_view_matches(tfp_view *v, tfp_patterns *patterns, uint8_t *verdicts,
                      tfp_string name)
{
    if (verdicts[name] == UNKNOWN) {
        tfp_span text = tfp_model_text(v->model, name);
        verdicts[name] = tfp_patterns_match(patterns, text) ? MATCHES
                                                            : DOES_NOT;
    }
    return verdicts[name] == MATCHES;
}

uint8_t *tfp_view_verdicts(tfp_view *v)
{
    uint8_t *verdicts = tfp_memory_array(v->memory, v->census->name_count, 1);
    if (verdicts)
        memset(verdicts, UNKNOWN, v->census->name_count);
    return verdicts;
}

static bool type_counts(tfp_view *v, tfp_string type)
{
    return tfp_view_matches(v, &v->account, v->verdicts, type);
}

static bool make_verdicts(tfp_view *v)
{
    if (!v->verdicts)
        v->verdicts = tfp_view_verdicts(v);
    return v->verdicts != NULL;
}

/* A timeline draws all that ran, and when: it is no answer about steps. */
static bool is_about_steps(const tfp_view *v)
{
    return v->options->step != TFP_STEP_REST &&
           v->options->output.kind != TFP_OUTPUT_TIMELINE;
}

/* An operation that only ran outside of all steps is no part of an answer about
 * steps. */
static bool is_left_out(const tfp_view *v, uint32_t member)
{
    return is_about_steps(v) &&
           tfp_member_is_rest(&v->census->members.data[member]);
}

bool tfp_view_accounts(tfp_view *v, uint32_t member)
{
    const tfp_member *m = &v->census->members.data[member];
    const tfp_nodes *nodes = &v->model->nodes;
    tfp_string stored = tfp_member_stored_type(v->model, m);
    const int64_t *logged;
    size_t count = 0;
    if (is_left_out(v, member))
        return false;
    if (v->account.any || (stored != 0 && type_counts(v, stored)))
        return true;
    if (m->node != TFP_NO_NODE) {
        logged = tfp_list_items(v->model, nodes->types[m->noted], &count);
        for (size_t i = 0; i < count; i++) {
            if (type_counts(v, (tfp_string)logged[i]))
                return true;
        }
    }
    if (m->from_profile) /* which lists its op and device among the types */
        return false;
    return type_counts(v, tfp_member_op(v->model, m)) ||
           (m->device != 0 && type_counts(v, m->device));
}

/* False when out of memory or cancelled. */
static bool make_costs(tfp_view *v, tfp_costs *costs, size_t count)
{
    tfp_watch watch = { .cancel = v->cancel };
    bool ok = tfp_costs_make(costs, v->memory, count, v->costs.wanted, &watch);
    v->cancelled |= watch.cancelled;
    return ok;
}

/* ---- Groups ------------------------------------------------------------- */

static void sum_groups(tfp_view *v)
{
    for (size_t g = 0; g < v->group_count; g++) {
        for (uint32_t i = v->group_first[g];
             i < v->group_first[g + 1] && !tfp_view_is_cancelled(v, i); i++)
            tfp_costs_add(&v->group_costs, g, &v->costs, v->group_members[i]);
    }
}

/* Members of one group stand together, in the order of the census. */
static void fill_groups(tfp_view *v, const uint32_t *group_of)
{
    uint32_t sum = 0;
    memset(v->group_first, 0, (v->group_count + 1) * sizeof(uint32_t));
    for (uint32_t m = 0;
         m < v->census->members.count && !tfp_view_is_cancelled(v, m); m++) {
        if (group_of[m] != TFP_NO_ID && tfp_view_accounts(v, m))
            v->group_first[group_of[m]]++;
    }
    for (size_t g = 0; g <= v->group_count; g++) {
        uint32_t own = v->group_first[g];
        v->group_first[g] = sum;
        sum += own;
    }
    for (uint32_t m = 0;
         m < v->census->members.count && !tfp_view_is_cancelled(v, m); m++) {
        if (group_of[m] != TFP_NO_ID && tfp_view_accounts(v, m))
            v->group_members[v->group_first[group_of[m]]++] = m;
    }
    memmove(v->group_first + 1, v->group_first,
            v->group_count * sizeof(uint32_t));
    v->group_first[0] = 0;
}

int tfp_view_group(tfp_view *v, const uint32_t *group_of, size_t groups,
                   tfprof_error *err)
{
    v->group_first = tfp_memory_array(v->memory, groups + 1, sizeof(uint32_t));
    v->group_count = groups;
    v->group_members = tfp_memory_array(v->memory, v->census->members.count,
                                        sizeof(uint32_t));
    v->grouped_count = v->census->members.count;
    if (!v->group_first || !v->group_members || !make_verdicts(v) ||
        !make_costs(v, &v->group_costs, groups))
        return tfp_fail_nomem(err);
    fill_groups(v, group_of);
    if (!v->cancelled)
        sum_groups(v);
    return v->cancelled ? tfp_fail_cancelled(err) : TFPROF_OK;
}

/* ---- Rows --------------------------------------------------------------- */

/* Is there such an operation? */
static bool leaves_out(const tfp_view *v)
{
    return is_about_steps(v) && tfp_model_find_step(v->model, TFP_STEP_REST);
}

/* Rows that are no node have a type of their own to match: a scope, or, in
 * views of groups, none. */
static void mark_accounted(tfp_view *v)
{
    bool bare = v->account.any;
    if (!bare && v->type->row_type)
        bare = tfp_patterns_match(&v->account, tfp_span_of(v->type->row_type));
    for (uint32_t r = 1; r < v->rows.count && !tfp_view_is_cancelled(v, r);
         r++) {
        uint32_t subject = v->rows.data[r].subject;
        bool counts = bare;
        size_t members;
        if (subject != TFP_NO_ID && !v->type->groups) {
            counts = tfp_view_accounts(v, subject);
        } else if (subject != TFP_NO_ID) {
            tfp_row_members(v, r, &members);
            counts = members > 0 || (v->account.any && !leaves_out(v));
        }
        v->flags[r] = counts ? TFP_ROW_ACCOUNTED : 0;
    }
    v->flags[0] = TFP_ROW_KEPT;
}

/* Scopes and lines whose nodes are all left out are left out with them. Rows
 * come after their parents. False when out of memory. */
static bool leave_out_scopes(tfp_view *v)
{
    uint8_t *has_nodes;
    if (!leaves_out(v))
        return true;
    has_nodes = tfp_memory_zalloc(v->memory, v->rows.count);
    if (!has_nodes)
        return false;
    for (size_t r = v->rows.count; r-- > 1;) {
        uint32_t subject = v->rows.data[r].subject;
        if (subject != TFP_NO_ID)
            has_nodes[r] |= v->type->groups
                                ? (v->flags[r] & TFP_ROW_ACCOUNTED) != 0
                                : !is_left_out(v, subject);
        if (!has_nodes[r])
            v->flags[r] &= (uint8_t)~TFP_ROW_ACCOUNTED;
        has_nodes[v->rows.data[r].parent] |= has_nodes[r];
    }
    tfp_memory_free(v->memory, has_nodes);
    return true;
}

/* A row that is not accounted hands its children to its parent. */
static void splice(tfp_view *v)
{
    for (size_t r = 1; r < v->rows.count; r++) {
        uint32_t parent = v->rows.data[r].parent;
        if (!(v->flags[parent] & TFP_ROW_KEPT))
            v->rows.data[r].parent = v->rows.data[parent].parent;
        if (v->flags[r] & TFP_ROW_ACCOUNTED)
            v->flags[r] |= TFP_ROW_KEPT;
    }
}

/* A row that is not accounted stays for the sake of those below it. */
static void keep_ancestors(tfp_view *v)
{
    for (size_t r = v->rows.count; r-- > 1;) {
        if (v->flags[r] & (TFP_ROW_ACCOUNTED | TFP_ROW_KEPT)) {
            v->flags[r] |= TFP_ROW_KEPT;
            v->flags[v->rows.data[r].parent] |= TFP_ROW_KEPT;
        }
    }
}

static bool make_totals(tfp_view *v)
{
    size_t count = v->rows.count;
    bool counts_nodes = v->select & TFP_SELECT_OCCURRENCE ||
                        v->options->format == TFP_FORMAT_PROTO;
    if (!make_costs(v, &v->totals, count))
        return false;
    if (counts_nodes && !v->type->groups) {
        v->definitions = tfp_memory_zarray(v->memory, count, sizeof(int64_t));
        return v->definitions != NULL;
    }
    return true;
}

void tfp_view_add_self(tfp_view *v, uint32_t row)
{
    uint32_t subject = v->rows.data[row].subject;
    if (subject != TFP_NO_ID)
        tfp_costs_add(&v->totals, row,
                      v->type->groups ? &v->group_costs : &v->costs, subject);
    if (v->definitions)
        v->definitions[row]++;
}

void tfp_view_add_child(tfp_view *v, uint32_t row, uint32_t child)
{
    tfp_costs_add(&v->totals, row, &v->totals, child);
    if (v->definitions)
        v->definitions[row] += v->definitions[child];
}

/* The sum over a row and all below it. A row that was only kept for those
 * below it adds its own costs all the same, as upstream has it. */
static void sum_up(tfp_view *v)
{
    for (uint32_t r = (uint32_t)v->rows.count; r-- > 1;) {
        if (tfp_view_is_cancelled(v, r))
            return;
        if (!(v->flags[r] & TFP_ROW_KEPT))
            continue;
        tfp_view_add_self(v, r);
        tfp_view_add_child(v, v->rows.data[r].parent, r);
    }
}

int tfp_view_account(tfp_view *v, tfprof_error *err)
{
    v->flags = tfp_memory_zalloc(v->memory, v->rows.count);
    if (!v->flags || !make_verdicts(v) || !make_totals(v))
        return tfp_fail_nomem(err);
    if (!tfp_view_is_cancelled(v, 0))
        mark_accounted(v);
    if (tfp_view_is_cancelled(v, 0))
        return tfp_fail_cancelled(err);
    if (!leave_out_scopes(v))
        return tfp_fail_nomem(err);
    if (v->type->splices)
        splice(v);
    else
        keep_ancestors(v);
    if (tfp_view_is_cancelled(v, 0))
        return tfp_fail_cancelled(err);
    sum_up(v);
    return TFPROF_OK;
}
