/*
 * table_test.c - sorted tables: sound ones, and each way to spoil one while its
 * checksums stay right.
 */
#include "counting.h"
#include "slow_snappy.h"
#include "table_build.h"

#include "base/snappy.h"
#include "input/table/table.h"

enum { MOST_BLOCK = 64 << 20 };

/* A table over bytes, opened and gone over, or asked for a key. */
typedef struct reading {
    counting counts;
    tfp_memory memory;
    int status;
    tfprof_error err;
    size_t entries;
    wire_bytes seen; /* "key=value;" for each */
} reading;

static reading read_table(tfp_span bytes, uint64_t max_block)
{
    reading r = { .err = { .offset = -2 } };
    tfp_table_settings settings = { .max_block = max_block };
    tfp_table table;
    tfp_span key, value, copy = { 0 };
    uint8_t *own = malloc(bytes.size ? bytes.size : 1);
    bool more = true;
    assert_non_null(own);
    if (bytes.size > 0)
        memcpy(own, bytes.data, bytes.size);
    copy = (tfp_span){ own, bytes.size };
    tfp_memory_init(&r.memory, counting_resize, &r.counts);
    r.status = tfp_table_open(&table, &r.memory, tfp_store_span(&copy),
                              &settings, &r.err);
    while (r.status == TFPROF_OK && more) {
        r.status = tfp_table_next(&table, &key, &value, &more, &r.err);
        if (r.status != TFPROF_OK || !more)
            break;
        r.entries++;
        assert_true(r.entries <= bytes.size);
        wire_raw(&r.seen, key.data, key.size);
        wire_byte(&r.seen, '=');
        wire_raw(&r.seen, value.data, value.size);
        wire_byte(&r.seen, ';');
    }
    tfp_table_close(&table);
    assert_int_equal(r.memory.held, 0);
    counting_check(&r.counts);
    free(own);
    return r;
}

static void check_seen(wire_bytes *table, const char *seen)
{
    reading r = read_table(wire_span(table), MOST_BLOCK);
    if (r.status != TFPROF_OK)
        fail_msg("%s", r.err.message);
    assert_int_equal(r.seen.size, strlen(seen));
    assert_memory_equal(r.seen.data, seen, r.seen.size);
    wire_free(&r.seen);
    wire_free(table);
}

/* Refused with these words, and without memory for what is not there. */
static void check_refused(wire_bytes *table, const char *words)
{
    reading r = read_table(wire_span(table), MOST_BLOCK);
    assert_int_equal(r.status, TFPROF_ERR_MALFORMED);
    assert_int_equal(r.err.code, r.status);
    if (!strstr(r.err.message, words))
        fail_msg("\"%s\" has no \"%s\"", r.err.message, words);
    assert_true(r.memory.peak < 4096 + 4 * table->size);
    wire_free(&r.seen);
    wire_free(table);
}

/* ---- Sound tables ------------------------------------------------------- */

static wire_bytes small_block(void)
{
    wire_bytes block = { 0 };
    uint32_t restarts[2] = { 0 };
    block_text(&block, 0, "apple", "1");
    block_text(&block, 3, "ly", "2");
    block_text(&block, 0, "bird", "");
    restarts[1] = (uint32_t)block.size;
    block_text(&block, 0, "cat", "4");
    block_restarts(&block, restarts, 2);
    return block;
}

TEST(entries_come_in_order)
{
    wire_bytes block = small_block();
    wire_bytes table = table_of(&block, 0);
    check_seen(&table, "apple=1;apply=2;bird=;cat=4;");
}

static wire_bytes three_blocks_and(table_place *unread)
{
    wire_bytes table = { 0 }, index = { 0 };
    static const char *const keys[3][2] = { { "", "b" },
                                            { "c", "d" },
                                            { "e", "f" } };
    static const char *const after[3] = { "b", "dd", "g" };
    for (int i = 0; i < 3; i++) {
        wire_bytes block = { 0 };
        block_text(&block, 0, keys[i][0], "x");
        block_text(&block, 0, keys[i][1], "y");
        block_end(&block);
        index_entry(&index, after[i], table_add(&table, &block, 0));
        wire_free(&block);
    }
    *unread = table_finish(&table, &index);
    return table;
}

