/*
 * gzip_test.c - unpacking: sound streams, damaged ones, and what surrounds
 * them.
 */
#include "counting.h"
#include "samples.h"

#include "base/gzip.h"

typedef struct unpacked {
    wire_bytes bytes;
    int status;
    tfprof_error err;
    bool trailing;
    size_t peak; /* memory */
} unpacked;

/* Unpacks all of `packed`, which comes `piece` bytes at a time, into pieces of
 * `room` bytes. */
typedef struct pieces {
    tfp_span rest;
    size_t piece;
} pieces;

static ptrdiff_t read_pieces(void *self, void *buffer, size_t size,
                             tfprof_error *err)
{
    pieces *p = self;
    size_t n = size < p->piece ? size : p->piece;
    tfp_span part = { p->rest.data, n < p->rest.size ? n : p->rest.size };
    tfp_source source = tfp_source_span(&part);
    ptrdiff_t given = source.read(source.self, buffer, n, err);
    p->rest.data += given;
    p->rest.size -= (size_t)given;
    return given;
}

static unpacked unpack(tfp_span packed, size_t piece, size_t room)
{
    counting counts = { 0 };
    tfp_memory memory;
    /* A block of its own size: reading past it is seen by a sanitizer. */
    uint8_t *copy = malloc(packed.size ? packed.size : 1);
    uint8_t *buffer = malloc(room);
    pieces from = { { copy, packed.size }, piece };
    tfp_source source = { read_pieces, &from };
    unpacked u = { .err = { .offset = -2 } };
    tfp_gzip *gzip;
    ptrdiff_t n;
    assert_true(copy && buffer);
    if (packed.size > 0)
        memcpy(copy, packed.data, packed.size);
    tfp_memory_init(&memory, counting_resize, &counts);
    gzip = tfp_gzip_new(&memory, source);
    assert_non_null(gzip);
    source = tfp_source_gzip(gzip);
    while ((n = source.read(source.self, buffer, room, &u.err)) > 0)
        wire_raw(&u.bytes, buffer, (size_t)n);
    u.status = (int)n;
    u.trailing = tfp_gzip_has_trailing_bytes(gzip);
    tfp_gzip_free(gzip);
    u.peak = memory.peak;
    counting_check(&counts);
    free(copy);
    free(buffer);
    return u;
}

/* The status alone, and that a refusal says where. */
static int verdict(tfp_span packed)
{
    unpacked u = unpack(packed, SIZE_MAX, 1 << 16);
    if (u.status != TFPROF_OK) {
        assert_int_equal(u.err.code, u.status);
        assert_in_range(u.err.offset, 0, packed.size);
        assert_non_null(strstr(u.err.message, "gzip data"));
    }
    wire_free(&u.bytes);
    return u.status;
}

TEST(GZ_02_every_cut_of_a_packed_file_is_refused)
{
    sample samples[SAMPLE_MOST];
    size_t count = samples_binary(samples), cuts = 0;
    for (size_t i = 0; i < count; i++) {
        wire_bytes packed = { 0 };
        sample_gzip(&packed, wire_span(&samples[i].bytes));
        for (size_t cut = 0; cut < packed.size; cut++, cuts++) {
            unpacked u = unpack((tfp_span){ packed.data, cut }, 7, 512);
            assert_int_equal(u.status, TFPROF_ERR_MALFORMED);
            assert_int_equal(u.err.offset, cut);
            assert_non_null(strstr(u.err.message, "gzip data is truncated"));
            /* What came out before is right. */
            assert_true(u.bytes.size <= samples[i].bytes.size);
            if (u.bytes.size > 0)
                assert_memory_equal(u.bytes.data, samples[i].bytes.data,
                                    u.bytes.size);
            wire_free(&u.bytes);
        }
        assert_ok(verdict(wire_span(&packed)));
        wire_free(&packed);
    }
    print_message("%zu cuts\n", cuts);
    samples_free(samples, count);
}

