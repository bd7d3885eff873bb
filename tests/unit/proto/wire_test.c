/*
 * wire_test.c - damage on the wire is refused wherever it stands.
 *
 * Each table of bad bytes goes through every message that is known: as the
 * message itself, after a sound field, and inside every field that holds a
 * message; and through the public functions, after and inside each kind of
 * file. Cases named as in protobuf's conformance tests are taken from there.
 */
#include "samples.h"
#include "walking.h"

/* NoneValue has no fields, and there upb lets even the number 0 pass. */
static bool is_message(const tfp_field_spec *field)
{
    return field->type == TFP_TYPE_MESSAGE && field->message->count > 0;
}

/* Refused, and blamed at a place inside the bad bytes, which are the last. */
static void refuse(const tfp_message *root, const wire_bytes *b,
                   const wire_bytes *bad)
{
    walking w = walking_of(root, wire_span(b), 100);
    int64_t first = (int64_t)(b->size - bad->size);
    if (w.status != TFPROF_ERR_MALFORMED || w.err.offset < first ||
        w.err.offset > (int64_t)b->size)
        fail_msg("%s of %zu bytes: status %d, offset %lld, not %lld: %s",
                 root->name, b->size, w.status, (long long)w.err.offset,
                 (long long)first, w.err.message);
}

static void refuse_in_every_message(const wire_bytes *bad)
{
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        wire_bytes b = { 0 };
        refuse(m, bad, bad);
        wire_int(&b, 1000, 1);
        wire_raw(&b, bad->data, bad->size);
        refuse(m, &b, bad);
        for (size_t f = 0; f < m->count; f++) {
            if (!is_message(&m->fields[f]))
                continue;
            b.size = 0;
            wire_field(&b, m->fields[f].number, bad->data, bad->size);
            refuse(m, &b, bad);
        }
        wire_free(&b);
    }
}

/* ---- Through the public functions --------------------------------------- */

static int drop(void *context, const void *data, size_t size)
{
    (void)context;
    (void)data;
    (void)size;
    return 0;
}

static void refuse_as_input(const sample *s, const wire_bytes *b,
                            const wire_bytes *bad)
{
    counting counts = { 0 };
    tfprof_profile *p = tfprof_profile_new_with(counting_resize, &counts);
    tfprof_error err = { 0 };
    int status;
    assert_non_null(p);
    status = tfprof_profile_add_memory(p, s->name, b->data, b->size, s->role,
                                       &err);
    if (status != TFPROF_ERR_MALFORMED ||
        err.offset < (int64_t)(b->size - bad->size) ||
        err.offset > (int64_t)b->size)
        fail_msg("%s: status %d, offset %lld: %s", s->name, status,
                 (long long)err.offset, err.message);
    assert_int_equal(tfprof_profile_input_status(p, 0, NULL, NULL), status);
    /* The profile still takes inputs and tells about them. */
    assert_ok(tfprof_profile_add_memory(p, "again", s->bytes.data,
                                        s->bytes.size, s->role, NULL));
    assert_ok(tfprof_profile_write_info(p, drop, NULL, NULL));
    tfprof_profile_free(p);
    counting_check(&counts);
}

static void refuse_in_every_input(const wire_bytes *bad)
{
    sample all[SAMPLE_MOST];
    size_t count = samples_binary(all);
    for (size_t i = 0; i < count; i++) {
        wire_bytes b = { 0 };
        wire_raw(&b, all[i].bytes.data, all[i].bytes.size);
        wire_raw(&b, bad->data, bad->size);
        refuse_as_input(&all[i], &b, bad);
        for (size_t f = 0; f < all[i].root->count; f++) {
            if (!is_message(&all[i].root->fields[f]))
                continue;
            b.size = all[i].bytes.size;
            wire_field(&b, all[i].root->fields[f].number, bad->data, bad->size);
            refuse_as_input(&all[i], &b, bad);
        }
        wire_free(&b);
    }
    samples_free(all, count);
}

static void refuse_all(const char *const *table, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        wire_bytes bad = { 0 };
        wire_hex(&bad, table[i]);
        refuse_in_every_message(&bad);
        refuse_in_every_input(&bad);
        wire_free(&bad);
    }
}

/* Accepted as any message and inside any field that holds one. */
static void accept_all(const char *const *table, size_t count)
{
    for (size_t t = 0; t < count; t++) {
        wire_bytes good = { 0 }, b = { 0 };
        wire_hex(&good, table[t]);
        for (size_t i = 0; i < tfp_all_message_count; i++) {
            const tfp_message *m = tfp_all_messages[i];
            walking w = walking_of(m, wire_span(&good), 100);
            if (w.status != TFPROF_OK)
                fail_msg("%s, %s: %s", m->name, table[t], w.err.message);
            for (size_t f = 0; f < m->count; f++) {
                if (!is_message(&m->fields[f]))
                    continue;
                b.size = 0;
                wire_field(&b, m->fields[f].number, good.data, good.size);
                w = walking_of(m, wire_span(&b), 100);
                if (w.status != TFPROF_OK)
                    fail_msg("%s.%s, %s: %s", m->name, m->fields[f].name,
                             table[t], w.err.message);
            }
        }
        wire_free(&b);
        wire_free(&good);
    }
}

