/*
 * cancel.h - a question that somebody outside may take back.
 *
 * Long work asks between its steps, and inside those that may take long,
 * whether it is still wanted.
 */
#ifndef TFP_BASE_CANCEL_H
#define TFP_BASE_CANCEL_H

#include <stdbool.h>

#include "base/error.h"

typedef struct tfp_cancel {
    int (*asked)(void *context); /* not 0: stop. NULL: nobody will ask */
    void *context;
} tfp_cancel;

/* `cancel` may be NULL. */
static inline bool tfp_cancelled(const tfp_cancel *cancel)
{
    return cancel && cancel->asked && cancel->asked(cancel->context) != 0;
}

static inline int tfp_fail_cancelled(tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_CANCELLED, -1, "cancelled");
}

#endif
