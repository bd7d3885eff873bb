/*
 * calls.c - functions walked in the place of their call, and branches.
 *
 * What TensorFlow knows of a call differs by its kind. Into a plain call it
 * looks itself, with all it knows of the arguments, and the call gives what
 * the function returns. A branch or a body of a loop it never looks into:
 * there its grade is what it would know if the function were a graph of its
 * own, fed with tensors of the arguments' shapes.
 */
#include "base/intern.h"
#include "model/attrs.h"
#include "model/graph.h"
#include "model/ids.h"
#include "ops/walk/walk.h"

/* ---- Arguments ---------------------------------------------------------- */

tfp_known tfp_walk_input(const tfp_site *site, size_t i)
{
    return i < site->input_count && site->inputs[i]
               ? *site->inputs[i]
               : (tfp_known){ { TFP_NOTHING_KNOWN, TFP_NOTHING_KNOWN } };
}

/* Contents pass into a function when all of them are known. */
static void drop_partial_value(const tfp_model *model, tfp_fact *fact)
{
    size_t count;
    const int64_t *items;
    bool complete = fact->use != TFP_USE_AS_SHAPE;
    fact->use = TFP_USE_ALL;
    if (fact->value == TFP_NO_ID)
        return;
    items = tfp_list_items(model, fact->value, &count);
    for (size_t i = 0; i < count; i++)
        complete &= items[i] != TFP_VALUE_UNKNOWN;
    if (complete)
        return;
    fact->value = TFP_NO_ID;
    fact->dtype = 0;
}

/* The shape that the function's own text gives to argument `k`, or
 * TFP_SHAPE_NONE. */
static tfp_shape stored_shape(tfp_shapes *s, uint32_t instance, uint32_t k)
{
    const tfp_graph *graph = tfp_instance_graph(s, instance);
    size_t count;
    const int64_t *shapes;
    if (k >= graph->arg_count)
        return TFP_SHAPE_NONE;
    shapes = tfp_list_items(
        s->model, s->model->bodies.outputs[graph->first_arg + k], &count);
    return count == 1 ? tfp_shape_made_safe(s, (tfp_shape)shapes[0])
                      : TFP_SHAPE_NONE;
}

void tfp_walk_put_as_graph(tfp_shapes *s, uint32_t instance, uint32_t k,
                           tfp_known argument)
{
    tfp_shape stored = stored_shape(s, instance, k);
    tfp_fact *less = &argument.of[TFP_GRADE_TENSORFLOW];
    *less = (tfp_fact){ less->shape, TFP_SHAPE_NONE, TFP_NO_ID, 0, 0, 0 };
    tfp_fact_add_shape(s, less, stored);
    tfp_fact_add_shape(s, &argument.of[TFP_GRADE_FULL], stored);
    tfp_walk_put_argument(s, instance, k, &argument);
}

void tfp_walk_put_inputs(tfp_shapes *s, uint32_t instance, const tfp_site *site,
                         size_t first)
{
    for (size_t i = first; i < site->input_count; i++)
        tfp_walk_put_as_graph(s, instance, (uint32_t)(i - first),
                              tfp_walk_input(site, i));
}

/* The arguments of the signature's function are the fed inputs and the
 * variables. Stored shapes and the batch are added; values are unknown in
 * TensorFlow's grade. */
static void put_subject_argument(tfp_shapes *s, uint32_t instance, uint32_t k,
                                 tfp_known argument)
{
    tfp_shape held = argument.of[TFP_GRADE_TENSORFLOW].held;
    tfp_shape stored = stored_shape(s, instance, k);
    tfp_fact *less = &argument.of[TFP_GRADE_TENSORFLOW];
    *less = (tfp_fact){ less->shape, held, TFP_NO_ID, 0, 0, 0 };
    for (int grade = 0; grade < TFP_GRADE_COUNT; grade++) {
        tfp_fact_add_shape(s, &argument.of[grade], stored);
        if (s->request.batch >= 0)
            tfp_walk_put_batch(s, &argument.of[grade]);
    }
    tfp_walk_put_argument(s, instance, k, &argument);
}

static void put_call_arguments(tfp_shapes *s, uint32_t instance,
                               const tfp_site *site, size_t first)
{
    bool is_subject = s->subject == instance;
    for (size_t i = first; i < site->input_count; i++) {
        tfp_known argument = tfp_walk_input(site, i);
        uint32_t k = (uint32_t)(i - first);
        drop_partial_value(s->model, &argument.of[TFP_GRADE_TENSORFLOW]);
        if (is_subject)
            put_subject_argument(s, instance, k, argument);
        else
            tfp_walk_put_argument(s, instance, k, &argument);
    }
}

/* ---- What comes back ---------------------------------------------------- */

