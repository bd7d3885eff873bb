/*
 * small_kernels.c - SmallKernelChecker: kernels that are shorter than it takes
 * to launch them.
 *
 * A row of the table of kernels is small when its kernels are so on average.
 * All figures are sums of such rows.
 */
#include "advise/inquiry.h"
#include "base/bytes.h"
#include "base/cancel.h"
#include "base/error.h"
#include "base/intern.h"
#include "base/memory.h"
#include "model/gathered.h"
#include "model/model.h"
#include "model/times.h"

enum {
    /* Microseconds: a launch takes the host 3 to 10, so a device that runs
     * shorter kernels has to wait for the next. */
    SMALL = 10,
    LEAST_COUNT = 100, /* fewer cannot cost much */
    MOST_KERNELS = 50, /* percent of all launches */
    LEAST_TIME = 10    /* percent of the time of all kernels that the small ones
                        * or their launches take */
};

typedef struct sums {
    int64_t count, total, launch; /* launch: -1 when it is not known */
} sums;

static void add(sums *s, const tfp_kernel *kernel)
{
    s->count = tfp_add_sat(s->count, kernel->count);
    s->total = tfp_add_sat(s->total, kernel->total);
    if (kernel->launch >= 0)
        s->launch = tfp_add_sat(s->launch < 0 ? 0 : s->launch, kernel->launch);
}

static bool is_small(const tfp_kernel *kernel)
{
    return kernel->count > 0 &&
           kernel->total / kernel->count < (int64_t)SMALL * TFP_MICROSECOND;
}

static uint32_t member_of(const tfp_inquiry *q, const tfp_kernel *kernel)
{
    return tfp_inquiry_member(q, tfp_inquiry_gathered(q, kernel->node));
}

/* The member that launches most of them, and how many members do. */
static bool find_launcher(tfp_inquiry *q, uint32_t *launcher, int64_t *members)
{
    const tfp_gathered *g = &q->traces->gathered;
    int64_t *counts = tfp_memory_zarray(q->memory, q->census->members.count + 1,
                                        sizeof(*counts));
    if (!counts)
        return false;
    for (size_t i = 0; i < g->kernels.count && !tfp_watch_ends(&q->watch);
         i++) {
        const tfp_kernel *kernel = &g->kernels.data[i];
        uint32_t m = is_small(kernel) ? member_of(q, kernel) : TFP_NO_ID;
        if (m == TFP_NO_ID)
            continue;
        *members += counts[m] == 0;
        counts[m] = tfp_add_sat(counts[m], kernel->count);
    }
    /* Of equal ones the first by name. */
    for (uint32_t m = 0; m < q->census->members.count; m++) {
        uint32_t most = *launcher;
        if (counts[m] > 0 &&
            (most == TFP_NO_ID || counts[m] > counts[most] ||
             (counts[m] == counts[most] &&
              tfp_span_compare(tfp_inquiry_name(q, m),
                               tfp_inquiry_name(q, most)) < 0)))
            *launcher = m;
    }
    tfp_memory_free(q->memory, counts);
    return true;
}

/* Of kernels that are launched equally often the first by name. */
static bool is_oftener(const tfp_inquiry *q, const tfp_kernel *a,
                       const tfp_kernel *b)
{
    if (a->count != b->count)
        return a->count > b->count;
    return tfp_span_compare(tfp_inquiry_gathered(q, a->name),
                            tfp_inquiry_gathered(q, b->name)) < 0;
}

/* The kernel that a member launches most often, of the small ones. */
static tfp_span name_of(tfp_inquiry *q, uint32_t member)
{
    const tfp_gathered *g = &q->traces->gathered;
    const tfp_kernel *most = NULL;
    for (size_t i = 0; i < g->kernels.count && !tfp_watch_ends(&q->watch);
         i++) {
        const tfp_kernel *kernel = &g->kernels.data[i];
        if (is_small(kernel) && (!most || is_oftener(q, kernel, most)) &&
            member_of(q, kernel) == member)
            most = kernel;
    }
    return most ? tfp_inquiry_gathered(q, most->name) : (tfp_span){ 0 };
}

static int tell(tfp_inquiry *q, const sums *small, const sums *all,
                tfprof_error *err)
{
    tfp_finding found = { .kind = TFP_FINDING_SMALL,
                          .accelerator_micros = small->total,
                          .micros = small->total,
                          .whole_micros = all->total,
                          .count = small->count,
                          .whole_count = all->count,
                          .launch_micros = small->launch,
                          .hint = "jit_compile=True or jax.jit to fuse them, "
                                  "larger batches, CUDA graphs" };
    uint32_t launcher = TFP_NO_ID;
    if (!find_launcher(q, &launcher, &found.node_count))
        return tfp_fail_nomem(err);
    found.name = name_of(q, launcher);
    return tfp_inquiry_tell_alone(q, found, launcher, err);
}

static int check(tfp_inquiry *q, tfprof_error *err)
{
    const tfp_gathered *g = &q->traces->gathered;
    sums small = { .launch = -1 }, all = { .launch = -1 };
    for (size_t i = 0; i < g->kernels.count && !tfp_watch_ends(&q->watch);
         i++) {
        add(&all, &g->kernels.data[i]);
        if (is_small(&g->kernels.data[i]))
            add(&small, &g->kernels.data[i]);
    }
    if (small.count < LEAST_COUNT ||
        !tfp_is_share(small.count, all.count, MOST_KERNELS) ||
        !(tfp_is_share(small.total, all.total, LEAST_TIME) ||
          tfp_is_share(small.launch, all.total, LEAST_TIME)))
        return TFPROF_OK;
    return tell(q, &small, &all, err);
}

const tfp_checker tfp_small_kernel_checker = {
    .name = "SmallKernelChecker",
    .needs_runs = true,
    .gathers = TFP_GATHER_KERNELS,
    .check = check,
};
