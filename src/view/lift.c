/*
 * lift.c - what a view would show if something else were asked for.
 */
#include "view/lift.h"

#include <string.h>

/* ---- Filters ------------------------------------------------------------ */

typedef struct filter {
    const char *option;
    const char *lifted; /* the value that hides nothing */
    int cost;           /* that it is the minimum of, or -1 */
} filter;

#define LOWEST "-9223372036854775808"

/* Depth is first: who asks for what lies deep has found the right name. */
static const filter filters[] = {
    { "max_depth", "2147483647", -1 },
    { "trim_name_regexes", "", -1 },
    { "start_name_regexes", ".*", -1 },
    { "show_name_regexes", ".*", -1 },
    { "hide_name_regexes", "", -1 },
    { "device_regexes", ".*", -1 },
    { "min_bytes", LOWEST, TFP_COST_BYTES },
    { "min_peak_bytes", LOWEST, TFP_COST_PEAK_BYTES },
    { "min_residual_bytes", LOWEST, TFP_COST_RESIDUAL_BYTES },
    { "min_output_bytes", LOWEST, TFP_COST_OUTPUT_BYTES },
    { "min_micros", LOWEST, TFP_COST_MICROS },
    { "min_accelerator_micros", LOWEST, TFP_COST_ACCELERATOR_MICROS },
    { "min_cpu_micros", LOWEST, TFP_COST_CPU_MICROS },
    { "min_params", LOWEST, TFP_COST_PARAMS },
    { "min_float_ops", LOWEST, TFP_COST_FLOAT_OPS },
    { "min_occurrence", LOWEST, TFP_COST_RUNS },
    { "account_type_regexes", ".*", -1 },
};
_Static_assert(sizeof(filters) / sizeof(filters[0]) == TFP_FILTERS,
               "one place for each");

/* A set of filters, a bit each. */
typedef uint32_t filter_set;

static bool is_set(const tfp_view *v, const filter *f)
{
    char value[16];
    size_t size;
    if (f->cost >= 0)
        return v->options->minima[f->cost] > 0 || v->census->has_negatives;
    size = tfp_options_print(v->options, tfp_option_find(f->option), value,
                             sizeof(value));
    return size >= sizeof(value) || strcmp(value, f->lifted) != 0;
}

static filter_set filters_set(const tfp_view *v)
{
    filter_set set = 0;
    for (int i = 0; i < TFP_FILTERS; i++)
        set |= (filter_set)is_set(v, &filters[i]) << i;
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

static int64_t largest_of(const tfp_view *v, tfp_cost cost)
{
    int64_t largest = INT64_MIN;
    for (size_t i = 1; i < v->shown_count; i++) {
        int64_t value = tfp_row_compared(v, v->shown[i].row, cost);
        largest = value > largest ? value : largest;
    }
    return largest;
}

/* Makes the view that these options ask for. With `largest`, `cost` must be
 * one that they select. */
static int ask(const tfp_view *v, const tfp_options *options, size_t *rows,
               tfp_cost cost, int64_t *largest)
{
    tfp_view other;
    int status = tfp_view_init_within(&other, v->type, v->census, options,
                                      v->cancel, v->work, NULL);
    *rows = status == TFPROF_OK ? count_rows(&other) : 0;
    if (status == TFPROF_OK && largest)
        *largest = largest_of(&other, cost);
    tfp_view_release(&other);
    return status;
}

static int lift_all(tfp_options *options, filter_set set)
{
    int status = TFPROF_OK;
    for (int i = 0; status == TFPROF_OK && i < TFP_FILTERS; i++) {
        if (set >> i & 1)
            status = tfp_options_set(options, filters[i].option,
                                     filters[i].lifted, NULL);
    }
    return status;
}

/* How many rows there are without these filters. */
static int rows_without(const tfp_view *v, filter_set set, size_t *rows)
{
    tfp_options options;
    int status = copy_options(v, &options) ? lift_all(&options, set)
                                           : TFPROF_ERR_NOMEM;
    if (status == TFPROF_OK)
        status = ask(v, &options, rows, 0, NULL);
    tfp_options_release(&options);
    return status;
}

/* What the largest row has that one minimum hides. */
static int find_largest(const tfp_view *v, int minimum, int64_t *largest)
{
    tfp_cost cost = (tfp_cost)filters[minimum].cost;
    tfp_options options;
    size_t rows;
    int status = copy_options(v, &options)
                     ? lift_all(&options, (filter_set)1 << minimum)
                     : TFPROF_ERR_NOMEM;
    options.select = v->select | (int64_t)1 << cost; /* so that it is summed */
    if (status == TFPROF_OK)
        status = ask(v, &options, &rows, cost, largest);
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
        status = ask(v, &options, rows, 0, NULL);
    tfp_options_release(&options);
    return status;
}

/* ---- Who is to blame ---------------------------------------------------- */

/* One filter; 0 when none will do alone. */
static int find_one(const tfp_view *v, filter_set set, filter_set *found,
                    size_t *rows)
{
    int status = TFPROF_OK;
    *found = 0;
    for (int i = 0; status == TFPROF_OK && i < TFP_FILTERS; i++) {
        filter_set one = set & (filter_set)1 << i;
        if (one == 0)
            continue;
        status = rows_without(v, one, rows);
        if (status == TFPROF_OK && *rows > 0) {
            *found = one;
            break;
        }
    }
    return status;
}

/* Of filters that will do together, those without which they will not. */
static int find_some(const tfp_view *v, filter_set *found, size_t *rows)
{
    int status = TFPROF_OK;
    for (int i = 0; status == TFPROF_OK && i < TFP_FILTERS; i++) {
        filter_set fewer = *found & ~((filter_set)1 << i);
        size_t left = 0;
        if (fewer == *found)
            continue;
        status = rows_without(v, fewer, &left);
        if (left > 0) {
            *found = fewer;
            *rows = left;
        }
    }
    return status;
}

static int name_filters(const tfp_view *v, filter_set found, tfp_lift *lift)
{
    int last = -1;
    for (int i = 0; i < TFP_FILTERS; i++) {
        if (found >> i & 1)
            lift->filters[lift->count++] = filters[last = i].option;
    }
    return lift->count == 1 && filters[last].cost >= 0
               ? find_largest(v, last, &lift->largest)
               : TFPROF_OK;
}

int tfp_view_lift(const tfp_view *v, tfp_lift *lift)
{
    filter_set set = filters_set(v), found = 0;
    size_t most;
    int status = rows_without(v, set, &most);
    *lift = (tfp_lift){ .count = 0 };
    if (status != TFPROF_OK || most == 0)
        return status; /* or there is nothing that could be shown */
    status = find_one(v, set, &found, &lift->rows);
    if (status == TFPROF_OK && found == 0) {
        found = set;
        lift->rows = most;
        status = find_some(v, &found, &lift->rows);
    }
    return status == TFPROF_OK ? name_filters(v, found, lift) : status;
}
