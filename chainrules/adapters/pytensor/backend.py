"""The backend of PyTensor's variables: calls of primitives with them are adapted, and differentiated."""

from typing import Any

from pytensor.graph.basic import Variable

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.pytensor.adapter import call

__all__ = ["call", "primal"]


def primal(x: Variable) -> Any:
    """The array in a variable: there is none before a compiled function runs.

    Raises
    ------
    AdapterError
        Always.
    """
    raise AdapterError(
        f"{x}: a variable of PyTensor has no value before it is computed. Rules and programs over NumPy are "
        "given variables by `to_pytensor(f)` of `chainrules.adapters`, or by a `primitive`."
    )
