/*
 * budgets.c - limits that a model or its runs must keep, read from JSON.
 */
#include "budget/budgets.h"

#include "base/json_tree.h"

#include "base/escape.h"

#include <string.h>

#include "budget/limit.h"
#include "budget/reader.h"

/* ---- Metrics and rows --------------------------------------------------- */

const char *const tfp_budget_rows_names[TFP_BUDGET_ROWS] = {
    [TFP_BUDGET_ALL] = "all",       [TFP_BUDGET_SCOPE] = "scope",
    [TFP_BUDGET_OP] = "op",         [TFP_BUDGET_CODE] = "code",
    [TFP_BUDGET_DEVICE] = "device",
};

const char *tfp_budget_metric_name(int metric)
{
    switch (metric) {
    case TFP_BUDGET_NODES: return "nodes";
    case TFP_BUDGET_MACS: return "macs";
    default:
        return tfp_budget_is_of_steps(metric)
                   ? tfp_step_metrics[metric - TFP_BUDGET_STEPS].name
                   : tfp_metrics[metric].name;
    }
}

int tfp_budget_metric_find(const char *word)
{
    for (int i = 0; i < TFP_BUDGET_METRICS; i++) {
        if (!strcmp(word, tfp_budget_metric_name(i)) ||
            (i < TFP_COST_COUNT && !strcmp(word, tfp_metrics[i].word)))
            return i;
    }
    return -1;
}

tfp_unit tfp_budget_metric_unit(int metric)
{
    if (tfp_budget_is_of_steps(metric))
        return TFP_UNIT_MICROS;
    return metric < TFP_COST_COUNT ? tfp_metrics[metric].unit : TFP_UNIT_COUNT;
}

bool tfp_budget_is_time(int metric)
{
    return tfp_budget_metric_unit(metric) == TFP_UNIT_MICROS;
}

void tfp_budgets_release(tfp_budgets *budgets)
{
    for (size_t i = 0; i < budgets->all.count; i++) {
        tfp_memory_free(budgets->memory, budgets->all.data[i].name);
        tfp_memory_free(budgets->memory, budgets->all.data[i].pattern);
    }
    if (budgets->memory)
        TFP_VEC_RELEASE(budgets->memory, &budgets->all);
}

/* ---- Reading ------------------------------------------------------------ */

#if defined(TFPROF_HAVE_JANSSON)

enum { SHOWN_KEY = 40 /* bytes of a key that a message repeats */ };

static int read_limit(const tfp_budget_reader *r, const json_t *object,
                      const char *key, tfp_unit unit, tfp_limit *out)
{
    const json_t *value = json_object_get(object, key);
    const char *mistake;
    if (!value)
        return TFPROF_OK;
    if (json_is_number(value))
        mistake = tfp_limit_of_number(json_number_value(value), out);
    else
        mistake = tfp_limit_parse(
            json_is_string(value) ? tfp_json_tree_text(value) : (tfp_span){ 0 },
            unit, out);
    return mistake
               ? tfp_budget_reader_fail(r, "\"%s\" %s, found %s", key, mistake,
                                        tfp_budget_reader_shown(value).text)
               : TFPROF_OK;
}

static int read_limits(const tfp_budget_reader *r, const json_t *object,
                       tfp_budget *budget)
{
    tfp_unit unit = tfp_budget_metric_unit(budget->metric);
    tfp_limit least = { 0 };
    int status = read_limit(r, object, "max", unit, &budget->max);
    if (status == TFPROF_OK)
        status = read_limit(r, object, "min", unit, &budget->min);
    if (status == TFPROF_OK)
        status = read_limit(r, object, "and_at_least", unit, &least);
    if (status != TFPROF_OK)
        return status;
    if (!budget->max.kind && !budget->min.kind)
        return tfp_budget_reader_fail(r, "has neither \"max\" nor \"min\"");
    if (least.kind > TFP_LIMIT_ABSOLUTE)
        return tfp_budget_reader_fail(
            r, "\"and_at_least\" must not have a sign or %%");
    budget->and_at_least = least.value;
    return TFPROF_OK;
}

static int check_keys(const tfp_budget_reader *r, json_t *object)
{
    static const char *const keys[] = { "name", "metric", "scope",
                                        "op",   "code",   "device",
                                        "max",  "min",    "and_at_least",
                                        NULL };
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        const char *const *known = keys;
        while (*known && strcmp(key, *known) != 0)
            known++;
        if (!*known)
            return tfp_budget_reader_fail(
                r,
                "unknown key \"%s\" (expected name, metric, scope, op, code, "
                "device, max, min or and_at_least)",
                tfp_shorten(tfp_span_of(key), SHOWN_KEY).text);
    }
    return TFPROF_OK;
}

