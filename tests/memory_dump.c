/*
 * memory_dump.c - prints the pools of memory of all its arguments together,
 * for the test that works them out by other means.
 *
 * An argument that begins with "step=" asks for a step; after "estimate" no
 * records are gathered; any other is an input.
 * Lines of words with tabs between them:
 *
 *     pool     SOURCE PLACE NAME, then numbers: see print_pool()
 *     curve    its points
 *     live     BYTES REQUESTED COUNT HOLDER NAME TYPE REGION DTYPE DIMS
 *     scope    BYTES COUNT NAME, the first part of names
 *     type     BYTES COUNT NAME
 *     line     BYTES COUNT NAME LINE
 *     failed   MESSAGE
 *
 * Read by tests/cli/tables/test_memory_pools.py.
 */
#include <stdio.h>
#include <stdlib.h>

#include "input/kind/input.h"
#include "model/model.h"
#include "model/pools.h"

static tfp_model model;

static void print_text(tfp_span text)
{
    putchar('\t');
    fwrite(text.data, 1, text.size, stdout);
}

static void print_string(tfp_string string)
{
    print_text(tfp_model_text(&model, string));
}

static void print_pool(const tfp_pool *p)
{
    const int64_t numbers[] = {
        p->peak,        p->peak_at,       p->has_step ? p->step : -1,
        p->steps,       p->capacity,      p->reported_peak,
        p->reserved,    p->early,         p->early_count,
        p->unaccounted, p->missing_frees, p->allocations,
        p->frees,       p->odd_records,   p->unmatched_frees,
        p->first_at,    p->last_at,       p->open_outputs,
        p->persistent
    };
    printf("pool\t%d", (int)p->source);
    print_string(p->place);
    print_string(p->name);
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
        printf("\t%lld", (long long)numbers[i]);
    printf("\ncurve");
    for (size_t i = 0; i < p->points; i++)
        printf("\t%lld", (long long)p->curve[i]);
    putchar('\n');
}

static void print_live(const tfp_live *live)
{
    printf("live\t%lld\t%lld\t%lld\t%u", (long long)live->bytes,
           (long long)live->requested, (long long)live->count,
           (unsigned)live->kind.holder);
    print_string(live->kind.name);
    print_string(tfp_live_type(&model, &live->kind));
    print_string(live->kind.region);
    printf("\t%d", (int)live->kind.dtype);
    print_string(live->kind.dims);
    putchar('\n');
}

static void print_groups(const tfp_pool *pool, const char *word, tfp_live_by by)
{
    tfp_live_groups groups;
    if (tfp_live_groups_init(&groups, &model, pool, model.memory, by, 1,
                             NULL) != TFPROF_OK)
        exit(2);
    for (size_t i = 0; i < groups.groups.count; i++) {
        const tfp_live_group *group = &groups.groups.data[i];
        printf("%s\t%lld\t%lld", word, (long long)group->bytes,
               (long long)group->count);
        print_text(group->name);
        if (by == TFP_LIVE_BY_LINE)
            printf("\t%d", (int)group->line);
        putchar('\n');
    }
    tfp_live_groups_release(&groups);
}

static void print_use(int64_t step)
{
    tfp_memory_use use;
    if (tfp_memory_use_init(&use, &model, model.memory, step, NULL, NULL) !=
        TFPROF_OK)
        exit(2);
    for (size_t i = 0; i < use.pools.count; i++) {
        const tfp_pool *pool = use.pools.data[i];
        print_pool(pool);
        for (size_t k = 0; k < pool->live.count; k++)
            print_live(&pool->live.data[k]);
        print_groups(pool, "scope", TFP_LIVE_BY_SCOPE);
        print_groups(pool, "type", TFP_LIVE_BY_TYPE);
        print_groups(pool, "line", TFP_LIVE_BY_LINE);
    }
    tfp_memory_use_release(&use);
}

int main(int argc, char **argv)
{
    tfp_memory memory;
    tfp_input_context context = { .model = &model,
                                  .max_depth = 100,
                                  .max_input = INT64_MAX };
    int64_t step = -1;
    tfp_memory_init(&memory, NULL, NULL);
    if (!tfp_model_init(&model, &memory))
        return 2;
    model.gathers = TFP_GATHER_MEMORY;
    for (int k = 1; k < argc; k++) {
        tfp_input_request request = { .path = argv[k],
                                      .role = tfp_role_of_option(NULL) };
        tfprof_error err;
        if (!strncmp(argv[k], "step=", 5))
            step = strtoll(argv[k] + 5, NULL, 10);
        else if (!strcmp(argv[k], "estimate"))
            model.gathers = 0;
        else if (tfp_input_add_path(&context, &request, &err) != TFPROF_OK)
            printf("failed\t%s\n", err.message);
    }
    print_use(step);
    tfp_model_release(&model);
    return fflush(stdout) == 0 && memory.held == 0 ? 0 : 1;
}
