/*
 * pools_peaks.c - the live sets at the peaks of a pool below its highest.
 *
 * The events are gone through once by time, with the bytes of each holder so
 * far. For that, each event must know which block it ends: the last event at
 * its address, if this was an allocation. Sorting the events by address once
 * tells that for all of them.
 */
#include "model/pools_peaks.h"

#include <stdint.h>
#include <string.h>

#include "base/bytes.h"
#include "base/intern.h"

typedef struct sweep {
    tfp_pool *pool;
    tfp_memory *memory;
    const tfp_pool_request *request;
    const tfp_sort_item *order;
    tfp_sort_item *scratch;
    tfp_watch *watch;
    uint32_t *ended;   /* by place: the place of the block that it ends, or
                        * TFP_NO_ID */
    tfp_live *by_kind; /* what each kind holds; the kind itself is not set */
    size_t kinds;
} sweep;

static const tfp_pool_event *event_at(const sweep *s, size_t place)
{
    return &s->request->events[s->order[place].index];
}

/* ---- Which peaks -------------------------------------------------------- */

/* A point that the curve falls after, and has risen before. Of equal points the
 * last counts, as for the highest peak. */
static bool is_peak(const tfp_pool *pool, size_t point)
{
    int64_t bytes = pool->fine.data[point].bytes;
    size_t before = point;
    if (point + 1 < pool->fine.count &&
        pool->fine.data[point + 1].bytes >= bytes)
        return false;
    while (before > 0 && pool->fine.data[before - 1].bytes == bytes)
        before--;
    return bytes > 0 &&
           (before == 0 || pool->fine.data[before - 1].bytes < bytes);
}

/* Keeps the highest peaks, in the order of time. The curve has few points, so
 * the lowest is looked for each time that one too many is there. */
static bool add_peak(sweep *s, uint32_t point)
{
    tfp_pool *pool = s->pool;
    tfp_pool_peak peak = { .point = point };
    size_t lowest = 0;
    if (!TFP_VEC_PUSH(s->memory, &pool->peaks, peak))
        return false;
    if (pool->peaks.count <= TFP_POOL_PEAKS)
        return true;
    for (size_t i = 1; i < pool->peaks.count; i++) {
        if (pool->fine.data[pool->peaks.data[i].point].bytes <
            pool->fine.data[pool->peaks.data[lowest].point].bytes)
            lowest = i;
    }
    memmove(pool->peaks.data + lowest, pool->peaks.data + lowest + 1,
            (pool->peaks.count - lowest - 1) * sizeof(peak));
    pool->peaks.count--;
    return true;
}

static bool choose_peaks(sweep *s)
{
    const tfp_pool *pool = s->pool;
    for (size_t i = 0; i < pool->fine.count; i++) {
        if (pool->fine.data[i].at != pool->peak_at && is_peak(pool, i) &&
            !add_peak(s, (uint32_t)i))
            return false;
    }
    return true;
}

/* ---- Blocks ------------------------------------------------------------- */

static bool find_ended(sweep *s)
{
    size_t listed = 0, count = s->request->count;
    tfp_sort_item *items = tfp_memory_array(s->memory, count + 1,
                                            sizeof(*items));
    bool ok = items != NULL;
    for (size_t i = 0; ok && i < count; i++) {
        const tfp_pool_event *event = event_at(s, i);
        s->ended[i] = TFP_NO_ID;
        if (event->has_address)
            items[listed++] = (tfp_sort_item){ event->address, (uint32_t)i };
    }
    if (ok)
        ok = tfp_sort_until(items, listed, s->scratch, NULL, NULL,
                            s->request->cancel);
    for (size_t i = 1; ok && i < listed; i++) {
        if (items[i].key == items[i - 1].key &&
            !event_at(s, items[i - 1].index)->is_free)
            s->ended[items[i].index] = items[i - 1].index;
    }
    tfp_memory_free(s->memory, items);
    return ok;
}

