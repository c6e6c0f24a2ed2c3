"""How a scalar rule carries tangents through, for every kind of value: arrays, complex numbers, several results."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.scalar_products import pulled, strong_product, total
from chainrules_core.tangent_types.abstract_tangent import AbstractTangent
from chainrules_core.tangent_types.abstract_zero import AbstractZero, NoTangent, ZeroTangent
from chainrules_core.tangent_types.structural_tangent import Tangent
from chainrules_core.tangent_types.thunks import unthunk

_NUMBERS = (float, complex, int, np.number)


class ScalarRule:
    """The partial derivatives of one primal, as `scalar_rule` was given them."""

    def __init__(
        self, primal: Any, differentiate: Callable[..., Any], n_arguments: int, place: tuple[str, int]
    ) -> None:
        self._primal = primal
        self._differentiate = differentiate
        self._n_arguments = n_arguments
        self._place = place

    def push(self, y: Any, xs: tuple[Any, ...], tangents: tuple[Any, ...]) -> Any:
        """The tangent of the result."""
        x_dots = [unthunk(x_dot) for x_dot in tangents]
        several = isinstance(y, tuple)
        if all(map(_is_zero, x_dots)):
            # Nothing to multiply: do not evaluate partial derivatives, which may not exist here.
            y_dots = [total(part, x_dots) for part in (y if several else (y,))]
        else:
            with np.errstate(divide="ignore", invalid="ignore"):
                rows = self.partials(y, xs)
                parts = y if several else (y,)
                y_dots = [
                    total(part, [strong_product(d, x_dot) for d, x_dot in zip(row, x_dots, strict=True)])
                    for part, row in zip(parts, rows, strict=True)
                ]
        return Tangent[type(y)](*y_dots) if several else y_dots[0]

    def pull(self, y: Any, xs: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
        """The cotangents of the function and its arguments."""
        y_bars = _components(y, unthunk(y_bar))
        if all(isinstance(part, AbstractZero) for part in y_bars):
            return NoTangent(), *(ZeroTangent() for _ in xs)
        if all(map(_is_zero, y_bars)):
            zero = next(part for part in y_bars if not isinstance(part, AbstractZero))
            return NoTangent(), *(pulled(x, 0.0, zero) for x in xs)
        x_bars: list[Any] = [ZeroTangent()] * len(xs)
        with np.errstate(divide="ignore", invalid="ignore"):
            for row, part in zip(self.partials(y, xs), y_bars, strict=True):
                x_bars = [x_bar + pulled(x, d, part) for x_bar, x, d in zip(x_bars, xs, row, strict=True)]
        return NoTangent(), *x_bars

    def partials(self, y: Any, xs: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
        """One tuple of partial derivatives for each result."""
        partials = self._differentiate(y, *xs)
        if not isinstance(y, tuple):
            return (self._row(partials),)
        if not isinstance(partials, tuple) or len(partials) != len(y):
            raise self._error(partials, f"one tuple for each of the {len(y)} results")
        return tuple(map(self._row, partials))

    def _row(self, partials: Any) -> tuple[Any, ...]:
        if self._n_arguments == 1 and not isinstance(partials, tuple):
            return (partials,)
        return self.checked(partials)

    def single(self, partials: tuple[Any, ...]) -> Any:
        """The partial derivative of a function of one argument that wraps it in a tuple."""
        return self.checked(partials)[0]

    def checked(self, partials: Any) -> tuple[Any, ...]:
        """`partials` itself, if it is a tuple with one partial derivative for each argument."""
        if not isinstance(partials, tuple) or len(partials) != self._n_arguments:
            raise self._error(partials, f"a tuple of {self._n_arguments}, one for each argument")
        return partials

    def _error(self, partials: Any, expected: str) -> RuleDefinitionError:
        got = f"a tuple of {len(partials)}" if isinstance(partials, tuple) else f"a {type(partials).__name__}"
        return RuleDefinitionError(
            f"scalar_rule({self._primal!r}, ...) at {self._place[0]}:{self._place[1]}: the partial derivatives are {got}, "
            f"but should be {expected}."
        )


def _components(y: Any, y_bar: Any) -> list[Any]:
    """The cotangent of each result; that of a function with several may be structural, a tuple, or zero."""
    if not isinstance(y, tuple):
        return [y_bar]
    if isinstance(y_bar, AbstractZero):
        return [y_bar] * len(y)
    return [unthunk(y_bar[i]) for i in range(len(y))]


def _is_zero(x: Any) -> bool:
    if isinstance(x, AbstractTangent):
        return isinstance(x, AbstractZero)
    return isinstance(x, _NUMBERS) and x == 0
