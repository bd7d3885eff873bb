"""Statistics of samples, compared with SciPy and statsmodels.

The functions of src/stats are called through tests/stats_dump.c. Edge cases and
failing allocations: tests/unit/base/stats_test.c.
"""

# labels: slow

import collections
import math
import os
import pathlib
import subprocess

import numpy
import pytest
from scipy import stats
from statsmodels.stats.multitest import multipletests

TOLERANCE = 1e-9

Interval = collections.namedtuple(
    "Interval", "count estimate known low high level smallest", defaults=(None,))


def _words(*words):
    return " ".join(
        repr(float(w)) if isinstance(w, float) else str(w) for w in words)


def _samples(*samples):
    return _words(*map(len, samples), *(float(v) for s in samples for v in s))


def ask(requests):
    """One list of numbers for each request, or the message of its error."""
    program = os.environ.get("TFPROF_STATS_DUMP") or str(
        pathlib.Path(os.environ["TFPROF_BUILD_DIR"]) / "tests" / "stats_dump")
    done = subprocess.run([program], check=True, text=True, capture_output=True,
                          input="\n".join(requests))
    lines = done.stdout.splitlines()
    assert len(lines) == len(requests)
    return [line if line.startswith("error") else [float(w) for w in line.split()]
            for line in lines]


def rank_tests(pairs):
    return ask(["rank " + _samples(a, b) for a, b in pairs])


def shifts(cases):
    """`cases` are (alpha, a, b)."""
    return [Interval(*row) for row in ask(
        [f"shift {alpha!r} " + _samples(a, b) for alpha, a, b in cases])]


@pytest.fixture
def random():
    return numpy.random.default_rng(21)


# ---- Rank test ---------------------------------------------------------------

def check_rank_tests(pairs, wanted, exact, say):
    """`wanted` are (statistic, p) of SciPy."""
    worst = 0
    for (a, b), (u, p, is_exact), (want_u, want_p) in zip(
            pairs, rank_tests(pairs), wanted, strict=True):
        assert is_exact == exact
        assert u == want_u, (a, b)
        worst = max(worst, abs(p - want_p))
        assert abs(p - want_p) <= TOLERANCE, (a, b, p, want_p)
    say(f"{len(pairs)} tests, p differs by at most {worst:.1e}")


def test_samples_without_ties_have_the_exact_p(random, say):
    sizes = [(25, 25), (1, 49), (49, 1), (24, 26), (2, 48), (1, 1)]
    while len(sizes) < 1000:
        m, n = random.integers(1, 50, 2)
        if m + n <= 50:
            sizes.append((m, n))
    pairs = [(random.normal(0, 1, m), random.normal(random.random() * 2, 1, n))
             for m, n in sizes]
    wanted = [stats.mannwhitneyu(a, b, method="exact") for a, b in pairs]
    check_rank_tests(pairs, [(w.statistic, w.pvalue) for w in wanted], True, say)


def test_samples_with_ties_have_the_p_of_all_permutations(random, say):
    """Cases of one size are given to SciPy together, which wants two values."""
    by_size = collections.Counter(map(tuple, random.integers(2, 9, (1000, 2))))
    method = stats.PermutationMethod(n_resamples=numpy.inf, batch=2000)
    pairs, wanted = [], []
    for (m, n), count in sorted(by_size.items()):
        values = random.integers(0, random.integers(2, 9), (count, m + n))
        a, b = values[:, :m].astype(float), values[:, m:].astype(float)
        found = stats.mannwhitneyu(a, b, axis=1, method=method)
        pairs += zip(a, b, strict=True)
        wanted += zip(found.statistic, found.pvalue, strict=True)
    tied = sum(len(set(a) | set(b)) < len(a) + len(b) for a, b in pairs)
    assert len(pairs) == 1000 and tied > 800
    check_rank_tests(pairs, wanted, True, say)


def _p_by_counting(a, b):
    """By integers of any size, over doubled ranks."""
    ranks = [round(2 * r) for r in stats.rankdata([*a, *b])]
    ways = [collections.Counter() for _ in range(len(a) + 1)]
    ways[0][0] = 1
    for rank in ranks:
        for k in range(len(a), 0, -1):
            for total, count in ways[k - 1].items():
                ways[k][total + rank] += count
    here = sum(ranks[:len(a)])
    low = sum(c for total, c in ways[-1].items() if total <= here)
    high = sum(c for total, c in ways[-1].items() if total >= here)
    return min(1, 2 * min(low, high) / math.comb(len(ranks), len(a)))


