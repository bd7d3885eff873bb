/*
 * options_test.c - what an option takes, and what is said of the rest.
 */
#include "base/bytes.h"
#include "base/escape.h"
#include "counting.h"
#include "options/options.h"

/* ---- Numbers and words -------------------------------------------------- */

typedef struct value_case {
    const char *text;
    int64_t value;
    bool is_refused;
} value_case;

#define REFUSED 0, true

static void check_values(const char *name, size_t place,
                         const value_case *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        tfp_options options;
        tfprof_error err = { .code = TFPROF_OK };
        int64_t value;
        int status;
        memset(&options, 0x5a, sizeof(options));
        status = tfp_options_set(&options, name, table[i].text, &err);
        memcpy(&value, (char *)&options + place, sizeof(value));
        if (!table[i].is_refused) {
            if (status != TFPROF_OK || value != table[i].value)
                fail_msg("--%s '%s': %s", name, table[i].text, err.message);
            continue;
        }
        assert_int_equal(status, TFPROF_ERR_OPTION);
        assert_int_equal(err.code, TFPROF_ERR_OPTION);
        assert_int_equal(value, 0x5a5a5a5a5a5a5a5a); /* nothing has changed */
        assert_non_null(strstr(err.message, name));
        assert_non_null(strstr(
            err.message, tfp_shorten(tfp_span_of(table[i].text), 60).text));
        assert_true(strlen(err.message) < sizeof(err.message) - 1);
    }
}

#define CHECK(name, table)                                                     \
    check_values(#name, offsetof(tfp_options, name), table,                    \
                 sizeof(table) / sizeof((table)[0]))

TEST(OP_01_numbers_are_digits_and_nothing_else)
{
    /* clang-format off */
    static const value_case table[] = {
        { "1", 1, false }, { "100", 100, false }, { "250", 250, false },
        { "007", 7, false }, { "0", REFUSED }, { "251", REFUSED },
        { "-1", REFUSED }, { "", REFUSED }, { " 5", REFUSED },
        { "5 ", REFUSED }, { "+5", REFUSED }, { "0x10", REFUSED },
        { "1e3", REFUSED }, { "1e1", REFUSED }, { "5.0", REFUSED },
        { "1,0", REFUSED }, { "-", REFUSED }, { "--5", REFUSED },
        { "- 5", REFUSED }, { "ten", REFUSED }, { "5\n", REFUSED },
        { "1_0", REFUSED }, { "1K", REFUSED }, { "\xc2\xb2", REFUSED },
        { "9223372036854775807", REFUSED }, { "9223372036854775808", REFUSED },
        { "-9223372036854775809", REFUSED },
        { "99999999999999999999999999999999", REFUSED },
    };
    /* clang-format on */
    CHECK(max_depth_nesting, table);
}

TEST(OP_01_minima_and_steps_may_be_negative)
{
    /* clang-format off */
    static const value_case table[] = {
        { "0", 0, false }, { "-0", 0, false }, { "-1", -1, false },
        { "1000000000", 1000000000, false },
        { "9223372036854775807", INT64_MAX, false },
        { "-9223372036854775807", -INT64_MAX, false },
        { "9223372036854775808", REFUSED }, { "-9223372036854775809", REFUSED },
        { "18446744073709551616", REFUSED }, { "1e9", REFUSED },
        { " 5", REFUSED }, { "+5", REFUSED }, { "0x10", REFUSED },
        { "", REFUSED },
    };
    static const value_case smallest[] = {
        { "-9223372036854775808", INT64_MIN, false }, { "rest", REFUSED },
    };
    /* The smallest number stands for the rest. */
    static const value_case steps[] = {
        { "-9223372036854775808", REFUSED }, { "rest", INT64_MIN, false },
    };
    /* clang-format on */
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        size_t place = offsetof(tfp_options, minima) + 8 * (size_t)cost;
        char name[64];
        snprintf(name, sizeof(name), "min_%s", tfp_metrics[cost].word);
        check_values(name, place, table, COUNT(table));
        check_values(name, place, smallest, COUNT(smallest));
    }
    CHECK(step, table);
    CHECK(step, steps);
}

