# ruff: noqa: D101, D102 - stand-ins have nothing to document
"""Which classes are ordinary: their instances hold what their attributes hold, and nothing else."""

import abc
import argparse
import collections
import collections.abc
import decimal
import enum
import fractions
import logging
import re
import threading
import types
import typing
from dataclasses import dataclass

import numpy as np
import plum
import pytest
from scipy.interpolate import BSpline, CubicSpline, RegularGridInterpolator
from scipy.sparse.linalg import LinearOperator, aslinearoperator
from scipy.spatial import Delaunay
from scipy.stats import gaussian_kde

from chainrules_core import ProjectTo, StructuralTangent, Thunk, is_attribute_holder, primitive

T = typing.TypeVar("T")


class Model:
    pass


class Slotted:
    __slots__ = ("a", "b")


class SlotsAbove(Slotted):
    """A dict beside slots."""


class WeaklyReferenced:
    __slots__ = ("__weakref__", "a")


class Generic(typing.Generic[T]):
    __slots__ = ("a",)


class Abstract(abc.ABC):
    @abc.abstractmethod
    def method(self): ...


class Protocol(typing.Protocol):
    pass


class Mapping(collections.abc.Mapping):
    pass


class WithNew:
    def __new__(cls):
        return object.__new__(cls)


class OfNamespace(types.SimpleNamespace):
    pass


class OfOperator(LinearOperator):
    def _matvec(self, x):
        return x


class OfSpline(CubicSpline):
    pass


class WithoutUfuncs:
    """NumPy's ufuncs refuse it, and its own operators answer."""

    __array_ufunc__ = None


class Frozen:
    def __setattr__(self, name, value):
        raise AttributeError(name)


@pytest.mark.parametrize(
    "cls",
    [
        Model,
        Slotted,
        SlotsAbove,
        WeaklyReferenced,
        Generic,
        Abstract,
        Protocol,
        Mapping,
        WithNew,
        Frozen,
        OfNamespace,
        types.SimpleNamespace,
        np.vectorize,
        argparse.Namespace,
        LinearOperator,
        OfOperator,
        type(aslinearoperator(np.eye(2))),
        WithoutUfuncs,
        CubicSpline,
        BSpline,
        RegularGridInterpolator,
        OfSpline,
    ],
)
def test_ordinary_classes(cls):
    """They are written in Python, and keep all in attributes and slots."""
    assert is_attribute_holder(cls)


@dataclass
class Data:
    x: object


class Closed:
    def __del__(self):
        pass


class Watched:
    def __getattribute__(self, name):
        return object.__getattribute__(self, name)


class LikeArray:
    def __array__(self):
        raise NotImplementedError


class OfEstimate(gaussian_kde):
    pass


class Items(list):
    pass


class ProblemError(Exception):
    pass


class Colour(enum.Enum):
    RED = 1


class Thread(threading.Thread):
    pass


@pytest.mark.parametrize(
    "cls",
    [
        Data,
        Closed,
        Watched,
        LikeArray,
        OfEstimate,
        Items,
        ProblemError,
        Colour,
        Thread,
        object,
        type,
        int,
        float,
        dict,
        logging.Logger,
        gaussian_kde,
        Delaunay,
        np.poly1d,
        np.ndarray,
        np.random.Generator,
        re.Pattern,
        plum.Function,
        collections.UserDict,
        collections.deque,
        decimal.Decimal,
        fractions.Fraction,
        types.FunctionType,
        types.ModuleType,
        type(ProjectTo(1.0)),
        type(primitive(np.sin)),
        StructuralTangent,
        Thunk,
    ],
)
def test_others(cls):
    """Values of C, of the standard library and of NumPy, and those whose class acts for the whole."""
    assert not is_attribute_holder(cls)


def test_classes_with_a_constructor_in_c():
    """A class of C that leaves memory of its own to its constructor is not ordinary."""
    made_in_c = type("MadeInC", (), {"__new__": object.__new__})
    made_in_c.__new__ = len
    assert not is_attribute_holder(made_in_c)


def test_classes_without_a_module():
    """Text that is executed may define classes."""
    executed = type("Executed", (), {"__module__": "builtins"})
    assert is_attribute_holder(executed)
