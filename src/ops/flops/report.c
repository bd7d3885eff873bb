/*
 * report.c - what a model costs in all and by type, and what was not counted.
 */
#include "ops/flops/report.h"

#include "base/intern.h"
#include "base/sort.h"
#include "model/model.h"
#include "ops/fact/site.h"
#include "ops/flops/names.h"
#include "ops/walk/frames.h"

/* ---- A node ------------------------------------------------------------- */

/* What a set of formulas says of one run of it. */
static tfp_counted find_work(tfp_formula_set set, const tfp_node_count *count,
                             tfp_work *work)
{
    *work = (tfp_work){ 0 };
    switch (set) {
    case TFP_SET_FULL: *work = count->work; return count->counted;
    case TFP_SET_TENSORFLOW:
        work->float_ops = count->upstream;
        /* Its table does not say what is free; ours does. */
        return count->counted_upstream == TFP_COUNTED_NO_FORMULA &&
                       (count->counted == TFP_COUNTED_FREE ||
                        count->counted == TFP_COUNTED_CALL ||
                        count->counted == TFP_COUNTED_UNWALKED)
                   ? count->counted
                   : count->counted_upstream;
    default:
        return count->counted == TFP_COUNTED_FREE ? TFP_COUNTED_FREE
                                                  : TFP_COUNTED_NO_FORMULA;
    }
}

static uint64_t call_key(uint32_t instance, uint32_t node)
{
    return (uint64_t)instance << 32 | node;
}

/* Puts calls that were not walked in an order to find them by. */
static bool sort_unwalked(tfp_report *r)
{
    size_t count = r->shapes->unwalked.count;
    if (count == 0)
        return true;
    r->unwalked = tfp_memory_array(r->memory, 2 * count, sizeof(*r->unwalked));
    if (!r->unwalked)
        return false;
    for (size_t i = 0; i < count; i++) {
        const tfp_unwalked_call *call = &r->shapes->unwalked.data[i];
        r->unwalked[i] = (tfp_sort_item){ call_key(call->instance, call->node),
                                          (uint32_t)i };
    }
    tfp_sort(r->unwalked, count, r->unwalked + count, NULL, NULL);
    return true;
}