void tfp_walk_put_output(tfp_shapes *s, tfp_site *site, size_t i,
                         tfp_grade grade, const tfp_fact *fact)
{
    tfp_fact *out = &site->outputs[i].of[grade];
    tfp_fact_add_shape(s, out, fact->shape);
    out->held = fact->held;
    out->length = fact->length;
    out->value = fact->value;
    out->dtype = fact->dtype;
}

/* Does TensorFlow look into the function that is called? */
static bool is_looked_into(const tfp_site *site)
{
    static const char *const names[] = { "PartitionedCall",
                                         "StatefulPartitionedCall" };
    if (tfp_site_bool(site, TFP_KEY__disable_call_shape_inference, false))
        return false;
    if (!site->op)
        return true;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (!strcmp(site->op->name, names[i]))
            return true;
    }
    return false;
}

/* To TensorFlow what a call returns has a shape, but no contents. */
static void put_returned(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    bool is_known = is_looked_into(site);
    for (size_t i = 0; i < site->output_count; i++) {
        const tfp_known *returned = tfp_walk_returned(s, instance, (uint32_t)i);
        tfp_fact less;
        if (!returned)
            continue;
        tfp_walk_put_output(s, site, i, TFP_GRADE_FULL,
                            &returned->of[TFP_GRADE_FULL]);
        if (!is_known)
            continue;
        less = returned->of[TFP_GRADE_TENSORFLOW];
        less.value = TFP_NO_ID;
        less.dtype = 0;
        tfp_walk_put_output(s, site, i, TFP_GRADE_TENSORFLOW, &less);
    }
}

void tfp_walk_call(tfp_shapes *s, uint32_t instance, tfp_site *site,
                   uint32_t function)
{
    uint32_t child = tfp_walk_open(s, function, site, instance, TFP_PART_CALL);
    bool is_remote = site->op && !strcmp(site->op->name, "RemoteCall");
    if (child == TFP_NO_ID)
        return;
    put_call_arguments(s, child, site, is_remote ? 1 : 0);
    tfp_walk_instance(s, child);
    if (!s->failed)
        put_returned(s, child, site);
}

/* ---- Branches ----------------------------------------------------------- */

static uint32_t open_branch(tfp_shapes *s, uint32_t instance,
                            const tfp_site *site, uint32_t function,
                            tfp_part part, uint32_t number)
{
    uint32_t child = tfp_walk_open(s, function, site, instance, part);
    if (child == TFP_NO_ID)
        return child;
    s->instances.data[child].branch = number;
    /* The first input says which way to go. */
    tfp_walk_put_inputs(s, child, site, 1);
    return child;
}

/* Opens all sides, so that none is walked before all have their arguments:
 * a walk uses the room for inputs. False when one could not be opened. */
static bool open_branches(tfp_shapes *s, uint32_t instance,
                          const tfp_site *site)
{
    size_t count;
    const int64_t *branches = tfp_site_list(site, TFP_KEY_branches, &count);
    bool all = true;
    if (!branches) {
        all &= open_branch(s, instance, site,
                           tfp_site_function(site, TFP_KEY_then_branch),
                           TFP_PART_THEN, 0) != TFP_NO_ID;
        all &= open_branch(s, instance, site,
                           tfp_site_function(site, TFP_KEY_else_branch),
                           TFP_PART_ELSE, 1) != TFP_NO_ID;
    }
    for (size_t i = 0; i < count && !s->failed && !s->cancelled; i++) {
        tfp_attr attr = { .kind = TFP_ATTR_FUNCTION, .value = branches[i] };
        uint32_t function = tfp_shapes_function(
            s, tfp_function_of(s->model, &attr)->name);
        all &= open_branch(s, instance, site, function, TFP_PART_BRANCH,
                           (uint32_t)i) != TFP_NO_ID;
    }
    return all;
}

/* What holds whichever way it goes. */
static void put_joined(tfp_shapes *s, tfp_site *site, size_t first, size_t end)
{
    for (size_t i = 0; i < site->output_count; i++) {
        tfp_fact joined = TFP_NOTHING_KNOWN;
        bool all = end > first;
        for (size_t k = first; k < end; k++) {
            const tfp_known *returned = tfp_walk_returned(s, (uint32_t)k,
                                                          (uint32_t)i);
            all = all && returned;
            if (!all)
                break;
            if (k == first)
                joined = returned->of[TFP_GRADE_FULL];
            else if (!tfp_fact_join(s->model, &joined,
                                    &returned->of[TFP_GRADE_FULL]))
                s->failed = true;
        }
        if (all && !s->failed)
            tfp_walk_put_output(s, site, i, TFP_GRADE_FULL, &joined);
    }
}

void tfp_walk_branches(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    size_t first = s->instances.count, end;
    bool all = open_branches(s, instance, site);
    end = s->instances.count;
    for (size_t k = first; k < end && !s->failed && !s->cancelled; k++)
        tfp_walk_instance(s, (uint32_t)k);
    if (all && !s->failed && !s->cancelled)
        put_joined(s, site, first, end);
}
