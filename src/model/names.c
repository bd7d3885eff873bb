/*
 * names.c - the names of all nodes in order, to find those that begin alike.
 */
#include "model/names.h"

#include "base/memory.h"

#include "base/sort.h"
#include "model/model.h"

static tfp_span name_at(const tfp_names *n, size_t place)
{
    uint32_t member = n->members[place];
    return tfp_model_text(n->census->model,
                          n->census->members.data[member].name);
}

/* ---- Sorting ------------------------------------------------------------ */

/* The first bytes as a number that sorts as they do. */
static uint64_t first_bytes(tfp_span name)
{
    uint64_t key = 0;
    for (size_t i = 0; i < sizeof(key); i++)
        key = key << 8 | (i < name.size ? name.data[i] : 0);
    return key;
}

static int compare_names(const void *context, uint32_t a, uint32_t b)
{
    const tfp_census *c = context;
    return tfp_span_compare(tfp_model_text(c->model, c->members.data[a].name),
                            tfp_model_text(c->model, c->members.data[b].name));
}

/* `items` has room for twice as many as there are names. */
static void sort(tfp_names *n, tfp_sort_item *items)
{
    for (size_t i = 0; i < n->count; i++) {
        tfp_string name = n->census->members.data[i].name;
        items[i] = (tfp_sort_item){
            first_bytes(tfp_model_text(n->census->model, name)), (uint32_t)i
        };
    }
    tfp_sort(items, n->count, items + n->count, compare_names, n->census);
    for (size_t i = 0; i < n->count; i++)
        n->members[i] = items[i].index;
}

int tfp_names_init(tfp_names *n, const tfp_census *census, tfprof_error *err)
{
    size_t count = census->members.count;
    size_t size = 2 * count * sizeof(tfp_sort_item);
    tfp_sort_item *items;
    *n = (tfp_names){ .census = census };
    if (count == 0)
        return TFPROF_OK;
    items = tfp_memory_alloc(census->memory, size);
    n->members = tfp_memory_array(census->memory, count, sizeof(*n->members));
    if (n->members)
        n->count = count;
    if (items && n->members)
        sort(n, items);
    tfp_memory_free(census->memory, items);
    return items && n->members ? TFPROF_OK : tfp_fail_nomem(err);
}

void tfp_names_release(tfp_names *n)
{
    if (n->census)
        tfp_memory_free(n->census->memory, n->members);
    *n = (tfp_names){ 0 };
}

/* ---- Walking ------------------------------------------------------------ */

static bool begins_with(tfp_span name, tfp_span prefix)
{
    return name.size >= prefix.size &&
           (prefix.size == 0 || !memcmp(name.data, prefix.data, prefix.size));
}

/* The first place from `from` on whose name stands behind `text`; with `past`
 * also behind all that begins with it. */
static size_t search(const tfp_names *n, size_t from, tfp_span text, bool past)
{
    size_t low = from, high = n->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        tfp_span name = name_at(n, middle);
        bool is_before = tfp_span_compare(name, text) < 0 ||
                         (past && begins_with(name, text));
        if (is_before)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

tfp_names_walk tfp_names_starting(const tfp_names *names, tfp_span prefix)
{
    return (tfp_names_walk){ names, prefix, search(names, 0, prefix, false) };
}

bool tfp_names_next(tfp_names_walk *walk, tfp_span *out)
{
    const tfp_names *n = walk->names;
    tfp_span name;
    const uint8_t *slash;
    if (walk->at >= n->count)
        return false;
    name = name_at(n, walk->at);
    if (!begins_with(name, walk->prefix))
        return false;
    slash = tfp_span_find((tfp_span){ name.data + walk->prefix.size,
                                      name.size - walk->prefix.size },
                          "/");
    if (slash)
        name.size = (size_t)(slash + 1 - name.data);
    walk->at = slash ? search(n, walk->at, name, true) : walk->at + 1;
    *out = name;
    return true;
}
