/*
 * rank.c - the rank test: exact for few values, approximate for many.
 */
#include "stats/rank.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "stats/sample.h"

enum {
    EXACT_MOST = TFP_RANK_EXACT_MOST,
    MOST_PAIRS = EXACT_MOST / 2 * (EXACT_MOST / 2) /* in an exact test */
};

/* ---- What a p-value is made of ------------------------------------------ */

/* `ways` assignments of `all` are in the smaller tail. */
static double exact_p(double ways, double all)
{
    double p = 2 * ways / all;
    return p < 1 ? p : 1;
}

/* `ties` is the sum of t^3 - t over groups of t equal values, `distance` that
 * of U from its mean. */
static double normal_p(size_t a_count, size_t b_count, double ties,
                       double distance)
{
    double n = (double)a_count + (double)b_count;
    double variance = (double)a_count * (double)b_count / 12 *
                      (n + 1 - ties / (n * (n - 1)));
    double p;
    if (!(variance > 0)) /* all values are equal */
        return 1;
    p = erfc((distance - 0.5) / sqrt(2 * variance));
    return p < 1 ? p : 1;
}

static bool is_exact(size_t a_count, size_t b_count)
{
    return a_count <= EXACT_MOST && b_count <= EXACT_MOST - a_count;
}

/* C(m + n, n) for an exact test. Each product before a division is below
 * 50 * C(50, 25), which is exact in a double, too. */
static double choose(size_t m, size_t n)
{
    double c = 1;
    for (size_t i = 1; i <= n; i++)
        c = c * (double)(m + i) / (double)i;
    return c;
}

/* ---- Counting assignments ----------------------------------------------- */

/*
 * ways[u] becomes the number of assignments of m + n different values with
 * U = u. These are the coefficients of a Gaussian binomial: the product of
 * (1 - x^(n + i)) / (1 - x^i) for i from 1 to m. After each i the product is
 * that for i and n, so no coefficient is ever larger than C(m + n, n).
 */
static void count_different(size_t m, size_t n, double ways[MOST_PAIRS + 1])
{
    size_t pairs = m * n;
    memset(ways, 0, (MOST_PAIRS + 1) * sizeof(*ways));
    ways[0] = 1;
    for (size_t i = 1; i <= m; i++) {
        for (size_t u = pairs; u >= n + i; u--)
            ways[u] -= ways[u - n - i];
        for (size_t u = i; u <= pairs; u++)
            ways[u] += ways[u - i];
    }
}

/* The values of both samples in groups of equal ones, from the smallest up. */
typedef struct groups {
    uint64_t twice_u; /* doubled, so that it is an integer */
    double ties;      /* sum of t^3 - t */
    size_t count;
    size_t size[EXACT_MOST]; /* only for an exact test */
} groups;

/*
 * ways[k * width + v] is the number of ways to give k of the values seen so far
 * to the sample of m, with 2 * U = v. Given `picked` more of a group of equal
 * values, 2 * U grows by picked * (2 * values of the other sample below them +
 * values of the other sample in the group).
 */
static void add_group(double *ways, size_t width, size_t m, size_t n,
                      size_t seen, size_t group)
{
    /* From the largest k down: each row is read before it is added to. */
    for (size_t k = (seen < m ? seen : m) + 1; k-- > 0;) {
        const double *from = ways + k * width;
        size_t below = seen - k, most = 2 * k * below;
        double c = 1;
        if (below > n) /* the other sample has room for n */
            break;
        for (size_t picked = 1; picked <= group && k + picked <= m; picked++) {
            size_t left = group - picked;
            double *to = ways + (k + picked) * width +
                         picked * (2 * below + left);
            c = c * (double)(left + 1) / (double)picked;
            if (below + left > n)
                continue;
            for (size_t v = 0; v <= most; v++)
                to[v] += c * from[v];
        }
    }
}

/* The p-value with ties. */
static int count_tied(const groups *g, size_t m, size_t n, tfp_memory *memory,
                      double *p, tfprof_error *err)
{
    size_t width = 2 * m * n + 1, seen = 0;
    double low = 0, high = 0;
    double *ways = tfp_memory_zarray(memory, (m + 1) * width, sizeof(*ways));
    const double *last;
    if (!ways)
        return tfp_fail_nomem(err);
    ways[0] = 1;
    for (size_t i = 0; i < g->count; i++) {
        add_group(ways, width, m, n, seen, g->size[i]);
        seen += g->size[i];
    }
    last = ways + m * width;
    for (size_t v = 0; v < width; v++) {
        low += v <= g->twice_u ? last[v] : 0;
        high += v >= g->twice_u ? last[v] : 0;
    }
    *p = exact_p(low < high ? low : high, choose(m, n));
    tfp_memory_free(memory, ways);
    return TFPROF_OK;
}

static double p_of_different(uint64_t u, size_t m, size_t n)
{
    double ways[MOST_PAIRS + 1], tail = 0;
    count_different(m, n, ways);
    if (u > m * n - u) /* the distribution is symmetric */
        u = m * n - u;
    for (size_t i = 0; i <= u; i++)
        tail += ways[i];
    return exact_p(tail, choose(m, n));
}

