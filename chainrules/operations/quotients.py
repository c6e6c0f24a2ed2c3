"""Division by a norm."""

from typing import Any


def quotient_or_zero(x: Any, norm: Any) -> Any:
    """``x / norm``, and 0 where the norm is: the subgradient of a norm in the middle of its kink.

    Of Python's numbers, which raise an error there.
    """
    try:
        return x / norm
    except ZeroDivisionError:
        return 0.0
