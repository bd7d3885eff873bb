/*
 * functions_test.c - what the model keeps of a function's arguments and
 * results.
 */
#include "loading.h"
#include "samples.h"

#include "model/functions.h"

/* A function is put together from pieces, so that a test can say in which
 * order its fields come. Each adds one field of a FunctionDef. */
typedef void piece(wire_bytes *b);

static void put_signature(wire_bytes *b)
{
    wire_put(b, "1{1'f' 2{1'x' 3:1} 2{1'v' 3:20 " /* DT_RESOURCE */
                "7{1:1 2{2{1:3} 2{1:5}}} 7{1:9 2{2{1:7} 2{1:-1}}}} "
                "3{1'zero' 3:1} 3{1'one' 3:3} 3{1'two' 3:9}}");
}

static void put_nodes(wire_bytes *b)
{
    sample_node(b, 3, "n", "Unpack", "x");
    sample_node(b, 3, "assign", "AssignVariableOp", "v");
    sample_node(b, 3, "print", "PrintV2", "x");
}

static void put_returns(wire_bytes *b)
{
    sample_map_text(b, 4, "two", "n:output:2");
    sample_map_text(b, 4, "more", "n:output:3"); /* not in the signature */
    sample_map_text(b, 4, "zero", "n:output:7");
    sample_map_text(b, 4, "zero", "n:output:0"); /* the last one stands */
    sample_map_text(b, 4, "one", "x");
}

static void put_controls(wire_bytes *b)
{
    sample_map_text(b, 6, "out", "print");
    sample_map_text(b, 6, "assign", "assign");
    sample_map_text(b, 6, "gone", "gone");
    sample_map_text(b, 6, "again", "print");
}

static void put_arg_attrs(wire_bytes *b)
{
    for (int number = 0; number < 3; number += 2) /* there is no third */
        wire_put(b,
                 "7{1:%d 2{1{1'_output_shapes' "
                 "2{1{7{2{1:2} 2{1:4}}}}}}}",
                 number);
}

FIXTURE(loading, l);

static void load_function(piece *const *pieces, size_t count)
{
    wire_bytes b = { 0 };
    size_t library, function;
    sample_node(&b, 1, "top", "Op", NULL);
    library = wire_open(&b, 2);
    function = wire_open(&b, 1);
    for (size_t i = 0; i < count; i++)
        pieces[i](&b);
    wire_close(&b, function);
    wire_close(&b, library);
    restart();
    if (loading_add(&l, "graph_path", wire_span(&b)) != TFPROF_OK)
        fail_msg("%s", l.err.message);
    wire_free(&b);
}

static const tfp_graph *function_of(void)
{
    assert_int_equal(l.model.graphs.count, 2);
    return &l.model.graphs.data[1];
}

static int64_t attr_of(tfp_node node, const char *key, uint32_t kind)
{
    const tfp_attr *attr = tfp_attrs_find(&l.model, l.model.bodies.attrs[node],
                                          loading_name(&l, key));
    assert_non_null(attr);
    assert_int_equal(attr->kind, kind);
    return attr->value;
}

static void check_results(void)
{
    static const char *const names[] = { "zero", "one", "two" };
    static const char *const sources[] = { "n", "x", "n" };
    static const int outputs[] = { 0, 0, 2 }, types[] = { 1, 3, 9 };
    const tfp_graph *f = function_of();
    const tfp_nodes *bodies = &l.model.bodies;
    assert_int_equal(f->return_count, 3);
    for (int k = 0; k < 3; k++) {
        tfp_node node = f->first_return + (tfp_node)k;
        size_t count;
        const tfp_edge *edge = tfp_node_inputs(bodies, node, &count);
        assert_int_equal(bodies->op[node], loading_name(&l, "_Retval"));
        assert_int_equal(count, 1);
        assert_int_equal(bodies->name[edge->source],
                         loading_name(&l, sources[k]));
        assert_int_equal(edge->output, outputs[k]);
        assert_int_equal(attr_of(node, "T", TFP_ATTR_TYPE), types[k]);
        assert_int_equal(
            tfp_function_output(&l.model, f, loading_name(&l, names[k])), k);
    }
    assert_int_equal(tfp_function_output(&l.model, f, loading_name(&l, "more")),
                     TFP_OUTPUT_UNKNOWN);
}