static wire_bytes three_blocks(void)
{
    return three_blocks_and(&(table_place){ 0 });
}

TEST(blocks_follow_one_another)
{
    wire_bytes table = three_blocks();
    check_seen(&table, "=x;b=y;c=x;d=y;e=x;f=y;");
}

TEST(no_entries_at_all_is_a_table_too)
{
    wire_bytes table = { 0 }, index = { 0 }, block = { 0 };
    block_end(&block);
    index_entry(&index, "x", table_add(&table, &block, 0));
    table_finish(&table, &index);
    wire_free(&block);
    check_seen(&table, "");
    table_finish(&table, &index);
    check_seen(&table, "");
}

static bool find(tfp_span bytes, const char *key, const char *want)
{
    counting counts = { 0 };
    tfp_memory memory;
    tfp_table table;
    tfp_table_settings settings = { .max_block = MOST_BLOCK };
    tfp_span value;
    bool found = false, right;
    tfp_memory_init(&memory, counting_resize, &counts);
    assert_ok(tfp_table_open(&table, &memory, tfp_store_span(&bytes), &settings,
                             NULL));
    /* Twice: the second time the block is at hand. */
    for (int i = 0; i < 2; i++)
        assert_ok(
            tfp_table_find(&table, tfp_span_of(key), &value, &found, NULL));
    right = found && tfp_span_is(value, want);
    assert_true(right || !found);
    tfp_table_close(&table);
    assert_int_equal(memory.held, 0);
    return found;
}

TEST(a_key_is_found_in_its_block)
{
    wire_bytes table = three_blocks();
    tfp_span bytes = wire_span(&table);
    assert_true(find(bytes, "", "x"));
    assert_true(find(bytes, "b", "y"));
    assert_true(find(bytes, "c", "x"));
    assert_true(find(bytes, "f", "y"));
    assert_false(find(bytes, "a", ""));
    assert_false(find(bytes, "bb", ""));
    assert_false(find(bytes, "fa", ""));
    assert_false(find(bytes, "zz", ""));
    wire_free(&table);
}

/* ---- Footer and places -------------------------------------------------- */

TEST(CK_01_too_few_bytes_are_no_table)
{
    for (size_t size = 0; size <= 47; size++) {
        wire_bytes table = { 0 };
        while (table.size < size)
            wire_byte(&table, 0xdb);
        check_refused(&table, "too short for a checkpoint");
    }
}

TEST(CK_01_other_ends_are_told)
{
    wire_bytes table = three_blocks();
    table.data[table.size - 1] ^= 1;
    check_refused(&table, "the table footer is missing");
}

TEST(CK_02_a_place_that_wraps_is_refused)
{
    static const table_place places[] = {
        { 0, UINT64_MAX - 4 },      { 0, UINT64_MAX },
        { UINT64_MAX, 1 },          { UINT64_MAX - 4, 5 },
        { UINT64_MAX, UINT64_MAX }, { 5, UINT64_MAX - 9 },
    };
    EACH(row, places) {
        wire_bytes table = { 0 }, index = { 0 };
        table_footer(&table, (table_place){ 0, 0 }, *row);
        check_refused(&table, "extends past the end of the table");
        index_entry(&index, "a", *row);
        table_finish(&table, &index);
        check_refused(&table, "extends past the end of the table");
    }
}

TEST(CK_03_a_place_past_the_file_takes_no_memory)
{
    wire_bytes table = { 0 };
    while (table.size < 111 - 48)
        wire_byte(&table, 0);
    table_footer(&table, (table_place){ 0, 0 },
                 (table_place){ 0, 0xfefbdfff5fffc5u });
    assert_int_equal(table.size, 111);
    check_refused(&table, "extends past the end of the table");
}

