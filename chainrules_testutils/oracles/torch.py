"""PyTorch as an oracle. Its complex cotangents are conjugated as this project's are."""

import importlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules_testutils.oracles.framework import Array, Program, Pullback, in_double_precision
from chainrules_testutils.oracles.names import OF_ANY_ARRAY, found_in, resolved
from chainrules_testutils.oracles.torch_functions import KEYWORDS, OTHER_NAMES, TorchFunctions

_HOMES = {
    "numpy": ("torch",),
    "scipy.special": ("torch.special", "torch"),
    "math": ("torch", "torch.special"),
    "cmath": ("torch",),
}

_NONE = "PyTorch has no derivative of this, as no result depends on the arguments for it."


class Torch:  # pragma: no cover - it runs where PyTorch is installed
    """The functions of `torch`, `torch.linalg`, `torch.special` and `torch.fft`.

    Raises
    ------
    ModuleNotFoundError
        If PyTorch is not installed.
    """

    name = "torch"

    def __init__(self) -> None:
        self._torch = importlib.import_module("torch")
        self._functions = TorchFunctions(self._torch)

    def counterpart(self, name: str) -> Callable[..., Any] | None:
        """By the dotted name; where arguments differ, by a function that puts them into their places."""
        if name in OF_ANY_ARRAY:
            function: Callable[..., Any] = resolved(name)
            return function
        name = name.replace("numpy.ndarray.", "numpy.")
        written: Callable[..., Any] | None = getattr(self._functions, name.replace(".", "_"), None)
        if written is not None:
            return written
        other = OTHER_NAMES.get(name)
        found = found_in(_HOMES, name) if other is None else resolved(f"torch.{other}")
        return None if found is None else self._with_keywords(found)

    def _with_keywords(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def with_keywords(*args: Any, **kwargs: Any) -> Any:
            given = {KEYWORDS.get(key, key): x for key, x in kwargs.items() if x is not None}
            return function(*args, **given)

        return with_keywords

    def constant(self, x: Any) -> Any:
        """A tensor for an array, a dtype for a dtype; the value itself for others."""
        if isinstance(x, np.ndarray) and x.dtype.kind in "fciub":
            return self._torch.as_tensor(np.array(x))
        if isinstance(x, np.generic):
            return x.item()
        return x

    def vjp(self, program: Program, xs: Sequence[Array]) -> tuple[list[Array], Pullback]:
        """By `torch.autograd.grad`."""
        tensors = [self._tensor(x).requires_grad_() for x in xs]
        ys = self._tensors(program([*tensors]))

        def pullback(y_bars: Sequence[Array]) -> list[Array]:
            pairs = [
                (y, self._tensor(y_bar).to(y.dtype).reshape(y.shape))
                for y, y_bar in zip(ys, y_bars, strict=True)
                if y.requires_grad
            ]
            if not pairs:
                raise NotImplementedError(_NONE)
            outputs, cotangents = zip(*pairs, strict=True)
            x_bars = self._torch.autograd.grad(
                outputs, tensors, cotangents, allow_unused=True, materialize_grads=True
            )
            return [_numbers(x_bar) for x_bar in x_bars]

        return [_numbers(y) for y in ys], pullback

    def jvp(
        self, program: Program, xs: Sequence[Array], x_dots: Sequence[Array]
    ) -> tuple[list[Array], list[Array]]:
        """By `torch.autograd.forward_ad`, which tells no tangent from zero; `torch.func.jvp` does not."""
        forward = self._torch.autograd.forward_ad
        with forward.dual_level():
            pairs = zip(map(self._tensor, xs), map(self._tensor, x_dots), strict=True)
            ys = self._tensors(program([forward.make_dual(*pair) for pair in pairs]))
            duals = [forward.unpack_dual(y) for y in ys]
            if all(dual.tangent is None for dual in duals):
                raise NotImplementedError(_NONE)
            y_dots = [self._torch.zeros_like(y) if y_dot is None else y_dot for y, y_dot in duals]
            return [_numbers(dual.primal) for dual in duals], [_numbers(y_dot) for y_dot in y_dots]

    def _tensor(self, x: Array) -> Any:
        return self._torch.tensor(in_double_precision(x))

    def _tensors(self, ys: Sequence[Any]) -> list[Any]:
        return [self._torch.as_tensor(y) for y in ys]


def _numbers(tensor: Any) -> Array:  # pragma: no cover - as above
    return np.asarray(tensor.detach().resolve_conj().resolve_neg().numpy())
