/*
 * calls.c - a function walked in the place of its call.
 */
#include "shape/walk.h"

/* The arguments as the caller has them. To TensorFlow the body is a graph of
 * its own: it sees shapes, but not what is in the tensors. */
static void put_arguments(tfp_shapes *s, uint32_t instance,
                          const tfp_site *site, size_t first)
{
    for (size_t i = first; i < site->input_count; i++) {
        tfp_known argument = site->inputs[i]
                                 ? *site->inputs[i]
                                 : (tfp_known){ { TFP_FACT_NOTHING,
                                                  TFP_FACT_NOTHING } };
        argument.of[TFP_GRADE_TENSORFLOW].value = TFP_NO_ID;
        argument.of[TFP_GRADE_TENSORFLOW].dtype = 0;
        tfp_walk_put_argument(s, instance, (uint32_t)(i - first), &argument);
    }
}

/* What comes back is known in our grade only. */
static void put_returned(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    for (size_t i = 0; i < site->output_count; i++) {
        const tfp_known *returned = tfp_walk_returned(s, instance, (uint32_t)i);
        tfp_fact *out = &site->outputs[i].of[TFP_GRADE_FULL];
        tfp_shape merged;
        if (!returned)
            continue;
        if (tfp_shape_merge(s->model, out->shape,
                            returned->of[TFP_GRADE_FULL].shape, &merged))
            out->shape = merged;
        else
            s->failed |= merged == TFP_NO_ID;
        out->value = returned->of[TFP_GRADE_FULL].value;
        out->dtype = returned->of[TFP_GRADE_FULL].dtype;
        out->held = returned->of[TFP_GRADE_FULL].held;
    }
}

void tfp_walk_call(tfp_shapes *s, uint32_t instance, tfp_site *site,
                   uint32_t function)
{
    uint32_t child = tfp_walk_open(s, function, site, instance, TFP_PART_CALL);
    if (child == TFP_NO_ID)
        return;
    put_arguments(s, child, site, 0);
    tfp_walk(s, child);
    /* The walk has used the room for inputs. */
    if (!s->failed)
        put_returned(s, child, site);
}

/* ---- Branches ----------------------------------------------------------- */

void tfp_walk_branches(tfp_shapes *s, uint32_t instance, tfp_site *site)
{
    (void)s;
    (void)instance;
    (void)site;
}
