/*
 * fuzz_profile_roundtrip.c - any profile that is read can be written and read
 * back.
 *
 * Holds that what was written is accepted and written again as the same bytes,
 * and that each node has the same name, type, device, inputs and costs in it.
 */
#include <string.h>

#include <tfprof/tfprof.h>

#include "api/profile.h"
#include "asking.h"
#include "fuzz.h"
#include "model/costs.h"
#include "output/profile/profile.h"
#include "target.h"

enum { MOST_MEMORY = 16 << 20 };

/* Sums past this may have stopped at the largest number, and where they did
 * depends on the order of what was added. */
static const int64_t most_cost = (int64_t)1 << 40;

/* NULL when the bytes are refused. */
static tfprof_profile *load(const uint8_t *bytes, size_t size, size_t *held)
{
    tfprof_profile *p = fuzz_profile_new(held, MOST_MEMORY);
    if (tfprof_profile_add_memory(p, "saved", bytes, size, "profile_path",
                                  NULL) == TFPROF_OK)
        return p;
    tfprof_profile_free(p);
    return NULL;
}

static const tfp_census *census_of(tfprof_profile *p)
{
    const tfp_census *census;
    FUZZ_CHECK(tfp_profile_census(p, &census, NULL) == TFPROF_OK);
    return census;
}

static fuzz_answer save(tfprof_profile *p)
{
    fuzz_answer s = { 0 };
    tfp_sink sink;
    tfp_sink_init(&sink, fuzz_keep, &s);
    FUZZ_CHECK(tfp_profile_write(census_of(p), &sink, NULL) == TFPROF_OK);
    FUZZ_CHECK(tfp_sink_flush(&sink));
    return s;
}

/* ---- Comparing ---------------------------------------------------------- */

static void check_text(const tfp_census *a, tfp_string of_a,
                       const tfp_census *b, tfp_string of_b)
{
    FUZZ_CHECK(tfp_span_equal(tfp_model_text(a->model, of_a),
                              tfp_model_text(b->model, of_b)));
}

static void check_inputs(const tfp_census *a, const tfp_member *of_a,
                         const tfp_census *b, const tfp_member *of_b)
{
    const tfp_nodes *nodes[2] = { &a->model->nodes, &b->model->nodes };
    size_t count, other;
    const tfp_edge *edges = tfp_node_inputs(nodes[0], of_a->node, &count);
    const tfp_edge *others = tfp_node_inputs(nodes[1], of_b->node, &other);
    FUZZ_CHECK(count == other);
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(edges[i].port == others[i].port);
        FUZZ_CHECK((edges[i].source == TFP_NO_NODE) ==
                   (others[i].source == TFP_NO_NODE));
        if (edges[i].source == TFP_NO_NODE)
            continue;
        FUZZ_CHECK(edges[i].output == others[i].output);
        check_text(a, nodes[0]->name[edges[i].source], b,
                   nodes[1]->name[others[i].source]);
    }
}

static void check_members(const tfp_census *a, const tfp_census *b)
{
    FUZZ_CHECK(a->members.count == b->members.count);
    FUZZ_CHECK(a->misses_stream == b->misses_stream);
    for (size_t i = 0; i < a->members.count; i++) {
        const tfp_member *of_a = &a->members.data[i];
        const tfp_member *of_b = &b->members.data[i];
        check_text(a, of_a->name, b, of_b->name);
        check_text(a, tfp_member_op(a->model, of_a), b,
                   tfp_member_op(b->model, of_b));
        check_text(a, of_a->device, b, of_b->device);
        FUZZ_CHECK(of_a->steps == of_b->steps);
        check_inputs(a, of_a, b, of_b);
    }
}

static void check_costs(const tfp_census *a, const tfp_census *b, int64_t step)
{
    uint32_t all = ((1u << TFP_COST_COUNT) - 1) &
                   ~tfp_metrics_with(TFP_METRIC_NOT_IN_PROFILES);
    tfp_costs of_a, of_b;
    FUZZ_CHECK(tfp_costs_init(&of_a, a, step, all, NULL, NULL) == TFPROF_OK);
    FUZZ_CHECK(tfp_costs_init(&of_b, b, step, all, NULL, NULL) == TFPROF_OK);
    for (size_t i = 0; i < of_a.count * of_a.width; i++) {
        int64_t x = of_a.values[i], y = of_b.values[i];
        FUZZ_CHECK(x == y || x > most_cost || x < -most_cost || y > most_cost ||
                   y < -most_cost);
    }
    tfp_costs_release(&of_a, a->memory);
    tfp_costs_release(&of_b, b->memory);
}

static void check_same(tfprof_profile *first, tfprof_profile *second)
{
    const tfp_census *a = census_of(first), *b = census_of(second);
    check_members(a, b);
    check_costs(a, b, -1);
    FUZZ_CHECK(a->model->steps.count == b->model->steps.count);
    for (size_t i = 0; i < a->model->steps.count; i++)
        check_costs(a, b, a->model->steps.data[i].id);
}

int fuzz_profile_roundtrip(const uint8_t *bytes, size_t size)
{
    size_t held = 0;
    tfprof_profile *first = load(bytes, size, &held), *second;
    fuzz_answer once, again;
    if (!first) {
        FUZZ_CHECK(held == 0);
        return 0;
    }
    once = save(first);
    second = load(once.data, once.size, &held);
    FUZZ_CHECK(second);
    again = save(second);
    fuzz_check_again(&once, &again);
    check_same(first, second);
    free(once.data);
    tfprof_profile_free(first);
    tfprof_profile_free(second);
    FUZZ_CHECK(held == 0);
    return 0;
}
