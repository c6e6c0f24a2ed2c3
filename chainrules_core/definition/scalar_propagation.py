"""How a scalar rule carries tangents through whatever values: arrays, complex numbers, several results."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules_core.backends import ANSWERS
from chainrules_core.definition.scalar_products import (
    evaluate_partials,
    pull_partial,
    strong_product,
    sum_tangents,
    unbroadcast,
)
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.error_state import without_warnings
from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.tangents.abstract_zero import NO_TANGENT, AbstractZero, ZeroTangent
from chainrules_core.tangents.structural_tangent import Tangent

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

    def push(self, y: Any, xs: tuple[Any, ...], x_dots: tuple[Any, ...]) -> Any:
        """The tangent of the result."""
        if all(map(_is_zero, x_dots)):
            # There is nothing to multiply, and partial derivatives may not exist here.
            return _sums_of_zeros(y, x_dots)
        if isinstance(y, tuple):
            return _tuple_tangent(y, self._push_several(y, xs, x_dots))
        return self._push_one(y, xs, x_dots)

    @without_warnings
    def _push_one(self, y: Any, xs: tuple[Any, ...], x_dots: tuple[Any, ...]) -> Any:
        return sum_tangents(y, _terms(self._row(evaluate_partials(self._differentiate, y, *xs)), x_dots))

    @without_warnings
    def _push_several(self, y: tuple[Any, ...], xs: tuple[Any, ...], x_dots: tuple[Any, ...]) -> list[Any]:
        return [
            sum_tangents(part, _terms(row, x_dots)) for part, row in zip(y, self.partials(y, xs), strict=True)
        ]

    def pull(self, y: Any, xs: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
        """The cotangents of the function and its arguments."""
        if isinstance(y, tuple):
            return self._pull_several(y, xs, y_bar)
        if _is_zero(y_bar):
            return NO_TANGENT, *(unbroadcast(x, y_bar) for x in xs)
        return self._pull_one(y, xs, y_bar)

    @without_warnings
    def _pull_one(self, y: Any, xs: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
        row = self._row(evaluate_partials(self._differentiate, y, *xs))
        return NO_TANGENT, *[pull_partial(x, d, y_bar) for x, d in zip(xs, row, strict=True)]

    @without_warnings
    def _pull_several(self, y: tuple[Any, ...], xs: tuple[Any, ...], y_bar: Any) -> tuple[Any, ...]:
        y_bars = [y_bar[i] for i in range(len(y))]
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
        if self._n_arguments == 1 and not isinstance(partials, tuple) and partials is not None:
            return (partials,)
        return self.checked(partials)

    def checked(self, partials: Any) -> tuple[Any, ...]:
        """`partials` itself, if it is a tuple with one partial derivative for each argument."""
        if not isinstance(partials, tuple) or len(partials) != self._n_arguments:
            raise self._error(partials, f"a tuple of {self._n_arguments}, one for each argument")
        return partials

    def _error(self, partials: Any, expected: str) -> RuleDefinitionError:
        got = f"a tuple of {len(partials)}" if isinstance(partials, tuple) else f"a {type(partials).__name__}"
        name = describe_callee(self._primal)
        return RuleDefinitionError(
            f"scalar_rule({name}, ...) at {self._place[0]}:{self._place[1]}: the partial derivatives "
            f"are {got}, but should be {expected}."
            f"{' Was `return` forgotten?' if partials is None else ''}"
        )


def _terms(partials: tuple[Any, ...], x_dots: tuple[Any, ...]) -> list[Any]:
    """What each argument contributes to the tangent of the result."""
    return [
        # A constant contributes a zero, which costs nothing to add.
        x_dot if isinstance(x_dot, AbstractZero) else strong_product(d, x_dot)
        for d, x_dot in zip(partials, x_dots, strict=True)
    ]


def _sums_of_zeros(y: Any, x_dots: tuple[Any, ...]) -> Any:
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
    """Whether a tangent is zero; looking through an array would cost more than multiplying it."""
    if not isinstance(x, _NUMBERS):
        return isinstance(x, AbstractZero)
    answers = ANSWERS.get(type(x))
    return bool(x == 0) if answers is None else answers[1](x)