TEST(OP_01_depths_have_32_bits)
{
    /* clang-format off */
    static const value_case table[] = {
        { "10", 10, false }, { "-1", -1, false },
        { "2147483647", INT32_MAX, false }, { "-2147483648", INT32_MIN, false },
        { "2147483648", REFUSED }, { "-2147483649", REFUSED },
        { "4294967297", REFUSED }, { "", REFUSED },
    };
    /* clang-format on */
    CHECK(max_depth, table);
}

TEST(sizes_take_a_letter)
{
    /* clang-format off */
    static const value_case table[] = {
        { "0", 0, false }, { "1", 1, false },
        { "9223372036854775807", INT64_MAX, false }, { "1K", 1024, false },
        { "1k", 1024, false }, { "3M", 3 << 20, false },
        { "2G", (int64_t)2 << 30, false }, { "1T", (int64_t)1 << 40, false },
        { "8388607T", (int64_t)8388607 << 40, false }, { "8388608T", REFUSED },
        { "9223372036854775808", REFUSED }, { "9007199254740992K", REFUSED },
        { "-1", REFUSED }, { "-1K", REFUSED }, { "K", REFUSED },
        { "1KB", REFUSED }, { "1KiB", REFUSED }, { "1P", REFUSED },
        { "1 K", REFUSED }, { "1.5G", REFUSED }, { "0x10", REFUSED },
        { "+5", REFUSED }, { "1e9", REFUSED }, { "", REFUSED },
    };
    /* clang-format on */
    CHECK(max_memory, table);
}

TEST(an_input_limit_of_zero_is_refused)
{
    /* clang-format off */
    static const value_case table[] = {
        { "1", 1, false }, { "0", REFUSED }, { "-5", REFUSED },
    };
    /* clang-format on */
    CHECK(max_input, table);
}

TEST(choices_and_truths_are_words)
{
    /* clang-format off */
    static const value_case formats[] = {
        { "text", TFP_FORMAT_TEXT, false }, { "json", TFP_FORMAT_JSON, false },
        { "csv", TFP_FORMAT_CSV, false },
        { "proto", TFP_FORMAT_PROTO, false },
        { "table", TFP_FORMAT_TABLE, false },
        { "", REFUSED }, { "TEXT", REFUSED },
        { "tex", REFUSED }, { "textjson", REFUSED }, { "text|json", REFUSED },
        { "|", REFUSED }, { "xml", REFUSED },
    };
    /* clang-format on */
    /* clang-format off */
    static const value_case formulas[] = {
        { "tensorflow", TFP_FORMULAS_TENSORFLOW, false },
        { "none", TFP_FORMULAS_NONE, false },
        { "full", TFP_FORMULAS_FULL, false }, { "all", REFUSED },
    };
    /* clang-format on */
    /* clang-format off */
    static const value_case truths[] = {
        { "true", 1, false }, { "false", 0, false }, 
        { "yes", 1, false }, { "True", 1, false }, { "Y", 1, false }, { "t", 1, false }, { "1", 1, false },
        { "NO", 0, false }, { "False", 0, false }, { "n", 0, false }, { "F", 0, false }, { "0", 0, false },
        { "", REFUSED }, { "on", REFUSED }, { "ye", REFUSED },
        { "truer", REFUSED },
    };
    /* clang-format on */
    CHECK(format, formats);
    CHECK(formulas, formulas);
    CHECK(salvage, truths);
    CHECK(account_displayed_op_only, truths);
}

TEST(rows_are_ordered_by_a_known_word)
{
    /* clang-format off */
    static const value_case table[] = {
        { "name", TFP_ORDER_NAME, false }, { "depth", TFP_ORDER_DEPTH, false },
        { "bytes", TFP_ORDER_BYTES, false },
        { "peak_bytes", TFP_ORDER_PEAK_BYTES, false },
        { "residual_bytes", TFP_ORDER_RESIDUAL_BYTES, false },
        { "output_bytes", TFP_ORDER_OUTPUT_BYTES, false },
        { "micros", TFP_ORDER_MICROS, false },
        { "accelerator_micros", TFP_ORDER_ACCELERATOR_MICROS, false },
        { "cpu_micros", TFP_ORDER_CPU_MICROS, false },
        { "params", TFP_ORDER_PARAMS, false },
        { "float_ops", TFP_ORDER_FLOAT_OPS, false },
        { "occurrence", TFP_ORDER_OCCURRENCE, false }, { "", REFUSED },
        { "micro", REFUSED }, { "name,micros", REFUSED }, { "device", REFUSED },
    };
    /* clang-format on */
    CHECK(order_by, table);
}

