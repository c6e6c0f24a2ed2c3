"""Bernoulli's numbers, and the series of ``log Γ`` and its derivative that are made of them.

For large z, https://dlmf.nist.gov/5.11, ::

    log Γ(z) = (z - 1/2) log z - z + log(2π)/2 + Σ B₂ₖ / (2k (2k - 1) z^(2k - 1))
    ψ(z)     = log z - 1/(2z) - Σ B₂ₖ / (2k z^2k)
"""

from fractions import Fraction
from math import comb
from typing import Any


def bernoulli_numbers(count: int) -> list[Fraction]:
    """``B₂, B₄, ...``, so many of them: by the recurrence https://dlmf.nist.gov/24.5.E3."""
    numbers = [Fraction(1)]
    for n in range(2, 2 * count + 2):
        numbers.append(-sum((comb(n, k) * number for k, number in enumerate(numbers)), Fraction()) / n)
    return numbers[2::2]


def of_log_gamma(count: int) -> tuple[float, ...]:
    """The coefficients of ``1/z``, ``1/z³``, ... in ``log Γ(z)``."""
    return tuple(float(b / (2 * k * (2 * k - 1))) for k, b in enumerate(bernoulli_numbers(count), 1))


def of_digamma(count: int) -> tuple[float, ...]:
    """The coefficients of ``1/z²``, ``1/z⁴``, ... in ``log z - 1/(2z) - ψ(z)``."""
    return tuple(float(b / (2 * k)) for k, b in enumerate(bernoulli_numbers(count), 1))


def polynomial(coefficients: tuple[float, ...], x: Any) -> Any:
    """``c₀ + c₁ x + c₂ x² + ...``, by Horner's rule."""
    y: Any = 0.0
    for c in reversed(coefficients):
        y = c + x * y
    return y
