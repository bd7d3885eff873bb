/*
 * fuzz_trace.c - any bytes as a trace, seen in every view, in every table or as
 * a timeline.
 *
 * The first byte says how to look (below), the rest is an XSpace. Holds that
 * an answer is JSON, or text that can be printed, that it is the same when
 * asked for again, that the rows that a caller keeps are sound, that a refusal
 * says why, and that nothing is kept.
 */
#include <stdlib.h>

#include <tfprof/tfprof.h>

#include "api/profile.h"
#include "asking.h"
#include "base/bytes.h"
#include "check_output.h"
#include "check_rows.h"
#include "fuzz.h"
#include "model/gathered.h"
#include "model/trace_events.h"
#include "options/options.h"
#include "output/timeline/timeline_events.h"
#include "target.h"
#include "view/view.h"

/* seeds/trace_seeds.py writes the same. */
enum head {
    SALVAGE = 1,
    IS_TEXT = 2,   /* the answers, not the trace */
    STEP = 4,      /* two bits */
    TABLES = 16,   /* these, not the views */
    BY = 32,       /* two bits, of tables */
    AS_TABLE = 32, /* of views: the text */
    DRAW = 128,    /* the timeline of the graph, before anything else */
    MOST_MEMORY = 8 << 20
};

static const char *const steps[] = { "-1", "0", "1", "7" };
static const char *const holders[] = { "node", "scope", "op", "line" };

/* tfprof_profile_write_view() or tfprof_profile_write_table(). */
typedef int write_fn(tfprof_profile *profile, const char *type,
                     tfprof_write_fn *write, void *context, tfprof_error *err);

/* The status of the answer. */
static int look(tfprof_profile *profile, write_fn *ask, const char *type,
                bool is_text)
{
    fuzz_answer first = { 0 }, again = { 0 };
    tfprof_error err = { 0 };
    first.status = ask(profile, type, fuzz_keep, &first, &err);
    fuzz_check_status(first.status, &err);
    FUZZ_CHECK(first.status != TFPROF_ERR_OPTION);
    again.status = ask(profile, type, fuzz_keep, &again, NULL);
    fuzz_check_again(&first, &again);
    if (first.status == TFPROF_OK) {
        tfp_span text = { first.data, first.size };
        FUZZ_CHECK(is_text ? fuzz_is_printable(text) : fuzz_is_json(text));
    }
    free(first.data);
    return first.status;
}

static void look_at_views(tfprof_profile *profile, bool is_text)
{
    const char *view;
    for (size_t i = 0; (view = tfprof_view_type(i)); i++)
        fuzz_check_rows(
            profile, view,
            look(profile, tfprof_profile_write_view, view, is_text));
}

static void look_at_tables(tfprof_profile *profile, bool is_text)
{
    for (size_t i = 0; tfprof_table_type(i); i++)
        (void)look(profile, tfprof_profile_write_table, tfprof_table_type(i),
                   is_text);
}

/* A trace in memory cannot be read again. */
static void expect_tables(tfprof_profile *profile)
{
    for (size_t i = 0; tfprof_table_type(i); i++)
        FUZZ_CHECK(tfprof_profile_expect(profile, tfprof_table_type(i), NULL) ==
                   TFPROF_OK);
}

/* ---- Timelines ---------------------------------------------------------- */

/* A trace, and how it is read. */
typedef struct trace {
    const uint8_t *bytes;
    size_t size;
    bool salvages;
} trace;

/* As from a file, which could be read again. */
static int give(void *self, const tfp_event_taker *taker, tfprof_error *err)
{
    const trace *t = self;
    size_t held = 0;
    tfprof_profile *profile = fuzz_profile_new(&held, MOST_MEMORY);
    int status;
    fuzz_set(profile, "salvage", t->salvages ? "true" : "false");
    profile->model.gathers = TFP_GATHER_STEPS | TFP_GATHER_MEMORY;
    profile->context.taker = taker;
    status = tfprof_profile_add_memory(profile, "host.xplane.pb", t->bytes,
                                       t->size, NULL, err);
    tfprof_profile_free(profile);
    FUZZ_CHECK(held == 0);
    return status == TFPROF_ERR_MALFORMED ? TFPROF_OK : status;
}

/* What the public function does, but for the file. */
static void draw(tfprof_profile *profile, const trace *t)
{
    tfp_options options = profile->options;
    tfp_timeline_notes notes = { 0 };
    trace own = *t;
    tfp_event_giver giver = { give, &own };
    const tfp_census *census;
    tfp_view view;
    tfp_sink sink;
    fuzz_answer a = { 0 };
    a.status = tfp_profile_census(profile, &census, NULL);
    if (a.status != TFPROF_OK)
        return;
    options.output.kind = TFP_OUTPUT_TIMELINE;
    a.status = tfp_view_init(&view, &tfp_graph_view, census, &options, NULL,
                             NULL);
    if (a.status == TFPROF_OK) {
        tfp_sink_init(&sink, fuzz_keep, &a);
        a.status = tfp_timeline_write_events(&view, &notes, &giver, &sink,
                                             NULL);
        FUZZ_CHECK(tfp_sink_flush(&sink));
    }
    tfp_view_release(&view);
    if (a.status == TFPROF_OK)
        FUZZ_CHECK(fuzz_is_json((tfp_span){ a.data, a.size }));
    free(a.data);
}

/* ---- All of it ---------------------------------------------------------- */

int fuzz_trace(const uint8_t *bytes, size_t size)
{
    size_t held = 0;
    tfprof_profile *profile;
    bool is_text;
    if (size == 0)
        return 0;
    is_text = bytes[0] & IS_TEXT;
    profile = fuzz_profile_new(&held, MOST_MEMORY);
    fuzz_set(profile, "salvage", bytes[0] & SALVAGE ? "true" : "false");
    fuzz_set(profile, "format",
             !is_text              ? "json"
             : bytes[0] & AS_TABLE ? "table"
                                   : "text");
    fuzz_set(profile, "step", steps[bytes[0] / STEP & 3]);
    fuzz_set(profile, "select",
             "micros,accelerator_micros,cpu_micros,occurrence,float_ops,device,"
             "op_types");
    tfprof_profile_on_remark(profile, fuzz_check_line, NULL);
    fuzz_set(profile, "by", holders[bytes[0] / BY & 3]);
    if (bytes[0] & TABLES)
        expect_tables(profile);
    (void)tfprof_profile_add_memory(profile, "host.xplane.pb", bytes + 1,
                                    size - 1, NULL, NULL);
    if (bytes[0] & DRAW)
        draw(profile, &(trace){ bytes + 1, size - 1, bytes[0] & SALVAGE });
    if (bytes[0] & TABLES)
        look_at_tables(profile, is_text);
    else
        look_at_views(profile, is_text);
    tfprof_profile_free(profile);
    FUZZ_CHECK(held == 0);
    return 0;
}
