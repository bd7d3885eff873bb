/*
 * put_test.c - what is put is what a reader finds.
 *
 * The judges are the reader of src/proto/wire.c and the test's own builder of
 * wire bytes, which shares nothing with it.
 */
#include "counting.h"
#include "wire_build.h"

#include "proto/put.h"
#include "proto/wire.h"

typedef struct putting {
    counting counts;
    tfp_memory memory;
    tfp_put put;
} putting;

static void begin(putting *p)
{
    p->counts = (counting){ 0 };
    tfp_memory_init(&p->memory, counting_resize, &p->counts);
    tfp_put_init(&p->put, &p->memory);
}

static void end(putting *p)
{
    tfp_put_release(&p->put);
    assert_int_equal(p->memory.held, 0);
    counting_check(&p->counts);
}

static void check_equal(const putting *p, const wire_bytes *expected)
{
    assert_false(p->put.failed);
    assert_int_equal(p->put.out.count, expected->size);
    assert_memory_equal(p->put.out.data, expected->data, expected->size);
}

/* ---- Fields ------------------------------------------------------------- */

static const int64_t numbers[] = { 0,        1,         127,       128,
                                   16383,    16384,     -1,        INT32_MAX,
                                   -2048,    INT32_MIN, INT64_MAX, INT64_MIN,
                                   1LL << 62 };

TEST(numbers_are_read_as_they_were_put)
{
    putting p;
    wire_bytes expected = { 0 };
    tfp_record record = { 0 };
    tfp_wire w;
    tfp_field f;
    begin(&p);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        tfp_put_int(&p.put, (uint32_t)i + 1, numbers[i]);
        wire_int(&expected, (uint32_t)i + 1, numbers[i]);
    }
    check_equal(&p, &expected);
    record = (tfp_record){ .bytes = tfp_put_span(&p.put), .max_depth = 100 };
    w = tfp_wire_over(&record);
    for (size_t i = 0; i < COUNT(numbers); i++) {
        assert_true(tfp_wire_next(&w, &f));
        assert_int_equal(f.tag, TFP_TAG(i + 1, TFP_WIRE_VARINT));
        assert_int_equal((int64_t)f.value, numbers[i]);
    }
    assert_false(tfp_wire_next(&w, &f));
    assert_true(tfp_record_ok(&record));
    wire_free(&expected);
    end(&p);
}

TEST(the_largest_field_number_has_room)
{
    putting p;
    wire_bytes expected = { 0 };
    uint32_t largest = (1u << 29) - 1;
    begin(&p);
    tfp_put_int(&p.put, largest, -1);
    tfp_put_bytes(&p.put, largest, tfp_span_of("x"));
    tfp_put_end(&p.put, tfp_put_begin(&p.put, largest));
    wire_int(&expected, largest, -1);
    wire_text(&expected, largest, "x");
    wire_text(&expected, largest, "");
    check_equal(&p, &expected);
    wire_free(&expected);
    end(&p);
}

/* One byte of length, the first with two, the first with three. */
static const size_t sizes[] = { 0, 1, 127, 128, 300, 16383, 16384, 2097152 };

TEST(bytes_are_read_as_they_were_put)
{
    for (size_t i = 0; i < COUNT(sizes); i++) {
        putting p;
        wire_bytes expected = { 0 };
        tfp_record record;
        tfp_wire w;
        tfp_field f;
        uint8_t *data = malloc(sizes[i] + 1);
        assert_non_null(data);
        memset(data, (int)(0xa0 + i), sizes[i] + 1);
        begin(&p);
        tfp_put_bytes(&p.put, 6, (tfp_span){ data, sizes[i] });
        tfp_put_bytes(&p.put, 7, (tfp_span){ NULL, 0 });
        wire_field(&expected, 6, data, sizes[i]);
        wire_field(&expected, 7, NULL, 0);
        check_equal(&p, &expected);
        record = (tfp_record){ .bytes = tfp_put_span(&p.put),
                               .max_depth = 100 };
        w = tfp_wire_over(&record);
        assert_true(tfp_wire_next(&w, &f));
        assert_true(tfp_span_equal(f.bytes, (tfp_span){ data, sizes[i] }));
        assert_true(tfp_wire_next(&w, &f) && f.bytes.size == 0);
        assert_false(tfp_wire_next(&w, &f));
        free(data);
        wire_free(&expected);
        end(&p);
    }
}

