"""`SparseArray`: SciPy's sparse arrays and matrices as a type to dispatch on, without importing SciPy."""

from typing import Any

from chainrules_core.arrays import AbstractArray


class SparseArray(AbstractArray):
    """SciPy's sparse arrays and matrices, of every format, known by the module of their class.

    A class of another library that has SciPy's methods joins by ``SparseArray.register(cls)``.
    """

    __slots__ = ()

    @classmethod
    def __subclasshook__(cls, other: type) -> Any:
        if cls is not SparseArray:
            return NotImplemented
        is_scipys = any(base.__module__.startswith("scipy.sparse.") for base in other.__mro__)
        return (is_scipys and hasattr(other, "tocoo")) or NotImplemented
