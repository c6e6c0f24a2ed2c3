"""A shorter way for small Einstein sums of plain arrays: understanding one takes longer than the sum."""

import functools
from typing import Any

import numpy as np

from chainrules.formulas.arrays.einstein_sums import is_large, pullback_of_einsum, terms_of_cotangent
from chainrules.shortcuts.plain_values import HAVE_DTYPES
from chainrules.values.subscripts import read_string, read_subscripts
from chainrules_core import NO_TANGENT, Thunk

try:
    # Without NumPy's function around it, which looks for the best order of many products, and takes as long.
    from numpy._core.multiarray import c_einsum as _einsum
except ImportError:  # another version of NumPy
    _einsum = np.einsum


def einsum_of_plain(f: Any, *arguments: Any, **named: Any) -> Any:
    """A sum of plain arrays of one real precision.

    Only where the cotangent of each operand is nothing but an Einstein sum.
    """
    if named or arguments[0].__class__ is not str or len(arguments) < 2:
        return None
    text, *operands = arguments
    shapes = _shapes_of_plain(operands)
    formulas = shapes and _formulas_of_cotangents(text, shapes)
    if not formulas:
        return None
    dtype = operands[0].dtype

    # What is recorded is an array by its `__class__` only, and has to be asked by NumPy's own function.
    are_plain = {np.ndarray}.issuperset(map(type, operands))

    def einsum_pullback(y_bar: Any) -> Any:
        if y_bar.__class__ not in HAVE_DTYPES or y_bar.dtype is not dtype:
            return pullback_of_einsum(arguments, read_subscripts(arguments), False)(y_bar)
        compute = _einsum if are_plain and type(y_bar) in HAVE_DTYPES else np.einsum
        if len(operands) == 2:
            x, y = operands
            by_x, by_y = formulas
            return NO_TANGENT, NO_TANGENT, Thunk(compute, by_x, y_bar, y), Thunk(compute, by_y, y_bar, x)
        bars = [
            Thunk(compute, formula, y_bar, *operands[:number], *operands[number + 1 :])
            for number, formula in enumerate(formulas)
        ]
        return NO_TANGENT, NO_TANGENT, *bars

    return (_einsum if are_plain else np.einsum)(*arguments), einsum_pullback


def _shapes_of_plain(operands: Any) -> Any:
    """The shapes of plain arrays of one real precision; `None` of others."""
    dtype: Any = getattr(operands[0], "dtype", None)
    shapes = []
    for x in operands:
        if x.__class__ is not np.ndarray or x.dtype is not dtype:
            return None
        shapes.append(x.shape)
    return tuple(shapes) if dtype.kind == "f" else None


@functools.lru_cache(maxsize=256)  # a program has few of them, and computes them many times
def _formulas_of_cotangents(text: Any, shapes: Any) -> Any:
    """For each operand the Einstein sum that is its cotangent; `None` where there is more to do."""
    subscripts = read_string(text, tuple(map(len, shapes)))
    lengths: dict[str, int] = {}
    formulas = []
    for number, (letters, shape) in enumerate(zip(subscripts.inputs, shapes, strict=True)):
        terms, _, found = terms_of_cotangent(subscripts, number)
        is_repeated = any(lengths.setdefault(*pair) != pair[1] for pair in zip(letters, shape, strict=False))
        if found != letters or is_repeated or not letters:
            return None
        formulas.append(f"{terms}->{found}")
    return None if is_large(subscripts, shapes) else tuple(formulas)
