/*
 * form.h - shapes in the making.
 *
 * What tfp_site_input() gives is borrowed from the model and may move when an
 * output is put. A form is a copy to be cut, joined and compared before it is
 * put. Whatever is asked of a form of unknown rank is unknown as well.
 *
 * Functions that return bool are false when the inputs cannot be such:
 * TensorFlow would not take the graph, and nothing is to be said of outputs.
 */
#ifndef TFP_OPS_FORM_H
#define TFP_OPS_FORM_H

#include "model/attrs.h"
#include "ops/fact/site.h"

typedef struct tfp_form {
    int rank; /* -1 when it is not known; then `at` is not set */
    int64_t at[TFP_MOST_RANK];
} tfp_form;

/* ---- Where forms come from ---------------------------------------------- */

void tfp_form_input(const tfp_site *site, size_t i, tfp_form *form);

/* An input that must have this rank: it has, even if its dims are unknown. */
bool tfp_form_input_of(const tfp_site *site, size_t i, int rank,
                       tfp_form *form);

/* One that has at least so many dims; its rank may stay unknown. */
bool tfp_form_input_from(const tfp_site *site, size_t i, int rank,
                         tfp_form *form);

/* Is input `i` of that rank, as far as is known? */
bool tfp_site_has_rank(const tfp_site *site, size_t i, int rank);

void tfp_form_unknown(tfp_form *form, int rank);
void tfp_form_vector(tfp_form *form, int64_t dim);

/* ---- Parts -------------------------------------------------------------- */

/* A dim; axes below 0 count from the end. */
int64_t tfp_form_dim(const tfp_form *form, int axis);

/* Drops dims at the end, or at the beginning. */
void tfp_form_drop_last(tfp_form *form, int count);
void tfp_form_drop_first(tfp_form *form, int count);

/* Adds dims at the end. */
void tfp_form_append(tfp_form *form, int64_t dim);
void tfp_form_join(tfp_form *form, const tfp_form *more);

/* Takes over what `other` knows. */
bool tfp_form_merge(tfp_form *form, const tfp_form *other);

/* The same for the dim at `axis`, which the form must have if its rank is
 * known. */
bool tfp_form_merge_dim(tfp_form *form, int axis, int64_t dim);

/* Stretches both to each other, into `out`. */
bool tfp_form_broadcast(const tfp_form *a, const tfp_form *b, tfp_form *out);

/* ---- Where they go ------------------------------------------------------ */

void tfp_site_put_form(tfp_site *site, size_t i, const tfp_form *form);

/* Output 0 is as input `i`, which must have this rank. */
void tfp_site_put_input_of(tfp_site *site, size_t i, int rank);

void tfp_site_put_vector(tfp_site *site, size_t i, int64_t dim);

/* The dim that the single element of input `i` says, or unknown. */
int64_t tfp_site_dim_value(const tfp_site *site, size_t i);

#endif
