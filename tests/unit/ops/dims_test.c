/*
 * dims_test.c - arithmetic on dims and shapes of which parts are not known.
 */
#include "ops/table/window.h"

#include "loading.h"

enum { UNKNOWN = TFP_DIM_UNKNOWN };

/* ---- Dims --------------------------------------------------------------- */

TEST(an_axis_counts_from_the_end_when_negative)
{
    assert_int_equal(tfp_axis_of(0, 3), 0);
    assert_int_equal(tfp_axis_of(-1, 3), 2);
    assert_int_equal(tfp_axis_of(-3, 3), 0);
    assert_int_equal(tfp_axis_of(3, 3), -1);
    assert_int_equal(tfp_axis_of(-4, 3), -1);
    assert_int_equal(tfp_axis_of(INT64_MIN, 3), -1);
    assert_int_equal(tfp_axis_of(INT64_MAX, 3), -1);
    assert_int_equal(tfp_axis_of(0, 0), -1);
    assert_int_equal(tfp_axis_of(-1, -1), -1);
}

TEST(what_does_not_fit_is_unknown)
{
    assert_int_equal(tfp_dim_add(3, 4), 7);
    assert_int_equal(tfp_dim_add(UNKNOWN, 4), UNKNOWN);
    assert_int_equal(tfp_dim_add(INT64_MAX, 1), UNKNOWN);
    assert_int_equal(tfp_dim_add(4, INT64_MIN), UNKNOWN);
    assert_int_equal(tfp_dim_mul(3, 4), 12);
    assert_int_equal(tfp_dim_mul(UNKNOWN, 4), UNKNOWN);
    assert_int_equal(tfp_dim_mul(INT64_MAX, 2), UNKNOWN);
    assert_int_equal(tfp_dim_mul(INT64_MAX, 1), INT64_MAX);
}

TEST(zero_times_anything_is_zero)
{
    assert_int_equal(tfp_dim_mul(0, UNKNOWN), 0);
    assert_int_equal(tfp_dim_mul(UNKNOWN, 0), 0);
    assert_int_equal(tfp_dim_mul(INT64_MAX, 0), 0);
}

TEST(the_least_is_unknown_unless_one_is_zero)
{
    assert_int_equal(tfp_dim_least(3, 4), 3);
    assert_int_equal(tfp_dim_least(4, 3), 3);
    assert_int_equal(tfp_dim_least(UNKNOWN, 3), UNKNOWN);
    assert_int_equal(tfp_dim_least(UNKNOWN, 0), 0);
    assert_int_equal(tfp_dim_least(0, UNKNOWN), 0);
}

TEST(two_dims_say_together_what_one_says)
{
    int64_t merged;
    assert_true(tfp_dim_merge(3, UNKNOWN, &merged));
    assert_int_equal(merged, 3);
    assert_true(tfp_dim_merge(UNKNOWN, 3, &merged));
    assert_int_equal(merged, 3);
    assert_true(tfp_dim_merge(UNKNOWN, UNKNOWN, &merged));
    assert_int_equal(merged, UNKNOWN);
    assert_true(tfp_dim_merge(0, 0, &merged));
    assert_int_equal(merged, 0);
    assert_false(tfp_dim_merge(3, 4, &merged));
    assert_false(tfp_dim_merge(0, 1, &merged));
}

/* a, b and what they give; bad where they do not go together. */
TEST(dims_are_stretched)
{
    static const struct {
        int64_t a, b, out;
        bool bad;
    } rows[] = {
        { 3, 3, 3, false },        { 1, 3, 3, false },
        { 3, 1, 3, false },        { 1, 0, 0, false },
        { 0, 1, 0, false },        { UNKNOWN, 3, 3, false },
        { 3, UNKNOWN, 3, false },  { UNKNOWN, 1, UNKNOWN, false },
        { 1, UNKNOWN, -1, false }, { UNKNOWN, 0, UNKNOWN, false },
        { -1, -1, -1, false },     { 2, 3, 0, true },
        { 0, 3, 0, true },
    };
    EACH(row, rows) {
        int64_t out;
        assert_int_equal(tfp_dim_broadcast(row->a, row->b, &out), !row->bad);
        if (!row->bad)
            assert_int_equal(out, row->out);
    }
}

TEST(a_value_is_a_shape)
{
    static const int64_t items[] = { 2, -1, TFP_VALUE_UNKNOWN, 0 };
    tfp_value value = { items, 4, TFP_DT_INT32, false };
    int64_t dims[TFP_MOST_RANK];
    assert_int_equal(tfp_value_dims(&value, dims), 4);
    assert_int_equal(dims[0], 2);
    assert_int_equal(dims[1], UNKNOWN);
    assert_int_equal(dims[2], UNKNOWN);
    assert_int_equal(dims[3], 0);
    value.dtype = TFP_DT_FLOAT;
    assert_int_equal(tfp_value_dims(&value, dims), -1);
    value.dtype = TFP_DT_INT64;
    value.count = TFP_MOST_RANK + 1;
    assert_int_equal(tfp_value_dims(&value, dims), -1);
}

