/*
 * params.c - the parameters of a model: its variables.
 */
#include "ops/flops/params.h"

#include "base/intern.h"
#include "base/sort.h"
#include "model/model.h"
#include "proto/dtype.h"

/* ---- Sums --------------------------------------------------------------- */

static bool is_parameter(int32_t dtype)
{
    const tfp_dtype_facts *facts = tfp_dtype_find(dtype);
    switch (facts ? facts->dtype : 0) {
    case TFP_DT_QINT8:
    case TFP_DT_QUINT8:
    case TFP_DT_QINT16:
    case TFP_DT_QUINT16:
    case TFP_DT_QINT32: return true;
    default:
        return facts && (facts->form == TFP_FORM_REAL ||
                         facts->form == TFP_FORM_COMPLEX);
    }
}

static void add_to(tfp_param_sum *sum, const tfp_param *param)
{
    sum->count++;
    sum->elements = tfp_add_sat(sum->elements, param->elements);
    sum->bytes = tfp_add_sat(sum->bytes, param->bytes);
}

void tfp_param_measure(const tfp_params *p, tfp_param *param)
{
    const tfp_dtype_facts *facts = tfp_dtype_find(param->dtype);
    param->elements = tfp_dims_elements(
        tfp_dims_of(p->shapes->model, param->shape));
    param->counts = is_parameter(param->dtype);
    param->bytes = param->elements < 0 || !facts
                       ? -1
                       : tfp_mul_sat(param->elements, facts->size);
}

bool tfp_params_add(tfp_params *p, tfp_param param)
{
    tfp_param_measure(p, &param);
    return TFP_VEC_PUSH(p->memory, &p->list, param);
}

static void sum_up(tfp_params *p)
{
    for (size_t i = 0; i < p->list.count; i++) {
        const tfp_param *param = &p->list.data[i];
        if (param->elements < 0 || param->bytes < 0) {
            p->unknown++;
        } else if (!param->counts) {
            add_to(&p->state, param);
        } else {
            add_to(&p->all, param);
            add_to(&p->by_trainable[param->trainable], param);
        }
    }
}

/* ---- Order -------------------------------------------------------------- */

/* As the subject uses them, which is the order of its layers. */
static bool put_in_order(tfp_params *p)
{
    size_t count = p->list.count;
    size_t list_size = count * sizeof(tfp_param);
    size_t keys_size = 2 * count * sizeof(tfp_sort_item);
    tfp_sort_item *keys = tfp_memory_alloc(p->memory, keys_size);
    tfp_param *copy = tfp_memory_alloc(p->memory, list_size);
    bool ok = keys && copy && !tfp_watch_asks(&p->watch);
    if (ok && count > 0) {
        memcpy(copy, p->list.data, list_size);
        for (size_t i = 0; i < count; i++)
            keys[i] = (tfp_sort_item){
                (uint64_t)copy[i].instance << 32 | copy[i].node, (uint32_t)i
            };
        tfp_sort(keys, count, keys + count, NULL, NULL);
        for (size_t i = 0; i < count; i++)
            p->list.data[i] = copy[keys[i].index];
    }
    tfp_memory_free(p->memory, keys);
    tfp_memory_free(p->memory, copy);
    return ok;
}

/* ---- Life --------------------------------------------------------------- */

static int fail(const tfp_params *p, tfprof_error *err)
{
    return p->watch.cancelled ? tfp_fail_cancelled(err) : tfp_fail_nomem(err);
}

int tfp_params_init(tfp_params *p, tfp_shapes *shapes, tfp_memory *memory,
                    tfprof_error *err)
{
    *p = (tfp_params){ .memory = memory,
                       .shapes = shapes,
                       .watch = { .cancel = shapes->cancel } };
    if (!tfp_params_add_variables(p))
        return fail(p, err);
    if (p->list.count > 0)
        p->rule = shapes->request.signature != TFP_NO_ID ? TFP_PARAMS_SIGNATURE
                                                         : TFP_PARAMS_VARIABLES;
    else if (!tfp_params_add_captured(p))
        return fail(p, err);
    else if (p->list.count > 0)
        p->rule = TFP_PARAMS_CAPTURED;
    if (!tfp_params_add_constants(p) || (p->list.count > 0 && !put_in_order(p)))
        return fail(p, err);
    sum_up(p);
    return TFPROF_OK;
}

void tfp_params_release(tfp_params *p)
{
    TFP_VEC_RELEASE(p->memory, &p->list);
}
