/*
 * ops.c - operations with their times, as xprof sums them up.
 */
#include "xprof/ops.h"

int tfp_xprof_ops_init(tfp_xprof_ops *ops, tfp_xprof_source *source,
                       tfprof_error *err)
{
    *ops = (tfp_xprof_ops){ .memory = source->memory };
    ops->idle = tfp_intern(source->texts, tfp_span_of("IDLE"));
    return ops->idle != TFP_NO_ID &&
                   tfp_interner_init(&ops->keys, source->memory, 8,
                                     source->space->seed)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

void tfp_xprof_ops_release(tfp_xprof_ops *ops)
{
    if (!ops->memory)
        return;
    tfp_interner_release(&ops->keys);
    TFP_VEC_RELEASE(ops->memory, &ops->rows);
}

tfp_xprof_op *tfp_xprof_ops_row(tfp_xprof_ops *ops, uint64_t program,
                                tfp_xprof_text name)
{
    uint64_t key[] = { program, name };
    uint32_t item;
    if (!TFP_VEC_RESERVE(ops->memory, &ops->rows, 1))
        return NULL;
    item = tfp_intern(&ops->keys,
                      (tfp_span){ (const uint8_t *)key, sizeof(key) });
    if (item == TFP_NO_ID)
        return NULL;
    if (item > ops->rows.count)
        ops->rows.data[ops->rows.count++] = (tfp_xprof_op){ .program = program,
                                                            .name = name };
    return &ops->rows.data[item - 1];
}

static void keep_first(tfp_xprof_text *text, tfp_xprof_text other)
{
    if (*text == 0)
        *text = other;
}

static void add_work(tfp_xprof_work *work, const tfp_xprof_work *more)
{
    work->flops += more->flops;
    work->model_flops += more->model_flops;
    work->bytes += more->bytes;
    work->has_parts |= more->has_parts;
    work->hbm_bytes += more->hbm_bytes;
    work->cmem_read_bytes += more->cmem_read_bytes;
    work->cmem_written_bytes += more->cmem_written_bytes;
}

bool tfp_xprof_ops_add(tfp_xprof_ops *ops, const tfp_xprof_op *op)
{
    tfp_xprof_op *row = tfp_xprof_ops_row(ops, op->program, op->name);
    if (!row)
        return false;
    keep_first(&row->category, op->category);
    keep_first(&row->origin, op->origin);
    keep_first(&row->expression, op->expression);
    row->runs += op->runs;
    row->time += op->time;
    row->self += op->self;
    row->is_of_tpu |= op->is_of_tpu;
    add_work(&row->work, &op->work);
    return true;
}

bool tfp_xprof_ops_end(tfp_xprof_ops *ops, uint64_t busy, uint64_t span)
{
    uint64_t total = span > busy ? span : busy;
    tfp_xprof_op idle = { .name = ops->idle,
                          .category = ops->idle,
                          .time = total - busy,
                          .self = total - busy };
    ops->total += total;
    ops->busy += busy;
    return tfp_xprof_ops_add(ops, &idle);
}

bool tfp_xprof_ops_is_idle(const tfp_xprof_ops *ops, const tfp_xprof_op *op)
{
    return op->category == ops->idle;
}

/* ---- Order -------------------------------------------------------------- */

typedef struct order {
    const tfp_xprof_ops *ops;
    const tfp_xprof_texts *texts;
} order;

static int by_name(const void *context, uint32_t a, uint32_t b)
{
    const order *o = context;
    return tfp_span_compare(tfp_interned(o->texts, o->ops->rows.data[a].name),
                            tfp_interned(o->texts, o->ops->rows.data[b].name));
}

tfp_sort_item *tfp_xprof_ops_sorted(const tfp_xprof_ops *ops,
                                    const tfp_xprof_texts *texts)
{
    size_t count = ops->rows.count;
    order how = { ops, texts };
    tfp_sort_item *items = tfp_memory_array(ops->memory, 2 * count + 1,
                                            sizeof(*items));
    if (!items)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        items[i].key = ~ops->rows.data[i].self;
        items[i].index = (uint32_t)i;
    }
    tfp_sort(items, count, items + count, by_name, &how);
    return items;
}