TEST(metrics_are_selected_by_words)
{
    /* clang-format off */
    static const value_case table[] = {
        { "bytes", TFP_SELECT_BYTES, false },
        { "peak_bytes", TFP_SELECT_PEAK_BYTES, false },
        { "residual_bytes", TFP_SELECT_RESIDUAL_BYTES, false },
        { "output_bytes", TFP_SELECT_OUTPUT_BYTES, false },
        { "micros", TFP_SELECT_MICROS, false },
        { "accelerator_micros", TFP_SELECT_ACCELERATOR_MICROS, false },
        { "cpu_micros", TFP_SELECT_CPU_MICROS, false },
        { "params", TFP_SELECT_PARAMS, false },
        { "float_ops", TFP_SELECT_FLOAT_OPS, false },
        { "occurrence", TFP_SELECT_OCCURRENCE, false },
        { "device", TFP_SELECT_DEVICE, false },
        { "op_types", TFP_SELECT_OP_TYPES, false },
        { "input_shapes", TFP_SELECT_INPUT_SHAPES, false },
        { "tensor_value", TFP_SELECT_TENSOR_VALUE, false },
        { "num_hidden_ops", TFP_SELECT_NUM_HIDDEN_OPS, false },
        { "auto", TFP_SELECT_AUTO, false },
        { "params,micros", TFP_SELECT_MICROS | TFP_SELECT_PARAMS, false },
        { "micros,params,micros", TFP_SELECT_MICROS | TFP_SELECT_PARAMS, false },
        { ",micros,,bytes,", TFP_SELECT_MICROS | TFP_SELECT_BYTES, false },
        { "", REFUSED }, { ",", REFUSED }, { "Micros", REFUSED },
        { "xyzzy", REFUSED }, { "bytes|micros", REFUSED },
    };
    /* clang-format on */
    CHECK(select, table);
}

/* What is said of a value. */
static const char *said_of(const char *name, const char *value)
{
    static tfprof_error err;
    tfp_options options = { 0 };
    err.message[0] = '\0';
    tfp_options_set(&options, name, value, &err);
    return err.message;
}

TEST(a_mistyped_value_finds_the_nearest)
{
    assert_string_equal(said_of("select", "micro"),
                        "--select does not accept 'micro' (did you mean "
                        "micros?)");
    assert_string_equal(said_of("select", "params,hidden_ops,bytes"),
                        "--select does not accept 'hidden_ops' (did you mean "
                        "num_hidden_ops?)");
    assert_string_equal(said_of("select", "micros, bytes"),
                        "--select does not accept ' bytes' (did you mean "
                        "bytes?)");
    assert_string_equal(said_of("order-by", "Float-Ops"),
                        "--order_by does not accept 'Float-Ops' (did you mean "
                        "float_ops?)");
    assert_string_equal(said_of("format", "jsn"),
                        "--format does not accept 'jsn' (did you mean json?)");
    assert_string_equal(
        said_of("format", "xml"),
        "--format accepts text|json|csv|proto|table|auto|markdown|"
        "github|junit|sarif, not 'xml'");
    assert_string_equal(said_of("salvage", "tru"),
                        "--salvage does not accept 'tru' (did you mean true?)");
    assert_string_equal(said_of("max_depth", "2147483648"),
                        "--max_depth accepts a number from -2147483648 to "
                        "2147483647, not '2147483648'");
    assert_string_equal(said_of("min_bytes", "1e9"),
                        "--min_bytes accepts a 64-bit integer, not '1e9'");
}

TEST(a_long_word_leaves_room_for_the_end_of_its_message)
{
    static const char word[] =
        "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
        "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz";
    size_t lists = 0;
    for (size_t i = 0; i < tfp_option_table_count; i++) {
        const tfprof_option *option = &tfp_option_table[i].shown;
        const char *said;
        if (option->kind != TFPROF_OPTION_CHOICE &&
            option->kind != TFPROF_OPTION_SET)
            continue;
        said = said_of(option->name, word);
        if (!strcmp(option->name, "sort")) { /* its list is too long */
            assert_non_null(strstr(said, "(see tfprof help sort)"));
            continue;
        }
        lists++;
        assert_non_null(strstr(said, option->values));
        assert_non_null(strstr(said, ", not 'zzz"));
        assert_int_equal(said[strlen(said) - 1], '\'');
    }
    assert_true(lists > 5);
}

