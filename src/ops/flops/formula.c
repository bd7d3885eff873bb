/*
 * formula.c - how much arithmetic an operation does.
 *
 * The formula of a row is one or more parts, with semicolons between them:
 *
 *     "#x0"                          counts operations of the elements' type
 *     "macs: A"                      the same as "macs: A; ops: 2 * macs"
 *     "macs: A; int_ops: 2 * macs"   keys are those of a user's file
 *     "by einsum", "macs: A; by fused_ops"  calls a function of
 *                                    formula_functions.c
 *     "free"                         does no arithmetic
 *
 * That of TensorFlow's profiler is one part. Words in front of it are what must
 * hold: "x0 x1: A" (these shapes are known in full), "nhwc: A" (the layout).
 */
#include "ops/flops/formula.h"

#include <assert.h>
#include <string.h>

#include "base/bytes.h"
#include "base/intern.h"
#include "model/attrs.h"
#include "model/model.h"
#include "ops/flops/expression_code.h"
#include "ops/flops/formula_file.h"
#include "proto/dtype.h"

struct tfp_counter {
    uint8_t answer; /* tfp_counted of all nodes, or TFP_COUNTED: count them */
    bool has_upstream;
    uint8_t needs;           /* enum need: of upstream */
    const tfp_formula *full; /* `own`, or that of a user */
    tfp_formula own, upstream;
};

enum need { NEEDS_X0 = 1, NEEDS_X1 = 2, NEEDS_Y0 = 4, NEEDS_NHWC = 8 };

const char *const tfp_count_names[TFP_COUNTS] = {
    [TFP_COUNT_MACS] = "macs",
    [TFP_COUNT_OPS] = "ops",
    [TFP_COUNT_FLOAT_OPS] = "float_ops",
    [TFP_COUNT_INT_OPS] = "int_ops",
};

void tfp_work_add(tfp_work *sum, const tfp_work *work, int64_t times)
{
    sum->float_ops = tfp_add_sat(sum->float_ops,
                                 tfp_mul_sat(times, work->float_ops));
    sum->int_ops = tfp_add_sat(sum->int_ops, tfp_mul_sat(times, work->int_ops));
    sum->macs = tfp_add_sat(sum->macs, tfp_mul_sat(times, work->macs));
}

/* ---- A node as expressions see it --------------------------------------- */

static const int64_t *find_dims(const void *site, tfp_side side, uint32_t index,
                                int *rank)
{
    tfp_dims dims = side == TFP_SIDE_INPUT ? tfp_site_input(site, index)
                                           : tfp_site_output(site, index);
    *rank = dims.rank;
    return dims.at;
}

static tfp_items_kind kind_of(uint32_t attr_kind)
{
    switch (attr_kind) {
    case TFP_ATTR_INT:
    case TFP_ATTR_BOOL:
    case TFP_ATTR_TYPE: return TFP_ITEMS_INT;
    case TFP_ATTR_FLOAT: return TFP_ITEMS_FLOAT;
    case TFP_ATTR_STRING: return TFP_ITEMS_TEXT;
    default: return TFP_ITEMS_OTHER;
    }
}

static bool find_attr(const void *context, tfp_span name, tfp_items *items)
{
    const tfp_site *site = context;
    tfp_string key = tfp_interner_find(&site->model->strings, name);
    const tfp_attr *attr = key == TFP_NO_ID
                               ? NULL
                               : tfp_attrs_find(site->model,
                                                site->nodes->attrs[site->node],
                                                key);
    if (!attr)
        return false;
    *items = (tfp_items){ .at = &attr->value,
                          .count = 1,
                          .kind = kind_of(attr->kind &
                                          ~(uint32_t)TFP_ATTR_LIST),
                          .is_list = attr->kind & TFP_ATTR_LIST };
    if (items->is_list)
        items->at = tfp_list_items(site->model, (tfp_list)attr->value,
                                   &items->count);
    return true;
}

