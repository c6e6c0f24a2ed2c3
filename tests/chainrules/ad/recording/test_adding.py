"""Sums into parts of arrays are one line where nobody sees the steps."""

import numpy as np

from chainrules.ad.recording.variant import make_variant

X = np.array([0.5, 2.0, 3.0])


def lines(f):
    """The lines of a program, which returns what the function returns."""
    variant = make_variant(f, (X,), {})
    for got, plain in zip(variant.run([2.0 * X]), f(2.0 * X), strict=True):
        np.testing.assert_array_equal(got, plain)
    return [line.strip() for line in variant.source.splitlines() if "#" not in line]


def test_a_number_and_a_part():
    """Both are added in place."""

    def f(x):
        y, number, part = x * 2.0, x[1], x[:2]
        y[0] = y[0] + number
        y[1:] += part
        return (y,)

    text = lines(f)
    assert "y[0] += number" in text
    assert "y[1:] += part" in text


def test_what_somebody_reads():
    """Another place, and a sum that is read again, are as they were written."""

    def f(x):
        y = x * 2.0
        y[0] = y[1] + x[1]
        total = y[2] + x[0]
        y[2] = total
        return y, total

    assert not any("+=" in line for line in lines(f))
