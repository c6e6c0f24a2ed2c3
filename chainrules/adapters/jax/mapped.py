"""A flat function for each row of stacked arrays, as `jax.vmap` asks for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.adapters.flat_functions import FlatFunction, Outcome, Pullback
from chainrules_core import ZERO_TANGENT, AbstractZero


@dataclass(frozen=True, eq=False)
class Mapped(FlatFunction):
    """A flat function that is called once for each row, and whose results are stacked.

    Attributes
    ----------
    function
        The function.
    size
        The number of rows, at least one.
    stacked
        For each array, whether it has rows, along its first axis; the others are the same for all rows.
    """

    function: FlatFunction
    size: int
    stacked: tuple[bool, ...]

    @property
    def name(self) -> str:  # noqa: D102 - as in the base class
        return self.function.name

    def value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        return _joined([self.function.value(row) for row in self._rows(arrays)])

    def traced_value(self, arrays: Sequence[Any]) -> Outcome:  # noqa: D102 - as in the base class
        return _joined([self.function.traced_value(row) for row in self._rows(arrays)])

    def pull(self, arrays: Sequence[Any], wanted: Sequence[int]) -> tuple[Outcome, Pullback]:
        """As of any flat function: the cotangents of an array without rows are summed."""
        outcomes, pullbacks = zip(
            *(self.function.pull(row, wanted) for row in self._rows(arrays)), strict=True
        )

        def pullback(y_bars: Sequence[Any]) -> list[Any]:
            x_bars = [of_row(_row(y_bars, row, [True] * len(y_bars))) for row, of_row in enumerate(pullbacks)]
            columns = zip(*x_bars, strict=True)
            return [
                _stack(column, arrays[place][0]) if self.stacked[place] else sum(column, ZERO_TANGENT)
                for place, column in zip(wanted, columns, strict=True)
            ]

        return _joined(outcomes), pullback

    def push(self, arrays: Sequence[Any], x_dots: Sequence[Any]) -> tuple[Outcome, list[Any]]:
        """As of any flat function: each row along the tangents of it, and of the arrays without rows."""
        rows, dot_rows = self._rows(arrays), self._rows(x_dots)
        outcomes, y_dots = zip(*map(self.function.push, rows, dot_rows), strict=True)
        columns = zip(*y_dots, strict=True)
        return _joined(outcomes), [
            _stack(column, y) for column, y in zip(columns, outcomes[0].arrays, strict=True)
        ]

    def _rows(self, arrays: Sequence[Any]) -> list[list[Any]]:
        return [_row(arrays, row, self.stacked) for row in range(self.size)]


def _row(arrays: Sequence[Any], row: int, stacked: Sequence[bool]) -> list[Any]:
    return [
        x[row] if has_rows and not isinstance(x, AbstractZero) else x
        for x, has_rows in zip(arrays, stacked, strict=True)
    ]


def _joined(outcomes: Sequence[Outcome]) -> Outcome:
    columns = zip(*(outcome.arrays for outcome in outcomes), strict=True)
    return outcomes[0]._replace(arrays=[np.stack(column) for column in columns])


def _stack(tangents: Sequence[Any], x: Any) -> Any:
    """The tangents of rows like `x`, of which some may be zeros, in one array."""
    if all(isinstance(tangent, AbstractZero) for tangent in tangents):
        return ZERO_TANGENT
    return np.stack(
        [np.zeros_like(x) if isinstance(tangent, AbstractZero) else tangent for tangent in tangents]
    )