/* ---- Lists of patterns -------------------------------------------------- */

typedef struct list_case {
    const char *text;
    const char *words; /* one in a line */
} list_case;

static const list_case lists[] = {
    { "", "" },
    { ",", "" },
    { ",,,", "" },
    { ".*", ".*\n" },
    { "a,b", "a\nb\n" },
    { "a,,b", "a\nb\n" }, /* empty words are left out */
    { ",a,b,", "a\nb\n" },
    { "a, b", "a\n b\n" },
    { "a\\,b", "a,b\n" }, /* a comma that belongs to the pattern */
    { "\\,", ",\n" },
    { "a\\,,\\,b", "a,\n,b\n" },
    { "a\\.b\\d,\\/", "a\\.b\\d\n\\/\n" }, /* other backslashes stay */
    { "a\\\\,b", "a\\\\\nb\n" },           /* an escaped backslash, a comma */
    { "a\\\\\\,b", "a\\\\,b\n" },
    { "a\\", "a\\\n" },
    { "a,\\", "a\n\\\n" },
    { "x{2,3},y", "x{2,3}\ny\n" }, /* a counted repeat */
    { "x{2,},y{10,200}z", "x{2,}\ny{10,200}z\n" },
    { "x{2},y", "x{2}\ny\n" },
    { "x{,3}", "x{\n3}\n" }, /* these are no counts */
    { "x{2,3", "x{2\n3\n" },
    { "x{a,3}", "x{a\n3}\n" },
    { "x{2,3 }", "x{2\n3 }\n" },
    { "x{2,3,4}", "x{2\n3\n4}\n" },
    { "x\\{2,3}", "x\\{2\n3}\n" },
    { "x\\{2\\,3}", "x\\{2,3}\n" },
    { "{1,2}", "{1,2}\n" },
    { "{", "{\n" },
    { "{1,", "{1\n" },
    { "save\\/.*,^zeros[0-9_]*", "save\\/.*\n^zeros[0-9_]*\n" },
    { "\xff\xfe,\xc3\xa9", "\xff\xfe\n\xc3\xa9\n" },
};

static void check_words(const char *text, const tfp_words *words,
                        const char *wanted)
{
    size_t count = 0;
    assert_int_equal(words->size, strlen(wanted));
    for (size_t i = 0; i < words->size; i++) {
        if (words->data[i] != (wanted[i] == '\n' ? '\0' : wanted[i]))
            fail_msg("'%s' differs at byte %zu", text, i);
        count += words->data[i] == '\0';
    }
    assert_int_equal(words->count, count);
}

TEST(lists_are_cut_at_commas)
{
    counting counts = { 0 };
    tfp_memory memory;
    tfp_options options;
    tfp_memory_init(&memory, counting_resize, &counts);
    assert_true(tfp_options_init(&options, &memory));
    EACH(row, lists) {
        assert_ok(
            tfp_options_set(&options, "hide_name_regexes", row->text, NULL));
        check_words(row->text, &options.hide_name_regexes, row->words);
    }
    assert_int_equal(options.show_name_regexes.count, 1);
    tfp_options_release(&options);
    assert_int_equal(memory.held, 0);
}

/* Half a million patterns in one option take no longer than they should. */
TEST(long_lists_are_cut_in_linear_time)
{
    enum { WORDS = 500000 };
    static const char word[] = "a{1,";
    size_t size = sizeof(word) - 1;
    char *text = malloc(WORDS * size + 1);
    tfp_memory memory;
    tfp_options options;
    assert_non_null(text);
    for (size_t i = 0; i < WORDS; i++)
        memcpy(text + i * size, word, size);
    text[WORDS * size] = '\0';
    tfp_memory_init(&memory, NULL, NULL);
    assert_true(tfp_options_init(&options, &memory));
    assert_ok(tfp_options_set(&options, "device_regexes", text, NULL));
    assert_int_equal(options.device_regexes.count, WORDS);
    assert_int_equal(options.device_regexes.size, WORDS * size);
    tfp_options_release(&options);
    free(text);
}

