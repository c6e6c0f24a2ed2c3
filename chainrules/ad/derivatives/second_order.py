"""`hvp`: products of the second derivatives with a vector, without the matrix."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.derivatives.gradients import grad
from chainrules.ad.derivatives.pushing import jvp


def hvp(f: Callable[[Any], Any], x: Any, v: Any) -> Any:
    """The Hessian of a function times a vector, at the cost of a few gradients.

    Parameters
    ----------
    f
        A function of one argument, with one real number as its result.
    x
        Its argument: a number, an array, or a container of them.
    v
        The vector, in the form of `x`.

    Returns
    -------
    object
        ``d/dt ∇f(x + t v)`` at 0, in the form of `x`: the gradient differentiated forwards.

    Raises
    ------
    TypeError, DimensionMismatchError, RuleNotFoundError
        As `grad` and `jvp`.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import hvp
    >>> hvp(lambda x: np.sum(x**3), np.array([1.0, 2.0]), np.array([1.0, 0.5]))
    array([6., 6.])
    """
    return jvp(grad(f), (x,), (v,))[1]
