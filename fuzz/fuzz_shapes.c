/*
 * fuzz_shapes.c - the shapes and the float operations of any graph.
 *
 * The first byte says how to look (head, below), the rest is a GraphDef or a
 * SavedModel. Holds that what is found makes sense: dims are known or not,
 * TensorFlow's grade never knows more than ours nor contradicts it, a value
 * has as many elements as its shape, no count is below zero; that it is the
 * same when asked for again; and that nothing is kept.
 */
#include <string.h>

#include <tfprof/tfprof.h>

#include "api/profile.h"
#include "asking.h"
#include "fuzz.h"
#include "ops/fact/shapes.h"
#include "ops/flops/count.h"
#include "target.h"

/* seeds/shapes_seeds.py writes the same. */
enum head {
    WALK = 1,      /* into functions */
    SIGNATURE = 2, /* of the first signature, if there is one */
    BATCH = 4,     /* unknown first dims are BATCH_SIZE */
    GIVEN = 8,     /* the first node gives a shape and runs some times */
    HEAD = 1,
    BATCH_SIZE = 3,
    MOST_MEMORY = 16 << 20
};

/* ---- Facts -------------------------------------------------------------- */

static void check_dims(tfp_dims dims)
{
    FUZZ_CHECK(dims.rank >= -1 && dims.rank <= TFP_MOST_RANK);
    for (int i = 0; i < dims.rank; i++)
        FUZZ_CHECK(dims.at[i] >= TFP_DIM_UNKNOWN);
}

/* All that `less` knows stands in `more`. */
static void check_more(tfp_dims less, tfp_dims more)
{
    if (less.rank < 0)
        return;
    FUZZ_CHECK(less.rank == more.rank);
    for (int i = 0; i < less.rank; i++)
        FUZZ_CHECK(less.at[i] == TFP_DIM_UNKNOWN || less.at[i] == more.at[i]);
}

static void check_value(const tfp_model *model, const tfp_fact *fact)
{
    tfp_dims dims = tfp_dims_of(model, fact->shape);
    size_t count;
    if (fact->value == TFP_NO_ID)
        return;
    tfp_list_items(model, fact->value, &count);
    FUZZ_CHECK(count <= TFP_MOST_VALUES);
    if (tfp_dims_known(dims))
        FUZZ_CHECK((int64_t)count == tfp_dims_elements(dims));
}

static void check_known(const tfp_model *model, const tfp_known *known)
{
    tfp_dims dims[TFP_GRADE_COUNT];
    for (size_t g = 0; g < TFP_GRADE_COUNT; g++) {
        FUZZ_CHECK(known->of[g].shape != TFP_SHAPE_NONE);
        dims[g] = tfp_dims_of(model, known->of[g].shape);
        check_dims(dims[g]);
        if (known->of[g].held != TFP_SHAPE_NONE)
            check_dims(tfp_dims_of(model, known->of[g].held));
        check_value(model, &known->of[g]);
    }
    check_more(dims[TFP_GRADE_TENSORFLOW], dims[TFP_GRADE_FULL]);
}

/* ---- Graphs ------------------------------------------------------------- */

static uint32_t node_count(const tfp_shapes *s, size_t instance)
{
    return s->model->graphs.data[s->instances.data[instance].graph].node_count;
}

static void check_instance(const tfp_shapes *s, const tfp_shapes *again,
                           uint32_t instance)
{
    FUZZ_CHECK(tfp_shapes_times(s, instance) >= 0);
    for (uint32_t n = 0; n < node_count(s, instance); n++) {
        const tfp_known *known, *other;
        for (size_t k = 0;; k++) {
            known = tfp_shapes_output(s, instance, n, k);
            other = tfp_shapes_output(again, instance, n, k);
            FUZZ_CHECK(!known == !other);
            if (!known)
                break;
            check_known(s->model, known);
            for (size_t g = 0; g < TFP_GRADE_COUNT; g++)
                FUZZ_CHECK(tfp_fact_equal(&known->of[g], &other->of[g]));
        }
    }
}

