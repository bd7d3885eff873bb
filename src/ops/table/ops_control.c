/*
 * ops_control.c - branches, loops, calls.
 *
 * What calls give is what their functions return: calls.c and loops.c put it.
 * Here is only what the node itself says.
 */
#include "base/intern.h"
#include "model/attrs.h"
#include "model/ids.h"
#include "ops/table/common.h"

/* ---- TF1: Switch, Merge and what makes a loop of them ------------------- */

/* Input `i` as TensorFlow knows it when it evaluates a part of the graph: all
 * elements are known, or none. */
static tfp_fact computed(const tfp_site *site, size_t i)
{
    tfp_fact fact = *tfp_site_input_fact(site, i);
    tfp_value value;
    if (site->grade == TFP_GRADE_TENSORFLOW &&
        (!tfp_site_value(site, i, &value) || !value.complete)) {
        fact.value = TFP_NO_ID;
        fact.dtype = 0;
        fact.use = TFP_USE_ALL;
    }
    return fact;
}

/* The output that gets the input, or -1 if the condition is not known. */
static int64_t side_taken(const tfp_site *site)
{
    tfp_value value;
    return tfp_site_value(site, 1, &value) && value.complete && value.count == 1
               ? value.at[0]
               : -1;
}

/* Nodes behind an output of a Switch run only if it gets the input, so in our
 * grade both outputs have the contents of the input. TensorFlow evaluates the
 * Switch instead: only the output that is taken has contents. */
static void infer_switch(tfp_site *site)
{
    tfp_fact fact = computed(site, 0);
    int64_t taken = side_taken(site);
    for (size_t i = 0; i < site->output_count; i++) {
        tfp_site_put_fact(site, i, &fact);
        if (site->grade == TFP_GRADE_TENSORFLOW && taken != (int64_t)i) {
            tfp_fact *out = &site->outputs[i].of[TFP_GRADE_TENSORFLOW];
            out->value = TFP_NO_ID;
            out->dtype = 0;
        }
    }
}

/* The output has the facts that all inputs share. In TensorFlow's grade nothing
 * is known if an input comes from the end of a loop. Our grade ignores that
 * input here; frames.c closes the loop. */
static void infer_merge(tfp_site *site)
{
    tfp_fact fact = TFP_NOTHING_KNOWN;
    bool first = true;
    tfp_site_put_scalar(site, 1);
    for (size_t i = 0; i < site->input_count; i++) {
        if (tfp_site_comes_back(site, i)) {
            if (site->grade == TFP_GRADE_TENSORFLOW)
                return;
            continue;
        }
        if (first)
            fact = *tfp_site_input_fact(site, i);
        else if (!tfp_fact_join(site->model, &fact,
                                tfp_site_input_fact(site, i))) {
            site->shapes->failed = true;
            return;
        }
        first = false;
    }
    if (site->grade == TFP_GRADE_TENSORFLOW)
        tfp_site_put_shape(site, 0, fact.shape);
    else
        tfp_site_put_fact(site, 0, &fact);
}

/* Of the shape of a variable of a loop TensorFlow believes nothing. */
static void infer_enter(tfp_site *site)
{
    tfp_fact fact = computed(site, 0);
    if (site->grade == TFP_GRADE_TENSORFLOW &&
        !tfp_site_bool(site, TFP_KEY_is_constant, false))
        fact.shape = TFP_SHAPE_UNKNOWN_RANK;
    tfp_site_put_fact(site, 0, &fact);
}

static void infer_computed(tfp_site *site)
{
    tfp_fact fact = computed(site, 0);
    tfp_site_put_fact(site, 0, &fact);
}

/* As the input, contents aside: nothing is computed across the end of a loop.
 */
static void infer_exit(tfp_site *site)
{
    const tfp_fact *fact = tfp_site_input_fact(site, 0);
    tfp_site_put_shape(site, 0, fact->shape);
    tfp_site_put_held(site, 0, fact->held);
}

/* One of the inputs after the first; TensorFlow wants all of them to be known
 * and equal. */
static void infer_select(tfp_site *site)
{
    tfp_shape shape = tfp_site_input_fact(site, 1)->shape;
    for (size_t i = 1; i < site->input_count; i++) {
        if (tfp_site_input_fact(site, i)->shape != shape ||
            !tfp_dims_known(tfp_site_input(site, i)))
            return;
    }
    tfp_site_put_shape(site, 0, shape);
}

/* ---- Calls -------------------------------------------------------------- */

/* Shapes that an attribute lists, one for each output. False without it. */
static bool put_listed(tfp_site *site)
{
    size_t count;
    const int64_t *shapes = tfp_site_list(site, TFP_KEY_output_shapes, &count);
    if (count == 0 || count != site->output_count)
        return count != 0;
    for (size_t i = 0; i < count; i++)
        tfp_site_put_shape(
            site, i, tfp_shape_made_safe(site->shapes, (tfp_shape)shapes[i]));
    return true;
}

static void infer_branch(tfp_site *site)
{
    put_listed(site);
}

static void infer_while(tfp_site *site)
{
    if (put_listed(site))
        return;
    for (size_t i = 0; i < site->output_count; i++)
        tfp_site_put_shape(site, i, tfp_site_input_fact(site, i)->shape);
}