TEST(CK_03_a_trailer_must_be_there_as_well)
{
    for (uint64_t short_of = 0; short_of < 5; short_of++) {
        wire_bytes table = { 0 };
        table_footer(&table, (table_place){ 0, 0 },
                     (table_place){ 8, 40 - short_of });
        check_refused(&table, "extends past the end of the table");
    }
}

TEST(the_limit_of_a_block_holds)
{
    for (int more = -1; more <= 1; more++) {
        wire_bytes block = small_block();
        uint64_t size = block.size;
        wire_bytes table = table_of(&block, 0);
        reading r = read_table(wire_span(&table), size - (uint64_t)more);
        if (more <= 0)
            assert_ok(r.status);
        else
            assert_int_equal(r.status, TFPROF_ERR_LIMIT);
        if (more > 0)
            assert_non_null(strstr(r.err.message, "--max_block"));
        wire_free(&r.seen);
        wire_free(&table);
    }
}

/* ---- Entries ------------------------------------------------------------ */

TEST(CK_04_lengths_that_wrap_are_refused)
{
    static const uint64_t lengths[][2] = {
        { 0x80000000u, 0x80000001u },
        { 0xffffffffu, 2 },
        { 1, 0xffffffffu },
        { 0x7fffffff, 0x7fffffff },
        { 6, 1 },
        { 0, 7 },
        { (uint64_t)1 << 32, 0 },
        { 0, ((uint64_t)1 << 35) - 1 },
    };
    EACH(row, lengths) {
        wire_bytes block = { 0 }, table;
        wire_varint(&block, 0);
        wire_varint(&block, (*row)[0]);
        wire_varint(&block, (*row)[1]);
        wire_raw(&block, "abcdef", 6);
        block_end(&block);
        table = table_of(&block, 0);
        check_refused(&table, "entry extends past the end of its block");
    }
}

TEST(CK_04_an_entry_cut_anywhere_is_refused)
{
    wire_bytes whole = { 0 };
    size_t size;
    block_text(&whole, 0, "key", "value");
    size = whole.size;
    for (size_t cut = 1; cut < size; cut++) {
        wire_bytes block = { 0 }, table;
        wire_raw(&block, whole.data, cut);
        block_end(&block);
        table = table_of(&block, 0);
        check_refused(&table, "entry extends past the end of its block");
    }
    wire_free(&whole);
}

TEST(CK_05_more_is_shared_than_there_is)
{
    wire_bytes block = { 0 }, table;
    uint32_t restarts[2] = { 0 };
    block_text(&block, 5, "abc", ""); /* the first key */
    block_end(&block);
    table = table_of(&block, 0);
    check_refused(&table, "longer than the previous key");
    block_text(&block, 0, "abc", "");
    block_text(&block, 4, "d", "");
    block_end(&block);
    table = table_of(&block, 0);
    check_refused(&table, "longer than the previous key");
    block_text(&block, 0, "abc", ""); /* a restart shares nothing */
    restarts[1] = (uint32_t)block.size;
    block_text(&block, 3, "d", "");
    block_restarts(&block, restarts, 2);
    table = table_of(&block, 0);
    check_refused(&table, "longer than the previous key");
}

TEST(CK_06_restarts_are_looked_at)
{
    static const struct {
        uint32_t offsets[3];
        uint32_t count, claimed;
        const char *words;
    } cases[] = {
        { { 0 }, 0, 0, "no restart array" },
        { { 0 }, 1, UINT32_MAX, "no restart array" },
        { { 0 }, 1, 0x3fffffff, "no restart array" },
        { { 0 }, 1, 8, "no restart array" },
        { { 1 }, 1, 1, "restart points of a block are not" },
        { { 0, 0 }, 2, 2, "restart points of a block are not" },
        { { 0, 10, 5 }, 3, 3, "restart points of a block are not" },
        { { 0, 1000 }, 2, 2, "restart points of a block are not" },
        { { 0, 0xfffffff0 }, 2, 2, "restart points of a block are not" },
        { { 0, 18 },
          2,
          2,
          "restart points of a block are not" }, /* behind the last entry */
        { { 0, 3 }, 2, 2, "restart point is not at an entry" },
        { { 0, 17 }, 2, 2, "restart point is not at an entry" },
    };
    EACH(row, cases) {
        wire_bytes block = { 0 }, table;
        block_text(&block, 0, "key", "val"); /* 9 bytes each */
        block_text(&block, 0, "kez", "val");
        for (uint32_t k = 0; k < row->count; k++)
            wire_fixed(&block, row->offsets[k], 4);
        wire_fixed(&block, row->claimed, 4);
        table = table_of(&block, 0);
        check_refused(&table, row->words);
    }
}