static bool find_value(const void *site, uint32_t index, tfp_items *items)
{
    tfp_value value;
    if (!tfp_site_ints_value(site, index, &value))
        return false;
    *items = (tfp_items){ value.at, value.count, TFP_ITEMS_INT, true };
    return true;
}

static tfp_span find_text(const void *context, int64_t item)
{
    const tfp_site *site = context;
    return tfp_model_text(site->model, (tfp_string)item);
}

static tfp_expression_world world_of(const tfp_site *site)
{
    return (tfp_expression_world){ .context = site,
                                   .dims = find_dims,
                                   .attr = find_attr,
                                   .value = find_value,
                                   .text = find_text,
                                   .inputs = (int64_t)site->input_count,
                                   .controls = (int64_t)site->control_count };
}

/* ---- Counting ----------------------------------------------------------- */

/* The type of the elements that the arithmetic is done in. */
static int32_t element_type(const tfp_site *site)
{
    static const tfp_key keys[] = { TFP_KEY_T, TFP_KEY_dtype, TFP_KEY_Tcomplex,
                                    TFP_KEY_Treal };
    for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
        int32_t type = tfp_site_type(site, keys[i]);
        if (type != 0)
            return type;
    }
    return TFP_DT_FLOAT; /* what most operations have when they do not say */
}

/* Floats, integers, or neither: bools and strings do no arithmetic. */
static tfp_counted put_ops(const tfp_site *site, int64_t ops, tfp_work *work)
{
    int32_t type = element_type(site);
    const tfp_dtype_facts *facts = tfp_dtype_find(type);
    int64_t *sum = tfp_dtype_is_integer(type) ? &work->int_ops
                                              : &work->float_ops;
    if (facts &&
        (facts->form == TFP_FORM_BOOL || facts->form == TFP_FORM_STRING ||
         facts->form == TFP_FORM_NONE)) {
        *work = (tfp_work){ 0 };
        return TFP_COUNTED_FREE;
    }
    *sum = tfp_add_sat(*sum, ops);
    return TFP_COUNTED;
}

__attribute__((hot)) tfp_counted tfp_formula_count(const tfp_formula *f,
                                                   const tfp_site *site,
                                                   tfp_work *work)
{
    tfp_expression_world world = world_of(site);
    int64_t counts[TFP_COUNTS] = { 0 };
    tfp_tally tally;
    for (int i = 0; i < TFP_COUNTS; i++) {
        tfp_knowledge knowledge;
        if (f->of[i].code.count == 0)
            continue;
        knowledge = tfp_expression_evaluate(&f->of[i], &world, &counts[i]);
        if (knowledge == TFP_KNOWN_FREE)
            return TFP_COUNTED_FREE;
        /* Less than nothing is no count, whatever the formula meant. */
        if (knowledge != TFP_KNOWN || counts[i] < 0)
            return TFP_COUNTED_UNKNOWN_SHAPE;
        world.macs = counts[TFP_COUNT_MACS];
    }
    if (f->doubled)
        counts[f->doubled] = tfp_mul_sat(2, counts[TFP_COUNT_MACS]);
    tally = (tfp_tally){ counts[TFP_COUNT_OPS], counts[TFP_COUNT_MACS] };
    if (f->by) {
        tfp_counted counted = f->by(site, &tally);
        if (counted != TFP_COUNTED)
            return counted;
        if (tally.ops < 0)
            return TFP_COUNTED_UNKNOWN_SHAPE;
    }
    *work = (tfp_work){ .float_ops = counts[TFP_COUNT_FLOAT_OPS],
                        .int_ops = counts[TFP_COUNT_INT_OPS],
                        .macs = tally.macs };
    return f->by || f->doubled == TFP_COUNT_OPS ||
                   f->of[TFP_COUNT_OPS].code.count > 0
               ? put_ops(site, tally.ops, work)
               : TFP_COUNTED;
}

tfp_counted tfp_counter_full(const tfp_counter *c, const tfp_site *site,
                             tfp_work *work)
{
    *work = (tfp_work){ 0 };
    return c->answer == TFP_COUNTED ? tfp_formula_count(c->full, site, work)
                                    : (tfp_counted)c->answer;
}