/* ---- Older spellings ---------------------------------------------------- */

TEST(older_spellings_are_understood_but_not_listed)
{
    static const char *const older[] = { "dump_to_file", "viz" };
    tfp_memory memory;
    tfp_options options;
    tfprof_error err = { 0 };
    tfp_memory_init(&memory, NULL, NULL);
    assert_true(tfp_options_init(&options, &memory));
    EACH(row, older) {
        const tfprof_option *option = tfprof_option_find(*row, NULL);
        assert_non_null(option);
        assert_true(option->group == TFPROF_GROUP_OLDER ||
                    option->group == TFPROF_GROUP_NO_EFFECT);
        for (size_t j = 0; j < tfprof_option_count(); j++)
            assert_ptr_not_equal(tfprof_option_at(j), option);
    }
    /* The name of a file as it is: no escapes. */
    assert_ok(tfp_options_set(&options, "dump-to-file", "a,b\\,c:d=e", &err));
    assert_int_equal(options.output.kind, TFP_OUTPUT_FILE);
    assert_string_equal(options.output.outfile, "a,b\\,c:d=e");
    assert_int_equal(tfp_options_set(&options, "dump_to_file", "", &err),
                     TFPROF_ERR_OPTION);
    assert_string_equal(err.message, "--dump_to_file: empty file name");
    assert_ok(tfp_options_set(&options, "viz", "true", &err));
    assert_int_equal(tfp_options_set(&options, "viz", "maybe", &err),
                     TFPROF_ERR_OPTION);
    tfp_options_release(&options);
}

/* ---- All of them -------------------------------------------------------- */

TEST(every_option_has_its_default)
{
    tfp_memory memory;
    tfp_options o;
    memset(&o, 0x5a, sizeof(o));
    tfp_memory_init(&memory, NULL, NULL);
    assert_true(tfp_options_init(&o, &memory));
    assert_int_equal(o.max_depth, 10);
    for (int cost = 0; cost < TFP_COST_COUNT; cost++)
        assert_int_equal(o.minima[cost], 0);
    assert_int_equal(o.step, -1);
    assert_int_equal(o.order_by, TFP_ORDER_NAME);
    check_words("default", &o.account_type_regexes, ".*\n");
    check_words("default", &o.start_name_regexes, ".*\n");
    check_words("default", &o.trim_name_regexes, "");
    check_words("default", &o.show_name_regexes, ".*\n");
    check_words("default", &o.hide_name_regexes, "");
    check_words("default", &o.device_regexes, ".*\n");
    assert_int_equal(o.account_displayed_op_only, 0);
    assert_int_equal(o.select, TFP_SELECT_AUTO);
    assert_int_equal(o.output.kind, TFP_OUTPUT_STDOUT);
    assert_null(o.output.outfile);
    assert_int_equal(o.formulas, TFP_FORMULAS_AUTO);
    assert_int_equal(o.format, TFP_FORMAT_AUTO);
    assert_int_equal(o.salvage, 0);
    assert_int_equal(o.max_memory, 0);
    assert_int_equal(o.max_input, (int64_t)64 << 30);
    assert_int_equal(o.max_depth_nesting, 100);
    assert_int_equal(o.max_arrows, 1000000);
    tfp_options_release(&o);
}

/* The 21 of upstream follow each other as upstream lists them. */
TEST(the_table_has_the_order_of_upstream)
{
    /* clang-format off */
    static const char *const names[] = {
        "max_depth", "min_bytes", "min_peak_bytes", "min_residual_bytes",
        "min_output_bytes", "min_micros", "min_accelerator_micros",
        "min_cpu_micros", "min_params", "min_float_ops", "min_occurrence",
        "step", "order_by", "account_type_regexes", "start_name_regexes",
        "trim_name_regexes", "show_name_regexes", "hide_name_regexes",
        "account_displayed_op_only", "select", "output",
    };
    /* clang-format on */
    const tfp_option *first = tfp_option_find(names[0]);
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(first[i].shown.name, names[i]);
}