static void check_controls(void)
{
    size_t count;
    const tfp_nodes *bodies = &l.model.bodies;
    const int64_t *nodes = tfp_function_control_returns(&l.model, function_of(),
                                                        &count);
    assert_int_equal(count, 2);
    assert_int_equal(bodies->name[nodes[0]], loading_name(&l, "assign"));
    assert_int_equal(bodies->name[nodes[1]], loading_name(&l, "print"));
    assert_int_equal(loading_counts(&l)->dropped_edges, 1); /* "gone" */
}

static void check_arguments(void)
{
    const tfp_graph *f = function_of();
    const tfp_nodes *bodies = &l.model.bodies;
    const int64_t *items;
    size_t count;
    int rank;
    assert_int_equal(f->arg_count, 2);
    assert_int_equal(attr_of(f->first_arg, "T", TFP_ATTR_TYPE), 1);
    (void)tfp_list_items(&l.model, bodies->outputs[f->first_arg], &count);
    assert_int_equal(count, 1);
    assert_int_equal(attr_of(f->first_arg + 1, "T", TFP_ATTR_TYPE), 20);
    items = tfp_list_items(&l.model,
                           (tfp_list)attr_of(f->first_arg + 1, "_handle_dtypes",
                                             TFP_ATTR_LIST | TFP_ATTR_TYPE),
                           &count);
    assert_int_equal(count, 2);
    assert_int_equal(items[0], 1);
    assert_int_equal(items[1], 9);
    items = tfp_list_items(&l.model,
                           (tfp_list)attr_of(f->first_arg + 1, "_handle_shapes",
                                             TFP_ATTR_LIST | TFP_ATTR_SHAPE),
                           &count);
    assert_int_equal(count, 2);
    items = tfp_shape_dims(&l.model, (tfp_shape)items[1], &rank);
    assert_int_equal(rank, 2);
    assert_int_equal(items[0], 7);
    assert_int_equal(items[1], TFP_DIM_UNKNOWN);
}

/* ---- Tests -------------------------------------------------------------- */

TEST(the_order_of_the_fields_does_not_matter)
{
    static piece *const pieces[5] = { put_signature, put_nodes, put_returns,
                                      put_controls, put_arg_attrs };
    for (size_t first = 0; first < 5; first++) {
        for (size_t step = 1; step < 5; step++) { /* 5 is a prime number */
            piece *order[5];
            for (size_t i = 0; i < 5; i++)
                order[i] = pieces[(first + i * step) % 5];
            load_function(order, 5);
            check_results();
            check_controls();
            check_arguments();
        }
    }
}

TEST(an_output_without_a_source_keeps_its_place)
{
    static piece *const pieces[] = { put_signature, put_nodes };
    const tfp_graph *f;
    size_t count;
    load_function(pieces, 2);
    f = function_of();
    assert_int_equal(f->return_count, 3);
    for (tfp_node k = 0; k < 3; k++)
        assert_int_equal(
            tfp_node_inputs(&l.model.bodies, f->first_return + k, &count)
                ->source,
            TFP_NO_NODE);
    assert_int_equal(loading_counts(&l)->dropped_edges, 3);
    (void)tfp_function_control_returns(&l.model, f, &count);
    assert_int_equal(count, 0);
}

/* Arguments are found by their number: those that cannot stand behind the
 * first ones are no arguments. */
TEST(a_signature_in_two_pieces_keeps_its_arguments)
{
    static piece *const pieces[] = { put_signature, put_nodes, put_signature,
                                     put_returns };
    const tfp_graph *f;
    load_function(pieces, 4);
    f = function_of();
    assert_int_equal(f->arg_count, 2);
    for (tfp_node k = 0; k < f->arg_count; k++)
        assert_int_equal(l.model.bodies.op[f->first_arg + k],
                         loading_name(&l, "_Arg"));
    check_results(); /* names that come twice are passed over */
}

static void put_long_names(wire_bytes *b)
{
    char name[1001];
    size_t signature = wire_open(b, 1);
    memset(name, 'n', sizeof(name) - 1);
    name[1000] = '\0';
    for (int i = 0; i < 3; i++) {
        name[999] = (char)('a' + i);
        wire_put(b, "3{1'%s' 3:1}", name);
    }
    wire_close(b, signature);
    for (int i = 0; i < 3; i++) {
        name[999] = (char)('a' + i);
        sample_map_text(b, 4, name, "n");
    }
}

TEST(long_names_that_differ_at_their_end_are_different)
{
    static piece *const pieces[] = { put_nodes, put_long_names };
    load_function(pieces, 2);
    assert_int_equal(function_of()->return_count, 3);
}