/* ---- Messages ----------------------------------------------------------- */

/* A message moves up when its length takes more than a byte. */
TEST(messages_of_any_length_nest)
{
    EACH(row, sizes) {
        putting p;
        wire_bytes expected = { 0 };
        size_t outer, inner;
        begin(&p);
        tfp_put_int(&p.put, 1, 7);
        outer = tfp_put_begin(&p.put, 2);
        tfp_put_int(&p.put, 3, 8);
        inner = tfp_put_begin(&p.put, 4);
        for (size_t n = 0; n < *row; n++)
            tfp_put_raw(&p.put, tfp_span_of("y"));
        tfp_put_end(&p.put, inner);
        tfp_put_int(&p.put, 5, 9);
        tfp_put_end(&p.put, outer);
        tfp_put_int(&p.put, 6, 10);

        wire_int(&expected, 1, 7);
        outer = wire_open(&expected, 2);
        wire_int(&expected, 3, 8);
        inner = wire_open(&expected, 4);
        for (size_t n = 0; n < *row; n++)
            wire_byte(&expected, 'y');
        wire_close(&expected, inner);
        wire_int(&expected, 5, 9);
        wire_close(&expected, outer);
        wire_int(&expected, 6, 10);
        check_equal(&p, &expected);
        wire_free(&expected);
        end(&p);
    }
}

TEST(packed_numbers_stand_in_one_field)
{
    putting p;
    wire_bytes expected = { 0 };
    size_t packed;
    begin(&p);
    packed = tfp_put_begin(&p.put, 2);
    EACH(row, numbers)
        tfp_put_varint(&p.put, (uint64_t)*row);
    tfp_put_end(&p.put, packed);
    packed = wire_open(&expected, 2);
    EACH(row, numbers)
        wire_varint(&expected, (uint64_t)*row);
    wire_close(&expected, packed);
    check_equal(&p, &expected);
    wire_free(&expected);
    end(&p);
}

TEST(an_empty_span_adds_no_bytes)
{
    putting p;
    begin(&p);
    tfp_put_raw(&p.put, (tfp_span){ NULL, 0 });
    assert_int_equal(tfp_put_span(&p.put).size, 0);
    assert_false(p.put.failed);
    end(&p);
}

TEST(a_cleared_put_keeps_its_room)
{
    putting p;
    size_t calls;
    begin(&p);
    tfp_put_bytes(&p.put, 1, tfp_span_of("a text of some length"));
    calls = p.counts.calls;
    for (int i = 0; i < 100; i++) {
        tfp_put_clear(&p.put);
        assert_int_equal(tfp_put_span(&p.put).size, 0);
        tfp_put_bytes(&p.put, 1, tfp_span_of("a text of some length"));
    }
    assert_int_equal(p.counts.calls, calls);
    end(&p);
}

/* ---- Memory ------------------------------------------------------------- */

static void put_something(tfp_put *put)
{
    size_t outer = tfp_put_begin(put, 1), inner;
    for (int i = 0; i < 40; i++) {
        inner = tfp_put_begin(put, 2);
        tfp_put_bytes(put, 3, tfp_span_of("name"));
        tfp_put_int(put, 4, i);
        tfp_put_varint(put, 5);
        tfp_put_raw(put, tfp_span_of("raw"));
        tfp_put_end(put, inner);
    }
    tfp_put_end(put, outer);
}

TEST(ME_01_the_kth_allocation_of_a_put_fails)
{
    size_t most;
    putting p;
    begin(&p);
    put_something(&p.put);
    most = p.counts.calls;
    assert_true(most > 3);
    end(&p);
    for (size_t k = 1; k <= most; k++) {
        begin(&p);
        p.counts.fail_at = k;
        put_something(&p.put); /* memory is there again, but it is too late */
        assert_true(p.put.failed);
        end(&p);
    }
}
