"""Functions that are called in the place of others, where calls are intercepted."""

import copy
import dataclasses
import itertools
import operator
import random
from collections.abc import Callable
from typing import Any

# By the function that a program calls.
REPLACEMENTS: dict[Any, Callable[..., Any]] = {}
# By the whole name of a function of a package that may not be installed: what makes the function to call in
# its place.
REPLACEMENTS_BY_NAME: dict[str, Callable[[Any], Callable[..., Any]]] = {}
# By class: what makes the function to call in the place of an instance.
REPLACEMENTS_OF_INSTANCES: dict[type, Callable[[Any], Callable[..., Any]]] = {}


def replaces(*functions: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Call a function in the place of others; a decorator."""

    def register(replacement: Callable[..., Any]) -> Callable[..., Any]:
        REPLACEMENTS.update(dict.fromkeys(functions, replacement))
        return replacement

    return register


def replaces_named(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Call what a function makes of the functions of these names in the place of them; a decorator."""

    def register(maker: Callable[..., Any]) -> Callable[..., Any]:
        REPLACEMENTS_BY_NAME.update(dict.fromkeys(names, maker))
        return maker

    return register


def replacement_of(f: Any) -> Callable[..., Any] | None:
    """What to call in the place of a function in Python, if there is anything."""
    replacement = REPLACEMENTS.get(f)
    if replacement is None:
        make = REPLACEMENTS_BY_NAME.get(f"{f.__module__}.{f.__qualname__}")
        replacement = None if make is None else make(f)
    return replacement


# These are called as they are, whatever is given to them: they move values and do not compute with them, or
# traced values answer them by themselves.
PLAIN: frozenset[Any] = frozenset(
    (
        *(len, range, enumerate, zip, reversed, next, list, tuple, dict, set, frozenset, slice),
        *(print, repr, id, hash, callable, delattr, any, all, format, vars, dir, object, property),
        *(staticmethod, classmethod, super, type(NotImplemented), memoryview, bytearray, open, input),
        *(
            itertools.chain,
            itertools.chain.from_iterable,
            itertools.cycle,
            itertools.repeat,
            itertools.islice,
        ),
        *(itertools.product, itertools.permutations, itertools.combinations, itertools.tee, itertools.count),
        *(
            itertools.combinations_with_replacement,
            itertools.zip_longest,
            itertools.pairwise,
            itertools.compress,
        ),
        # Called by their rules, they would hand on copies of arrays, and of functions that write into some.
        *(copy.copy, copy.deepcopy),
        *(random.Random.choice, random.Random.choices, random.Random.sample),
        *(operator.iconcat, operator.delitem),
    )
)

REPLACEMENTS.update({f: f for f in PLAIN})

# The bodies of these are entered, although they have rules, which would hand on copies of arrays where the
# program shares them.
ENTERED: frozenset[Any] = frozenset((dataclasses.asdict, dataclasses.astuple, dataclasses.replace))