TEST(CK_06_a_block_of_less_than_a_number_is_refused)
{
    for (int size = 0; size < 4; size++) {
        wire_bytes block = { 0 }, table;
        for (int i = 0; i < size; i++)
            wire_byte(&block, 1);
        table = table_of(&block, 0);
        check_refused(&table, "no restart array");
    }
}

/* ---- Compression and checksums ------------------------------------------ */

TEST(CK_07_an_unknown_compression_is_named)
{
    static const int kinds[] = { 2, 7, 255 };
    for (size_t i = 0; i < 3; i++) {
        char words[40];
        wire_bytes block = small_block();
        wire_bytes table = table_of(&block, kinds[i]);
        snprintf(words, sizeof(words), "unsupported compression type %d",
                 kinds[i]);
        check_refused(&table, words);
    }
}

TEST(CK_08_each_byte_that_flips_is_noticed)
{
    table_place unread;
    wire_bytes table = three_blocks_and(&unread);
    size_t covered = table.size - 48;
    for (size_t i = 0; i < covered; i++) {
        reading r;
        table.data[i] ^= 0x40;
        r = read_table(wire_span(&table), MOST_BLOCK);
        /* The block between the data and the index is never read. */
        if (r.status == TFPROF_OK)
            assert_true(i - unread.offset < unread.size + 5);
        else
            assert_non_null(strstr(r.err.message, "block checksum mismatch"));
        assert_true(r.status == TFPROF_OK || r.err.offset >= 0);
        wire_free(&r.seen);
        table.data[i] ^= 0x40;
    }
    wire_free(&table);
}

TEST(CK_08_checksums_can_be_passed_over)
{
    wire_bytes table = three_blocks();
    tfp_table_settings settings = { .max_block = MOST_BLOCK,
                                    .ignore_checksums = true };
    tfp_span bytes = wire_span(&table);
    tfp_memory memory;
    tfp_table t;
    tfp_memory_init(&memory, NULL, NULL);
    table.data[table.size - 50] ^= 1;
    assert_ok(
        tfp_table_open(&t, &memory, tfp_store_span(&bytes), &settings, NULL));
    tfp_table_close(&t);
    wire_free(&table);
}

/* ---- Order -------------------------------------------------------------- */

TEST(CK_10_a_block_is_gone_to_once)
{
    wire_bytes table = { 0 }, index = { 0 }, block = small_block();
    table_place first = table_add(&table, &block, 0), second;
    second = table_add(&table, &block, 0);
    index_entry(&index, "m", second); /* backwards */
    index_entry(&index, "z", first);
    table_finish(&table, &index);
    check_refused(&table, "are not consecutive");
    first = table_add(&table, &block, 0);
    index_entry(&index, "m", first); /* twice */
    index_entry(&index, "z", first);
    table_finish(&table, &index);
    check_refused(&table, "are not consecutive");
    first = table_add(&table, &block, 0);
    index_entry(&index, "m", first); /* overlapping */
    index_entry(&index, "z", (table_place){ first.offset + 1, 20 });
    table_finish(&table, &index);
    check_refused(&table, "are not consecutive");
    wire_free(&block);
}

TEST(CK_10_the_index_is_no_block_of_data)
{
    wire_bytes table = { 0 }, index = { 0 };
    table_place itself = { 0, 0 };
    /* The place of the index in itself: its size is known beforehand. */
    itself.offset = 13;
    itself.size = 14;
    index_entry(&index, "z", itself);
    table_finish(&table, &index);
    check_refused(&table, "are not consecutive");
}

