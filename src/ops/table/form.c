/*
 * form.c - shapes in the making.
 */
#include "ops/table/form.h"

#include "model/attrs.h"
#include "ops/table/common.h"

/* ---- Where forms come from ---------------------------------------------- */

void tfp_form_input(const tfp_site *site, size_t i, tfp_form *form)
{
    tfp_dims dims = tfp_site_input(site, i);
    form->rank = dims.rank > TFP_MOST_RANK ? -1 : dims.rank;
    if (form->rank > 0)
        memcpy(form->at, dims.at, (size_t)form->rank * sizeof(*form->at));
}

bool tfp_form_input_of(const tfp_site *site, size_t i, int rank, tfp_form *form)
{
    tfp_form_input(site, i, form);
    if (form->rank < 0)
        tfp_form_unknown(form, rank);
    return form->rank == rank;
}

bool tfp_form_input_from(const tfp_site *site, size_t i, int rank,
                         tfp_form *form)
{
    tfp_form_input(site, i, form);
    return form->rank < 0 || form->rank >= rank;
}

bool tfp_site_has_rank(const tfp_site *site, size_t i, int rank)
{
    int actual = tfp_site_input(site, i).rank;
    return actual < 0 || actual == rank;
}

void tfp_form_unknown(tfp_form *form, int rank)
{
    form->rank = rank > TFP_MOST_RANK ? -1 : rank;
    for (int i = 0; i < form->rank; i++)
        form->at[i] = TFP_DIM_UNKNOWN;
}

void tfp_form_vector(tfp_form *form, int64_t dim)
{
    form->rank = 1;
    form->at[0] = dim;
}

/* ---- Parts -------------------------------------------------------------- */

int64_t tfp_form_dim(const tfp_form *form, int axis)
{
    if (axis < 0)
        axis += form->rank;
    return axis >= 0 && axis < form->rank ? form->at[axis] : TFP_DIM_UNKNOWN;
}

void tfp_form_drop_last(tfp_form *form, int count)
{
    if (form->rank >= 0)
        form->rank = form->rank > count ? form->rank - count : 0;
}

void tfp_form_drop_first(tfp_form *form, int count)
{
    if (count > form->rank)
        count = form->rank;
    if (form->rank < 0)
        return;
    form->rank -= count;
    memmove(form->at, form->at + count, (size_t)form->rank * sizeof(*form->at));
}

void tfp_form_append(tfp_form *form, int64_t dim)
{
    if (form->rank < 0 || form->rank == TFP_MOST_RANK)
        form->rank = -1;
    else
        form->at[form->rank++] = dim;
}

void tfp_form_join(tfp_form *form, const tfp_form *more)
{
    if (form->rank < 0 || more->rank < 0 ||
        form->rank + more->rank > TFP_MOST_RANK) {
        form->rank = -1;
        return;
    }
    memcpy(form->at + form->rank, more->at,
           (size_t)more->rank * sizeof(*form->at));
    form->rank += more->rank;
}

bool tfp_form_merge(tfp_form *form, const tfp_form *other)
{
    if (other->rank < 0)
        return true;
    if (form->rank < 0) {
        form->rank = other->rank;
        memcpy(form->at, other->at, (size_t)other->rank * sizeof(*form->at));
        return true;
    }
    if (form->rank != other->rank)
        return false;
    for (int i = 0; i < form->rank; i++) {
        if (!tfp_dim_merge(form->at[i], other->at[i], &form->at[i]))
            return false;
    }
    return true;
}

bool tfp_form_merge_dim(tfp_form *form, int axis, int64_t dim)
{
    if (form->rank < 0)
        return true;
    if (axis < 0)
        axis += form->rank;
    return axis >= 0 && axis < form->rank &&
           tfp_dim_merge(form->at[axis], dim, &form->at[axis]);
}

bool tfp_form_broadcast(const tfp_form *a, const tfp_form *b, tfp_form *out)
{
    out->rank = tfp_broadcast((tfp_dims){ a->rank, a->at },
                              (tfp_dims){ b->rank, b->at }, out->at);
    return out->rank >= -1;
}

/* ---- Where they go ------------------------------------------------------ */

void tfp_site_put_form(tfp_site *site, size_t i, const tfp_form *form)
{
    tfp_site_put(site, i, form->at, form->rank);
}

void tfp_site_put_input_of(tfp_site *site, size_t i, int rank)
{
    tfp_form out;
    if (tfp_form_input_of(site, i, rank, &out))
        tfp_site_put_form(site, 0, &out);
}

void tfp_site_put_vector(tfp_site *site, size_t i, int64_t dim)
{
    tfp_site_put(site, i, &dim, 1);
}

int64_t tfp_site_dim_value(const tfp_site *site, size_t i)
{
    int64_t dim;
    return tfp_site_int_value(site, i, &dim) && dim >= 0 ? dim
                                                         : TFP_DIM_UNKNOWN;
}