/* A NULL text stays NULL. */
static bool copy(tfp_memory *memory, const char *text, char **out)
{
    size_t size = text ? strlen(text) + 1 : 0;
    if (!text)
        return true;
    *out = tfp_memory_alloc(memory, size);
    if (*out)
        memcpy(*out, text, size);
    return *out != NULL;
}

static int read_budget(const tfp_budget_reader *r, json_t *object,
                       tfp_budgets *budgets)
{
    tfp_budget budget = { 0 }, *added;
    const char *name, *pattern;
    int status;
    if (!json_is_object(object))
        return tfp_budget_reader_fail(
            r, "must be an object, such as {\"metric\": \"params\", \"max\": "
               "3600000}");
    status = check_keys(r, object);
    if (status == TFPROF_OK)
        status = tfp_budget_reader_text(r, object, "name", &name);
    if (status == TFPROF_OK)
        status = tfp_budget_reader_rows(r, object, &budget.metric, &budget.rows,
                                        &pattern);
    if (status == TFPROF_OK)
        status = read_limits(r, object, &budget);
    if (status != TFPROF_OK)
        return status;
    if (!TFP_VEC_PUSH(r->memory, &budgets->all, budget))
        return tfp_fail_nomem(r->err);
    added = &budgets->all.data[budgets->all.count - 1];
    return copy(r->memory, name, &added->name) &&
                   copy(r->memory, pattern, &added->pattern)
               ? TFPROF_OK
               : tfp_fail_nomem(r->err);
}

static int read_array(tfp_budget_reader *r, const json_t *array,
                      tfp_budgets *budgets)
{
    int status = TFPROF_OK;
    if (!json_is_array(array) || json_array_size(array) == 0)
        return tfp_budget_reader_fail(
            r, "\"budgets\" must be an array of at least one object");
    if (json_array_size(array) > TFP_BUDGETS_MOST)
        return tfp_json_tree_fail(r->err, TFPROF_ERR_LIMIT, r->name,
                                  "more than %d budgets", TFP_BUDGETS_MOST);
    while (r->number < json_array_size(array) && status == TFPROF_OK) {
        json_t *object = json_array_get(array, r->number++);
        status = read_budget(r, object, budgets);
    }
    return status;
}

static int read_tree(tfp_budget_reader *r, json_t *tree, tfp_budgets *budgets)
{
    static const char version[] = "tfprof_budgets";
    const char *key;
    json_t *value;
    int status = TFPROF_OK;
    if (!json_is_object(tree))
        return tfp_budget_reader_fail(
            r, "must be an object, such as {\"budgets\": [{\"metric\": "
               "\"params\", \"max\": 3600000}]}");
    if (json_object_get(tree, version))
        status = tfp_budget_reader_version(r, tree, version);
    if (status != TFPROF_OK)
        return status;
    json_object_foreach(tree, key, value)
    {
        if (strcmp(key, "budgets") != 0 && strcmp(key, version) != 0)
            return tfp_budget_reader_fail(
                r, "unknown key \"%s\" (expected budgets or tfprof_budgets)",
                tfp_shorten(tfp_span_of(key), SHOWN_KEY).text);
    }
    value = json_object_get(tree, "budgets");
    return value ? read_array(r, value, budgets)
                 : tfp_budget_reader_fail(r, "has no \"budgets\"");
}

int tfp_budgets_read(tfp_budgets *budgets, tfp_memory *memory, tfp_span json,
                     const char *name, tfprof_error *err)
{
    tfp_budget_reader r = {
        .memory = memory, .name = name, .item = "budget", .err = err
    };
    json_t *tree;
    int status = tfp_json_tree_load(json, TFP_BUDGET_FILE_MOST, name, &tree,
                                    err);
    budgets->memory = memory;
    if (status != TFPROF_OK)
        return status;
    status = read_tree(&r, tree, budgets);
    json_decref(tree);
    return status;
}

#else

int tfp_budgets_read(tfp_budgets *budgets, tfp_memory *memory, tfp_span json,
                     const char *name, tfprof_error *err)
{
    (void)json;
    (void)name;
    budgets->memory = memory;
    return tfp_fail(
        err, TFPROF_ERR_OPTION, -1,
        "cannot read budgets: this tfprof was built without jansson");
}

#endif