static void check_counts(tfp_shapes *s, tfp_memory *memory)
{
    tfp_counts counts;
    tfprof_error err = { 0 };
    int status = tfp_counts_init(&counts, s, NULL, memory, NULL, &err);
    FUZZ_CHECK(status == (int)err.code);
    for (size_t i = 0; status == TFPROF_OK && i < counts.instance_count; i++) {
        for (uint32_t n = 0; n < node_count(s, i); n++) {
            const tfp_node_count *c = &counts.of[i][n];
            FUZZ_CHECK(c->work.float_ops >= 0 && c->work.int_ops >= 0 &&
                       c->work.macs >= 0);
            FUZZ_CHECK(c->counted <= TFP_COUNTED_REFUSED &&
                       c->counted_upstream <= TFP_COUNTED_REFUSED);
        }
    }
    tfp_counts_release(&counts);
}

static tfp_shape_request request_of(tfprof_profile *p, unsigned head,
                                    tfp_given *given)
{
    tfp_shape_request request = { .signature = TFP_NO_ID,
                                  .walk = head & WALK,
                                  .batch = head & BATCH ? BATCH_SIZE : -1 };
    const tfp_graph *graph;
    while (p->model.graphs.data[request.graph].kind != TFP_GRAPH_PLAIN)
        request.graph++;
    if (head & SIGNATURE && p->model.signatures.count > 0) {
        request.signature = 0;
        request.graph = p->model.signatures.data[0].graph;
    }
    graph = &p->model.graphs.data[request.graph];
    if (head & GIVEN && graph->node_count > 0) {
        static const int64_t dims[] = { 2, 5, 5, 3 };
        given->name = p->model.nodes.name[graph->first_node];
        given->shape = tfp_model_shape(&p->model, dims, 4);
        given->trips = 7;
        if (given->shape == TFP_NO_ID)
            return request;
        request.given = given;
        request.given_count = 1;
    }
    return request;
}

static bool has_graph(const tfp_model *model)
{
    for (size_t i = 0; i < model->graphs.count; i++) {
        if (model->graphs.data[i].kind == TFP_GRAPH_PLAIN)
            return true;
    }
    return false;
}

static void infer(tfprof_profile *p, unsigned head)
{
    tfp_given given = { 0 };
    tfp_shape_request request = request_of(p, head, &given);
    tfp_shapes first, again;
    tfprof_error err = { 0 };
    int status = tfp_shapes_init(&first, &p->model, &p->memory, &request, NULL,
                                 &err);
    FUZZ_CHECK(status == (int)err.code);
    FUZZ_CHECK(status == TFPROF_OK || err.message[0]);
    if (status == TFPROF_OK) {
        status = tfp_shapes_init(&again, &p->model, &p->memory, &request, NULL,
                                 NULL);
        if (status == TFPROF_OK) {
            FUZZ_CHECK(first.instances.count == again.instances.count);
            for (size_t i = 0; i < first.instances.count; i++)
                check_instance(&first, &again, (uint32_t)i);
        }
        tfp_shapes_release(&again);
        check_counts(&first, &p->memory);
    }
    tfp_shapes_release(&first);
}

int fuzz_shapes(const uint8_t *bytes, size_t size)
{
    size_t held = 0;
    tfprof_profile *profile;
    if (size < HEAD)
        return 0;
    profile = fuzz_profile_new(&held, MOST_MEMORY);
    if (tfprof_profile_add_memory(profile, "graph", bytes + HEAD, size - HEAD,
                                  "graph_path", NULL) == TFPROF_OK &&
        has_graph(&profile->model))
        infer(profile, bytes[0]);
    tfprof_profile_free(profile);
    FUZZ_CHECK(held == 0);
    return 0;
}
