/*
 * memory.c - the most memory that was in use, and what held it then.
 *
 * A row of `memory` is a holder at the peak of a pool, a row of `pools` an
 * allocator or a device. What was allocated before the records began has a row
 * among the holders, so that the rows of a pool add up to its peak.
 */
#include "base/memory.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/sort.h"
#include "model/model.h"
#include "model/pools.h"
#include "proto/dtype.h"
#include "sheet/sheets.h"

#include <stdio.h>

#define TEXT(name, title, reader)                                              \
    { name, title, TFP_SHEET_TEXT, NULL, reader, false }
#define BYTES(name, title, reader)                                             \
    { name, title, TFP_SHEET_BYTES, "bytes", reader, false }

static const tfp_sheet_column columns[] = {
    TEXT("place", "", TFP_FOR_PROGRAMS),
    TEXT("allocator", "", TFP_FOR_PROGRAMS),
    BYTES("bytes", "bytes", TFP_FOR_ALL),
    { "percent_of_peak", "% of peak", TFP_SHEET_REAL, "percent", TFP_FOR_ALL,
      false },
    BYTES("requested_bytes", "", TFP_FOR_PROGRAMS),
    { "count", "blocks", TFP_SHEET_NUMBER, "count", TFP_FOR_ALL, false },
    { "short", "pool", TFP_SHEET_TEXT, NULL, TFP_FOR_PEOPLE, true },
    { "name", "held by", TFP_SHEET_TEXT, NULL, TFP_FOR_ALL, true },
    TEXT("op_type", "type", TFP_FOR_ALL),
    TEXT("region", "", TFP_FOR_PROGRAMS),
    TEXT("dtype", "", TFP_FOR_PROGRAMS),
    TEXT("shape", "shape", TFP_FOR_ALL),
};

static const tfp_sheet_column pool_columns[] = {
    { "short", "pool", TFP_SHEET_TEXT, NULL, TFP_FOR_PEOPLE, true },
    TEXT("place", "", TFP_FOR_PROGRAMS),
    TEXT("allocator", "", TFP_FOR_PROGRAMS),
    TEXT("source", "source", TFP_FOR_ALL),
    BYTES("peak_bytes", "peak", TFP_FOR_ALL),
    { "peak_at_micros", "at", TFP_SHEET_TIME, "us", TFP_FOR_ALL, false },
    { "step", "step", TFP_SHEET_NUMBER, NULL, TFP_FOR_ALL, false },
    BYTES("capacity_bytes", "of", TFP_FOR_ALL),
    BYTES("reported_peak_bytes", "", TFP_FOR_PROGRAMS),
    BYTES("missing_frees_bytes", "", TFP_FOR_PROGRAMS),
    { "allocations", "", TFP_SHEET_NUMBER, "count", TFP_FOR_PROGRAMS, false },
    { "frees", "", TFP_SHEET_NUMBER, "count", TFP_FOR_PROGRAMS, false },
    { "curve_bytes", "over time", TFP_SHEET_CURVE, "bytes", TFP_FOR_ALL,
      false },
};

typedef struct fill_state {
    const tfp_sheet_request *request;
    const tfp_model *model;
    const tfp_pool *pool;
    tfp_sheet *holders, *pools;
    TFP_VEC(uint8_t) name; /* of the pool, for people */
} fill_state;

static void put_text_or_null(tfp_sheet *sheet, tfp_span text)
{
    if (text.size > 0)
        tfp_sheet_put_text(sheet, text);
    else
        tfp_sheet_put_null(sheet);
}

static tfp_span text_of(const fill_state *s, tfp_string id)
{
    return tfp_model_text(s->model, id);
}

/* ---- Pools -------------------------------------------------------------- */

static bool append(fill_state *s, tfp_span text)
{
    if (!TFP_VEC_RESERVE(s->request->memory, &s->name, text.size))
        return false;
    if (text.size > 0)
        memcpy(s->name.data + s->name.count, text.data, text.size);
    s->name.count += text.size;
    return true;
}

