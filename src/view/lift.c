/*
 * lift.c - what a view would show if something else were asked for.
 */
#include "view/lift.h"

#include "options/options.h"

#include "model/metrics.h"

#include <string.h>

/* ---- Filters ------------------------------------------------------------ */

/* A set of filters, a bit each. */
typedef uint32_t filter_set;

/* An answer whose filters are looked at. */
typedef struct search {
    const tfp_view *view;
    const tfp_option *filters[TFP_MOST_FILTERS];
    size_t count;
} search;

size_t tfp_view_filters(const tfp_option *filters[TFP_MOST_FILTERS])
{
    size_t count = 0;
    for (int kind = TFP_FILTER_NONE + 1; kind < TFP_FILTER_END; kind++) {
        for (size_t i = 0; i < tfp_option_table_count; i++) {
            if ((int)tfp_option_table[i].filter == kind &&
                count < TFP_MOST_FILTERS)
                filters[count++] = &tfp_option_table[i];
        }
    }
    return count;
}

static bool is_of_self(const tfp_option *filter)
{
    return filter->filter == TFP_FILTER_SELF_MINIMUM;
}

static bool is_minimum(const tfp_option *filter)
{
    return filter->filter == TFP_FILTER_MINIMUM || is_of_self(filter);
}

/* What a minimum is about. */
static tfp_cost cost_of(const tfp_option *minimum)
{
    size_t first = is_of_self(minimum) ? offsetof(tfp_options, self_minima)
                                       : offsetof(tfp_options, minima);
    return (tfp_cost)((minimum->place - first) / sizeof(int64_t));
}

static int64_t number_of(const tfp_options *options, const tfp_option *filter)
{
    int64_t number;
    memcpy(&number, (const char *)options + filter->place, sizeof(number));
    return number;
}

static bool is_set(const tfp_view *v, const tfp_option *filter)
{
    const char *lifted = filter->shown.default_value;
    char value[16];
    size_t size;
    if (filter->filter == TFP_FILTER_DEPTH)
        return number_of(v->options, filter) != filter->high;
    if (is_minimum(filter))
        return number_of(v->options, filter) > 0 ||
               (v->census->has_negatives && !is_of_self(filter));
    size = tfp_options_print(v->options, filter, value, sizeof(value));
    return size >= sizeof(value) || strcmp(value, lifted) != 0;
}

/* Sets a filter to what hides nothing. */
static int lift_one(tfp_options *options, const tfp_option *filter)
{
    int64_t number = is_minimum(filter) ? filter->low : filter->high;
    if (filter->filter != TFP_FILTER_DEPTH && !is_minimum(filter))
        return tfp_options_set(options, filter->shown.name,
                               filter->shown.default_value, NULL);
    memcpy((char *)options + filter->place, &number, sizeof(number));
    return TFPROF_OK;
}

static int lift_all(const search *s, tfp_options *options, filter_set set)
{
    int status = TFPROF_OK;
    for (size_t i = 0; status == TFPROF_OK && i < s->count; i++) {
        if (set >> i & 1)
            status = lift_one(options, s->filters[i]);
    }
    return status;
}

static filter_set filters_set(const search *s)
{
    filter_set set = 0;
    for (size_t i = 0; i < s->count; i++)
        set |= (filter_set)is_set(s->view, s->filters[i]) << i;
    return set;
}

/* ---- Other questions ---------------------------------------------------- */

/* The options of a view, to be changed. All rows are asked for. */
static bool copy_options(const tfp_view *v, tfp_options *options)
{
    bool copied = tfp_options_copy(v->options, options);
    if (options->top > 0)
        options->top = 0;
    return copied;
}

static size_t count_rows(const tfp_view *v)
{
    return v->shown_count > 0 ? v->shown_count - 1 : 0;
}

static int64_t largest_of(const tfp_view *v, const tfp_option *minimum)
{
    tfp_cost cost = cost_of(minimum);
    int64_t largest = INT64_MIN;
    for (size_t i = 1; i < v->shown_count; i++) {
        uint32_t row = v->shown[i].row;
        int64_t value = is_of_self(minimum) ? tfp_row_self(v, row, cost)
                                            : tfp_row_compared(v, row, cost);
        largest = value > largest ? value : largest;
    }
    return largest;
}

/* Makes the view that these options ask for. With `minimum`, what is held
 * against it must be selected; *largest is the largest of that. */
