/*
 * crc32c_test.c - the checksum, with and without the processor's help.
 */
#include "counting.h"

#include "base/crc32c.h"

typedef uint32_t crc_fn(uint32_t crc, const void *data, size_t size);

/* Known answers: RFC 3720, B.4. */
static void check_known(crc_fn *crc)
{
    uint8_t bytes[32];
    memset(bytes, 0, sizeof(bytes));
    assert_int_equal(crc(0, bytes, sizeof(bytes)), 0x8a9136aa);
    memset(bytes, 0xff, sizeof(bytes));
    assert_int_equal(crc(0, bytes, sizeof(bytes)), 0x62a8ab43);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)i;
    assert_int_equal(crc(0, bytes, sizeof(bytes)), 0x46dd794e);
    for (int i = 0; i < 32; i++)
        bytes[i] = (uint8_t)(31 - i);
    assert_int_equal(crc(0, bytes, sizeof(bytes)), 0x113fdb5c);
    assert_int_equal(crc(0, "123456789", 9), 0xe3069283);
    assert_int_equal(crc(0, "", 0), 0);
}

TEST(checksums_match_known_answers)
{
    check_known(tfp_crc32c);
    check_known(tfp_crc32c_portable);
}

/* A bit at a time, by the definition. */
static uint32_t slowly(uint32_t crc, const uint8_t *data, size_t size)
{
    crc = ~crc;
    while (size-- > 0) {
        crc ^= *data++;
        for (int bit = 0; bit < 8; bit++)
            crc = crc >> 1 ^ (crc & 1 ? 0x82f63b78 : 0);
    }
    return ~crc;
}

TEST(every_way_gives_the_same_for_any_size_and_place)
{
    uint8_t bytes[300];
    uint64_t random = 7;
    for (size_t i = 0; i < sizeof(bytes); i++)
        bytes[i] = (uint8_t)(counting_random(&random) >> 40);
    for (size_t at = 0; at < 9; at++) {
        for (size_t size = 0; at + size <= sizeof(bytes);
             size += 1 + size / 9) {
            uint32_t start = (uint32_t)counting_random(&random);
            uint32_t want = slowly(start, bytes + at, size);
            assert_int_equal(tfp_crc32c(start, bytes + at, size), want);
            assert_int_equal(tfp_crc32c_portable(start, bytes + at, size),
                             want);
        }
    }
}

TEST(pieces_make_the_whole)
{
    static const char text[] = "the quick brown fox jumps over the lazy dog";
    size_t size = sizeof(text) - 1;
    uint32_t whole = tfp_crc32c(0, text, size);
    for (size_t cut = 0; cut <= size; cut++)
        assert_int_equal(
            tfp_crc32c(tfp_crc32c(0, text, cut), text + cut, size - cut),
            whole);
}

TEST(a_checksum_is_stored_masked)
{
    assert_int_equal(tfp_crc32c_mask(0), 0xa282ead8);
    assert_int_equal(tfp_crc32c_mask(0x8000), 0xa282ead9);
    assert_int_equal(tfp_crc32c_mask(1), 0xa284ead8);
}
