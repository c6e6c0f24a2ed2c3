"""`LazyArray`: the type to dispatch on for arrays of Dask, without importing Dask."""

from typing import Any

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.laziness import is_lazy_class


class LazyArray(AbstractArray):
    """Arrays that are computed when somebody asks for their numbers: those of ``dask.array``.

    `is_lazy` and `may_hold` say which questions rules may ask about their elements.
    """

    __slots__ = ()

    # Dask's, for type checkers.
    chunks: tuple[tuple[int, ...], ...]

    @classmethod
    def __subclasshook__(cls, other: type) -> Any:
        return is_lazy_class(other) or NotImplemented if cls is LazyArray else NotImplemented
