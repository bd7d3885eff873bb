/*
 * findings.h - advice that a caller keeps.
 */
#ifndef TFP_API_FINDINGS_H
#define TFP_API_FINDINGS_H

#include "advise/advise.h"
#include "api/profile.h"
#include "base/cancel.h"

/* An empty one, which tfprof_advice_free() releases. */
int tfp_findings_new(const tfprof_profile *profile, tfprof_advice **kept,
                     tfprof_error *err);

/* Copies what was found into it. */
int tfp_findings_fill(tfprof_advice *kept, const tfp_advice *from,
                      const tfp_cancel *cancel, tfprof_error *err);

#endif