TEST(CK_10_keys_rise)
{
    static const char *const keys[][2] = {
        { "b", "a" },
        { "a", "a" },
        { "ab", "a" },
        { "", "" },
    };
    EACH(row, keys) {
        wire_bytes block = { 0 }, table, second = { 0 }, index = { 0 };
        block_text(&block, 0, (*row)[0], "");
        block_text(&block, 0, (*row)[1], "");
        block_end(&block);
        table = table_of(&block, 0);
        check_refused(&table, "keys of a table are not in ascending order");
        /* The same from one block to the next. */
        block_text(&block, 0, (*row)[0], "");
        block_end(&block);
        block_text(&second, 0, (*row)[1], "");
        block_end(&second);
        index_entry(&index, "m", table_add(&table, &block, 0));
        index_entry(&index, "n", table_add(&table, &second, 0));
        table_finish(&table, &index);
        check_refused(&table, "keys of a table are not in ascending order");
        wire_free(&block);
        wire_free(&second);
        /* And in the index. */
        block = small_block();
        index_entry(&index, (*row)[0], table_add(&table, &block, 0));
        index_entry(&index, (*row)[1], table_add(&table, &block, 0));
        table_finish(&table, &index);
        check_refused(&table, "keys of a table are not in ascending order");
        wire_free(&block);
    }
}

/* ---- Snappy ------------------------------------------------------------- */

TEST(CK_11_a_claim_that_cannot_be_takes_no_memory)
{
    static const char *const claims[] = { "ffffffff0f00",         "feffffff0f",
                                          "ffffffff0f",           "8080808010",
                                          "ffffffffffffffffff01", "ff" };
    EACH(row, claims) {
        wire_bytes block = { 0 }, table;
        wire_hex(&block, *row);
        table = table_of(&block, 1);
        check_refused(&table, "Snappy data");
    }
}

TEST(CK_11_the_best_ratio_is_allowed)
{
    size_t size;
    tfprof_error err;
    for (unsigned packed = 3; packed < 400; packed += 7) {
        for (int more = -1; more <= 1; more++) {
            wire_bytes b = { 0 };
            unsigned claim = 22 * packed + 64 + (unsigned)more;
            wire_varint(&b, claim);
            while (b.size < packed)
                wire_byte(&b, 0);
            assert_int_equal(tfp_snappy_size(wire_span(&b), SIZE_MAX, &size,
                                             &err) == TFPROF_OK,
                             more <= 0);
            if (more <= 0)
                assert_int_equal(size, claim);
            wire_free(&b);
        }
    }
}

TEST(CK_11_the_limit_of_a_block_holds_unpacked)
{
    wire_bytes b = { 0 };
    size_t size;
    wire_varint(&b, 1000);
    while (b.size < 100)
        wire_byte(&b, 0);
    assert_int_equal(tfp_snappy_size(wire_span(&b), 1001, &size, NULL), 0);
    assert_int_equal(tfp_snappy_size(wire_span(&b), 1000, &size, NULL), 0);
    assert_int_equal(tfp_snappy_size(wire_span(&b), 999, &size, NULL),
                     TFPROF_ERR_LIMIT);
    wire_free(&b);
}

static void check_unpacked(tfp_span packed, size_t size)
{
    uint8_t *slow = malloc(size + 1), *fast = malloc(size ? size : 1);
    ptrdiff_t made;
    tfprof_error err;
    int status;
    assert_true(slow && fast);
    made = slow_snappy_unpack(packed, slow, size);
    status = tfp_snappy_unpack(packed, fast, size, &err);
    assert_int_equal(status == TFPROF_OK, made == (ptrdiff_t)size);
    if (status == TFPROF_OK)
        assert_memory_equal(slow, fast, size);
    else
        assert_int_equal(status, TFPROF_ERR_MALFORMED);
    free(slow);
    free(fast);
}