/* ---- Windows ------------------------------------------------------------ */

TEST(a_window_is_counted)
{
    static const struct {
        tfp_window window; /* size, stride, dilation, pads */
        tfp_padding padding;
        int64_t size, count; /* -2: it does not fit */
    } rows[] = {
        { { 3, 1, 1, 0 }, TFP_PADDING_SAME, 17, 17 },
        { { 3, 2, 1, 0 }, TFP_PADDING_SAME, 17, 9 },
        { { UNKNOWN, 2, 1, 0 }, TFP_PADDING_SAME, 17, 9 },
        { { 3, 2, 1, 0 }, TFP_PADDING_SAME, UNKNOWN, UNKNOWN },
        { { 3, 2, 1, 0 }, TFP_PADDING_SAME, INT64_MAX, INT64_MAX / 2 + 1 },
        { { 3, 1, 1, 0 }, TFP_PADDING_VALID, 17, 15 },
        { { 3, 2, 1, 0 }, TFP_PADDING_VALID, 17, 8 },
        { { 3, 1, 4, 0 }, TFP_PADDING_VALID, 17, 9 },
        { { 3, 1, 1, 9 }, TFP_PADDING_VALID, 17, 15 },
        { { UNKNOWN, 1, 1, 0 }, TFP_PADDING_VALID, 17, UNKNOWN },
        { { 3, 1, 1, 0 }, TFP_PADDING_VALID, UNKNOWN, UNKNOWN },
        { { 18, 1, 1, 0 }, TFP_PADDING_VALID, 17, -2 },
        { { 17, 5, 1, 0 }, TFP_PADDING_VALID, 17, 1 },
        { { INT64_MAX, 1, 2, 0 }, TFP_PADDING_VALID, 17, UNKNOWN },
        { { 1, 1, INT64_MAX, 0 }, TFP_PADDING_VALID, INT64_MAX, INT64_MAX },
        { { 3, 1, 1, 5 }, TFP_PADDING_EXPLICIT, 17, 20 },
        { { 3, 1, 1, UNKNOWN }, TFP_PADDING_EXPLICIT, 17, UNKNOWN },
        { { 3, 0, 1, 0 }, TFP_PADDING_SAME, 17, -2 },
        { { 3, 1, 0, 0 }, TFP_PADDING_SAME, 17, -2 },
        { { 3, -1, 1, 0 }, TFP_PADDING_VALID, 17, -2 },
        { { 3, 1, 1, 0 }, TFP_PADDING_NONE, 17, -2 },
    };
    EACH(row, rows) {
        int64_t count = -2;
        bool fits = tfp_window_count(&row->window, row->padding, row->size,
                                     &count);
        assert_int_equal(fits, row->count != -2);
        if (fits)
            assert_int_equal(count, row->count);
    }
}

/* ---- Forms -------------------------------------------------------------- */

static tfp_form form_of(int rank, int64_t a, int64_t b)
{
    tfp_form form = { .rank = rank };
    form.at[0] = a;
    form.at[1] = b;
    return form;
}

TEST(parts_of_an_unknown_form_are_unknown)
{
    tfp_form form = { .rank = -1 }, other = form_of(2, 3, 4);
    assert_int_equal(tfp_form_dim(&form, 0), UNKNOWN);
    assert_int_equal(tfp_form_dim(&form, -1), UNKNOWN);
    tfp_form_drop_first(&form, 2);
    tfp_form_drop_last(&form, 2);
    tfp_form_append(&form, 7);
    assert_int_equal(form.rank, -1);
    tfp_form_join(&other, &form);
    assert_int_equal(other.rank, -1);
    assert_true(tfp_form_merge_dim(&form, 5, 7));
}

TEST(a_form_is_cut_and_joined)
{
    tfp_form form = form_of(2, 3, 4), other = form_of(1, 5, 0);
    assert_int_equal(tfp_form_dim(&form, -2), 3);
    assert_int_equal(tfp_form_dim(&form, 2), UNKNOWN);
    tfp_form_join(&form, &other);
    tfp_form_append(&form, 6);
    assert_int_equal(form.rank, 4);
    tfp_form_drop_first(&form, 1);
    tfp_form_drop_last(&form, 1);
    assert_int_equal(form.rank, 2);
    assert_int_equal(form.at[0], 4);
    assert_int_equal(form.at[1], 5);
    tfp_form_drop_first(&form, 9);
    assert_int_equal(form.rank, 0);
}

