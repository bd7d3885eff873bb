/*
 * fields_test.c - fields that come twice, in another form, or with values
 * that nobody foresaw.
 */
#include "loading.h"
#include "samples.h"
#include "walking.h"

/* ---- Helpers ------------------------------------------------------------ */

/* Opens a node of that name with one attribute "a", at its AttrValue. */
static void open_attr(wire_bytes *b, const char *name, size_t at[3])
{
    at[0] = wire_open(b, 1);
    wire_text(b, 1, name);
    sample_entry(b, 5, "a", &at[1]);
}

static void close_attr(wire_bytes *b, const size_t at[3])
{
    sample_entry_end(b, &at[1]);
    wire_close(b, at[0]);
}

FIXTURE(loading, l);

static const tfp_attr *attr_of(const char *node, const char *key)
{
    tfp_node n = tfp_model_find_node(&l.model, loading_name(&l, node));
    assert_int_not_equal(n, TFP_NO_NODE);
    return tfp_attrs_find(&l.model, l.model.nodes.attrs[n],
                          loading_name(&l, key));
}

static void load(const char *role, wire_bytes *b)
{
    restart();
    if (loading_add(&l, role, wire_span(b)) != TFPROF_OK)
        fail_msg("%s", l.err.message);
    wire_free(b);
}

/* ---- PB-12: one of several ---------------------------------------------- */

/* The members of AttrValue by number, with what they are kept as. */
static const uint32_t member_kinds[] = {
    0,
    TFP_ATTR_LIST | TFP_ATTR_INT,
    TFP_ATTR_STRING,
    TFP_ATTR_INT,
    TFP_ATTR_FLOAT,
    TFP_ATTR_BOOL,
    TFP_ATTR_TYPE,
    TFP_ATTR_SHAPE,
    TFP_ATTR_TENSOR,
    TFP_ATTR_PLACEHOLDER,
    TFP_ATTR_FUNCTION,
};

static void put_member(wire_bytes *b, uint32_t number)
{
    switch (number) {
    case 1: wire_put(b, "1{3:42}"); break;
    case 2:
    case 9: wire_text(b, number, "text"); break;
    case 4: wire_float(b, 4, 0.25f); break;
    case 7: sample_shape(b, 7, 3, 4); break;
    case 8:
    case 10: wire_field(b, number, NULL, 0); break;
    default: wire_int(b, number, 1); break;
    }
}

TEST(PB_12_the_last_member_of_a_oneof_stands)
{
    wire_bytes b = { 0 };
    char name[32];
    for (uint32_t i = 0; i < 1000; i++) { /* every three in every order */
        size_t at[3];
        snprintf(name, sizeof(name), "n%u", i);
        open_attr(&b, name, at);
        put_member(&b, i / 100 + 1);
        put_member(&b, i / 10 % 10 + 1);
        put_member(&b, i % 10 + 1);
        close_attr(&b, at);
    }
    load("graph_path", &b);
    assert_int_equal(loading_counts(&l)->nodes, 1000);
    for (uint32_t i = 0; i < 1000; i++) {
        snprintf(name, sizeof(name), "n%u", i);
        assert_int_equal(attr_of(name, "a")->kind, member_kinds[i % 10 + 1]);
    }
}

TEST(PB_12_i_then_s_then_list_then_s_is_s)
{
    wire_bytes b = { 0 };
    size_t at[3];
    const tfp_attr *attr;
    open_attr(&b, "n", at);
    wire_int(&b, 3, 5);
    wire_text(&b, 2, "first");
    put_member(&b, 1);
    wire_text(&b, 2, "second");
    close_attr(&b, at);
    load("graph_path", &b);
    attr = attr_of("n", "a");
    assert_int_equal(attr->kind, TFP_ATTR_STRING);
    assert_true(tfp_span_is(tfp_model_text(&l.model, (tfp_string)attr->value),
                            "second"));
}

