/*
 * operations.c - OperationChecker: what is known to be faster another way.
 */
#include "advise/inquiry.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/intern.h"
#include "model/attrs.h"
#include "model/census.h"
#include "model/ids.h"

/* Nodes that something was found about. */
typedef struct sighting {
    int64_t count;
    uint32_t costliest; /* member */
} sighting;

static void see(const tfp_inquiry *q, sighting *s, uint32_t member)
{
    s->count++;
    s->costliest = tfp_inquiry_costlier(q, s->costliest, member,
                                        TFP_COST_MICROS);
}

/* ---- Batch normalization ------------------------------------------------ */

/* Is a word among the types of a member: its op, or one that a log gives? */
static bool has_type(const tfp_inquiry *q, const tfp_member *m, tfp_string type)
{
    const int64_t *logged;
    size_t count = 0;
    if (!m->from_profile && tfp_member_op(q->model, m) == type)
        return true;
    if (m->node == TFP_NO_NODE)
        return false;
    logged = tfp_list_items(q->model, q->model->nodes.types[m->noted], &count);
    for (size_t i = 0; i < count; i++) {
        if ((tfp_string)logged[i] == type)
            return true;
    }
    return false;
}

/* Upstream knows only the first version of the fused operation, and takes its
 * successors for parts: they are counted apart. */
static int check_batch_norm(tfp_inquiry *q, tfprof_error *err)
{
    tfp_string fused = tfp_interner_find(&q->model->strings,
                                         tfp_span_of("FusedBatchNorm"));
    sighting parts = { .costliest = TFP_NO_ID }, newer = parts;
    tfp_finding found = { .kind = TFP_FINDING_BATCH_NORM };
    for (uint32_t m = 0;
         m < q->census->members.count && !tfp_watch_ends(&q->watch); m++) {
        const tfp_member *member = &q->census->members.data[m];
        tfp_span name = tfp_inquiry_name(q, m);
        if (fused != TFP_NO_ID && has_type(q, member, fused))
            return TFPROF_OK;
        if (tfp_span_find(name, "BatchNorm"))
            see(q, tfp_span_find(name, "FusedBatchNorm") ? &newer : &parts, m);
    }
    if (newer.count > 0) {
        found.node_count = newer.count;
        found.hint = "no change: FusedBatchNormV2 and V3 are already fused";
        return tfp_inquiry_tell_alone(q, found, newer.costliest, err);
    }
    found.node_count = parts.count;
    found.hint = "tf.nn.fused_batch_norm, or a layer with fused=True";
    return parts.count > 0
               ? tfp_inquiry_tell_alone(q, found, parts.costliest, err)
               : TFPROF_OK;
}

/* ---- Layout ------------------------------------------------------------- */

static int check_layout(tfp_inquiry *q, tfprof_error *err)
{
    const tfp_interner *strings = &q->model->strings;
    tfp_string key = tfp_interner_find(strings, tfp_span_of("data_format"));
    tfp_string last = tfp_interner_find(strings, tfp_span_of("NHWC"));
    sighting seen = { .costliest = TFP_NO_ID };
    tfp_finding found = {
        .kind = TFP_FINDING_LAYOUT,
        .hint = "data_format='NCHW' ('channels_first' in Keras)"
    };
    if (key == TFP_NO_ID || last == TFP_NO_ID || !q->has_accelerator)
        return TFPROF_OK;
    for (uint32_t m = 0;
         m < q->census->members.count && !tfp_watch_ends(&q->watch); m++) {
        tfp_node node = q->census->members.data[m].node;
        const tfp_attr *attr;
        if (node == TFP_NO_NODE || !tfp_inquiry_accelerates(q, m))
            continue;
        attr = tfp_attrs_find(q->model, q->model->nodes.attrs[node], key);
        if (attr && attr->kind == TFP_ATTR_STRING &&
            (tfp_string)attr->value == last)
            see(q, &seen, m);
    }
    found.node_count = seen.count;
    return seen.count > 0
               ? tfp_inquiry_tell_alone(q, found, seen.costliest, err)
               : TFPROF_OK;
}

/* ---- The checker -------------------------------------------------------- */

static int check(tfp_inquiry *q, tfprof_error *err)
{
    int status = check_batch_norm(q, err);
    return status == TFPROF_OK ? check_layout(q, err) : status;
}

const tfp_checker tfp_operation_checker = {
    .name = "OperationChecker",
    .check = check,
};
