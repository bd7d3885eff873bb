/*
 * cancel.h - a question that somebody outside may take back.
 *
 * Long work asks now and then, about every tenth of a second, whether it is
 * still wanted. It then ends as it would without memory, with another code.
 */
#ifndef TFP_BASE_CANCEL_H
#define TFP_BASE_CANCEL_H

#include <stdbool.h>
#include <stddef.h>

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

/* The same from a loop: looks each time that `round` has come so far. */
static inline bool tfp_cancelled_at(const tfp_cancel *cancel, size_t round)
{
    enum { ROUNDS = 1 << 16 };
    return round % ROUNDS == 0 && tfp_cancelled(cancel);
}

static inline int tfp_fail_cancelled(tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_CANCELLED, -1, "cancelled");
}

#endif
