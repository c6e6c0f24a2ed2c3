"""`AbstractArray`: the type to dispatch on for whatever behaves like an array.

It looks at the class only, so that plum may remember the method that it chose for a class (plum calls a type
like this *faithful*).
"""

from abc import ABC
from typing import TYPE_CHECKING, Any

import numpy as np

from chainrules_core.tangents.abstract_tangent import AbstractTangent


class AbstractArray(ABC):  # noqa: B024 - what its classes have, a hook asks
    """Whatever behaves like an array: ndarrays, Dask, CuPy, SciPy sparse and structured arrays.

    A class is one if it has ``shape``, ``dtype`` and ``__array_function__``, or ``__array_namespace__``, or
    ``shape`` and SciPy sparse's ``tocoo``. NumPy scalars and tangent types are not. A class whose instances
    get their ``shape`` only in ``__init__`` joins by deriving from `AbstractArray` or by
    ``AbstractArray.register(cls)``.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def shape(self) -> tuple[int, ...]:
            """The lengths of the axes."""

        @property
        def dtype(self) -> Any:
            """The type of the elements."""

    @classmethod
    def __subclasshook__(cls, other: type) -> Any:
        if cls is not AbstractArray:
            return NotImplemented
        if issubclass(other, np.generic | AbstractTangent):
            return False
        has_one_of_these = any(all(hasattr(other, name) for name in names) for names in _NAMES)
        return has_one_of_these or NotImplemented


_NAMES = (("shape", "dtype", "__array_function__"), ("__array_namespace__",), ("shape", "tocoo"))
