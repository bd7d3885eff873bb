/*
 * packed_test.c - repeated numbers, packed or one by one.
 */
#include "loading.h"
#include "samples.h"
#include "walking.h"

static bool is_number(tfp_type type)
{
    return type != TFP_TYPE_STRING && type != TFP_TYPE_BYTES &&
           type != TFP_TYPE_MESSAGE;
}

static size_t width_of(tfp_type type)
{
    int wire = tfp_type_wire(type);
    return wire == TFP_WIRE_FIXED64 ? 8 : wire == TFP_WIRE_FIXED32 ? 4 : 1;
}

TEST(PB_14_packed_single_and_mixed_numbers_are_accepted)
{
    static const uint8_t zeros[16] = { 0 };
    size_t seen = 0;
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        wire_bytes b = { 0 };
        for (size_t f = 0; f < m->count; f++) {
            const tfp_field_spec *field = &m->fields[f];
            size_t width = width_of(field->type);
            if (field->label != TFP_LABEL_MANY || !is_number(field->type))
                continue;
            wire_field(&b, field->number, zeros, 2 * width);
            wire_tag(&b, field->number, tfp_type_wire(field->type));
            wire_raw(&b, zeros, width);
            wire_field(&b, field->number, NULL, 0);
            seen++;
        }
        assert_ok(walking_of(m, wire_span(&b), 100).status);
        wire_free(&b);
    }
    assert_true(seen > 20);
}

TEST(PB_14_a_torn_last_number_is_refused)
{
    static const uint8_t bytes[16] = { [15] = 0x80 };
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        for (size_t f = 0; f < m->count; f++) {
            const tfp_field_spec *field = &m->fields[f];
            size_t width = width_of(field->type);
            if (field->label != TFP_LABEL_MANY || !is_number(field->type))
                continue;
            for (size_t size = 1; size <= 16; size++) {
                wire_bytes b = { 0 };
                int status;
                wire_field(&b, field->number, bytes + 16 - size, size);
                status = walking_of(m, wire_span(&b), 100).status;
                /* Varints end in 0x80; the others are not whole numbers. */
                assert_int_equal(status, width > 1 && size % width == 0
                                             ? TFPROF_OK
                                             : TFPROF_ERR_MALFORMED);
                wire_free(&b);
            }
        }
    }
}

TEST(PB_14_mixed_numbers_are_kept_in_order)
{
    wire_bytes b = { 0 };
    loading l;
    size_t node, at[2], list, count;
    const tfp_attr *attr;
    const int64_t *items;
    node = wire_open(&b, 1);
    wire_text(&b, 1, "n");
    sample_entry(&b, 5, "a", at);
    list = wire_open(&b, 1);
    wire_int(&b, 3, 1);
    wire_field(&b, 3, "\x02\x03", 2);
    wire_field(&b, 3, NULL, 0);
    wire_int(&b, 3, -4);
    wire_close(&b, list);
    sample_entry_end(&b, at);
    wire_close(&b, node);
    loading_init(&l);
    assert_ok(loading_add(&l, "graph_path", wire_span(&b)));
    wire_free(&b);
    attr = tfp_attrs_find(&l.model, l.model.nodes.attrs[0],
                          loading_name(&l, "a"));
    items = tfp_list_items(&l.model, (tfp_list)attr->value, &count);
    assert_int_equal(count, 4);
    for (int64_t i = 0; i < 3; i++)
        assert_int_equal(items[i], i + 1);
    assert_int_equal(items[3], -4);
    loading_release(&l);
}

/* A number that stands alone cannot be packed: bytes there are unknown. */
TEST(a_single_number_given_as_bytes_is_passed_over)
{
    for (size_t i = 0; i < tfp_all_message_count; i++) {
        const tfp_message *m = tfp_all_messages[i];
        for (size_t f = 0; f < m->count; f++) {
            /* A retired field may share its number with another. */
            const tfp_field_spec *field = tfp_message_field(
                m, m->fields[f].number);
            wire_bytes b = { 0 };
            if (field->label == TFP_LABEL_MANY || !is_number(field->type))
                continue;
            wire_field(&b, field->number, "\x80", 1);
            if (walking_of(m, wire_span(&b), 100).status != TFPROF_OK)
                fail_msg("%s.%s", m->name, field->name);
            wire_free(&b);
        }
    }
}
