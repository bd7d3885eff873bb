/*
 * trace_sweep_test.c - every allocation fails once while a trace is read and
 * shown.
 *
 * One small trace of each kind, then each view of it as JSON, each table,
 * advice and its timeline, for which it is read again. The ordinary run
 * takes 25 random k of each, the same in every run, or others by TFPROF_SEED;
 * TFPROF_SLOW=1 takes every k.
 */
#include "samples.h"
#include "stored_trace.h"
#include "sweeping.h"

static const char *const traces[] = { "gen_jax-cpu", "gen_jax-gpu",
                                      "gen_jax-tpu", "gen_tf-gpu" };

enum { TRACES = COUNT(traces) };

static void expect_tables(tfprof_profile *p)
{
    for (size_t i = 0; tfprof_table_type(i); i++)
        assert_ok(tfprof_profile_expect(p, tfprof_table_type(i), NULL));
    assert_ok(tfprof_profile_expect(p, "advise", NULL));
}

/* The same of the timeline. */
static int draw(const char *name, counting *memory)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    int status = p ? TFPROF_OK : TFPROF_ERR_NOMEM;
    char path[1024];
    stored_path(name, path, sizeof(path));
    if (p)
        status = tfprof_profile_set(p, "output", "timeline:outfile=/dev/null",
                                    NULL);
    /* A name is asked for, so that those of events are matched, too. */
    if (status == TFPROF_OK)
        status = tfprof_profile_set(p, "hide_name_regexes", ".*xyz", NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_add_path(p, path, NULL, NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_write_view(p, "graph", NULL, NULL, NULL);
    tfprof_profile_free(p);
    counting_check(memory);
    return status;
}

/* The worst status of all that was done; all is given back. */
static int run_all(tfp_span trace, counting *memory, wire_bytes *answer)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    tfprof_error err = { .code = TFPROF_OK };
    int status = p ? TFPROF_OK : TFPROF_ERR_NOMEM;
    if (p)
        status = tfprof_profile_set(p, "format", "json", NULL);
    if (status == TFPROF_OK) {
        expect_tables(p);
        status = tfprof_profile_add_memory(p, "host.xplane.pb", trace.data,
                                           trace.size, NULL, &err);
        assert_int_equal(err.code, status);
        assert_int_equal(err.message[0] == '\0', status == TFPROF_OK);
    }
    for (size_t i = 0; p && tfprof_view_type(i); i++) {
        int seen = tfprof_profile_write_view(p, tfprof_view_type(i), wire_keep,
                                             answer, NULL);
        if (status == TFPROF_OK && seen != TFPROF_ERR_MISSING)
            status = seen;
    }
    for (size_t i = 0; p && tfprof_table_type(i); i++) {
        int seen = tfprof_profile_write_table(p, tfprof_table_type(i),
                                              wire_keep, answer, NULL);
        if (status == TFPROF_OK && seen != TFPROF_ERR_MISSING)
            status = seen;
    }
    if (p) {
        int seen = tfprof_profile_write_advice(p, wire_keep, answer, NULL);
        if (status == TFPROF_OK)
            status = seen;
    }
    tfprof_profile_free(p);
    counting_check(memory);
    return status;
}

