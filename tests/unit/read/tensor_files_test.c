/*
 * tensor_files_test.c - values of checkpoints, read from files while memory
 * runs out, files shrink, or a reader says stop.
 */
#include <unistd.h>

#include "sample_tables.h"
#include "sweeping.h"

static char folder[] = "/tmp/tfprof-tensor-files-XXXXXX";

static void path_of(const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", folder, name);
}

static void write_file(const char *name, wire_bytes *bytes)
{
    char path[200];
    FILE *file;
    path_of(name, path, sizeof(path));
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes->data, 1, bytes->size, file), bytes->size);
    assert_int_equal(fclose(file), 0);
    wire_free(bytes);
}

HOOK(suite_begin)
{
    wire_bytes bytes = { 0 };
    assert_non_null(mkdtemp(folder));
    sample_bundle(&bytes);
    write_file("v2.index", &bytes);
    sample_bundle_data(&bytes);
    write_file("v2.data-00000-of-00001", &bytes);
    sample_slices(&bytes);
    write_file("v1", &bytes);
    return 0;
}

HOOK(suite_end)
{
    static const char *const names[] = { "v2.index", "v2.data-00000-of-00001",
                                         "v1" };
    char path[200];
    for (size_t i = 0; i < 3; i++) {
        path_of(names[i], path, sizeof(path));
        unlink(path);
    }
    return rmdir(folder);
}

/* ---- Asking ------------------------------------------------------------- */

static tfprof_profile *load(counting *memory, const char *name,
                            const char *format)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    char path[200];
    tfprof_error err;
    path_of(name, path, sizeof(path));
    assert_non_null(p);
    assert_ok(tfprof_profile_set(p, "select", "params,tensor_value", NULL));
    assert_ok(tfprof_profile_set(p, "format", format, NULL));
    must(tfprof_profile_add_path(p, path, "checkpoint_path", &err), &err);
    return p;
}

static int ask(tfprof_profile *p, wire_bytes *answer, tfprof_error *err)
{
    return tfprof_profile_write_view(p, "scope", wire_keep, answer, err);
}

static void check_answer(const char *name, const char *format,
                         const char *words)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory, name, format);
    wire_bytes answer = { 0 };
    assert_ok(ask(p, &answer, NULL));
    wire_byte(&answer, 0);
    if (!strstr((const char *)answer.data, words))
        fail_msg("no \"%s\" in: %s", words, (const char *)answer.data);
    wire_free(&answer);
    tfprof_profile_free(p);
    counting_check(&memory);
}

TEST(slices_are_joined_in_every_form)
{
    check_answer("v2", "text",
                 "  s (2x3, 6/6 params)\n"
                 "[[0.00 0.25 0.50 ],\n[0.75 1.00 1.25 ],\n],\n"
                 "  t (3x2, 6/6 params)\n"
                 "[[1.50 1.75 ],\n[2.00 2.25 ],\n[2.50 2.75 ],\n],\n"
                 "  u (2x1, 2/2 params)\n[['ab' ],\n['cde' ],\n],\n");
    check_answer("v2", "json", "\"elements\": [\"ab\", \"cde\"]");
    check_answer("v2", "csv", "\"2x3\",\"[0 0.25 0.5 0.75 1 1.25]\"");
    check_answer("v1", "text",
                 "  s (2x3, 6/6 params)\n"
                 "[[0.00 1.00 2.00 ],\n[3.00 4.00 5.00 ],\n],\n");
}

/* ---- Memory ------------------------------------------------------------- */

static void sweep(const char *name, const char *format)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory, name, format);
    wire_bytes quiet = { 0 }, again = { 0 };
    size_t before = memory.calls, most, taken = 0, k;
    assert_ok(ask(p, &quiet, NULL));
    most = memory.calls - before;
    assert_true(most > 10);
    while ((k = sweep_next(most, &taken)) > 0) {
        wire_bytes answer = { 0 };
        tfprof_error err = { .code = TFPROF_OK };
        int status;
        memory.refused = 0;
        memory.fail_at = memory.calls + k;
        status = ask(p, &answer, &err);
        memory.fail_at = 0;
        /* A table of recent finds may do without. */
        if (memory.refused > 0 && status != TFPROF_OK)
            assert_int_equal(status, TFPROF_ERR_NOMEM);
        assert_int_equal(err.code, status);
        wire_free(&answer);
    }
    assert_ok(ask(p, &again, NULL));
    assert_true(tfp_span_equal(wire_span(&again), wire_span(&quiet)));
    wire_free(&again);
    wire_free(&quiet);
    tfprof_profile_free(p);
    counting_check(&memory);
}

TEST(ME_01_the_kth_allocation_for_values_fails)
{
    sweep("v2", "text");
    sweep("v2", "json");
    sweep("v1", "csv");
}

TEST(ME_01_the_kth_allocation_for_a_prefix_fails)
{
    char path[200];
    for (int version = 1; version <= 2; version++) {
        path_of(version == 1 ? "v1" : "v2", path, sizeof(path));
        for (size_t k = 1;; k++) {
            counting memory = { .fail_at = k };
            tfprof_profile *p = tfprof_profile_new_with(counting_resize,
                                                        &memory);
            tfprof_error err = { .code = TFPROF_OK };
            int status = p ? tfprof_profile_add_path(p, path, "checkpoint_path",
                                                     &err)
                           : TFPROF_ERR_NOMEM;
            tfprof_profile_free(p);
            counting_check(&memory);
            assert_int_equal(status,
                             memory.refused ? TFPROF_ERR_NOMEM : TFPROF_OK);
            if (memory.refused == 0)
                break;
        }
    }
}

/* ---- Files that change -------------------------------------------------- */

TEST(IN_02_a_shard_that_shrinks_gives_an_error)
{
    counting memory = { 0 };
    tfprof_profile *p = load(&memory, "v2", "json");
    wire_bytes answer = { 0 }, data = { 0 };
    char path[200];
    tfprof_error err;
    path_of("v2.data-00000-of-00001", path, sizeof(path));
    assert_int_equal(truncate(path, 30), 0);
    assert_int_equal(ask(p, &answer, &err), TFPROF_ERR_MALFORMED);
    wire_byte(&answer, 0);
    assert_non_null(strstr((const char *)answer.data, "[0, 0.25, 0.5, 0.75, "));
    assert_non_null(
        strstr((const char *)answer.data, "is the shard truncated?"));
    wire_free(&answer);
    tfprof_profile_free(p);
    sample_bundle_data(&data);
    write_file("v2.data-00000-of-00001", &data);
}

static int stop(void *context, const char *path, int64_t read, int64_t size)
{
    (void)path;
    (void)read;
    (void)size;
    return --*(int *)context < 0;
}

TEST(reading_can_be_stopped)
{
    for (int after = 0;; after++) {
        counting memory = { 0 };
        tfprof_profile *p = load(&memory, "v2", "text");
        wire_bytes answer = { 0 };
        tfprof_error err = { .code = TFPROF_OK };
        int left = after, status;
        tfprof_profile_on_progress(p, stop, &left);
        status = ask(p, &answer, &err);
        wire_free(&answer);
        tfprof_profile_free(p);
        counting_check(&memory);
        assert_int_equal(err.code, status);
        if (status == TFPROF_OK)
            break;
        assert_int_equal(status, TFPROF_ERR_CANCELLED);
        assert_true(after < 10);
    }
}
