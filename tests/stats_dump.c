/*
 * stats_dump.c - prints statistics of samples, for the tests that compare them
 * with SciPy and statsmodels. Read by tests/cli/diff/test_stats.py.
 *
 * Standard input has requests, words with white space between them. Each
 * request is answered by a line of numbers with 17 digits, or "error MESSAGE":
 *
 *   rank M N VALUES...         U, p, 1 if exact
 *   shift ALPHA M N VALUES...  count, estimate, 1 if known, low, high, level,
 *                              smallest change
 *   median ALPHA N VALUES...   the same without the last
 *   holm N VALUES...           N corrected values
 *   smallest M N               p
 *   needed M N ALPHA TESTS     values
 *   median_needed ALPHA        values
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/text/decimal.h"
#include "proto/numbers.h"
#include "stats/holm.h"
#include "stats/median.h"
#include "stats/rank.h"
#include "stats/shift.h"

enum { MOST = 1 << 16 }; /* values of a request */

static double values[MOST];
static tfp_memory memory;
static tfprof_error err;

static _Noreturn void die(const char *why)
{
    fprintf(stderr, "stats_dump: %s\n", why);
    exit(2);
}

static double read_number(void)
{
    char word[64];
    double value;
    if (scanf("%63s", word) != 1 || !tfp_double_read(tfp_span_of(word), &value))
        die("expected a number");
    return value;
}

static size_t read_count(void)
{
    double value = read_number();
    if (!(value >= 0 && value <= 1e9))
        die("expected a count");
    return (size_t)value;
}

static void read_values(size_t count)
{
    if (count > MOST)
        die("too many values");
    for (size_t i = 0; i < count; i++)
        values[i] = read_number();
}

static void print_number(double value)
{
    char text[TFP_DECIMAL_SIZE];
    tfp_decimal_general(value, 17, text);
    printf("%s ", text);
}

static void print_interval(const tfp_interval *i)
{
    print_number((double)i->count);
    print_number(i->estimate);
    print_number(i->known);
    print_number(i->low);
    print_number(i->high);
    print_number(i->level);
}

static int dump_rank(void)
{
    size_t m = read_count(), n = read_count();
    tfp_rank_result result;
    int status;
    read_values(m + n);
    status = tfp_rank_test(values, m, values + m, n, &memory, &result, &err);
    if (status == TFPROF_OK) {
        print_number(result.u);
        print_number(result.p);
        print_number(result.exact);
    }
    return status;
}

static int dump_shift(void)
{
    double alpha = read_number();
    size_t m = read_count(), n = read_count();
    tfp_interval result;
    int status;
    read_values(m + n);
    status = tfp_shift(values, m, values + m, n, alpha, &memory, &result, &err);
    if (status == TFPROF_OK) {
        print_interval(&result);
        print_number(tfp_shift_smallest(&result));
    }
    return status;
}

static int dump_median(void)
{
    double alpha = read_number();
    size_t n = read_count();
    tfp_interval result;
    int status;
    read_values(n);
    status = tfp_median(values, n, alpha, &memory, &result, &err);
    if (status == TFPROF_OK)
        print_interval(&result);
    return status;
}

static int dump_holm(void)
{
    size_t n = read_count();
    int status;
    read_values(n);
    status = tfp_holm(values, n, &memory, values, &err);
    for (size_t i = 0; status == TFPROF_OK && i < n; i++)
        print_number(values[i]);
    return status;
}

static int dump_smallest(void)
{
    size_t m = read_count(), n = read_count();
    print_number(tfp_rank_smallest_p(m, n));
    return TFPROF_OK;
}

static int dump_needed(void)
{
    size_t m = read_count(), n = read_count();
    double alpha = read_number();
    size_t tests = read_count();
    print_number((double)tfp_rank_values_needed(m, n, alpha, tests));
    return TFPROF_OK;
}

static int dump_median_needed(void)
{
    print_number((double)tfp_median_values_needed(read_number()));
    return TFPROF_OK;
}

static const struct {
    const char *name;
    int (*dump)(void);
} requests[] = {
    { "rank", dump_rank },
    { "shift", dump_shift },
    { "median", dump_median },
    { "holm", dump_holm },
    { "smallest", dump_smallest },
    { "needed", dump_needed },
    { "median_needed", dump_median_needed },
};

int main(void)
{
    enum { COUNT = sizeof(requests) / sizeof(requests[0]) };
    char word[64];
    tfp_memory_init(&memory, NULL, NULL);
    while (scanf("%63s", word) == 1) {
        size_t i = 0;
        while (i < COUNT && strcmp(word, requests[i].name) != 0)
            i++;
        if (i == COUNT)
            die("unknown request");
        if (requests[i].dump() != TFPROF_OK)
            printf("error %s", err.message);
        putchar('\n');
    }
    return memory.held == 0 ? 0 : 3;
}
