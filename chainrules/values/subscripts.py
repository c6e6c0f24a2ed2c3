"""Subscripts of Einstein sums: every form that `np.einsum` understands, as one letter for each axis."""

import functools
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from chainrules.values.reductions import shape_of

# The number of a label, where labels are given as numbers.
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


class Subscripts(NamedTuple):
    """The letters of the axes of an Einstein sum, without ellipses.

    Attributes
    ----------
    places
        Where the operands stand among the arguments.
    inputs
        The letters of each operand, one for each axis.
    output
        The letters of the result.
    """

    places: range
    inputs: tuple[str, ...]
    output: str


def read_subscripts(arguments: Sequence[Any]) -> Subscripts:
    """Understand the positional arguments of `np.einsum`: a string and arrays, or arrays and lists.

    Errors are left to `np.einsum`.
    """
    if isinstance(arguments[0], str):
        return read_string(arguments[0], tuple([len(shape_of(x)) for x in arguments[1:]]))
    places = range(0, len(arguments) - 1, 2)
    inputs = [_in_letters(arguments[place + 1]) for place in places]
    output = _implied_output(inputs) if len(arguments) % 2 == 0 else _in_letters(arguments[-1])
    ndims = [len(shape_of(arguments[place])) for place in places]
    return Subscripts(places, *_without_ellipses(inputs, output, ndims))


@functools.lru_cache(maxsize=256)  # a program has few of them, and sums by each many times
def read_string(subscripts: str, ndims: tuple[int, ...]) -> Subscripts:
    """Understand the string, for operands with so many axes each."""
    terms, arrow, output = subscripts.replace(" ", "").partition("->")
    inputs = terms.split(",")
    if not arrow:
        output = _implied_output(inputs)
    return Subscripts(range(1, len(ndims) + 1), *_without_ellipses(inputs, output, ndims))


def _in_letters(labels: Iterable[Any]) -> str:
    return "".join("..." if label is Ellipsis else LETTERS[label] for label in labels)


def _implied_output(inputs: Iterable[str]) -> str:
    """The axes of the ellipses, and the letters that occur once, in alphabetical order."""
    terms = "".join(inputs)
    letters = sorted(letter for letter in set(terms) - {"."} if terms.count(letter) == 1)
    return "..." * ("." in terms) + "".join(letters)


def _without_ellipses(
    inputs: Sequence[str], output: str, ndims: Sequence[int]
) -> tuple[tuple[str, ...], str]:
    """Name the axes that ellipses stand for by unused letters, aligned at the last axis as in NumPy."""
    counts = [ndim - len(term) + 3 if "." in term else 0 for term, ndim in zip(inputs, ndims, strict=True)]
    used = "".join(inputs) + output
    unused = "".join(letter for letter in LETTERS if letter not in used)[: max(counts)]
    named = [
        term.replace("...", unused[len(unused) - count :]) for term, count in zip(inputs, counts, strict=True)
    ]
    return tuple(named), output.replace("...", unused)
