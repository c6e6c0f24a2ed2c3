"""Rules of the methods of distributions of vectors and matrices, by compositions, and parts of these."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.makers.composed_rules import composed_rule
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    Tangent,
    define,
    frule,
    primal_of,
    rrule,
    rule_maker,
    typeof_,
)

Read = Callable[..., Any]


@rule_maker
def method_rules(distribution: Any, places: tuple[int, int | None], **reads: Read) -> None:
    """Define the rules of methods of a distribution.

    Parameters
    ----------
    distribution
        An instance of its class; classes below it are left to their code.
    places
        From which argument up to which one there are tangents; `None` for all that are given by position.
    **reads
        For each method the function that reads a call: see `composed_rule`.
    """
    owner, (skip, count) = type(distribution), places
    for name, read in reads.items():
        composed_rule(getattr(owner, name), _of_arrays(read), count, skip=skip, owner=owner)


def _of_arrays(read: Read) -> Read:
    """The same, where constants may be lists of numbers."""

    @functools.wraps(read)
    def read_lists(*args: Any, **named: Any) -> Any:
        arrays = (np.asarray(x) if isinstance(x, list) else x for x in args)
        options = {name: np.asarray(x) if isinstance(x, list) else x for name, x in named.items()}
        return read(*arrays, **options)

    return read_lists


@rule_maker
def frozen_rules(owner: type, distribution: Any, fields: Sequence[str], *names: str) -> None:
    """Define the rules of methods of a distribution that holds its parameters, by those of the distribution.

    Parameters
    ----------
    owner
        The class of those that hold them.
    distribution
        An instance of the class of the distribution.
    fields
        The attributes that are the last arguments of the methods of the distribution.
    *names
        The methods.
    """
    for name in names:
        _frozen_rule(owner, getattr(owner, name), getattr(type(distribution), name), fields)


@rule_maker
def _frozen_rule(owner: Any, method: Any, unfrozen: Any, fields: Sequence[str]) -> None:
    def held(self: Any) -> list[Any] | None:
        parameters = [getattr(self, field) for field in fields]
        # Code that has traced parameters put in has computed more from them than this rule reads.
        return parameters if all(primal_of(x) is x for x in parameters) else None

    def frozen_frule(tangents: Any, f: typeof_(method), self: owner, *args: Any) -> Any:
        parameters, own = held(self), tangents[1]
        if parameters is None:
            return None
        dots = [own if isinstance(own, AbstractZero) else getattr(own, field) for field in fields]
        dots = [NO_TANGENT, NO_TANGENT, *tangents[2:], *dots]
        return frule(tuple(dots), unfrozen, self._dist, *args, *parameters)

    def frozen_rrule(f: typeof_(method), self: owner, *args: Any) -> Any:
        parameters = held(self)
        answer = None if parameters is None else rrule(unfrozen, self._dist, *args, *parameters)
        if answer is None:
            return None
        y, pullback = answer

        def frozen_pullback(y_bar: Any) -> Any:
            bars = pullback(y_bar)[2:]
            kind: Any = Tangent[owner]  # made at run time
            own = kind(**dict(zip(fields, bars[len(args) :], strict=True)))
            return NO_TANGENT, own, *bars[: len(args)]

        return y, frozen_pullback

    define(frozen_frule, frozen_rrule)


def density_of(read: Read) -> Read:
    """How calls of a density are read, of those of its logarithm."""

    @functools.wraps(read)
    def read_density(*args: Any, **named: Any) -> Any:
        composition = read(*args, **named)
        return composition and (lambda *given: np.exp(composition(*given)))

    return read_density


def squeezed(y: Any, shape: Any) -> Any:
    """The result in its shape, without axes of length one, as SciPy returns it."""
    return np.reshape(y, [n for n in shape if n != 1])


def are_matrices(*matrices: Any) -> bool:
    """Whether all are square matrices of at least two rows."""
    return all(np.ndim(A) == 2 and np.shape(A)[0] == np.shape(A)[1] > 1 for A in matrices)


def log_det(factor: Any) -> Any:
    """The logarithm of the determinant of ``L Lᵀ``."""
    return 2.0 * np.sum(np.log(np.diagonal(factor)))
