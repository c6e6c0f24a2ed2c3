"""Rules for Einstein sums.

An Einstein sum is linear in each operand, whose cotangent is another Einstein sum, of the cotangent of the
result and the conjugates of the other operands: for ``C = einsum("ij,jk->ik", A, B)`` it is
``A_bar = einsum("ik,jk->ij", C_bar, conj(B))``. Three things no Einstein sum says: an axis that is only
summed over is repeated, a letter that an operand has twice puts the cotangent on a diagonal, and broadcasting
is undone.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.operations.places import zeros_like
from chainrules.operations.scatter import scatter
from chainrules.values.reductions import read_reduction, shape_of
from chainrules.values.several_arrays import plain_shapes, shapes_of
from chainrules.values.subscripts import Subscripts, read_string, read_subscripts
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NoTangent,
    Thunk,
    frule,
    is_complex,
    non_differentiable,
    rrule,
    sum_tangents,
    typeof_,
    unbroadcast,
    unthunk,
)

non_differentiable(np.einsum_path)

Shape = tuple[int, ...]

_HAVE_DTYPES: frozenset[Any] = frozenset({np.ndarray, np.float64})

# From so many products on, and so many for each element, a search for the best order, and BLAS, pay.
_MANY_PRODUCTS = 20_000
_MANY_FOR_EACH_ELEMENT = 8


@frule.dispatch
def einsum_frule(tangents: Any, f: typeof_(np.einsum), *arguments: Any, **named: Any):
    _refuse(**named)
    y = np.einsum(*arguments, **named)
    terms = []
    for place in read_subscripts(arguments).places:
        x_dot = unthunk(tangents[1 + place])
        if not isinstance(x_dot, AbstractZero):
            moved = (*arguments[:place], x_dot, *arguments[place + 1 :])
            terms.append(np.einsum(*moved, **named))
    return y, sum_tangents(y, terms or [NoTangent()])


@rrule.dispatch
def einsum_rrule(f: typeof_(np.einsum), *arguments: Any, **named: Any):
    first = arguments[1] if len(arguments) > 1 else None
    if first.__class__ is np.ndarray and first.dtype.kind == "f" and not named:
        shapes = plain_shapes(arguments[1:], first.dtype)
        formulas = shapes and _formulas_of_cotangents(arguments[0], shapes)
        if formulas:
            return _plain_einsum(arguments, formulas)
    _refuse(**named)
    subscripts = read_subscripts(arguments)
    # A path that was given is one for the result; its cotangents have their own.
    optimize = bool(named.get("optimize", False)) or _is_large(
        subscripts, shapes_of(arguments[place] for place in subscripts.places)
    )
    y = np.einsum(*arguments, **{"optimize": optimize, **named})
    return y, _einsum_pullback(arguments, subscripts, optimize)


def _einsum_pullback(arguments: Any, subscripts: Subscripts, optimize: bool) -> Callable[[Any], Any]:
    operands = [arguments[place] for place in subscripts.places]

    def einsum_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        bars: list[Any] = [NO_TANGENT] * len(arguments)
        for number, place in enumerate(subscripts.places):
            is_zero = isinstance(y_bar, AbstractZero)
            bars[place] = y_bar if is_zero else Thunk(_pulled, y_bar, number, operands, subscripts, optimize)
        return NO_TANGENT, *bars

    return einsum_pullback


def _refuse(out: Any = None, dtype: Any = None, **_: Any) -> None:
    read_reduction("np.einsum", 0.0, dtype=dtype, out=out)


def _is_large(subscripts: Subscripts, shapes: Sequence[Shape]) -> bool:
    lengths: dict[str, int] = {}
    for letters, shape in zip(subscripts.inputs, shapes, strict=True):
        lengths.update(zip(letters, shape, strict=False))  # NumPy refuses what does not fit
    products = math.prod(lengths.values())
    if len(shapes) < 2 or products < _MANY_PRODUCTS:
        return False
    sizes = (
        math.prod(lengths[letter] for letter in set(term)) for term in (*subscripts.inputs, subscripts.output)
    )
    return products >= _MANY_FOR_EACH_ELEMENT * max(sizes)


# --- Small sums of plain arrays, which take less time than what is there to find out about them ----


def _plain_einsum(arguments: Any, formulas: tuple[str, ...]) -> tuple[Any, Any]:
    _, *operands = arguments
    dtype = operands[0].dtype

    def einsum_pullback(y_bar: Any) -> Any:
        y_bar = unthunk(y_bar)
        if y_bar.__class__ not in _HAVE_DTYPES or y_bar.dtype is not dtype:
            return _einsum_pullback(arguments, read_subscripts(arguments), False)(y_bar)
        bars = [
            Thunk(np.einsum, formula, y_bar, *operands[:number], *operands[number + 1 :])
            for number, formula in enumerate(formulas)
        ]
        return NO_TANGENT, NO_TANGENT, *bars

    return np.einsum(*arguments), einsum_pullback


@functools.lru_cache(maxsize=256)  # a program has few of them, and computes them many times
def _formulas_of_cotangents(text: str, shapes: tuple[Shape, ...]) -> tuple[str, ...] | None:
    """For each operand the Einstein sum that is its cotangent; `None` where there is more to do."""
    subscripts = read_string(text, tuple(map(len, shapes)))
    lengths: dict[str, int] = {}
    formulas = []
    for number, (letters, shape) in enumerate(zip(subscripts.inputs, shapes, strict=True)):
        terms, _, found = _terms_of_cotangent(subscripts, number)
        is_repeated = any(lengths.setdefault(*pair) != pair[1] for pair in zip(letters, shape, strict=False))
        if found != letters or is_repeated or not letters:
            return None
        formulas.append(f"{terms}->{found}")
    return None if _is_large(subscripts, shapes) else tuple(formulas)


# --- The cotangent of one operand ------------------------------------------------------------------


def _pulled(y_bar: Any, number: int, operands: Any, subscripts: Subscripts, optimize: Any) -> Any:
    """The cotangent of one operand."""
    x, letters = operands[number], subscripts.inputs[number]
    others = [_conjugate(other) for place, other in enumerate(operands) if place != number]
    terms, distinct, found = _terms_of_cotangent(subscripts, number)
    x_bar = np.einsum(f"{terms}->{found}", y_bar, *others, optimize=optimize)
    if found == letters and shape_of(x_bar) == shape_of(x):  # mostly
        return unbroadcast(x, x_bar)
    lengths = dict(zip(letters, shape_of(x), strict=True))
    found_lengths = dict(zip(found, shape_of(x_bar), strict=True))
    if found != distinct:  # axes that were only summed over
        x_bar = np.reshape(x_bar, [found_lengths.get(letter, 1) for letter in distinct])
    # Where others have length 1, the cotangent has so far; where this one has, it is summed over.
    shape = [
        lengths[letter] if found_lengths.get(letter, 1) == 1 else found_lengths[letter] for letter in distinct
    ]
    if shape_of(x_bar) != tuple(shape):
        x_bar = np.broadcast_to(x_bar, shape)
    return unbroadcast(x, x_bar if distinct == letters else _on_diagonal(x_bar, x, letters, distinct))


@functools.lru_cache(maxsize=256)
def _terms_of_cotangent(subscripts: Subscripts, number: int) -> tuple[str, str, str]:
    """The letters of what is multiplied for the cotangent of an operand, of the operand, and of the product.

    Of the operand each letter once, and of the product those that occur anywhere else.
    """
    others = [term for place, term in enumerate(subscripts.inputs) if place != number]
    known = set(subscripts.output).union(*others)
    distinct = "".join(dict.fromkeys(subscripts.inputs[number]))
    found = "".join(letter for letter in distinct if letter in known)
    return ",".join((subscripts.output, *others)), distinct, found


def _conjugate(x: Any) -> Any:
    return np.conj(x) if is_complex(x) else x


def _on_diagonal(x_bar: Any, x: Any, letters: str, distinct: str) -> Any:
    """Zeros in the shape of `x`, but for the elements where the places along equal letters are equal."""
    lengths = dict(zip(letters, shape_of(x), strict=True))
    x_bar = unbroadcast(zeros_like(x_bar, tuple(lengths[letter] for letter in distinct)), x_bar)
    places = np.ix_(*(range(lengths[letter]) for letter in distinct))
    index = tuple(places[distinct.index(letter)] for letter in letters)
    return scatter(np.broadcast_to(x_bar, tuple(lengths.values())), zeros_like(x_bar, shape_of(x)), index)
