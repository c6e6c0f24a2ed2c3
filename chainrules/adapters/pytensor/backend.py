"""The backend of PyTensor's variables: calls of primitives with them are adapted, and differentiated."""

from collections.abc import Mapping
from typing import Any

from pytensor.graph.basic import Variable

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.pytensor.adapter import call as call

__all__ = ["call", "primal"]


def primal(x: Variable) -> Any:
    """The array in a variable: there is none before a compiled function runs.

    Raises
    ------
    AdapterError
        Always.
    """
    raise AdapterError(
        f"{x}: a variable of PyTensor has no value before it is computed. Call the function as "
        "`to_pytensor(f)`, or a `primitive`; a program that calls them is `to_pytensor(program)`."
    )
