/*
 * fuzz_budgets.c - any bytes as a file of budgets, and as a baseline.
 *
 * Checks that a file is accepted, or that a message of one line names the file
 * and the reason; that accepted budgets can be judged; and that a verdict other
 * than "ok" has a reason.
 */
#include <math.h>
#include <string.h>

#include "base/escape.h"
#include "base/json_tree.h"
#include "budget/baseline.h"
#include "budget/budgets.h"
#include "budget/verdict.h"
#include "fuzz.h"
#include "target.h"

enum { RUNS = 8, MOST_BUDGETS = 64 };

static const double slow[RUNS] = { 105, 107, 108, 108, 109, 110, 111, 130 };
static const double fast[RUNS] = { 100, 101, 101, 102, 103, 104, 105, 106 };

static void check_message(int status, const tfprof_error *err)
{
    tfp_span message = tfp_span_of(err->message);
    if (status == TFPROF_OK)
        return;
    FUZZ_CHECK(status == (int)err->code);
    FUZZ_CHECK(!tfp_json_tree_is_there() || tfp_span_starts(message, "f: "));
    FUZZ_CHECK(tfp_escape_plain(message) == message.size);
}

/* A baseline that has the values of all budgets. */
static void make_baseline(const tfp_budgets *budgets, tfp_memory *memory,
                          tfp_baseline *baseline)
{
    baseline->memory = memory;
    for (size_t i = 0; i < budgets->all.count; i++) {
        const tfp_budget *b = &budgets->all.data[i];
        tfp_baseline_row *row;
        if (tfp_baseline_find(baseline, b))
            continue;
        row = tfp_baseline_add(baseline, b->rows, b->pattern, b->metric);
        FUZZ_CHECK(row);
        row->values = tfp_memory_array(memory, RUNS, sizeof(*fast));
        FUZZ_CHECK(row->values);
        memcpy(row->values, fast, sizeof(fast));
        row->count = RUNS;
    }
}

static void judge(const tfp_budgets *budgets, tfp_memory *memory)
{
    static const tfp_machine here;
    static tfp_checked out[MOST_BUDGETS];
    tfp_measured measured[MOST_BUDGETS];
    tfp_baseline baseline = { 0 };
    if (budgets->all.count > MOST_BUDGETS)
        return;
    make_baseline(budgets, memory, &baseline);
    for (size_t i = 0; i < budgets->all.count; i++)
        measured[i] = (tfp_measured){ .values = slow,
                                      .runs = RUNS - i % 2,
                                      .is_partial = i % 3 == 2 };
    FUZZ_CHECK(tfp_check_budgets(budgets, measured, &baseline, &here, memory,
                                 out, NULL) == TFPROF_OK);
    for (size_t i = 0; i < budgets->all.count; i++) {
        FUZZ_CHECK((out[i].verdict == TFP_CHECK_OK) == !*out[i].reason);
        FUZZ_CHECK((out[i].verdict == TFP_CHECK_BROKEN) == (out[i].excess > 0));
        FUZZ_CHECK(isfinite(out[i].limit) && isfinite(out[i].excess));
        FUZZ_CHECK(out[i].verdict != TFP_CHECK_OK || !measured[i].is_partial ||
                   tfp_budget_is_time(budgets->all.data[i].metric));
    }
    tfp_baseline_release(&baseline);
}

int fuzz_budgets(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = fuzz_copy(bytes, size);
    tfp_memory memory;
    tfp_budgets budgets = { 0 };
    tfp_baseline baseline = { 0 };
    tfprof_error err = { .code = TFPROF_OK };
    int status;
    tfp_memory_init(&memory, NULL, NULL);
    status = tfp_budgets_read(&budgets, &memory, (tfp_span){ copy, size }, "f",
                              &err);
    check_message(status, &err);
    if (status == TFPROF_OK)
        judge(&budgets, &memory);
    status = tfp_baseline_read(&baseline, &memory, (tfp_span){ copy, size },
                               "f", &err);
    check_message(status, &err);
    free(copy);
    tfp_baseline_release(&baseline);
    tfp_budgets_release(&budgets);
    FUZZ_CHECK(memory.held == 0);
    return 0;
}
