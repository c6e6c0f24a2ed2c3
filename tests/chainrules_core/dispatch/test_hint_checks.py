"""Annotations of a rule's arguments."""

import collections.abc
import sys
import types
import typing

import numpy as np
import numpy.typing as npt
import plum
import pytest

from chainrules_core import Array, RuleDefinitionError
from chainrules_core.dispatch import hint_checks
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


T = typing.TypeVar("T")


class Box(typing.Generic[T]):
    """A container of which Python does not keep what it was subscripted with."""


@pytest.mark.parametrize("hint", [Box[int], float | Box[int], typing.Optional[Box[list[T]]]])  # noqa: UP045 - this form is tested
def test_parameters_that_are_not_kept(hint):
    """A rule for `Box[int]` would be chosen for each box: it is refused, with the two ways to mend it."""
    with pytest.raises(RuleDefinitionError, match=r"no instance keeps .* Write `Box`, .*`plum.parametric`"):
        checked_hint("b", hint)


@pytest.mark.parametrize("hint", [Box, Box[T], Box[typing.Any]])
def test_parameters_that_say_nothing(hint):
    """They are the class."""
    assert checked_hint("b", hint) is Box


class Name:
    """What a ``type`` statement makes, in a Python that has none."""

    def __init__(self, name, value, type_params=()):
        self.__value__ = value

    def __getitem__(self, parameters):
        return types.GenericAlias(self, parameters)


@pytest.mark.parametrize("kind", [Name, getattr(typing, "TypeAliasType", Name)])
def test_names_for_types(kind, monkeypatch):
    """A name of a ``type`` statement is what it stands for, with parameters too."""
    monkeypatch.setattr(hint_checks, "_ALIASES", kind)
    number = typing.TypeVar("number")
    name = kind("name", float)

    assert checked_hint("x", name) is float
    assert checked_hint("x", kind("of_name", name)) is float
    assert checked_hint("x", kind("generic", list[number], type_params=(number,))[int]) == list[int]


@pytest.mark.skipif(sys.version_info < (3, 12), reason="names for types since Python 3.12")
def test_unions_of_names_for_types():
    """Likewise."""
    name = typing.TypeAliasType("name", float)
    assert checked_hint("x", name | None) == typing.Optional[float]  # noqa: UP045 - as it is made


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
