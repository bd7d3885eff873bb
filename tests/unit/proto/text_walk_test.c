/*
 * text_walk_test.c - what a visitor is told of a text, and what happens when
 * something outside the text goes wrong.
 */
#include "text_walk.h"

#include "proto/numbers.h"

static void check_wire(const tfp_message *root, const char *text,
                       const char *wire, size_t size)
{
    test_walk w;
    test_walk_text(&w, root, text, strlen(text));
    if (w.status != TFPROF_OK)
        fail_msg("%s: %s", text, w.err.message);
    if (w.wire[0].count != size ||
        (size > 0 && memcmp(w.wire[0].data, wire, size) != 0))
        fail_msg("%s: gives other bytes", text);
    test_release(&w);
}

/* The wire message that `text` means. */
#define WIRE_OF(root, text, wire)                                              \
    check_wire(&tfp_##root, text, wire, sizeof(wire) - 1)

/* ---- Events ------------------------------------------------------------- */

TEST(every_type_is_written_as_on_the_wire)
{
    WIRE_OF(AttrValue, "i: 1", "\x18\x01");
    WIRE_OF(AttrValue, "i: -1", "\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    WIRE_OF(AttrValue, "f: 1.5", "\x25\x00\x00\xc0\x3f");
    WIRE_OF(AttrValue, "f: 1e39", "\x25\x00\x00\x80\x7f");
    WIRE_OF(AttrValue, "b: t", "\x28\x01");
    WIRE_OF(AttrValue, "type: DT_INT32", "\x30\x03");
    WIRE_OF(AttrValue, "type: -1",
            "\x30\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
    WIRE_OF(AttrValue, "s: 'a' \"\\001\" 'b'",
            "\x12\x03"
            "a\x01"
            "b");
    WIRE_OF(StructuredValue, "int64_value: -3", "\x60\x05");
    WIRE_OF(StructuredValue, "float64_value: 0.5", "\x59\0\0\0\0\0\0\xe0\x3f");
    WIRE_OF(GraphDef, "debug_info { traces_by_id { key: 258 } }",
            "\x2a\x0b\x32\x09\x09\x02\x01\0\0\0\0\0\0");
    WIRE_OF(TensorProto, "uint64_val: [1, 18446744073709551615]",
            "\x88\x01\x01\x88\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01");
}

TEST(nested_messages_keep_their_order)
{
    WIRE_OF(NodeDef, "op: 'b' name: 'a' attr { key: 'k' value { i: 2 } }",
            "\x12\x01"
            "b"
            "\x0a\x01"
            "a"
            "\x2a\x07\x0a\x01k\x12\x02\x18\x02");
    WIRE_OF(NodeDef, "attr [ { }, < value { list { b: [f, t] } } > ]",
            "\x2a\0\x2a\x08\x12\x06\x0a\x04\x28\0\x28\x01");
    WIRE_OF(NodeDef, "x { y: 'z' } attr { x: 1 key: '' value { } } x: [{}]",
            "\x2a\x04\x0a\0\x12\0");
}

TEST(streamed_messages_are_entered_and_leaves_are_not)
{
    static const char text[] =
        "node { name: 'a' } version: 3\n"
        "library { function { signature { name: 'f' } node_def { } }\n"
        "          function [ { }, { } ] }\n"
        "node [ { }, { name: 'b' } ]";
    static const char wire[] = "\x0a\x03\x0a\x01"
                               "a"
                               "\x18\x03"
                               "\x12\x0d\x0a\x07\x0a\x03\x0a\x01"
                               "f"
                               "\x1a\0"
                               "\x0a\0\x0a\0\x0a\0\x0a\x03\x0a\x01"
                               "b";
    test_walk w;
    check_wire(&tfp_GraphDef, text, wire, sizeof(wire) - 1);
    test_walk_text(&w, &tfp_GraphDef, text, sizeof(text) - 1);
    test_release(&w);
    assert_int_equal(w.enters, 4);
    assert_int_equal(w.leaf_count, 6);
}

TEST(retired_fields_are_kept_if_they_fit)
{
    WIRE_OF(CodeDef_Trace, "file: 'a' lineno: 2 function: 'g'",
            "\x0a\x01"
            "a"
            "\x10\x02\x1a\x01"
            "g");
    WIRE_OF(CodeDef_Trace, "file: 3 file { a: 1 } file: [{}, 'b', 1]",
            "\x0a\x01"
            "b");
    WIRE_OF(MemoryStats, "host_temp_memory_size: 5", "\x08\x05");
    WIRE_OF(MemoryStats,
            "host_temp_memory_size: 5 host_temp_memory_size: 6 "
            "temp_memory_size: 7",
            "\x08\x05\x08\x06\x08\x07");
    WIRE_OF(MemoryStats, "host_temp_memory_size: 'x'", "");
    WIRE_OF(MemoryStats, "host_temp_memory_size: 1.5", "");
    WIRE_OF(MemoryStats, "host_persistent_tensor_alloc_ids: [1, x, 2]",
            "\x28\x01\x28\x02");
}

TEST(no_message_has_more_fields_than_a_level_can_note)
{
    /* A program comes as bytes of a trace, never as text. */
    for (size_t i = 0; i < tfp_all_message_count; i++)
        assert_true(tfp_all_messages[i]->count <= 64 ||
                    tfp_all_messages[i] == &tfp_HloInstructionProto);
}

TEST(what_is_read_does_not_depend_on_the_pieces_it_comes_in)
{
    static const char text[] =
        "# comment\r\nnode { name: \"abc\\n\\u0041\" 'd' op: \"\\001\"\n"
        "attr { key: 'k' value { list { f: [1.25, -inf] } } } unknown: 1e5 }\n"
        "\xc2\xa0library { function { attr < key: 'x' > } }; version: 12345\n";
    test_walk whole;
    test_walk_text(&whole, &tfp_GraphDef, text, sizeof(text) - 1);
    assert_ok(whole.status);
    for (size_t piece = 1; piece < 10; piece++) {
        test_source source = test_source_of(text, sizeof(text) - 1);
        test_walk w = { 0 };
        source.piece = piece;
        tfp_memory_init(&w.memory, NULL, NULL);
        test_run(&w, &tfp_GraphDef, &source, 100);
        assert_ok(w.status);
        assert_int_equal(w.wire[0].count, whole.wire[0].count);
        assert_memory_equal(w.wire[0].data, whole.wire[0].data,
                            w.wire[0].count);
        test_release(&w);
    }
    test_release(&whole);
}

TEST(every_cut_is_refused_or_is_a_shorter_text)
{
    static const char text[] = "node { name: 'a' attr { key: 'k' value { "
                               "shape { dim { size: 3 } } } } } version: 1";
    for (size_t size = 0; size < sizeof(text) - 1; size++) {
        test_walk w;
        bool whole = size == 0 || (size >= 72 && size <= 73);
        test_walk_text(&w, &tfp_GraphDef, text, size);
        test_release(&w);
        assert_int_equal(w.status, whole ? TFPROF_OK : TFPROF_ERR_MALFORMED);
        if (!whole)
            assert_true(w.err.offset <= (int64_t)size &&
                        w.err.column == w.err.offset + 1);
    }
}

/* ---- Trouble from outside ----------------------------------------------- */

static const char sample[] =
    "library { function { node_def { name: 'a' attr { key: 'k' value { "
    "tensor { tensor_content: '\\001\\002' double_val: 1.5 } } } } } } "
    "node { name: \"b\" } version: 123";

TEST(a_failing_reader_is_the_error_wherever_it_fails)
{
    for (size_t at = 0; at <= sizeof(sample) - 1; at++) {
        test_source source = test_source_of(sample, sizeof(sample) - 1);
        test_walk w = { 0 };
        source.fails_after = (int64_t)at;
        tfp_memory_init(&w.memory, NULL, NULL);
        test_run(&w, &tfp_GraphDef, &source, 100);
        test_release(&w);
        assert_int_equal(w.status, TFPROF_ERR_IO);
        assert_string_equal(w.err.message, "the disk is on fire");
        /* A number that may go on is not handed over. */
        assert_int_equal(w.leaf_count, (at >= 125) + (at >= 148));
    }
}

typedef struct failing {
    int left; /* calls that still succeed; one fails, all after it too */
} failing;

static void *failing_resize(void *context, void *block, size_t old_size,
                            size_t new_size)
{
    failing *f = context;
    tfp_memory plain;
    if (new_size > 0 && f->left-- <= 0)
        return NULL;
    tfp_memory_init(&plain, NULL, NULL);
    return plain.resize(NULL, block, old_size, new_size);
}

TEST(every_allocation_may_fail)
{
    int status = TFPROF_ERR_NOMEM, calls = 0;
    for (; status == TFPROF_ERR_NOMEM; calls++) {
        /* Long enough that the window and the leaf have to grow. */
        test_source source = { .head = tfp_span_of("node { name: '"),
                               .middle = tfp_span_of("a"),
                               .times = 3000000,
                               .tail = tfp_span_of("' op: '\\n' }"),
                               .fails_after = -1 };
        failing context = { .left = calls };
        test_walk w = { .leaf_status = TFP_LEAF_UNREAD };
        tfp_memory_init(&w.memory, failing_resize, &context);
        test_run(&w, &tfp_GraphDef, &source, 100);
        test_release(&w);
        status = w.status;
    }
    assert_ok(status);
    assert_true(calls > 4);
}

TEST(what_the_visitor_says_ends_the_walk)
{
    test_source source = test_source_of(sample, sizeof(sample) - 1);
    test_walk w = { .leaf_status = TFPROF_ERR_LIMIT };
    tfp_memory_init(&w.memory, NULL, NULL);
    test_run(&w, &tfp_GraphDef, &source, 100);
    test_release(&w);
    assert_int_equal(w.status, TFPROF_ERR_LIMIT);
    assert_int_equal(w.leaf_count, 1);
    assert_int_equal(w.enters, 2);
}

TEST(a_blamed_record_is_refused_where_it_begins)
{
    static const char text[] = "version: 3\nnode {\n}";
    test_source source = test_source_of(text + 11, sizeof(text) - 12);
    test_walk w = { .blames = true };
    tfp_memory_init(&w.memory, NULL, NULL);
    test_run(&w, &tfp_GraphDef, &source, 100);
    test_release(&w);
    assert_int_equal(w.status, TFPROF_ERR_MALFORMED);
    assert_string_equal(w.err.message, "NodeDef is damaged: of no use");
    assert_int_equal(w.err.offset, 5);
    assert_int_equal(w.err.line, 1);
    assert_int_equal(w.err.column, 6);
}

/* ---- Numbers ------------------------------------------------------------ */

TEST(decimal_fractions_are_rounded_to_the_nearest_double)
{
    static const struct {
        const char *text;
        uint64_t bits;
    } table[] = {
        { "0", 0 },
        { "-0.0", UINT64_C(0x8000000000000000) },
        { "0.1", UINT64_C(0x3fb999999999999a) },
        { "123456789012345678", UINT64_C(0x437b69b4ba630f35) },
        { "1e22", UINT64_C(0x4480f0cf064dd592) },
        { "1e23", UINT64_C(0x44b52d02c7e14af6) },
        /* Half way: to the even one, and up if anything follows. */
        { "9007199254740993", UINT64_C(0x4340000000000000) },
        { "9007199254740993.0000000000000000000000000001",
          UINT64_C(0x4340000000000001) },
        { "9007199254740995", UINT64_C(0x4340000000000002) },
        { "4.9406564584124654e-324", 1 },
        { "2.4703282292062327e-324", 0 },
        { "2.4703282292062328e-324", 1 },
        { "2.2250738585072011e-308", UINT64_C(0x000fffffffffffff) },
        { "2.2250738585072014e-308", UINT64_C(0x0010000000000000) },
        { "1.7976931348623157e308", UINT64_C(0x7fefffffffffffff) },
        { "1.7976931348623158e308", UINT64_C(0x7fefffffffffffff) },
        { "1.7976931348623159e308", UINT64_C(0x7ff0000000000000) },
        { "-1e400", UINT64_C(0xfff0000000000000) },
        { "1e-400", 0 },
        { "0e999999999999", 0 },
    };
    EACH(row, table) {
        double value;
        uint64_t bits;
        assert_true(tfp_double_read(tfp_span_of(row->text), &value));
        memcpy(&bits, &value, sizeof(bits));
        if (bits != row->bits)
            fail_msg("%s: %016llx", row->text, (unsigned long long)bits);
    }
}