/* "GPU:0 GPU_0_bfc"; an allocator that has a number only is "memory 1". */
static bool name_pool(fill_state *s)
{
    tfp_span place = text_of(s, s->pool->place);
    tfp_span name = text_of(s, s->pool->name);
    s->name.count = 0;
    return append(s, tfp_device_short(place)) &&
           append(s, tfp_span_of(place.size && name.size ? " " : "")) &&
           append(s, tfp_span_of(tfp_allocator_prefix(name))) &&
           append(s, name);
}

static tfp_span short_name(const fill_state *s)
{
    return (tfp_span){ s->name.data, s->name.count };
}

static void put_curve(fill_state *s)
{
    char text[TFP_POOL_POINTS * 24];
    size_t used = 0;
    for (size_t i = 0; i < s->pool->points; i++)
        used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%lld",
                                 i > 0 ? " " : "",
                                 (long long)s->pool->curve[i]);
    put_text_or_null(s->pools, (tfp_span){ (const uint8_t *)text, used });
}

static void put_pool(fill_state *s)
{
    static const char *const sources[] = { "trace", "records", "estimated" };
    const tfp_pool *pool = s->pool;
    tfp_sheet *sheet = s->pools;
    tfp_sheet_put_text(sheet, short_name(s));
    tfp_sheet_put_text(sheet, text_of(s, pool->place));
    put_text_or_null(sheet, text_of(s, pool->name));
    tfp_sheet_put_text(sheet, tfp_span_of(sources[pool->source]));
    tfp_sheet_put_number(sheet, pool->peak);
    tfp_sheet_put_number(sheet, pool->peak_at);
    tfp_sheet_put_known(sheet, pool->has_step ? pool->step : -1);
    tfp_sheet_put_known(sheet, pool->capacity > 0 ? pool->capacity : -1);
    tfp_sheet_put_known(sheet,
                        pool->reported_peak > 0 ? pool->reported_peak : -1);
    tfp_sheet_put_number(sheet, pool->missing_frees);
    tfp_sheet_put_number(sheet, pool->allocations);
    tfp_sheet_put_number(sheet, pool->frees);
    put_curve(s);
}

/* ---- Holders ------------------------------------------------------------ */

static void put_amounts(fill_state *s, int64_t bytes, int64_t requested,
                        int64_t count)
{
    tfp_sheet *sheet = s->holders;
    tfp_sheet_put_text(sheet, text_of(s, s->pool->place));
    put_text_or_null(sheet, text_of(s, s->pool->name));
    tfp_sheet_put_number(sheet, bytes);
    if (s->pool->peak > 0)
        tfp_sheet_put_real(sheet, 100 * (double)bytes / (double)s->pool->peak);
    else
        tfp_sheet_put_null(sheet);
    tfp_sheet_put_known(sheet, requested > 0 ? requested : -1);
    tfp_sheet_put_known(sheet, count > 0 ? count : -1);
    tfp_sheet_put_text(sheet, short_name(s));
}

/* Fills the remaining cells of the row with nulls. */
static void end_row(fill_state *s)
{
    while (s->holders->at > 0)
        tfp_sheet_put_null(s->holders);
}

static void put_shape(fill_state *s, const tfp_live_kind *kind)
{
    char text[256], *at = text;
    int rank;
    const int64_t *dims = tfp_shape_dims(s->model, kind->shape, &rank);
    tfp_span written = text_of(s, kind->dims);
    if (written.size > 0 || kind->shape == 0 || rank < 0 || rank > 8) {
        put_text_or_null(s->holders, written);
        return;
    }
    *at++ = '[';
    for (int i = 0; i < rank; i++)
        at += snprintf(at, 24, "%s%lld", i > 0 ? "," : "", (long long)dims[i]);
    *at++ = ']';
    tfp_sheet_put_text(
        s->holders, (tfp_span){ (const uint8_t *)text, (size_t)(at - text) });
}

