/*
 * settings_test.c - what a session needs of a profile besides answers: its
 * options told, put aside and back, and the names of its nodes.
 */
#include "counting.h"
#include "sample_messages.h"

static tfprof_profile *new_profile(counting *memory)
{
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, memory);
    assert_non_null(p);
    return p;
}

static void free_profile(tfprof_profile *p, const counting *memory)
{
    tfprof_profile_free(p);
    counting_check(memory);
}

static void set(tfprof_profile *p, const char *name, const char *value)
{
    tfprof_error err;
    must(tfprof_profile_set(p, name, value, &err), &err);
}

static void check_value(const tfprof_profile *p, const char *name,
                        const char *expected)
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
        counting memory = { 0 };
        tfprof_profile *p = new_profile(&memory);
        set(p, (*row)[0], (*row)[1]);
        check_value(p, (*row)[0], (*row)[2]);
        if (strcmp((*row)[0], "output") != 0 || strchr((*row)[1], '='))
            set(p, (*row)[0], (*row)[2]);
        check_value(p, (*row)[0], (*row)[2]);
        free_profile(p, &memory);
    }
}

TEST(what_is_no_setting_has_no_value)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    check_value(p, "graph_path", "");
    check_value(p, "viz", "");
    check_value(p, "no_such_option", "");
    assert_int_equal(tfprof_profile_get(p, "no_such_option", NULL, 0), 0);
    free_profile(p, &memory);
}

TEST(a_value_that_does_not_fit_is_cut)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    char value[8] = "_______";
    set(p, "show_name_regexes", "abcdefghij");
    assert_int_equal(tfprof_profile_get(p, "show_name_regexes", NULL, 0), 10);
    assert_int_equal(tfprof_profile_get(p, "show_name_regexes", value, 1), 10);
    assert_string_equal(value, "");
    assert_int_equal(tfprof_profile_get(p, "show_name_regexes", value, 8), 10);
    assert_string_equal(value, "abcdefg");
    free_profile(p, &memory);
}

TEST(every_default_is_told_as_the_table_has_it)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const tfprof_option *option = tfprof_option_at(i);
        if (option->kind == TFPROF_OPTION_SIZE)
            continue; /* 64G is told in bytes */
        if (!strcmp(option->name, "select"))
            check_value(p, "select", "params"); /* there are no runs */
        else if (option->kind == TFPROF_OPTION_OUTPUT)
            check_value(p, option->name, "stdout:");
        else
            check_value(p, option->name, option->default_value);
    }
    free_profile(p, &memory);
}

TEST(labels_keep_backslashes_and_commas)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    set(p, "label", "a=C:\\\\,b=\\d{1\\,2},c=\\");
    check_value(p, "label", "a=C:\\\\,b=\\\\d{1\\,2},c=\\\\");
    set(p, "label", "a=C:\\\\,b=\\\\d{1\\,2},c=\\\\");
    check_value(p, "label", "a=C:\\\\,b=\\\\d{1\\,2},c=\\\\");
    free_profile(p, &memory);
}

TEST(an_output_keeps_the_file_before_it_in_the_listing)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    set(p, "output", "file:outfile=a");
    set(p, "output", "stdout");
    check_value(p, "output", "stdout:outfile=a");
    set(p, "output", "timeline:outfile=b");
    check_value(p, "output", "timeline:outfile=b");
    set(p, "output", "none");
    check_value(p, "output", "none:outfile=b");
    free_profile(p, &memory);
}

/* ---- Put aside and back ------------------------------------------------- */

TEST(options_come_back_as_they_were_kept)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    tfprof_profile_restore_options(p); /* nothing is kept: nothing changes */
    set(p, "max_depth", "3");
    set(p, "show_name_regexes", "a,b");
    set(p, "output", "file:outfile=x");
    assert_ok(tfprof_profile_keep_options(p, NULL));
    set(p, "max_depth", "4");
    set(p, "show_name_regexes", "c");
    set(p, "output", "file:outfile=y");
    tfprof_profile_restore_options(p);
    check_value(p, "max_depth", "3");
    check_value(p, "show_name_regexes", "a,b");
    check_value(p, "output", "file:outfile=x");
    set(p, "max_depth", "5");
    tfprof_profile_restore_options(p); /* once is all */
    check_value(p, "max_depth", "5");
    assert_ok(tfprof_profile_keep_options(p, NULL));
    assert_ok(tfprof_profile_keep_options(p, NULL));
    free_profile(p, &memory); /* what is kept goes too */
}

TEST(a_reset_puts_every_default_back)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    set(p, "max_depth", "3");
    set(p, "select", "bytes");
    set(p, "trim_name_regexes", "a");
    set(p, "output", "file:outfile=x");
    assert_ok(tfprof_profile_reset(p, NULL));
    check_value(p, "max_depth", "10");
    check_value(p, "select", "params");
    check_value(p, "trim_name_regexes", "");
    check_value(p, "output", "stdout:");
    free_profile(p, &memory);
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

static void add_nodes(tfprof_profile *p, const char *const *nodes)
{
    wire_bytes graph = { 0 };
    tfprof_error err;
    for (; *nodes; nodes++)
        sample_node(&graph, 1, *nodes, "NoOp", NULL);
    must(tfprof_profile_add_memory(p, "graph", graph.data, graph.size,
                                   "graph_path", &err),
         &err);
    wire_free(&graph);
}