/* What flows back has the shape of what went in; of a variable, the shape of
 * what it holds. */
static void infer_gradient(tfp_site *site)
{
    size_t count;
    const int64_t *types = tfp_site_list(site, TFP_KEY_Tin, &count);
    for (size_t i = 0; i < site->output_count; i++) {
        const tfp_fact *fact = tfp_site_input_fact(site, i);
        bool is_handle = i < count && types[i] == TFP_DT_RESOURCE;
        tfp_site_put_shape(site, i, is_handle ? fact->held : fact->shape);
    }
}

static void infer_by_shape(tfp_site *site)
{
    tfp_site_put_shape(site, 0, tfp_site_shape(site, TFP_KEY_shape));
}

const tfp_op tfp_ops_control[] = {
    /* name, outputs, shapes */
    { "Abort", "", tfp_infer_nothing, .formula = "free" },
    { "Case", "output*Tout", infer_branch, .kind = TFP_OP_BRANCH },
    { "ControlTrigger", "", tfp_infer_nothing, .formula = "free" },
    { "DeviceIndex", "index", tfp_infer_scalar, .formula = "free" },
    { "Enter", "output", infer_enter, .kind = TFP_OP_ENTER, .formula = "free" },
    { "Exit", "output", infer_exit, .kind = TFP_OP_EXIT, .formula = "free" },
    { "FakeParam", "output", infer_by_shape, .formula = "free" },
    { "For", "output*T", tfp_infer_nothing, .kind = TFP_OP_LOOP },
    { "Identity", "output", tfp_infer_passed_on, .formula = "free" },
    { "IdentityN", "output*T", tfp_infer_each_passed_on, .formula = "free" },
    { "If", "output*Tout", infer_branch, .kind = TFP_OP_BRANCH },
    { "LoopCond", "output", tfp_infer_scalar, .kind = TFP_OP_COND,
      .formula = "free" },
    { "Merge", "output,value_index", infer_merge, .kind = TFP_OP_MERGE,
      .formula = "free" },
    { "NextIteration", "output", infer_computed, .kind = TFP_OP_NEXT,
      .formula = "free" },
    { "NoOp", "", tfp_infer_nothing, .formula = "free" },
    { "PartitionedCall", "output*Tout", tfp_infer_nothing,
      .kind = TFP_OP_CALL },
    { "RefEnter", "output", infer_computed, .kind = TFP_OP_ENTER,
      .formula = "free" },
    { "RefExit", "output", infer_exit, .kind = TFP_OP_EXIT, .formula = "free" },
    { "RefMerge", "output,value_index", infer_merge, .kind = TFP_OP_MERGE,
      .formula = "free" },
    { "RefNextIteration", "output", infer_computed, .kind = TFP_OP_NEXT,
      .formula = "free" },
    { "RefSelect", "output", infer_select, .formula = "free" },
    { "RefSwitch", "output_false,output_true", infer_switch,
      .kind = TFP_OP_SWITCH, .formula = "free" },
    { "RemoteCall", "output*Tout", tfp_infer_nothing, .kind = TFP_OP_CALL },
    { "StatefulPartitionedCall", "output*Tout", tfp_infer_nothing,
      .kind = TFP_OP_CALL },
    { "StatelessCase", "output*Tout", infer_branch, .kind = TFP_OP_BRANCH },
    { "StatelessIf", "output*Tout", infer_branch, .kind = TFP_OP_BRANCH },
    { "StatelessWhile", "output*T", infer_while, .kind = TFP_OP_LOOP },
    { "Switch", "output_false,output_true", infer_switch, .kind = TFP_OP_SWITCH,
      .formula = "free" },
    { "SymbolicGradient", "output*Tout", infer_gradient,
      .kind = TFP_OP_GRADIENT },
    { "TPUPartitionedCall", "output*Tout", tfp_infer_nothing,
      .kind = TFP_OP_CALL },
    { "ToBool", "output", tfp_infer_scalar, .formula = "free" },
    { "While", "output*T", infer_while, .kind = TFP_OP_LOOP },
    { "XlaIf", "output*Tout", tfp_infer_nothing, .kind = TFP_OP_BRANCH },
    { "XlaLaunch", "results*Tresults", tfp_infer_nothing, .kind = TFP_OP_CALL },
    { "XlaLaunchV2", "results*Tresults", tfp_infer_nothing,
      .kind = TFP_OP_CALL },
    { "XlaWhile", "output*T", tfp_infer_nothing, .kind = TFP_OP_LOOP },
    { "_Arg", "output", tfp_infer_nothing, .formula = "free" },
    { "_DeviceArg", "output", tfp_infer_nothing, .formula = "free" },
    { "_DeviceRetval", "", tfp_infer_nothing, .formula = "free" },
    { "_If", "output*Tout", tfp_infer_nothing, .kind = TFP_OP_BRANCH },
    { "_Retval", "", tfp_infer_nothing, .formula = "free" },
    { "_SwitchN", "outputs*num_outs", infer_switch, .kind = TFP_OP_SWITCH,
      .formula = "free" },
    { "_While", "output*T", infer_while, .kind = TFP_OP_LOOP },
    { 0 },
};
