/*
 * xprof_sweep_test.c - every allocation fails once while a tool of xprof
 * answers.
 *
 * Each tool about one small trace of each kind. The ordinary run takes 25
 * random k of each, the same in every run, or others by TFPROF_SEED;
 * TFPROF_SLOW=1 takes every k.
 */
#include "samples.h"
#include "sweeping.h"

static const char *const traces[] = { "gen_jax-cpu", "gen_jax-gpu",
                                      "gen_jax-tpu", "gen_tf-gpu" };

enum { TRACES = COUNT(traces) };

/* All is given back, whatever the status. */
static int run(const char *tool, const char *path, counting *memory,
               wire_bytes *answer)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    tfprof_error err = { .code = TFPROF_OK };
    int status = TFPROF_ERR_NOMEM;
    if (p) {
        status = tfprof_profile_write_xprof(p, tool, path, wire_keep, answer,
                                            &err);
        assert_int_equal(err.code, status);
        assert_int_equal(err.message[0] == '\0', status == TFPROF_OK);
        assert_int_equal(tfprof_profile_input_count(p), 0);
    }
    tfprof_profile_free(p);
    counting_check(memory);
    return status;
}

static void sweep(const char *tool, const char *name, bool from_then_on)
{
    char path[1024];
    size_t k, taken = 0, most;
    counting memory = { 0 };
    wire_bytes quiet = { 0 }, again = { 0 };
    snprintf(path, sizeof(path), "%s/traces/%s.xplane.pb", TFPROF_TEST_DATA,
             name);
    assert_ok(run(tool, path, &memory, &quiet));
    assert_true(wire_span(&quiet).size > 50);
    most = memory.calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        wire_bytes answer = { 0 };
        int status;
        memory = (counting){ .fail_at = k, .from_then_on = from_then_on };
        status = run(tool, path, &memory, &answer);
        assert_true(memory.refused > 0);
        if (status != TFPROF_ERR_NOMEM)
            fail_msg("%s of %s, k = %zu of %zu: %d", tool, name, k, most,
                     status);
        wire_free(&answer);
    }
    memory = (counting){ 0 };
    assert_ok(run(tool, path, &memory, &again));
    assert_true(tfp_span_equal(wire_span(&quiet), wire_span(&again)));
    wire_free(&quiet);
    wire_free(&again);
}

static void sweep_all(bool from_then_on)
{
    for (size_t i = 0; tfprof_xprof_tool(i); i++) {
        for (size_t k = 0; k < TRACES; k++)
            sweep(tfprof_xprof_tool(i), traces[k], from_then_on);
    }
}

TEST(ME_01_the_kth_allocation_of_a_tool_fails)
{
    sweep_all(false);
}

TEST(ME_02_the_kth_and_all_later_of_a_tool_fail)
{
    sweep_all(true);
}

/* ---- Misuse ------------------------------------------------------------- */

TEST(refuses_what_is_not_given_or_unknown)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err;
    assert_int_equal(tfprof_profile_write_xprof(NULL, "hlo_stats", "-",
                                                wire_keep, NULL, &err),
                     TFPROF_ERR_OPTION);
    assert_int_equal(
        tfprof_profile_write_xprof(p, NULL, "-", wire_keep, NULL, &err),
        TFPROF_ERR_OPTION);
    assert_int_equal(
        tfprof_profile_write_xprof(p, "hlo_stats", NULL, wire_keep, NULL, &err),
        TFPROF_ERR_OPTION);
    assert_int_equal(
        tfprof_profile_write_xprof(p, "hlo_stats", "-", NULL, NULL, &err),
        TFPROF_ERR_OPTION);
    assert_int_equal(
        tfprof_profile_write_xprof(p, "hlo_stat", "-", wire_keep, NULL, &err),
        TFPROF_ERR_OPTION);
    assert_non_null(strstr(err.message, "did you mean hlo_stats?"));
    assert_non_null(strstr(err.message, "memory_profile"));
    assert_null(tfprof_xprof_tool(4));
    tfprof_profile_free(p);
}

/* ---- Cancelling --------------------------------------------------------- */

static int at_once(void *context)
{
    ++*(int *)context;
    return 1;
}

TEST(a_cancelled_tool_can_be_asked_again)
{
    tfprof_profile *p = tfprof_profile_new();
    wire_bytes answer = { 0 };
    tfprof_error err;
    char path[1024];
    int asked = 0;
    snprintf(path, sizeof(path), "%s/traces/keras315_tf221_callback.xplane.pb",
             TFPROF_TEST_DATA);
    tfprof_profile_on_cancel(p, at_once, &asked);
    assert_int_equal(tfprof_profile_write_xprof(p, "memory_profile", path,
                                                wire_keep, &answer, &err),
                     TFPROF_ERR_CANCELLED);
    assert_true(asked > 0);
    tfprof_profile_on_cancel(p, NULL, NULL);
    assert_ok(tfprof_profile_write_xprof(p, "memory_profile", path, wire_keep,
                                         &answer, &err));
    wire_free(&answer);
    tfprof_profile_free(p);
}
