/*
 * constants_test.c - TensorProto: small constants keep their values.
 */
#include "loading.h"
#include "samples.h"

#include <math.h>

#include "proto/dtype.h"

/* A graph with one node "c", its constant left open in attribute "value". */
typedef struct constant {
    wire_bytes b;
    size_t node, entry[2], tensor;
} constant;

static constant begin(int64_t dtype)
{
    constant c = { .b = { 0 } };
    c.node = wire_open(&c.b, 1);
    wire_text(&c.b, 1, "c");
    wire_text(&c.b, 2, "Const");
    sample_entry(&c.b, 5, "value", c.entry);
    c.tensor = wire_open(&c.b, 8);
    wire_int(&c.b, 1, dtype);
    return c;
}

static void put_shape(constant *c, const int64_t *dims, size_t rank)
{
    size_t shape = wire_open(&c->b, 2);
    for (size_t i = 0; i < rank; i++) {
        size_t dim = wire_open(&c->b, 2);
        wire_int(&c->b, 1, dims[i]);
        wire_close(&c->b, dim);
    }
    wire_close(&c->b, shape);
}

FIXTURE(loading, l);

static const tfp_tensor *end(constant *c)
{
    const tfp_attr *attr;
    wire_close(&c->b, c->tensor);
    sample_entry_end(&c->b, c->entry);
    wire_close(&c->b, c->node);
    restart();
    if (loading_add(&l, "graph_path", wire_span(&c->b)) != TFPROF_OK)
        fail_msg("%s", l.err.message);
    wire_free(&c->b);
    attr = tfp_attrs_find(&l.model, l.model.nodes.attrs[0],
                          loading_name(&l, "value"));
    assert_non_null(attr);
    assert_int_equal(attr->kind, TFP_ATTR_TENSOR);
    return tfp_tensor_of(&l.model, attr);
}

