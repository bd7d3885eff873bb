/*
 * cancel.h - a question that somebody outside may take back.
 *
 * Long work asks between its steps, and inside those that may take long,
 * whether it is still wanted.
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

/* For loops over much that write nothing: they ask now and then, and remember
 * the answer, since it may be given only once. */
typedef struct tfp_watch {
    const tfp_cancel *cancel; /* may be NULL */
    size_t rounds;
    bool cancelled;
} tfp_watch;

static inline bool tfp_watch_asks(tfp_watch *watch)
{
    watch->cancelled = watch->cancelled || tfp_cancelled(watch->cancel);
    return watch->cancelled;
}

/* Called in each round. */
static inline bool tfp_watch_ends(tfp_watch *watch)
{
    enum { ROUNDS_BETWEEN_ASKS = 1 << 12 };
    return ++watch->rounds % ROUNDS_BETWEEN_ASKS == 0 ? tfp_watch_asks(watch)
                                                      : watch->cancelled;
}

static inline int tfp_fail_cancelled(tfprof_error *err)
{
    return tfp_fail(err, TFPROF_ERR_CANCELLED, -1, "canceled");
}

#endif
