/*
 * model_test.c - what the model keeps of graphs, runs and logs.
 */
#include "loading.h"
#include "samples.h"

FIXTURE(loading, l);

static tfp_node node_named(const char *name)
{
    tfp_node node = tfp_model_find_node(&l.model, loading_name(&l, name));
    assert_int_not_equal(node, TFP_NO_NODE);
    return node;
}

static void add(const char *role, wire_bytes *b)
{
    if (loading_add(&l, role, wire_span(b)) != TFPROF_OK)
        fail_msg("%s", l.err.message);
    wire_free(b);
}

/* ---- Graphs ------------------------------------------------------------- */

TEST(edges_are_resolved_in_any_order)
{
    static const char *const names[] = { "a", "b", "c" };
    for (int order = 0; order < 6; order++) {
        int first = order / 2, second = (first + 1 + order % 2) % 3;
        int places[3] = { first, second, 3 - first - second };
        wire_bytes b = { 0 };
        restart();
        for (int i = 0; i < 3; i++) { /* a <- b:1, b <- ^c, c <- a */
            static const char *const inputs[] = { "b:1", "^c", "a" };
            sample_node(&b, 1, names[places[i]], "Op", inputs[places[i]]);
        }
        add("graph_path", &b);
        for (int i = 0; i < 3; i++) {
            static const int32_t outputs[] = { 1, TFP_CONTROL, 0 };
            size_t count;
            const tfp_edge *edge = tfp_node_inputs(
                &l.model.nodes, node_named(names[i]), &count);
            assert_int_equal(count, 1);
            assert_int_equal(edge->source, node_named(names[(i + 1) % 3]));
            assert_int_equal(edge->output, outputs[i]);
        }
    }
}

TEST(edges_that_name_nothing_keep_their_place_and_are_counted)
{
    static const char *const odd[] = { "gone", "^",    "",     ":0",
                                       "a:x",  "a:-1", "a:b:", "a:b:c" };
    wire_bytes b = { 0 };
    size_t count, node;
    const tfp_edge *edge;
    node = wire_open(&b, 1);
    wire_text(&b, 1, "a");
    wire_text(&b, 3, "a:7"); /* itself */
    EACH(row, odd)
        wire_text(&b, 3, *row);
    wire_text(&b, 3, "a:4294967296");
    wire_text(&b, 3, "b");
    wire_close(&b, node);
    sample_node(&b, 1, "b", "Op", "^a");
    add("graph_path", &b);
    edge = tfp_node_inputs(&l.model.nodes, node_named("a"), &count);
    assert_int_equal(count, 11);
    assert_int_equal(edge[0].output, 7);
    for (size_t i = 1; i < 10; i++)
        assert_int_equal(edge[i].source, TFP_NO_NODE);
    assert_int_equal(edge[10].source, node_named("b"));
    assert_int_equal(loading_counts(&l)->dropped_edges, 9);
    assert_int_equal(loading_counts(&l)->edges, 12);
    (void)tfp_node_inputs(&l.model.nodes, node_named("b"), &count);
    assert_int_equal(count, 1);
}

TEST(of_two_nodes_with_one_name_the_first_stands)
{
    wire_bytes b = { 0 };
    size_t count;
    sample_node(&b, 1, "a", "First", NULL);
    sample_node(&b, 1, "a", "Second", "a");
    sample_node(&b, 1, "b", "Third", "a");
    add("graph_path", &b);
    assert_int_equal(l.model.nodes.count, 2);
    assert_int_equal(l.model.nodes.op[node_named("a")],
                     loading_name(&l, "First"));
    assert_int_equal(loading_counts(&l)->nodes, 3);
    assert_int_equal(loading_counts(&l)->duplicate_nodes, 1);
    (void)tfp_node_inputs(&l.model.nodes, node_named("a"), &count);
    assert_int_equal(count, 0); /* not the inputs of the second */
}