TEST(PB_12_damage_in_a_member_that_lost_is_seen)
{
    wire_bytes b = { 0 };
    size_t at[3];
    open_attr(&b, "n", at);
    wire_field(&b, 7, "\x12\x05", 2); /* a shape cut short */
    wire_text(&b, 2, "s");
    close_attr(&b, at);
    assert_int_equal(loading_add(&l, "graph_path", wire_span(&b)),
                     TFPROF_ERR_MALFORMED);
    wire_free(&b);
}

/* ---- PB-13: a message that comes twice is one --------------------------- */

TEST(PB_13_two_step_stats_are_one_step)
{
    wire_bytes b = { 0 };
    for (int i = 0; i < 2; i++) {
        size_t at = wire_open(&b, 1);
        sample_step_stats(&b);
        wire_close(&b, at);
    }
    load("run_meta_path", &b);
    assert_int_equal(loading_counts(&l)->run_records, 6);
    assert_int_equal(l.model.steps.count, 1);
    assert_int_equal(l.model.inputs.data[0].steps.count, 1);
    assert_int_equal(l.model.steps.data[0].execs.count, 6);
    assert_int_equal(l.model.devices.count, 4);
    assert_int_equal(l.model.inputs.data[0].devices.count, 2);
}

TEST(PB_13_two_graphs_of_a_meta_graph_are_one)
{
    wire_bytes b = { 0 };
    wire_put(&b, "2{2{1{1'a' 2'A' 3'b'}} " /* b is in the other half */
                 "2{1{1'b' 2'B' 3'a'}}}");
    load("graph_path", &b);
    assert_int_equal(l.model.inputs.data[0].kind, TFP_FILE_SAVED_MODEL);
    assert_int_equal(loading_counts(&l)->nodes, 2);
    assert_int_equal(loading_counts(&l)->edges, 2);
    assert_int_equal(loading_counts(&l)->dropped_edges, 0);
    assert_int_equal(l.model.graphs.count, 1);
}

TEST(PB_13_two_lists_of_a_collection_are_one)
{
    wire_bytes b = { 0 };
    sample_meta_graph(&b); /* has one variable of this kind, and another */
    /* "v:0" is lost to what follows; 9 is a field of the future. */
    wire_put(&b, "4{1'trainable_variables' "
                 "2{2{1{1'v:0'}} 3{1:1} 2{1{1'r:0'}} 2{1{1's:0'} 9:1}}}");
    load("graph_path", &b);
    assert_int_equal(loading_counts(&l)->variables, 4);
    assert_int_not_equal(loading_name(&l, "r"), TFP_NO_ID);
    assert_int_not_equal(loading_name(&l, "s"), TFP_NO_ID);
    assert_int_equal(loading_name(&l, "v"), TFP_NO_ID);
}

/* ---- PB-15: maps -------------------------------------------------------- */

static size_t width_of(tfp_type type)
{
    int wire = tfp_type_wire(type);
    return wire == TFP_WIRE_FIXED64 ? 8 : wire == TFP_WIRE_FIXED32 ? 4 : 1;
}

TEST(PB_15_odd_entries_of_every_map_are_accepted)
{
    size_t maps = 0;
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        wire_bytes b = { 0 }, key = { 0 }, value = { 0 };
        if (m->kind != TFP_MESSAGE_MAP_ENTRY)
            continue;
        maps++;
        wire_tag(&key, 1, tfp_type_wire(m->fields[0].type));
        wire_fixed(&key, 0, (int)width_of(m->fields[0].type));
        wire_tag(&value, 2, tfp_type_wire(m->fields[1].type));
        wire_fixed(&value, 0, (int)width_of(m->fields[1].type));
        assert_ok(walking_of(m, wire_span(&b), 100).status);
        wire_int(&b, 3, 1); /* an unknown field */
        assert_ok(walking_of(m, wire_span(&b), 100).status);
        wire_raw(&b, value.data, value.size);
        assert_ok(walking_of(m, wire_span(&b), 100).status);
        wire_raw(&b, key.data, key.size);
        wire_raw(&b, key.data, key.size);
        wire_raw(&b, value.data, value.size);
        assert_ok(walking_of(m, wire_span(&b), 100).status);
        wire_free(&b);
        wire_free(&key);
        wire_free(&value);
    }
    assert_true(maps > 20);
}

