/*
 * pools.c - from the events of an allocator to its peak, its curve and its
 * live set.
 *
 * The level is the number of bytes in use. The allocator reports it after each
 * event. If it does not, the level is the sum of all events so far. Freed
 * memory must have been allocated, so a sum below 0 means that as much was in
 * use at the start.
 *
 * A block is identified by its address. The last event at its address up to
 * the peak decides whether it is live then, so sorting the events by address
 * once replaces all lookups. Blocks without an address are identified by their
 * kind: a free releases memory of the same holder.
 */
#include "model/pools.h"

#include "base/sort.h"
#include "model/model.h"
#include "model/pools_peaks.h"

typedef struct finder {
    tfp_pool *pool;
    tfp_memory *memory;
    const tfp_pool_request *request;
    tfp_watch watch;
    tfp_sort_item *order;   /* events by time... */
    tfp_sort_item *scratch; /* ...and room for as many */
    size_t peak;            /* place in the order */
    int status;             /* of on_level() */
    tfprof_error *err;
    int64_t base; /* that was there at the start */
} finder;

void tfp_pool_release(tfp_pool *pool, tfp_memory *memory)
{
    TFP_VEC_RELEASE(memory, &pool->live);
    TFP_VEC_RELEASE(memory, &pool->fine);
    TFP_VEC_RELEASE(memory, &pool->peaks);
}

uint32_t tfp_pool_kind(tfp_interner *kinds, const tfp_live_kind *kind)
{
    tfp_span key = { (const uint8_t *)kind, sizeof(*kind) };
    _Static_assert(sizeof(tfp_live_kind) == 7 * sizeof(uint32_t),
                   "a kind has no gaps");
    if (tfp_interner_count(kinds) > TFP_POOL_MOST_KINDS)
        return TFP_NO_ID;
    return tfp_intern(kinds, key);
}

static const tfp_pool_event *event_at(const finder *f, size_t place)
{
    return &f->request->events[f->order[place].index];
}

static bool sort(finder *f, tfp_sort_item *items, size_t count)
{
    bool ok = tfp_sort_until(items, count, f->scratch, NULL, NULL,
                             f->request->cancel);
    f->watch.cancelled |= !ok;
    return ok;
}

static int64_t positive(int64_t value)
{
    return value > 0 ? value : 0;
}

/* What an event adds. */
static int64_t change(const tfp_pool_event *event)
{
    int64_t bytes = positive(event->bytes);
    return event->is_free ? -bytes : bytes;
}

/* ---- Over time ---------------------------------------------------------- */

static bool sort_by_time(finder *f)
{
    size_t count = f->request->count;
    for (size_t i = 0; i < count; i++)
        f->order[i] = (tfp_sort_item){
            tfp_sort_key_rising(f->request->events[i].at), (uint32_t)i
        };
    return sort(f, f->order, count);
}

static void count_event(tfp_pool *pool, const tfp_pool_event *event)
{
    pool->allocations += !event->is_free;
    pool->frees += event->is_free;
    pool->odd_records += event->bytes < 0 || event->requested < 0 ||
                         event->reserved < 0 ||
                         (event->level < 0 && event->level != TFP_LEVEL_UNTOLD);
}

/* Counts, and how much there must have been at the start. */
static bool find_base(finder *f)
{
    int64_t sum = 0, low = 0;
    bool is_told = false;
    for (size_t i = 0; i < f->request->count; i++) {
        const tfp_pool_event *event = event_at(f, i);
        if (tfp_watch_ends(&f->watch))
            return false;
        count_event(f->pool, event);
        is_told |= event->level != TFP_LEVEL_UNTOLD;
        sum = tfp_add_sat(sum, change(event));
        low = sum < low ? sum : low;
    }
    f->base = is_told ? 0 : tfp_sub_sat(0, low);
    return true;
}

static int64_t level_after(const tfp_pool_event *event, int64_t before)
{
    return positive(event->level != TFP_LEVEL_UNTOLD
                        ? event->level
                        : tfp_add_sat(before, change(event)));
}

/* A part of the time has at least the level that it begins with. */
static void add_point(tfp_pool *pool, size_t point, int64_t before,
                      int64_t level)
{
    while (pool->points <= point) {
        pool->curve[pool->points] = pool->points > 0 ? before : level;
        pool->points++;
    }
    if (level > pool->curve[point])
        pool->curve[point] = level;
}

