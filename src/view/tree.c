/*
 * tree.c - puts the siblings of a tree in order, and lays the tree out.
 */
#include "view/tree.h"

#include <string.h>

#include "view/view.h"

typedef struct layout {
    tfp_memory *memory;
    const uint32_t *parent;
    struct tfp_view *view; /* that may be cancelled, or NULL */
    size_t count;
    uint32_t *first; /* where the children of an item begin in `children` */
    uint32_t *children;
    uint32_t *size; /* of the tree below an item, with itself */
} layout;

uint64_t tfp_text_key(const uint8_t *text, size_t size)
{
    uint64_t key = 0;
    for (size_t i = 0; i < sizeof(key); i++)
        key = key << 8 | (i < size ? text[i] : 0);
    return key;
}

static bool is_cancelled(const layout *l, size_t round)
{
    return l->view && tfp_view_is_cancelled(l->view, round);
}

/* Children of one parent stand together, in the order of their numbers. */
static bool list_children(layout *l)
{
    uint32_t sum = 0;
    memset(l->first, 0, (l->count + 1) * sizeof(*l->first));
    for (size_t i = 1; i < l->count; i++)
        l->first[l->parent[i]]++;
    if (is_cancelled(l, 0))
        return false;
    for (size_t i = 0; i <= l->count; i++) {
        uint32_t own = l->first[i];
        l->first[i] = sum;
        sum += own;
    }
    for (size_t i = 1; i < l->count; i++)
        l->children[l->first[l->parent[i]]++] = (uint32_t)i;
    /* Each start has moved to its end, which is the next one's start. */
    memmove(l->first + 1, l->first, l->count * sizeof(*l->first));
    l->first[0] = 0;
    return !is_cancelled(l, 0);
}

static bool sort_siblings(const layout *l, uint32_t *siblings, size_t count,
                          const tfp_sibling_order *order, tfp_sort_item *items)
{
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){ order->key(order->context, siblings[i]),
                                    siblings[i] };
    if (!tfp_sort_until(items, count, items + count, order->tie, order->context,
                        l->view ? l->view->cancel : NULL)) {
        l->view->cancelled = true;
        return false;
    }
    for (size_t i = 0; i < count; i++)
        siblings[i] = items[i].index;
    return true;
}

static bool sort_children(layout *l, const tfp_sibling_order *order)
{
    tfp_sort_item *items;
    size_t most = 0, size, i;
    for (i = 0; i < l->count; i++) {
        size_t own = l->first[i + 1] - l->first[i];
        most = own > most ? own : most;
    }
    if (most < 2)
        return true;
    size = 2 * most * sizeof(*items);
    items = tfp_memory_alloc(l->memory, size);
    if (!items)
        return false;
    for (i = 0; i < l->count; i++) {
        size_t own = l->first[i + 1] - l->first[i];
        if (is_cancelled(l, i) ||
            (own > 1 &&
             !sort_siblings(l, l->children + l->first[i], own, order, items)))
            break;
    }
    tfp_memory_free(l->memory, items);
    return i == l->count;
}

static bool lay_out(layout *l, uint32_t *place)
{
    for (size_t i = 0; i < l->count; i++)
        l->size[i] = 1;
    for (size_t i = l->count; i-- > 1;)
        l->size[l->parent[i]] += l->size[i];
    place[0] = 0;
    for (size_t i = 0; i < l->count && !is_cancelled(l, i); i++) {
        uint32_t next = place[i] + 1;
        for (uint32_t c = l->first[i]; c < l->first[i + 1]; c++) {
            place[l->children[c]] = next;
            next += l->size[l->children[c]];
        }
    }
    return !(l->view && l->view->cancelled);
}

bool tfp_tree_order(tfp_memory *memory, const uint32_t *parent, size_t count,
                    const tfp_sibling_order *order, uint32_t *place)
{
    size_t size = (3 * count + 1) * sizeof(uint32_t);
    uint32_t *block = tfp_memory_alloc(memory, size);
    layout l = {
        .memory = memory, .parent = parent, .view = order->view, .count = count
    };
    bool ok;
    if (!block)
        return false;
    l.first = block;
    l.children = block + count + 1;
    l.size = l.children + count;
    ok = list_children(&l) && (!order->key || sort_children(&l, order)) &&
         lay_out(&l, place);
    tfp_memory_free(memory, block);
    return ok;
}
