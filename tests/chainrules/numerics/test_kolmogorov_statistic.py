"""The series of Kolmogorov's probability, against a determinant with many digits."""

import mpmath
import numpy as np
import pytest

from chainrules.numerics import kolmogorov_statistic
from chainrules.numerics.kolmogorov_statistic import kolmogorov_series


def probability(n, x):
    """That each of `n` sorted numbers lies between two limits.

    G. P. Steck, "Rectangle probabilities for uniform order statistics", Annals of Mathematical Statistics 42
    (1971): the determinant of a matrix with one diagonal below the main one.
    """
    low = [max(mpmath.mpf(i) / n - x, 0) for i in range(1, n + 1)]
    high = [min(mpmath.mpf(i) / n + x, 1) for i in range(n)]
    minors = [mpmath.mpf(1)]
    for column in range(n):
        total, term = mpmath.mpf(0), -1
        for row in range(column, -1, -1):
            power = column - row + 1
            term = -term
            if high[row] <= low[column]:
                break
            total += term * (high[row] - low[column]) ** power / mpmath.factorial(power) * minors[row]
        minors.append(total)
    return minors[n] * mpmath.factorial(n)


def expected(n, x):
    """The coefficients, from differences with so many digits that none is lost; of more than 1/2, less 1."""
    with mpmath.workdps(250):
        x, h = mpmath.mpf(x), mpmath.mpf(10) ** -20
        f = [probability(n, x + i * h) for i in range(-2, 3)]
        first = (8 * (f[3] - f[1]) - (f[4] - f[0])) / (12 * h)
        second = (16 * (f[3] + f[1]) - f[4] - f[0] - 30 * f[2]) / (12 * h * h)
        third = (f[4] - f[0] - 2 * (f[3] - f[1])) / (2 * h**3)
        return [float(y) for y in (f[2] - (x > 0.5), first, second / 2, third / 6)]


@pytest.mark.parametrize(
    ("n", "x"),
    [
        (3, (0.18, 0.4, 0.45, 0.7)),
        (10, (0.06, 0.13, 0.17, 0.26, 0.48, 0.52, 0.91)),
        (41, (0.02, 0.043, 0.1, 0.21, 0.333, 0.37, 0.6)),
        (100, (0.05, 0.21)),
    ],
)
def test_few_observations(n, x):
    """In each range, and to both sides of the knots at halves."""
    for at in x:
        np.testing.assert_allclose(kolmogorov_series(n, at, 3), expected(n, at), rtol=1e-12)


def test_many_observations(monkeypatch):
    """What is extrapolated is what larger matrices, and longer sums, give."""
    cases = [(3000, 2.4), (8000, 1.7), (20000, 0.8)]
    found = [kolmogorov_series(n, z / np.sqrt(n), 3) for n, z in cases]
    of_tails = [kolmogorov_series(300_000, x, 3) for x in (0.005, 0.008)]
    monkeypatch.setattr(kolmogorov_statistic, "_MOST_ROWS", 200)
    monkeypatch.setattr(kolmogorov_statistic, "_MOST_TERMS", 300_000)
    for (n, z), series in zip(cases, found, strict=True):
        np.testing.assert_allclose(series, kolmogorov_series(n, z / np.sqrt(n), 3), rtol=1e-9)
    for x, series in zip((0.005, 0.008), of_tails, strict=True):
        np.testing.assert_allclose(series, kolmogorov_series(300_000, x, 3), rtol=1e-9)
