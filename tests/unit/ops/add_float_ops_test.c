/*
 * add_float_ops_test.c - float operations that are counted and kept.
 */
#include "counting.h"

#define DIMS(a, b) "{ dim { size: " a " } dim { size: " b " } }"
#define LISTED(shape)                                                          \
    " attr { key: \"_output_shapes\" value { list { shape " shape " } } }"
#define NODE(name, op, rest)                                                   \
    " node { name: \"" name "\" op: \"" op "\"" rest " }"
#define FLOAT " attr { key: \"T\" value { type: DT_FLOAT } }"
#define INPUT                                                                  \
    " attr { key: \"dtype\" value { type: DT_FLOAT } } attr { key: \"shape\" " \
    "value { shape " DIMS("3", "4") " } }"

/* That a sum is 3x4 can be inferred, but the graph does not list it. */
static const char graph[] = NODE("x", "Placeholder",
                                 INPUT LISTED(DIMS("3", "4")))
    NODE("sum", "AddV2",
         " input: \"x\" input: \"x\"" FLOAT LISTED(DIMS("-1", "4")))
        NODE("product", "Mul",
             " input: \"x\" input: \"x\"" FLOAT LISTED(DIMS("3", "4")));
static const char op_log[] = "log_entries { name: \"product\" float_ops: 5 }";

static tfprof_profile *load(counting *memory, bool with_log)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    tfprof_error err;
    assert_non_null(p);
    if (tfprof_profile_add_memory(p, "graph", graph, strlen(graph),
                                  "graph_path", &err) != TFPROF_OK ||
        (with_log &&
         tfprof_profile_add_memory(p, "log", op_log, strlen(op_log),
                                   "op_log_path", &err) != TFPROF_OK))
        fail_msg("%s", err.message);
    return p;
}

static int64_t float_ops_of(tfprof_profile *p)
{
    tfprof_view *view = NULL;
    tfprof_error err;
    int64_t sum;
    assert_int_equal(tfprof_profile_set(p, "select", "float_ops", &err), 0);
    must(tfprof_profile_view(p, "scope", &view, &err), &err);
    sum = tfprof_view_sum(view, TFPROF_METRIC_FLOAT_OPS);
    tfprof_view_free(view);
    return sum;
}

TEST(nodes_without_a_log_entry_are_counted)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory, true);
    assert_int_equal(float_ops_of(p), 5);
    assert_ok(tfprof_profile_add_float_ops(p, 0, NULL));
    assert_int_equal(float_ops_of(p), 5 + 12);
    assert_ok(tfprof_profile_add_float_ops(p, 0, NULL));
    assert_int_equal(float_ops_of(p), 5 + 12);
    tfprof_profile_free(p);
    assert_int_equal(memory.blocks, 0);
}

TEST(only_what_is_listed_is_known_of_a_graph_in_memory)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory, false);
    assert_ok(tfprof_profile_add_float_ops(p, 1, NULL));
    assert_int_equal(float_ops_of(p), 12);
    tfprof_profile_free(p);
}

TEST(a_profile_without_inputs_has_nothing_to_count)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err;
    assert_int_equal(tfprof_profile_add_float_ops(p, 0, &err),
                     TFPROF_ERR_MISSING);
    tfprof_profile_free(p);
}

static int take(void *context, const void *data, size_t size)
{
    (void)data;
    *(size_t *)context += size;
    return 0;
}

static int count_and_write(tfprof_profile *p, size_t *written)
{
    int status = tfprof_profile_add_float_ops(p, 1, NULL);
    return status == TFPROF_OK
               ? tfprof_profile_write_profile(p, take, written, NULL)
               : status;
}

TEST(every_allocation_may_fail)
{
    size_t failed = 0, written = 0;
    int status = TFPROF_ERR_NOMEM;
    for (size_t k = 1; status != TFPROF_OK; k++) {
        counting memory = { 0 };
        tfprof_profile *p = load(&memory, true);
        memory.fail_at = memory.calls + k;
        status = count_and_write(p, &written);
        memory.fail_at = 0;
        assert_true(status == TFPROF_OK || status == TFPROF_ERR_NOMEM);
        failed += status != TFPROF_OK;
        tfprof_profile_free(p);
        assert_int_equal(memory.blocks, 0);
    }
    assert_true(failed > 5);
    assert_true(written > 0);
}