/* The same of the calls in Python. */
static int run_frames(tfp_span trace, counting *memory, wire_bytes *answer)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    int status = p ? TFPROF_OK : TFPROF_ERR_NOMEM;
    if (p)
        status = tfprof_profile_set(p, "format", "json", NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_set(p, "frames", "python", NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_add_memory(p, "host.xplane.pb", trace.data,
                                           trace.size, NULL, NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_write_view(p, "code", wire_keep, answer, NULL);
    tfprof_profile_free(p);
    counting_check(memory);
    return status;
}

/* The same of a trace that marks no steps, so that they must be found. */
static int run_unmarked(tfp_span trace, counting *memory, wire_bytes *answer)
{
    static const char *const marks[] = { "step_num", "\x02_r" };
    uint8_t *copy = malloc(trace.size);
    int status;
    assert_non_null(copy);
    memcpy(copy, trace.data, trace.size);
    EACH(row, marks) {
        size_t size = strlen(*row);
        for (size_t i = 0; i + size <= trace.size; i++) {
            if (!memcmp(copy + i, *row, size))
                copy[i + size - 1] = 'x';
        }
    }
    status = run_all((tfp_span){ copy, trace.size }, memory, answer);
    free(copy);
    return status;
}

/* The same of the lines that an op log has. */
static int run_lines(tfp_span trace, counting *memory, wire_bytes *answer)
{
    static const char log[] = "log_entries { name: 'model/layer_0' code_def {"
                              " traces { file: 'train.py' lineno: 7 } } }"
                              "log_entries { name: 'other' code_def {"
                              " traces { file: 'train.py' lineno: 8 } } }";
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    int status = p ? TFPROF_OK : TFPROF_ERR_NOMEM;
    if (p)
        status = tfprof_profile_set(p, "format", "json", NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_add_memory(p, "host.xplane.pb", trace.data,
                                           trace.size, NULL, NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_add_memory(p, "log", log, strlen(log),
                                           "op_log_path", NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_write_view(p, "code", wire_keep, answer, NULL);
    tfprof_profile_free(p);
    counting_check(memory);
    return status;
}

typedef int run_fn(tfp_span trace, counting *memory, wire_bytes *answer);

static void sweep_with(run_fn *ask, const char *name, bool from_then_on)
{
    tfp_span trace = read_trace(name);
    size_t k, taken = 0, most;
    counting memory = { 0 };
    wire_bytes quiet = { 0 }, again = { 0 };
    assert_ok(ask(trace, &memory, &quiet));
    assert_true(wire_span(&quiet).size > 500);
    most = memory.calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        wire_bytes answer = { 0 };
        int status;
        memory = (counting){ .fail_at = k, .from_then_on = from_then_on };
        status = ask(trace, &memory, &answer);
        assert_true(memory.refused > 0);
        if (status != TFPROF_ERR_NOMEM)
            fail_msg("%s, k = %zu of %zu: %d", name, k, most, status);
        wire_free(&answer);
    }
    print_message("%s: %zu of %zu allocations\n", name, taken, most);
    memory = (counting){ 0 };
    assert_ok(ask(trace, &memory, &again));
    assert_true(tfp_span_equal(wire_span(&quiet), wire_span(&again)));
    wire_free(&quiet);
    wire_free(&again);
}

static void sweep_timeline(const char *name, bool from_then_on)
{
    size_t k, taken = 0, most;
    counting memory = { 0 };
    assert_ok(draw(name, &memory));
    most = memory.calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        int status;
        memory = (counting){ .fail_at = k, .from_then_on = from_then_on };
        status = draw(name, &memory);
        assert_true(memory.refused > 0);
        if (status != TFPROF_ERR_NOMEM)
            fail_msg("%s, k = %zu of %zu: %d", name, k, most, status);
    }
    print_message("%s: %zu of %zu allocations of a timeline\n", name, taken,
                  most);
}

TEST(ME_01_the_kth_allocation_of_a_timeline_fails)
{
    for (size_t i = 0; i < TRACES; i++)
        sweep_timeline(traces[i], false);
}

TEST(ME_02_the_kth_and_all_later_of_a_timeline_fail)
{
    for (size_t i = 0; i < TRACES; i++)
        sweep_timeline(traces[i], true);
}

static void sweep(const char *name, bool from_then_on)
{
    sweep_with(run_all, name, from_then_on);
    sweep_with(run_unmarked, name, from_then_on);
    sweep_with(run_frames, name, from_then_on);
    sweep_with(run_lines, name, from_then_on);
}

TEST(ME_01_the_kth_allocation_of_a_trace_fails)
{
    for (size_t i = 0; i < TRACES; i++)
        sweep(traces[i], false);
}

TEST(ME_02_the_kth_and_all_later_of_a_trace_fail)
{
    for (size_t i = 0; i < TRACES; i++)
        sweep(traces[i], true);
}