/* ---- The classes -------------------------------------------------------- */

TEST(PB_01_an_overlong_varint_is_refused)
{
    static const char *const bad[] = {
        "08 80 80 80 80 80 80 80 80 80 80 01",
        "08 ff ff ff ff ff ff ff ff ff ff 01",
        "c0 3e 80 80 80 80 80 80 80 80 80 80 00",
        "08 80", /* and one that is cut */
        "08",
    };
    static const char *const good[] = {
        "c0 3e 80 80 80 80 80 80 80 80 80 01", /* ten bytes */
        "c0 3e ff ff ff ff ff ff ff ff ff 7f", /* bits past the 64th */
        "c0 3e 80 80 80 80 80 80 80 80 80 00",
    };
    refuse_all(bad, COUNT(bad));
    accept_all(good, COUNT(good));
}

TEST(PB_02_field_number_0_is_refused)
{
    static const char *const bad[] = {
        "01 44 45 41 44 42 45 45 46", /* IllegalZeroFieldNum_Case_0 */
        "02 01 01",                   /* _1 */
        "03 04",                      /* _2 */
        "05 44 45 41 44",             /* _3 */
        "00",
        "00 00 00 00 00 00 00 00",
        "82 80 00 00", /* 0 in three bytes */
    };
    refuse_all(bad, COUNT(bad));
}

TEST(PB_03_a_tag_too_large_or_overlong_is_refused)
{
    static const char *const bad[] = {
        "88 80 80 80 40 D2 09",                   /* SlightlyTooHigh */
        "88 80 80 80 80 80 0F D2 09",             /* TooHigh */
        "88 80 80 80 80 80 80 80 00 D2 09",       /* OverlongVarint */
        "88 80 80 80 80 80 80 80 80 80 80 80 00", /* MoreThanTenBytes */
        "f8 ff ff ff 1f 01",                      /* number 2^30 - 1 */
    };
    static const char *const good[] = {
        "f8 ff ff ff 0f 01", /* number 2^29 - 1, the largest */
        "c0 be 80 80 00 01", /* 1000 in five bytes */
    };
    refuse_all(bad, COUNT(bad));
    accept_all(good, COUNT(good));
}

TEST(PB_04_a_length_that_wraps_32_bits_is_refused)
{
    static const char *const bad[] = {
        "0A 80 80 80 80 10", /* 2^32 */
        "0A 81 80 80 80 10", /* 2^32 + 1, with the byte that would do */
        "0A 81 80 80 80 10 00", "0A ff ff ff ff 0f", /* 2^32 - 1 */
        "0A ff ff ff ff 7f", /* the longest that can be written */
        "c2 3e 80 80 80 80 10", "0A 80 80 80 80 08", /* 2^31 */
    };
    refuse_all(bad, COUNT(bad));
}

TEST(PB_05_a_length_that_wraps_64_bits_is_refused)
{
    static const char *const bad[] = {
        "0A FF FF FF FF FF FF FF FF 7F",    /* 2^63 - 1 */
        "0A FF FF FF FF FF FF FF FF FF 01", /* 2^64 - 1 */
        "0A F4 FF FF FF FF FF FF FF FF 01", /* minus where it stands */
        "0A FE FF FF FF FF FF FF FF FF 01 00 00",
        "c2 3e FF FF FF FF FF FF FF FF FF 01",
        "0A 80 80 80 80 80 00", /* 0, but in six bytes */
        "cb 0c 0A FF FF FF FF FF FF FF FF FF 01 00 cc 0c",
    };
    refuse_all(bad, COUNT(bad));
}

TEST(PB_07_wire_types_6_and_7_are_refused)
{
    static const char *const bad[] = { "0E",    "0F",      "0E 00", "0F 01",
                                       "16 02", "17 03",   "1e 00", "1f 00",
                                       "c6 3e", "c7 3e 05" };
    refuse_all(bad, COUNT(bad));
}

