/*
 * loops.c - loops by function: While and For.
 *
 * A body is walked as if its variables kept the shapes they have at first.
 * What comes back otherwise is not known so well, and the body is walked
 * again, until what is assumed holds. That takes a few rounds: a dim can only
 * become unknown, and so can a rank. Contents of variables are not known
 * inside, except of those that the body passes on as they are.
 */
#include "shape/walk.h"

/* In the first rounds what differs is joined, in the next its rank becomes
 * unknown; in the last round that is all that varies. */
enum { ROUNDS_JOINED = 3, ROUNDS = 6 };

typedef struct loop {
    tfp_shapes *shapes;
    uint32_t body, cond; /* instances; cond may be TFP_NO_ID */
    uint32_t skip;       /* arguments that are no variables: of For the
                          * counter comes first */
    uint32_t count;      /* of variables */
} loop;

/* ---- Variables ---------------------------------------------------------- */

static tfp_known *variable(const loop *l, uint32_t instance, uint32_t k)
{
    const tfp_shapes *s = l->shapes;
    const tfp_graph *graph =
        &s->model->graphs.data[s->instances.data[instance].graph];
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
    tfp_fact nothing = TFP_FACT_NOTHING, now;
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
        now.dtype == known->of[TFP_GRADE_FULL].dtype)
        return true;
    weaken(l, known, round < ROUNDS_JOINED ? &now : &nothing);
    return false;
}

static void forget_all(const loop *l)
{
    tfp_fact nothing = TFP_FACT_NOTHING;
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
        tfp_walk(s, l->body);
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
    tfp_walk(l->shapes, l->cond);
}

/* ---- All of it ---------------------------------------------------------- */

static void put_outputs(const loop *l, tfp_site *site)
{
    for (uint32_t k = 0; k < l->count && k < site->output_count; k++) {
        const tfp_known *known = variable(l, l->body, k + l->skip);
        if (known)
            tfp_walk_put_output(l->shapes, site, k, TFP_GRADE_FULL,
                                &known->of[TFP_GRADE_FULL]);
    }
}

void tfp_walk_loop(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    bool counts = tfp_site_attr(site, TFP_KEY_cond, TFP_ATTR_FUNCTION) == NULL;
    loop l = { .shapes = s, .cond = TFP_NO_ID, .skip = counts ? 1 : 0 };
    size_t first = counts ? 3 : 0; /* For: start, limit and delta before */
    l.body = tfp_walk_open(s, tfp_site_function(site, TFP_KEY_body), site,
                           instance, TFP_PART_BODY);
    if (l.body == TFP_NO_ID)
        return;
    l.count = (uint32_t)(site->input_count < first ? 0
                                                   : site->input_count - first);
    if (!counts)
        l.cond = tfp_walk_open(s, tfp_site_function(site, TFP_KEY_cond), site,
                               instance, TFP_PART_COND);
    for (uint32_t k = 0; k < l.count; k++)
        tfp_walk_put_as_graph(s, l.body, k + l.skip,
                              tfp_walk_input(site, first + k));
    forget_variables(&l, l.body);
    walk_body(&l);
    walk_cond(&l);
    if (!s->failed)
        put_outputs(&l, site);
}