static const tfp_unwalked_call *find_unwalked(const tfp_report *r,
                                              uint32_t instance, uint32_t node)
{
    uint64_t key = call_key(instance, node);
    size_t low = 0, high = r->shapes->unwalked.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->unwalked[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->shapes->unwalked.count && r->unwalked[low].key == key
               ? &r->shapes->unwalked.data[r->unwalked[low].index]
               : NULL;
}

/* Why a call was not walked. There are some that nobody walks. */
static tfp_why why_unwalked(const tfp_report *r, uint32_t instance,
                            uint32_t node)
{
    static const tfp_why whys[] = {
        [TFP_UNWALKED_MISSING] = TFP_WHY_MISSING,
        [TFP_UNWALKED_RECURSIVE] = TFP_WHY_RECURSIVE,
        [TFP_UNWALKED_DEEP] = TFP_WHY_DEEP,
        [TFP_UNWALKED_MANY] = TFP_WHY_MANY,
        [TFP_UNWALKED_GRADIENT] = TFP_WHY_GRADIENT,
    };
    const tfp_unwalked_call *call = find_unwalked(r, instance, node);
    if (call)
        return whys[call->why];
    return r->shapes->request.walk ? TFP_WHY_NO_FORMULA : TFP_WHY_NOT_ASKED;
}

static tfp_column column_of(tfp_formula_set set)
{
    return set == TFP_SET_TENSORFLOW ? TFP_COLUMN_UPSTREAM : TFP_COLUMN_FULL;
}

bool tfp_report_passes(const tfp_report *r, uint32_t instance)
{
    return r->counts->skipped[column_of(r->request.set)][instance];
}

/* `times` is how often the instance runs in all. */
static tfp_verdict judge(const tfp_report *r, tfp_formula_set set,
                         uint32_t instance, uint32_t node, int64_t times)
{
    static const tfp_why whys[] = {
        [TFP_COUNTED_NO_FORMULA] = TFP_WHY_NO_FORMULA,
        [TFP_COUNTED_UNKNOWN_SHAPE] = TFP_WHY_UNKNOWN_SHAPE,
        [TFP_COUNTED_REFUSED] = TFP_WHY_REFUSED,
    };
    tfp_verdict v = { .outcome = TFP_OUTCOME_UNCOUNTED };
    tfp_work work;
    tfp_counted counted = find_work(set, &r->counts->of[instance][node], &work);
    /* TensorFlow's profiler knows nothing of TF1 loops. */
    if (set == TFP_SET_FULL)
        times = tfp_mul_sat(times,
                            tfp_shapes_loop_times(r->shapes, instance, node));
    if (times == 1)
        v.work = work;
    else
        tfp_work_add(&v.work, &work, times);
    if (r->counts->skipped[column_of(set)][instance])
        v.outcome = TFP_OUTCOME_PASSED;
    else if (set == TFP_SET_FULL &&
             !tfp_shapes_is_live(r->shapes, instance, node))
        v.outcome = TFP_OUTCOME_DEAD;
    else if (counted == TFP_COUNTED)
        v.outcome = TFP_OUTCOME_COUNTED;
    else if (counted == TFP_COUNTED_FREE)
        v.outcome = TFP_OUTCOME_FREE;
    else if (counted == TFP_COUNTED_CALL)
        v.outcome = TFP_OUTCOME_CALLED;
    else if (counted == TFP_COUNTED_UNWALKED)
        v.why = why_unwalked(r, instance, node);
    else
        v.why = whys[counted];
    return v;
}

tfp_verdict tfp_report_verdict(const tfp_report *r, tfp_formula_set set,
                               uint32_t instance, uint32_t node)
{
    return judge(r, set, instance, node, tfp_shapes_times(r->shapes, instance));
}

/* Most nodes are free, so it is worth asking before judging. */
static bool is_free(const tfp_node_count *count)
{
    return count->counted == TFP_COUNTED_FREE &&
           count->counted_upstream == TFP_COUNTED_NO_FORMULA;
}

bool tfp_report_visit(tfp_report *r, tfp_report_visit_fn *visit, void *context)
{
    for (uint32_t i = 0; i < r->counts->instance_count; i++) {
        int64_t times = tfp_shapes_times(r->shapes, i);
        uint32_t count = tfp_instance_graph(r->shapes, i)->node_count;
        if (!tfp_counts_has(r->counts, i) || tfp_report_passes(r, i))
            continue;
        for (uint32_t n = 0; n < count; n++) {
            tfp_verdict v;
            if (tfp_watch_ends(&r->watch))
                return false;
            if (is_free(&r->counts->of[i][n]))
                continue;
            v = judge(r, r->request.set, i, n, times);
            if (v.outcome != TFP_OUTCOME_FREE && !visit(context, i, n, &v))
                return false;
        }
    }
    return true;
}

/* ---- Uncounted ---------------------------------------------------------- */

/* The first input whose size is not known. */
static bool find_unknown_input(const tfp_report *r, uint32_t instance,
                               uint32_t node, int32_t *input)
{
    tfp_site site;
    *input = -1;
    if (!tfp_shapes_site(r->shapes, instance, node,
                         r->request.set == TFP_SET_TENSORFLOW
                             ? TFP_GRADE_TENSORFLOW
                             : TFP_GRADE_FULL,
                         &site))
        return false;
    for (size_t i = 0; i < site.input_count && *input < 0; i++) {
        if (!tfp_dims_known(tfp_site_input(&site, i)))
            *input = (int32_t)i;
    }
    return true;
}

static bool add_uncounted(tfp_report *r, uint32_t instance, uint32_t node,
                          tfp_why why)
{
    tfp_uncounted_node row = { instance, node, why, -1 };
    r->by_why[why]++;
    if (why == TFP_WHY_UNKNOWN_SHAPE &&
        !find_unknown_input(r, instance, node, &row.input))
        return false;
    return TFP_VEC_PUSH(r->memory, &r->uncounted, row);
}

/* ---- Types -------------------------------------------------------------- */

typedef TFP_VEC(uint32_t) numbers;

/* The row of a type; NULL when out of memory. */
static tfp_report_row *type_row(tfp_report *r, numbers *row_of, tfp_string op)
{
    tfp_report_row row = { .name = op };
    if (op >= row_of->count) {
        size_t more = (size_t)op + 1 - row_of->count;
        if (!TFP_VEC_RESERVE(r->memory, row_of, more))
            return NULL;
        memset(row_of->data + row_of->count, 0xff,
               more * sizeof(*row_of->data));
        row_of->count += more;
    }
    if (row_of->data[op] == TFP_NO_ID) {
        if (!TFP_VEC_PUSH(r->memory, &r->whys, (tfp_type_whys){ { 0 } }) ||
            !TFP_VEC_PUSH(r->memory, &r->types.all, row))
            return NULL;
        row_of->data[op] = (uint32_t)r->types.all.count - 1;
    }
    return &r->types.all.data[row_of->data[op]];
}

typedef struct adding {
    tfp_report *report;
    numbers row_of;
} adding;

/* Most types only move data; their rows are made from the nodes. */
static bool add_types(adding *a)
{
    tfp_report *r = a->report;
    for (uint32_t i = 0; i < r->counts->instance_count; i++) {
        const tfp_graph *graph = tfp_instance_graph(r->shapes, i);
        const tfp_nodes *nodes = tfp_graph_nodes(r->shapes->model, graph);
        if (!tfp_counts_has(r->counts, i) || tfp_report_passes(r, i))
            continue;
        for (uint32_t n = 0; n < graph->node_count; n++) {
            tfp_report_row *row;
            if (tfp_watch_ends(&r->watch))
                return false;
            if (r->request.set == TFP_SET_FULL &&
                !tfp_shapes_is_live(r->shapes, i, n))
                continue;
            row = type_row(r, &a->row_of, nodes->op[graph->first_node + n]);
            if (!row)
                return false;
            row->nodes++;
            r->nodes++;
        }
    }
    return true;
}

static bool add_node(void *context, uint32_t instance, uint32_t node,
                     const tfp_verdict *v)
{
    adding *a = context;
    tfp_report *r = a->report;
    const tfp_graph *graph = tfp_instance_graph(r->shapes, instance);
    const tfp_nodes *nodes = tfp_graph_nodes(r->shapes->model, graph);
    tfp_report_row *row;
    if (v->outcome == TFP_OUTCOME_DEAD) {
        r->dead_nodes += r->counts->of[instance][node].counted !=
                         TFP_COUNTED_FREE;
        tfp_work_add(&r->dead, &v->work, 1);
        return true;
    }
    row = type_row(r, &a->row_of, nodes->op[graph->first_node + node]);
    if (!row)
        return false;
    if (v->outcome == TFP_OUTCOME_COUNTED) {
        r->compute++;
        r->counted++;
        tfp_work_add(&row->work, &v->work, 1);
    } else if (v->outcome == TFP_OUTCOME_UNCOUNTED) {
        r->compute++;
        row->uncounted++;
        r->whys.data[row - r->types.all.data].of[v->why]++;
        return add_uncounted(r, instance, node, v->why);
    }
    return true;
}

static bool add_nodes(tfp_report *r)
{
    adding a = { .report = r };
    bool ok = add_types(&a) && tfp_report_visit(r, add_node, &a);
    for (size_t i = 0; ok && i < r->types.all.count; i++)
        tfp_work_add(&r->work, &r->types.all.data[i].work, 1);
    TFP_VEC_RELEASE(r->memory, &a.row_of);
    return ok;
}

/* As TensorFlow's profiler counts: the subject alone, with all its nodes. */
static void add_tensorflow(tfp_report *r)
{
    uint32_t subject = r->shapes->subject;
    for (uint32_t n = 0; n < tfp_instance_graph(r->shapes, subject)->node_count;
         n++)
        r->tensorflow = tfp_add_sat(r->tensorflow,
                                    r->counts->of[subject][n].upstream);
}

/* Is the call wanted that made the instance? */
static bool is_wanted(const tfp_report *r, const tfp_instance *in)
{
    return r->request.set != TFP_SET_FULL || in->parent == TFP_NO_ID ||
           tfp_shapes_is_live(r->shapes, in->parent, in->caller);
}

static bool is_side(const tfp_instance *in)
{
    return in->part == TFP_PART_THEN || in->part == TFP_PART_ELSE ||
           in->part == TFP_PART_BRANCH;
}

/* Loops of TF1 inside an instance. */
static bool add_frames(tfp_report *r, uint32_t instance)
{
    const tfp_frames *frames = r->shapes->instances.data[instance].frames;
    for (size_t i = 0; frames && i < frames->all.count; i++) {
        const tfp_loop_frame *frame = &frames->all.data[i];
        tfp_report_loop loop = { instance, frame->cond, frame->trips,
                                 frame->rule };
        if (frame->cond != TFP_NO_ID &&
            !TFP_VEC_PUSH(r->memory, &r->loops, loop))
            return false;
    }
    return true;
}

/* Loops, and branches of which one side counts. */
static bool add_loops(tfp_report *r)
{
    for (uint32_t i = 0; i < r->shapes->instances.count; i++) {
        const tfp_instance *in = &r->shapes->instances.data[i];
        tfp_report_loop loop = { in->parent, in->caller, in->times, in->rule };
        if (!tfp_counts_has(r->counts, i) || tfp_report_passes(r, i) ||
            !is_wanted(r, in))
            continue;
        r->branches += is_side(in);
        if ((in->part == TFP_PART_BODY &&
             !TFP_VEC_PUSH(r->memory, &r->loops, loop)) ||
            !add_frames(r, i))
            return false;
    }
    return true;
}

bool tfp_report_is_saturated(const tfp_report *r)
{
    return r->work.float_ops == INT64_MAX || r->work.int_ops == INT64_MAX ||
           r->work.macs == INT64_MAX || r->tensorflow == INT64_MAX ||
           r->dead.float_ops == INT64_MAX ||
           r->params->all.bytes == INT64_MAX ||
           r->params->all.elements == INT64_MAX;
}

bool tfp_report_is_partial(const tfp_report *r)
{
    if (r->counted < r->compute)
        return true;
    for (size_t i = 0; r->request.set == TFP_SET_FULL && i < r->loops.count;
         i++) {
        if (r->loops.data[i].rule == TFP_TIMES_ASSUMED)
            return true;
    }
    return false;
}

/* ---- Order -------------------------------------------------------------- */

typedef struct naming {
    const tfp_report *report;
    const tfp_report_row *rows;
    bool layers;
} naming;

static tfp_span name_of(const naming *n, uint32_t row)
{
    uint32_t name = n->rows[row].name;
    return n->layers ? tfp_interned(&n->report->layer_names, name)
                     : tfp_model_text(n->report->shapes->model, name);
}

/* Of what is equal otherwise: types hold no parameters, and of those that have
 * no MACs the ones with most float operations are worth a place in a summary.
 */
static int compare_rows(const void *context, uint32_t a, uint32_t b)
{
    const naming *n = context;
    int64_t of_a = n->rows[a].work.float_ops, of_b = n->rows[b].work.float_ops;
    if (n->report->request.order != TFP_REPORT_BY_NAME && of_a != of_b)
        return of_a > of_b ? -1 : 1;
    return tfp_span_compare(name_of(n, a), name_of(n, b));
}

static int64_t sort_value(const tfp_report_row *row, tfp_report_order order,
                          bool layers)
{
    switch (order) {
    case TFP_REPORT_BY_FLOAT_OPS: return row->work.float_ops;
    case TFP_REPORT_BY_INT_OPS: return row->work.int_ops;
    case TFP_REPORT_BY_MACS: return row->work.macs;
    case TFP_REPORT_BY_PARAMS: return row->params;
    case TFP_REPORT_BY_NODES: return row->nodes;
    case TFP_REPORT_BY_PLACE:
        return layers ? -(int64_t)row->place : row->work.float_ops;
    default: return 0;
    }
}

bool tfp_report_sort(tfp_report *r, tfp_report_rows *rows, bool layers)
{
    size_t count = rows->all.count;
    size_t size = 2 * count * sizeof(tfp_sort_item);
    naming by = { r, rows->all.data, layers };
    tfp_sort_item *items;
    if (count == 0)
        return true;
    rows->order = tfp_memory_array(r->memory, count, sizeof(*rows->order));
    items = tfp_memory_alloc(r->memory, size);
    if (!rows->order || !items) {
        tfp_memory_free(r->memory, items);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ tfp_sort_key_falling(
                                        sort_value(&rows->all.data[i],
                                                   r->request.order, layers)),
                                    (uint32_t)i };
    r->watch.cancelled |= !tfp_sort_until(items, count, items + count,
                                          compare_rows, &by, r->watch.cancel);
    for (size_t i = 0; i < count; i++)
        rows->order[i] = items[i].index;
    tfp_memory_free(r->memory, items);
    return !r->watch.cancelled;
}

static void release_rows(tfp_report *r, tfp_report_rows *rows)
{
    tfp_memory_free(r->memory, rows->order);
    TFP_VEC_RELEASE(r->memory, &rows->all);
}

/* ---- Life --------------------------------------------------------------- */

int tfp_report_init(tfp_report *r, const tfp_counts *counts,
                    const tfp_params *params, const tfp_report_request *request,
                    tfp_memory *memory, tfprof_error *err)
{
    *r = (tfp_report){ .memory = memory,
                       .shapes = counts->shapes,
                       .counts = counts,
                       .params = params,
                       .request = *request,
                       .watch = { .cancel = counts->shapes->cancel } };
    if (!tfp_interner_init(&r->layer_names, memory, 1, tfp_random_seed()) ||
        !sort_unwalked(r) || !add_nodes(r) || !add_loops(r) ||
        !tfp_report_add_inputs(r) || !tfp_report_add_layers(r) ||
        !tfp_report_sort(r, &r->types, false) ||
        !tfp_report_sort(r, &r->layers, true))
        return r->watch.cancelled ? tfp_fail_cancelled(err)
                                  : tfp_fail_nomem(err);
    add_tensorflow(r);
    return TFPROF_OK;
}

void tfp_report_release(tfp_report *r)
{
    if (!r->memory)
        return;
    tfp_memory_free(r->memory, r->unwalked);
    TFP_VEC_RELEASE(r->memory, &r->loops);
    TFP_VEC_RELEASE(r->memory, &r->inputs);
    release_rows(r, &r->types);
    release_rows(r, &r->layers);
    TFP_VEC_RELEASE(r->memory, &r->whys);
    TFP_VEC_RELEASE(r->memory, &r->scope);
    TFP_VEC_RELEASE(r->memory, &r->uncounted);
    tfp_interner_release(&r->layer_names);
}