TEST(PB_15_attributes_without_key_or_value_and_twice)
{
    wire_bytes b = { 0 };
    size_t node = wire_open(&b, 1);
    wire_put(&b, "1'n'");
    wire_put(&b, "5{2{3:7}}");  /* no key: the empty one */
    wire_put(&b, "5{1'bare'}"); /* no value */
    for (int i = 1; i <= 3; i++)
        wire_put(&b, "5{1'twice' 2{3:%d 99:%d}}", i, i);
    /* key and value twice in one entry */
    wire_put(&b, "5{1'lost' 2{3:1} 1'again' 2{3:2}}");
    wire_put(&b, "5{}"); /* neither; it is "" once more */
    wire_close(&b, node);
    load("graph_path", &b);
    assert_int_equal(attr_of("n", "bare")->kind, TFP_ATTR_NONE);
    assert_int_equal(attr_of("n", "twice")->kind, TFP_ATTR_INT);
    assert_int_equal(attr_of("n", "twice")->value, 3);
    assert_int_equal(attr_of("n", "")->kind, TFP_ATTR_NONE);
    assert_int_equal(attr_of("n", "again")->value, 2);
    assert_null(attr_of("n", "lost"));
}

TEST(PB_15_the_last_string_of_a_number_stands)
{
    wire_bytes b = { 0 };
    tfp_stack below;
    sample_log(&b);
    wire_put(&b, "2{1:1 2'other.py'}");
    wire_put(&b, "2{2'zero'}"); /* no key is key 0 */
    load("op_log_path", &b);
    assert_int_equal(loading_counts(&l)->string_ids, 4);
    assert_int_equal(l.model.waiting.count, 1);
    (void)tfp_stack_top(&l.model, l.model.waiting.data[0].trace, &below);
    assert_int_equal(tfp_stack_top(&l.model, below, &below)->file,
                     loading_name(&l, "other.py"));
}

/* ---- PB-19: values out of range ----------------------------------------- */

TEST(PB_19_enums_and_bools_take_any_number)
{
    static const int64_t values[] = { 9999,      -1, INT32_MIN, INT32_MAX,
                                      INT64_MIN, 2,  INT64_MAX };
    size_t seen = 0;
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        wire_bytes b = { 0 };
        for (size_t f = 0; f < m->count; f++) {
            tfp_type type = m->fields[f].type;
            if (type != TFP_TYPE_ENUM && type != TFP_TYPE_BOOL)
                continue;
            seen++;
            EACH(row, values)
                wire_int(&b, m->fields[f].number, *row);
        }
        assert_ok(walking_of(m, wire_span(&b), 100).status);
        wire_free(&b);
    }
    assert_true(seen > 20);
}

TEST(PB_19_an_unknown_type_is_kept_and_any_truth_is_true)
{
    wire_bytes b = { 0 };
    size_t at[3], tensor;
    const tfp_tensor *kept;
    open_attr(&b, "type", at);
    wire_int(&b, 6, 9999);
    close_attr(&b, at);
    open_attr(&b, "truth", at);
    wire_int(&b, 5, INT64_MIN); /* 2^63 */
    close_attr(&b, at);
    open_attr(&b, "tensor", at);
    tensor = wire_open(&b, 8);
    wire_int(&b, 1, 9999);
    wire_field(&b, 4, "abcd", 4);
    wire_close(&b, tensor);
    close_attr(&b, at);
    load("graph_path", &b);
    assert_int_equal(attr_of("type", "a")->value, 9999);
    assert_int_equal(attr_of("truth", "a")->value, 1);
    kept = tfp_tensor_of(&l.model, attr_of("tensor", "a"));
    assert_int_equal(kept->dtype, 9999);
    assert_false(kept->has_values);
}