TEST(GZ_02_every_flipped_bit_is_refused_or_does_no_harm)
{
    wire_bytes graph = { 0 }, packed = { 0 };
    size_t refused = 0;
    sample_graph(&graph);
    sample_gzip(&packed, wire_span(&graph));
    for (size_t bit = 0; bit < packed.size * 8; bit++) {
        unpacked u;
        packed.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        u = unpack(wire_span(&packed), SIZE_MAX, 1 << 16);
        packed.data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        refused += u.status != TFPROF_OK;
        /* Time, flags and system are of no concern, and the bits that fill up
         * the last byte, and how far back equal bytes are found. */
        if (u.status == TFPROF_OK) {
            assert_int_equal(u.bytes.size, graph.size);
            assert_memory_equal(u.bytes.data, graph.data, graph.size);
        }
        wire_free(&u.bytes);
    }
    assert_true(refused > packed.size * 8 - 96);
    wire_free(&graph);
    wire_free(&packed);
}

TEST(GZ_02_a_wrong_checksum_or_length_is_refused)
{
    wire_bytes packed = { 0 };
    sample_gzip(&packed, tfp_span_of("some bytes"));
    for (size_t i = packed.size - 8; i < packed.size; i++) {
        unpacked u;
        packed.data[i] ^= 0x10;
        u = unpack(wire_span(&packed), SIZE_MAX, 100);
        packed.data[i] ^= 0x10;
        assert_int_equal(u.status, TFPROF_ERR_MALFORMED);
        assert_non_null(strstr(u.err.message, i < packed.size - 4
                                                  ? "incorrect data check"
                                                  : "incorrect length check"));
        wire_free(&u.bytes);
    }
    wire_free(&packed);
}

typedef struct broken_stream {
    const char *hex, *why;
} broken_stream;

/* What follows the head. Zeros come after it, so that none is cut short. */
TEST(GZ_02_streams_that_break_the_rules_are_refused)
{
    static const broken_stream table[] = {
        { "00 00000000", "invalid stored block lengths" },
        { "01 0500 f9ff 6162636465", "invalid stored block lengths" },
        { "06", "invalid block type" },
        { "fc0000", "too many length or distance symbols" },
        { "0400feff", "invalid code lengths set" }, /* over-subscribed */
        { "04002449 00", "invalid bit length repeat" },
        { "040024e9 ffff", "invalid bit length repeat" },
        { "040024e9 ff6d", "invalid code -- missing end-of-block" },
        { "04804992 24499224 71ffff93 1100", "invalid literal/lengths set" },
        { "04804992 24499224 0fb4ffff c384", "invalid distances set" },
        { "04c08108 00000000 207feb0b 0000", "invalid literal/length code" },
        { "027effff", "invalid distance code" },
        { "0cc08100 00000000 90ff6b04 00", "invalid distance too far back" },
        { "0300 01000000", "incorrect data check" },
        { "0300 00000000 01000000", "incorrect length check" },
    };
    EACH(row, table) {
        wire_bytes b = { 0 };
        unpacked u;
        wire_hex(&b, "1f8b0800 00000000 0003");
        wire_hex(&b, row->hex);
        for (int k = 0; k < 300; k++)
            wire_byte(&b, 0);
        u = unpack(wire_span(&b), SIZE_MAX, 1 << 16);
        assert_int_equal(u.status, TFPROF_ERR_MALFORMED);
        if (!strstr(u.err.message, row->why))
            fail_msg("%s: %s", row->hex, u.err.message);
        wire_free(&u.bytes);
        wire_free(&b);
    }
}

/* All zeros need one length and one distance: sets of one code each. */
TEST(GZ_02_trees_of_one_symbol_are_unpacked)
{
    static uint8_t zeros[500000];
    wire_bytes packed = { 0 };
    unpacked u;
    sample_gzip(&packed, (tfp_span){ zeros, sizeof(zeros) });
    u = unpack(wire_span(&packed), 100, 5000);
    assert_ok(u.status);
    assert_int_equal(u.bytes.size, sizeof(zeros));
    assert_memory_equal(u.bytes.data, zeros, sizeof(zeros));
    wire_free(&u.bytes);
    wire_free(&packed);
}