/* An attribute that is not there is this layout. */
static bool is_nhwc(const tfp_site *site)
{
    return !tfp_site_attr(site, TFP_KEY_data_format, TFP_ATTR_STRING) ||
           tfp_span_is(tfp_site_string(site, TFP_KEY_data_format), "NHWC");
}

static bool lacks_needed(const tfp_counter *c, const tfp_site *site)
{
    return (c->needs & NEEDS_X0 && !tfp_dims_known(tfp_site_input(site, 0))) ||
           (c->needs & NEEDS_X1 && !tfp_dims_known(tfp_site_input(site, 1))) ||
           (c->needs & NEEDS_Y0 && !tfp_dims_known(tfp_site_output(site, 0)));
}

/* Is a tensor that the expression names not known in full? */
static bool lacks_shape(const tfp_expression *e, const tfp_site *site)
{
    for (size_t k = 0; k < e->code.count; k++) {
        const tfp_instruction *i = &e->code.data[k];
        if (i->code >= TFP_CODE_ELEMENTS && i->code <= TFP_CODE_PROD_AT &&
            !tfp_dims_known(i->side == TFP_SIDE_INPUT
                                ? tfp_site_input(site, (size_t)i->a)
                                : tfp_site_output(site, (size_t)i->a)))
            return true;
    }
    return false;
}

__attribute__((hot)) tfp_counted tfp_counter_upstream(const tfp_counter *c,
                                                      const tfp_site *site,
                                                      int64_t *float_ops)
{
    const tfp_expression *e = &c->upstream.of[TFP_COUNT_OPS];
    tfp_expression_world world;
    tfp_tally tally = { 0 };
    tfp_counted counted;
    *float_ops = 0;
    if (!c->has_upstream)
        return TFP_COUNTED_NO_FORMULA;
    if (c->needs & NEEDS_NHWC && !is_nhwc(site))
        return TFP_COUNTED_REFUSED;
    if (lacks_needed(c, site))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    if (c->upstream.by) {
        counted = c->upstream.by(site, &tally);
        *float_ops = tally.ops;
        return counted;
    }
    world = world_of(site);
    if (tfp_expression_evaluate(e, &world, float_ops) == TFP_KNOWN)
        return TFP_COUNTED;
    return lacks_shape(e, site) ? TFP_COUNTED_UNKNOWN_SHAPE
                                : TFP_COUNTED_NO_FORMULA;
}

/* ---- Compiling ---------------------------------------------------------- */

/* Drops a word at the start of a text. */
static bool skip(tfp_span *text, const char *word)
{
    size_t size = strlen(word);
    if (!tfp_span_starts(*text, word))
        return false;
    *text = (tfp_span){ text->data + size, text->size - size };
    return true;
}

/* One part of the formula of a row. */
static int compile_part(tfp_formula *f, tfp_memory *memory, tfp_span part)
{
    tfprof_error err;
    int count = TFP_COUNT_OPS, status;
    if (skip(&part, "by ")) {
        f->by = tfp_count_function(part);
        assert(f->by);
        return TFPROF_OK;
    }
    for (int i = 0; i < TFP_COUNTS; i++) {
        tfp_span rest = part;
        if (skip(&rest, tfp_count_names[i]) && skip(&rest, ":")) {
            count = i;
            part = rest;
        }
    }
    status = tfp_expression_compile(&f->of[count], memory, part, &err);
    assert(status == TFPROF_OK || status == TFPROF_ERR_NOMEM);
    return status;
}

