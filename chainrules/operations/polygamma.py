"""The derivatives of the logarithm of the gamma function, of all orders.

``polygamma(n, x)`` is the derivative of order n + 1 of log Γ(x), so that each is the derivative of the one
before: https://dlmf.nist.gov/5.15
"""

from numbers import Number
from typing import Any

from chainrules_core import NO_TANGENT, primitive, scalar_rule


@primitive
def polygamma(n: int, x: Any) -> Any:
    """``ψ⁽ⁿ⁾(x)``: the digamma function for ``n = 0``, the trigamma function for ``n = 1``, and so on."""
    # Not at the top: `import chainrules` imports no subpackage of SciPy that the program does not need.
    from scipy.special import digamma, polygamma  # noqa: PLC0415 - see above

    return digamma(x) if n == 0 else polygamma(n, x)


@scalar_rule(polygamma)
def _(y: Any, n: int, x: Number) -> tuple[Any, Any]:
    return NO_TANGENT, polygamma(n + 1, x)