static void check_values(const tfp_tensor *t, const int64_t *expected,
                         size_t count)
{
    size_t got;
    const int64_t *values = tfp_list_items(&l.model, t->values, &got);
    assert_true(t->has_values);
    assert_int_equal(got, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(values[i], expected[i]);
}

/* ---- Numbers ------------------------------------------------------------ */

typedef struct raw_case {
    int64_t dtype;
    const char *content; /* hex */
    int64_t expected[2];
} raw_case;

TEST(integers_of_raw_bytes)
{
    static const raw_case table[] = {
        { TFP_DT_INT8, "80 7f", { -128, 127 } },
        { TFP_DT_UINT8, "80 ff", { 128, 255 } },
        { TFP_DT_INT16, "0080 ff7f", { -32768, 32767 } },
        { TFP_DT_UINT16, "0080 ffff", { 32768, 65535 } },
        { TFP_DT_INT32, "00000080 ffffff7f", { INT32_MIN, INT32_MAX } },
        { TFP_DT_UINT32, "00000080 ffffffff", { 2147483648, UINT32_MAX } },
        { TFP_DT_INT64,
          "0000000000000080 ffffffffffffff7f",
          { INT64_MIN, INT64_MAX } },
        { TFP_DT_UINT64,
          "0000000000000080 ffffffffffffffff",
          { INT64_MIN, -1 } }, /* the bits */
        { TFP_DT_BOOL, "00 02", { 0, 1 } },
    };
    static const int64_t two = 2;
    EACH(row, table) {
        constant c = begin(row->dtype);
        wire_bytes raw = { 0 };
        put_shape(&c, &two, 1);
        wire_hex(&raw, row->content);
        wire_field(&c.b, 4, raw.data, raw.size);
        wire_free(&raw);
        check_values(end(&c), row->expected, 2);
    }
}

typedef struct float_case {
    int64_t dtype;
    const char *content; /* hex */
    double expected;
} float_case;

TEST(floats_of_raw_bytes)
{
    static const float_case table[] = {
        { TFP_DT_FLOAT, "0000c03f", 1.5 },
        { TFP_DT_FLOAT, "000080ff", -INFINITY },
        { TFP_DT_FLOAT, "01000000", 0x1p-149 },
        { TFP_DT_FLOAT, "00000080", -0.0 },
        { TFP_DT_DOUBLE, "000000000000f83f", 1.5 },
        { TFP_DT_DOUBLE, "0100000000000000", 0x1p-1074 },
        { TFP_DT_HALF, "003e", 1.5 },
        { TFP_DT_HALF, "ff7b", 65504 },
        { TFP_DT_HALF, "0100", 0x1p-24 },
        { TFP_DT_HALF, "007c", INFINITY },
        { TFP_DT_HALF, "00fc", -INFINITY },
        { TFP_DT_HALF, "0080", -0.0 },
        { TFP_DT_BFLOAT16, "c03f", 1.5 },
        { TFP_DT_BFLOAT16, "80ff", -INFINITY },
    };
    EACH(row, table) {
        constant c = begin(row->dtype);
        wire_bytes raw = { 0 };
        int64_t bits = tfp_double_bits(row->expected);
        wire_hex(&raw, row->content);
        wire_field(&c.b, 4, raw.data, raw.size);
        wire_free(&raw);
        check_values(end(&c), &bits, 1); /* no shape: a scalar */
    }
}

TEST(nan_stays_nan)
{
    constant c = begin(TFP_DT_HALF);
    const tfp_tensor *t;
    size_t count;
    wire_field(&c.b, 4, "\x01\x7e", 2);
    t = end(&c);
    assert_true(isnan(
        tfp_double_of_bits(tfp_list_items(&l.model, t->values, &count)[0])));
}

TEST(a_last_value_stands_for_the_rest)
{
    static const int64_t dims[] = { 2, 3 },
                         expected[] = { 7, -8, -8, -8, -8, -8 };
    constant c = begin(TFP_DT_INT32);
    int rank;
    const tfp_tensor *t;
    put_shape(&c, dims, 2);
    wire_int(&c.b, 7, 7);
    wire_int(&c.b, 7, -8);
    t = end(&c);
    check_values(t, expected, 6);
    assert_memory_equal(tfp_shape_dims(&l.model, t->shape, &rank), dims,
                        sizeof(dims));
    assert_int_equal(rank, 2);
}

TEST(no_value_at_all_is_zero)
{
    static const int64_t dims[] = { 3 }, zeros[] = { 0, 0, 0 };
    constant c = begin(TFP_DT_FLOAT);
    put_shape(&c, dims, 1);
    check_values(end(&c), zeros, 3);
}

TEST(more_values_than_the_shape_asks_for_are_left)
{
    static const int64_t dims[] = { 2 }, expected[] = { 1, 2 };
    constant c = begin(TFP_DT_INT64);
    put_shape(&c, dims, 1);
    wire_field(&c.b, 10, "\x01\x02\x03\x04", 4);
    wire_int(&c.b, 10, 5);
    check_values(end(&c), expected, 2);
}

TEST(raw_bytes_that_are_too_few_are_filled_up)
{
    static const int64_t dims[] = { 3 }, expected[] = { 1, 1, 1 };
    constant c = begin(TFP_DT_INT32);
    put_shape(&c, dims, 1);
    wire_field(&c.b, 4, "\x01\0\0\0\x02\0\0", 7); /* one, and most of another */
    check_values(end(&c), expected, 3);
}

TEST(strings_are_kept_by_their_ids)
{
    static const int64_t dims[] = { 3 };
    constant c = begin(TFP_DT_STRING);
    const tfp_tensor *t;
    const int64_t *values;
    size_t count;
    put_shape(&c, dims, 1);
    wire_text(&c.b, 8, "one");
    wire_field(&c.b, 8, "a\0b", 3);
    t = end(&c);
    values = tfp_list_items(&l.model, t->values, &count);
    assert_int_equal(count, 3);
    assert_int_equal(values[0], loading_name(&l, "one"));
    assert_int_equal(tfp_model_text(&l.model, (tfp_string)values[1]).size, 3);
    assert_int_equal(values[2], values[1]);
}

/* ---- How many ----------------------------------------------------------- */

TEST(sixty_four_values_are_kept_and_sixty_five_are_not)
{
    for (int64_t size = 63; size <= 65; size++) {
        constant c = begin(TFP_DT_INT32);
        const tfp_tensor *t;
        size_t count;
        put_shape(&c, &size, 1);
        wire_int(&c.b, 7, 9);
        t = end(&c);
        assert_int_equal(t->has_values, size <= TFP_TENSOR_MOST_VALUES);
        (void)tfp_list_items(&l.model, t->values, &count);
        assert_int_equal(count, t->has_values ? size : 0);
    }
}

TEST(shapes_nobody_could_fill_keep_no_values)
{
    static const int64_t table[][3] = {
        { (int64_t)1 << 32, (int64_t)1 << 32, (int64_t)1 << 32 },
        { INT64_MAX, INT64_MAX, 2 },
        { -1, 2, 3 },
        { -5, -5, 1 },
    };
    static const int64_t none[3] = { 0, (int64_t)1 << 40, (int64_t)1 << 40 };
    constant c;
    const tfp_tensor *t;
    size_t count;
    EACH(row, table) {
        c = begin(TFP_DT_FLOAT);
        put_shape(&c, *row, 3);
        assert_false(end(&c)->has_values);
    }
    c = begin(TFP_DT_FLOAT); /* but a dim of 0 leaves nothing to keep */
    put_shape(&c, none, 3);
    t = end(&c);
    assert_true(t->has_values);
    (void)tfp_list_items(&l.model, t->values, &count);
    assert_int_equal(count, 0);
}
