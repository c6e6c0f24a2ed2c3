"""The cotangents of the operands of an Einstein sum, which are Einstein sums too.

For ``C = einsum("ij,jk->ik", A, B)`` it is ``A_bar = einsum("ik,jk->ij", C_bar, conj(B))``. Three things
cannot be said by an Einstein sum: an axis that is only summed over is repeated, a letter that an operand has
twice puts the cotangent on a diagonal, and broadcasting is undone.
"""

import functools
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.formulas.arrays.places import zeros_like
from chainrules.operations.scatter import scatter
from chainrules.values.reductions import shape_of
from chainrules.values.subscripts import Subscripts
from chainrules_core import NO_TANGENT, AbstractZero, Thunk, primal_of, unbroadcast

Shape = tuple[int, ...]

# From this number of products on, and this number for each element, a search for the best order, and BLAS,
# pay.
_MANY_PRODUCTS = 20_000
_MANY_FOR_EACH_ELEMENT = 8


def is_large(subscripts: Subscripts, shapes: Sequence[Shape]) -> bool:
    """Whether a search for the best order of the products of a sum pays."""
    lengths: dict[str, int] = {}
    for letters, shape in zip(subscripts.inputs, shapes, strict=True):
        lengths.update(zip(letters, shape, strict=False))  # NumPy refuses what does not fit
    products = math.prod(lengths.values())
    if products < _MANY_PRODUCTS:
        return False
    sizes = (
        math.prod(lengths[letter] for letter in set(term)) for term in (*subscripts.inputs, subscripts.output)
    )
    return products >= _MANY_FOR_EACH_ELEMENT * max(sizes)


def pullback_of_einsum(arguments: Any, subscripts: Subscripts, optimize: bool) -> Callable[[Any], Any]:
    """The pullback of an Einstein sum, which computes each cotangent when it is needed."""
    operands = [arguments[place] for place in subscripts.places]

    def einsum_pullback(y_bar: Any) -> Any:
        bars: list[Any] = [NO_TANGENT] * len(arguments)
        for number, place in enumerate(subscripts.places):
            is_zero = isinstance(y_bar, AbstractZero)
            bars[place] = (
                y_bar if is_zero else Thunk(_pull_operand, y_bar, number, operands, subscripts, optimize)
            )
        return NO_TANGENT, *bars

    return einsum_pullback


def _pull_operand(y_bar: Any, number: int, operands: Any, subscripts: Subscripts, optimize: Any) -> Any:
    """The cotangent of one operand."""
    x, letters = operands[number], subscripts.inputs[number]
    others = [_conjugate(other) for place, other in enumerate(operands) if place != number]
    terms, distinct, found = terms_of_cotangent(subscripts, number)
    x_bar = np.einsum(f"{terms}->{found}", y_bar, *others, optimize=optimize)
    if shape_of(x_bar) == shape_of(x):  # mostly: the same letters, and nothing broadcasts
        return unbroadcast(x, x_bar)
    lengths = dict(zip(letters, shape_of(x), strict=True))
    found_lengths = dict(zip(found, shape_of(x_bar), strict=True))
    if found != distinct:  # axes that were only summed over
        x_bar = np.reshape(x_bar, [found_lengths.get(letter, 1) for letter in distinct])
    # Where the others have length 1, the cotangent still has it too; where this operand has, it is summed
    # over.
    shape = [
        lengths[letter] if found_lengths.get(letter, 1) == 1 else found_lengths[letter] for letter in distinct
    ]
    if shape_of(x_bar) != tuple(shape):
        x_bar = np.broadcast_to(x_bar, shape)
    return unbroadcast(x, x_bar if distinct == letters else _on_diagonal(x_bar, x, letters, distinct))


@functools.lru_cache(maxsize=256)
def terms_of_cotangent(subscripts: Subscripts, number: int) -> tuple[str, str, str]:
    """For the cotangent of an operand: the letters of its factors, of the operand, and of the product.

    The operand has each of its letters once, the product those of them that occur anywhere else.
    """
    others = [term for place, term in enumerate(subscripts.inputs) if place != number]
    known = set(subscripts.output).union(*others)
    distinct = "".join(dict.fromkeys(subscripts.inputs[number]))
    found = "".join(letter for letter in distinct if letter in known)
    return ",".join((subscripts.output, *others)), distinct, found


def _conjugate(x: Any) -> Any:
    return np.conj(x) if np.iscomplexobj(primal_of(x)) else x


def _on_diagonal(x_bar: Any, x: Any, letters: str, distinct: str) -> Any:
    """Zeros in the shape of `x`, but for the elements where the places along equal letters are equal."""
    lengths = dict(zip(letters, shape_of(x), strict=True))
    x_bar = unbroadcast(zeros_like(x_bar, tuple(lengths[letter] for letter in distinct)), x_bar)
    places = np.ix_(*(range(lengths[letter]) for letter in distinct))
    index = tuple(places[distinct.index(letter)] for letter in letters)
    return scatter(np.broadcast_to(x_bar, tuple(lengths.values())), zeros_like(x_bar, shape_of(x)), index)