TEST(a_form_of_too_many_dims_is_unknown)
{
    tfp_form form, other;
    tfp_form_unknown(&form, TFP_MOST_RANK);
    other = form;
    tfp_form_append(&form, 1);
    assert_int_equal(form.rank, -1);
    form = other;
    tfp_form_join(&form, &other);
    assert_int_equal(form.rank, -1);
    tfp_form_unknown(&form, TFP_MOST_RANK + 1);
    assert_int_equal(form.rank, -1);
}

TEST(forms_are_merged_or_contradict_each_other)
{
    tfp_form form = form_of(2, 3, UNKNOWN), other = form_of(2, UNKNOWN, 4);
    assert_true(tfp_form_merge(&form, &other));
    assert_int_equal(form.at[0], 3);
    assert_int_equal(form.at[1], 4);
    other = form_of(2, 5, 4);
    assert_false(tfp_form_merge(&form, &other));
    other = form_of(1, 3, 0);
    assert_false(tfp_form_merge(&form, &other));
    assert_false(tfp_form_merge_dim(&form, 2, 4));
    assert_false(tfp_form_merge_dim(&form, -1, 5));
    assert_true(tfp_form_merge_dim(&form, -1, 4));
}

/* ---- Shapes of the model ------------------------------------------------ */

static tfp_shape shape_of(tfp_model *model, int64_t a, int64_t b)
{
    int64_t dims[] = { a, b };
    return tfp_model_shape(model, dims, 2);
}

static void assert_dims(const tfp_model *model, tfp_shape shape, int64_t a,
                        int64_t b)
{
    tfp_dims dims = tfp_dims_of(model, shape);
    assert_int_equal(dims.rank, 2);
    assert_int_equal(dims.at[0], a);
    assert_int_equal(dims.at[1], b);
}

FIXTURE(loading, l);

TEST(shapes_say_together_what_each_says)
{
    tfp_model *model = &l.model;
    tfp_shape merged, vector = tfp_model_shape(model, (int64_t[]){ 3 }, 1);
    assert_true(tfp_shape_merge(model, shape_of(model, 3, UNKNOWN),
                                shape_of(model, UNKNOWN, 4), &merged));
    assert_dims(model, merged, 3, 4);
    assert_true(tfp_shape_merge(model, TFP_SHAPE_UNKNOWN_RANK,
                                shape_of(model, 3, 4), &merged));
    assert_dims(model, merged, 3, 4);
    assert_true(tfp_shape_merge(model, shape_of(model, 3, 4),
                                TFP_SHAPE_UNKNOWN_RANK, &merged));
    assert_dims(model, merged, 3, 4);
    assert_false(tfp_shape_merge(model, shape_of(model, 3, 4),
                                 shape_of(model, 3, 5), &merged));
    assert_dims(model, merged, 3, 4);
    assert_false(
        tfp_shape_merge(model, vector, shape_of(model, 3, 5), &merged));
    assert_int_equal(merged, vector);
}

TEST(what_holds_for_both_is_kept)
{
    tfp_model *model = &l.model;
    tfp_shape a = shape_of(model, 3, 4), b = shape_of(model, 3, 5);
    tfp_shape vector = tfp_model_shape(model, (int64_t[]){ 3 }, 1);
    assert_int_equal(tfp_shape_join(model, a, a), a);
    assert_dims(model, tfp_shape_join(model, a, b), 3, UNKNOWN);
    assert_int_equal(tfp_shape_join(model, a, vector), TFP_SHAPE_UNKNOWN_RANK);
    assert_int_equal(tfp_shape_join(model, a, TFP_SHAPE_UNKNOWN_RANK),
                     TFP_SHAPE_UNKNOWN_RANK);
}

TEST(elements_are_known_with_all_dims)
{
    tfp_model *model = &l.model;
    assert_int_equal(
        tfp_dims_elements(tfp_dims_of(model, shape_of(model, 3, 4))), 12);
    assert_int_equal(
        tfp_dims_elements(tfp_dims_of(model, shape_of(model, 3, UNKNOWN))), -1);
    assert_int_equal(
        tfp_dims_elements(tfp_dims_of(model, shape_of(model, 0, UNKNOWN))), -1);
    assert_int_equal(
        tfp_dims_elements(tfp_dims_of(model, shape_of(model, INT64_MAX, 0))),
        0);
    assert_int_equal(
        tfp_dims_elements(tfp_dims_of(model, shape_of(model, INT64_MAX, 2))),
        INT64_MAX);
    assert_int_equal(
        tfp_dims_elements(tfp_dims_of(model, TFP_SHAPE_UNKNOWN_RANK)), -1);
    assert_int_equal(
        tfp_dims_elements(tfp_dims_of(model, tfp_model_shape(model, NULL, 0))),
        1);
}