TEST(two_graphs_do_not_see_each_other)
{
    size_t count;
    for (int i = 0; i < 2; i++) {
        wire_bytes b = { 0 };
        sample_node(&b, 1, "x", "Op", i ? NULL : "y");
        sample_node(&b, 1, i ? "z" : "y", "Op", "x");
        sample_node(&b, 1, "w", "Op", "y"); /* not in the second graph */
        add("graph_path", &b);
    }
    assert_int_equal(l.model.nodes.count, 6);
    assert_int_equal(l.model.graphs.count, 2);
    assert_int_equal(l.model.graphs.data[1].first_node, 3);
    assert_int_equal(loading_counts(&l)->dropped_edges, 1);
    assert_int_equal(node_named("x"), 3); /* the latest */
    assert_int_equal(tfp_node_inputs(&l.model.nodes, 0, &count)->source, 1);
    assert_int_equal(tfp_node_inputs(&l.model.nodes, 4, &count)->source, 3);
}

TEST(a_function_is_a_graph_with_arguments_and_results)
{
    wire_bytes b = { 0 };
    const tfp_graph *f;
    const tfp_nodes *bodies;
    const tfp_edge *edge;
    size_t count;
    sample_graph(&b);
    add("graph_path", &b);
    assert_int_equal(l.model.graphs.count, 2);
    f = &l.model.graphs.data[1];
    bodies = &l.model.bodies;
    assert_int_equal(f->kind, TFP_GRAPH_FUNCTION);
    assert_int_equal(f->name, loading_name(&l, "body"));
    assert_int_equal(f->owner, 0);
    assert_int_equal(f->arg_count, 2);
    assert_int_equal(f->return_count, 1);
    assert_int_equal(bodies->op[f->first_arg], loading_name(&l, "_Arg"));
    assert_int_equal(bodies->name[f->first_arg], loading_name(&l, "a"));
    edge = tfp_node_inputs(bodies, f->first_return, &count);
    assert_int_equal(count, 1);
    assert_int_equal(bodies->name[edge->source], loading_name(&l, "r"));
    assert_int_equal(edge->port, loading_name(&l, "activations"));
    assert_int_equal(loading_counts(&l)->functions, 1);
    assert_int_equal(loading_counts(&l)->function_nodes, 1);
}

TEST(a_log_finds_its_nodes_before_or_after_the_graph)
{
    for (int log_first = 0; log_first < 2; log_first++) {
        wire_bytes graph = { 0 }, log = { 0 };
        tfp_node y;
        size_t count;
        restart();
        sample_graph(&graph);
        sample_log(&log);
        add(log_first ? "op_log_path" : "graph_path",
            log_first ? &log : &graph);
        add(log_first ? "graph_path" : "op_log_path",
            log_first ? &graph : &log);
        y = node_named("y");
        assert_int_equal(l.model.waiting.count, 0);
        assert_int_equal(l.model.nodes.float_ops[y], 512);
        assert_int_not_equal(l.model.nodes.trace[y], 0);
        (void)tfp_list_items(&l.model, l.model.nodes.types[y], &count);
        assert_int_equal(count, 1);
    }
}

TEST(stacks_share_what_they_have_in_common)
{
    wire_bytes b = { 0 };
    tfp_stack below;
    const tfp_frame *top;
    sample_log(&b);
    sample_log(&b); /* the same entry and strings again */
    add("op_log_path", &b);
    assert_int_equal(tfp_interner_count(&l.model.stacks) - 1, 2);
    assert_int_equal(l.model.frames.count, 2);
    assert_int_equal(l.model.waiting.data[0].trace,
                     l.model.waiting.data[1].trace);
    top = tfp_stack_top(&l.model, l.model.waiting.data[0].trace, &below);
    assert_int_equal(top->line, 20);
    assert_int_equal(top->function, loading_name(&l, "loss = f(x)"));
    assert_true(
        tfp_span_is(tfp_model_text(&l.model, top->text), "<unknown line #4>"));
    assert_int_equal(tfp_stack_top(&l.model, below, &below)->line, 10);
    assert_int_equal(below, 0);
}

/* ---- Attributes, shapes, constants -------------------------------------- */

TEST(attribute_lists_are_sorted_and_the_last_of_a_key_stays)
{
    tfp_attr attrs[128];
    uint64_t random = 7;
    for (int round = 0; round < 200; round++) {
        size_t count = (size_t)round % 64, kept;
        const tfp_attr *items;
        int64_t last[16] = { 0 };
        tfp_attrs id;
        for (size_t i = 0; i < count; i++) {
            uint32_t key = (uint32_t)(counting_random(&random) >> 40) % 16;
            attrs[i] = (tfp_attr){ key, TFP_ATTR_INT, (int64_t)i + 1 };
            last[key] = (int64_t)i + 1;
        }
        id = tfp_model_attrs(&l.model, attrs, count);
        items = tfp_attrs_items(&l.model, id, &kept);
        for (size_t i = 1; i < kept; i++)
            assert_true(items[i - 1].key < items[i].key);
        for (uint32_t key = 0; key < 16; key++) {
            const tfp_attr *found = tfp_attrs_find(&l.model, id, key);
            assert_int_equal(found ? found->value : 0, last[key]);
        }
    }
}

