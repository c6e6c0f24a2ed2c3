"""Functions of JAX, evaluated with arrays of NumPy: compiled, in the width of the arrays, and at once."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import jax
import jax.experimental
import jax.numpy as jnp
import numpy as np

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.jax.callbacks import is_in_callback

# Raised where a function asks for the value of an array that JAX only traces.
_NEEDS_VALUES = (
    jax.errors.ConcretizationTypeError,
    jax.errors.TracerArrayConversionError,
    jax.errors.TracerIntegerConversionError,
    jax.errors.NonConcreteBooleanIndexError,
)

_enable_x64: Any = jax.enable_x64 if hasattr(jax, "enable_x64") else jax.experimental.enable_x64


class Compiled:
    """A function of JAX, compiled; or as it is, if it needs the values of its arguments.

    Attributes
    ----------
    is_compiled
        Whether it is compiled, as far as is known.
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        self._f = f
        self._call = jax.jit(f)
        self.is_compiled = True

    def __call__(self, *args: Any) -> Any:
        """Call it."""
        try:
            return self._call(*args)
        except _NEEDS_VALUES:
            if not self.is_compiled:
                raise
        self._call, self.is_compiled = self._f, False
        return self._f(*args)


@contextmanager
def evaluating(name: str, xs: Sequence[Any]) -> Iterator[None]:
    """Call functions of JAX with numbers and arrays of NumPy, of 64 bits if some of these are.

    Raises
    ------
    AdapterError
        In a call back from a compiled program of JAX, which might wait for ever.
    """
    if is_in_callback():
        raise AdapterError(
            f"{name} is a function of JAX, and was called by a function that a compiled program of JAX calls "
            "back; each of the two may wait for the other for ever. Adapt it alone, `to_jax(from_jax(f))`, "
            "which is `f`, and combine them in JAX; or call outside of `jax.jit`."
        )
    with jax.ensure_compile_time_eval(), _enable_x64(jax.config.jax_enable_x64 or _are_wide(xs)):
        yield


def _are_wide(xs: Sequence[Any]) -> bool:
    """Whether some arrays have 64 bits for a number; Python's numbers, where there are no arrays."""
    dtypes = [x.dtype for x in xs if isinstance(x, np.ndarray | np.generic)]
    return not dtypes or any(dtype.itemsize >= (16 if dtype.kind == "c" else 8) for dtype in dtypes)


def to_numpy(name: str, ys: Sequence[Any]) -> tuple[Any, ...]:
    """Arrays of NumPy with memory of their own, and numbers for those without axes.

    Raises
    ------
    AdapterError
        If NumPy has no numbers for a dtype.
    """
    ys = [jnp.asarray(y) for y in ys]  # of functions that are not compiled, some may be Python's numbers
    for y in ys:
        if y.dtype.kind not in "biufc":
            raise AdapterError(
                f"{name} returned an array of {y.dtype}, which NumPy has no numbers for. Let it return "
                "`y.astype(jnp.float32)`."
            )
    return tuple(map(_own, ys))


def _own(y: Any) -> Any:
    array = np.array(y)
    return array if array.ndim else array[()]
