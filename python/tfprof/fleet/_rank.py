"""The rank test of Mann and Whitney for two small sets of values, and Holm's
correction. SQL computes the values, one for each job."""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence


@functools.cache
def _ways(u: int, a: int, b: int) -> int:
    """The number of orders of a and b values that have the statistic U = u."""
    if u < 0 or u > a * b:
        return 0
    if a == 0 or b == 0:
        return 1
    return _ways(u - b, a - 1, b) + _ways(u, a, b - 1)


@functools.cache
def _sums(ties: tuple[int, ...], a: int) -> dict[int, int]:
    """The number of ways to draw `a` of all values for each sum of their
    doubled ranks. ties: the number of equal values, from the smallest value to
    the largest. Equal values have the mean of their ranks."""
    n = sum(ties)
    bits = n + 1  # all numbers of ways are below 2^n
    ways = [1] + [0] * a  # by number of drawn values; each packs all sums
    rank = 0
    for count in ties:
        doubled = 2 * rank + count + 1
        for _ in range(count):
            for drawn in range(a, 0, -1):
                ways[drawn] += ways[drawn - 1] << (bits * doubled)
        rank += count
    found, rest, total = {}, ways[a], 0
    while rest:
        number = rest & ((1 << bits) - 1)
        if number:
            found[total] = number
        rest >>= bits
        total += 1
    return found


def p_value(first: Sequence[float], second: Sequence[float]) -> float:
    """The two-sided p: twice the smaller one-sided p, at most 1. It is exact
    for up to 20 values on each side, also with ties. Otherwise it is that of
    the normal distribution, with corrections for ties and continuity."""
    a, b = len(first), len(second)
    both = [*first, *second]
    ties = [both.count(value) for value in sorted(set(both))]
    doubled = sum((x > y) * 2 + (x == y) for x in first for y in second)
    n = a + b
    if max(a, b) <= 20 and len(ties) == n:
        u = min(doubled // 2, a * b - doubled // 2)
        ways = sum(_ways(i, a, b) for i in range(u + 1))
        return min(1.0, 2 * ways / math.comb(n, a))
    if max(a, b) <= 20:
        at = doubled + a * (a + 1)  # the doubled sum of the ranks of `first`
        sums = _sums(tuple(ties), a)
        ways = min(sum(k for total, k in sums.items() if total <= at),
                   sum(k for total, k in sums.items() if total >= at))
        return min(1.0, 2 * ways / math.comb(n, a))
    tied = sum(count ** 3 - count for count in ties)
    variance = a * b / 12 * (n + 1 - tied / (n * (n - 1)))
    if variance <= 0:
        return 1.0
    off = max(0.0, abs(doubled / 2 - a * b / 2) - 0.5)
    return math.erfc(off / math.sqrt(2 * variance))


def smallest_p(a: int, b: int) -> float:
    """The exact p of two sets that do not overlap."""
    return min(1.0, 2 / math.comb(a + b, a))


def shift(first: Sequence[float], second: Sequence[float]) -> float:
    """The Hodges-Lehmann estimate: the median of all differences."""
    return median([y - x for x in first for y in second])


def median(values: Sequence[float]) -> float:
    values = sorted(values)
    half = len(values) // 2
    if len(values) % 2:
        return values[half]
    return (values[half - 1] + values[half]) / 2


def holm(values: Sequence[float]) -> list[float]:
    """p values after Holm's correction, in the order given."""
    order = sorted(range(len(values)), key=values.__getitem__)
    found = [0.0] * len(values)
    largest = 0.0
    for place, index in enumerate(order):
        largest = max(largest, min(1.0, values[index] * (len(values) - place)))
        found[index] = largest
    return found
