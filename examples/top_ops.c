/*
 * top_ops.c - print the ten most expensive operation types.
 *
 *     top_ops graph.pb [run_meta] [op_log] ...
 *
 * Shows time if the files contain run records, otherwise parameters: the option
 * `select` stays at "auto", and the program uses the metric of the view.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tfprof/tfprof.h>

enum { SHOWN = 10 };

/* The first metric that the view has. */
static tfprof_metric find_metric(const tfprof_view *view)
{
    int metric = 0;
    while (tfprof_metric_name((tfprof_metric)metric) &&
           !tfprof_view_has(view, (tfprof_metric)metric))
        metric++;
    return (tfprof_metric)metric;
}

/* The rows of an op view are operation types, sorted by the options. */
static void print_top(const tfprof_view *view)
{
    tfprof_metric metric = find_metric(view);
    int64_t sum = tfprof_view_sum(view, metric);
    tfprof_row row;
    printf("%-32s %14s %6s\n", "type", tfprof_metric_name(metric), "share");
    for (size_t i = 0; i < SHOWN && tfprof_view_row(view, i, &row) == 0; i++) {
        int64_t self = tfprof_view_self(view, i, metric);
        printf("%-32.*s %14" PRId64 " %5.1f%%\n", (int)row.name.size,
               row.name.data, self,
               sum > 0 ? 100.0 * (double)self / (double)sum : 0.0);
    }
}

static int show(tfprof_profile *profile, int count, char **paths,
                tfprof_error *err)
{
    tfprof_view *view;
    char select[32];
    int status = TFPROF_OK;
    for (int i = 0; i < count && status == TFPROF_OK; i++) {
        status = tfprof_profile_add_path(profile, paths[i], NULL, err);
        if (status != TFPROF_OK) /* messages do not include the path */
            fprintf(stderr, "%s: ", paths[i]);
    }
    /* "auto" has become the name of a metric, so rows can be sorted by it. */
    tfprof_profile_get(profile, "select", select, sizeof(select));
    if (status == TFPROF_OK)
        status = tfprof_profile_set(profile, "order_by", select, err);
    if (status == TFPROF_OK)
        status = tfprof_profile_view(profile, "op", &view, err);
    if (status == TFPROF_OK) {
        print_top(view);
        tfprof_view_free(view);
    }
    return status;
}

int main(int argc, char **argv)
{
    tfprof_profile *profile = tfprof_profile_new();
    tfprof_error err;
    int status;
    if (!profile || argc < 2) {
        fputs(profile ? "usage: top_ops FILE...\n" : "out of memory\n", stderr);
        tfprof_profile_free(profile);
        return EXIT_FAILURE;
    }
    status = show(profile, argc - 1, argv + 1, &err);
    if (status != TFPROF_OK)
        fprintf(stderr, "top_ops: %s\n", err.message);
    tfprof_profile_free(profile);
    return status == TFPROF_OK && fflush(stdout) == 0 ? EXIT_SUCCESS
                                                      : EXIT_FAILURE;
}
