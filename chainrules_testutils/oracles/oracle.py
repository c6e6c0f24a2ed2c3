"""`Oracle`: a framework's derivatives of a function, of arguments and results in containers."""

import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules_core.structured import StructuredArray
from chainrules_testutils.oracles.framework import Array, Framework, Pullback, in_double_precision
from chainrules_testutils.values.parts import is_sparse, leaves, map_leaves, parts


@dataclass(frozen=True, slots=True)
class Oracle:
    """A framework, and its counterpart of the function that is tested.

    Arrays and numbers with a fractional part are differentiated, wherever they stand in those arguments that
    are; integers, strings and other arguments are constants.
    """

    framework: Framework
    function: Callable[..., Any]

    @property
    def name(self) -> str:
        """The framework's name, for messages."""
        return self.framework.name

    def vjp(
        self, args: Sequence[Any], is_moved: Sequence[bool], fkwargs: dict[str, Any]
    ) -> tuple[list[Array], Pullback]:
        """The numbers in the result, and the pullback to the numbers in the arguments that are moved.

        Raises
        ------
        TypeError
            For arrays that no framework has: sparse and structured ones.
        """
        with _without_warnings():
            ys, pull = self.framework.vjp(self._program(args, is_moved, fkwargs), _moved(args, is_moved))

        def pullback(y_bars: Sequence[Array]) -> list[Array]:
            with _without_warnings():
                return pull(y_bars)

        return ys, pullback

    def jvp(
        self, args: Sequence[Any], is_moved: Sequence[bool], x_dots: Sequence[Array], fkwargs: dict[str, Any]
    ) -> tuple[list[Array], list[Array]]:
        """The numbers in the result, and their tangents; raises as `vjp` does."""
        with _without_warnings():
            return self.framework.jvp(self._program(args, is_moved, fkwargs), _moved(args, is_moved), x_dots)

    def _program(
        self, args: Sequence[Any], is_moved: Sequence[bool], fkwargs: dict[str, Any]
    ) -> Callable[[list[Any]], list[Any]]:
        constant = self.framework.constant
        _refuse_foreign((*args, fkwargs))

        def program(arrays: list[Any]) -> list[Any]:
            given = iter(arrays)
            placed = [
                map_leaves(lambda leaf: next(given) if is_inexact(leaf) else constant(leaf), x)
                if moved
                else map_leaves(constant, x)
                for x, moved in zip(args, is_moved, strict=True)
            ]
            options = {name: map_leaves(constant, x) for name, x in fkwargs.items()}
            return list(_results(self.function(*placed, **options)))

        return program


def is_inexact(leaf: Any) -> bool:
    """Whether a part of a value is a number, or an array of numbers, with a fractional part."""
    if isinstance(leaf, np.ndarray | np.generic):
        return leaf.dtype.kind in "fc"
    return isinstance(leaf, float | complex)


def inexact_leaves(x: Any) -> list[Array]:
    """The numbers with a fractional part in a value, as arrays in double precision."""
    return [in_double_precision(leaf) for leaf in leaves(x) if is_inexact(leaf)]


def refilled(x: Any, arrays: Iterator[Array]) -> Any:
    """A value like `x`, with other arrays in the places of its `inexact_leaves`."""
    return map_leaves(lambda leaf: next(arrays) if is_inexact(leaf) else leaf, x)


def _without_warnings() -> Any:
    """A context: the framework's warnings are not about the rule."""
    return warnings.catch_warnings(action="ignore")


def _refuse_foreign(x: Any) -> None:
    if isinstance(x, StructuredArray) or is_sparse(x):
        raise TypeError(
            f"oracle: frameworks have no {type(x).__qualname__}. Test a function of the numbers and arrays "
            "that it is made of."
        )
    for part in parts(x).values():
        _refuse_foreign(part)


def _moved(args: Sequence[Any], is_moved: Sequence[bool]) -> list[Array]:
    return [array for x, moved in zip(args, is_moved, strict=True) if moved for array in inexact_leaves(x)]


def _results(y: Any) -> Iterator[Any]:
    """The arrays in the containers of a framework's result."""
    if isinstance(y, tuple | list):
        for item in y:
            yield from _results(item)
    elif isinstance(y, dict):
        yield from _results(list(y.values()))
    else:
        yield y
