/*
 * slices_test.c - pieces of tensors: their keys, extents and what is wrong
 * with them.
 */
#include "counting.h"
#include "loading.h"
#include "wire_build.h"

#include "input/checkpoint/slices.h"

/* ---- Keys --------------------------------------------------------------- */

static void check_key(const char *name, size_t name_size,
                      const int64_t *extents, size_t rank, const char *hex)
{
    tfp_memory memory;
    tfp_slice_key key = { 0 };
    wire_bytes want = { 0 };
    tfp_memory_init(&memory, NULL, NULL);
    wire_hex(&want, hex);
    assert_true(tfp_slice_key_make(
        &key, &memory, (tfp_span){ (const uint8_t *)name, name_size }, extents,
        rank));
    assert_int_equal(key.count, want.size);
    assert_memory_equal(key.data, want.data, want.size);
    wire_free(&want);
    TFP_VEC_RELEASE(&memory, &key);
    assert_int_equal(memory.held, 0);
}

TEST(keys_are_those_of_the_format)
{
    static const int64_t whole[] = { 0, -1, 0, -1 };
    static const int64_t part[] = { 100, 300, -64, 63 };
    check_key("v", 1, NULL, 0, "00 76 0001 00");
    check_key("a\0b\xff", 4, NULL, 0, "00 61 00ff 62 ff00 0001 00");
    check_key("v", 1, whole, 2, "00 76 0001 0102 80 7f 80 7f");
    check_key("v", 1, part, 2, "00 76 0001 0102 c064 c12c 40 bf");
    check_key("", 0, part, 1, "00 0001 0101 c064 c12c");
}

static void check_number(int64_t number, const char *hex)
{
    char all[80];
    int64_t extents[2] = { number, 0 };
    snprintf(all, sizeof(all), "00 0001 0101 %s 80", hex);
    check_key("", 0, extents, 1, all);
}

TEST(numbers_with_a_sign_tell_their_size_first)
{
    check_number(0, "80");
    check_number(63, "bf");
    check_number(64, "c040");
    check_number(-1, "7f");
    check_number(-64, "40");
    check_number(-65, "3fbf");
    check_number(8191, "dfff");
    check_number(8192, "e02000");
    check_number(-8192, "2000");
    check_number(-8193, "1fdfff");
    check_number(INT32_MAX, "f87fffffff");
    check_number((int64_t)1 << 40, "fd0000000000");
    check_number(INT64_MAX, "ffc07fffffffffffffff");
    check_number(INT64_MIN, "003f8000000000000000");
}

/* ---- Extents ------------------------------------------------------------ */

TEST(CK_15_shapes_are_multiplied_with_care)
{
    static const struct {
        int64_t dims[3];
        size_t rank;
        int64_t elements;
    } cases[] = {
        { { 0 }, 0, 1 },
        { { 7, 3 }, 2, 21 },
        { { 0, 5 }, 2, 0 },
        { { -2 }, 1, -1 },
        { { -1, 0 }, 2, -1 },
        { { (int64_t)1 << 32, (int64_t)1 << 32 }, 2, -1 },
        { { 0, (int64_t)1 << 32, (int64_t)1 << 32 }, 3, 0 },
        { { (int64_t)1 << 32, (int64_t)1 << 32, 0 }, 3, -1 },
        { { INT64_MAX }, 1, INT64_MAX },
        { { INT64_MAX, 2 }, 2, -1 },
        { { INT64_MIN }, 1, -1 },
    };
    EACH(row, cases)
        assert_int_equal(tfp_shape_elements(row->dims, row->rank),
                         row->elements);
}

TEST(CK_16_extents_must_lie_in_the_shape)
{
    static const int64_t dims[2] = { 10, 4 };
    static const struct {
        int64_t extents[4];
        size_t count;
        bool sound;
    } cases[] = {
        { { 0, 10, 0, 4 }, 4, true },
        { { 0, -1, 0, -1 }, 4, true },
        { { 9, 1, 3, 1 }, 4, true },
        { { 10, 0, 0, 4 }, 4, true },
        { { 9, 2, 0, 4 }, 4, false },
        { { 11, 0, 0, 4 }, 4, false },
        { { -1, 2, 0, 4 }, 4, false },
        { { 1, -1, 0, 4 }, 4, false },
        { { 0, -2, 0, 4 }, 4, false },
        { { 0, 10 }, 2, false },
        { { INT64_MAX, INT64_MAX, 0, 4 }, 4, false },
        { { 7954877770267194415, 7954877770267194415, 0, 4 }, 4, false },
        { { INT64_MIN, INT64_MIN, 0, 4 }, 4, false },
    };
    loading l;
    int64_t out[4];
    loading_init(&l);
    EACH(row, cases) {
        tfp_list list = tfp_model_list(&l.model, row->extents, row->count);
        assert_int_equal(tfp_extents_resolve(&l.model, list, dims, 2, out),
                         row->sound);
    }
    assert_true(tfp_extents_resolve(&l.model, 0, dims, 2, out));
    assert_int_equal(out[1], 10);
    assert_int_equal(out[3], 4);
    loading_release(&l);
}
