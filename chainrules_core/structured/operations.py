"""The operations that keep structure where they can: functions with a method for each pair of kinds.

NumPy's functions and Python's operators call them. The methods for the kinds of this package are in `sums`,
`products`, `matrix_products` and `solutions`. A kind of your own gets methods by ``@add.dispatch`` over a
function of two annotated parameters, and so on. An operation without a better method works on dense arrays.
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