/* `part` is that of the time; *last the part of the last point. */
static bool add_fine_point(finder *f, uint64_t part, uint64_t *last,
                           tfp_pool_point point)
{
    tfp_pool *pool = f->pool;
    if (pool->fine.count == 0 || part != *last) {
        *last = part;
        return TFP_VEC_PUSH(f->memory, &pool->fine, point);
    }
    if (point.bytes > pool->fine.data[pool->fine.count - 1].bytes)
        pool->fine.data[pool->fine.count - 1] = point;
    return true;
}

/* False once whoever is told wants no more. */
static bool tell_level(finder *f, const tfp_pool_event *event, int64_t level)
{
    const tfp_pool_request *request = f->request;
    if (request->on_level)
        f->status = request->on_level(request->self, event, level, f->err);
    return f->status == TFPROF_OK;
}

static bool find_peak(finder *f)
{
    tfp_pool *pool = f->pool;
    size_t count = f->request->count;
    int64_t level = f->base;
    uint64_t first, width, fine_width, part = 0;
    pool->first_at = event_at(f, 0)->at;
    pool->last_at = event_at(f, count - 1)->at;
    first = (uint64_t)pool->first_at;
    width = ((uint64_t)pool->last_at - first) / TFP_POOL_POINTS + 1;
    fine_width = ((uint64_t)pool->last_at - first) / TFP_POOL_FINE_POINTS + 1;
    for (size_t i = 0; i < count; i++) {
        const tfp_pool_event *event = event_at(f, i);
        int64_t before = level;
        if (tfp_watch_ends(&f->watch))
            return false;
        level = level_after(event, before);
        add_point(pool, (size_t)(((uint64_t)event->at - first) / width), before,
                  level);
        if (!tell_level(f, event, level) ||
            !add_fine_point(f, ((uint64_t)event->at - first) / fine_width,
                            &part,
                            (tfp_pool_point){ event->at, level, (uint32_t)i }))
            return false;
        if (i == 0 || level >= pool->peak) {
            pool->peak = level;
            f->peak = i;
        }
    }
    pool->peak_at = event_at(f, f->peak)->at;
    pool->reserved = positive(event_at(f, f->peak)->reserved);
    return true;
}

/* ---- The live set ------------------------------------------------------- */

/* All events at one address, places in rising order. The place of the block
 * that is live at the peak, or TFP_NO_ID. */
static uint32_t look_at_address(finder *f, const tfp_sort_item *places,
                                size_t count)
{
    uint32_t live = TFP_NO_ID;
    bool was_free = false;
    for (size_t i = 0; i < count; i++) {
        uint32_t place = places[i].index;
        const tfp_pool_event *event = event_at(f, place);
        f->pool->unmatched_frees += was_free && event->is_free;
        was_free = event->is_free;
        if (i == 0 && place > f->peak && event->is_free) {
            f->pool->early = tfp_add_sat(f->pool->early,
                                         positive(event->bytes));
            f->pool->early_count++;
        }
        if (place <= f->peak)
            live = event->is_free ? TFP_NO_ID : place;
    }
    return live;
}

/* Events with an address as items of their place; how many there are. */
static size_t list_addresses(const finder *f, tfp_sort_item *items)
{
    size_t listed = 0;
    for (size_t i = 0; i < f->request->count; i++) {
        const tfp_pool_event *event = event_at(f, i);
        if (event->has_address)
            items[listed++] = (tfp_sort_item){ event->address, (uint32_t)i };
    }
    return listed;
}

static tfp_sort_item item_of(const finder *f, size_t place)
{
    return (tfp_sort_item){ event_at(f, place)->kind, (uint32_t)place };
}

/* Events that the live set is made of, by kind. An address has at most one of
 * them, so they fit where the addresses were. */
static bool choose_events(finder *f, tfp_sort_item *items, size_t *chosen)
{
    size_t listed = list_addresses(f, items), start = 0;
    *chosen = 0;
    if (!sort(f, items, listed))
        return false;
    for (size_t i = 0; i < listed; i++) {
        uint32_t place;
        if (tfp_watch_ends(&f->watch))
            return false;
        if (i + 1 < listed && items[i + 1].key == items[i].key)
            continue;
        place = look_at_address(f, items + start, i + 1 - start);
        start = i + 1;
        if (place != TFP_NO_ID)
            items[(*chosen)++] = item_of(f, place);
    }
    for (size_t i = 0; i <= f->peak; i++) {
        if (!event_at(f, i)->has_address)
            items[(*chosen)++] = item_of(f, i);
    }
    return sort(f, items, *chosen);
}

static void add_event(tfp_live *live, const tfp_pool_event *event)
{
    int64_t requested = positive(event->requested);
    live->bytes = tfp_add_sat(live->bytes, change(event));
    live->requested = tfp_add_sat(live->requested,
                                  event->is_free ? -requested : requested);
    live->count += event->is_free ? -1 : 1;
}

