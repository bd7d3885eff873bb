/*
 * pack_test.c - gzip on the way out, read back by gzip on the way in.
 */
#include "counting.h"

#include "base/gzip.h"
#include "output/sink/pack.h"
#include "wire_build.h"

typedef struct target {
    wire_bytes bytes;
    size_t calls, fail_at;
} target;

static int write_target(void *context, const void *data, size_t size)
{
    target *t = context;
    if (++t->calls == t->fail_at)
        return -1;
    wire_raw(&t->bytes, data, size);
    return 0;
}

/* Bytes that hardly shrink, so that there is more than one buffer of them. */
static wire_bytes make_noise(size_t size)
{
    wire_bytes b = { 0 };
    uint64_t state = 1;
    while (b.size < size) {
        uint64_t number = counting_random(&state);
        wire_raw(&b, &number, sizeof(number));
    }
    return b;
}

/* Packs `plain` in pieces of `piece` bytes. */
static bool pack(tfp_memory *memory, const wire_bytes *plain, size_t piece,
                 target *t)
{
    tfp_pack *p = tfp_pack_new(memory, write_target, t);
    bool ok = p != NULL;
    for (size_t at = 0; ok && at < plain->size; at += piece) {
        size_t rest = plain->size - at;
        ok = tfp_pack_write(p, plain->data + at, rest < piece ? rest : piece) ==
             0;
    }
    ok = ok && tfp_pack_end(p);
    tfp_pack_free(p);
    return ok;
}

static void check_unpacked(tfp_memory *memory, const target *t,
                           const wire_bytes *plain)
{
    tfp_span packed = wire_span(&t->bytes);
    tfp_gzip *gz;
    tfp_source source;
    size_t at = 0;
    uint8_t buffer[1000];
    ptrdiff_t n;
    assert_true(tfp_gzip_recognises(packed));
    gz = tfp_gzip_new(memory, tfp_source_span(&packed));
    source = tfp_source_gzip(gz);
    while ((n = source.read(source.self, buffer, sizeof(buffer), NULL)) > 0) {
        assert_true(at + (size_t)n <= plain->size);
        assert_memory_equal(buffer, plain->data + at, (size_t)n);
        at += (size_t)n;
    }
    assert_int_equal(n, 0);
    assert_int_equal(at, plain->size);
    assert_false(tfp_gzip_has_trailing_bytes(gz));
    tfp_gzip_free(gz);
}

TEST(what_is_packed_is_unpacked_again)
{
    static const size_t sizes[] = { 0, 8, 300 << 10 };
    static const size_t pieces[] = { 1, 1000, 1 << 20 };
    EACH(size, sizes) {
        wire_bytes plain = make_noise(*size);
        EACH(piece, pieces) {
            tfp_memory memory;
            target t = { 0 };
            tfp_memory_init(&memory, NULL, NULL);
            assert_true(pack(&memory, &plain, *piece, &t));
            check_unpacked(&memory, &t, &plain);
            assert_int_equal(memory.held, 0);
            wire_free(&t.bytes);
        }
        wire_free(&plain);
    }
}

/* No time and no name of a file: the same bytes give the same bytes. */
TEST(OU_14_the_head_of_a_packed_file_says_nothing_else)
{
    static const uint8_t head[] = { 0x1f, 0x8b, 8, 0, 0, 0, 0, 0 };
    wire_bytes plain = make_noise(100);
    tfp_memory memory;
    target t = { 0 };
    tfp_memory_init(&memory, NULL, NULL);
    assert_true(pack(&memory, &plain, 100, &t));
    assert_true(t.bytes.size > sizeof(head));
    assert_memory_equal(t.bytes.data, head, sizeof(head));
    wire_free(&t.bytes);
    wire_free(&plain);
}

TEST(OU_03_the_nth_write_of_a_packed_file_fails)
{
    wire_bytes plain = make_noise(300 << 10);
    tfp_memory memory;
    target whole = { 0 };
    tfp_memory_init(&memory, NULL, NULL);
    assert_true(pack(&memory, &plain, 1000, &whole));
    assert_true(whole.calls > 3);
    for (size_t n = 1; n <= whole.calls; n++) {
        target t = { .fail_at = n };
        assert_false(pack(&memory, &plain, 1000, &t));
        assert_int_equal(t.calls, n);
        wire_free(&t.bytes);
    }
    assert_int_equal(memory.held, 0);
    wire_free(&whole.bytes);
    wire_free(&plain);
}

TEST(ME_01_each_allocation_of_packing_fails_once)
{
    wire_bytes plain = make_noise(1000);
    counting all = { 0 };
    tfp_memory memory;
    target t = { 0 };
    tfp_memory_init(&memory, counting_resize, &all);
    assert_true(pack(&memory, &plain, 100, &t));
    wire_free(&t.bytes);
    for (size_t n = 1; n <= all.calls; n++) {
        counting c = { .fail_at = n };
        tfp_memory_init(&memory, counting_resize, &c);
        assert_false(pack(&memory, &plain, 100, &t));
        counting_check(&c);
        wire_free(&t.bytes);
    }
    wire_free(&plain);
}
