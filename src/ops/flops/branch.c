/*
 * branch.c - chooses which branch of a call counts.
 *
 * Only one branch runs, and the graph does not say which, so the most expensive
 * one counts. The cost of a branch includes the functions it calls. Callees
 * have larger numbers than their callers, so instances are summed from the last
 * to the first. The two columns (ours and upstream's) may choose different
 * branches.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "ops/flops/count.h"
#include "ops/walk/walk.h"

typedef struct chooser {
    const tfp_counts *counts;
    tfp_column column;
    tfp_work *below; /* of each instance: one run, and all that it calls */
    uint32_t *rival; /* the branch of the same call before it, or TFP_NO_ID */
    uint32_t *best;  /* of the branches of the same call from it on */
} chooser;

static const tfp_instance *instance_of(const tfp_counts *c, uint32_t i)
{
    return &c->shapes->instances.data[i];
}

static bool is_branch(const tfp_instance *in)
{
    return in->part == TFP_PART_THEN || in->part == TFP_PART_ELSE ||
           in->part == TFP_PART_BRANCH;
}

/* ---- What an instance costs --------------------------------------------- */

/* To the full count, dead nodes cost nothing. */
static bool is_counted(const chooser *ch, uint32_t i, uint32_t node)
{
    const tfp_instance *in = instance_of(ch->counts, i);
    return ch->column == TFP_COLUMN_UPSTREAM || !in->live ||
           tfp_bit(in->live, node);
}

static void sum_nodes(chooser *ch, uint32_t i)
{
    const tfp_counts *c = ch->counts;
    uint32_t graph = instance_of(c, i)->graph;
    uint32_t count = c->shapes->model->graphs.data[graph].node_count;
    ch->below[i] = (tfp_work){ 0 };
    for (uint32_t n = 0; n < count; n++) {
        const tfp_node_count *node = &c->of[i][n];
        tfp_work upstream = { .float_ops = node->upstream };
        if (!is_counted(ch, i, n))
            continue;
        if (ch->column == TFP_COLUMN_FULL)
            tfp_work_add(&ch->below[i], &node->work,
                         tfp_shapes_loop_times(c->shapes, i, n));
        else
            tfp_work_add(&ch->below[i], &upstream, 1);
    }
}

static void add_to_caller(chooser *ch, uint32_t i)
{
    const tfp_instance *in = instance_of(ch->counts, i);
    if (in->parent != TFP_NO_ID && is_counted(ch, in->parent, in->caller))
        tfp_work_add(&ch->below[in->parent], &ch->below[i],
                     tfp_mul_sat(in->times, tfp_shapes_loop_times(
                                                ch->counts->shapes, in->parent,
                                                in->caller)));
}

/* ---- The choice --------------------------------------------------------- */

/* Finds for each branch the previous branch of the same call. Branches of one
 * call are consecutive among the instances of their depth; only the deeper
 * instances that they call lie between them. */
static bool find_rivals(chooser *ch)
{
    uint32_t last[TFP_MOST_CALLS + 1];
    bool any = false;
    memset(last, 0xff, sizeof(last));
    for (uint32_t i = 0; i < ch->counts->instance_count; i++) {
        const tfp_instance *in = instance_of(ch->counts, i), *before;
        uint32_t previous = last[in->depth];
        last[in->depth] = i;
        ch->best[i] = i;
        ch->rival[i] = TFP_NO_ID;
        if (!is_branch(in) || previous == TFP_NO_ID)
            continue;
        before = instance_of(ch->counts, previous);
        if (is_branch(before) && before->parent == in->parent &&
            before->caller == in->caller) {
            ch->rival[i] = previous;
            any = true;
        }
    }
    return any;
}

static bool is_dearer(const tfp_work *a, const tfp_work *b)
{
    return a->float_ops != b->float_ops ? a->float_ops > b->float_ops
                                        : a->int_ops > b->int_ops;
}

/* From the last instance to the first, so that the cost of all callees is known
 * before that of their caller. */
static void choose(chooser *ch)
{
    for (uint32_t i = (uint32_t)ch->counts->instance_count; i-- > 0;) {
        uint32_t best = ch->best[i];
        if (is_dearer(&ch->below[best], &ch->below[i]))
            ch->best[i] = best;
        else
            ch->best[i] = best = i;
        if (ch->rival[i] != TFP_NO_ID)
            ch->best[ch->rival[i]] = best;
        else
            add_to_caller(ch, best);
    }
}

/* From the first instance to the last: callees of a skipped instance are
 * skipped too. After choose() the first branch of a call holds the best branch
 * of that call; it is passed on to the others. */
static void mark(const chooser *ch, bool *skipped)
{
    for (uint32_t i = 0; i < ch->counts->instance_count; i++) {
        uint32_t parent = instance_of(ch->counts, i)->parent;
        if (ch->rival[i] != TFP_NO_ID)
            ch->best[i] = ch->best[ch->rival[i]];
        skipped[i] = ch->best[i] != i ||
                     (parent != TFP_NO_ID && skipped[parent]);
    }
}

static void release(chooser *ch, tfp_memory *memory)
{
    tfp_memory_free(memory, ch->below);
    tfp_memory_free(memory, ch->rival);
    tfp_memory_free(memory, ch->best);
}

bool tfp_counts_choose(tfp_counts *c)
{
    size_t count = c->instance_count;
    chooser ch = { .counts = c };
    bool made;
    ch.below = tfp_memory_array(c->memory, count, sizeof(*ch.below));
    ch.rival = tfp_memory_array(c->memory, count, sizeof(*ch.rival));
    ch.best = tfp_memory_array(c->memory, count, sizeof(*ch.best));
    made = ch.below && ch.rival && ch.best;
    for (size_t k = 0; made && k < TFP_COLUMN_COUNT; k++) {
        ch.column = (tfp_column)k;
        c->has_branches = find_rivals(&ch);
        if (!c->has_branches)
            break;
        for (uint32_t i = 0; i < count; i++)
            sum_nodes(&ch, i);
        choose(&ch);
        mark(&ch, c->skipped[k]);
    }
    release(&ch, c->memory);
    return made;
}
