/*
 * settings_test.c - what a session needs of a profile besides answers: its
 * options told, put aside and back, and the names of its nodes.
 */
#include "sample_messages.h"

#include "profiling.h"

static void load(void) {}

PROFILE_FIXTURE(load)

static void check_value(const char *name, const char *expected)
{
    char value[256];
    size_t size = tfprof_profile_get(p, name, value, sizeof(value));
    assert_string_equal(value, expected);
    assert_int_equal(size, strlen(expected));
}

/* ---- Values ------------------------------------------------------------- */

/* What is set, and how it is told. */
static const char *const told[][3] = {
    { "max_depth", "-2147483648", "-2147483648" },
    { "min_bytes", "-9223372036854775808", "-9223372036854775808" },
    { "min_micros", "9223372036854775807", "9223372036854775807" },
    { "step", "007", "7" },
    { "order_by", "accelerator_micros", "accelerator_micros" },
    { "account-displayed_op_only", "true", "true" },
    { "max_input", "2K", "2048" },
    { "select", "params,bytes,params", "bytes,params" },
    { "select", "micros,cpu_micros,occurrence",
      "cpu_micros,micros,occurrence" },
    { "account_type_regexes", "a,b", "a,b" },
    { "account_type_regexes", ",a,,b,", "a,b" },
    { "start_name_regexes", "", "" },
    { "show_name_regexes", "a\\,b,c", "a\\,b,c" },
    { "show_name_regexes", "x{2,3},y{2\\,}z\\\\,w", "x{2,3},y{2,}z\\\\,w" },
    { "show_name_regexes", "\\{2\\,3},\\d+", "\\{2\\,3},\\d+" },
    { "hide_name_regexes", "a\\", "a\\" },
    { "output", "stdout", "stdout:" },
    { "output", "none", "none:" },
    { "output", "file:outfile=a\\,b", "file:outfile=a\\,b" },
    { "output", "timeline:output=t", "timeline:outfile=t" },
    { "output", "pprof:samples=all,outfile=t,labels=node",
      "pprof:outfile=t,samples=all" },
    { "output", "pprof:labels=all,outfile=t", "pprof:outfile=t,labels=all" },
    { "output", "pprof:labels=groups,outfile=t",
      "pprof:outfile=t,labels=groups" },
};

TEST(a_value_is_told_as_text_that_sets_it_again)
{
    EACH(row, told) {
        restart();
        set((*row)[0], (*row)[1]);
        check_value((*row)[0], (*row)[2]);
        if (strcmp((*row)[0], "output") != 0 || strchr((*row)[1], '='))
            set((*row)[0], (*row)[2]);
        check_value((*row)[0], (*row)[2]);
    }
}

TEST(what_is_no_setting_has_no_value)
{
    check_value("graph_path", "");
    check_value("viz", "");
    check_value("no_such_option", "");
    assert_int_equal(tfprof_profile_get(p, "no_such_option", NULL, 0), 0);
}

TEST(a_value_that_does_not_fit_is_cut)
{
    char value[8] = "_______";
    set("show_name_regexes", "abcdefghij");
    assert_int_equal(tfprof_profile_get(p, "show_name_regexes", NULL, 0), 10);
    assert_int_equal(tfprof_profile_get(p, "show_name_regexes", value, 1), 10);
    assert_string_equal(value, "");
    assert_int_equal(tfprof_profile_get(p, "show_name_regexes", value, 8), 10);
    assert_string_equal(value, "abcdefg");
}

TEST(every_default_is_told_as_the_table_has_it)
{
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const tfprof_option *option = tfprof_option_at(i);
        if (option->kind == TFPROF_OPTION_SIZE)
            continue; /* 64G is told in bytes */
        if (!strcmp(option->name, "select"))
            check_value("select", "params"); /* there are no runs */
        else if (option->kind == TFPROF_OPTION_OUTPUT)
            check_value(option->name, "stdout:");
        else
            check_value(option->name, option->default_value);
    }
}

TEST(labels_keep_backslashes_and_commas)
{
    set("label", "a=C:\\\\,b=\\d{1\\,2},c=\\");
    check_value("label", "a=C:\\\\,b=\\\\d{1\\,2},c=\\\\");
    set("label", "a=C:\\\\,b=\\\\d{1\\,2},c=\\\\");
    check_value("label", "a=C:\\\\,b=\\\\d{1\\,2},c=\\\\");
}

