/*
 * text_test.c - which texts are accepted, and what is said of the others.
 *
 * The verdicts in the tables are those of text_format.Parse() in Python's
 * protobuf 7.36 with unknown fields allowed, unless a comment says otherwise.
 */
#include "text_walk.h"

#include <locale.h>
#include <time.h>

/* The verdict on each text, put between `before` and `after`. */
static void check(const tfp_message *root, const char *before,
                  const char *after, const char *const *texts, size_t count,
                  int verdict)
{
    for (size_t i = 0; i < count; i++) {
        char text[512];
        int status;
        snprintf(text, sizeof(text), "%s%s%s", before, texts[i], after);
        status = test_status(root, text);
        if (status != verdict)
            fail_msg("%s: status %d", text, status);
    }
}

/* All texts of one table are accepted, all of the other refused. */
#define CHECK(root, before, after, name)                                       \
    (check(&tfp_##root, before, after, name##_good, COUNT(name##_good),        \
           TFPROF_OK),                                                         \
     check(&tfp_##root, before, after, name##_bad, COUNT(name##_bad),          \
           TFPROF_ERR_MALFORMED))

static void check_error(const tfp_message *root, const char *text, size_t size,
                        int64_t offset, int line, int column,
                        const char *message)
{
    test_walk w;
    test_walk_text(&w, root, text, size);
    test_release(&w);
    assert_int_equal(w.status, TFPROF_ERR_MALFORMED);
    assert_string_equal(w.err.message, message);
    assert_int_equal(w.err.offset, offset);
    assert_int_equal(w.err.line, line);
    assert_int_equal(w.err.column, column);
}

#define ERROR_OF(text, offset, line, column, message)                          \
    check_error(&tfp_GraphDef, text, sizeof(text) - 1, offset, line, column,   \
                message)

/* ---- Syntax ------------------------------------------------------------- */

TEST(fields_and_messages_are_read_in_all_their_forms)
{
    /* clang-format off */
    static const char *const table_good[] = {
        "", "# all\n", "#", "node{}", "node<>", "node:{}", "node: <>;",
        "node{},node{}", "node{name:\"a\";op:\"b\",device:\"c\"}",
        "node#c\n{#}\n}", "node{name#x\n:#y\n\"a\"#z\n'b'}",
        "node\x1c{}\x1f\v\f", "node\xc2\xa0{}\xe3\x80\x80", "node[]", "node:[]",
        "node [<>,{}];", "node{input:[\"a\", \"b\" 'c'] input:[]}",
        "library{function[{},{}]}",
    };
    static const char *const table_bad[] = {
        ",", ";", "node{},,", "node{},;", "node{;}", "node", "node:", "node{",
        "node<}", "node{>", "node{}}", "}", "{", "]", ":", "node::{}",
        "node: 1", "node: \"x\"", "node [1]", "node [{},]", "node [,{}]",
        "node [{} {}]", "node [{}", "node{name \"a\"}", "node{name:}",
        "node{name:[\"a\"]}", "node{input [\"a\"}", "node{input:[\"a\" \"b\"}",
        "\"x\": 1", "-1: 1", ".5: 1", "@", "node@{}", "node\xe2\x80\x8b{}",
        "\x01", "version 1", "versions:[{}]",
    };
    /* clang-format on */
    CHECK(GraphDef, "", "", table);
}

TEST(a_second_value_is_refused_where_it_would_be_noticed)
{
    /* clang-format off */
    static const char *const graphs_good[] = {
        "version:0 version:2", "version:0 version:0", "node{name:'' name:'b'}",
        "node{input:'a' input:'a'}", "node{attr{key:'' key:'b'}}",
        "node{attr{key:'a'} attr{key:'a'}}", "debug_info{files:'' files:''}",
    };
    /* Those with debug_info are proto2, which notices zeros. */
    static const char *const graphs_bad[] = {
        "version:1 version:2", "version:2 version:0", "versions{} versions{}",
        "library{} library{}", "node{name:'a' name:'b'}",
        "node{attr{key:'a' key:'b'}}", "node{attr{value{} value{}}}",
        "debug_info{frames_by_id{key:0 key:0}}",
        "debug_info{frames_by_id{value{line:0 line:0}}}",
        "debug_info{name_to_trace_id{key:'' key:''}}",
    };
    static const char *const values_good[] = {
        "i:1", "i:1 x:1",
    };
    static const char *const values_bad[] = {
        "i:1 i:1", "i:0 i:0", "i:1 s:'x'", "shape{} tensor{}",
        "shape{} shape{}",
    };
    /* clang-format on */
    CHECK(GraphDef, "", "", graphs);
    CHECK(AttrValue, "", "", values);
}