static void put_live(fill_state *s, const tfp_live *live)
{
    const tfp_dtype_facts *dtype = tfp_dtype_find(live->kind.dtype);
    put_amounts(s, live->bytes, live->requested, live->count);
    put_text_or_null(s->holders, text_of(s, live->kind.name));
    put_text_or_null(s->holders,
                     text_of(s, tfp_live_type(s->model, &live->kind)));
    put_text_or_null(s->holders, text_of(s, live->kind.region));
    put_text_or_null(s->holders,
                     tfp_span_of(dtype && live->kind.dtype ? dtype->name : ""));
    put_shape(s, &live->kind);
}

static void put_group(fill_state *s, const tfp_live_group *group)
{
    put_amounts(s, group->bytes, group->requested, group->count);
    if (group->name.size == 0)
        tfp_sheet_put_text(s->holders, tfp_span_of("(unknown)"));
    else if (group->line > 0)
        tfp_sheet_put_place(s->holders, group->name, group->line);
    else
        tfp_sheet_put_text(s->holders, group->name);
    end_row(s);
}

static int put_groups(fill_state *s, tfprof_error *err)
{
    static const tfp_live_by by[] = { [TFP_BY_SCOPE] = TFP_LIVE_BY_SCOPE,
                                      [TFP_BY_OP] = TFP_LIVE_BY_TYPE,
                                      [TFP_BY_LINE] = TFP_LIVE_BY_LINE };
    tfp_live_groups groups;
    int status = tfp_live_groups_init(&groups, s->model, s->pool,
                                      s->request->memory, by[s->request->by], 0,
                                      err);
    for (size_t i = 0; status == TFPROF_OK && i < groups.groups.count; i++)
        put_group(s, &groups.groups.data[i]);
    tfp_live_groups_release(&groups);
    return status;
}

static void put_rest(fill_state *s, const char *name, int64_t bytes,
                     int64_t count)
{
    if (bytes <= 0)
        return;
    put_amounts(s, bytes, 0, count);
    tfp_sheet_put_text(s->holders, tfp_span_of(name));
    end_row(s);
}

static int live_tie(const void *context, uint32_t a, uint32_t b)
{
    const fill_state *s = context;
    const tfp_live_kind *x = &s->pool->live.data[a].kind;
    const tfp_live_kind *y = &s->pool->live.data[b].kind;
    const tfp_string texts[][2] = { { x->name, y->name },
                                    { x->type, y->type },
                                    { x->region, y->region },
                                    { x->dims, y->dims } };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        int order = tfp_span_compare(text_of(s, texts[i][0]),
                                     text_of(s, texts[i][1]));
        if (order != 0)
            return order;
    }
    return (x->dtype > y->dtype) - (x->dtype < y->dtype);
}

/* The largest first, of equal ones by name. */
static int put_nodes(fill_state *s, tfprof_error *err)
{
    size_t count = s->pool->live.count, most = s->request->most_held;
    tfp_memory *memory = s->request->memory;
    tfp_sort_item *items = tfp_memory_array(memory, 2 * count + 1,
                                            sizeof(*items));
    if (!items)
        return tfp_fail_nomem(err);
    for (size_t i = 0; i < count; i++)
        items[i] = (tfp_sort_item){
            tfp_sort_key_falling(s->pool->live.data[i].bytes), (uint32_t)i
        };
    tfp_sort(items, count, items + count, live_tie, s);
    for (size_t i = 0; i < count && (most == 0 || i < most); i++)
        put_live(s, &s->pool->live.data[items[i].index]);
    tfp_memory_free(memory, items);
    return TFPROF_OK;
}

static int put_holders(fill_state *s, tfprof_error *err)
{
    int status = s->request->by == TFP_BY_NODE ? put_nodes(s, err)
                                               : put_groups(s, err);
    put_rest(s, TFP_HELD_EARLY, s->pool->early, s->pool->early_count);
    put_rest(s, TFP_HELD_BEFORE, s->pool->unaccounted, 0);
    put_rest(s, TFP_HELD_RESERVED, s->pool->reserved, 0);
    return status;
}

typedef struct pool_order {
    const tfp_model *model;
    const tfp_memory_use *use;
} pool_order;

