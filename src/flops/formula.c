/*
 * formula.c - how much arithmetic an operation does.
 */
#include "flops/formula.h"

tfp_counted tfp_formula_upstream(const tfp_site *site, int64_t *float_ops)
{
    (void)site;
    *float_ops = 0;
    return TFP_COUNTED_NO_FORMULA;
}

tfp_counted tfp_formula_full(const tfp_site *site, tfp_work *work)
{
    (void)site;
    *work = (tfp_work){ 0 };
    return TFP_COUNTED_NO_FORMULA;
}