TEST(equal_lists_in_another_order_are_one)
{
    tfp_attr one[4] = { { 5, TFP_ATTR_INT, 1 }, { 2, TFP_ATTR_BOOL, 1 } };
    tfp_attr two[4] = { { 2, TFP_ATTR_BOOL, 1 }, { 5, TFP_ATTR_INT, 1 } };
    assert_int_equal(tfp_model_attrs(&l.model, one, 2),
                     tfp_model_attrs(&l.model, two, 2));
    assert_int_equal(tfp_model_attrs(&l.model, one, 0), 0);
}

TEST(shapes_tell_nothing_unknown_and_scalar_apart)
{
    static const int64_t dims[] = { 3, TFP_DIM_UNKNOWN, 0 };
    tfp_shape scalar, matrix;
    int rank;
    scalar = tfp_model_shape(&l.model, NULL, 0);
    matrix = tfp_model_shape(&l.model, dims, 3);
    assert_true(scalar > TFP_SHAPE_UNKNOWN_RANK);
    assert_int_not_equal(scalar, matrix);
    (void)tfp_shape_dims(&l.model, TFP_SHAPE_NONE, &rank);
    assert_int_equal(rank, -1);
    (void)tfp_shape_dims(&l.model, TFP_SHAPE_UNKNOWN_RANK, &rank);
    assert_int_equal(rank, -1);
    (void)tfp_shape_dims(&l.model, scalar, &rank);
    assert_int_equal(rank, 0);
    assert_memory_equal(tfp_shape_dims(&l.model, matrix, &rank), dims,
                        sizeof(dims));
    assert_int_equal(rank, 3);
    assert_int_equal(tfp_model_shape(&l.model, dims, 3), matrix);
    assert_int_not_equal(tfp_model_shape(&l.model, dims, 2), matrix);
}

/* ---- Runs --------------------------------------------------------------- */

static bool same_output(const tfp_exec_output *a, const tfp_exec_output *b)
{
    return a->slot == b->slot && a->dtype == b->dtype && a->shape == b->shape &&
           a->bytes == b->bytes && a->address == b->address;
}

TEST(packed_details_come_back_as_they_were)
{
    static const int64_t ends[] = { INT64_MIN, INT64_MIN + 1, -1,       0,
                                    1,         INT64_MAX - 1, INT64_MAX };
    uint32_t device;
    uint64_t random = 99;
    tfp_exec_output outputs[3];
    tfp_exec_allocation allocations[2];
    device = tfp_model_add_device(&l.model, tfp_model_step(&l.model, 5),
                                  TFP_EXEC_RUN);
    for (size_t round = 0; round < 3000; round++) {
        tfp_exec_detail detail = { .outputs = outputs,
                                   .output_count = round % 4,
                                   .allocations = allocations,
                                   .allocation_count = round % 3 };
        int64_t figures[sizeof(tfp_exec_figures) / sizeof(int64_t)];
        tfp_exec_figures back;
        tfp_exec_output output;
        tfp_exec_allocation allocation;
        tfp_detail_reader r;
        const tfp_step *step;
        for (size_t i = 0; i < COUNT(figures); i++)
            figures[i] = ends[(counting_random(&random) >> 33) % 7];
        memcpy(&detail.figures, figures, sizeof(figures));
        for (size_t i = 0; i < 3; i++)
            outputs[i] = (tfp_exec_output){
                .slot = i ? INT32_MAX : INT32_MIN,
                .dtype = i ? -1 : INT32_MAX,
                .shape = UINT32_MAX - (uint32_t)i,
                .bytes = ends[(counting_random(&random) >> 33) % 7],
                .address = i ? UINT64_MAX : 0
            };
        for (size_t i = 0; i < 2; i++)
            allocations[i] = (tfp_exec_allocation){
                ends[(counting_random(&random) >> 33) % 7], ends[round % 7]
            };
        assert_true(tfp_model_add_exec(&l.model, (tfp_exec){ .device = device },
                                       &detail));
        step = &l.model.steps.data[0];
        r = tfp_exec_read(step, &step->execs.data[round], &back);
        assert_memory_equal(&back, &detail.figures, sizeof(back));
        for (size_t i = 0; round % 2 && i < detail.output_count; i++) {
            assert_true(tfp_detail_next_output(&r, &output));
            assert_true(same_output(&output, &outputs[i]));
        }
        for (size_t i = 0; i < detail.allocation_count; i++) {
            assert_true(tfp_detail_next_allocation(&r, &allocation));
            assert_memory_equal(&allocation, &allocations[i],
                                sizeof(allocation));
        }
        assert_false(tfp_detail_next_allocation(&r, &allocation));
        assert_false(tfp_detail_next_output(&r, &output));
    }
    assert_int_equal(l.model.devices.data[device].execs, 3000);
}

