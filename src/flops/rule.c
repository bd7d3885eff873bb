/*
 * rule.c - what formulas are made of.
 */
#include "flops/rule.h"

#include "shape/fact/site.h"

#include "shape/fact/fact.h"

#include "base/bytes.h"

__extension__ typedef unsigned __int128 wide;

/* ---- Sizes -------------------------------------------------------------- */

static bool elements_of(tfp_dims dims, int64_t *elements)
{
    *elements = tfp_dims_elements(dims);
    return *elements >= 0;
}

bool tfp_input_elements(const tfp_site *site, size_t i, int64_t *elements)
{
    return elements_of(tfp_site_input(site, i), elements);
}

bool tfp_output_elements(const tfp_site *site, size_t i, int64_t *elements)
{
    return elements_of(tfp_site_output(site, i), elements);
}

bool tfp_dims_product(tfp_dims dims, int first, int count, int64_t *product)
{
    *product = 1;
    if (dims.rank < 0 || first < 0 || count < 0 || count > dims.rank - first)
        return false;
    for (int i = first; i < first + count; i++) {
        if (dims.at[i] < 0)
            return false;
        *product = tfp_mul_sat(*product, dims.at[i]);
    }
    return true;
}

bool tfp_input_dim(const tfp_site *site, size_t i, int axis, int64_t *dim)
{
    tfp_dims dims = tfp_site_input(site, i);
    return tfp_dims_product(dims, axis < 0 ? dims.rank + axis : axis, 1, dim);
}

/* ---- Arithmetic --------------------------------------------------------- */

int64_t tfp_count_ratio(const int64_t *factors, size_t count, int64_t divisor)
{
    wide product = 1;
    bool large = false;
    for (size_t i = 0; i < count; i++) {
        if (factors[i] <= 0)
            return 0;
        large |= __builtin_mul_overflow(product, (wide)factors[i], &product);
    }
    product /= (uint64_t)divisor;
    return large || product > INT64_MAX ? INT64_MAX : (int64_t)product;
}

int64_t tfp_count_less(int64_t count, int64_t less)
{
    if (tfp_is_at_least(count))
        return count;
    return count > less ? count - less : 0;
}

void tfp_tally_macs(tfp_tally *tally, int64_t macs)
{
    tally->macs = tfp_add_sat(tally->macs, macs);
    tally->ops = tfp_add_sat(tally->ops, tfp_mul_sat(2, macs));
}

int64_t tfp_log2_ceil(int64_t n)
{
    int64_t bits = 0;
    while (bits < 62 && (INT64_C(1) << bits) < n)
        bits++;
    return bits + ((INT64_C(1) << bits) < n);
}

/* ---- Rules -------------------------------------------------------------- */

tfp_counted tfp_rule_input(const tfp_site *site, const tfp_rule *rule,
                           tfp_tally *tally)
{
    int64_t elements;
    if (!tfp_input_elements(site, rule->input, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(rule->factor, elements);
    return TFP_COUNTED;
}

tfp_counted tfp_rule_output(const tfp_site *site, const tfp_rule *rule,
                            tfp_tally *tally)
{
    int64_t elements;
    if (!tfp_output_elements(site, 0, &elements))
        return TFP_COUNTED_UNKNOWN_SHAPE;
    tally->ops = tfp_mul_sat(rule->factor, elements);
    return TFP_COUNTED;
}

tfp_counted tfp_count_reduced(const tfp_site *site, int64_t *all, int64_t *left)
{
    return tfp_input_elements(site, 0, all) &&
                   tfp_output_elements(site, 0, left)
               ? TFP_COUNTED
               : TFP_COUNTED_UNKNOWN_SHAPE;
}

tfp_counted tfp_rule_reduced(const tfp_site *site, const tfp_rule *rule,
                             tfp_tally *tally)
{
    int64_t all, left;
    tfp_counted counted = tfp_count_reduced(site, &all, &left);
    (void)rule;
    if (counted == TFP_COUNTED)
        tally->ops = tfp_count_less(all, left);
    return counted;
}

tfp_counted tfp_rule_free(const tfp_site *site, const tfp_rule *rule,
                          tfp_tally *tally)
{
    (void)site;
    (void)rule;
    (void)tally;
    return TFP_COUNTED_FREE;
}

tfp_counted tfp_rule_call(const tfp_site *site, const tfp_rule *rule,
                          tfp_tally *tally)
{
    (void)site;
    (void)rule;
    (void)tally;
    return TFP_COUNTED_CALL;
}