static void check_names(tfprof_profile *p, const char *prefix, size_t most,
                        const char *expected)
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
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    check_names(p, "", 0, "");
    add_nodes(p, nodes);
    check_names(p, "", 0, "a b.x b/ b0/ bb z ");
    check_names(p, "b", 0, "b.x b/ b0/ bb ");
    check_names(p, "b/", 0, "b/ b/c b/c/ b/c2 b/f ");
    check_names(p, "b/c", 0, "b/c b/c/ b/c2 ");
    check_names(p, "b/c/", 0, "b/c/d b/c/e ");
    check_names(p, "b/c/d", 0, "b/c/d ");
    check_names(p, "b/c/dd", 0, "");
    check_names(p, "zz", 0, "");
    check_names(p, "", 2, "a b.x ");
    add_nodes(p, more); /* they are found, too */
    check_names(p, "b/", 0, "b/ b/c b/c/ b/c2 b/f b/g ");
    check_names(p, "B", 0, "B ");
    free_profile(p, &memory);
}

/* ---- Memory ------------------------------------------------------------- */

/* The k-th allocation of the call fails, for every k, and then none does. */
static void check_sweep(tfprof_profile *p, counting *memory,
                        int (*call)(tfprof_profile *p, tfprof_error *err))
{
    size_t refused = 0;
    for (size_t k = 1;; k++) {
        tfprof_error err = { .code = TFPROF_OK };
        int status;
        memory->calls = 0;
        memory->fail_at = k;
        status = call(p, &err);
        memory->fail_at = 0;
        if (status == TFPROF_OK)
            break;
        check_value(p, "show_name_regexes", "a,b");
        check_value(p, "output", "file:outfile=x");
        assert_int_equal(status, TFPROF_ERR_NOMEM);
        assert_int_equal(err.code, TFPROF_ERR_NOMEM);
        refused++;
    }
    assert_true(refused > 0);
}

static int complete(tfprof_profile *p, tfprof_error *err)
{
    names n = { .most = 0 };
    return tfprof_profile_complete_name(p, "b/c/", keep_name, &n, err);
}

TEST(when_memory_runs_out_nothing_has_changed)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    add_nodes(p, nodes);
    set(p, "show_name_regexes", "a,b");
    set(p, "output", "file:outfile=x");
    check_sweep(p, &memory, tfprof_profile_keep_options);
    check_sweep(p, &memory, complete);
    check_sweep(p, &memory, tfprof_profile_reset);
    check_names(p, "b/c/", 0, "b/c/d b/c/e ");
    free_profile(p, &memory);
}

/* ---- The memory limit of a call ----------------------------------------- */

typedef int question(tfprof_profile *p, tfprof_error *err);

static int ignore_bytes(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return 0;
}

static int ask_for_rows(tfprof_profile *p, tfprof_error *err)
{
    tfprof_view *view = NULL;
    int status = tfprof_profile_view(p, "scope", &view, err);
    tfprof_view_free(view);
    return status;
}

static int ask_for_text(tfprof_profile *p, tfprof_error *err)
{
    return tfprof_profile_write_view(p, "op", ignore_bytes, NULL, err);
}

static int ask_for_advice(tfprof_profile *p, tfprof_error *err)
{
    tfprof_advice *advice = NULL;
    int status = tfprof_profile_advise(p, &advice, err);
    tfprof_advice_free(advice);
    return status;
}

static int ask_for_steps(tfprof_profile *p, tfprof_error *err)
{
    tfprof_table *table = NULL;
    int status = tfprof_profile_table(p, "steps", &table, err);
    tfprof_table_free(table);
    return status;
}

static int ask_for_info(tfprof_profile *p, tfprof_error *err)
{
    return tfprof_profile_write_info(p, ignore_bytes, NULL, err);
}

static question *const questions[] = { ask_for_rows,   ask_for_text,
                                       ask_for_advice, ask_for_steps,
                                       complete,       ask_for_info };

/* Asks with a limit that the answer exceeds, if it needs memory at all. */
static void ask_within(tfprof_profile *p, question *ask, const char *limit)
{
    tfprof_error err = { .code = TFPROF_OK };
    int status;
    assert_ok(tfprof_profile_keep_options(p, NULL));
    set(p, "max_memory", limit);
    status = ask(p, &err);
    if (status != TFPROF_OK && status != TFPROF_ERR_LIMIT)
        fail_msg("--max_memory %s: %d %s", limit, status, err.message);
    if (ask != ask_for_info && !strcmp(limit, "1"))
        assert_int_equal(status, TFPROF_ERR_LIMIT);
    tfprof_profile_restore_options(p);
}

TEST(the_memory_limit_of_a_call_ends_with_it)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    wire_bytes run = { 0 };
    tfprof_error err;
    sample_accelerated_run(&run);
    assert_ok(tfprof_profile_add_memory(p, "run", run.data, run.size,
                                        "run_meta_path", NULL));
    wire_free(&run);
    for (size_t i = 0; i < COUNT(questions); i++) {
        ask_within(p, questions[i], "1");
        set(p, "show_name_regexes", ".*,x"); /* needs memory, too */
        if (questions[i](p, &err) != TFPROF_OK)
            fail_msg("question %zu: %s", i, err.message);
        assert_ok(tfprof_profile_keep_options(p, NULL));
        assert_ok(tfprof_profile_reset(p, NULL));
    }
    free_profile(p, &memory);
}

TEST(every_limit_is_kept_or_reported_as_one)
{
    counting memory = { 0 };
    tfprof_profile *p = new_profile(&memory);
    wire_bytes run = { 0 };
    sample_accelerated_run(&run);
    assert_ok(tfprof_profile_add_memory(p, "run", run.data, run.size,
                                        "run_meta_path", NULL));
    wire_free(&run);
    EACH(row, questions) {
        size_t held = memory.held;
        for (size_t more = 0; more < 30000; more += 97) {
            char limit[32];
            snprintf(limit, sizeof(limit), "%zu", held - 2000 + more);
            ask_within(p, *row, limit);
        }
    }
    free_profile(p, &memory);
}
