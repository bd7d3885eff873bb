/*
 * baseline.c - what earlier runs measured, and on which machine.
 */
#include "budget/baseline.h"

#include "base/json_tree.h"

#include <math.h>
#include <string.h>

#include "budget/limit.h"
#include "budget/reader.h"
#include "stats/sample.h"

/* ---- Machines ----------------------------------------------------------- */

static bool differ(const char *a, const char *b)
{
    return *a && *b && strcmp(a, b) != 0;
}

const char *tfp_machine_difference(const tfp_machine *a, const tfp_machine *b)
{
    if (differ(a->cpu, b->cpu))
        return "cpu";
    if (a->cores && b->cores && a->cores != b->cores)
        return "cores";
    if (differ(a->accelerators, b->accelerators))
        return "accelerators";
    return differ(a->versions, b->versions) ? "versions" : NULL;
}

/* ---- Rows --------------------------------------------------------------- */

tfp_baseline_row *tfp_baseline_add(tfp_baseline *baseline, tfp_budget_rows rows,
                                   const char *pattern, int metric)
{
    tfp_baseline_row row = { .rows = rows, .metric = metric };
    if (pattern) {
        size_t size = strlen(pattern) + 1;
        row.pattern = tfp_memory_alloc(baseline->memory, size);
        if (!row.pattern)
            return NULL;
        memcpy(row.pattern, pattern, size);
    }
    if (!TFP_VEC_PUSH(baseline->memory, &baseline->rows, row)) {
        tfp_memory_free(baseline->memory, row.pattern);
        return NULL;
    }
    return &baseline->rows.data[baseline->rows.count - 1];
}

const tfp_baseline_row *tfp_baseline_find(const tfp_baseline *baseline,
                                          const tfp_budget *budget)
{
    for (size_t i = 0; i < baseline->rows.count; i++) {
        const tfp_baseline_row *row = &baseline->rows.data[i];
        if (row->metric == budget->metric && row->rows == budget->rows &&
            (row->rows == TFP_BUDGET_ALL ||
             !strcmp(row->pattern, budget->pattern)))
            return row;
    }
    return NULL;
}

void tfp_baseline_release(tfp_baseline *baseline)
{
    for (size_t i = 0; i < baseline->rows.count; i++) {
        tfp_memory_free(baseline->memory, baseline->rows.data[i].pattern);
        tfp_memory_free(baseline->memory, baseline->rows.data[i].values);
    }
    if (baseline->memory)
        TFP_VEC_RELEASE(baseline->memory, &baseline->rows);
}

/* ---- Reading ------------------------------------------------------------ */

#if defined(TFPROF_HAVE_JANSSON)

enum { MOST_ROWS = 10000 };

static int read_count(const tfp_budget_reader *r, const json_t *object,
                      const char *key, int64_t *out)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TFPROF_OK;
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return tfp_budget_reader_fail(
            r, "\"%s\" must be an integer of at least 0, found %s", key,
            tfp_budget_reader_shown(value).text);
    *out = json_integer_value(value);
    return TFPROF_OK;
}

/* A text of a machine, which may be empty. */
static int read_fact(const tfp_budget_reader *r, const json_t *object,
                     const char *key, char *out, size_t size)
{
    const json_t *value = json_object_get(object, key);
    if (!value)
        return TFPROF_OK;
    if (!json_is_string(value) || json_string_length(value) >= size)
        return tfp_budget_reader_fail(
            r, "\"%s\" must be a string of less than %zu bytes, found %s", key,
            size, tfp_budget_reader_shown(value).text);
    memcpy(out, json_string_value(value), json_string_length(value) + 1);
    return TFPROF_OK;
}

static int read_machine(const tfp_budget_reader *r, const json_t *tree,
                        tfp_machine *m)
{
    const json_t *object = json_object_get(tree, "machine");
    int status;
    if (!object)
        return TFPROF_OK;
    if (!json_is_object(object))
        return tfp_budget_reader_fail(r, "\"machine\" must be an object");
    status = read_fact(r, object, "cpu", m->cpu, sizeof(m->cpu));
    if (status == TFPROF_OK)
        status = read_count(r, object, "cores", &m->cores);
    if (status == TFPROF_OK)
        status = read_fact(r, object, "accelerators", m->accelerators,
                           sizeof(m->accelerators));
    if (status == TFPROF_OK)
        status = read_fact(r, object, "versions", m->versions,
                           sizeof(m->versions));
    return status;
}