TEST(an_output_keeps_the_file_before_it_in_the_listing)
{
    set("output", "file:outfile=a");
    set("output", "stdout");
    check_value("output", "stdout:outfile=a");
    set("output", "timeline:outfile=b");
    check_value("output", "timeline:outfile=b");
    set("output", "none");
    check_value("output", "none:outfile=b");
}

/* ---- Put aside and back ------------------------------------------------- */

TEST(options_come_back_as_they_were_kept)
{
    tfprof_profile_restore_options(p); /* nothing is kept: nothing changes */
    set("max_depth", "3");
    set("show_name_regexes", "a,b");
    set("output", "file:outfile=x");
    assert_ok(tfprof_profile_keep_options(p, NULL));
    set("max_depth", "4");
    set("show_name_regexes", "c");
    set("output", "file:outfile=y");
    tfprof_profile_restore_options(p);
    check_value("max_depth", "3");
    check_value("show_name_regexes", "a,b");
    check_value("output", "file:outfile=x");
    set("max_depth", "5");
    tfprof_profile_restore_options(p); /* once is all */
    check_value("max_depth", "5");
    assert_ok(tfprof_profile_keep_options(p, NULL));
    assert_ok(tfprof_profile_keep_options(p, NULL));
}

TEST(a_reset_puts_every_default_back)
{
    set("max_depth", "3");
    set("select", "bytes");
    set("trim_name_regexes", "a");
    set("output", "file:outfile=x");
    assert_ok(tfprof_profile_reset(p, NULL));
    check_value("max_depth", "10");
    check_value("select", "params");
    check_value("trim_name_regexes", "");
    check_value("output", "stdout:");
}

/* ---- Names -------------------------------------------------------------- */

typedef struct names {
    char text[256]; /* each followed by a blank */
    size_t most;
} names;

static int keep_name(void *context, const char *name, size_t size)
{
    names *n = context;
    size_t used = strlen(n->text);
    snprintf(n->text + used, sizeof(n->text) - used, "%.*s ", (int)size, name);
    return n->most > 0 && --n->most == 0;
}

static void add_nodes(const char *const *nodes)
{
    wire_bytes graph = { 0 };
    for (; *nodes; nodes++)
        sample_node(&graph, 1, *nodes, "NoOp", NULL);
    add("graph_path", &graph);
}

static void check_names(const char *prefix, size_t most, const char *expected)
{
    names n = { .most = most };
    tfprof_error err;
    must(tfprof_profile_complete_name(p, prefix, keep_name, &n, &err), &err);
    assert_string_equal(n.text, expected);
}

static const char *const nodes[] = { "b/c/d", "a",    "b/c/e", "b/c",
                                     "bb",    "b.x",  "b/f",   "b/",
                                     "b/c2",  "b0/y", "z",     NULL };

TEST(names_go_on_segment_by_segment)
{
    static const char *const more[] = { "b/g", "B", NULL };
    check_names("", 0, "");
    add_nodes(nodes);
    check_names("", 0, "a b.x b/ b0/ bb z ");
    check_names("b", 0, "b.x b/ b0/ bb ");
    check_names("b/", 0, "b/ b/c b/c/ b/c2 b/f ");
    check_names("b/c", 0, "b/c b/c/ b/c2 ");
    check_names("b/c/", 0, "b/c/d b/c/e ");
    check_names("b/c/d", 0, "b/c/d ");
    check_names("b/c/dd", 0, "");
    check_names("zz", 0, "");
    check_names("", 2, "a b.x ");
    add_nodes(more); /* they are found, too */
    check_names("b/", 0, "b/ b/c b/c/ b/c2 b/f b/g ");
    check_names("B", 0, "B ");
}

/* ---- Memory ------------------------------------------------------------- */