/* ---- The test ----------------------------------------------------------- */

/* How many values from `at` on are equal to `value`. */
static size_t run_length(const tfp_sample *sample, size_t at, double value)
{
    size_t end = at;
    while (end < sample->count && sample->values[end] == value)
        end++;
    return end - at;
}

static void find_groups(const tfp_sample *a, const tfp_sample *b, bool exact,
                        groups *g)
{
    size_t i = 0, j = 0;
    *g = (groups){ 0 };
    while (i < a->count || j < b->count) {
        double value = j == b->count ||
                               (i < a->count && a->values[i] < b->values[j])
                           ? a->values[i]
                           : b->values[j];
        size_t of_a = run_length(a, i, value), of_b = run_length(b, j, value);
        double t = (double)(of_a + of_b);
        g->twice_u += (uint64_t)of_a * (2 * (uint64_t)j + of_b);
        g->ties += t * t * t - t;
        if (exact)
            g->size[g->count++] = of_a + of_b;
        i += of_a;
        j += of_b;
    }
}

static int test_sorted(const tfp_sample *a, const tfp_sample *b,
                       tfp_memory *memory, tfp_rank_result *out,
                       tfprof_error *err)
{
    size_t m = a->count, n = b->count;
    uint64_t twice_pairs = 2 * (uint64_t)m * n;
    groups g;
    *out = (tfp_rank_result){ .p = 1, .exact = is_exact(m, n) };
    find_groups(a, b, out->exact, &g);
    out->u = (double)g.twice_u / 2;
    if (!out->exact) {
        out->p = normal_p(m, n, g.ties, fabs(out->u - (double)twice_pairs / 4));
        return TFPROF_OK;
    }
    if (g.ties == 0) {
        out->p = p_of_different(g.twice_u / 2, m, n);
        return TFPROF_OK;
    }
    if (m > n) { /* the other sample needs less memory, and has the same p */
        g.twice_u = twice_pairs - g.twice_u;
        return count_tied(&g, n, m, memory, &out->p, err);
    }
    return count_tied(&g, m, n, memory, &out->p, err);
}

int tfp_rank_test(const double *a, size_t a_count, const double *b,
                  size_t b_count, tfp_memory *memory, tfp_rank_result *out,
                  tfprof_error *err)
{
    tfp_sample first, second;
    int status = tfp_sample_init(&first, a, a_count, TFP_SAMPLE_RANKED, memory,
                                 err);
    if (status != TFPROF_OK)
        return status;
    status = tfp_sample_init(&second, b, b_count, TFP_SAMPLE_RANKED, memory,
                             err);
    if (status == TFPROF_OK) {
        status = test_sorted(&first, &second, memory, out, err);
        tfp_sample_release(&second, memory);
    }
    tfp_sample_release(&first, memory);
    return status;
}

/* ---- What samples of a size can show ------------------------------------ */

double tfp_rank_smallest_p(size_t a_count, size_t b_count)
{
    if (is_exact(a_count, b_count))
        return exact_p(1, choose(a_count, b_count));
    return normal_p(a_count, b_count, 0, (double)a_count * (double)b_count / 2);
}

size_t tfp_rank_values_needed(size_t a_count, size_t b_count, double alpha,
                              size_t tests)
{
    double most = alpha / (double)(tests > 0 ? tests : 1);
    size_t more = 0;
    assert(alpha > 0 && alpha < 1);
    /* The smallest p becomes 0 below a thousand values of each sample. */
    while (more < TFP_SAMPLE_MOST &&
           tfp_rank_smallest_p(a_count + more, b_count + more) > most)
        more++;
    return more;
}

static uint64_t exact_cut(size_t m, size_t n, double alpha, double *p)
{
    double ways[MOST_PAIRS + 1], all = choose(m, n), tail = 1;
    uint64_t cut = 0;
    count_different(m, n, ways);
    while (exact_p(tail, all) <= alpha) { /* alpha < 1: ends in the middle */
        *p = exact_p(tail, all);
        tail += ways[++cut];
    }
    return cut;
}

static double normal_p_at(size_t m, size_t n, uint64_t u)
{
    return normal_p(m, n, 0, (double)m * (double)n / 2 - (double)u);
}

uint64_t tfp_rank_cut(size_t a_count, size_t b_count, double alpha, double *p)
{
    uint64_t low = 0, high = (uint64_t)a_count * b_count / 2;
    assert(alpha > 0 && alpha < 1);
    *p = 1;
    if (is_exact(a_count, b_count))
        return exact_cut(a_count, b_count, alpha, p);
    while (low < high) { /* p rises with U: the largest c is low to high */
        uint64_t middle = high - (high - low) / 2;
        if (normal_p_at(a_count, b_count, middle - 1) <= alpha)
            low = middle;
        else
            high = middle - 1;
    }
    if (low > 0)
        *p = normal_p_at(a_count, b_count, low - 1);
    return low;
}
