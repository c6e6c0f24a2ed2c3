"""Names of ChainRulesCore 0.9, for programs and texts that still use them.

====================  ===================================================
old                   new
====================  ===================================================
Zero                  ZeroTangent
DoesNotExist, DNE     NoTangent
NO_FIELDS             NoTangent()
One()                 True, as a factor: the identity in any precision
Composite             Tangent
extern                unthunk, backing
AbstractDifferential  AbstractTangent
====================  ===================================================

Each use of one gives a `DeprecationWarning` that names the new one.
"""

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules_core.fields import backing
from chainrules_core.tangents.abstract_tangent import AbstractTangent
from chainrules_core.tangents.abstract_zero import NoTangent, ZeroTangent
from chainrules_core.tangents.arithmetic import Rank, rank_of, unthunk_fully
from chainrules_core.tangents.structural_tangent import Tangent


class _One(AbstractTangent):
    """The identity of multiplication."""

    def __repr__(self) -> str:
        return "One()"

    def __eq__(self, other: object) -> Any:
        return isinstance(other, _One) or other == 1

    def __hash__(self) -> int:
        return hash(1)

    def __add__(self, other: Any) -> Any:
        return 1 + _one_as_number(other)

    def __radd__(self, other: Any) -> Any:
        return _one_as_number(other) + 1

    def __neg__(self) -> int:
        return -1

    def __mul__(self, other: Any) -> Any:
        return other

    __rmul__ = __mul__

    def __float__(self) -> float:
        return 1.0

    def __iter__(self) -> Iterator["_One"]:
        yield self

    def conjugate(self) -> "_One":
        return self

    @property
    def real(self) -> "_One":
        return self

    @property
    def imag(self) -> ZeroTangent:
        return ZeroTangent()

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if ufunc is np.multiply and method == "__call__" and not kwargs:
            return inputs[0] if inputs[1] is self else inputs[1]
        return getattr(ufunc, method)(*map(_one_as_number, inputs), **kwargs)


def _one_as_number(x: Any) -> Any:
    return 1 if isinstance(x, _One) else x


def _extern(x: Any) -> Any:
    """The value behind a tangent, as numbers, arrays, and dicts and tuples of these; for tests.

    Raises
    ------
    ValueError
        For `NoTangent()`, which is no element of any primal's space.
    DerivativeNotImplementedError
        For a derivative that is not implemented.
    """
    x = unthunk_fully(x)
    rank = rank_of(x)
    if rank is Rank.NOT_IMPLEMENTED:
        raise x.error()
    if rank is Rank.NO_TANGENT:
        raise ValueError("extern(NoTangent()): no value stands for a derivative that does not exist")
    if rank is Rank.ZERO:
        return False  # the additive identity of every precision
    if rank is Rank.STRUCTURAL:
        fields = backing(x)
        if isinstance(fields, tuple):
            return tuple(map(_extern, fields))
        return {name: _extern(field) for name, field in fields.items()}
    return isinstance(x, _One) or x


_RENAMED: dict[str, tuple[Any, str]] = {
    "Zero": (ZeroTangent, "ZeroTangent"),
    "DoesNotExist": (NoTangent, "NoTangent"),
    "DNE": (NoTangent, "NoTangent"),
    "NO_FIELDS": (NoTangent(), "NoTangent()"),
    "One": (_One, "True, as a factor"),
    "Composite": (Tangent, "Tangent"),
    "extern": (_extern, "unthunk, or backing"),
    "AbstractDifferential": (AbstractTangent, "AbstractTangent"),
}


def __getattr__(name: str) -> Any:
    try:
        value, new = _RENAMED[name]
    except KeyError:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}") from None
    message = f"{name} is a name of ChainRulesCore 0.9; use {new} instead."
    warnings.warn(message, DeprecationWarning, stacklevel=2)
    return value


def __dir__() -> list[str]:
    return sorted(_RENAMED)