TEST(the_last_value_holds)
{
    counting counts = { 0 };
    tfp_memory memory;
    tfp_options o;
    tfp_memory_init(&memory, counting_resize, &counts);
    assert_true(tfp_options_init(&o, &memory));
    for (int round = 0; round < 3; round++) {
        assert_int_equal(tfp_options_set(&o, "min_micros", "5", NULL), 0);
        assert_int_equal(tfp_options_set(&o, "min-micros", "7", NULL), 0);
        assert_int_equal(tfp_options_set(&o, "select", "micros", NULL), 0);
        assert_int_equal(tfp_options_set(&o, "select", "params", NULL), 0);
        assert_int_equal(tfp_options_set(&o, "show_name_regexes", "a,b", NULL),
                         0);
        assert_int_equal(tfp_options_set(&o, "show_name_regexes", "c", NULL),
                         0);
        assert_int_equal(tfp_options_set(&o, "dump_to_file", "f", NULL), 0);
        assert_int_equal(tfp_options_set(&o, "output", "none", NULL), 0);
    }
    assert_int_equal(o.minima[TFP_COST_MICROS], 7);
    assert_int_equal(o.select, TFP_SELECT_PARAMS);
    check_words("c", &o.show_name_regexes, "c\n");
    assert_int_equal(o.output.kind, TFP_OUTPUT_NONE);
    assert_string_equal(o.output.outfile, "f"); /* upstream lists it */
    tfp_options_release(&o);
    assert_int_equal(memory.held, 0);
}

/* Each allocation fails once: it is told, nothing leaks, nothing changes. */
TEST(ME_01_memory_that_runs_out_is_told)
{
    size_t allocations = SIZE_MAX;
    for (size_t k = 1; k <= allocations; k++) {
        counting counts = { .fail_at = k };
        tfp_memory memory;
        tfp_options o;
        tfprof_error err = { 0 };
        tfp_memory_init(&memory, counting_resize, &counts);
        if (tfp_options_init(&o, &memory)) {
            int a = tfp_options_set(&o, "show_name_regexes", "a,b", &err);
            int b = tfp_options_set(&o, "output", "file:outfile=f", &err);
            check_words("a,b", &o.show_name_regexes,
                        a == TFPROF_OK ? "a\nb\n" : ".*\n");
            assert_true(!!o.output.outfile == (b == TFPROF_OK));
            if (a == TFPROF_OK && b == TFPROF_OK)
                allocations = 0; /* k is past the last one */
            else
                assert_int_equal(err.code, TFPROF_ERR_NOMEM);
        }
        tfp_options_release(&o);
        assert_int_equal(memory.held, 0);
    }
}

/* ---- Names -------------------------------------------------------------- */

TEST(names_are_found_in_both_spellings)
{
    assert_ptr_equal(tfprof_option_find("max_memory", NULL),
                     tfprof_option_find("max-memory", NULL));
    assert_string_equal(tfprof_option_find("max-depth_nesting", NULL)->name,
                        "max_depth_nesting");
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const tfprof_option *option = tfprof_option_at(i), *near = option;
        assert_ptr_equal(tfprof_option_find(option->name, &near), option);
        assert_null(near);
        assert_true(option->help[0] != '\0' && option->values[0] != '\0');
        assert_true(option->group != TFPROF_GROUP_OLDER &&
                    option->group != TFPROF_GROUP_NO_EFFECT);
    }
    assert_null(tfprof_option_find("", NULL));
    assert_null(tfprof_option_find("max_memor", NULL));
    assert_null(tfprof_option_find("max_memoryy", NULL));
    assert_null(tfprof_option_find("MAX_MEMORY", NULL));
}

TEST(a_mistyped_name_finds_the_nearest)
{
    static const char *const table[][2] = {
        { "max_memry", "max_memory" },
        { "max-mem", "max_memory" },
        { "grap_path", "graph_path" },
        { "graph-pahts", "graph_path" },
        { "formt", "format" },
        { "salvge", "salvage" },
        { "maxinput", "max_input" },
        { "MAX_DEPTH", "max_depth" },
        { "min_micro", "min_micros" },
        { "show_name_regex", "show_name_regexes" },
        { "checkpoint_directory", "checkpoint_path" },
        { "account_displayed_ops_only", "account_displayed_op_only" },
        { "orderby", "order_by" },
        { "xyzzy", NULL },
        { "", NULL },
        { "q", NULL },
        { "wiz", NULL }, /* what has no effect is not worth a hint */
        { "completely_different_thing", NULL },
    };
    static char endless[5000];
    const tfprof_option *near;
    EACH(row, table) {
        assert_null(tfprof_option_find((*row)[0], &near));
        if ((*row)[1])
            assert_string_equal(near ? near->name : "none", (*row)[1]);
        else
            assert_string_equal(near ? near->name : "none", "none");
    }
    memset(endless, 'm', sizeof(endless) - 1);
    assert_null(tfprof_option_find(endless, &near));
    assert_null(near);
}