static int ask(const tfp_view *v, const tfp_options *options, size_t *rows,
               const tfp_option *minimum, int64_t *largest)
{
    tfp_view other;
    int status = tfp_view_init_within(&other, v->type, v->census, options,
                                      v->cancel, v->work, NULL);
    *rows = status == TFPROF_OK ? count_rows(&other) : 0;
    if (status == TFPROF_OK && minimum)
        *largest = largest_of(&other, minimum);
    tfp_view_release(&other);
    return status;
}

/* How many rows there are without these filters. */
static int rows_without(const search *s, filter_set set, size_t *rows)
{
    tfp_options options;
    int status = copy_options(s->view, &options) ? lift_all(s, &options, set)
                                                 : TFPROF_ERR_NOMEM;
    if (status == TFPROF_OK)
        status = ask(s->view, &options, rows, NULL, NULL);
    tfp_options_release(&options);
    return status;
}

/* What the largest row has that one minimum hides. */
static int find_largest(const tfp_view *v, const tfp_option *minimum,
                        int64_t *largest)
{
    tfp_cost cost = cost_of(minimum);
    tfp_options options;
    size_t rows;
    int status = copy_options(v, &options) ? lift_one(&options, minimum)
                                           : TFPROF_ERR_NOMEM;
    options.select = v->select | (int64_t)1 << cost; /* so that it is summed */
    if (status == TFPROF_OK)
        status = ask(v, &options, &rows, minimum, largest);
    tfp_options_release(&options);
    return status;
}

int tfp_view_rows_with(const tfp_view *v, const char *option, const char *value,
                       bool at_any_depth, size_t *rows)
{
    tfp_options options;
    int status = copy_options(v, &options)
                     ? tfp_options_set(&options, option, value, NULL)
                     : TFPROF_ERR_NOMEM;
    if (at_any_depth)
        options.max_depth = INT32_MAX;
    *rows = 0;
    if (status == TFPROF_OK)
        status = ask(v, &options, rows, NULL, NULL);
    tfp_options_release(&options);
    return status;
}

/* ---- Who is to blame ---------------------------------------------------- */

/* One filter; 0 when none will do alone. */
static int find_one(const search *s, filter_set set, filter_set *found,
                    size_t *rows)
{
    int status = TFPROF_OK;
    *found = 0;
    for (size_t i = 0; status == TFPROF_OK && i < s->count; i++) {
        filter_set one = set & (filter_set)1 << i;
        if (one == 0)
            continue;
        status = rows_without(s, one, rows);
        if (status == TFPROF_OK && *rows > 0) {
            *found = one;
            break;
        }
    }
    return status;
}

/* Of filters that will do together, those without which they will not. */
static int find_some(const search *s, filter_set *found, size_t *rows)
{
    int status = TFPROF_OK;
    for (size_t i = 0; status == TFPROF_OK && i < s->count; i++) {
        filter_set fewer = *found & ~((filter_set)1 << i);
        size_t left = 0;
        if (fewer == *found)
            continue;
        status = rows_without(s, fewer, &left);
        if (left > 0) {
            *found = fewer;
            *rows = left;
        }
    }
    return status;
}

static int name_filters(const search *s, filter_set found, tfp_lift *lift)
{
    const tfp_option *last = NULL;
    for (size_t i = 0; i < s->count; i++) {
        if (!(found >> i & 1))
            continue;
        last = s->filters[i];
        lift->filters[lift->count++] = last->shown.name;
    }
    if (lift->count == 1 && is_minimum(last))
        lift->cost = cost_of(last);
    return lift->count == 1 && is_minimum(last)
               ? find_largest(s->view, last, &lift->largest)
               : TFPROF_OK;
}

int tfp_view_lift(const tfp_view *v, tfp_lift *lift)
{
    search s = { .view = v };
    filter_set set, found = 0;
    size_t most;
    int status;
    s.count = tfp_view_filters(s.filters);
    set = filters_set(&s);
    *lift = (tfp_lift){ .count = 0 };
    status = rows_without(&s, set, &most);
    if (status != TFPROF_OK || most == 0)
        return status; /* or there is nothing that could be shown */
    status = find_one(&s, set, &found, &lift->rows);
    if (status == TFPROF_OK && found == 0) {
        found = set;
        lift->rows = most;
        status = find_some(&s, &found, &lift->rows);
    }
    return status == TFPROF_OK ? name_filters(&s, found, lift) : status;
}
