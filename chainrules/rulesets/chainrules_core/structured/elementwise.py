"""Rules for elementwise functions of a structured array, and perhaps of numbers beside it.

They are made of the rules for ordinary arrays. Where the function is zero at zero, the result has the
structure of the array, and no element takes part that a matrix of diagonals does not store. Other functions
make the array dense, and project its cotangent.
"""

import operator
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.operations.dense_forms import dense_form
from chainrules.values.operands import NumberOperand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NonDifferentiablePullback,
    ProjectTo,
    field_names,
    frule,
    primal_of,
    rrule,
    thunk,
    to_natural,
    typeof_,
    unthunk,
)
from chainrules_core.structured import Banded, Bidiagonal, StructuredArray, SymTridiagonal, keeps_zeros


def _elementwise_rules(callee: Any) -> None:
    # More specific than rules for arrays of all kinds, but not than rules for two structured operands.
    @frule.dispatch(precedence=2)
    def elementwise_frule(tangents: Any, f: callee, A: StructuredArray, *numbers: NumberOperand):
        return _push_elementwise(tangents, f, A, numbers)

    @rrule.dispatch(precedence=2)
    def elementwise_rrule(f: callee, A: StructuredArray, *numbers: NumberOperand):
        return _pull_elementwise(f, A, numbers)


for _callee in (np.ufunc, *map(typeof_, (operator.abs, operator.neg, operator.pos, operator.pow))):
    _elementwise_rules(_callee)


def _push_elementwise(tangents: Any, f: Callable[..., Any], A: Any, numbers: tuple[Any, ...]) -> Any:
    f_dot, A_dot, *number_dots = tangents
    parts = _Parts(f, A, numbers)
    of_A = parts.of(A)
    A_dots = [A_dot] * len(of_A) if isinstance(A_dot, AbstractZero) else parts.of(ProjectTo(A)(A_dot))
    answers = [
        frule((f_dot, part_dot, *number_dots), f, part, *numbers)
        for part, part_dot in zip(of_A, A_dots, strict=True)
    ]
    if None in answers:
        return None
    part_ys, y_dots = zip(*answers, strict=True)
    y = parts.result(part_ys)
    return y, y_dots[0] if isinstance(y_dots[0], AbstractZero) else parts.assembled(y, y_dots)


def _pull_elementwise(f: Callable[..., Any], A: Any, numbers: tuple[Any, ...]) -> Any:
    parts = _Parts(f, A, numbers)
    answers = [rrule(f, part, *numbers) for part in parts.of(A)]
    if None in answers:
        return None
    part_ys, pullbacks = zip(*answers, strict=True)
    y = parts.result(part_ys)
    if isinstance(pullbacks[0], NonDifferentiablePullback):
        return y, pullbacks[0]
    project_y = ProjectTo(y)

    def elementwise_pullback(y_bar):
        y_bar = project_y(to_natural(primal_of(y), y_bar))
        if isinstance(y_bar, AbstractZero):
            return NO_TANGENT, *(y_bar for _ in (A, *numbers))
        pulled = [pullback(part_bar) for pullback, part_bar in zip(pullbacks, parts.of(y_bar), strict=True)]
        _, A_bars, *number_bars = zip(*pulled, strict=True)
        if not numbers:
            return NO_TANGENT, parts.assembled(A, map(unthunk, A_bars))
        A_bar = thunk(lambda: parts.assembled(A, map(unthunk, A_bars)))
        return NO_TANGENT, A_bar, *(thunk(parts.total, bars) for bars in number_bars)

    return y, elementwise_pullback


class _Parts:
    """The arrays that an elementwise function of a structured array works on."""

    def __init__(self, f: Callable[..., Any], A, numbers) -> None:
        self._f, self._A, self._numbers = f, A, numbers
        self._matrix = primal_of(A)
        self._names: list[str] = []
        if isinstance(self._matrix, Banded) and keeps_zeros(f, self._matrix, *map(primal_of, numbers)):
            self._names = [name for name in field_names(self._matrix) if name != "uplo"]

    def of(self, x) -> list[Any]:
        """The parts of the array, or of a tangent."""
        if self._names:
            return [getattr(x, name) for name in self._names]
        return [dense_form(x) if isinstance(primal_of(x), StructuredArray) else x]

    def result(self, parts):
        """The result of the function, from its results for the parts."""
        return self._banded(parts) if self._names else self._f(self._A, *self._numbers)

    def assembled(self, x, parts):
        """The tangent of `x`, the array or the result, that has these parts."""
        parts = list(parts)
        whole = self._banded(parts) if self._names and not isinstance(parts[0], AbstractZero) else parts[0]
        return ProjectTo(x)(whole)

    def _banded(self, parts):
        options = [self._matrix.uplo] if isinstance(self._matrix, Bidiagonal) else []
        return type(self._matrix)(*parts, *options)

    def total(self, number_bars: Iterable[Any]):
        """The cotangent of a number from the contributions of the parts."""
        # The diagonal beside the main one of a symmetric matrix stands for two diagonals.
        counts = {"ev": 2} if isinstance(self._matrix, SymTridiagonal) else {}
        names = self._names or [""]
        return sum(counts.get(name, 1) * unthunk(bar) for name, bar in zip(names, number_bars, strict=True))
