/*
 * fuzz_trace.c - any bytes as a trace, seen in every view or every table.
 *
 * The first byte says how to look (below), the rest is an XSpace. Holds that
 * an answer is JSON, or text that can be printed, that it is the same when
 * asked for again, that the rows that a caller keeps are sound, that a refusal
 * says why, and that nothing is kept.
 */
#include <stdlib.h>

#include <tfprof/tfprof.h>

#include "asking.h"
#include "base/bytes.h"
#include "check_output.h"
#include "check_rows.h"
#include "fuzz.h"
#include "target.h"

/* seeds/trace_seeds.py writes the same. */
enum head {
    SALVAGE = 1,
    IS_TEXT = 2, /* the answers, not the trace */
    STEP = 4,    /* two bits */
    TABLES = 16, /* these, not the views */
    BY = 32,     /* two bits */
    MOST_MEMORY = 8 << 20
};

static const char *const steps[] = { "-1", "0", "1", "7" };
static const char *const holders[] = { "node", "scope", "op", "line" };

static void look(tfprof_profile *profile, const char *view, bool is_text)
{
    fuzz_answer first = { 0 }, again = { 0 };
    tfprof_error err = { 0 };
    first.status = tfprof_profile_write_view(profile, view, fuzz_keep, &first,
                                             &err);
    fuzz_check_status(first.status, &err);
    FUZZ_CHECK(first.status != TFPROF_ERR_OPTION);
    again.status = tfprof_profile_write_view(profile, view, fuzz_keep, &again,
                                             NULL);
    fuzz_check_again(&first, &again);
    fuzz_check_rows(profile, view, first.status);
    if (first.status == TFPROF_OK) {
        tfp_span text = { first.data, first.size };
        FUZZ_CHECK(is_text ? fuzz_is_printable(text) : fuzz_is_json(text));
    }
    free(first.data);
}

/* The same of a table. A trace in memory cannot be read again, so the profile
 * was told what to expect. */
static void tabulate(tfprof_profile *profile, const char *table, bool is_text)
{
    fuzz_answer first = { 0 }, again = { 0 };
    tfprof_error err = { 0 };
    first.status = tfprof_profile_write_table(profile, table, fuzz_keep, &first,
                                              &err);
    fuzz_check_status(first.status, &err);
    FUZZ_CHECK(first.status != TFPROF_ERR_OPTION);
    again.status = tfprof_profile_write_table(profile, table, fuzz_keep, &again,
                                              NULL);
    fuzz_check_again(&first, &again);
    if (first.status == TFPROF_OK) {
        tfp_span text = { first.data, first.size };
        FUZZ_CHECK(is_text ? fuzz_is_printable(text) : fuzz_is_json(text));
    }
    free(first.data);
}

static void expect_tables(tfprof_profile *profile)
{
    for (size_t i = 0; tfprof_table_type(i); i++)
        FUZZ_CHECK(tfprof_profile_expect(profile, tfprof_table_type(i), NULL) ==
                   TFPROF_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    size_t held = 0;
    tfprof_profile *profile;
    bool is_text;
    if (size == 0)
        return 0;
    is_text = bytes[0] & IS_TEXT;
    profile = fuzz_profile_new(&held, MOST_MEMORY);
    fuzz_set(profile, "salvage", bytes[0] & SALVAGE ? "true" : "false");
    fuzz_set(profile, "format", is_text ? "text" : "json");
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
    for (size_t i = 0; bytes[0] & TABLES && tfprof_table_type(i); i++)
        tabulate(profile, tfprof_table_type(i), is_text);
    for (size_t i = 0; !(bytes[0] & TABLES) && tfprof_view_type(i); i++)
        look(profile, tfprof_view_type(i), is_text);
    tfprof_profile_free(profile);
    FUZZ_CHECK(held == 0);
    return 0;
}
