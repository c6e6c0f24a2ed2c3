"""`TestIterator`: an iterable that is no sequence, to test rules for iterables with."""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np


class TestIterator:
    """An iterable over some data that offers nothing else unless asked to.

    Parameters
    ----------
    data
        The items.
    has_length
        Whether it has a ``len()``, and a ``shape``.
    has_dtype
        Whether it has a ``dtype``.
    """

    __test__ = False  # for pytest

    def __init__(self, data: Iterable[Any], *, has_length: bool = True, has_dtype: bool = True) -> None:
        self.data = list(data)
        self.has_length = has_length
        self.has_dtype = has_dtype

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __len__(self) -> int:
        if not self.has_length:
            raise TypeError("this TestIterator has no len()")
        return len(self.data)

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the data as an array."""
        if not self.has_length:
            raise AttributeError("this TestIterator has no shape")
        return np.shape(self.data)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of the data as an array."""
        if not self.has_dtype:
            raise AttributeError("this TestIterator has no dtype")
        return np.asarray(self.data).dtype

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TestIterator) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        return f"TestIterator({self.data}, has_length={self.has_length}, has_dtype={self.has_dtype})"

    def _key(self) -> tuple[Any, ...]:
        return tuple(self.data), self.has_length, self.has_dtype
