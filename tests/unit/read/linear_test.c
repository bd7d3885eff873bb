/*
 * linear_test.c - eight times the file takes about eight times the time.
 *
 * A search through all that came before, for each thing that comes, would take
 * sixty-four times as long, and a file of a megabyte hours.
 */
#include "loading.h"
#include "samples.h"

#include <time.h>

/* Things of one sort, all different, in a file of that kind. */
typedef struct growing {
    const char *what, *role;
    void (*make)(wire_bytes *b, int count);
    int count;
} growing;

static const char *number_text(int number)
{
    static char text[16];
    snprintf(text, sizeof(text), "%x", (unsigned)number);
    return text;
}

static void put_profile_node(wire_bytes *b, const wire_bytes *inside)
{
    size_t entry = wire_open(b, 1), node;
    wire_int(b, 1, 1);
    node = wire_open(b, 2);
    wire_text(b, 1, "n");
    wire_text(b, 9, "Op");
    wire_raw(b, inside->data, inside->size);
    wire_close(b, node);
    wire_close(b, entry);
}

static void make_steps(wire_bytes *b, int count)
{
    wire_bytes none = { 0 };
    put_profile_node(b, &none);
    for (int i = 0; i < count; i++)
        wire_int(b, 3, i);
}

static void make_runs(wire_bytes *b, int count)
{
    wire_bytes runs = { 0 };
    for (int i = 0; i < count; i++)
        wire_put(&runs, "12{1:%d 2{}}", i);
    put_profile_node(b, &runs);
    wire_free(&runs);
}

static void make_profile_inputs(wire_bytes *b, int count)
{
    wire_bytes inputs = { 0 };
    for (int i = 0; i < count; i++)
        wire_put(&inputs, "2{1:%d 2:%d}", i, i);
    put_profile_node(b, &inputs);
    wire_free(&inputs);
}

static void make_signatures(wire_bytes *b, int count)
{
    sample_meta_graph(b);
    for (int i = 0; i < count; i++)
        wire_put(b, "5{1'%x' 2{}}", i);
}

static void make_nodes(wire_bytes *b, int count)
{
    for (int i = 0; i < count; i++)
        sample_node(b, 1, number_text(i), "Op", number_text(count - i));
}

static void make_equal_nodes(wire_bytes *b, int count)
{
    for (int i = 0; i < count; i++)
        sample_node(b, 1, "n", "Op", number_text(i));
}

static void make_attributes(wire_bytes *b, int count)
{
    size_t node = wire_open(b, 1);
    wire_text(b, 1, "n");
    for (int i = 0; i < count; i++)
        wire_put(b, "5{1'%x' 2{3:%d}}", count - i, i);
    wire_close(b, node);
}

static void make_functions(wire_bytes *b, int count)
{
    size_t library;
    sample_node(b, 1, "n", "Op", NULL);
    library = wire_open(b, 2);
    for (int i = 0; i < count; i++)
        wire_put(b, "1{1{1'%x'} 3{1'r' 2'Relu' 3'a'}}", i);
    wire_close(b, library);
}

/* Results in the order of the signature, and in the other one in the map. */
static void make_results(wire_bytes *b, int count)
{
    size_t library, function, signature;
    sample_node(b, 1, "n", "Op", NULL);
    library = wire_open(b, 2);
    function = wire_open(b, 1);
    for (int i = 0; i < count; i++) {
        sample_map_text(b, 4, number_text(count - i), "a");
        sample_map_text(b, 6, number_text(i), number_text(count - i));
        sample_node(b, 3, number_text(i), "Op", NULL);
    }
    signature = wire_open(b, 1);
    for (int i = 0; i < count; i++)
        wire_put(b, "3{1'%x'}", i);
    wire_close(b, signature);
    wire_close(b, function);
    wire_close(b, library);
}

static void make_devices(wire_bytes *b, int count)
{
    size_t step = wire_open(b, 1);
    for (int i = 0; i < count; i++)
        wire_put(b, "1{1'%x'}", i);
    wire_close(b, step);
}

static void make_string_ids(wire_bytes *b, int count)
{
    sample_log(b);
    for (int i = 0; i < count; i++)
        wire_put(b, "2{1:%d 2'%x'}", i, i);
}

static void make_log_entries(wire_bytes *b, int count)
{
    for (int i = 0; i < count; i++)
        wire_put(b, "1{1'%x' 3'%x'}", i, i);
    sample_strings(b, 2);
}

static const growing table[] = {
    { "steps of a profile", "profile_path", make_steps, 10000 },
    { "runs of a profile", "profile_path", make_runs, 4000 },
    { "inputs of a profile", "profile_path", make_profile_inputs, 10000 },
    { "signatures", "graph_path", make_signatures, 10000 },
    { "nodes", "graph_path", make_nodes, 10000 },
    { "nodes of one name", "graph_path", make_equal_nodes, 10000 },
    { "attributes", "graph_path", make_attributes, 10000 },
    { "functions", "graph_path", make_functions, 5000 },
    { "results of a function", "graph_path", make_results, 5000 },
    { "devices", "run_meta_path", make_devices, 10000 },
    { "string ids", "op_log_path", make_string_ids, 10000 },
    { "log entries", "op_log_path", make_log_entries, 10000 },
};

static double seconds_to_load(const growing *g, int count)
{
    wire_bytes b = { 0 };
    struct timespec from, to;
    double best = 1e9;
    g->make(&b, count);
    for (int i = 0; i < 3; i++) { /* others only make it slower */
        double seconds;
        loading l;
        loading_init(&l);
        l.context.max_memory = (int64_t)2 << 30;
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &from);
        if (loading_add(&l, g->role, wire_span(&b)) != TFPROF_OK)
            fail_msg("%s: %s", g->what, l.err.message);
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &to);
        loading_release(&l);
        seconds = (double)(to.tv_sec - from.tv_sec) +
                  (double)(to.tv_nsec - from.tv_nsec) / 1e9;
        best = seconds < best ? seconds : best;
    }
    wire_free(&b);
    return best;
}

TEST(time_grows_with_the_file_and_no_faster)
{
    EACH(row, table) {
        double once = seconds_to_load(row, row->count);
        double eight = seconds_to_load(row, 8 * row->count);
        if (eight > 24 * once + 0.01)
            fail_msg("%s: %.1f ms, eight times as many %.1f ms", row->what,
                     once * 1e3, eight * 1e3);
    }
}