static int read_rule(const tfp_budget_reader *r, const json_t *tree,
                     tfp_baseline *baseline)
{
    const char *of;
    int64_t runs = 0;
    int status = tfp_budget_reader_text(r, tree, "of", &of);
    if (status != TFPROF_OK)
        return status;
    if (of && strcmp(of, "median") != 0 && strcmp(of, "min") != 0)
        return tfp_budget_reader_fail(r, "\"of\" must be median or min");
    baseline->takes_minimum = of && !strcmp(of, "min");
    status = read_count(r, tree, "skip_steps", &baseline->skip_steps);
    if (status == TFPROF_OK)
        status = read_count(r, tree, "runs", &runs);
    baseline->runs = (size_t)runs;
    return status;
}

static int read_values(const tfp_budget_reader *r, const json_t *array,
                       tfp_baseline_row *row)
{
    size_t count = json_array_size(array);
    if (!json_is_array(array))
        return tfp_budget_reader_fail(r,
                                      "\"values\" must be an array of numbers");
    if (count > TFP_SAMPLE_MOST)
        return tfp_json_tree_fail(r->err, TFPROF_ERR_LIMIT, r->name,
                                  "row %zu: more than %d values", r->number,
                                  TFP_SAMPLE_MOST);
    row->values = tfp_memory_array(r->memory, count, sizeof(*row->values));
    if (!row->values)
        return tfp_fail_nomem(r->err);
    for (; row->count < count; row->count++) {
        const json_t *value = json_array_get(array, row->count);
        if (!json_is_number(value) ||
            fabs(json_number_value(value)) > TFP_BUDGET_VALUE_MOST)
            return tfp_budget_reader_fail(
                r, "value %zu must be a number from -1e19 to 1e19",
                row->count + 1);
        row->values[row->count] = json_number_value(value);
    }
    return TFPROF_OK;
}

static int read_row(const tfp_budget_reader *r, const json_t *object,
                    tfp_baseline *baseline)
{
    const json_t *partial = json_object_get(object, "partial");
    tfp_baseline_row *row;
    tfp_budget_rows rows;
    const char *pattern;
    int metric, status;
    if (!json_is_object(object))
        return tfp_budget_reader_fail(r, "must be an object");
    if (partial && !json_is_boolean(partial))
        return tfp_budget_reader_fail(r, "\"partial\" must be true or false");
    status = tfp_budget_reader_rows(r, object, &metric, &rows, &pattern);
    if (status != TFPROF_OK)
        return status;
    row = tfp_baseline_add(baseline, rows, pattern, metric);
    if (!row)
        return tfp_fail_nomem(r->err);
    row->is_partial = json_is_true(partial);
    return read_values(r, json_object_get(object, "values"), row);
}

static int read_all_rows(tfp_budget_reader *r, const json_t *array,
                         tfp_baseline *baseline)
{
    int status = TFPROF_OK;
    if (!json_is_array(array))
        return tfp_budget_reader_fail(r,
                                      "\"rows\" must be an array of objects");
    if (json_array_size(array) > MOST_ROWS)
        return tfp_json_tree_fail(r->err, TFPROF_ERR_LIMIT, r->name,
                                  "more than %d rows", MOST_ROWS);
    while (r->number < json_array_size(array) && status == TFPROF_OK) {
        const json_t *object = json_array_get(array, r->number++);
        status = read_row(r, object, baseline);
    }
    return status;
}

static int read_tree(tfp_budget_reader *r, const json_t *tree,
                     tfp_baseline *baseline)
{
    int status;
    if (!json_is_object(tree) || !json_object_get(tree, "tfprof_baseline"))
        return tfp_budget_reader_fail(
            r, "is not a baseline; write one with tfprof baseline");
    status = tfp_budget_reader_version(r, tree, "tfprof_baseline");
    if (status == TFPROF_OK)
        status = read_rule(r, tree, baseline);
    if (status == TFPROF_OK)
        status = read_machine(r, tree, &baseline->machine);
    if (status == TFPROF_OK)
        status = read_all_rows(r, json_object_get(tree, "rows"), baseline);
    return status;
}

int tfp_baseline_read(tfp_baseline *baseline, tfp_memory *memory, tfp_span json,
                      const char *name, tfprof_error *err)
{
    tfp_budget_reader r = {
        .memory = memory, .name = name, .item = "row", .err = err
    };
    json_t *tree;
    int status = tfp_json_tree_load(json, TFP_BASELINE_FILE_MOST, name, &tree,
                                    err);
    baseline->memory = memory;
    if (status != TFPROF_OK)
        return status;
    status = read_tree(&r, tree, baseline);
    json_decref(tree);
    return status;
}

#else

int tfp_baseline_read(tfp_baseline *baseline, tfp_memory *memory, tfp_span json,
                      const char *name, tfprof_error *err)
{
    (void)json;
    (void)name;
    baseline->memory = memory;
    return tfp_fail(
        err, TFPROF_ERR_OPTION, -1,
        "cannot read baselines: this tfprof was built without jansson");
}

#endif
