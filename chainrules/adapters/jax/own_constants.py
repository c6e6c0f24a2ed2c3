"""Arrays of NumPy that are constants of a call, as they are when JAX traces it.

A compiled program calls the function later, and a derivative calls it again. JAX keeps the numbers that its
constants had when it traced a program; here too, writing into an array changes neither the value nor, without
the value, the gradient.
"""

import dataclasses
from typing import Any

import numpy as np

from chainrules.adapters.flat_functions import FlatCall


def with_own_constants(call: FlatCall) -> FlatCall:
    """The call, with copies of the arrays that are arguments, or in tuples, lists and dicts of these."""
    return dataclasses.replace(call, args=_copied(call.args), kwargs=_copied(call.kwargs))


def _copied(x: Any) -> Any:
    if isinstance(x, np.ndarray):
        return x.copy()
    cls = type(x)
    if cls is tuple or cls is list:
        return cls(map(_copied, x))
    return {key: _copied(part) for key, part in x.items()} if cls is dict else x
