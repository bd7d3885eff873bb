/*
 * options_test.c - what an option takes, and what is said of the rest.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <tfprof/tfprof.h>

#include "options/options.h"

typedef struct value_case {
    const char *text;
    int64_t value; /* -1 when it is refused */
} value_case;

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
        if (table[i].value >= 0) {
            if (status != TFPROF_OK || value != table[i].value)
                fail_msg("--%s '%s': %s", name, table[i].text, err.message);
            continue;
        }
        assert_int_equal(status, TFPROF_ERR_OPTION);
        assert_int_equal(err.code, TFPROF_ERR_OPTION);
        assert_int_equal(value, 0x5a5a5a5a5a5a5a5a); /* nothing has changed */
        assert_non_null(strstr(err.message, name));
        assert_non_null(strstr(err.message, table[i].text));
    }
}

#define CHECK(name, table)                                                     \
    check_values(#name, offsetof(tfp_options, name), table,                    \
                 sizeof(table) / sizeof((table)[0]))

static void numbers_are_digits_and_nothing_else(void **state)
{
    static const value_case table[] = {
        { "1", 1 },         { "100", 100 },
        { "250", 250 },     { "007", 7 },
        { "0", -1 },        { "251", -1 },
        { "-1", -1 },       { "", -1 },
        { " 5", -1 },       { "5 ", -1 },
        { "+5", -1 },       { "0x10", -1 },
        { "1e3", -1 },      { "1e1", -1 },
        { "5.0", -1 },      { "1,0", -1 },
        { "-", -1 },        { "--5", -1 },
        { "ten", -1 },      { "9223372036854775807", -1 },
        { "5\n", -1 },      { "9223372036854775808", -1 },
        { "1_0", -1 },      { "-9223372036854775809", -1 },
        { "\xc2\xb2", -1 }, { "99999999999999999999999999999999", -1 },
    };
    (void)state;
    CHECK(max_depth_nesting, table);
}

static void sizes_take_a_letter(void **state)
{
    static const value_case table[] = {
        { "0", 0 },
        { "1", 1 },
        { "9223372036854775807", INT64_MAX },
        { "1K", 1024 },
        { "1k", 1024 },
        { "3M", 3 << 20 },
        { "2G", (int64_t)2 << 30 },
        { "1T", (int64_t)1 << 40 },
        { "8388607T", (int64_t)8388607 << 40 },
        { "8388608T", -1 },
        { "9223372036854775808", -1 },
        { "9007199254740992K", -1 },
        { "-1", -1 },
        { "-1K", -1 },
        { "K", -1 },
        { "1KB", -1 },
        { "1KiB", -1 },
        { "1P", -1 },
        { "1 K", -1 },
        { "1.5G", -1 },
        { "0x10", -1 },
        { "+5", -1 },
        { "1e9", -1 },
        { "", -1 },
    };
    (void)state;
    CHECK(max_memory, table);
}

static void an_input_limit_of_zero_is_refused(void **state)
{
    static const value_case table[] = { { "1", 1 }, { "0", -1 }, { "-5", -1 } };
    (void)state;
    CHECK(max_input, table);
}

static void choices_and_truths_are_words(void **state)
{
    static const value_case formats[] = {
        { "text", TFP_FORMAT_TEXT },
        { "json", TFP_FORMAT_JSON },
        { "", -1 },
        { "TEXT", -1 },
        { "tex", -1 },
        { "textjson", -1 },
        { "text|json", -1 },
        { "|", -1 },
        { "csv", -1 },
    };
    static const value_case truths[] = {
        { "true", 1 }, { "false", 0 }, { "1", -1 },     { "yes", -1 },
        { "", -1 },    { "True", -1 }, { "truer", -1 },
    };
    (void)state;
    CHECK(format, formats);
    CHECK(salvage, truths);
}

static void every_option_has_its_default(void **state)
{
    tfp_options options;
    (void)state;
    memset(&options, 0x5a, sizeof(options));
    tfp_options_init(&options);
    assert_int_equal(options.format, TFP_FORMAT_TEXT);
    assert_int_equal(options.salvage, 0);
    assert_int_equal(options.max_memory, 0);
    assert_int_equal(options.max_input, (int64_t)64 << 30);
    assert_int_equal(options.max_depth_nesting, 100);
}

static void names_are_found_in_both_spellings(void **state)
{
    (void)state;
    assert_ptr_equal(tfprof_option_find("max_memory", NULL),
                     tfprof_option_find("max-memory", NULL));
    assert_string_equal(tfprof_option_find("max-depth_nesting", NULL)->name,
                        "max_depth_nesting");
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const tfprof_option *option = tfprof_option_at(i), *near = option;
        assert_ptr_equal(tfprof_option_find(option->name, &near), option);
        assert_null(near);
        assert_true(option->help[0] != '\0' && option->values[0] != '\0');
    }
    assert_null(tfprof_option_find("", NULL));
    assert_null(tfprof_option_find("max_memor", NULL));
    assert_null(tfprof_option_find("max_memoryy", NULL));
    assert_null(tfprof_option_find("MAX_MEMORY", NULL));
}

static void a_mistyped_name_finds_the_nearest(void **state)
{
    static const char *const table[][2] = {
        { "max_memry", "max_memory" },
        { "max-mem", "max_memory" },
        { "grap_path", "graph_path" },
        { "graph-pahts", "graph_path" },
        { "formt", "format" },
        { "salvge", "salvage" },
        { "maxinput", "max_input" },
        { "xyzzy", NULL },
        { "", NULL },
        { "q", NULL },
        { "checkpoint_directory", NULL },
    };
    static char endless[5000];
    const tfprof_option *near;
    (void)state;
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        assert_null(tfprof_option_find(table[i][0], &near));
        if (table[i][1])
            assert_string_equal(near ? near->name : "none", table[i][1]);
        else
            assert_null(near);
    }
    memset(endless, 'm', sizeof(endless) - 1);
    assert_null(tfprof_option_find(endless, &near));
    assert_null(near);
}

static void setting_what_is_no_setting_is_refused(void **state)
{
    tfprof_profile *p = tfprof_profile_new();
    tfprof_error err = { 0 };
    (void)state;
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

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_are_digits_and_nothing_else),
        cmocka_unit_test(sizes_take_a_letter),
        cmocka_unit_test(an_input_limit_of_zero_is_refused),
        cmocka_unit_test(choices_and_truths_are_words),
        cmocka_unit_test(every_option_has_its_default),
        cmocka_unit_test(names_are_found_in_both_spellings),
        cmocka_unit_test(a_mistyped_name_finds_the_nearest),
        cmocka_unit_test(setting_what_is_no_setting_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
