/*
 * rows.c - the shown rows of a view, copied into columns.
 */
#include "output/view/rows.h"

#include "options/options.h"

#include "model/model.h"

#include <stdio.h>
#include <string.h>

#include "base/intern.h"
#include "model/times.h"
#include "output/view/row_facts.h"

const char *const tfp_fact_names[TFP_FACTS] = {
    [TFP_FACT_SHAPE] = "shape",
    [TFP_FACT_DEVICES] = "devices",
    [TFP_FACT_OP_TYPES] = "op_types",
    [TFP_FACT_INPUT_SHAPES] = "input_shapes",
    [TFP_FACT_VALUE_DTYPE] = "value_dtype",
    [TFP_FACT_VALUE_SHAPE] = "value_shape",
    [TFP_FACT_VALUE] = "value",
    [TFP_FACT_FILE] = "file",
    [TFP_FACT_FUNCTION] = "function",
    [TFP_FACT_SOURCE] = "source",
};

enum {
    ROWS_BETWEEN_ASKS = 1 << 14,
    PART_SIZE = 1 << 25 /* bytes of names and values that end a part */
};

typedef struct copier {
    tfp_rows *rows;
    const tfp_view *view;
    const tfp_shown *shown; /* without a root that is not shown */
    tfp_row_facts facts;
    tfp_utf8 text;                 /* of one fact */
    tfp_interner texts[TFP_FACTS]; /* all of them, until the last row */
    const tfp_kept_tensor *tensor; /* of the row at hand, or NULL */
    bool is_part;
    tfp_utf8 values; /* of a part: texts, one behind the other */
    bool failed;
} copier;

/* ---- Room --------------------------------------------------------------- */

static size_t bitmap_size(const tfp_rows *r)
{
    return r->count / 8 + 1;
}

static bool make_metric(tfp_rows *r, int metric)
{
    tfp_metric_column *m = &r->metrics[metric];
    m->self = tfp_memory_zarray(r->memory, r->count + 1, sizeof(*m->self));
    m->total = tfp_memory_zarray(r->memory, r->count + 1, sizeof(*m->total));
    return m->self && m->total;
}

/* For readers of Arrow: no whole number holds the times of traces. A trace that
 * has no times counts too, so that files of many traces have one schema. */
static bool has_real_times(const tfp_model *model)
{
    bool any = tfp_model_has_picos(model);
    for (size_t i = 0; !any && i < model->inputs.count; i++)
        any = model->inputs.data[i].trace.is_one;
    return any;
}

static bool make_micros(tfp_rows *r, tfp_cost cost)
{
    tfp_metric_column *m = &r->metrics[cost];
    if (tfp_metrics[cost].unit != TFP_UNIT_MICROS)
        return true;
    m->self_micros = tfp_memory_zarray(r->memory, r->count + 1, sizeof(double));
    m->total_micros = tfp_memory_zarray(r->memory, r->count + 1,
                                        sizeof(double));
    return m->self_micros && m->total_micros;
}

static bool make_metrics(tfp_rows *r, const tfp_view *v)
{
    bool is_real = has_real_times(v->model);
    bool ok = !v->definitions || make_metric(r, TFP_METRIC_DEFINED);
    r->costs = tfp_view_cost_columns(v);
    for (size_t i = 0; ok && i < r->costs.count; i++)
        ok = make_metric(r, (int)r->costs.costs[i]) &&
             (!is_real || make_micros(r, r->costs.costs[i]));
    return ok;
}

/* Are the texts of a fact kept by row? */
static bool is_by_row(const copier *c, int fact)
{
    return c->is_part && fact == TFP_FACT_VALUE;
}

static bool make_fact(copier *c, int fact)
{
    tfp_rows *r = c->rows;
    if (is_by_row(c, fact)) {
        r->facts[fact].starts = tfp_memory_zarray(r->memory, r->count + 1,
                                                  sizeof(int64_t));
        return r->facts[fact].starts &&
               TFP_VEC_RESERVE(r->memory, &c->values, 1);
    }
    r->facts[fact].ids = tfp_memory_zarray(r->memory, r->count + 1,
                                           sizeof(int32_t));
    return r->facts[fact].ids &&
           tfp_interner_init(&c->texts[fact], r->memory, 1, tfp_random_seed());
}