TEST(PB_08_groups_that_do_not_match_are_refused)
{
    static const char *const bad[] = {
        "cc 0c",                      /* UnmatchedEndGroup */
        "94 4d",                      /* UnmatchedEndGroupUnknown */
        "0c",                         /* UnmatchedEndGroupWrongType */
        "0a 02 94 4d 94 4d",          /* after a field that may hold one */
        "cb 0c d4 0c cc 0c",          /* UnmatchedEndGroupNested */
        "0c 12 05 68 65 6c 6c 6f",    /* UnmatchedEndGroupWithData */
        "cb 0c",                      /* UnmatchedStartGroup */
        "93 4d",                      /* UnmatchedStartGroupUnknown */
        "0b",                         /* UnmatchedStartGroupWrongType */
        "cb 0c 0a 02 93 4d",          /* in a group, a field of bytes */
        "cb 0c d3 0c cc 0c",          /* UnmatchedStartGroupNested */
        "0b 12 05 68 65 6c 6c 6f",    /* UnmatchedStartGroupWithData */
        "cb 0c 12 01 68 d4 0c",       /* MismatchedGroupTags */
        "cb 0c d3 0c dc 0c cc 0c",    /* MismatchedNestedGroupTags */
        "cb 0c 08 80 cc 0c",          /* a number that hides the end */
        "cb 0c 12 05 cc 0c",          /* bytes that hide the end */
        "cb 0c 09 01 02 03 cc 0c",    /* a number of 8 bytes that does */
        "cb 0c 0e cc 0c",             /* a wire type that is none */
        "cb 0c 88 80 80 80 40 cc 0c", /* a tag that is too large */
    };
    static const char *const good[] = {
        "cb 0c cc 0c",
        "cb 0c d3 0c d4 0c d3 0c db 0c dc 0c d4 0c cc 0c",
        "cb 0c 08 01 09 0102030405060708 0a 01 61 0d 01020304 cc 0c",
        "0b 0c", /* field 1, which no message has as a group */
        "93 4d 94 4d 93 4d 94 4d",
    };
    refuse_all(bad, COUNT(bad));
    accept_all(good, COUNT(good));
}

/* UnmatchedEndGroupNestedLen: a group does not end outside its message. */
TEST(PB_08_a_group_does_not_reach_over_the_end_of_a_message)
{
    static const char *const bad[] = { "cb 0c", "cb 0c d3 0c d4 0c",
                                       "cb 0c 08" };
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        for (size_t f = 0; f < m->count * COUNT(bad); f++) {
            const tfp_field_spec *field = &m->fields[f / COUNT(bad)];
            wire_bytes b = { 0 };
            size_t inner;
            if (!is_message(field))
                continue;
            inner = wire_open(&b, field->number);
            wire_hex(&b, bad[f % COUNT(bad)]);
            wire_close(&b, inner);
            wire_hex(&b, "cc 0c"); /* would close it, if it could */
            assert_int_equal(walking_of(m, wire_span(&b), 100).status,
                             TFPROF_ERR_MALFORMED);
            wire_free(&b);
        }
    }
}

TEST(bytes_and_unknown_fields_are_not_looked_into)
{
    size_t strings = 0;
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        wire_bytes b = { 0 };
        wire_field(&b, 1000, "\x00\xff\x0b", 3);
        for (size_t f = 0; f < m->count; f++) {
            tfp_type type = m->fields[f].type;
            if (type == TFP_TYPE_STRING || type == TFP_TYPE_BYTES) {
                wire_field(&b, m->fields[f].number, "\x00\xff\x0b", 3);
                strings++;
            }
        }
        assert_ok(walking_of(m, wire_span(&b), 100).status);
        wire_free(&b);
    }
    assert_true(strings > 100);
}

/* A field of 18 bytes that nobody knows the inside of, or its damaged twin. */
static void put_filled(wire_bytes *b, uint32_t number, bool damaged)
{
    size_t inner = wire_open(b, number);
    for (int i = 0; i < 6; i++)
        wire_hex(b, damaged && i == 5 ? "00 00 00" : "c0 3e 01");
    wire_close(b, inner);
}

/* The walker remembers what came last; that must not stick. */
TEST(fields_in_any_order_are_each_taken_for_what_they_are)
{
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        for (size_t k = 0; k < m->count * (m->count + 1); k++) {
            const tfp_field_spec *f = &m->fields[k % m->count];
            size_t other = k / m->count; /* one more is a field unknown */
            uint32_t between = other < m->count ? m->fields[other].number
                                                : 1000;
            wire_bytes b = { 0 };
            walking w;
            if (!is_message(f) ||
                (other < m->count && !is_message(&m->fields[other])))
                continue;
            put_filled(&b, f->number, false);
            put_filled(&b, f->number, false);
            put_filled(&b, between, false);
            put_filled(&b, f->number, false);
            put_filled(&b, between, false);
            w = walking_of(m, wire_span(&b), 100);
            assert_ok(w.status);
            assert_int_equal(w.enters + w.leaf_count, between == 1000 ? 3 : 5);
            put_filled(&b, f->number, true);
            w = walking_of(m, wire_span(&b), 100);
            assert_int_equal(w.status, TFPROF_ERR_MALFORMED);
            assert_int_equal(w.err.offset, b.size - 3);
            assert_non_null(
                strstr(w.err.message, tfp_message_short_name(f->message)));
            wire_free(&b);
        }
    }
}
