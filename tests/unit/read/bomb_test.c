/*
 * bomb_test.c - packed files as inputs: bombs, layers, and what follows them.
 */
#include "loading.h"
#include "samples.h"

TEST(GZ_03_trailing_bytes_are_warned_of)
{
    wire_bytes graph = { 0 }, packed = { 0 };
    loading l;
    sample_graph(&graph);
    sample_gzip(&packed, wire_span(&graph));
    for (int junk = 0; junk < 2; junk++) {
        loading_init(&l);
        assert_ok(loading_add(&l, NULL, wire_span(&packed)));
        assert_int_equal(loading_counts(&l)->nodes, 4);
        assert_true(l.model.inputs.data[0].is_gzip);
        assert_int_equal(l.model.inputs.data[0].has_trailing_bytes, junk);
        loading_release(&l);
        wire_text(&packed, 1, "more");
    }
    wire_free(&graph);
    wire_free(&packed);
}

TEST(GZ_01_a_bomb_of_zeros_is_refused_at_its_first_byte)
{
    wire_bytes packed = { 0 };
    uint8_t *zeros = calloc(1, 64 << 20);
    static const char *const roles[] = { NULL, "graph_path", "run_meta_path",
                                         "op_log_path", "profile_path" };
    sample_gzip(&packed, (tfp_span){ zeros, 64 << 20 });
    free(zeros);
    assert_true(packed.size < 66000);
    for (size_t i = 0; i < 5; i++) {
        loading l;
        loading_init(&l);
        assert_int_equal(loading_add(&l, roles[i], wire_span(&packed)),
                         TFPROF_ERR_MALFORMED);
        if (roles[i]) {
            assert_int_equal(l.err.offset, 0);
            assert_non_null(strstr(l.err.message, "bad field tag (zero bytes"));
        }
        assert_true(l.memory.peak < 4 << 20);
        loading_release(&l);
    }
    wire_free(&packed);
}

TEST(GZ_01_an_unknown_field_past_the_limit_ends_there)
{
    enum { ZEROS = 4 << 20 };
    wire_bytes plain = { 0 }, packed = { 0 };
    sample_graph(&plain);
    wire_tag(&plain, 77, 2);
    wire_varint(&plain, ZEROS);
    for (int i = 0; i < ZEROS; i++)
        wire_byte(&plain, 0);
    sample_gzip(&packed, wire_span(&plain));
    for (int64_t over = -1; over <= 1; over++) {
        loading l;
        loading_init(&l);
        l.context.max_input = (int64_t)plain.size - over;
        loading_add(&l, NULL, wire_span(&packed));
        assert_int_equal(l.status, over > 0 ? TFPROF_ERR_LIMIT : TFPROF_OK);
        if (over > 0)
            assert_int_equal(l.err.offset, plain.size - 1);
        assert_true(l.memory.peak < 4 << 20);
        loading_release(&l);
    }
    wire_free(&plain);
    wire_free(&packed);
}

TEST(GZ_01_gzip_in_gzip_is_named_and_not_unpacked)
{
    wire_bytes graph = { 0 }, once = { 0 }, twice = { 0 };
    loading l;
    sample_graph(&graph);
    sample_gzip(&once, wire_span(&graph));
    sample_gzip(&twice, wire_span(&once));
    loading_init(&l);
    loading_add(&l, NULL, wire_span(&twice));
    assert_int_equal(l.model.inputs.data[0].kind, TFP_FILE_NESTED_GZIP);
    assert_int_equal(l.model.nodes.count, 0);
    assert_int_equal(loading_add(&l, "graph_path", wire_span(&twice)),
                     TFPROF_ERR_MALFORMED);
    assert_non_null(strstr(l.err.message, "gzip inside gzip"));
    loading_release(&l);
    wire_free(&graph);
    wire_free(&once);
    wire_free(&twice);
}
