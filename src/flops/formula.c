/*
 * formula.c - how much arithmetic an operation does.
 */
#include "flops/formula.h"

#include "proto/dtype.h"

#include "model/ids.h"

#include "base/intern.h"

#include "flops/rule.h"

const tfp_formula *const tfp_formula_families[] = {
    tfp_formulas_math,  tfp_formulas_linalg, tfp_formulas_nn,
    tfp_formulas_rnn,   tfp_formulas_image,  tfp_formulas_train,
    tfp_formulas_fused, tfp_formulas_calls,  NULL,
};

/* The line that all of tfp_ops_free have. */
static const tfp_formula free_of_work = { "", TFP_FREE, TFP_NONE };

void tfp_work_add(tfp_work *sum, const tfp_work *work, int64_t times)
{
    sum->float_ops = tfp_add_sat(sum->float_ops,
                                 tfp_mul_sat(times, work->float_ops));
    sum->int_ops = tfp_add_sat(sum->int_ops, tfp_mul_sat(times, work->int_ops));
    sum->macs = tfp_add_sat(sum->macs, tfp_mul_sat(times, work->macs));
}

/* ---- The formulas of a model -------------------------------------------- */

static bool note(tfp_formulas *f, const tfp_model *model, const char *op,
                 const tfp_formula *formula)
{
    tfp_string name = tfp_interner_find(&model->strings, tfp_span_of(op));
    size_t count = f->of.count;
    if (name == TFP_NO_ID)
        return true; /* no node is of that type */
    if (name >= count) {
        if (!TFP_VEC_RESERVE(f->memory, &f->of, name + 1 - count))
            return false;
        memset(f->of.data + count, 0, (name + 1 - count) * sizeof(*f->of.data));
        f->of.count = (size_t)name + 1;
    }
    f->of.data[name] = formula;
    return true;
}

static bool note_all(tfp_formulas *f, const tfp_model *model)
{
    for (size_t i = 0; tfp_formula_families[i]; i++) {
        for (const tfp_formula *row = tfp_formula_families[i]; row->op; row++) {
            if (!note(f, model, row->op, row))
                return false;
        }
    }
    for (size_t i = 0; tfp_ops_free[i]; i++) {
        if (!note(f, model, tfp_ops_free[i], &free_of_work))
            return false;
    }
    return true;
}

int tfp_formulas_init(tfp_formulas *f, const tfp_model *model,
                      tfp_memory *memory, tfprof_error *err)
{
    *f = (tfp_formulas){ .memory = memory };
    return note_all(f, model) ? TFPROF_OK : tfp_fail_nomem(err);
}

void tfp_formulas_release(tfp_formulas *f)
{
    TFP_VEC_RELEASE(f->memory, &f->of);
}

bool tfp_formulas_say_free(const tfp_formulas *f, tfp_string op)
{
    return op < f->of.count && f->of.data[op] == &free_of_work;
}

static const tfp_formula *find(const tfp_formulas *f, const tfp_site *site)
{
    tfp_string op = site->nodes->op[site->node];
    return op < f->of.count ? f->of.data[op] : NULL;
}

/* ---- Counting ----------------------------------------------------------- */

tfp_counted tfp_formula_upstream(const tfp_formulas *f, const tfp_site *site,
                                 int64_t *float_ops)
{
    const tfp_formula *formula = find(f, site);
    tfp_tally tally = { 0 };
    tfp_counted counted = TFP_COUNTED_NO_FORMULA;
    if (formula && formula->upstream.count)
        counted = formula->upstream.count(site, &formula->upstream, &tally);
    *float_ops = counted == TFP_COUNTED ? tally.ops : 0;
    return counted;
}

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
static tfp_counted put_work(const tfp_rule *rule, const tfp_site *site,
                            const tfp_tally *tally, tfp_work *work)
{
    int32_t type = element_type(site);
    const tfp_dtype_facts *facts = tfp_dtype_find(type);
    bool ints = rule->kind == TFP_WORK_INTS;
    if (rule->kind == TFP_WORK_BY_TYPE) {
        if (facts &&
            (facts->form == TFP_FORM_BOOL || facts->form == TFP_FORM_STRING ||
             facts->form == TFP_FORM_NONE))
            return TFP_COUNTED_FREE;
        ints = tfp_dtype_is_integer(type);
    }
    *(ints ? &work->int_ops : &work->float_ops) = tally->ops;
    work->macs = tally->macs;
    return TFP_COUNTED;
}

tfp_counted tfp_formula_full(const tfp_formulas *f, const tfp_site *site,
                             tfp_work *work)
{
    const tfp_formula *formula = find(f, site);
    const tfp_rule *rule = formula ? &formula->full : NULL;
    tfp_tally tally = { 0 };
    tfp_counted counted;
    *work = (tfp_work){ 0 };
    if (!rule || !rule->count)
        return tfp_shapes_function(site->shapes, site->nodes->op[site->node]) ==
                       TFP_NO_ID
                   ? TFP_COUNTED_NO_FORMULA
                   : TFP_COUNTED_CALL;
    counted = rule->count(site, rule, &tally);
    if (counted != TFP_COUNTED)
        return counted;
    if (tally.ops < 0) /* of attributes that cannot be */
        return TFP_COUNTED_UNKNOWN_SHAPE;
    return put_work(rule, site, &tally, work);
}
