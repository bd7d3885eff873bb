/*
 * metrics_test.c - the table of metrics, and the options made of it.
 */
#include "testing.h"

#include "model/metrics.h"
#include "options/options.h"

/* The value that one word gives to an option. */
static int64_t value_of(const char *option, const char *word, size_t place)
{
    tfp_memory memory;
    tfp_options o;
    int64_t value;
    tfp_memory_init(&memory, NULL, NULL);
    assert_true(tfp_options_init(&o, &memory));
    assert_ok(tfp_options_set(&o, option, word, NULL));
    memcpy(&value, (char *)&o + place, sizeof(value));
    tfp_options_release(&o);
    return value;
}

TEST(every_metric_has_its_bit_and_its_orders)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        const char *word = tfp_metrics[cost].word;
        assert_int_equal(
            value_of("select", word, offsetof(tfp_options, select)), 1 << cost);
        assert_int_equal(
            value_of("order_by", word, offsetof(tfp_options, order_by)),
            TFP_ORDER_COSTS + cost);
        assert_int_equal(value_of("sort", word, offsetof(tfp_options, sort)),
                         TFP_SORT_ORDERS + TFP_ORDER_COSTS + cost);
    }
}

TEST(every_metric_has_a_minimum)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        size_t place = offsetof(tfp_options, minima) +
                       (size_t)cost * sizeof(int64_t);
        char name[64];
        snprintf(name, sizeof(name), "min_%s", tfp_metrics[cost].word);
        assert_non_null(tfp_option_find(name));
        assert_int_equal(value_of(name, "7", place), 7);
        assert_int_equal(tfp_option_find(name)->shown.group,
                         TFPROF_GROUP_SHOWN);
    }
}

TEST(words_behind_the_metrics_keep_their_numbers)
{
    static const struct {
        const char *word;
        int64_t bit;
    } facts[] = {
        { "device", TFP_SELECT_DEVICE },
        { "op_types", TFP_SELECT_OP_TYPES },
        { "input_shapes", TFP_SELECT_INPUT_SHAPES },
        { "tensor_value", TFP_SELECT_TENSOR_VALUE },
        { "num_hidden_ops", TFP_SELECT_NUM_HIDDEN_OPS },
    };
    EACH(row, facts)
        assert_int_equal(
            value_of("select", row->word, offsetof(tfp_options, select)),
            row->bit);
    assert_int_equal(value_of("sort", "int_ops", offsetof(tfp_options, sort)),
                     TFP_SORT_INT_OPS);
    assert_int_equal(value_of("sort", "nodes", offsetof(tfp_options, sort)),
                     TFP_SORT_NODES);
}

TEST(words_and_names_are_unique)
{
    for (int a = 0; a < TFP_COST_COUNT; a++) {
        for (int b = a + 1; b < TFP_COST_COUNT; b++) {
            assert_string_not_equal(tfp_metrics[a].word, tfp_metrics[b].word);
            assert_string_not_equal(tfp_metrics[a].name, tfp_metrics[b].name);
            assert_string_not_equal(tfp_metrics[a].title, tfp_metrics[b].title);
        }
    }
}

/* A part of a part would not be shown with the whole. */
TEST(parts_have_the_unit_of_a_whole_that_is_no_part)
{
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        tfp_cost whole = tfp_metrics[cost].whole;
        assert_int_equal(tfp_metrics[whole].whole, whole);
        assert_int_equal(tfp_metrics[whole].unit, tfp_metrics[cost].unit);
    }
}