static bool make_facts(copier *c)
{
    const tfp_view *v = c->view;
    bool wanted[TFP_FACTS] = {
        [TFP_FACT_SHAPE] = v->select & TFP_SELECT_PARAMS && !v->type->groups,
        [TFP_FACT_DEVICES] = v->select & TFP_SELECT_DEVICE,
        [TFP_FACT_OP_TYPES] = v->select & TFP_SELECT_OP_TYPES,
        [TFP_FACT_INPUT_SHAPES] = v->select & TFP_SELECT_INPUT_SHAPES &&
                                  !v->type->groups,
        [TFP_FACT_VALUE_DTYPE] = tfp_view_has_values(v),
        [TFP_FACT_VALUE_SHAPE] = tfp_view_has_values(v),
        [TFP_FACT_VALUE] = tfp_view_has_values(v),
        [TFP_FACT_FILE] = v->type->has_lines,
        [TFP_FACT_FUNCTION] = v->type->has_lines,
        [TFP_FACT_SOURCE] = v->type->has_lines,
    };
    for (int fact = 0; fact < TFP_FACTS; fact++) {
        if (wanted[fact] && !make_fact(c, fact))
            return false;
    }
    return true;
}

/* One element more than rows, so that a view without rows has columns too. */
static bool make_columns(copier *c)
{
    tfp_rows *r = c->rows;
    const tfp_view *v = c->view;
    r->name_starts = tfp_memory_zarray(r->memory, r->count + 1,
                                       sizeof(*r->name_starts));
    r->parents = tfp_memory_zarray(r->memory, r->count + 1,
                                   sizeof(*r->parents));
    r->has_parent = tfp_memory_zarray(r->memory, bitmap_size(r), 1);
    r->ends = tfp_memory_zarray(r->memory, r->count + 1, sizeof(*r->ends));
    r->depths = tfp_memory_zarray(r->memory, r->count + 1, sizeof(*r->depths));
    r->accounted = tfp_memory_zarray(r->memory, bitmap_size(r), 1);
    r->nodes = tfp_memory_zarray(r->memory, r->count + 1, sizeof(*r->nodes));
    if (v->hidden)
        r->hidden = tfp_memory_zarray(r->memory, r->count + 1,
                                      sizeof(*r->hidden));
    if (v->top > 0)
        r->rest = tfp_memory_zarray(r->memory, r->count + 1, sizeof(*r->rest));
    if (v->type->has_lines)
        r->lines = tfp_memory_zarray(r->memory, r->count + 1,
                                     sizeof(*r->lines));
    return r->name_starts && r->parents && r->has_parent && r->ends &&
           r->depths && r->accounted && r->nodes && (r->hidden || !v->hidden) &&
           (r->rest || v->top <= 0) && (r->lines || !v->type->has_lines) &&
           TFP_VEC_RESERVE(r->memory, &r->names, 1) && make_metrics(r, v) &&
           make_facts(c);
}

/* ---- Text --------------------------------------------------------------- */

static void put_text(copier *c, tfp_utf8 *text, tfp_span name)
{
    c->failed |= !tfp_utf8_add(c->rows->memory, text, name);
}

/* ---- Rows --------------------------------------------------------------- */

/* The quotient is the double that is nearest to the time. */
static void put_micros(tfp_metric_column *m, size_t at, int64_t each)
{
    m->self_micros[at] = (double)m->self[at] / (double)each;
    m->total_micros[at] = (double)m->total[at] / (double)each;
}

static void put_metrics(copier *c, size_t at, uint32_t row)
{
    const tfp_view *v = c->view;
    tfp_metric_column *metrics = c->rows->metrics;
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (!metrics[cost].self)
            continue;
        metrics[cost].self[at] = tfp_row_self(v, row, (tfp_cost)cost);
        metrics[cost].total[at] = tfp_row_total(v, row, (tfp_cost)cost);
        if (metrics[cost].self_micros)
            put_micros(&metrics[cost], at,
                       TFP_MICROSECOND / c->rows->time_unit);
    }
    if (v->definitions) {
        tfp_metric_column *defined = &metrics[TFP_METRIC_DEFINED];
        defined->self[at] = (v->flags[row] & TFP_ROW_ACCOUNTED) != 0;
        defined->total[at] = v->definitions[row];
    }
}

static void put_names(copier *c, const tfp_string *names, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (names[i] == 0)
            continue;
        if (c->text.count > 0)
            put_text(c, &c->text, tfp_span_of("|"));
        put_text(c, &c->text, tfp_model_text(c->view->model, names[i]));
    }
}

