/*
 * fuzz_flops.c - what `tfprof flops` answers about any graph.
 *
 * The first bytes say what is asked (head, below), the rest is a GraphDef or a
 * SavedModel. Holds that an answer can be read by those it is meant for, that
 * it is the same when asked for again, that a refusal says why, and that
 * nothing is kept. fuzz_shapes.c looks at what it is made of.
 */
#include <string.h>

#include <tfprof/tfprof.h>

#include "asking.h"
#include "check_output.h"
#include "fuzz.h"
#include "options/options.h"
#include "target.h"

/* seeds/shapes_seeds.py writes the same. */
enum head {
    LIST,  /* bits 0-2 the list, 3-4 the format, 5-6 the formulas, 7 batch */
    ORDER, /* bits 0-1 functions, 2-4 the sort, 5-6 depth and top, 7 shape */
    HEAD,
    MOST_MEMORY = 16 << 20
};

static const char *const formats[] = { "text", "json", "csv", "text" };
static const char *const depths[] = { "-1", "1", "2", "9" };
/* Those that flops takes; views have others. */
static const char *const sorts[] = { "auto",   "float_ops", "int_ops", "macs",
                                     "params", "nodes",     "name",    "macs" };
static const char *const tops[] = { "15", "1", "0", "2147483647" };

static void set_options(tfprof_profile *profile, const uint8_t *head)
{
    unsigned deep = head[ORDER] >> 5 & 3;
    fuzz_set_word(profile, "list", head[LIST] & 7);
    fuzz_set(profile, "format", formats[head[LIST] >> 3 & 3]);
    fuzz_set_word(profile, "formulas", head[LIST] >> 5 & 3);
    fuzz_set(profile, "batch", head[LIST] >> 7 ? "3" : "-1");
    fuzz_set_word(profile, "functions", head[ORDER] & 3);
    fuzz_set(profile, "sort", sorts[head[ORDER] >> 2 & 7]);
    fuzz_set(profile, "depth", depths[deep]);
    fuzz_set(profile, "top", tops[deep]);
    if (head[ORDER] >> 7) {
        fuzz_set(profile, "shape", "x=2x5x6x4,a=3x?,y=1x1");
        fuzz_set(profile, "trips", "while=7,cond=5,deep=2");
    }
}

/* Options are right, unless they name a node that is not there. */
static fuzz_answer ask(tfprof_profile *profile, bool names_nodes)
{
    fuzz_answer a = { 0 };
    tfprof_error err = { 0 };
    a.status = tfprof_profile_write_flops(profile, fuzz_keep, &a, &err);
    fuzz_check_status(a.status, &err);
    FUZZ_CHECK(names_nodes || a.status != TFPROF_ERR_OPTION);
    return a;
}

static void check_answer(const fuzz_answer *a, const char *format)
{
    tfp_span text = { a->data, a->size };
    FUZZ_CHECK(a->size > 0 && fuzz_is_printable(text));
    if (!strcmp(format, "json"))
        FUZZ_CHECK(fuzz_is_json(text));
    if (!strcmp(format, "csv"))
        FUZZ_CHECK(fuzz_is_table(text));
}

int fuzz_flops(const uint8_t *bytes, size_t size)
{
    size_t held = 0;
    tfprof_profile *profile;
    if (size < HEAD)
        return 0;
    profile = fuzz_profile_new(&held, MOST_MEMORY);
    set_options(profile, bytes);
    tfprof_profile_on_remark(profile, fuzz_check_line, NULL);
    if (tfprof_profile_add_memory(profile, "graph", bytes + HEAD, size - HEAD,
                                  "graph_path", NULL) == TFPROF_OK) {
        bool names_nodes = bytes[ORDER] >> 7;
        fuzz_answer first = ask(profile, names_nodes);
        fuzz_answer again = ask(profile, names_nodes);
        fuzz_check_again(&first, &again);
        if (first.status == TFPROF_OK)
            check_answer(&first, formats[bytes[LIST] >> 3 & 3]);
        free(first.data);
    }
    tfprof_profile_free(profile);
    FUZZ_CHECK(held == 0);
    return 0;
}
