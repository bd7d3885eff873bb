/*
 * compare_sweep_test.c - every allocation of a comparison and of a check fails
 * once.
 *
 * The two sides have renamed, moved, added and changed rows, two runs of two
 * steps, and memory that varies, so that every part of a comparison runs.
 */
#include "sweeping.h"

#include <sys/stat.h>
#include <unistd.h>

#define CPU "/job:localhost/replica:0/task:0/device:CPU:0"

static char folder[] = "/tmp/tfprof-compare-sweep-XXXXXX";

typedef struct text {
    size_t size;
    char data[1 << 18];
} text;

static int put(void *context, const void *data, size_t size)
{
    text *out = context;
    assert_true(out->size + size <= sizeof(out->data));
    memcpy(out->data + out->size, data, size);
    out->size += size;
    return 0;
}

/* ---- Files -------------------------------------------------------------- */

static void path_of(const char *name, char path[128])
{
    snprintf(path, 128, "%s/%s", folder, name);
}

static FILE *create(const char *name)
{
    char path[128];
    FILE *out;
    path_of(name, path);
    out = fopen(path, "w");
    assert_non_null(out);
    return out;
}

static void make_folder(const char *name)
{
    char path[128];
    path_of(name, path);
    assert_int_equal(mkdir(path, 0700), 0);
}

static void make_graph(const char *name, const char *const *nodes)
{
    FILE *out = create(name);
    for (; *nodes; nodes += 2)
        fprintf(out,
                "node { name: \"%s\" op: \"%s\" attr { key: \"shape\" value { "
                "shape { dim { size: 3 } } } } }\n",
                nodes[0], nodes[1]);
    fclose(out);
}

static void make_step(const char *name, const char *node, int micros)
{
    FILE *out = create(name);
    fprintf(out,
            "step_stats { dev_stats { device: \"" CPU "\" node_stats { "
            "node_name: \"%s\" all_start_micros: 1700000000000000 "
            "op_end_rel_micros: %d all_end_rel_micros: %d memory { "
            "allocator_name: \"cpu\" total_bytes: %d peak_bytes: %d } } } }\n",
            node, micros, micros, micros, micros);
    fclose(out);
}

static void make_side(const char *side, const char *const *nodes,
                      const char *node, int micros)
{
    char name[64];
    make_folder(side);
    for (int run = 0; run < 2; run++) {
        snprintf(name, sizeof(name), "%s/run_%d", side, run);
        make_folder(name);
        snprintf(name, sizeof(name), "%s/run_%d/graph.pbtxt", side, run);
        make_graph(name, nodes);
        for (int step = 0; step < 2; step++) {
            snprintf(name, sizeof(name), "%s/run_%d/step_%d.pbtxt", side, run,
                     step);
            make_step(name, node, micros + 7 * run + step);
        }
    }
}

static const char *const old_nodes[] = { "a/x",      "Mul",    "a/conv_1",
                                         "Conv2D",   "b/s/y",  "Add",
                                         "b/s/z",    "Sub",    "c/gone",
                                         "Cast",     "d/same", "Relu",
                                         "e/kernel", "MatMul", NULL };
static const char *const new_nodes[] = { "a/x",      "Mul",         "a/conv_7",
                                         "Conv2D",   "b/w/s/y",     "Add",
                                         "b/w/s/z",  "Sub",         "c/fresh",
                                         "Pow",      "d/same",      "Relu",
                                         "e/kernel", "FusedMatMul", NULL };

/* A value of each kind of row, and a limit of each kind. */
static void make_budgets(void)
{
    FILE *out = create("budgets.json");
    fputs(
        "{\"budgets\": [{\"metric\": \"micros\", \"max\": \"+5%\"},\n"
        "{\"metric\": \"micros\", \"scope\": \"a/.*\", \"max\": \"1us\"},\n"
        "{\"metric\": \"nodes\", \"op\": \"Mul|Relu\", \"max\": 1},\n"
        "{\"metric\": \"bytes\", \"device\": \".*cpu.*\", \"min\": \"+1%\"},\n"
        "{\"metric\": \"micros\", \"code\": \"x\", \"max\": 1},\n"
        "{\"metric\": \"micros\", \"scope\": \"rare\", \"max\": 1},\n"
        "{\"metric\": \"step_micros\", \"max\": \"+10%\"},\n"
        "{\"name\": \"macs\", \"metric\": \"macs\", \"max\": 1}]}\n",
        out);
    fclose(out);
    out = create("base.json");
    fputs("{\"tfprof_baseline\": 1, \"of\": \"median\", \"skip_steps\": 0,\n"
          "\"runs\": 2, \"machine\": {\"cpu\": \"\", \"cores\": 0,\n"
          "\"accelerators\": \"\", \"versions\": \"\"}, \"rows\": [\n"
          "{\"metric\": \"micros\", \"values\": [100, 101]},\n"
          "{\"metric\": \"bytes\", \"device\": \".*cpu.*\",\n"
          "\"values\": [100, 101]}]}\n",
          out);
    fclose(out);
}

