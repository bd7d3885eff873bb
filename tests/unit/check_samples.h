/*
 * check_samples.h - verdicts about budgets for tests of their output.
 */
#ifndef TFP_TESTS_CHECK_SAMPLES_H
#define TFP_TESTS_CHECK_SAMPLES_H

#include "budget/verdict.h"
#include "model/metrics.h"
#include "output/check/check.h"

/* A name that means something to every form. */
#define CHECK_HOSTILE                                                          \
    "a,b:c%d\r\n<i>&\"|*[x](y){0}\x1b\xff\xef\xbf\xbe\xe2\x80\xae"

enum { CHECK_SAMPLES = 4 };

static char check_hostile[] = CHECK_HOSTILE;
static char check_hostile_file[] = "/" CHECK_HOSTILE;
static char check_scope[] = "tower/.*", check_device[] = ".*gpu:0";
static char check_name[] = "step time", check_row[] = "tower/conv1";
static char check_file[] = "src/my model.py";

static const tfp_budget check_budgets[CHECK_SAMPLES] = {
    { .metric = TFP_COST_PARAMS, .max = { TFP_LIMIT_ABSOLUTE, 3600000 } },
    { .metric = TFP_COST_MICROS,
      .rows = TFP_BUDGET_SCOPE,
      .pattern = check_scope,
      .max = { TFP_LIMIT_PERCENT, 5 } },
    { .name = check_name,
      .metric = TFP_COST_MICROS,
      .max = { TFP_LIMIT_PERCENT, 2.5 } },
    { .name = check_hostile,
      .metric = TFP_COST_PEAK_BYTES,
      .rows = TFP_BUDGET_DEVICE,
      .pattern = check_device,
      .min = { TFP_LIMIT_ABSOLUTE, 3e6 } },
};

static const tfp_measured check_measured[CHECK_SAMPLES] = {
    { .runs = 8 },
    { .runs = 8, .name = check_row, .file = check_file, .line = 37 },
    { .runs = 3 },
    { .runs = 8, .name = check_hostile, .file = check_hostile_file },
};

static const tfp_checked check_samples[CHECK_SAMPLES] = {
    { .budget = &check_budgets[0],
      .measured = &check_measured[0],
      .verdict = TFP_CHECK_OK,
      .has_value = true,
      .value = 3538984,
      .has_base = true,
      .base = 3538984,
      .has_limit = true,
      .limit = 3600000 },
    { .budget = &check_budgets[1],
      .measured = &check_measured[1],
      .verdict = TFP_CHECK_BROKEN,
      .reason = "slower by 1.34ms, above the limit of 550.00us",
      .has_value = true,
      .value = 12350.5,
      .has_base = true,
      .base = 11000,
      .has_limit = true,
      .limit = 11550,
      .has_shift = true,
      .shift = 1340,
      .p = 0.00015540015540015540,
      .adjusted = 0.0005,
      .has_interval = true,
      .low = 1200,
      .high = 1500,
      .excess = 0.069 },
    { .budget = &check_budgets[2],
      .measured = &check_measured[2],
      .verdict = TFP_CHECK_NO_VERDICT,
      .reason = "too few runs: 5 more needed",
      .has_value = true,
      .value = 980,
      .has_interval = true,
      .low = 970,
      .high = 990.25,
      .more_runs = 5 },
    { .budget = &check_budgets[3],
      .measured = &check_measured[3],
      .verdict = TFP_CHECK_BROKEN,
      .reason = "below the minimum",
      .has_value = true,
      .value = 2e6,
      .has_limit = true,
      .limit = 3e6,
      .is_minimum = true,
      .excess = 0.33 },
};

static const tfp_baseline check_baseline = { .runs = 7 };

/* Without a format. 1700000000 is 2023-11-14T22:13:20. */
static inline tfp_check_answer check_answer(tfp_memory *memory)
{
    return (tfp_check_answer){ .checked = check_samples,
                               .count = CHECK_SAMPLES,
                               .runs = 8,
                               .baseline = &check_baseline,
                               .budgets_path = "ci/budgets.json",
                               .now = 1700000000,
                               .memory = memory };
}

#endif