static tfp_live_kind kind_of(const finder *f, uint32_t number)
{
    tfp_live_kind kind = { 0 };
    tfp_span bytes = tfp_interned(f->request->kinds, number);
    if (bytes.size == sizeof(kind)) /* item 0 is none */
        memcpy(&kind, bytes.data, sizeof(kind));
    return kind;
}

/* An entry for each kind that holds something. */
static bool add_entries(finder *f, const tfp_sort_item *items, size_t count)
{
    tfp_live live = { .bytes = 0 };
    for (size_t i = 0; i < count; i++) {
        add_event(&live, event_at(f, items[i].index));
        if (tfp_watch_ends(&f->watch))
            return false;
        if (i + 1 < count && items[i + 1].key == items[i].key)
            continue;
        live.kind = kind_of(f, (uint32_t)items[i].key);
        live.requested = positive(live.requested);
        if (live.bytes > 0 && !TFP_VEC_PUSH(f->memory, &f->pool->live, live))
            return false;
        live = (tfp_live){ .bytes = 0 };
    }
    return true;
}

/* The largest first; of equal ones the kind that came first. `items` has room
 * for as many as there are events. */
static bool sort_entries(finder *f, tfp_sort_item *items)
{
    tfp_pool *pool = f->pool;
    size_t count = pool->live.count;
    tfp_live *sorted = tfp_memory_array(f->memory, count, sizeof(*sorted));
    if (!sorted)
        return false;
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){
            tfp_sort_key_falling(pool->live.data[i].bytes), (uint32_t)i
        };
    if (!sort(f, items, count)) {
        tfp_memory_free(f->memory, sorted);
        return false;
    }
    for (size_t i = 0; i < count; i++)
        sorted[i] = pool->live.data[items[i].index];
    TFP_VEC_RELEASE(f->memory, &pool->live);
    pool->live.data = sorted;
    pool->live.count = pool->live.capacity = count;
    return true;
}

static void account(tfp_pool *pool)
{
    int64_t rest = tfp_sub_sat(tfp_sub_sat(pool->peak, pool->reserved),
                               pool->early);
    for (size_t i = 0; i < pool->live.count; i++)
        rest = tfp_sub_sat(rest, pool->live.data[i].bytes);
    pool->unaccounted = positive(rest);
    pool->missing_frees = positive(tfp_sub_sat(0, rest));
}

static bool find_live(finder *f)
{
    tfp_sort_item *items = tfp_memory_array(f->memory, f->request->count,
                                            sizeof(*items));
    size_t chosen;
    bool ok = items && choose_events(f, items, &chosen) &&
              add_entries(f, items, chosen) && sort_entries(f, items);
    tfp_memory_free(f->memory, items);
    if (ok)
        account(f->pool);
    return ok;
}

int tfp_pool_find(tfp_pool *pool, tfp_memory *memory,
                  const tfp_pool_request *request, size_t *peak_event,
                  tfprof_error *err)
{
    finder f = { .pool = pool,
                 .memory = memory,
                 .request = request,
                 .watch = { .cancel = request->cancel },
                 .err = err };
    bool ok;
    f.order = tfp_memory_array(memory, request->count, sizeof(*f.order));
    f.scratch = tfp_memory_array(memory, request->count, sizeof(*f.scratch));
    if (!f.order || !f.scratch) {
        tfp_memory_free(memory, f.order);
        tfp_memory_free(memory, f.scratch);
        return tfp_fail_nomem(err);
    }
    ok = sort_by_time(&f) && find_base(&f) && find_peak(&f) && find_live(&f) &&
         (!request->finds_peaks ||
          tfp_pool_find_peaks(pool, memory, request, f.order, f.scratch,
                              &f.watch));
    if (ok)
        *peak_event = f.order[f.peak].index;
    tfp_memory_free(memory, f.order);
    tfp_memory_free(memory, f.scratch);
    if (ok)
        return TFPROF_OK;
    if (f.status != TFPROF_OK)
        return f.status;
    return f.watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
}

/* ---- What inputs say ---------------------------------------------------- */

bool tfp_model_add_allocation(tfp_model *model, tfp_allocation allocation)
{
    return TFP_VEC_PUSH(model->memory, &model->allocations, allocation);
}

bool tfp_model_add_pool(tfp_model *model, const tfp_pool *pool)
{
    return TFP_VEC_PUSH(model->memory, &model->pools, *pool);
}
