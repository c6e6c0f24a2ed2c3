"""Arrays on their way between JAX and NumPy, which have different dtypes."""

from collections.abc import Sequence
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.ownership import owned

_KINDS = "biufc"  # truth values, integers, unsigned ones, real and complex numbers


def is_tensor(x: Any) -> bool:
    """Whether a value is an array of JAX, or stands for one while a function is traced."""
    return isinstance(x, jax.Array)  # a tracer is an instance too


def is_array(x: Any) -> bool:
    """Whether a value is a number or an array, of NumPy or of JAX."""
    return isinstance(x, np.ndarray | np.generic | int | float | complex | jax.Array)


def check_dtypes(name: str, tensors: Sequence[Any]) -> None:
    """Refuse arrays of a dtype that NumPy has not.

    Raises
    ------
    AdapterError
        If there is such an array: of bfloat16, of numbers of four or eight bits, of keys for random numbers.
    """
    for tensor in tensors:
        if getattr(tensor.dtype, "kind", "V") not in _KINDS:
            raise AdapterError(
                f"{name} was given a JAX array of {tensor.dtype}, which NumPy has no numbers for. Convert it "
                "before, such as with `x.astype(jnp.float32)`; the gradient is converted back by JAX."
            )


def numpy_array(x: Any) -> Any:
    """An array of JAX as the function sees it: an array of its own, or a number if it has no axes."""
    array = np.array(x)
    return array if array.ndim else array[()]


def jax_arrays(name: str, arrays: list[Any]) -> list[jax.Array]:
    """Arrays of JAX for those of a result; the caller holds these in the list only, or they are copied."""
    return [jnp.asarray(_rounded(name, array)) for array in owned(arrays)]


def host_arrays(name: str, arrays: Sequence[Any]) -> tuple[Any, ...]:
    """Arrays of NumPy for those of a result, in dtypes that JAX has."""
    return tuple(_rounded(name, np.asarray(y)) for y in arrays)


def canonical_dtype(dtype: Any) -> np.dtype[Any]:
    """The dtype that JAX has for one of NumPy's: of half the width for 64 bits, unless these are enabled."""
    return np.dtype(jax.dtypes.canonicalize_dtype(dtype))


def _rounded(name: str, array: Any) -> Any:
    """An array in the dtype that JAX has for it.

    Raises
    ------
    AdapterError
        If a number in it is too large for that dtype.
    """
    dtype = canonical_dtype(array.dtype)
    if dtype == array.dtype:
        return array
    with np.errstate(over="ignore"):
        narrow = array.astype(dtype)
    fits = np.array_equal(narrow, array) if dtype.kind in "iu" else np.isfinite(narrow) | ~np.isfinite(array)
    if not np.all(fits):
        raise AdapterError(
            f"{name} returned an array of {array.dtype} with numbers that are too large for {dtype}, and JAX "
            'has nothing wider now. Enable it: `jax.config.update("jax_enable_x64", True)`.'
        )
    return narrow
