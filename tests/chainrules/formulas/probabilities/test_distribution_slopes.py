"""Partial derivatives of a probability and of its complement."""

import pytest

from chainrules.formulas.probabilities.distribution_slopes import of_complement, of_probability


def test_both_arguments():
    """Of ``p = a x / (1 + a x)`` and ``1 - p``, each by its own argument."""
    by_a, by_x = of_probability(lambda a, x: x / (1 + a * x) ** 2, lambda a, x: a / (1 + a * x) ** 2)

    assert by_a(0.6, 0.5, 3.0) == pytest.approx(3.0 / 2.5**2)
    assert by_x(0.6, 0.5, 3.0) == pytest.approx(0.5 / 2.5**2)
    assert [slope(0.4, 0.5, 3.0) for slope in of_complement((by_a, by_x))] == [
        -by_a(0.6, 0.5, 3.0),
        -by_x(0.6, 0.5, 3.0),
    ]