HOOK(suite_begin)
{
    assert_non_null(mkdtemp(folder));
    make_side("old", old_nodes, "a/x", 100);
    make_side("new", new_nodes, "a/x", 300);
    make_budgets();
    return 0;
}

static void discard(const char *side, int run, const char *file)
{
    char name[64], path[128];
    snprintf(name, sizeof(name), "%s/run_%d/%s", side, run, file);
    path_of(name, path);
    assert_int_equal(remove(path), 0);
}

HOOK(suite_end)
{
    static const char *const sides[] = { "old", "new" };
    char path[128];
    for (int i = 0; i < 4; i++) {
        discard(sides[i / 2], i % 2, "graph.pbtxt");
        discard(sides[i / 2], i % 2, "step_0.pbtxt");
        discard(sides[i / 2], i % 2, "step_1.pbtxt");
        discard(sides[i / 2], i % 2, "");
    }
    for (int i = 0; i < 2; i++) {
        path_of(sides[i], path);
        assert_int_equal(remove(path), 0);
    }
    path_of("budgets.json", path);
    assert_int_equal(remove(path), 0);
    path_of("base.json", path);
    assert_int_equal(remove(path), 0);
    return remove(folder);
}

/* ---- Comparisons -------------------------------------------------------- */

static int compare(tfprof_profile *p, const char *view, text *out)
{
    char old[128], new[128];
    const char *base[1] = { old }, *head[1] = { new };
    tfprof_error err;
    path_of("old", old);
    path_of("new", new);
    out->size = 0;
    return tfprof_profile_write_diff(p, view, base, 1, head, 1, put, out, &err);
}

/* The profile has the inputs of the new side. */
static int report(tfprof_profile *p, const char *view, text *out)
{
    char old[128];
    const char *base[1] = { old };
    tfprof_error err;
    (void)view;
    path_of("old", old);
    out->size = 0;
    return tfprof_profile_write_report(p, base, 1, put, out, &err);
}

typedef int ask_fn(tfprof_profile *profile, const char *view, text *out);

/* Instead of a view: NULL checks against a file with values, "old" against the
 * runs of this folder, and "baseline" writes a baseline. */
static int check(tfprof_profile *p, const char *how, text *out)
{
    bool baseline = how && !strcmp(how, "baseline");
    char new[128];
    const char *head[1] = { new };
    tfprof_verdict verdict;
    tfprof_error err;
    path_of("new", new);
    out->size = 0;
    return baseline ? tfprof_profile_write_baseline(p, head, 1, put, out, &err)
                    : tfprof_profile_write_check(p, head, 1, put, out, &verdict,
                                                 &err);
}

static void set_files(tfprof_profile *p, const char *baseline)
{
    char path[128];
    path_of("budgets.json", path);
    assert_ok(tfprof_profile_set(p, "budgets", path, NULL));
    path_of(baseline ? baseline : "", path);
    if (baseline)
        assert_ok(tfprof_profile_set(p, "baseline", path, NULL));
}

static void sweep(ask_fn *ask, const char *view, const char *format,
                  counting plan)
{
    static text quiet, found;
    counting memory = { 0 };
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, &memory);
    size_t most, held, k, taken = 0;
    assert_non_null(p);
    assert_ok(tfprof_profile_set(p, "format", format, NULL));
    set_files(p, ask != check           ? NULL
                 : !view                ? "base.json"
                 : !strcmp(view, "old") ? "old"
                                        : NULL);
    if (ask == report) {
        char new[128];
        path_of("new/run_0", new);
        assert_ok(tfprof_profile_add_path(p, new, NULL, NULL));
        assert_ok(ask(p, view, &quiet)); /* for the census */
    }
    held = memory.held;
    memory.calls = memory.growths = 0;
    assert_ok(ask(p, view, &quiet));
    assert_int_equal(memory.held, held);
    most = plan.growths_only ? memory.growths : memory.calls;
    while ((k = sweep_next(most, &taken)) > 0) {
        int status;
        memory.calls = memory.growths = memory.refused = 0;
        memory.fail_at = k;
        memory.from_then_on = plan.from_then_on;
        memory.growths_only = plan.growths_only;
        status = ask(p, view, &found);
        memory.fail_at = 0;
        assert_int_equal(memory.held, held);
        /* A cache may do without memory; the answer must be the same then. */
        if (status == TFPROF_OK) {
            assert_int_equal(found.size, quiet.size);
            assert_memory_equal(found.data, quiet.data, quiet.size);
        } else {
            assert_int_equal(status, TFPROF_ERR_NOMEM);
        }
    }
    tfprof_profile_free(p);
    assert_int_equal(memory.held, 0);
}

