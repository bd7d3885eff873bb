/*
 * aggregate_sweep_test.c - every allocation fails once while files are folded
 * into tables.
 *
 * RunMetadata with a graph and an op log, a profile, a trace, and traces with a
 * graph and an op log. The ordinary run takes 25 random k of each;
 * TFPROF_SLOW=1 takes every k.
 */
#include "sweeping.h"

#include <stdio.h>
#include <unistd.h>

#include <tfprof/tfprof.h>

enum { MOST_INPUTS = 5 };

typedef struct scenario {
    const char *name;
    const char *inputs[MOST_INPUTS]; /* in tests/data; NULL ends the list */
} scenario;

static const scenario scenarios[] = {
    { "runs", { "graph.pb", "op_log", "run_meta", "run_meta.gz" } },
    { "profile", { "profile" } },
    { "trace", { "traces/gen_jax-gpu.xplane.pb", "step_stats.pb" } },
    { "traces of a graph",
      { "graph.pb", "op_log", "traces/tf_keras_3steps_py0.xplane.pb",
        "traces/tf_keras_3steps_py1.xplane.pb" } },
};

enum { SCENARIOS = sizeof(scenarios) / sizeof(scenarios[0]) };

static char folder[64];

static int ignore(void *context, const void *data, size_t size)
{
    (void)context, (void)data, (void)size;
    return 0;
}

static int add_inputs(tfprof_profile *p, const scenario *s)
{
    int status = TFPROF_OK;
    for (int i = 0; s->inputs[i] && status == TFPROF_OK; i++) {
        char path[1024];
        snprintf(path, sizeof(path), "%s/%s", TFPROF_TEST_DATA, s->inputs[i]);
        status = tfprof_profile_add_path(p, path, NULL, NULL);
    }
    return status;
}

/* The status of all steps; all memory is given back. */
static int run(const scenario *s, counting *memory)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    char output[128];
    int status = p ? TFPROF_OK : TFPROF_ERR_NOMEM;
    snprintf(output, sizeof(output), "parquet:outfile=%s", folder);
    if (status == TFPROF_OK)
        status = tfprof_profile_set(p, "output", output, NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_set(p, "label", "job=j,zone=eu", NULL);
    if (status == TFPROF_OK)
        status = tfprof_profile_expect(p, "aggregate", NULL);
    if (status == TFPROF_OK)
        status = add_inputs(p, s);
    if (status == TFPROF_OK)
        status = tfprof_profile_write_aggregate(p, ignore, NULL, NULL);
    tfprof_profile_free(p);
    counting_check(memory);
    return status;
}

static void sweep(const scenario *s, bool from_then_on)
{
    size_t k, taken = 0, most;
    counting memory = { 0 };
    assert_int_equal(run(s, &memory), TFPROF_OK);
    most = memory.calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        int status;
        memory = (counting){ .fail_at = k, .from_then_on = from_then_on };
        status = run(s, &memory);
        /* A folder that has tables takes a few more allocations. */
        if (status == TFPROF_OK && memory.calls < k)
            continue;
        /* A larger window to detect a type is not required. */
        if (status != TFPROF_ERR_NOMEM && (status != TFPROF_OK || from_then_on))
            fail_msg("%s, k = %zu of %zu: %d", s->name, k, most, status);
    }
    print_message("%s: %zu of %zu allocations\n", s->name, taken, most);
    memory = (counting){ 0 };
    assert_int_equal(run(s, &memory), TFPROF_OK);
}

TEST(ME_01_the_kth_allocation_of_an_aggregate_fails)
{
    for (int i = 0; i < SCENARIOS; i++)
        sweep(&scenarios[i], false);
}

TEST(ME_02_the_kth_and_all_later_of_an_aggregate_fail)
{
    for (int i = 0; i < SCENARIOS; i++)
        sweep(&scenarios[i], true);
}

/* Every k, also in the ordinary run: few allocations of an aggregate are those
 * of the code view, which finds the lines of an op log. */
TEST(ME_01_no_allocation_of_runs_leaks)
{
    counting memory = { 0 };
    size_t most;
    assert_int_equal(run(&scenarios[0], &memory), TFPROF_OK);
    most = memory.calls;
    for (size_t k = 1; k <= most; k++) {
        memory = (counting){ .fail_at = k };
        (void)run(&scenarios[0], &memory); /* checks that nothing is left */
    }
}

HOOK(suite_begin)
{
    snprintf(folder, sizeof(folder), "/tmp/tfprof_aggregate_XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

HOOK(suite_end)
{
    static const char *const files[] = { "rows", "histogram", "steps",
                                         "header" };
    for (int i = 0; i < 4; i++) {
        char path[128];
        snprintf(path, sizeof(path), "%s/%s.parquet", folder, files[i]);
        unlink(path);
    }
    return rmdir(folder);
}
