/*
 * costing.h - small models with runs, and what their nodes cost.
 */
#ifndef TFP_TESTS_COSTING_H
#define TFP_TESTS_COSTING_H

#include "loading.h"
#include "sample_messages.h"

#include "model/census.h"
#include "model/costs.h"

#define CPU    "/job:w/replica:0/task:0/device:CPU:0"
#define GPU    "/job:w/replica:0/task:0/device:GPU:0"
#define STREAM "/device:GPU:0/stream:all"

enum { ALL_COSTS = (1 << TFP_COST_COUNT) - 1, AVERAGE = -1 };

/* ---- Messages ----------------------------------------------------------- */

static inline void add(loading *l, const char *role, wire_bytes *b)
{
    if (loading_add(l, role, wire_span(b)) != TFPROF_OK)
        fail_msg("%s", l->err.message);
    wire_free(b);
}

static inline void add_node(loading *l, const char *name, const char *op)
{
    wire_bytes b = { 0 };
    sample_node(&b, 1, name, op, NULL);
    add(l, "graph_path", &b);
}

/* A node with a shape attribute of `rank` dims; -1 is unknown rank. */
static inline void add_variable(loading *l, const char *name,
                                const int64_t *dims, int rank)
{
    wire_bytes b = { 0 };
    size_t node = wire_open(&b, 1), at[2], shape;
    wire_put(&b, "1'%s' 2'VariableV2'", name);
    sample_entry(&b, 5, "shape", at);
    shape = wire_open(&b, 7);
    if (rank < 0)
        wire_put(&b, "3:1");
    for (int i = 0; i < rank; i++)
        wire_put(&b, "2{1:%jd}", dims[i]);
    wire_close(&b, shape);
    sample_entry_end(&b, at);
    wire_close(&b, node);
    add(l, "graph_path", &b);
}

/* What a run record says. */
typedef struct run {
    const char *device, *name;
    int64_t start, end; /* all_start, op_end_rel */
    int64_t total, peak, live, temp, persistent, output;
    int64_t scheduled;
} run;

static inline void put_run(wire_bytes *b, const run *r)
{
    wire_put(b,
             "2{1'%s' 2:%jd 4:%jd 6{1'cpu' 2:%jd 3:%jd 4:%jd} "
             "7{3{4{1:%jd}}} 9:%jd 12{1:%jd 3:%jd}}",
             r->name, r->start, r->end, r->total, r->peak, r->live, r->output,
             r->scheduled, r->temp, r->persistent);
}

/* One step: each record stands in a DeviceStepStats of its own. */
static inline void add_step(loading *l, const run *runs, size_t count)
{
    wire_bytes b = { 0 };
    size_t step = wire_open(&b, 1);
    for (size_t i = 0; i < count; i++) {
        size_t device = wire_open(&b, 1);
        wire_text(&b, 1, runs[i].device);
        put_run(&b, &runs[i]);
        wire_close(&b, device);
    }
    wire_close(&b, step);
    add(l, "run_meta_path", &b);
}

#define ADD_STEP(l, ...)                                                       \
    add_step(l, (const run[]){ __VA_ARGS__ },                                  \
             sizeof((const run[]){ __VA_ARGS__ }) / sizeof(run))

static inline void add_float_ops(loading *l, const char *name,
                                 int64_t float_ops)
{
    wire_bytes b = { 0 };
    wire_put(&b, "1{1'%s' 2:%jd}", name, float_ops);
    add(l, "op_log_path", &b);
}

/* ---- Looking ------------------------------------------------------------ */

typedef struct taken {
    loading *l;
    tfp_census census;
    tfp_costs costs;
} taken;

static inline taken take(loading *l, int64_t step)
{
    taken t = { .l = l };
    assert_ok(tfp_census_init(&t.census, &l->model, &l->memory, NULL, NULL));
    assert_ok(tfp_costs_init(&t.costs, &t.census, step, ALL_COSTS, NULL, NULL));
    return t;
}

static inline void release(taken *t)
{
    tfp_costs_release(&t->costs, &t->l->memory);
    tfp_census_release(&t->census);
}

static inline uint32_t find(const taken *t, const char *name)
{
    tfp_string id = loading_name(t->l, name);
    return id < t->census.name_count ? t->census.by_name[id] : TFP_NO_ID;
}

static inline const tfp_member *member(const taken *t, const char *name)
{
    assert_int_not_equal(find(t, name), TFP_NO_ID);
    return &t->census.members.data[find(t, name)];
}

static inline int64_t cost(const taken *t, const char *name, tfp_cost which)
{
    assert_int_not_equal(find(t, name), TFP_NO_ID);
    return *tfp_costs_at(&t->costs, find(t, name), which);
}

static inline void check_device(const taken *t, const char *name,
                                const char *device)
{
    tfp_span text = tfp_model_text(&t->l->model, member(t, name)->device);
    assert_true(tfp_span_is(text, device));
}

static inline void check_times(const taken *t, const char *name, int64_t micros,
                               int64_t accelerator, int64_t cpu, int64_t runs)
{
    assert_int_equal(cost(t, name, TFP_COST_MICROS), micros);
    assert_int_equal(cost(t, name, TFP_COST_ACCELERATOR_MICROS), accelerator);
    assert_int_equal(cost(t, name, TFP_COST_CPU_MICROS), cpu);
    assert_int_equal(cost(t, name, TFP_COST_RUNS), runs);
}

static inline void check_memory(const taken *t, const char *name, int64_t bytes,
                                int64_t peak, int64_t residual, int64_t output)
{
    assert_int_equal(cost(t, name, TFP_COST_BYTES), bytes);
    assert_int_equal(cost(t, name, TFP_COST_PEAK_BYTES), peak);
    assert_int_equal(cost(t, name, TFP_COST_RESIDUAL_BYTES), residual);
    assert_int_equal(cost(t, name, TFP_COST_OUTPUT_BYTES), output);
}

/* Takes a look at what is loaded, for the block that follows. */
#define LOOK(loaded, t, step)                                                  \
    for (taken t = take(loaded, step); t.l; release(&t), t.l = NULL)

#endif