TEST(the_place_and_what_was_expected_are_told)
{
    ERROR_OF("node {\n\tname 3\n}", 13, 2, 7, "expected ':', found \"3\"");
    ERROR_OF("node {\n  op: {", 13, 2, 7, "expected a string, found '{'");
    ERROR_OF("node }", 5, 1, 6, "expected '{', found '}'");
    ERROR_OF("node {\n  )", 9, 2, 3, "expected a field name or '}', found ')'");
    ERROR_OF("version: 2147483648", 9, 1, 10,
             "expected an integer from -2147483648 to 2147483647 for version, "
             "found \"2147483648\"");
    ERROR_OF("node{name:'a'\nname:'b'}", 14, 2, 1,
             "NodeDef: \"name\" appears twice");
    ERROR_OF("node { attr { value { i: 1\ns: 'a' } } }", 27, 2, 1,
             "AttrValue: \"s\" conflicts with an earlier field (only one of "
             "them is allowed)");
    ERROR_OF("node { attr { value { type: DT_FLAOT } } }", 28, 1, 29,
             "expected tensorflow.DataType for type, found \"DT_FLAOT\"");
    ERROR_OF("node { attr { value { b: [ } } }", 25, 1, 26,
             "expected true or false, found '['");
    ERROR_OF("\n\n[x.y]: 1", 2, 3, 1,
             "expected a field name, found '[': GraphDef has no extensions");
}

TEST(the_end_of_the_file_tells_what_is_open)
{
    ERROR_OF("node {\n}\nnode {\n  name: \"a\"\n", 28, 5, 1,
             "the file ends inside NodeDef, which starts on line 3 (truncated "
             "or still being written?)");
    ERROR_OF("node {\n  name: \"a", 17, 2, 11,
             "the file ends inside NodeDef, which starts on line 1 (truncated "
             "or still being written?)");
    ERROR_OF("no", 2, 1, 3,
             "the file ends inside a field of GraphDef (truncated or still "
             "being written?)");
    ERROR_OF("x { y {\n", 8, 2, 1,
             "the file ends inside an unknown message, which starts on "
             "line 1 (truncated or still being written?)");
}

/* ---- TX: the classes of faults ------------------------------------------ */

static void nested(char *text, int count, const char *open, const char *close)
{
    *text = '\0';
    for (int i = 0; i < count; i++)
        text += strlen(memcpy(text, open, strlen(open) + 1));
    for (int i = 0; i < count && close; i++)
        text += strlen(memcpy(text, close, strlen(close) + 1));
}

TEST(TX_01_nesting_past_the_limit_is_refused)
{
    static char text[10000];
    nested(text, 100, "x{", "}");
    assert_ok(test_status(&tfp_GraphDef, text));
    nested(text, 101, "x<", ">");
    assert_int_equal(test_status(&tfp_GraphDef, text), TFPROF_ERR_MALFORMED);
    nested(text, 50, "list_value{values{", "}}");
    assert_ok(test_status(&tfp_StructuredValue, text));
    nested(text, 51, "list_value{values{", "}}");
    assert_int_equal(test_status(&tfp_StructuredValue, text),
                     TFPROF_ERR_MALFORMED);
    /* Known, streamed and unknown levels count together. */
    nested(text, 99, "x{", NULL);
    memmove(text + 24, text, strlen(text) + 1);
    memcpy(text, "library{function{attr[{ ", 24);
    check_error(&tfp_GraphDef, text, strlen(text), 24 + 2 * 97 + 1, 1,
                24 + 2 * 97 + 2,
                "nesting deeper than 100 levels in an unknown message (see "
                "--max_depth_nesting)");
}

TEST(TX_01_a_hundred_thousand_levels_are_refused_at_once)
{
    test_source source = { .middle = tfp_span_of("a{"),
                           .times = 100000,
                           .fails_after = -1 };
    test_walk w = { 0 };
    tfp_memory_init(&w.memory, NULL, NULL);
    test_run(&w, &tfp_GraphDef, &source, 100);
    test_release(&w);
    assert_int_equal(w.status, TFPROF_ERR_MALFORMED);
    assert_int_equal(w.err.offset, 201);
}

TEST(TX_02_strings_are_refused_at_their_place)
{
    ERROR_OF("node {\n  name: \"a\n}", 15, 2, 9,
             "unterminated string: no closing quote on this line");
    ERROR_OF("node { name: \"a\\\n\" }", 13, 1, 14,
             "unterminated string: no closing quote on this line");
    ERROR_OF("node { name: 'ab\\x' }", 16, 1, 17,
             "bad escape in a string: \\x needs a hexadecimal digit");
    ERROR_OF("node { name: \"a\" '\\400' }", 18, 1, 19,
             "bad escape in a string: octal escape is larger than \\377");
    ERROR_OF("node { name: '\\U00110000' }", 14, 1, 15,
             "bad escape in a string: code point is larger than U+10FFFF");
}

