"""`PrimalAndTangent`: an argument of a tester together with the tangent to use for it."""

from dataclasses import dataclass
from typing import Any

from chainrules_testutils.values.rand_tangent import rand_tangent


@dataclass(frozen=True, slots=True, eq=False)
class PrimalAndTangent:
    """An argument of a tester, and its tangent, in the place of a random one.

    `test_frule` differentiates along the tangent; `test_rrule` accumulates the cotangent onto it. With
    ``NoTangent()`` the argument is not differentiated, and its cotangent has to be ``NoTangent()``.

    Parameters
    ----------
    x
        The argument.
    x_dot
        Its tangent.
    """

    x: Any
    x_dot: Any


def paired(x: Any, rng: Any) -> PrimalAndTangent:
    """`x` with a random tangent, unless it has one already."""
    return x if isinstance(x, PrimalAndTangent) else PrimalAndTangent(x, rand_tangent(x, rng))
