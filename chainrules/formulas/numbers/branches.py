"""Square roots of complex numbers on the side of a branch cut that a primal chose."""

from typing import Any

import numpy as np

from chainrules_core import may_hold, primal_of


def roots_on_side(a: Any, b: Any, side: Any) -> Any:
    """``sqrt(a) sqrt(b)``, with the sign that makes it equal to `side` up to rounding.

    Parameters
    ----------
    a, b
        Complex numbers or arrays.
    side
        The same product, on the right side of the branch cuts, such as ``cos(arcsin z)``, which has few
        correct digits where it is small.

    Returns
    -------
    Any
        A product with all its digits, which is 0 where `a` or `b` is.
    """
    roots = np.sqrt(a) * np.sqrt(b)
    product, side = primal_of(roots), primal_of(side)
    is_opposite = abs(product + side) < abs(product - side)
    return np.where(is_opposite, -roots, roots)[()] if may_hold(is_opposite) else roots