TEST(run_records_keep_what_the_file_says)
{
    wire_bytes b = { 0 };
    const tfp_step *step;
    tfp_exec_figures figures;
    tfp_exec_output output;
    tfp_detail_reader r;
    sample_run_metadata(&b);
    add("run_meta_path", &b);
    step = &l.model.steps.data[0];
    assert_int_equal(step->execs.count, 3);
    assert_int_equal(step->first_start, 1700000000000000);
    assert_int_equal(step->last_end, 1700000000000160);
    assert_int_equal(step->execs.data[2].name, loading_name(&l, "y"));
    assert_int_equal(l.model.devices.data[step->execs.data[2].device].name,
                     loading_name(&l, "/device:GPU:0/stream:all"));
    r = tfp_exec_read(step, &step->execs.data[0], &figures);
    assert_int_equal(figures.requested_bytes, 4096);
    assert_int_equal(figures.peak_bytes, 8192);
    assert_int_equal(figures.residual_bytes, 512);
    assert_int_equal(figures.bytes_in_use, 70000);
    assert_int_equal(figures.output_bytes, 256);
    assert_int_equal(figures.temp_bytes, 64);
    assert_int_equal(figures.persistent_bytes, 32);
    assert_int_equal(figures.waited, 3);
    assert_true(tfp_detail_next_output(&r, &output));
    assert_int_equal(output.bytes, 256);
    assert_int_equal(output.address, (uint64_t)1 << 63);
}

/* ---- Devices ------------------------------------------------------------ */

TEST(the_name_of_a_device_is_its_place_and_the_device)
{
    static const char *const cases[][3] = {
        { "/job:worker/replica:0/task:3/device:GPU:0",
          "/job:worker/replica:0/task:3", "/device:GPU:0" },
        { "/job:localhost/replica:0/task:0/cpu:0",
          "/job:localhost/replica:0/task:0", "/cpu:0" },
        { "/job:w/replica:0/task:12/device:gpu:0/stream:all",
          "/job:w/replica:0/task:12", "/device:gpu:0" },
        { "/gpu:1/stream:14", "", "/gpu:1" },
        { "/job:w/task:3/cpu:0", "/job:w/task:3", "/cpu:0" },
        { "/job:w/device:CPU:0", "/job:w", "/device:CPU:0" },
        { "/job:w/replica:0/task:3", "/job:w/replica:0/task:3", "" },
        { "/host:h0/device:GPU:0", "/host:h0", "/device:GPU:0" },
        { "/host:h0/device:TPU:0 SparseCore 1", "/host:h0",
          "/device:TPU:0 SparseCore 1" },
        { "/host:CPU", "", "/host:CPU" },
        { "/host:h0/", "", "/host:h0/" },
        { "/device:TPU:0", "", "/device:TPU:0" },
        { "/task:3/job:w/cpu:0", "/task:3", "/job:w/cpu:0" },
        { "GPU:0", "", "GPU:0" },
        { "/:0", "", "/:0" },
        { "", "", "" },
    };
    EACH(row, cases) {
        tfp_span place, device;
        tfp_device_split(tfp_span_of((*row)[0]), &place, &device);
        assert_true(tfp_span_is(place, (*row)[1]));
        assert_true(tfp_span_is(device, (*row)[2]));
    }
}
