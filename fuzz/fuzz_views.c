/*
 * fuzz_views.c - one or two files of any kind, seen in a view of any sort.
 *
 * The first bytes say how to look (head, below), the rest is what is looked
 * at: a file, or two, so that run records and logs find their graph. Holds
 * that an answer can be read by those it is meant for, that it is the same
 * when asked for again, that the rows that a caller keeps are sound, that a
 * refusal says why, and that nothing is kept. A file for pprof is only
 * written.
 */
#include <string.h>

#include <tfprof/tfprof.h>

#include "api/profile.h"
#include "asking.h"
#include "check_output.h"
#include "check_rows.h"
#include "fuzz.h"
#include "model/costs.h"
#include "options/options.h"
#include "output/timeline/timeline.h"
#include "proto/schema.h"
#include "target.h"
#include "view/view.h"

/* seeds/views_seeds.py writes the same. */
enum head {
    LOOK,      /* bits 0-1 view, 2-3 format, 4 only displayed, 5 salvage,
                * 6 as a timeline, too, 7 as pprof */
    SELECT,    /* two bytes: a bit for each word; bit 15: auto */
    ORDER = 3, /* low half the order, high half the depth */
    MINIMUM,   /* low half which one, high half how much */
    STEP,      /* bits 0-1 which one, 2 text as a table, 3-4 how wide that is,
                * 7 pprof with all labels and samples */
    PATTERNS,  /* three bytes, half of one for each option */
    ROLES = 9, /* low half of the first file, high half of the second */
    SPLIT,     /* two bytes: how long the first file is */
    HEAD = 12,
    MOST_MEMORY = 8 << 20
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const char *const formats[] = { "text", "json", "csv", "proto" };
static const char *const depths[] = { "10", "1", "2",  "3",
                                      "5",  "0", "-1", "2147483647" };
static const char *const amounts[] = { "0",  "1",   "2",    "10",
                                       "40", "100", "4096", "-1" };
static const char *const steps[] = { "-1", "0", "1", "3" };
static const char *const widths[] = { "-1", "0", "1", "60" };
static const char *const roles[] = { NULL, "graph_path", "run_meta_path",
                                     "op_log_path", "profile_path" };
static const char *const pattern_options[] = {
    "account_type_regexes", "start_name_regexes", "trim_name_regexes",
    "show_name_regexes",    "hide_name_regexes",  "device_regexes",
};
static const char *const patterns[] = {
    NULL, /* the default */
    ".*",
    "",
    "scope,a",
    ".*/.*",
    "[^/]*",
    ".*(mul|w|x)",
    "_trainable_variables,MatMul",
    ".*gpu.*,.*cpu:0",
    ".*model\\.py:[0-9]+.*",
    "(?i).*GRAD.*",
    "_TFProfRoot,_kTFScopeParent",
    "(a|aa)+/?b*",
    ".",
};

/* ---- Options ------------------------------------------------------------ */

/* A bit for each word that upstream has, which keep their numbers in the
 * corpus; our own metrics go along with the time on CPUs. */
static void set_select(tfprof_profile *profile, unsigned mask)
{
    const tfprof_option *option = tfprof_option_find("select", NULL);
    char words[512] = "", word[64];
    size_t used = 0;
    unsigned upstream = TFP_UPSTREAM_COSTS, all = TFP_COST_COUNT;
    if (mask & 1u << 15 || mask == 0)
        return;
    for (unsigned at = 0; at < 15 + all - upstream; at++) {
        unsigned bit = at < all ? at : at - (all - upstream);
        if (!(mask >> (at >= upstream && at < all ? TFP_COST_CPU_MICROS : bit) &
              1))
            continue;
        fuzz_pick_word(option->values, at, word, sizeof(word));
        used += (size_t)snprintf(words + used, sizeof(words) - used, "%s%s",
                                 used ? "," : "", word);
    }
    fuzz_set(profile, "select", words);
}

/* The options that are minima, from 0 on. */
static const char *minimum_at(unsigned number)
{
    for (size_t i = 0; i < tfprof_option_count(); i++) {
        const char *name = tfprof_option_at(i)->name;
        if (!strncmp(name, "min_", 4) && number-- == 0)
            return name;
    }
    return NULL;
}

static void set_minimum(tfprof_profile *profile, unsigned byte)
{
    unsigned choice = (byte & 15) % (TFP_COST_COUNT + 1);
    if (choice > 0)
        fuzz_set(profile, minimum_at(choice - 1),
                 amounts[(byte >> 4) % COUNT(amounts)]);
}

static bool is_table(const uint8_t *head)
{
    return (head[LOOK] >> 2 & 3) == TFP_FORMAT_TEXT && head[STEP] >> 2 & 1;
}

static void set_options(tfprof_profile *profile, const uint8_t *head)
{
    fuzz_set_word(profile, "order_by", head[ORDER] & 15);
    fuzz_set(profile, "format",
             is_table(head) ? "table"
                            : formats[(head[LOOK] >> 2 & 3) % COUNT(formats)]);
    if (is_table(head))
        fuzz_set(profile, "width", widths[head[STEP] >> 3 & 3]);
    fuzz_set(profile, "account_displayed_op_only",
             head[LOOK] >> 4 & 1 ? "true" : "false");
    fuzz_set(profile, "salvage", head[LOOK] >> 5 & 1 ? "true" : "false");
    fuzz_set(profile, "max_depth", depths[(head[ORDER] >> 4) % COUNT(depths)]);
    fuzz_set(profile, "step", steps[head[STEP] % COUNT(steps)]);
    set_select(profile, head[SELECT] | (unsigned)head[SELECT + 1] << 8);
    set_minimum(profile, head[MINIMUM]);
    for (size_t i = 0; i < COUNT(pattern_options); i++) {
        unsigned half = head[PATTERNS + i / 2] >> 4 * (i % 2) & 15;
        const char *words = patterns[half % COUNT(patterns)];
        if (words)
            fuzz_set(profile, pattern_options[i], words);
    }
}

/* ---- Answers ------------------------------------------------------------ */

/* The number of the field that rows below a row stand in. */
static uint32_t children_of(const char *view)
{
    if (!view)
        return 0;
    return (tfp_view_find(view)->groups ? MultiGraphNodeProto_children
                                        : GraphNodeProto_children) >>
           3;
}

/* A view that is a chain puts tabs between input shapes; no other does. */
static void check_answer(fuzz_answer *a, const uint8_t *head, const char *view)
{
    tfp_span text = { a->data, a->size };
    size_t format = (head[LOOK] >> 2 & 3) % COUNT(formats);
    bool has_tabs = view && tfp_view_find(view)->is_chain &&
                    format == TFP_FORMAT_TEXT && !is_table(head) &&
                    head[SELECT + 1] & 1u << (12 - 8); /* input_shapes */
    FUZZ_CHECK(a->size > 0);
    if (format == TFP_FORMAT_PROTO) {
        FUZZ_CHECK(fuzz_is_message(text, children_of(view)));
        return;
    }
    if (format == TFP_FORMAT_JSON)
        FUZZ_CHECK(fuzz_is_json(text));
    if (format == TFP_FORMAT_CSV)
        FUZZ_CHECK(fuzz_is_table(text));
    for (size_t i = 0; has_tabs && i < a->size; i++)
        a->data[i] = a->data[i] == '\t' ? ' ' : a->data[i];
    FUZZ_CHECK(fuzz_is_printable(text));
}

/* `view` NULL asks for advice. */
static fuzz_answer ask(tfprof_profile *profile, const char *view)
{
    fuzz_answer a = { 0 };
    tfprof_error err = { 0 };
    a.status = view ? tfprof_profile_write_view(profile, view, fuzz_keep, &a,
                                                &err)
                    : tfprof_profile_write_advice(profile, fuzz_keep, &a, &err);
    fuzz_check_status(a.status, &err);
    FUZZ_CHECK(a.status != TFPROF_ERR_OPTION);
    return a;
}

/* ---- Timelines ---------------------------------------------------------- */

/* What the public function does, but for the file. */
static void draw(tfprof_profile *profile, const char *name)
{
    const tfp_view_type *type = tfp_view_find(name);
    tfp_options options = profile->options;
    tfp_timeline_notes notes = { 0 };
    const tfp_census *census;
    tfp_view view;
    tfp_sink sink;
    fuzz_answer a = { 0 };
    FUZZ_CHECK(tfp_profile_census(profile, &census, NULL) == TFPROF_OK);
    options.output.kind = TFP_OUTPUT_TIMELINE;
    if (type == &tfp_graph_view && options.step < 0)
        options.step = 0;
    a.status = tfp_view_init(&view, type, census, &options, NULL, NULL);
    if (a.status == TFPROF_OK) {
        tfp_sink_init(&sink, fuzz_keep, &a);
        a.status = tfp_timeline_write(&view, &notes, &sink, NULL);
        FUZZ_CHECK(tfp_sink_flush(&sink));
    }
    tfp_view_release(&view);
    if (a.status == TFPROF_OK)
        FUZZ_CHECK(fuzz_is_json((tfp_span){ a.data, a.size }));
    else
        FUZZ_CHECK(a.status == TFPROF_ERR_MISSING ||
                   a.status == TFPROF_ERR_LIMIT ||
                   a.status == TFPROF_ERR_NOMEM);
    free(a.data);
}

/* ---- Rows --------------------------------------------------------------- */

static void check_row(const tfprof_view *view, size_t index)
{
    tfprof_row row, parent;
    size_t count = tfprof_view_row_count(view);
    FUZZ_CHECK(tfprof_view_row(view, index, &row) == TFPROF_OK);
    FUZZ_CHECK(row.name.data && row.end > index && row.end <= count);
    for (int fact = 0; tfprof_fact_name((tfprof_fact)fact); fact++)
        FUZZ_CHECK(tfprof_view_fact(view, index, (tfprof_fact)fact).data);
    if (row.parent == TFPROF_NO_ROW)
        return;
    FUZZ_CHECK(row.parent < index);
    FUZZ_CHECK(tfprof_view_row(view, row.parent, &parent) == TFPROF_OK);
    FUZZ_CHECK(row.end <= parent.end && row.depth == parent.depth + 1);
}

/* A view that is kept fares as one that is written, the memory aside that its
 * rows take. */
static void walk(tfprof_profile *profile, const char *name, int status)
{
    tfprof_view *view;
    tfprof_error err = { 0 };
    int kept = tfprof_profile_view(profile, name, &view, &err);
    fuzz_check_status(kept, &err);
    FUZZ_CHECK(kept == status || kept == TFPROF_ERR_LIMIT ||
               status == TFPROF_ERR_LIMIT);
    FUZZ_CHECK((kept == TFPROF_OK) == (view != NULL));
    for (size_t i = 0; i < tfprof_view_row_count(view); i++)
        check_row(view, i);
    tfprof_view_free(view);
}

static void look(tfprof_profile *profile, const uint8_t *head, const char *view)
{
    fuzz_answer first = ask(profile, view), again = ask(profile, view);
    fuzz_check_again(&first, &again);
    if (view)
        walk(profile, view, first.status);
    if (view)
        fuzz_check_rows(profile, view, first.status);
    if (first.status == TFPROF_OK) {
        check_answer(&first, head, view);
        if (head[LOOK] >> 6 & 1 && view &&
            tfp_view_find(view)->timeline != TFP_TIMELINE_NONE)
            draw(profile, view);
    }
    free(first.data);
}

/* A sample has costs for values, not facts. */
static void write_pprof(tfprof_profile *profile, const uint8_t *head)
{
    unsigned costs = (1u << TFP_UPSTREAM_COSTS) - 1;
    fuzz_answer a;
    if (!(head[LOOK] >> 7 & 1))
        return;
    fuzz_set(profile, "select", "auto");
    set_select(profile,
               (head[SELECT] | (unsigned)head[SELECT + 1] << 8) & costs);
    fuzz_set(profile, "output",
             head[STEP] >> 7 & 1
                 ? "pprof:outfile=/dev/null,labels=all,samples=all"
                 : "pprof:outfile=/dev/null");
    a = ask(profile, tfprof_view_type(head[LOOK] & 3));
    FUZZ_CHECK(a.size == 0);
}

/* ---- Files -------------------------------------------------------------- */

static void add(tfprof_profile *profile, const char *name, unsigned role,
                tfp_span data)
{
    (void)tfprof_profile_add_memory(profile, name, data.data, data.size,
                                    roles[role % COUNT(roles)], NULL);
}

int fuzz_views(const uint8_t *bytes, size_t size)
{
    size_t held = 0, split;
    tfprof_profile *profile;
    tfp_span files;
    if (size < HEAD)
        return 0;
    files = (tfp_span){ bytes + HEAD, size - HEAD };
    profile = fuzz_profile_new(&held, MOST_MEMORY);
    set_options(profile, bytes);
    tfprof_profile_on_remark(profile, fuzz_check_line, NULL);
    split = bytes[SPLIT] | (size_t)bytes[SPLIT + 1] << 8;
    split = split < files.size ? split : files.size;
    add(profile, "first", bytes[ROLES] & 15, (tfp_span){ files.data, split });
    if (split < files.size)
        add(profile, "second", bytes[ROLES] >> 4,
            (tfp_span){ files.data + split, files.size - split });
    look(profile, bytes, tfprof_view_type(bytes[LOOK] & 3));
    if ((bytes[LOOK] >> 2 & 3) % COUNT(formats) != TFP_FORMAT_CSV)
        look(profile, bytes, NULL);
    write_pprof(profile, bytes);
    tfprof_profile_free(profile);
    FUZZ_CHECK(held == 0);
    return 0;
}