def test_ties_among_fifty_values_are_counted_exactly(random):
    """SciPy cannot visit 10^14 permutations; counted in integers, p is the same to
    the last bit."""
    sizes = [(25, 25), (20, 30), (30, 20), (10, 40), (45, 5), (1, 49), (49, 1)]
    pairs = [(random.integers(0, top, m), random.integers(0, top, n))
             for m, n in sizes for top in (2, 30)]
    for (a, b), (_, p, _) in zip(pairs, rank_tests(pairs), strict=True):
        assert p == _p_by_counting(a, b), (a, b)


def test_more_than_fifty_values_have_the_normal_p(random, say):
    pairs = []
    for i in range(300):
        m, n = random.integers(1, 120, 2)
        if m + n <= 50:
            m += 50
        digits = 15 if i % 2 else 1
        pairs.append((random.normal(0, 1, m).round(digits),
                      random.normal(random.random(), 1, n).round(digits)))
    pairs += [(random.normal(0, 1, m), random.normal(0.1, 1, n))
              for m, n in [(25, 26), (1, 50), (50, 1), (2000, 3000)]]
    wanted = [stats.mannwhitneyu(a, b, method="asymptotic") for a, b in pairs]
    check_rank_tests(pairs, [(w.statistic, w.pvalue) for w in wanted], False, say)


def test_samples_of_a_size_have_a_smallest_p():
    sizes = [(m, n) for m in range(51) for n in range(51 - m)]
    found = ask([f"smallest {m} {n}" for m, n in sizes])
    for (m, n), [p] in zip(sizes, found, strict=True):
        assert p == min(1, 2 / math.comb(m + n, n))


def test_values_needed_for_many_tests():
    cases = [(m, n, alpha, k) for m in range(1, 8) for n in range(1, 8)
             for alpha in (0.05, 0.01) for k in (1, 10, 1000)]
    found = ask([f"needed {m} {n} {alpha} {k}" for m, n, alpha, k in cases])
    for (m, n, alpha, k), [more] in zip(cases, found, strict=True):
        wanted = next(d for d in range(100)
                      if 2 / math.comb(m + n + 2 * d, n + d) <= alpha / k)
        assert more == wanted, (m, n, alpha, k)


# ---- Shift -------------------------------------------------------------------

def _distribution(m, n):
    """How many assignments have each U, as integers: the largest value is in the
    first sample, above all n others, or in the second."""
    table = {}
    for i in range(m + 1):
        for j in range(n + 1):
            ways = [0] * (i * j + 1)
            if i == 0 or j == 0:
                ways[0] = 1
            else:
                for u, c in enumerate(table[i - 1, j]):
                    ways[u + j] += c
                for u, c in enumerate(table[i, j - 1]):
                    ways[u] += c
            table[i, j] = ways
    return table[m, n]