static void sweep_all(counting plan)
{
    sweep(compare, "scope", "text", plan);
    sweep(compare, "scope", "json", plan);
    sweep(compare, "op", "csv", plan);
    sweep(compare, "graph", "markdown", plan);
    sweep(report, NULL, "text", plan);
    sweep(check, NULL, "text", plan);
    sweep(check, NULL, "github", plan);
    sweep(check, NULL, "junit", plan);
    sweep(check, NULL, "sarif", plan);
    sweep(check, "old", "json", plan);
    sweep(check, "baseline", "json", plan);
}

TEST(reports_that_the_kth_allocation_failed)
{
    sweep_all((counting){ 0 });
}

TEST(reports_that_all_allocations_from_the_kth_on_failed)
{
    sweep_all((counting){ .from_then_on = true });
}

TEST(reports_that_the_kth_growth_failed)
{
    sweep_all((counting){ .growths_only = true });
}

static bool has(const text *in, const char *line)
{
    char copy[sizeof(in->data) + 1];
    memcpy(copy, in->data, in->size);
    copy[in->size] = '\0';
    return strstr(copy, line) != NULL;
}

TEST(finds_what_the_files_differ_in)
{
    static text found;
    tfprof_profile *p = tfprof_profile_new();
    assert_ok(tfprof_profile_set(p, "format", "csv", NULL));
    assert_ok(compare(p, NULL, &found));
    assert_true(has(&found, "moved,\"b/w/s\",\"b/s\",place"));
    assert_true(has(&found, "changed,\"e/kernel\",,op_type"));
    assert_true(has(&found, "removed,\"c/gone\",,nodes,count,1,0,-1"));
    assert_true(has(&found, "added,\"c/fresh\",,nodes,count,0,1,1"));
    assert_true(
        has(&found, "changed,\"a/x\",,micros,microseconds,104,304,200"));
    assert_false(has(&found, "conv_"));
    assert_false(has(&found, "peak_bytes")); /* runs of a side differ */
    tfprof_profile_free(p);
}

static int64_t asks_left;

static int cancel(void *context)
{
    (void)context;
    return asks_left-- <= 0;
}

TEST(stops_when_canceled)
{
    static text found;
    tfprof_profile *p = tfprof_profile_new();
    int status = TFPROF_ERR_CANCELLED;
    tfprof_profile_on_cancel(p, cancel, NULL);
    for (int64_t i = 0; i < 10000 && status == TFPROF_ERR_CANCELLED; i++) {
        asks_left = i;
        status = compare(p, NULL, &found);
        assert_true(status == TFPROF_OK || status == TFPROF_ERR_CANCELLED);
    }
    assert_ok(status);
    set_files(p, "base.json");
    status = TFPROF_ERR_CANCELLED;
    for (int64_t i = 0; i < 10000 && status == TFPROF_ERR_CANCELLED; i++) {
        asks_left = i;
        status = check(p, NULL, &found);
        assert_true(status == TFPROF_OK || status == TFPROF_ERR_CANCELLED);
    }
    assert_ok(status);
    tfprof_profile_free(p);
}

TEST(rejects_misuse)
{
    const char *one[1] = { folder }, *none[1] = { NULL };
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err;
    assert_int_equal(
        tfprof_profile_write_diff(NULL, NULL, one, 1, one, 1, put, NULL, &err),
        TFPROF_ERR_OPTION);
    assert_int_equal(
        tfprof_profile_write_diff(p, "no", one, 1, one, 1, put, NULL, &err),
        TFPROF_ERR_OPTION);
    assert_int_equal(
        tfprof_profile_write_diff(p, NULL, one, 0, one, 1, put, NULL, &err),
        TFPROF_ERR_OPTION);
    assert_int_equal(
        tfprof_profile_write_diff(p, NULL, one, 1, none, 1, put, NULL, &err),
        TFPROF_ERR_OPTION);
    assert_int_equal(
        tfprof_profile_write_diff(p, NULL, one, 1, one, 1, NULL, NULL, &err),
        TFPROF_ERR_OPTION);
    tfprof_profile_free(p);
}
