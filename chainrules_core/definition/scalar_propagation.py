"""How a scalar rule carries tangents through whatever values: arrays, complex numbers, several results."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from chainrules_core.definition.scalar_products import (
    evaluate_partials,
    product_of_arrays,
    pull_partial,
    strong_product,
    sum_tangents,
    unbroadcast,
)
from chainrules_core.error_state import restore_warnings, silence_warnings
from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.abstract_zero import NO_TANGENT, AbstractZero, ZeroTangent
from chainrules_core.tangents.structural_tangent import Tangent
from chainrules_core.tangents.thunks import unthunk

Method = TypeVar("Method", bound=Callable[..., Any])

_NUMBERS = (float, complex, int, np.number)


def _silenced(method: Method) -> Method:
    @functools.wraps(method)
    def silenced_method(*args: Any) -> Any:
        error_state = silence_warnings()
        try:
            return method(*args)
        finally:
            restore_warnings(error_state)

    return cast(Method, silenced_method)


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
        x_dots = [x_dot if x_dot.__class__ is np.ndarray else unthunk(x_dot) for x_dot in tangents]
        if x_dots[0].__class__ is not np.ndarray and all(map(_is_zero, x_dots)):
            # There is nothing to multiply, and partial derivatives may not exist here.
            return _sums_of_zeros(y, x_dots)
        if isinstance(y, tuple):
            return _tuple_tangent(y, self._push_several(y, xs, x_dots))
        if len(xs) == 1:
            y_dot = product_of_arrays(self._differentiate, (y, xs[0]), xs[0], x_dots[0])
            if y_dot is not None:
                return y_dot
        error_state = silence_warnings()
        try:
            return sum_tangents(y, _terms(self._row(evaluate_partials(self._differentiate, y, *xs)), x_dots))
        finally:
            restore_warnings(error_state)

    @_silenced
    def _push_several(self, y: tuple[Any, ...], xs: tuple[Any, ...], x_dots: list[Any]) -> list[Any]:
        return [
            sum_tangents(part, _terms(row, x_dots)) for part, row in zip(y, self.partials(y, xs), strict=True)
        ]

    def pull(self, y: Any, xs: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
        """The cotangents of the function and its arguments."""
        if y_bar.__class__ is not np.ndarray:
            y_bar = unthunk(y_bar)
            if isinstance(y, tuple):
                return self._pull_several(y, xs, y_bar)
            if _is_zero(y_bar):
                return NO_TANGENT, *(unbroadcast(x, y_bar) for x in xs)
        error_state = silence_warnings()
        try:
            row = self._row(evaluate_partials(self._differentiate, y, *xs))
            return NO_TANGENT, *[pull_partial(x, d, y_bar) for x, d in zip(xs, row, strict=True)]
        finally:
            restore_warnings(error_state)

    @_silenced
    def _pull_several(self, y: tuple[Any, ...], xs: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
        y_bars = [y_bar if isinstance(y_bar, AbstractZero) else unthunk(y_bar[i]) for i in range(len(y))]
        if all(map(_is_zero, y_bars)):
            return NO_TANGENT, *(ZeroTangent() for _ in xs)
        x_bars: list[Any] = [ZeroTangent()] * len(xs)
        for row, part in zip(self.partials(y, xs), y_bars, strict=True):
            if not _is_zero(part):
                x_bars = [
                    x_bar + pull_partial(x, d, part) for x_bar, x, d in zip(x_bars, xs, row, strict=True)
                ]
        return NO_TANGENT, *x_bars

    def partials(self, y: Any, xs: tuple[Any, ...]) -> tuple[tuple[Any, ...], ...]:
        """One tuple of partial derivatives for each result."""
        partials = evaluate_partials(self._differentiate, y, *xs)
        if not isinstance(y, tuple):
            return (self._row(partials),)
        if not isinstance(partials, tuple) or len(partials) != len(y):
            raise self._error(partials, f"one tuple for each of the {len(y)} results")
        return tuple(map(self._row, partials))

    def _row(self, partials: Any) -> tuple[Any, ...]:
        if self._n_arguments == 1 and not isinstance(partials, tuple):
            return (partials,)
        return self._checked(partials)

    def _checked(self, partials: Any) -> tuple[Any, ...]:
        """`partials` itself, if it is a tuple with one partial derivative for each argument."""
        if not isinstance(partials, tuple) or len(partials) != self._n_arguments:
            raise self._error(partials, f"a tuple of {self._n_arguments}, one for each argument")
        return partials

    def _error(self, partials: Any, expected: str) -> RuleDefinitionError:
        got = f"a tuple of {len(partials)}" if isinstance(partials, tuple) else f"a {type(partials).__name__}"
        return RuleDefinitionError(
            f"scalar_rule({self._primal!r}, ...) at {self._place[0]}:{self._place[1]}: the partial "
            f"derivatives are {got}, but should be {expected}."
        )


def _terms(partials: tuple[Any, ...], x_dots: list[Any]) -> list[Any]:
    """What each argument contributes to the tangent of the result."""
    return [
        # A constant contributes a zero, which costs nothing to add.
        x_dot if isinstance(x_dot, AbstractZero) else strong_product(d, x_dot)
        for d, x_dot in zip(partials, x_dots, strict=True)
    ]


def _sums_of_zeros(y: Any, x_dots: list[Any]) -> Any:
    if isinstance(y, tuple):
        return _tuple_tangent(y, [sum_tangents(part, x_dots) for part in y])
    return sum_tangents(y, x_dots)


def _tuple_tangent(y: tuple[Any, ...], y_dots: list[Any]) -> Any:
    tangent_type: Any = Tangent[type(y)]  # type: ignore[misc]  # made at run time
    names = getattr(y, "_fields", None)
    if names is None:
        return tangent_type(*y_dots)
    return tangent_type(**dict(zip(names, y_dots, strict=True)))


def _is_zero(x: Any) -> bool:
    if x.__class__ is np.ndarray:  # looking through an array costs more than multiplying it
        return False
    if isinstance(x, AbstractTangent):
        return isinstance(x, AbstractZero)
    return isinstance(x, _NUMBERS) and x == 0
