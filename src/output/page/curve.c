/*
 * curve.c - the memory of a pool over time, and what held it at its peak.
 */
#include "base/bytes.h"
#include "base/error.h"
#include "base/memory.h"
#include "model/model.h"
#include "model/pools.h"
#include "output/page/chunks.h"
#include "output/page/html.h"
#include "output/text/json.h"

enum { MOST_HOLDERS = 100 }; /* of the live set at the highest peak */

typedef struct curve {
    tfp_chunks *chunks;
    const tfp_model *model;
    const tfp_pool *pool;
    int64_t times[TFP_POOL_FINE_POINTS], bytes[TFP_POOL_FINE_POINTS];
    size_t count; /* of points */
    size_t peak;  /* index of the point of the highest peak */
} curve;

/* Fills the points. Times are on the clock of the table of pools: since the
 * trace or the step began. */
static void fill(curve *c)
{
    const tfp_pool *pool = c->pool;
    for (size_t i = 0; i < pool->fine.count && i < TFP_POOL_FINE_POINTS; i++) {
        c->times[i] = pool->fine.data[i].at;
        c->bytes[i] = pool->fine.data[i].bytes;
        if (pool->fine.data[i].at <= pool->peak_at)
            c->peak = i;
        c->count = i + 1;
    }
    /* Several moments may have the highest level, but each part of the time has
     * only one point. So the point of the peak may be later than peak_at. */
    if (c->count > c->peak + 1 && c->bytes[c->peak + 1] == pool->peak &&
        c->bytes[c->peak] != pool->peak)
        c->peak++;
    if (c->count > 0)
        c->times[c->peak] = pool->peak_at;
}

static void put_holder(curve *c, tfp_json *json, const char *name,
                       int64_t bytes)
{
    if (bytes <= 0)
        return;
    tfp_json_open(json, NULL, '{');
    tfp_json_text(json, "name", name);
    tfp_json_int(json, "bytes", bytes);
    tfp_json_close(json);
    (void)c;
}

static void put_entry(curve *c, tfp_json *json, const tfp_live *live)
{
    tfp_span name = tfp_model_text(c->model, live->kind.name);
    tfp_json_open(json, NULL, '{');
    tfp_chunk_text(c->chunks, "name",
                   name.size > 0 ? name : tfp_span_of("(unknown)"));
    tfp_json_int(json, "bytes", live->bytes);
    tfp_json_close(json);
}

static void put_live(curve *c, tfp_json *json)
{
    const tfp_pool *pool = c->pool;
    int64_t rest = 0;
    for (size_t i = 0; i < pool->live.count; i++) {
        if (i < MOST_HOLDERS)
            put_entry(c, json, &pool->live.data[i]);
        else
            rest = tfp_add_sat(rest, pool->live.data[i].bytes);
    }
    put_holder(c, json, "(others)", rest);
    put_holder(c, json, TFP_HELD_EARLY, pool->early);
    put_holder(c, json, TFP_HELD_BEFORE, pool->unaccounted);
    put_holder(c, json, TFP_HELD_RESERVED, pool->reserved);
}

/* Memory that no recorded block explains was allocated before the records
 * began, or is reserved where the allocator says that some is. */
static void put_lower_peak(curve *c, tfp_json *json, const tfp_pool_peak *peak)
{
    int64_t rest = tfp_sub_sat(c->pool->fine.data[peak->point].bytes,
                               peak->others);
    tfp_json_open(json, NULL, '{');
    tfp_json_int(json, "row", peak->point);
    tfp_json_open(json, "live", '[');
    for (size_t i = 0; i < peak->count; i++) {
        put_entry(c, json, &peak->live[i]);
        rest = tfp_sub_sat(rest, peak->live[i].bytes);
    }
    put_holder(c, json, "(others)", peak->others);
    put_holder(c, json,
               c->pool->reserved > 0 ? TFP_HELD_RESERVED : TFP_HELD_BEFORE,
               rest);
    tfp_json_close(json);
    tfp_json_close(json);
}

static void put_peaks(curve *c, tfp_json *json)
{
    tfp_json_open(json, "peaks", '[');
    for (size_t i = 0; i < c->pool->peaks.count; i++) {
        if (c->pool->peaks.data[i].point != c->peak)
            put_lower_peak(c, json, &c->pool->peaks.data[i]);
    }
    tfp_json_open(json, NULL, '{');
    tfp_json_int(json, "row", (int64_t)c->peak);
    tfp_json_open(json, "live", '[');
    put_live(c, json);
    tfp_json_close(json);
    tfp_json_close(json);
    tfp_json_close(json);
}

/* "GPU:0 GPU_0_bfc" */
static bool put_device(curve *c)
{
    tfp_span parts[] = { tfp_model_text(c->model, c->pool->place),
                         tfp_model_text(c->model, c->pool->name) };
    tfp_span prefix = tfp_span_of(tfp_allocator_prefix(parts[1]));
    TFP_VEC(uint8_t) text = { 0 };
    size_t room = parts[0].size + parts[1].size + prefix.size + 1;
    if (!TFP_VEC_RESERVE(c->chunks->memory, &text, room))
        return false;
    for (size_t i = 0; i < parts[0].size; i++)
        text.data[text.count++] = parts[0].data[i];
    if (parts[0].size > 0 && parts[1].size > 0)
        text.data[text.count++] = ' ';
    for (size_t i = 0; i < prefix.size; i++)
        text.data[text.count++] = prefix.data[i];
    for (size_t i = 0; i < parts[1].size; i++)
        text.data[text.count++] = parts[1].data[i];
    tfp_chunk_text(c->chunks, "device", (tfp_span){ text.data, text.count });
    TFP_VEC_RELEASE(c->chunks->memory, &text);
    return true;
}

static bool put_curve(curve *c)
{
    tfp_json *json = tfp_chunk_open(c->chunks, "curve");
    tfp_planes times = tfp_planes_of(c->times, c->count);
    tfp_planes bytes = tfp_planes_of(c->bytes, c->count);
    tfp_json_text(json, "id", "memory");
    if (!put_device(c))
        return false;
    if (tfp_pool_is_estimated(c->pool))
        tfp_json_bool(json, "estimated", true);
    tfp_json_int(json, "rows", (int64_t)c->count);
    tfp_json_open(json, "columns", '[');
    tfp_chunk_column(c->chunks, "time", times);
    tfp_json_text(json, "unit", "ps");
    tfp_json_close(json);
    tfp_chunk_column(c->chunks, "bytes", bytes);
    tfp_json_text(json, "unit", "bytes");
    tfp_json_close(json);
    tfp_json_close(json);
    put_peaks(c, json);
    tfp_chunk_begin_columns(c->chunks);
    tfp_chunk_values(c->chunks, c->times, c->count, times);
    tfp_chunk_values(c->chunks, c->bytes, c->count, bytes);
    return true;
}

int tfp_html_curve(tfp_chunks *chunks, const tfp_model *model,
                   const tfp_pool *pool, tfprof_error *err)
{
    tfp_memory *memory = chunks->memory;
    curve *c = tfp_memory_zalloc(memory, sizeof(*c));
    bool ok;
    if (!c)
        return tfp_fail_nomem(err);
    c->chunks = chunks;
    c->model = model;
    c->pool = pool;
    fill(c);
    ok = c->count == 0 || put_curve(c);
    tfp_memory_free(memory, c);
    return ok && !chunks->failed ? TFPROF_OK : tfp_fail_nomem(err);
}
