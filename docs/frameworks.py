"""Who is asked for derivatives of SciPy's functions: this project, JAX, PyTorch and autograd.

Each takes the slope of a program along tangents, forwards and in reverse, and the second derivative. They are
imported when one is made.
"""

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules import ad
from chainrules_testutils.oracles.jax import Jax
from chainrules_testutils.oracles.names import found_in, resolved
from chainrules_testutils.oracles.torch import Torch

# Where a framework has the functions of a module, beside the places that the oracles of the testers know: a
# module is looked for under its own name, and then under these.
HOMES = {
    "jax": {"scipy.fft": ("jax.numpy.fft",), "scipy.linalg": ("jax.numpy.linalg",)},
    "torch": {
        "scipy.fft": ("torch.fft",),
        "scipy.linalg": ("torch.linalg",),
        "scipy.integrate": ("torch",),  # `trapezoid` and `cumulative_trapezoid`
        "scipy.signal.windows": ("torch.signal.windows",),
    },
}
HOMES_IN_AUTOGRAD = {
    "scipy.fft": ("autograd.numpy.fft",),
    "scipy.linalg": ("autograd.scipy.linalg", "autograd.numpy.linalg"),
}


class Here:
    """The derivatives of this project."""

    xp = np

    def counterpart(self, name: str) -> Any:
        """The function itself."""

    def array(self, x: Any) -> Any:
        """A number or an array as this framework takes it."""
        return x

    def forward(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The slope along tangents, forwards."""
        return float(ad.jvp(f, tuple(xs), tuple(x_dots))[1])

    def reverse(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The slope along tangents, by the gradient."""
        x_bars = ad.grad(f, tuple(range(len(xs))))(*xs)
        return float(sum(np.sum(x_bar * x_dot) for x_bar, x_dot in zip(x_bars, x_dots, strict=True)))

    def second(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The second derivative along tangents."""
        gradient = ad.grad(f, tuple(range(len(xs))))
        _, moved = ad.jvp(gradient, tuple(xs), tuple(x_dots))
        return float(sum(np.sum(x_bar * x_dot) for x_bar, x_dot in zip(moved, x_dots, strict=True)))


class OfJax(Jax):
    """JAX, in double precision."""

    def __init__(self) -> None:
        super().__init__()
        self._jax.config.update("jax_enable_x64", True)
        self.xp = self._jax.numpy

    def array(self, x: Any) -> Any:
        """A number or an array as this framework takes it."""
        return self._arrays([x])[0]

    def forward(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The slope along tangents, forwards."""
        return float(self._jax.jvp(f, self._arrays(xs), self._arrays(x_dots))[1])

    def reverse(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The slope along tangents, by the gradient."""
        return float(self._along(f, x_dots)(*self._arrays(xs)))

    def second(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The second derivative along tangents."""
        return float(self._jax.grad(lambda t: self._along(f, x_dots)(*self._moved(xs, x_dots, t)))(0.0))

    def forget(self) -> None:
        """Give up what was compiled, which takes gigabytes in the end."""
        self._jax.clear_caches()

    def _along(self, f: Any, x_dots: Any) -> Any:
        def slope(*xs: Any) -> Any:
            x_bars = self._jax.grad(f, tuple(range(len(xs))))(*xs)
            return sum(self.xp.sum(x_bar * x_dot) for x_bar, x_dot in zip(x_bars, x_dots, strict=True))

        return slope

    def _moved(self, xs: Any, x_dots: Any, t: Any) -> Any:
        return [x + t * x_dot for x, x_dot in zip(self._arrays(xs), x_dots, strict=True)]


class OfTorch(Torch):
    """PyTorch, in double precision."""

    def __init__(self) -> None:
        super().__init__()
        self.xp = self._torch

    def array(self, x: Any) -> Any:
        """A number or an array as this framework takes it."""
        return self._tensor(x)

    def forward(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The slope along tangents, forwards."""
        forward = self._torch.autograd.forward_ad
        with forward.dual_level():
            pairs = zip(map(self._tensor, xs), map(self._tensor, x_dots), strict=True)
            return float(forward.unpack_dual(f(*(forward.make_dual(*pair) for pair in pairs))).tangent)

    def reverse(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The slope along tangents, by the gradient."""
        return float(self._along(f, [self._tensor(x).requires_grad_() for x in xs], x_dots, False))

    def second(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The second derivative along tangents."""
        tensors = [self._tensor(x).requires_grad_() for x in xs]
        return float(self._along(lambda *xs: self._along(f, xs, x_dots, True), tensors, x_dots, False))

    def _along(self, f: Any, xs: Any, x_dots: Any, again: bool) -> Any:
        y = f(*xs)
        if not again and not y.requires_grad:
            return 0.0  # the slope of a linear function
        options = {"allow_unused": True, "materialize_grads": True, "create_graph": again}
        x_bars = self._torch.autograd.grad(y, xs, **options)
        dots = map(self._tensor, x_dots)
        return sum((x_bar * x_dot).sum() for x_bar, x_dot in zip(x_bars, dots, strict=True))


class OfAutograd:
    """The package autograd."""

    name = "autograd"

    def __init__(self) -> None:
        self._autograd = importlib.import_module("autograd")
        self._core = importlib.import_module("autograd.core")
        self.xp = importlib.import_module("autograd.numpy")

    def counterpart(self, name: str) -> Any:
        """By the dotted name; it wraps all of NumPy and `scipy.linalg`, also what it has no derivative of."""
        module, _, last = name.rpartition(".")
        homes = HOMES_IN_AUTOGRAD.get(module, (module.replace("scipy", "autograd.scipy", 1),))
        found = (resolved(f"{home}.{last}") for home in homes)
        return next((f for f in found if f is not None and self._has_rules(f)), None)

    def _has_rules(self, f: Any) -> bool:
        is_wrapped = hasattr(f, "fun")
        return not is_wrapped or f in self._core.primitive_vjps or f in self._core.primitive_jvps

    def array(self, x: Any) -> Any:
        """A number or an array as this framework takes it."""
        return x

    def forward(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The slope along tangents, forwards."""
        return float(self._autograd.make_jvp(lambda t: f(*self._moved(xs, x_dots, t)))(0.0)(1.0)[1])

    def reverse(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The slope along tangents, by the gradient."""
        return float(self._slope(f, xs, x_dots)(0.0))

    def second(self, f: Any, xs: Any, x_dots: Any) -> float:
        """The second derivative along tangents."""
        return float(self._autograd.grad(self._slope(f, xs, x_dots))(0.0))

    def _slope(self, f: Any, xs: Any, x_dots: Any) -> Any:
        return self._autograd.grad(lambda t: f(*self._moved(xs, x_dots, t)))

    def _moved(self, xs: Any, x_dots: Any, t: Any) -> Any:
        return [x + t * x_dot for x, x_dot in zip(xs, x_dots, strict=True)]


FRAMEWORKS: dict[str, Callable[[], Any]] = {
    "here": Here,
    "jax": OfJax,
    "torch": OfTorch,
    "autograd": OfAutograd,
}


def counterpart(key: str, framework: Any, name: str) -> Any:
    """The function or module of a framework that has the name of one of SciPy's."""
    found = framework.counterpart(name)
    return found if found is not None or key not in HOMES else found_in(HOMES[key], name)