static void put_value(copier *c, int fact)
{
    const tfp_kept_tensor *t = c->tensor;
    char size[24];
    if (!t)
        return;
    if (fact == TFP_FACT_VALUE_DTYPE)
        put_text(c, &c->text, tfp_span_of(t->dtype ? t->dtype : ""));
    else if (fact == TFP_FACT_VALUE)
        put_text(c, &c->text, (tfp_span){ t->text.data, t->text.count });
    for (size_t i = 0; fact == TFP_FACT_VALUE_SHAPE && i < t->rank; i++) {
        snprintf(size, sizeof(size), i ? "x%lld" : "%lld",
                 (long long)t->dims[i]);
        put_text(c, &c->text, tfp_span_of(size));
    }
}

static void put_fact(copier *c, int fact, uint32_t row)
{
    size_t count;
    const tfp_string *names;
    tfp_code_place source;
    tfp_row_source(c->view, row, &source);
    switch (fact) {
    case TFP_FACT_FILE: put_text(c, &c->text, source.file); break;
    case TFP_FACT_FUNCTION: put_text(c, &c->text, source.function); break;
    case TFP_FACT_SOURCE: put_text(c, &c->text, source.text); break;
    case TFP_FACT_VALUE_DTYPE:
    case TFP_FACT_VALUE_SHAPE:
    case TFP_FACT_VALUE: put_value(c, fact); break;
    case TFP_FACT_SHAPE:
        put_text(c, &c->text, tfp_row_shape(&c->facts, row));
        break;
    case TFP_FACT_DEVICES:
        names = tfp_row_devices(&c->facts, row, &count);
        put_names(c, names, count);
        break;
    case TFP_FACT_OP_TYPES:
        names = tfp_row_types(&c->facts, row, &count);
        put_names(c, names, count);
        break;
    default: put_text(c, &c->text, tfp_row_inputs(&c->facts, row, "|")); break;
    }
}

static void put_value_by_row(copier *c, size_t at)
{
    const tfp_kept_tensor *t = c->tensor;
    if (t)
        put_text(c, &c->values, (tfp_span){ t->text.data, t->text.count });
    c->rows->facts[TFP_FACT_VALUE].starts[at + 1] = (int64_t)c->values.count;
}

static void put_facts(copier *c, size_t at, uint32_t row)
{
    for (int fact = 0; fact < TFP_FACTS; fact++) {
        int32_t *ids = c->rows->facts[fact].ids;
        uint32_t id;
        if (is_by_row(c, fact) && c->rows->facts[fact].starts)
            put_value_by_row(c, at);
        if (!ids)
            continue;
        c->text.count = 0;
        put_fact(c, fact, row);
        id = tfp_intern_same(&c->texts[fact],
                             at > 0 ? (uint32_t)ids[at - 1] : 0,
                             (tfp_span){ c->text.data, c->text.count });
        c->failed |= id > INT32_MAX; /* TFP_NO_ID is */
        ids[at] = (int32_t)id;
    }
}

/* A part needs the tensor only until its facts are put. */
static void put_facts_of_part(copier *c, size_t at, uint32_t row)
{
    tfp_kept_tensor tensor;
    bool failed;
    c->tensor = NULL;
    if (!tfp_view_has_values(c->view)) {
        put_facts(c, at, row);
        return;
    }
    if (tfp_row_keep_value(c->view, row, c->rows->memory, &tensor, &failed))
        c->tensor = &tensor;
    c->failed |= failed;
    put_facts(c, at, row);
    tfp_kept_tensor_release(&tensor, c->rows->memory);
}

static void put_tensor(copier *c, size_t at, uint32_t row)
{
    tfp_rows *r = c->rows;
    tfp_kept_tensor tensor;
    bool failed,
        found = tfp_row_keep_value(c->view, row, r->memory, &tensor, &failed);
    c->tensor = NULL;
    tensor.at = at;
    if (found && TFP_VEC_PUSH(r->memory, &r->tensors, tensor)) {
        c->tensor = &r->tensors.data[r->tensors.count - 1];
        return;
    }
    tfp_kept_tensor_release(&tensor, r->memory);
    c->failed |= found || failed;
}

