/*
 * loops.c - loops by function: While and For.
 *
 * A body is walked as if its variables kept the shapes they have at first.
 * What comes back otherwise is not known so well, and the body is walked
 * again, until what is assumed holds. That takes a few rounds: a dim can only
 * become unknown, and so can a rank. Contents of variables are not known
 * inside, except of those that the body passes on as they are.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "model/model.h"
#include "ops/walk/records.h"
#include "ops/walk/trips.h"
#include "ops/walk/walk.h"

/* In the first rounds what differs is joined, in the next its rank becomes
 * unknown; in the last round that is all that varies. */
enum { ROUNDS_JOINED = 3, ROUNDS = 6 };

typedef struct loop {
    tfp_shapes *shapes;
    uint32_t body, cond; /* instances; cond may be TFP_NO_ID */
    uint32_t skip;       /* arguments that are no variables: of For the
                          * counter comes first */
    uint32_t count;      /* of variables */
    tfp_trip_variable *variables;
} loop;

/* ---- Variables ---------------------------------------------------------- */

static tfp_known *variable(const loop *l, uint32_t instance, uint32_t k)
{
    const tfp_shapes *s = l->shapes;
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    size_t count;
    tfp_known *tensor;
    if (k >= graph->arg_count)
        return NULL;
    tensor = tfp_walk_outputs(s, instance,
                              graph->first_arg + k - graph->first_node, &count);
    return count > 0 ? tensor : NULL;
}

/* Does the body return variable `k` as it is? */
static bool is_invariant(const loop *l, uint32_t k)
{
    return tfp_walk_passed_on(l->shapes, l->body, k) == k + l->skip;
}

static void forget_contents(tfp_known *known)
{
    for (int grade = 0; grade < TFP_GRADE_COUNT; grade++) {
        tfp_fact *fact = &known->of[grade];
        if (fact->value != TFP_NO_ID)
            fact->dtype = 0;
        fact->value = TFP_NO_ID;
    }
}

static void forget_variables(const loop *l, uint32_t instance)
{
    for (uint32_t k = 0; instance != TFP_NO_ID && k < l->count; k++) {
        tfp_known *known = variable(l, instance, k + l->skip);
        if (known && !is_invariant(l, k))
            forget_contents(known);
    }
}

/* ---- Rounds ------------------------------------------------------------- */

/* The shapes that the first grade assumes are those of the first time around,
 * so they too hold only as far as ours do. */
static void weaken(const loop *l, tfp_known *known, const tfp_fact *less)
{
    tfp_fact *ours = &known->of[TFP_GRADE_FULL];
    tfp_fact *theirs = &known->of[TFP_GRADE_TENSORFLOW];
    ours->shape = less->shape;
    ours->held = less->held;
    ours->length = less->length;
    ours->dtype = less->dtype;
    theirs->shape = tfp_shape_join(l->shapes->model, theirs->shape,
                                   less->shape);
    if (theirs->shape == TFP_NO_ID)
        l->shapes->failed = true;
}

/* Holds what comes back against what was assumed; true when it holds. */
static bool check_variable(const loop *l, uint32_t k, int round)
{
    tfp_known *known = variable(l, l->body, k + l->skip);
    const tfp_known *returned = tfp_walk_returned(l->shapes, l->body, k);
    tfp_fact nothing = TFP_NOTHING_KNOWN, now;
    if (!known || is_invariant(l, k))
        return true;
    now = known->of[TFP_GRADE_FULL];
    if (!tfp_fact_join(l->shapes->model, &now,
                       returned ? &returned->of[TFP_GRADE_FULL] : &nothing)) {
        l->shapes->failed = true;
        return true;
    }
    if (now.shape == known->of[TFP_GRADE_FULL].shape &&
        now.held == known->of[TFP_GRADE_FULL].held &&
        now.length == known->of[TFP_GRADE_FULL].length &&
        now.dtype == known->of[TFP_GRADE_FULL].dtype)
        return true;
    weaken(l, known, round < ROUNDS_JOINED ? &now : &nothing);
    return false;
}

static void forget_all(const loop *l)
{
    tfp_fact nothing = TFP_NOTHING_KNOWN;
    for (uint32_t k = 0; k < l->count; k++) {
        tfp_known *known = variable(l, l->body, k + l->skip);
        if (known && !is_invariant(l, k))
            weaken(l, known, &nothing);
    }
}

static void walk_body(const loop *l)
{
    tfp_shapes *s = l->shapes;
    size_t first = s->instances.count, refused = s->unwalked.count;
    for (int round = 0; !s->failed && !s->cancelled; round++) {
        bool holds = true;
        if (round > 0) {
            tfp_walk_drop(s, first);
            s->unwalked.count = refused;
        }
        if (round == ROUNDS)
            forget_all(l);
        tfp_walk_instance(s, l->body);
        if (round == ROUNDS || s->failed)
            return;
        for (uint32_t k = 0; k < l->count; k++)
            holds &= check_variable(l, k, round);
        if (holds)
            return;
    }
}

/* The condition sees what the body sees. */
static void walk_cond(const loop *l)
{
    if (l->cond == TFP_NO_ID)
        return;
    for (uint32_t k = 0; k < l->count; k++) {
        tfp_known *known = variable(l, l->body, k);
        if (known)
            tfp_walk_put_argument(l->shapes, l->cond, k, known);
    }
    tfp_walk_instance(l->shapes, l->cond);
}

/* ---- Trips -------------------------------------------------------------- */

