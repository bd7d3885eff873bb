/*
 * tree.c - visit the rows of the scope view.
 *
 *     tree graph.pb
 *
 * Prints the self and total parameters of each row, and then the path to the
 * largest scope: from each row to its largest child.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <tfprof/tfprof.h>

/* The first child of a row directly follows it; each further child starts where
 * the previous one ends. */
static size_t largest_child(const tfprof_view *view, size_t parent)
{
    size_t found = TFPROF_NO_ROW;
    int64_t most = 0;
    tfprof_row row, child;
    if (tfprof_view_row(view, parent, &row) != TFPROF_OK)
        return found;
    for (size_t i = parent + 1; i < row.end; i = child.end) {
        int64_t params = tfprof_view_total(view, i, TFPROF_METRIC_PARAMS);
        if (tfprof_view_row(view, i, &child) != TFPROF_OK)
            break;
        if (params > most) {
            most = params;
            found = i;
        }
    }
    return found;
}

static void print_row(const tfprof_view *view, size_t index,
                      const tfprof_row *row)
{
    tfprof_text shape = tfprof_view_fact(view, index, TFPROF_FACT_SHAPE);
    printf("%*s%.*s  self %" PRId64 "  total %" PRId64 "  %.*s\n",
           (int)row->depth * 2, "", (int)row->name.size, row->name.data,
           tfprof_view_self(view, index, TFPROF_METRIC_PARAMS),
           tfprof_view_total(view, index, TFPROF_METRIC_PARAMS),
           (int)shape.size, shape.data);
}

/* Rows are numbered from top to bottom, so one loop prints the tree. */
static void print_tree(const tfprof_view *view)
{
    tfprof_row row;
    for (size_t i = 0; tfprof_view_row(view, i, &row) == TFPROF_OK; i++)
        print_row(view, i, &row);
}

static void print_way_down(const tfprof_view *view)
{
    tfprof_row row;
    puts("\nthe way down:");
    for (size_t i = 0; tfprof_view_row(view, i, &row) == TFPROF_OK;
         i = largest_child(view, i))
        print_row(view, i, &row);
}

/* Options are set by name, and a view is requested by name. */
static int make_view(const char *path, tfprof_view **view, tfprof_error *err)
{
    static const char *const options[][2] = { { "select", "params" },
                                              { "order_by", "params" },
                                              { "max_depth", "1000" } };
    tfprof_profile *profile = tfprof_profile_new();
    int status = tfprof_profile_add_path(profile, path, "graph_path", err);
    for (size_t i = 0; i < 3 && status == TFPROF_OK; i++)
        status = tfprof_profile_set(profile, options[i][0], options[i][1], err);
    if (status == TFPROF_OK)
        status = tfprof_profile_view(profile, "scope", view, err);
    tfprof_profile_free(profile); /* the view does not depend on it */
    return status;
}

int main(int argc, char **argv)
{
    tfprof_view *view;
    tfprof_error err;
    if (argc != 2) {
        fputs("usage: tree GRAPH\n", stderr);
        return EXIT_FAILURE;
    }
    if (make_view(argv[1], &view, &err) != TFPROF_OK) {
        fprintf(stderr, "tree: %s: %s\n", argv[1], err.message);
        return EXIT_FAILURE;
    }
    print_tree(view);
    print_way_down(view);
    tfprof_view_free(view);
    return fflush(stdout) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