static void add_block(sweep *s, const tfp_pool_event *event, int64_t sign)
{
    tfp_live *live = &s->by_kind[event->kind];
    int64_t bytes = event->bytes > 0 ? event->bytes : 0;
    int64_t requested = event->requested > 0 ? event->requested : 0;
    live->bytes = tfp_add_sat(live->bytes, sign * bytes);
    live->requested = tfp_add_sat(live->requested, sign * requested);
    live->count += sign;
}

/* A free at an address without a block frees what was there before the records
 * began, which no holder has. */
static void apply(sweep *s, size_t place)
{
    const tfp_pool_event *event = event_at(s, place);
    if (s->ended[place] != TFP_NO_ID)
        add_block(s, event_at(s, s->ended[place]), -1);
    if (!event->is_free)
        add_block(s, event, 1);
    else if (!event->has_address)
        add_block(s, event, -1);
}

/* ---- Live sets ---------------------------------------------------------- */

static tfp_live_kind kind_of(const sweep *s, size_t number)
{
    tfp_live_kind kind = { 0 };
    tfp_span bytes = tfp_interned(s->request->kinds, (uint32_t)number);
    if (bytes.size == sizeof(kind)) /* item 0 is none */
        memcpy(&kind, bytes.data, sizeof(kind));
    return kind;
}

/* Puts a holder where its bytes belong; of equal ones the first stays first. */
static void add_holder(tfp_pool_peak *peak, const tfp_live *live)
{
    size_t at = peak->count;
    while (at > 0 && peak->live[at - 1].bytes < live->bytes)
        at--;
    if (at == TFP_POOL_PEAK_HOLDERS) {
        peak->others = tfp_add_sat(peak->others, live->bytes);
        return;
    }
    if (peak->count == TFP_POOL_PEAK_HOLDERS)
        peak->others = tfp_add_sat(peak->others,
                                   peak->live[--peak->count].bytes);
    memmove(peak->live + at + 1, peak->live + at,
            (peak->count - at) * sizeof(*live));
    peak->live[at] = *live;
    peak->count++;
}

static void take_live(sweep *s, tfp_pool_peak *peak)
{
    for (size_t kind = 0; kind < s->kinds && !tfp_watch_ends(s->watch);
         kind++) {
        tfp_live live = s->by_kind[kind];
        if (live.bytes <= 0)
            continue;
        live.kind = kind_of(s, kind);
        add_holder(peak, &live);
    }
}

static bool sweep_events(sweep *s)
{
    tfp_pool *pool = s->pool;
    size_t next = 0;
    for (size_t i = 0; i < s->request->count && next < pool->peaks.count; i++) {
        tfp_pool_peak *peak = &pool->peaks.data[next];
        if (tfp_watch_ends(s->watch))
            return false;
        apply(s, i);
        if (pool->fine.data[peak->point].place == i) {
            take_live(s, peak);
            next++;
        }
    }
    return !s->watch->cancelled;
}

bool tfp_pool_find_peaks(tfp_pool *pool, tfp_memory *memory,
                         const tfp_pool_request *request,
                         const tfp_sort_item *order, tfp_sort_item *scratch,
                         tfp_watch *watch)
{
    sweep s = { .pool = pool,
                .memory = memory,
                .request = request,
                .order = order,
                .scratch = scratch,
                .watch = watch,
                .kinds = (size_t)tfp_interner_count(request->kinds) + 1 };
    bool ok;
    s.ended = tfp_memory_array(memory, request->count + 1, sizeof(*s.ended));
    s.by_kind = tfp_memory_zarray(memory, s.kinds, sizeof(*s.by_kind));
    ok = s.ended && s.by_kind && choose_peaks(&s) && find_ended(&s) &&
         sweep_events(&s);
    tfp_memory_free(memory, s.ended);
    tfp_memory_free(memory, s.by_kind);
    return ok;
}