static void put_row(copier *c, size_t at)
{
    const tfp_view *v = c->view;
    tfp_rows *r = c->rows;
    uint32_t row = c->shown[at].row;
    tfp_code_place source;
    put_text(c, &r->names, tfp_row_name(&v->rows.data[row]));
    r->name_starts[at + 1] = (int64_t)r->names.count;
    r->depths[at] = v->type->is_chain ? 1 : (int32_t)c->shown[at].level;
    if (v->flags[row] & TFP_ROW_ACCOUNTED)
        r->accounted[at / 8] |= (uint8_t)(1u << at % 8);
    r->nodes[at] = tfp_row_nodes(v, row);
    if (r->rest)
        r->rest[at] = tfp_row_rest(v, row);
    if (v->hidden)
        r->hidden[at] = v->hidden[row];
    if (r->lines)
        r->lines[at] = tfp_row_source(v, row, &source) ? source.line : 0;
    put_metrics(c, at, row);
    if (c->is_part) {
        put_facts_of_part(c, at, row);
        return;
    }
    if (tfp_view_has_values(v))
        put_tensor(c, at, row);
    put_facts(c, at, row);
}

static bool is_large(const copier *c)
{
    return c->is_part && c->rows->names.count + c->values.count > PART_SIZE;
}

static int put_rows(copier *c, const tfp_cancel *cancel, tfprof_error *err)
{
    for (size_t at = 0; at < c->rows->count; at++) {
        if (at % ROWS_BETWEEN_ASKS == 0 && tfp_cancelled(cancel))
            return tfp_fail_cancelled(err);
        put_row(c, at);
        if (c->failed || c->facts.failed)
            return tfp_fail_nomem(err);
        if (is_large(c))
            c->rows->count = at + 1;
    }
    for (int cost = 0; cost < TFP_COST_COUNT; cost++) {
        if (c->rows->metrics[cost].self)
            c->rows->metrics[cost].sum = tfp_row_total(c->view, 0,
                                                       (tfp_cost)cost);
    }
    if (c->view->definitions)
        c->rows->metrics[TFP_METRIC_DEFINED].sum = c->view->definitions[0];
    return TFPROF_OK;
}

/* ---- Nesting ------------------------------------------------------------ */

/* The row above is known by its level: it is the last one before that stands
 * on the level above. `ends` serves to remember these until it is filled. */
static void nest(tfp_rows *r, const tfp_shown *shown)
{
    uint32_t *last = r->ends; /* by level; a level is less than its row + 1 */
    for (size_t i = 0; i < r->count; i++) {
        bool has_parent = !r->type->is_chain && shown[i].level > 0;
        r->parents[i] = has_parent ? last[shown[i].level - 1] : TFP_NO_ID;
        r->has_parent[i / 8] |= (uint8_t)(has_parent << i % 8);
        r->parents_count += has_parent;
        if (!r->type->is_chain)
            last[shown[i].level] = (uint32_t)i;
    }
    for (size_t i = 0; i < r->count; i++)
        r->ends[i] = (uint32_t)i + 1;
    for (size_t i = r->count; i-- > 0;) {
        if (r->parents[i] != TFP_NO_ID && r->ends[r->parents[i]] < r->ends[i])
            r->ends[r->parents[i]] = r->ends[i];
    }
}

/* ---- Texts of facts ----------------------------------------------------- */

/* One behind the other. Room for none is a byte, so that it has an address. */
static bool pack_texts(tfp_rows *r, tfp_fact_column *fact,
                       const tfp_interner *texts)
{
    size_t size = 0;
    fact->count = tfp_interner_count(texts);
    fact->starts = tfp_memory_zarray(r->memory, fact->count + 1,
                                     sizeof(*fact->starts));
    if (!fact->starts)
        return false;
    for (uint32_t i = 0; i < fact->count; i++) {
        size += tfp_interned(texts, i).size;
        fact->starts[i + 1] = (int64_t)size;
    }
    fact->bytes = tfp_memory_zarray(r->memory, size + 1, 1);
    for (uint32_t i = 0; fact->bytes && i < fact->count; i++) {
        tfp_span text = tfp_interned(texts, i);
        memcpy(fact->bytes + fact->starts[i], text.data, text.size);
    }
    return fact->bytes;
}

static int pack_facts(copier *c, tfprof_error *err)
{
    for (int fact = 0; fact < TFP_FACTS; fact++) {
        tfp_fact_column *column = &c->rows->facts[fact];
        if (column->ids && !pack_texts(c->rows, column, &c->texts[fact]))
            return tfp_fail_nomem(err);
        tfp_interner_release(&c->texts[fact]);
    }
    if (c->rows->facts[TFP_FACT_VALUE].starts && c->is_part) {
        c->rows->facts[TFP_FACT_VALUE].bytes = c->values.data;
        c->values = (tfp_utf8){ 0 };
    }
    return TFPROF_OK;
}

