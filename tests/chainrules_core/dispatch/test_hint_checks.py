"""Annotations of a rule's arguments."""

import collections.abc
import typing

import numpy as np
import numpy.typing as npt
import plum
import pytest

from chainrules_core import Array, RuleDefinitionError
from chainrules_core.dispatch.hint_checks import checked_hint


@pytest.mark.parametrize(
    ("hint", "expected"),
    [
        (typing.Callable, collections.abc.Callable),
        (typing.Callable[[float], int], collections.abc.Callable[[float], int]),
        (typing.List[float], list[float]),  # noqa: UP006 - as authors write it
        (typing.Tuple, tuple),  # noqa: UP006 - as authors write it
        (typing.Annotated[float, "positive"], typing.Annotated[float, "positive"]),
        (float | None, float | None),
        (typing.Optional[float], typing.Optional[float]),  # noqa: UP045 - as authors write it
        (typing.Any, typing.Any),
        (None, None),
        (plum.Missing, plum.Missing),
        (npt.NDArray[np.float64], Array[np.float64]),
        (npt.NDArray[np.floating[typing.Any]] | float, Array[np.floating] | float),
        (typing.Optional[npt.NDArray[typing.Any]], typing.Optional[np.ndarray]),  # noqa: UP045 - likewise
        (list[float] | None, list[float] | None),
        (float, float),
    ],
)
def test_hints(hint, expected):
    """Aliases of `typing` become the classes that they stand for; all else stays."""
    assert checked_hint("x", hint) == expected


@pytest.mark.parametrize(
    ("hint", "mend"),
    [
        (np.array, r" Write `x: np\.ndarray`\.$"),
        ((float, int), r" Write `x: float \| int`\.$"),
        ([float], r" Write `x: list\[float\]`\.$"),
        (2, r" Write `x: int`\.$"),
        (len, r"dispatched on\.$"),
        (lambda: None, r"dispatched on\.$"),
    ],
)
def test_what_is_no_hint(hint, mend):
    """An annotation that is no hint is refused, with what to write where that is clear."""
    with pytest.raises(RuleDefinitionError, match=mend):
        checked_hint("x", hint)


@pytest.mark.parametrize("value", [3, 3.0, 3j, True])
def test_numbers_stand_for_their_types(value):
    """One that is given in the place of a type."""
    with pytest.raises(RuleDefinitionError, match=f"Write `x: {type(value).__name__}`"):
        checked_hint("x", value)


@pytest.mark.parametrize("value", [[int, float], [], (int, 3), np.sin, len, "text"])
def test_values_that_stand_for_nothing(value):
    """What was meant is not known."""
    with pytest.raises(RuleDefinitionError, match=r"can be dispatched on\.$"):
        checked_hint("x", value)