TEST(TX_02_strings_are_read_as_everywhere)
{
    /* clang-format off */
    static const char *const table_good[] = {
        "''", "\"\"", "\"'\"", "'\"'", "'a' \"b\"",
        "'\\a\\b\\f\\n\\r\\t\\v\\\\\\'\\\"'", "'\\q\\8\\X41\\?'",
        "'\\0\\08\\377\\1234'", "'\\x1\\x1g\\x123'",
        "'\\u0041\\u2192\\U0001F600'", "'\\u005cn'", "'a\tb\rc'",
        "'\xff'", /* not UTF-8: let pass, unlike Python */
    };
    static const char *const table_bad[] = {
        "'", "'a", "'a\"", "'a\n'", "'\\'", "'\\400'", "'\\777'", "'\\x'",
        "'\\xg'", "'\\u12'", "'\\ud800'", "'\\ud83d\\ude00'", "'\\U00110000'",
        "'\\u005c'", "'\\u005cx1'", "'\\u005cu2192'", "'\\N'", "'a' '\\400'",
        "a", "1", "",
    };
    /* clang-format on */
    CHECK(AttrValue, "s: ", "", table);
    CHECK(NodeDef, "name: ", "", table);
}

TEST(TX_02_a_string_of_100_MB_is_read)
{
    test_source source = { .head = tfp_span_of("node { name: \""),
                           .middle = tfp_span_of("a"),
                           .times = 100000000,
                           .tail = tfp_span_of("\" }"),
                           .fails_after = -1 };
    test_walk w = { .leaf_status = TFP_LEAF_UNREAD };
    tfp_memory_init(&w.memory, NULL, NULL);
    test_run(&w, &tfp_GraphDef, &source, 100);
    test_release(&w);
    assert_ok(w.status);
    assert_int_equal(w.leaf_count, 1);
    assert_true(w.memory.peak < 300000000);
}

TEST(TX_03_numbers_are_checked_whatever_the_locale)
{
    /* clang-format off */
    static const char *const integers_good[] = {
        "0", "-0", "+5", "017", "-017", "0o17", "0x1F", "0b11", "1_000", "0x_f",
        "+00", "9223372036854775807", "-0x8000000000000000",
    };
    static const char *const integers_bad[] = {
        "9223372036854775808", "-0x8000000000000001", "+017", "08", "0_7",
        "1__0", "1_", "5.0", "1e3", "- 5", "--5", "5f", "0x", "0b2", "-",
        "true", "'1'", "99999999999999999999999999999999",
    };
    static const char *const floats_good[] = {
        "1.5", "1.5f", "1.5FF", ".5", "5.", "1e5", "1e400", "-1e-400", "inf",
        "-INFINITY", "inff", "NaN", "-nanf", "+01.5", "1_0.5",
        "1e99999999999999999999",
    };
    static const char *const floats_bad[] = {
        "1,5", "01.5", "-00", "0x10", "1e", ".", "f", "infff", "+inff", "1._5",
        "1.0.0", "'1'", "1e+",
    };
    static const char *const truths_good[] = {
        "true", "True", "t", "1", "false", "False", "f", "0",
    };
    static const char *const truths_bad[] = {
        "TRUE", "T", "01", "2", "+1", "yes", "'true'",
    };
    static const char *const enums_good[] = {
        "DT_FLOAT", "1", "+1", "0x1", "00", "99", "-2147483648",
    };
    static const char *const enums_bad[] = {
        "2147483648", "017", "dt_float", "DT_FLOAT_", "DT_FLOA", "1.0",
        "'DT_FLOAT'",
    };
    /* clang-format on */
    bool german = setlocale(LC_ALL, "de_DE.UTF-8") ||
                  setlocale(LC_ALL, "de_DE.utf8");
    CHECK(AttrValue, "i: ", "", integers);
    CHECK(AttrValue, "list { i: [", "] }", integers);
    CHECK(AttrValue, "f: ", "", floats);
    CHECK(TensorProto, "double_val: ", "", floats);
    CHECK(AttrValue, "b: ", "", truths);
    CHECK(AttrValue, "type: ", "", enums);
    if (german)
        setlocale(LC_ALL, "C");
}

TEST(TX_03_a_million_digits_take_no_time)
{
    static const char *const heads[] = { "i: ", "f: ", "f: 0.", "unknown: " };
    static const bool good[] = { false, true, true, true };
    clock_t start = clock();
    for (size_t i = 0; i < COUNT(heads); i++) {
        test_source source = { .head = tfp_span_of(heads[i]),
                               .middle = tfp_span_of("7"),
                               .times = 1000000,
                               .fails_after = -1 };
        test_walk w = { 0 };
        tfp_memory_init(&w.memory, NULL, NULL);
        test_run(&w, &tfp_AttrValue, &source, 100);
        test_release(&w);
        assert_int_equal(w.status, good[i] ? TFPROF_OK : TFPROF_ERR_MALFORMED);
    }
    assert_true(clock() - start < 2 * CLOCKS_PER_SEC);
}