static void drop_fact(tfp_rows *r, tfp_fact_column *fact)
{
    tfp_memory_free(r->memory, fact->bytes);
    tfp_memory_free(r->memory, fact->starts);
    tfp_memory_free(r->memory, fact->ids);
}

/* ---- All of it ---------------------------------------------------------- */

static void copier_release(copier *c)
{
    tfp_row_facts_release(&c->facts);
    TFP_VEC_RELEASE(c->rows->memory, &c->text);
    TFP_VEC_RELEASE(c->rows->memory, &c->values);
    for (int fact = 0; fact < TFP_FACTS; fact++)
        tfp_interner_release(&c->texts[fact]);
}

size_t tfp_rows_of(const tfp_view *v)
{
    return v->shown_count - (v->type->is_chain && v->shown_count > 0 ? 1 : 0);
}

/* Copies `count` rows. */
static int copy_rows(copier *c, tfp_memory *memory, size_t count,
                     const tfp_cancel *cancel, tfprof_error *err)
{
    int status;
    *c->rows = (tfp_rows){ .memory = memory,
                           .type = c->view->type,
                           .time_unit = tfp_model_time_unit(c->view->model),
                           .count = count };
    status = make_columns(c) ? put_rows(c, cancel, err) : tfp_fail_nomem(err);
    if (status == TFPROF_OK)
        status = pack_facts(c, err);
    copier_release(c);
    return status;
}

/* The rows that are shown, without a root that is not. */
static const tfp_shown *shown_rows(const tfp_view *v)
{
    return v->shown + (v->shown_count - tfp_rows_of(v));
}

int tfp_rows_init_part(tfp_rows *r, tfp_memory *memory, const tfp_view *v,
                       size_t first, size_t most, tfp_sink *sink,
                       tfprof_error *err)
{
    copier c = {
        .rows = r, .view = v, .shown = shown_rows(v) + first, .is_part = true
    };
    tfp_row_facts_init(&c.facts, v);
    c.facts.sink = sink;
    return copy_rows(&c, memory, most, v->cancel, err);
}

int tfp_rows_init(tfp_rows *r, tfp_memory *memory, const tfp_view *v,
                  const tfp_cancel *cancel, tfprof_error *err)
{
    copier c = { .rows = r, .view = v, .shown = shown_rows(v) };
    int status;
    tfp_row_facts_init(&c.facts, v);
    status = copy_rows(&c, memory, tfp_rows_of(v), cancel, err);
    if (status == TFPROF_OK)
        nest(r, c.shown);
    return status;
}

void tfp_rows_release(tfp_rows *r)
{
    tfp_memory_free(r->memory, r->name_starts);
    tfp_memory_free(r->memory, r->parents);
    tfp_memory_free(r->memory, r->has_parent);
    tfp_memory_free(r->memory, r->ends);
    tfp_memory_free(r->memory, r->depths);
    tfp_memory_free(r->memory, r->accounted);
    tfp_memory_free(r->memory, r->nodes);
    tfp_memory_free(r->memory, r->hidden);
    tfp_memory_free(r->memory, r->rest);
    tfp_memory_free(r->memory, r->lines);
    for (int i = 0; i < TFP_METRICS; i++) {
        tfp_memory_free(r->memory, r->metrics[i].self);
        tfp_memory_free(r->memory, r->metrics[i].total);
        tfp_memory_free(r->memory, r->metrics[i].self_micros);
        tfp_memory_free(r->memory, r->metrics[i].total_micros);
    }
    for (int i = 0; i < TFP_FACTS; i++)
        drop_fact(r, &r->facts[i]);
    for (size_t i = 0; i < r->tensors.count; i++)
        tfp_kept_tensor_release(&r->tensors.data[i], r->memory);
    TFP_VEC_RELEASE(r->memory, &r->tensors);
    TFP_VEC_RELEASE(r->memory, &r->names);
}

const tfp_kept_tensor *tfp_rows_tensor(const tfp_rows *r, size_t row)
{
    size_t low = 0, high = r->tensors.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->tensors.data[middle].at < row)
            low = middle + 1;
        else
            high = middle;
    }
    return low < r->tensors.count && r->tensors.data[low].at == row
               ? &r->tensors.data[low]
               : NULL;
}