TEST(the_nearest_of_any_words_is_found)
{
    static const char *const words[] = { "scope", "graph", "op", "code" };
    assert_string_equal(tfprof_nearest_word("scpoe", words, 4), "scope");
    assert_string_equal(tfprof_nearest_word("ops", words, 4), "op");
    assert_string_equal(tfprof_nearest_word("GRAPH", words, 4), "graph");
    assert_string_equal(tfprof_nearest_word("graph", words, 4), "graph");
    assert_null(tfprof_nearest_word("advise", words, 4));
    assert_null(tfprof_nearest_word("", words, 4));
    assert_null(tfprof_nearest_word("scope", words, 0));
}

TEST(metric_aliases_are_listed_with_their_meaning)
{
    const char *meaning = "";
    assert_string_equal(tfprof_metric_alias(0, &meaning), "time");
    assert_string_equal(meaning, "micros");
    assert_string_equal(tfprof_metric_alias(2, NULL), "flops");
    assert_null(tfprof_metric_alias(3, &meaning));
    assert_null(meaning);
}

TEST(a_long_word_in_a_message_ends_in_dots)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err = { 0 };
    char word[101];
    memset(word, 'x', sizeof(word) - 1);
    word[sizeof(word) - 1] = '\0';
    assert_int_equal(tfprof_profile_set(p, word, "1", &err), TFPROF_ERR_OPTION);
    assert_int_equal(strlen(err.message), strlen("unknown option --") + 60);
    assert_string_equal(strrchr(err.message, 'x'), "x...");
    assert_int_equal(tfprof_profile_set(p, "max_depth", word, &err),
                     TFPROF_ERR_OPTION);
    assert_string_equal(strrchr(err.message, 'x'), "x...'");
    assert_int_equal(tfprof_profile_set(p, "format", word, &err),
                     TFPROF_ERR_OPTION);
    assert_string_equal(strrchr(err.message, 'x'), "x...'");
    tfprof_profile_free(p);
}

TEST(setting_what_is_no_setting_is_refused)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err = { 0 };
    assert_int_equal(tfprof_profile_set(p, "max_memry", "1", &err),
                     TFPROF_ERR_OPTION);
    assert_string_equal(err.message, "unknown option --max_memry (did you "
                                     "mean --max_memory?)");
    assert_int_equal(tfprof_profile_set(p, "xyzzy", "1", &err),
                     TFPROF_ERR_OPTION);
    assert_string_equal(err.message, "unknown option --xyzzy");
    assert_int_equal(tfprof_profile_set(p, "graph_path", "f", &err),
                     TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_profile_set(p, "xyzzy", "1", NULL),
                     TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_profile_add_memory(p, "n", "", 0, "format", &err),
                     TFPROF_ERR_OPTION);
    assert_int_equal(tfprof_profile_input_count(p), 0);
    tfprof_profile_free(p);
}

static int write_nothing(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return 0;
}

TEST(info_has_no_csv)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err = { 0 };
    assert_ok(tfprof_profile_set(p, "format", "csv", &err));
    assert_int_equal(tfprof_profile_write_info(p, write_nothing, NULL, &err),
                     TFPROF_ERR_OPTION);
    assert_string_equal(
        err.message, "info supports --format text and json, not csv or proto");
    tfprof_profile_free(p);
}

TEST(a_role_may_be_spelled_with_dashes)
{
    static const char graph[] = "\x0a\x06\x0a\x01n\x12\x01o";
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err = { 0 };
    assert_ok(tfprof_profile_add_memory(p, "bytes", graph, sizeof(graph) - 1,
                                        "graph-path", &err));
    tfprof_profile_free(p);
}