/* The k-th allocation of the call fails, for every k, and then none does. */
static void check_sweep(int (*call)(tfprof_profile *of, tfprof_error *err))
{
    size_t refused = 0;
    for (size_t k = 1;; k++) {
        tfprof_error err = { .code = TFPROF_OK };
        int status;
        memory.calls = 0;
        memory.fail_at = k;
        status = call(p, &err);
        memory.fail_at = 0;
        if (status == TFPROF_OK)
            break;
        check_value("show_name_regexes", "a,b");
        check_value("output", "file:outfile=x");
        assert_int_equal(status, TFPROF_ERR_NOMEM);
        assert_int_equal(err.code, TFPROF_ERR_NOMEM);
        refused++;
    }
    assert_true(refused > 0);
}

static int complete(tfprof_profile *of, tfprof_error *err)
{
    names n = { .most = 0 };
    return tfprof_profile_complete_name(of, "b/c/", keep_name, &n, err);
}

TEST(when_memory_runs_out_nothing_has_changed)
{
    add_nodes(nodes);
    set("show_name_regexes", "a,b");
    set("output", "file:outfile=x");
    check_sweep(tfprof_profile_keep_options);
    check_sweep(complete);
    check_sweep(tfprof_profile_reset);
    check_names("b/c/", 0, "b/c/d b/c/e ");
}

/* ---- The memory limit of a call ----------------------------------------- */

typedef int question(tfprof_profile *of, tfprof_error *err);

static int ignore_bytes(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return 0;
}

static int ask_for_rows(tfprof_profile *of, tfprof_error *err)
{
    tfprof_view *view = NULL;
    int status = tfprof_profile_view(of, "scope", &view, err);
    tfprof_view_free(view);
    return status;
}

static int ask_for_text(tfprof_profile *of, tfprof_error *err)
{
    return tfprof_profile_write_view(of, "op", ignore_bytes, NULL, err);
}

static int ask_for_advice(tfprof_profile *of, tfprof_error *err)
{
    tfprof_advice *advice = NULL;
    int status = tfprof_profile_advise(of, &advice, err);
    tfprof_advice_free(advice);
    return status;
}

static int ask_for_steps(tfprof_profile *of, tfprof_error *err)
{
    tfprof_table *table = NULL;
    int status = tfprof_profile_table(of, "steps", &table, err);
    tfprof_table_free(table);
    return status;
}

static int ask_for_info(tfprof_profile *of, tfprof_error *err)
{
    return tfprof_profile_write_info(of, ignore_bytes, NULL, err);
}

static question *const questions[] = { ask_for_rows,   ask_for_text,
                                       ask_for_advice, ask_for_steps,
                                       complete,       ask_for_info };

/* Asks with a limit that the answer exceeds, if it needs memory at all. */
static void ask_within(question *ask, const char *limit)
{
    tfprof_error err = { .code = TFPROF_OK };
    int status;
    assert_ok(tfprof_profile_keep_options(p, NULL));
    set("max_memory", limit);
    status = ask(p, &err);
    if (status != TFPROF_OK && status != TFPROF_ERR_LIMIT)
        fail_msg("--max_memory %s: %d %s", limit, status, err.message);
    if (ask != ask_for_info && !strcmp(limit, "1"))
        assert_int_equal(status, TFPROF_ERR_LIMIT);
    tfprof_profile_restore_options(p);
}

TEST(the_memory_limit_of_a_call_ends_with_it)
{
    wire_bytes run = { 0 };
    tfprof_error err;
    sample_accelerated_run(&run);
    add("run_meta_path", &run);
    for (size_t i = 0; i < COUNT(questions); i++) {
        ask_within(questions[i], "1");
        set("show_name_regexes", ".*,x"); /* needs memory, too */
        if (questions[i](p, &err) != TFPROF_OK)
            fail_msg("question %zu: %s", i, err.message);
        assert_ok(tfprof_profile_keep_options(p, NULL));
        assert_ok(tfprof_profile_reset(p, NULL));
    }
}

TEST(every_limit_is_kept_or_reported_as_one)
{
    wire_bytes run = { 0 };
    sample_accelerated_run(&run);
    add("run_meta_path", &run);
    EACH(row, questions) {
        size_t held = memory.held;
        for (size_t more = 0; more < 30000; more += 97) {
            char limit[32];
            snprintf(limit, sizeof(limit), "%zu", held - 2000 + more);
            ask_within(*row, limit);
        }
    }
}
