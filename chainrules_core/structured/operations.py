"""The operations that keep structure where they can, as tables of methods. NumPy's functions use them.

The methods for the kinds of this package are in `sums`, `products` and `matrix_products`; a kind of one's own
adds its methods with ``add.dispatch`` and so on. An operation without a better method works on dense arrays.
"""

from typing import Any

from plum import Function


@Function
def add(x: object, y: object) -> Any:
    """``x + y``."""
    raise NotImplementedError  # the methods follow


@Function
def multiply(x: object, y: object) -> Any:
    """The elementwise product ``x * y``."""
    raise NotImplementedError


@Function
def matmul(x: object, y: object) -> Any:
    """The matrix product ``x @ y``."""
    raise NotImplementedError


@Function
def solve(a: object, b: object) -> Any:
    """The solution of ``a @ x = b``."""
    raise NotImplementedError
