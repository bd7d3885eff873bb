/*
 * kept_view_test.c - the rows that a caller keeps, against the JSON of the same
 * view; every allocation fails once; every ask is answered with a cancel.
 */
#include "samples.h"
#include "sweeping.h"

#include "profiling.h"

#define EVERYTHING                                                             \
    "bytes,peak_bytes,residual_bytes,output_bytes,micros,accelerator_micros,"  \
    "cpu_micros,params,float_ops,occurrence,device,op_types,num_hidden_ops"

static tfprof_error err;

static void load(void)
{
    static const char *const files[] = { "graph.pb", "run_meta", "op_log" };
    char path[1024];
    for (size_t i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "%s/%s", TFPROF_TEST_DATA, files[i]);
        must(tfprof_profile_add_path(p, path, NULL, &err), &err);
    }
    set("select", EVERYTHING);
    set("format", "json");
    set("max_depth", "1000");
}

PROFILE_FIXTURE(load)

/* ---- Against JSON ------------------------------------------------------- */

/* "<" is escaped, for pages; nothing else in these files is. */
static void unescape(char *json)
{
    for (char *at; (at = strstr(json, "\\u003c"));) {
        *at = '<';
        memmove(at + 1, at + 6, strlen(at + 6) + 1);
    }
}

/* A row is one line of JSON; the first of `part` behind `after` stands in it,
 * and no further digit behind that. */
static void check_part(const char *line, const char *after, const char *part)
{
    const char *from = strstr(line, after), *end = strchr(line, '\n');
    const char *found = from ? strstr(from, part) : NULL;
    if (!found || !end || found > end ||
        strchr("0123456789", found[strlen(part)]))
        fail_msg("no %s behind %s in %.*s", part, after,
                 (int)(end ? end - line : 0), line);
}

static void check_metrics(const tfprof_view *view, size_t row, const char *line)
{
    char part[96];
    size_t metrics = 0;
    for (int m = 0; tfprof_metric_name((tfprof_metric)m); m++) {
        tfprof_metric metric = (tfprof_metric)m;
        if (!tfprof_view_has(view, metric))
            continue;
        metrics++;
        snprintf(part, sizeof(part), "\"%s\": %lld", tfprof_metric_name(metric),
                 (long long)tfprof_view_self(view, row, metric));
        check_part(line, "\"self\": {", part);
        snprintf(part, sizeof(part), "\"%s\": %lld", tfprof_metric_name(metric),
                 (long long)tfprof_view_total(view, row, metric));
        check_part(line, "\"total\": {", part);
    }
    assert_true(metrics >= 10);
}

/* "a|b" is ["a", "b"]. */
static void check_list(const tfprof_view *view, size_t row, tfprof_fact fact,
                       const char *line)
{
    tfprof_text text = tfprof_view_fact(view, row, fact);
    char part[4096], *at = part + snprintf(part, sizeof(part), "\"%s\": [%s",
                                           tfprof_fact_name(fact),
                                           text.size > 0 ? "\"" : "");
    assert_true(text.size < sizeof(part) / 4 - 64);
    for (size_t i = 0; i < text.size; i++) {
        if (text.data[i] == '|')
            at += snprintf(at, 5, "\", \"");
        else
            *at++ = text.data[i];
    }
    snprintf(at, 3, "%s", text.size > 0 ? "\"]" : "]");
    check_part(line, "\"name\"", part);
}

static void check_row(const tfprof_view *view, size_t index, const char *line)
{
    tfprof_row row;
    char part[256];
    assert_ok(tfprof_view_row(view, index, &row));
    snprintf(part, sizeof(part), "{\"name\": \"%.*s\", \"depth\": %lld, ",
             (int)row.name.size, row.name.data, (long long)row.depth);
    check_part(line, "", part);
    snprintf(part, sizeof(part), "\"accounted\": %s",
             row.is_accounted ? "true" : "false");
    check_part(line, "\"depth\"", part);
    check_metrics(view, index, line);
    check_list(view, index, TFPROF_FACT_DEVICES, line);
    check_list(view, index, TFPROF_FACT_OP_TYPES, line);
}

/* A row is after its parent and before its parent's end, one level below. */
static void check_nesting(const tfprof_view *view)
{
    tfprof_row row, parent;
    size_t count = tfprof_view_row_count(view);
    for (size_t i = 0; i < count; i++) {
        assert_ok(tfprof_view_row(view, i, &row));
        assert_true(row.end > i && row.end <= count);
        if (row.parent == TFPROF_NO_ROW)
            continue;
        assert_true(row.parent < i);
        assert_ok(tfprof_view_row(view, row.parent, &parent));
        assert_true(i < parent.end && row.end <= parent.end);
        assert_int_equal(row.depth, parent.depth + 1);
    }
}

TEST(rows_are_those_of_the_json_answer)
{
    for (size_t i = 0; tfprof_view_type(i); i++) {
        tfprof_view *view;
        wire_bytes json = { 0 };
        const char *line;
        size_t rows = 0;
        must(tfprof_profile_view(p, tfprof_view_type(i), &view, &err), &err);
        must(tfprof_profile_write_view(p, tfprof_view_type(i), wire_keep, &json,
                                       &err),
             &err);
        wire_raw(&json, "", 1);
        unescape((char *)json.data);
        line = strstr((const char *)json.data, "    {\"name\"");
        for (; line; line = strstr(line + 1, "    {\"name\""))
            check_row(view, rows++, line);
        assert_int_equal(rows, tfprof_view_row_count(view));
        assert_true(rows > 2);
        check_nesting(view);
        tfprof_view_free(view);
        wire_free(&json);
    }
}

/* ---- Failing ------------------------------------------------------------ */

TEST(ME_01_the_kth_allocation_of_kept_rows_fails)
{
    for (size_t i = 0; tfprof_view_type(i); i++) {
        const char *type = tfprof_view_type(i);
        tfprof_view *view;
        size_t most, held, k, taken = 0;
        must(tfprof_profile_view(p, type, &view, &err), &err);
        tfprof_view_free(view);
        held = memory.held;
        memory.calls = 0;
        must(tfprof_profile_view(p, type, &view, &err), &err);
        tfprof_view_free(view);
        most = memory.calls;
        while ((k = sweep_next(most, &taken)) > 0) {
            memory.calls = memory.refused = 0;
            memory.fail_at = k;
            assert_int_equal(tfprof_profile_view(p, type, &view, &err),
                             TFPROF_ERR_NOMEM);
            memory.fail_at = 0;
            assert_int_equal(memory.refused, 1);
            assert_null(view);
            assert_int_equal(memory.held, held);
        }
    }
}

typedef struct asking {
    size_t asked, cancel_at;
} asking;

static int ask(void *context)
{
    asking *a = context;
    return ++a->asked == a->cancel_at;
}

TEST(OP_05_kept_rows_can_be_cancelled_at_every_ask)
{
    asking a = { 0 };
    tfprof_profile_on_cancel(p, ask, &a);
    for (size_t i = 0; tfprof_view_type(i); i++) {
        const char *type = tfprof_view_type(i);
        tfprof_view *view;
        size_t most;
        a = (asking){ 0 };
        must(tfprof_profile_view(p, type, &view, &err), &err);
        tfprof_view_free(view);
        most = a.asked;
        assert_true(most > 1);
        for (size_t k = 1; k <= most; k++) {
            a = (asking){ .cancel_at = k };
            assert_int_equal(tfprof_profile_view(p, type, &view, &err),
                             TFPROF_ERR_CANCELLED);
            assert_null(view);
        }
    }
}