static bool compile(tfp_formula *f, tfp_memory *memory, const char *text)
{
    const tfp_expression *of = f->of;
    int status;
    do {
        const char *end = strchr(text, ';');
        tfp_span part = { (const uint8_t *)text,
                          end ? (size_t)(end - text) : strlen(text) };
        status = compile_part(f, memory, part);
        text = end ? end + strspn(end, "; ") : NULL;
    } while (status == TFPROF_OK && text);
    if (of[TFP_COUNT_MACS].code.count > 0 &&
        of[TFP_COUNT_OPS].code.count == 0 &&
        of[TFP_COUNT_INT_OPS].code.count == 0)
        f->doubled = TFP_COUNT_OPS;
    return status == TFPROF_OK;
}

/* Reads "x0 nhwc: " and the like; what follows. */
static const char *read_needs(const char *text, uint8_t *needs)
{
    static const char *const words[] = { "x0", "x1", "y0", "nhwc" };
    const char *end = strchr(text, ':');
    tfp_span left = tfp_span_of(text);
    uint8_t found = 0;
    while (end && left.data != (const uint8_t *)end) {
        size_t k = 0;
        while (k < 4 && !skip(&left, words[k]))
            k++;
        if (k == 4)
            return text; /* the colon is that of "?:" */
        found |= (uint8_t)(1 << k);
        skip(&left, " ");
    }
    *needs = found;
    return end ? end + strspn(end, ": ") : text;
}

/* False when out of memory. */
static bool prepare(const tfp_formulas *f, tfp_string op, tfp_counter *c)
{
    const tfp_op *row = tfp_shapes_row(f->shapes, op);
    const char *full = row ? row->formula : NULL;
    if (f->user)
        c->full = tfp_user_formulas_find(f->user,
                                         tfp_model_text(f->shapes->model, op));
    if (row && row->upstream) {
        const char *text = read_needs(row->upstream, &c->needs);
        c->has_upstream = true;
        if (!compile(&c->upstream, f->memory, text))
            return false;
    }
    if (c->full)
        return true;
    c->full = &c->own;
    if (!full)
        c->answer = (row && row->kind >= TFP_OP_CALL) ||
                            tfp_shapes_function(f->shapes, op) != TFP_NO_ID
                        ? TFP_COUNTED_CALL
                        : TFP_COUNTED_NO_FORMULA;
    else if (strcmp(full, "free") == 0)
        c->answer = TFP_COUNTED_FREE;
    else
        return compile(&c->own, f->memory, full);
    return true;
}

bool tfp_counter_is_free(const tfp_counter *c)
{
    return c->answer == TFP_COUNTED_FREE && !c->has_upstream;
}

/* ---- Life --------------------------------------------------------------- */

void tfp_formula_release(tfp_formula *f, tfp_memory *memory)
{
    for (int i = 0; i < TFP_COUNTS; i++)
        tfp_expression_release(&f->of[i], memory);
}

static void release_counter(tfp_counter *c, tfp_memory *memory)
{
    if (c) {
        tfp_formula_release(&c->own, memory);
        tfp_formula_release(&c->upstream, memory);
    }
    tfp_memory_free(memory, c);
}

__attribute__((cold, noinline)) static const tfp_counter *add_counter(
    tfp_formulas *f, tfp_string op)
{
    size_t count = f->of.count;
    tfp_counter *c;
    if (op >= count) {
        if (!TFP_VEC_RESERVE(f->memory, &f->of, op + 1 - count))
            return NULL;
        memset(f->of.data + count, 0, (op + 1 - count) * sizeof(*f->of.data));
        f->of.count = (size_t)op + 1;
    }
    c = tfp_memory_zarray(f->memory, 1, sizeof(*c));
    if (c && !prepare(f, op, c)) {
        release_counter(c, f->memory);
        c = NULL;
    }
    f->of.data[op] = c;
    return c;
}

const tfp_counter *tfp_formulas_find(tfp_formulas *f, tfp_string op)
{
    return op < f->of.count && f->of.data[op] ? f->of.data[op]
                                              : add_counter(f, op);
}

void tfp_formulas_release(tfp_formulas *f)
{
    for (size_t i = 0; i < f->of.count; i++)
        release_counter(f->of.data[i], f->memory);
    TFP_VEC_RELEASE(f->memory, &f->of);
}
