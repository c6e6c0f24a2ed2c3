"""JAX as an oracle.

JAX is bilinear in complex numbers: its cotangents are the conjugates of this project's.
"""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules_testutils.oracles.framework import Array, Program, Pullback, in_double_precision
from chainrules_testutils.oracles.names import OF_ANY_ARRAY, found_in, resolved

_HOMES = {
    "numpy": ("jax.numpy",),
    "scipy": ("jax.scipy",),
    "scipy.special": ("jax.scipy.special", "jax.numpy"),
    "math": ("jax.numpy", "jax.scipy.special"),
    "cmath": ("jax.numpy",),
}
_OTHER_NAMES = {
    "math.fabs": "jax.numpy.absolute",
    "math.lgamma": "jax.scipy.special.gammaln",
    "scipy.special.psi": "jax.scipy.special.digamma",
    "scipy.special.softmax": "jax.nn.softmax",
    "scipy.special.log_softmax": "jax.nn.log_softmax",
    "scipy.special.log_expit": "jax.nn.log_sigmoid",
    "scipy.special.softplus": "jax.nn.softplus",
}


class Jax:  # pragma: no cover - it runs where JAX is installed
    """The functions of `jax.numpy` and `jax.scipy`, with 64 bits here and nowhere else.

    Raises
    ------
    ModuleNotFoundError
        If JAX is not installed.
    """

    name = "jax"

    def __init__(self) -> None:
        self._jax = importlib.import_module("jax")

    def _in_64_bits(self) -> Any:
        # Older versions have the context among the experiments.
        if hasattr(self._jax, "enable_x64"):
            return self._jax.enable_x64(True)
        return importlib.import_module("jax.experimental").enable_x64()

    def counterpart(self, name: str) -> Callable[..., Any] | None:
        """By the dotted name; methods of arrays are those of JAX's arrays."""
        module, _, last = name.rpartition(".")
        if module == "numpy.ndarray":
            return _method(last) if hasattr(self._jax.Array, last) else None
        same = name if name in OF_ANY_ARRAY else _OTHER_NAMES.get(name)
        function: Callable[..., Any] | None = found_in(_HOMES, name) if same is None else resolved(same)
        return function

    def constant(self, x: Any) -> Any:
        """The value itself: JAX takes those of NumPy."""
        return x

    def vjp(self, program: Program, xs: Sequence[Array]) -> tuple[list[Array], Pullback]:
        """By `jax.vjp`."""
        with self._in_64_bits():
            ys, pull = self._jax.vjp(lambda *xs: program(list(xs)), *self._arrays(xs))

        def pullback(y_bars: Sequence[Array]) -> list[Array]:
            with self._in_64_bits():
                x_bars = pull([self._cotangent(*pair) for pair in zip(ys, y_bars, strict=True)])
                return [np.conj(np.asarray(x_bar)) for x_bar in x_bars]

        return [np.asarray(y) for y in ys], pullback

    def jvp(
        self, program: Program, xs: Sequence[Array], x_dots: Sequence[Array]
    ) -> tuple[list[Array], list[Array]]:
        """By `jax.jvp`."""
        with self._in_64_bits():
            ys, y_dots = self._jax.jvp(lambda *xs: program(list(xs)), self._arrays(xs), self._arrays(x_dots))
            return [np.asarray(y) for y in ys], [self._tangent(y_dot) for y_dot in y_dots]

    def _arrays(self, xs: Sequence[Array]) -> list[Any]:
        return [self._jax.numpy.asarray(in_double_precision(x)) for x in xs]

    def _cotangent(self, y: Any, y_bar: Array) -> Any:
        if not self._is_inexact(y):
            return np.zeros(y.shape, dtype=self._jax.dtypes.float0)
        y_bar = np.conj(y_bar) if y.dtype.kind == "c" else np.real(y_bar)
        return self._jax.numpy.asarray(y_bar, dtype=y.dtype).reshape(y.shape)

    def _tangent(self, y_dot: Any) -> Array:
        return np.asarray(y_dot) if self._is_inexact(y_dot) else np.zeros(y_dot.shape)

    def _is_inexact(self, x: Any) -> bool:
        return bool(self._jax.numpy.issubdtype(x.dtype, np.inexact))


def _method(name: str) -> Callable[..., Any]:  # pragma: no cover - as above
    def method(x: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(x, name)(*args, **kwargs)

    return method
