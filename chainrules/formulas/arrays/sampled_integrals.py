"""Integrals of sampled functions: what each interval between two samples contributes, and its derivatives.

By the trapezoidal rule an interval of length ``u`` contributes ``u (f1 + f2) / 2``. By Simpson's rule it
contributes the integral of the parabola through three samples, of which the interval between the last two has
the length ``v``: ``u ((3 - r) f1 + (3 + r q + r) f2 - r q f3) / 6``, ``r = u / (u + v)``, ``q = u / v``; K.
V. Cartwright, "Simpson's Rule Cumulative Integration with MS Excel and Irregularly-spaced Data", Journal of
Mathematical Sciences and Mathematics Education 12, 2017. Two neighbouring intervals share a parabola; an
interval that is left over at the end has the one through the last three samples.
"""

from typing import Any, NamedTuple

import numpy as np

from chainrules.formulas.arrays.places import places_in, returned
from chainrules.values.reductions import shape_of


class Contributions(NamedTuple):
    """The derivatives of what each interval contributes.

    Attributes
    ----------
    by_samples, by_lengths
        Pairs: the place of a sample, or of a length, for each interval, and the derivative by it.
    """

    by_samples: list[tuple[Any, Any]]
    by_lengths: list[tuple[Any, Any]]

    def pushed(self, y_dot: Any, h_dot: Any) -> Any:
        """The tangent of what each interval contributes; `None` for what does not move."""
        terms = [slope * y_dot[..., place] for place, slope in self.by_samples if y_dot is not None]
        terms += [slope * h_dot[..., place] for place, slope in self.by_lengths if h_dot is not None]
        return sum(terms)

    def pulled_to_samples(self, bar: Any, shape: tuple[int, ...]) -> Any:
        """The cotangent of the samples, which have this shape."""
        return _pulled(self.by_samples, bar, shape)

    def pulled_to_lengths(self, bar: Any, shape: tuple[int, ...]) -> Any:
        """The cotangent of the lengths, which have this shape."""
        return _pulled(self.by_lengths, bar, shape)


def _pulled(pairs: list[tuple[Any, Any]], bar: Any, shape: tuple[int, ...]) -> Any:
    each = shape_of(bar)
    return sum(
        returned(np.conj(slope) * bar, shape, np.broadcast_to(places_in(shape)[..., place], each))
        for place, slope in pairs
    )


def by_trapezoids(y: Any, h: Any) -> Contributions:
    """The trapezoidal rule.

    Parameters
    ----------
    y
        Shape ``(..., n)``: the samples.
    h
        Shape ``(..., n - 1)``: the lengths of the intervals.
    """
    left = np.arange(shape_of(y)[-1] - 1)
    return Contributions(
        [(left, 0.5 * h), (left + 1, 0.5 * h)], [(left, 0.5 * (y[..., left] + y[..., left + 1]))]
    )


def by_parabolas(y: Any, h: Any) -> Contributions:
    """Simpson's rule; of two samples the trapezoidal rule. The arguments are those of `by_trapezoids`."""
    n = shape_of(y)[-1]
    if n < 3:
        return by_trapezoids(y, h)
    own = np.arange(n - 1)
    start = np.minimum(own - own % 2, n - 3)
    is_second = own - start
    near, middle, far = start + 2 * is_second, start + 1, start + 2 - 2 * is_second
    other = start + 1 - is_second
    u, v = h[..., own], h[..., other]
    r, q = u / (u + v), u / v
    f1, f2, f3 = y[..., near], y[..., middle], y[..., far]
    r_u, r_v = v / (u + v) ** 2, -u / (u + v) ** 2
    rq_u, rq_v = r_u * q + r / v, r_v * q - r * q / v
    sixth = u / 6.0
    total = (3.0 - r) * f1 + (3.0 + r * q + r) * f2 - r * q * f3
    return Contributions(
        [(near, sixth * (3.0 - r)), (middle, sixth * (3.0 + r * q + r)), (far, -sixth * r * q)],
        [
            (own, total / 6.0 + sixth * (-r_u * f1 + (rq_u + r_u) * f2 - rq_u * f3)),
            (other, sixth * (-r_v * f1 + (rq_v + r_v) * f2 - rq_v * f3)),
        ],
    )


def romberg_weights(n: int) -> Any:
    """The weights of ``n = 2 ** k + 1`` samples at the distance 1, by Romberg's rule.

    It extrapolates the trapezoidal rules with each second sample left out again and again; W. Romberg,
    "Vereinfachte numerische Integration", 1955.
    """
    k = (n - 1).bit_length() - 1
    shares = np.eye(k + 1)  # of the trapezoidal rules, the one with the fewest samples first
    for j in range(1, k + 1):
        shares = shares[1:] + (shares[1:] - shares[:-1]) / (4.0**j - 1.0)
    weights = np.zeros(n)
    for i, share in enumerate(shares[0]):
        step = 2 ** (k - i)
        weights[::step] += share * step
        weights[[0, -1]] -= 0.5 * share * step
    return weights