TEST(TX_04_encodings_are_accepted_or_named)
{
    assert_ok(
        test_status(&tfp_GraphDef, "\xef\xbb\xbfnode{}")); /* unlike Python */
    assert_ok(test_status(&tfp_GraphDef, "node {\r\n}\r\n"));
    assert_ok(test_status(&tfp_GraphDef, "node {\f}\f"));
    ERROR_OF("\xff\xfen\0o\0", 0, 1, 1,
             "expected a field name, found UTF-16 text (only UTF-8 is "
             "supported)");
    ERROR_OF("\xfe\xff\0n\0o", 0, 1, 1,
             "expected a field name, found UTF-16 text (only UTF-8 is "
             "supported)");
    ERROR_OF("n\0o\0d\0e\0", 1, 1, 2,
             "expected '{', found a NUL byte (UTF-16 text or a binary file?)");
    ERROR_OF("\xef\xbb\xbf)", 3, 1, 1, "expected a field name, found ')'");
    ERROR_OF("\n\x0c\n\x05"
             "abc",
             3, 3, 1, "expected a field name, found byte 0x05");
}

TEST(TX_05_unknown_fields_are_passed_over_in_any_form)
{
    /* clang-format off */
    static const char *const table_good[] = {
        "x: 1", "x: [1, 'a' \"b\", {}, <a: 1>, c]", "x: []", "x {}", "x: <>",
        "x: a-b", "a-b: 1", "1: 1", "1.5 {}", "x: -inf", "x: 1e400",
        "x: 18446744073709551615", "x: +08",
        "x { a{b{c:1}} b:'x' 'y' c:[] d<e:f>; [p.q.r]:1, [p.q.r/a.b]{} }",
        "Node{} NODE:1 node_:1 nod{}",
    };
    static const char *const table_bad[] = {
        "x", "x:", "x 1", "x [1]", "x [{}]", "x: [[1]]", "x: [1,]", "x: a.b",
        "x: 08", "x: .", "x: 0xfffffffffffffffff", "x: '\\400'", "x: 'a",
        "x {>", "x {[p.]:1}", "x {[1]:1}", "x {[p.q/r]:1}", "x {[p.q.r.s/t]:1}",
        "x {[p.q.r/]{}}", "[p.q]: 1", "node{[p.q]: 1}", "x: 1,,",
    };
    /* Python refuses types that it does not know; we read none. */
    static const char *const packed_good[] = {
        "[a/b]{}", "[type.googleapis.com/a.B] : < x: 1 >", "[a%20b/c]{}",
        "[ a / b # c\n ] {}", "[a/b/c]{}", "type_url: 'a' [a/b]{}",
    };
    static const char *const packed_bad[] = {
        "[a]{}", "[]{}", "[/b]{}", "[a/]{}", "[a%2/c]{}", "[a/1b]{}",
        "[a/b.]{}", "[a/b-c]{}", "[a:b/c]{}", "['a'/c]{}", "[a/b]: 1",
        "[a/b]{},", "[a/b]", "[a/b",
    };
    /* clang-format on */
    CHECK(GraphDef, "", "", table);
    CHECK(SavedObject, "serialized_user_proto { ", " }", packed);
}

TEST(TX_05_unknown_fields_are_counted_with_the_first_name)
{
    static const char text[] = "version: 1 node { fancy: 1 plain { a: 1 b: 2 }"
                               " fancy: [1, 2] } other {}";
    test_walk w;
    test_walk_text(&w, &tfp_GraphDef, text, sizeof(text) - 1);
    test_release(&w);
    assert_ok(w.status);
    assert_int_equal(w.walk.unknown.count, 4);
    assert_string_equal(w.walk.unknown.name, "field fancy of NodeDef");
}

TEST(TX_06_endless_tokens_take_linear_time)
{
    static const char *const middles[] = { "#", " ", "\t", "\n", ",", ";" };
    EACH(row, middles) {
        test_source source = { .middle = tfp_span_of(*row),
                               .times = 50000000,
                               .fails_after = -1 };
        test_walk w = { 0 };
        clock_t start = clock();
        bool blank = **row != ',' && **row != ';';
        tfp_memory_init(&w.memory, NULL, NULL);
        test_run(&w, &tfp_GraphDef, &source, 100);
        test_release(&w);
        assert_int_equal(w.status, blank ? TFPROF_OK : TFPROF_ERR_MALFORMED);
        assert_true(w.window <= 1 << 20); /* it has not grown */
        /* A tenth of that without sanitizers. */
        assert_true(clock() - start < 4 * CLOCKS_PER_SEC);
    }
}