/* Of pools with one peak the first by name, then by time. */
static int pool_tie(const void *context, uint32_t a, uint32_t b)
{
    const pool_order *order = context;
    const tfp_pool *x = order->use->pools.data[a];
    const tfp_pool *y = order->use->pools.data[b];
    int by_place = tfp_span_compare(tfp_model_text(order->model, x->place),
                                    tfp_model_text(order->model, y->place));
    int by_name = tfp_span_compare(tfp_model_text(order->model, x->name),
                                   tfp_model_text(order->model, y->name));
    if (by_place != 0)
        return by_place;
    if (by_name != 0)
        return by_name;
    return (x->peak_at > y->peak_at) - (x->peak_at < y->peak_at);
}

/* The largest first. */
static int put_all(fill_state *s, const tfp_memory_use *use, bool of_traces,
                   tfprof_error *err)
{
    size_t count = use->pools.count;
    pool_order order = { s->model, use };
    tfp_memory *memory = s->request->memory;
    tfp_sort_item *items = tfp_memory_array(memory, 2 * count + 1,
                                            sizeof(*items));
    int status = items ? TFPROF_OK : tfp_fail_nomem(err);
    for (size_t i = 0; i < count && items; i++)
        items[i] = (tfp_sort_item){
            tfp_sort_key_falling(use->pools.data[i]->peak), (uint32_t)i
        };
    if (items)
        tfp_sort(items, count, items + count, pool_tie, &order);
    for (size_t i = 0; i < count && status == TFPROF_OK; i++) {
        s->pool = use->pools.data[items[i].index];
        if ((s->pool->source == TFP_POOL_TRACE) != of_traces ||
            s->pool->peak <= 0)
            continue;
        if (!name_pool(s)) {
            status = tfp_fail_nomem(err);
            break;
        }
        put_pool(s);
        status = put_holders(s, err);
    }
    tfp_memory_free(memory, items);
    return status;
}

/* Pools of traces are of one model, those of RunMetadata of the other. */
static int add_model(fill_state *s, const tfp_model *model, bool of_traces,
                     tfprof_error *err)
{
    enum { LARGEST_STEP = -1 };
    tfp_memory_use use;
    int status = tfp_memory_use_init(&use, model, s->request->memory,
                                     LARGEST_STEP, s->request->watch->cancel,
                                     err);
    s->model = model;
    if (status == TFPROF_OK)
        status = put_all(s, &use, of_traces, err);
    tfp_memory_use_release(&use);
    return status;
}

/* A record without bytes only tells what its allocator reports. */
static bool has_records(const tfp_model *model)
{
    for (size_t i = 0; i < model->allocations.count; i++) {
        if (model->allocations.data[i].bytes != 0)
            return true;
    }
    return model->pools.count > 0;
}

bool tfp_memory_is_left_out(const tfp_sheet_request *request)
{
    const tfp_model *model = request->model;
    size_t runs = 0;
    for (size_t i = 0; i < model->steps.count; i++)
        runs += model->steps.data[i].execs.count;
    return request->most_runs > 0 && runs > request->most_runs &&
           !has_records(model);
}

int tfp_memory_fill(const tfp_sheet_request *request, tfp_sheet *sheets,
                    tfprof_error *err)
{
    fill_state s = { .request = request,
                     .holders = &sheets[0],
                     .pools = &sheets[1] };
    int status;
    tfp_sheet_init(&sheets[0], request->memory, "memory", columns,
                   sizeof(columns) / sizeof(columns[0]));
    tfp_sheet_init(&sheets[1], request->memory, "pools", pool_columns,
                   sizeof(pool_columns) / sizeof(pool_columns[0]));
    sheets[1].leads = true;
    status = request->traces->pools.count > 0
                 ? add_model(&s, request->traces, true, err)
                 : TFPROF_OK;
    if (status == TFPROF_OK && !tfp_memory_is_left_out(request))
        status = add_model(&s, request->model, false, err);
    TFP_VEC_RELEASE(request->memory, &s.name);
    return status == TFPROF_OK ? tfp_sheet_status(request, sheets, 2, err)
                               : status;
}