def _cut(m, n, alpha):
    """The largest c with 2 P(U < c) <= alpha, and that probability."""
    if m + n > 50:
        deviation = math.sqrt(m * n * (m + n + 1) / 12)
        p = 2 * stats.norm.cdf(
            (numpy.arange(m * n // 2) + 0.5 - m * n / 2) / deviation)
    else:
        p = 2 * numpy.cumsum(_distribution(m, n), dtype=float) / math.comb(m + n, m)
    cut = int((p <= alpha).sum())
    return cut, p[cut - 1] if cut else 1


def test_shifts_are_exact_order_statistics(random):
    """Bit for bit those of all differences, sorted."""
    cases = []
    for i in range(400):
        m, n = random.integers(1, 40, 2)
        alpha = random.choice([0.01, 0.05, 0.1, 0.5])
        scale = 10.0 ** random.integers(-300, 300) if i % 2 else 1.0
        a, b = random.normal(3, 1, m) * scale, random.normal(3.5, 1, n) * scale
        if i % 3 == 0:
            a, b = (a / scale).round(1), (b / scale).round(1)
        cases.append((float(alpha), a, b))
    cases.append((0.01, random.normal(0, 1, 2000), random.normal(0, 1, 1501)))
    known = 0
    for (alpha, a, b), got in zip(cases, shifts(cases), strict=True):
        differences = numpy.sort(numpy.subtract.outer(b, a), axis=None)
        assert got.count == len(differences)
        assert got.estimate == numpy.median(differences)
        cut, p = _cut(len(a), len(b), alpha)
        assert got.known == (cut > 0)
        if cut:
            known += 1
            assert (got.low, got.high) == (differences[cut - 1], differences[-cut])
            assert abs(got.level - (1 - p)) <= TOLERANCE
            assert got.level >= 1 - alpha - TOLERANCE
            assert got.smallest == max(got.estimate - got.low,
                                       got.high - got.estimate)
        else:
            assert got.smallest == math.inf
    assert known > 300


def test_intervals_cover_the_true_shift(random, say):
    """At least as often as they promise, give or take chance."""
    samples = random.exponential(1, (4000, 12))
    got = shifts([(0.05, row[:5], row[5:] + 0.25) for row in samples])
    covered = sum(g.low <= 0.25 <= g.high for g in got) / len(got)
    say(f"level {got[0].level:.4f}, covered {covered:.4f}")
    error = math.sqrt(got[0].level * (1 - got[0].level) / len(got))
    assert abs(covered - got[0].level) < 4 * error


def test_smallest_change_is_found_in_half_of_comparisons(random, say):
    """The promise of stats/shift.h, for a true change of the typical size."""
    def at(change, rows):
        return shifts([(0.05, row[:8], row[8:] + change) for row in rows])

    rows = random.normal(10, 1, (2000, 16))
    smallest = float(numpy.median([g.smallest for g in at(0, rows)]))
    once, twice = (sum(g.low > 0 for g in at(smallest * by, rows)) / len(rows)
                   for by in (1, 2))
    baseline = float(numpy.median([g.smallest for g in shifts(
        [(0.05, row[:8], row[:8]) for row in rows])]))
    say(f"smallest {smallest:.3f}, from a baseline alone {baseline:.3f}; "
        f"found {once:.3f}, a change twice as large {twice:.3f}")
    assert 0.35 < once < 0.65
    assert twice > 0.95
    assert 0.75 < baseline / smallest < 1.25


# ---- Median ------------------------------------------------------------------

def test_medians_and_their_intervals(random):
    cases = [(alpha, random.normal(0, 1, n))
             for n in [*range(1, 60), 100, 999, 1100, 5000]
             for alpha in (0.01, 0.05, 0.3)]
    found = ask([f"median {alpha!r} " + _samples(v) for alpha, v in cases])
    for (alpha, values), row in zip(cases, found, strict=True):
        got, n = Interval(*row), len(values)
        assert got.count == n
        assert got.estimate == numpy.median(values)
        outside = 2 * stats.binom.cdf(numpy.arange(n // 2), n, 0.5)
        k = int((outside <= alpha).sum())
        assert got.known == (k > 0), (alpha, n)
        if k:
            ordered = numpy.sort(values)
            assert (got.low, got.high) == (ordered[k - 1], ordered[-k])
            assert abs(got.level - (1 - outside[k - 1])) <= TOLERANCE
            theirs = stats.quantile_test(values, p=0.5).confidence_interval(
                1 - alpha)
            assert (got.low, got.high) == (theirs.low, theirs.high)


def test_values_needed_for_a_median():
    assert ask(["median_needed 0.01", "median_needed 0.05"]) == [[8], [6]]


# ---- Many tests --------------------------------------------------------------

def test_holm_is_that_of_statsmodels(random):
    cases = [random.random(n) ** random.integers(1, 6)
             for n in [*range(1, 20), 200, 5000]]
    cases += [random.integers(0, 5, 30) / 4 for _ in range(10)] # equal ones
    found = ask(["holm " + _samples(p) for p in cases])
    for p, got in zip(cases, found, strict=True):
        wanted = multipletests(p, method="holm")[1]
        assert numpy.abs(got - wanted).max() <= TOLERANCE


def test_values_that_are_not_numbers_are_refused():
    assert ask(["rank 2 1 1 nan 3", "rank 2 1 1 inf 3", "shift 0.05 1 1 1 inf",
                "median 0.05 1 nan"]) == [
        "error value 2 of a sample is not a number", [1, 1, 1],
        "error value 1 of a sample is too large",
        "error value 1 of a sample is not a number"]