TEST(GZ_02_heads_that_are_none_are_refused)
{
    static const char *const bad[] = {
        "1f8b07 00 00000000 00 03 0300 00000000 00000000", /* method 7 */
        "1f8b08 e0 00000000 00 03 0300 00000000 00000000", /* flags of 2030 */
        "1f8b08 02 00000000 00 03 0000 0300 00000000 00000000", /* its CRC */
        "789c 0300 00000001", /* zlib, not gzip */
    };
    EACH(row, bad) {
        wire_bytes b = { 0 };
        wire_hex(&b, *row);
        assert_int_equal(verdict(wire_span(&b)), TFPROF_ERR_MALFORMED);
        wire_free(&b);
    }
}

/* ---- Members and what surrounds them ------------------------------------ */

/* A member that holds `text`, with FEXTRA and FNAME if they are asked for. */
static void put_member(wire_bytes *b, const char *text, size_t extra,
                       size_t name)
{
    wire_bytes plain = { 0 };
    int flags = (extra ? 4 : 0) | (name ? 8 : 0);
    sample_gzip(&plain, tfp_span_of(text));
    wire_hex(b, "1f8b08");
    wire_byte(b, flags);
    wire_raw(b, plain.data + 4, 6);
    if (extra > 0) {
        wire_byte(b, (int)(extra & 0xff));
        wire_byte(b, (int)(extra >> 8));
        for (size_t i = 0; i < extra; i++)
            wire_byte(b, 0x1f);
    }
    for (size_t i = 0; i < name; i++)
        wire_byte(b, i + 1 < name ? 'n' : 0);
    wire_raw(b, plain.data + 10, plain.size - 10);
    wire_free(&plain);
}

static void check_unpacked(const wire_bytes *packed, const char *text,
                           bool trailing)
{
    static const size_t pieces_of[] = { 1, 13, SIZE_MAX };
    for (size_t i = 0; i < 3; i++) {
        unpacked u = unpack(wire_span(packed), pieces_of[i], 1 + 99 * i);
        assert_ok(u.status);
        assert_int_equal(u.err.offset, -2);
        assert_int_equal(u.bytes.size, strlen(text));
        assert_memory_equal(u.bytes.data, text, strlen(text));
        assert_int_equal(u.trailing, trailing);
        wire_free(&u.bytes);
    }
}

TEST(GZ_03_members_are_joined_and_padding_is_passed_over)
{
    wire_bytes b = { 0 };
    put_member(&b, "one ", 0, 0);
    put_member(&b, "two ", 65535, 0);
    check_unpacked(&b, "one two ", false);
    for (int i = 0; i < 100000; i++)
        wire_byte(&b, 0);
    check_unpacked(&b, "one two ", false);
    put_member(&b, "three", 1, 5); /* after the padding too */
    check_unpacked(&b, "one two three", false);
    wire_byte(&b, 'j');
    check_unpacked(&b, "one two three", true);
    for (int i = 0; i < 70000; i++)
        wire_byte(&b, 0x55);
    check_unpacked(&b, "one two three", true);
    wire_free(&b);
}

TEST(GZ_03_a_second_member_that_is_damaged_is_refused)
{
    wire_bytes b = { 0 };
    unpacked u;
    put_member(&b, "one", 0, 0);
    wire_hex(&b, "1f8b0800");
    u = unpack(wire_span(&b), SIZE_MAX, 100);
    assert_int_equal(u.status, TFPROF_ERR_MALFORMED);
    assert_int_equal(u.bytes.size, 3);
    wire_free(&u.bytes);
    wire_hex(&b, "ffffffffffffffffffffffff");
    assert_int_equal(verdict(wire_span(&b)), TFPROF_ERR_MALFORMED);
    wire_free(&b);
}

TEST(GZ_03_a_name_without_end_is_refused_in_bounded_memory)
{
    wire_bytes b = { 0 };
    unpacked u;
    wire_hex(&b, "1f8b08 08 00000000 00 03");
    for (int i = 0; i < 3000000; i++)
        wire_byte(&b, 'n');
    u = unpack(wire_span(&b), SIZE_MAX, 100);
    assert_int_equal(u.status, TFPROF_ERR_MALFORMED);
    assert_int_equal(u.err.offset, b.size);
    assert_true(u.peak < 200000);
    wire_free(&b);
}
