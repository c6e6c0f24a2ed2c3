"""What `primitive` makes of calls with arrays of JAX."""

from collections.abc import Mapping
from typing import Any

import jax
import numpy as np

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.jax.adapting import to_jax


def call(f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Call `f`, adapted to JAX."""
    return to_jax(f)(*args, **kwargs)


def primal(x: Any) -> Any:
    """The array of NumPy with the numbers of an array of JAX.

    Raises
    ------
    AdapterError
        If JAX traces it, and there are no numbers.
    """
    if isinstance(x, jax.core.Tracer):
        raise AdapterError(
            "An array that JAX traces has no numbers, which are needed here. Give the function whole to JAX: "
            "`to_jax(f)(x)`, or `primitive(f)(x)`. A function that is given to `from_jax` takes what "
            "others trace as an argument, `from_jax(f)(x, w)`, and does not capture it."
        )
    return np.asarray(x)