TEST(CK_12_copies_are_exact_or_refused)
{
    static const struct {
        const char *packed;
        size_t size;
        const char *unpacked; /* NULL: refused */
    } cases[] = {
        { "05 10 6162636465", 5, "abcde" },
        { "0a 04 6162 1d 02", 10, NULL },            /* 2 + 11 is past 10 */
        { "0d 04 6162 1d 02", 13, "ababababababa" }, /* overlapping */
        { "05 00 61 01 01", 5, "aaaaa" },
        { "05 00 61 01 00", 5, NULL },         /* offset 0 */
        { "05 00 61 01 02", 5, NULL },         /* before the beginning */
        { "05 10 61626364", 5, NULL },         /* a literal past the input */
        { "05 10 6162636465 01", 5, NULL },    /* a torn tag */
        { "04 10 6162636465", 4, NULL },       /* a claim too small */
        { "06 10 6162636465", 6, NULL },       /* too large */
        { "05 10 6162636465 00 66", 5, NULL }, /* more bytes */
        { "05 f0", 5, NULL },
        { "05 0e 0100", 5, NULL },
        { "09 10 6162636465 0e 0500", 9, "abcdeabcd" },
        { "09 10 6162636465 0f 05000000", 9, "abcdeabcd" },
        { "00", 0, "" },
    };
    EACH(row, cases) {
        wire_bytes b = { 0 };
        uint8_t out[16];
        int status;
        wire_hex(&b, row->packed);
        status = tfp_snappy_unpack(wire_span(&b), out, row->size, NULL);
        if (row->unpacked) {
            assert_ok(status);
            assert_memory_equal(out, row->unpacked, row->size);
        } else {
            assert_int_equal(status, TFPROF_ERR_MALFORMED);
        }
        check_unpacked(wire_span(&b), row->size);
        wire_free(&b);
    }
}

TEST(CK_12_random_copies_are_as_the_description_says)
{
    uint64_t random = 11;
    for (int round = 0; round < 20000; round++) {
        wire_bytes b = { 0 };
        size_t claim = counting_random(&random) >> 33;
        int pieces = (int)((counting_random(&random) >> 33) % 5);
        claim %= 90;
        wire_varint(&b, claim);
        for (int i = 0; i < pieces; i++) {
            int tag = (int)((counting_random(&random) >> 33) % 64);
            wire_byte(&b, tag);
            for (int k = tag % 8; k > 0; k--)
                wire_byte(&b, (int)((counting_random(&random) >> 33) % 6));
        }
        check_unpacked(wire_span(&b), claim);
        wire_free(&b);
    }
}

TEST(CK_12_a_packed_block_is_read)
{
    wire_bytes plain = small_block(), packed = { 0 }, table;
    wire_varint(&packed, plain.size);
    assert_true(plain.size < 60);
    wire_byte(&packed, (int)(plain.size - 1) * 4);
    wire_raw(&packed, plain.data, plain.size);
    wire_free(&plain);
    table = table_of(&packed, 1);
    check_seen(&table, "apple=1;apply=2;bird=;cat=4;");
}

/* ---- Memory ------------------------------------------------------------- */

TEST(every_allocation_may_fail)
{
    wire_bytes table = three_blocks();
    tfp_span bytes = wire_span(&table);
    for (size_t k = 1;; k++) {
        counting counts = { .fail_at = k };
        tfp_memory memory;
        tfp_table t;
        tfp_table_settings settings = { .max_block = MOST_BLOCK };
        tfp_span key, value;
        bool more = true;
        int status;
        tfp_memory_init(&memory, counting_resize, &counts);
        status = tfp_table_open(&t, &memory, tfp_store_span(&bytes), &settings,
                                NULL);
        while (status == TFPROF_OK && more)
            status = tfp_table_next(&t, &key, &value, &more, NULL);
        tfp_table_close(&t);
        counting_check(&counts);
        assert_int_equal(status, counts.refused ? TFPROF_ERR_NOMEM : TFPROF_OK);
        if (counts.refused == 0)
            break;
    }
    wire_free(&table);
}
