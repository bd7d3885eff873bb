/*
 * pools_group.c - a live set by scope, by type or by line of code.
 */
#include "base/bytes.h"
#include "base/intern.h"
#include "base/memory.h"
#include "base/sort.h"
#include "model/model.h"
#include "model/pools.h"

/* The innermost line, as the nodes of traces and logs have it; NULL when it is
 * not known. */
static const tfp_frame *frame_of(const tfp_model *model,
                                 const tfp_live_kind *kind)
{
    tfp_node node;
    tfp_stack below;
    if (kind->holder != TFP_HOLDER_NODE)
        return NULL;
    node = tfp_model_find_node(model, kind->name);
    if (node == TFP_NO_NODE || model->nodes.trace[node] == 0)
        return NULL;
    return tfp_stack_top(model, model->nodes.trace[node], &below);
}

tfp_string tfp_live_type(const tfp_model *model, const tfp_live_kind *kind)
{
    tfp_node node = TFP_NO_NODE;
    if (kind->holder == TFP_HOLDER_NODE)
        node = tfp_model_find_node(model, kind->name);
    return node == TFP_NO_NODE ? kind->type : model->nodes.op[node];
}

/* The first `depth` parts; 0: all but the last. */
static tfp_span scope_of(tfp_span name, size_t depth)
{
    for (size_t i = name.size; depth == 0 && i > 0; i--) {
        if (name.data[i - 1] == '/')
            return (tfp_span){ name.data, i - 1 };
    }
    for (size_t i = 0; depth > 0 && i < name.size; i++) {
        if (name.data[i] == '/' && --depth == 0)
            return (tfp_span){ name.data, i };
    }
    return name;
}

static tfp_live_group group_of(const tfp_model *model,
                               const tfp_live_kind *kind, tfp_live_by by,
                               size_t depth)
{
    tfp_live_group group = { .line = 0 };
    const tfp_frame *frame;
    switch (by) {
    case TFP_LIVE_BY_SCOPE:
        group.name = scope_of(tfp_model_text(model, kind->name), depth);
        break;
    case TFP_LIVE_BY_TYPE:
        group.name = tfp_model_text(model, tfp_live_type(model, kind));
        break;
    case TFP_LIVE_BY_LINE:
        frame = frame_of(model, kind);
        if (frame) {
            group.name = tfp_model_text(model, frame->file);
            group.line = frame->line;
        }
        break;
    }
    return group;
}

/* The same name and line have the same number. */
static uint32_t number_of(tfp_interner *names, tfp_interner *keys,
                          const tfp_live_group *group)
{
    uint32_t key[2] = { tfp_intern(names, group->name), (uint32_t)group->line };
    return key[0] == TFP_NO_ID
               ? TFP_NO_ID
               : tfp_intern(keys,
                            (tfp_span){ (const uint8_t *)key, sizeof(key) });
}

static bool add_entries(tfp_live_groups *groups, const tfp_model *model,
                        const tfp_pool *pool, tfp_live_by by, size_t depth)
{
    uint64_t seed = tfp_random_seed();
    tfp_interner names = { 0 }, keys = { 0 };
    bool ok = tfp_interner_init(&names, groups->memory, 1, seed) &&
              tfp_interner_init(&keys, groups->memory, 4, seed);
    for (size_t i = 0; ok && i < pool->live.count; i++) {
        const tfp_live *live = &pool->live.data[i];
        tfp_live_group *group, new = group_of(model, &live->kind, by, depth);
        uint32_t number = number_of(&names, &keys, &new);
        ok = number != TFP_NO_ID;
        if (ok && number > groups->groups.count)
            ok = TFP_VEC_PUSH(groups->memory, &groups->groups, new);
        if (!ok)
            break;
        group = &groups->groups.data[number - 1];
        group->bytes = tfp_add_sat(group->bytes, live->bytes);
        group->requested = tfp_add_sat(group->requested, live->requested);
        group->count = tfp_add_sat(group->count, live->count);
    }
    tfp_interner_release(&names);
    tfp_interner_release(&keys);
    return ok;
}

static int group_tie(const void *context, uint32_t a, uint32_t b)
{
    const tfp_live_groups *groups = context;
    const tfp_live_group *x = &groups->groups.data[a];
    const tfp_live_group *y = &groups->groups.data[b];
    int by_name = tfp_span_compare(x->name, y->name);
    return by_name != 0 ? by_name : (x->line > y->line) - (x->line < y->line);
}

/* The largest first, of equal ones by name. */
static bool sort_groups(tfp_live_groups *groups)
{
    size_t count = groups->groups.count;
    tfp_sort_item *items = tfp_memory_array(groups->memory, 2 * count + 1,
                                            sizeof(*items));
    tfp_live_group *sorted = tfp_memory_array(groups->memory, count,
                                              sizeof(*sorted));
    bool ok = items && sorted;
    for (size_t i = 0; ok && i < count; i++)
        items[i] = (tfp_sort_item){
            tfp_sort_key_falling(groups->groups.data[i].bytes), (uint32_t)i
        };
    if (ok) {
        tfp_sort(items, count, items + count, group_tie, groups);
        for (size_t i = 0; i < count; i++)
            sorted[i] = groups->groups.data[items[i].index];
        TFP_VEC_RELEASE(groups->memory, &groups->groups);
        groups->groups.data = sorted;
        groups->groups.count = groups->groups.capacity = count;
    } else {
        tfp_memory_free(groups->memory, sorted);
    }
    tfp_memory_free(groups->memory, items);
    return ok;
}

int tfp_live_groups_init(tfp_live_groups *groups, const tfp_model *model,
                         const tfp_pool *pool, tfp_memory *memory,
                         tfp_live_by by, size_t depth, tfprof_error *err)
{
    *groups = (tfp_live_groups){ .memory = memory };
    return add_entries(groups, model, pool, by, depth) && sort_groups(groups)
               ? TFPROF_OK
               : tfp_fail_nomem(err);
}

void tfp_live_groups_release(tfp_live_groups *groups)
{
    if (groups->memory)
        TFP_VEC_RELEASE(groups->memory, &groups->groups);
}