static uint32_t tensor_of(const loop *l, uint32_t instance,
                          const tfp_known *known)
{
    return known
               ? (uint32_t)(known - l->shapes->instances.data[instance].tensors)
               : TFP_NO_ID;
}

/* Of While: by running what its condition needs. The variables end with what
 * is known of them then. */
static int64_t evaluate(const loop *l)
{
    tfp_shapes *s = l->shapes;
    tfp_trip_loop trip = { .shapes = s,
                           .cond = l->cond,
                           .body = l->body,
                           .variables = l->variables,
                           .count = l->count };
    const tfp_known *answer;
    if (l->cond == TFP_NO_ID)
        return -1;
    for (uint32_t k = 0; k < l->count; k++) {
        tfp_trip_variable *v = &l->variables[k];
        v->in_cond = tensor_of(l, l->cond, variable(l, l->cond, k));
        v->in_body = tensor_of(l, l->body, variable(l, l->body, k));
        v->next = tensor_of(l, l->body, tfp_walk_returned(s, l->body, k));
        v->is_same = is_invariant(l, k);
    }
    answer = tfp_walk_returned(s, l->cond, 0);
    trip.answer = tensor_of(l, l->cond, answer);
    return tfp_trips_evaluate(&trip);
}

/* Of For: from its start to its limit. */
static int64_t count_range(const tfp_site *site)
{
    int64_t range[3]; /* start, limit, delta */
    for (size_t i = 0; i < 3; i++) {
        if (!tfp_site_int_value(site, i, &range[i]) ||
            range[i] != (int32_t)range[i])
            return -1;
    }
    if (range[2] < 0) {
        range[2] = -range[2];
        range[0] = -range[0];
        range[1] = -range[1];
    }
    if (range[2] == 0)
        return -1;
    return range[1] <= range[0] ? 0 : (range[1] - range[0] - 1) / range[2] + 1;
}

static void settle(const loop *l, uint32_t instance, const tfp_site *site,
                   int64_t evaluated)
{
    tfp_shapes *s = l->shapes;
    tfp_string id = site->nodes->name[site->node];
    tfp_span name = tfp_model_text(s->model, id);
    tfp_times_rule rule = evaluated < 0 ? TFP_TIMES_ASSUMED
                                        : TFP_TIMES_EVALUATED;
    bool is_alone = instance == 0 && !s->instances.data[instance].frames;
    int64_t trips = evaluated;
    tfp_trips_settle(s, instance, &name, 1,
                     is_alone ? tfp_records_of_loop(s, id) : 0, &trips, &rule);
    s->instances.data[l->body].times = trips;
    s->instances.data[l->body].rule = rule;
    if (l->cond != TFP_NO_ID) {
        s->instances.data[l->cond].times = tfp_add_sat(trips, 1);
        s->instances.data[l->cond].rule = rule;
    }
}

/* ---- All of it ---------------------------------------------------------- */

static void put_outputs(const loop *l, tfp_site *site)
{
    for (uint32_t k = 0; k < l->count && k < site->output_count; k++) {
        const tfp_known *known = variable(l, l->body, k + l->skip);
        tfp_fact fact;
        if (!known)
            continue;
        fact = known->of[TFP_GRADE_FULL];
        if (l->variables[k].now.value != TFP_NO_ID) {
            fact.value = l->variables[k].now.value;
            fact.dtype = l->variables[k].now.dtype;
        }
        tfp_walk_put_output(l->shapes, site, k, TFP_GRADE_FULL, &fact);
    }
}

/* Puts the variables as they are at first. For has three numbers before. */
static void put_variables(const loop *l, const tfp_site *site)
{
    for (uint32_t k = 0; k < l->count; k++) {
        tfp_known known = tfp_walk_input(site, k + (l->skip ? 3 : 0));
        l->variables[k].now = known.of[TFP_GRADE_FULL];
        tfp_walk_put_as_graph(l->shapes, l->body, k + l->skip, known);
    }
}

static void walk_loop(const loop *l, uint32_t instance, tfp_site *site)
{
    tfp_shapes *s = l->shapes;
    int64_t trips = l->skip ? count_range(site) : -1;
    put_variables(l, site);
    forget_variables(l, l->body);
    walk_body(l);
    walk_cond(l);
    if (s->failed || s->cancelled)
        return;
    if (l->skip) {
        for (uint32_t k = 0; k < l->count; k++)
            l->variables[k].now = TFP_NOTHING_KNOWN;
    } else {
        trips = evaluate(l);
    }
    settle(l, instance, site, trips);
    if (!s->failed)
        put_outputs(l, site);
}

void tfp_walk_loop(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    bool counts = tfp_site_attr(site, TFP_KEY_cond, TFP_ATTR_FUNCTION) == NULL;
    size_t first = counts ? 3 : 0;
    loop l = { .shapes = s, .cond = TFP_NO_ID, .skip = counts ? 1 : 0 };
    l.body = tfp_walk_open(s, tfp_site_function(site, TFP_KEY_body), site,
                           instance, TFP_PART_BODY);
    if (l.body == TFP_NO_ID)
        return;
    if (!counts)
        l.cond = tfp_walk_open(s, tfp_site_function(site, TFP_KEY_cond), site,
                               instance, TFP_PART_COND);
    l.count = (uint32_t)(site->input_count < first ? 0
                                                   : site->input_count - first);
    l.variables = tfp_memory_zarray(s->memory, l.count, sizeof(*l.variables));
    if (!l.variables) {
        s->failed = true;
        return;
    }
    walk_loop(&l, instance, site);
    tfp_memory_free(s->memory, l.variables);
}
