"""What is known of functions and modules of others: one fact for each, in one table, which everything asks.

The modules in `chainrules.ad.interception.known` fill it, each for the functions that its path spells.
"""

import abc
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

Returned = Literal["an array to fill", "its argument", "a view", "a copy", "results of calls"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What is known of a function, a class, a method as a function of its object, or of a whole module.

    Parameters
    ----------
    writes
        The position of the argument that it writes into.
    writer
        What it does to a traced array in that place.
    out
        The position of the array to write the result into, for a method whose signature does not say so.
    overwrites
        The name and position of a flag, and the value that lets it write into its first argument.
    returns
        What it may return, where that matters: a new array that is filled later most often; an array that it
        was given; a view that can be taken again of other elements; a copy; what a function returned to it.
    calls_back
        The position of a function that it calls, if it has one, and the name.
    goes_through
        The positions of the arguments that it goes through.
    method
        The special method of its first argument that it calls.
    takes_lists
        Whether a list of traced numbers is given to it as an array, or a list of arrays.
    reads_numbers
        Whether it makes numbers of text.
    converts_to
        What it makes of numbers, if that has no derivative.
    as_it_is
        Whether it is called as it is: it moves values, and does not compute with them.
    is_entered
        Whether its body is entered although it has rules, which would hand on copies of arrays.
    stands_for_it
        The function that is called in its place.
    wrapped
        What makes the function that is called in its place.
    of_instances
        What makes the function that is called in the place of an instance of the class.
    refused
        What to write in its place; of a module, in the place of its functions.
    questions
        The names of functions of a module that ask something of any array, and are not refused.
    refused_values
        What to write in the place of the instances of a class, or of all classes of a module.
    searched
        The attributes of the instances of a class in which traced values are looked for; in all, if `None`.
    not_entered
        Why its body is not entered, in a clause; empty if it is, in a module that is not.
    has_effect
        Whether a call does something that is seen elsewhere than in its result, so that it is never left out.
    is_not_the_same_each_time
        Whether equal arguments may give another result: it draws numbers, reads a clock or what is outside.
    """

    writes: int | None = None
    writer: Callable[..., None] | None = None
    out: int | None = None
    overwrites: tuple[str, int, bool] | None = None
    returns: tuple[Returned, ...] = ()
    calls_back: tuple[int | None, str] | None = None
    goes_through: slice | None = None
    method: str | None = None
    takes_lists: Literal["as arrays", "of arrays"] | None = None
    reads_numbers: bool = False
    converts_to: str | None = None
    as_it_is: bool = False
    is_entered: bool = False
    stands_for_it: Callable[..., Any] | None = None
    wrapped: Callable[[Any], Callable[..., Any]] | None = None
    of_instances: Callable[[Any], Callable[..., Any]] | None = None
    refused: str | None = None
    questions: frozenset[str] = frozenset()
    refused_values: str | None = None
    searched: tuple[str, ...] | None = None
    not_entered: str | None = None
    has_effect: bool = False
    is_not_the_same_each_time: bool = False

    is_replaced: bool = field(init=False)
    """Whether it says what to call in the place of a function, be it the function itself."""

    def __post_init__(self) -> None:
        stands = self.stands_for_it or self.wrapped or self.calls_back or self.goes_through or self.method
        is_replaced = self.as_it_is or stands or self.reads_numbers or "an array to fill" in self.returns
        object.__setattr__(self, "is_replaced", bool(is_replaced))


# Never forgotten. By the function, or by its whole name where its module may not be installed, or is rarely
# imported; of a module by its name.
FACTS: dict[Any, Fact] = {}
NOTHING = Fact()
# The names of functions that write into an argument, which is all that the text of a program says of them.
WRITING: set[str] = set()
# Of functions that a program makes again and again, and which bear no weak references.
PASSING: dict[Any, Fact] = {}


def fact(*functions: Any, **known: Any) -> None:
    """Say what is known of functions, in the fields of a `Fact`.

    Raises
    ------
    ValueError
        If something was said of one of them already.
    """
    new = Fact(**known)
    for f in functions:
        if f in FACTS:
            raise ValueError(f"{f!r} has a fact already: {FACTS[f]}")
        FACTS[f] = new
        if new.writes is not None:
            WRITING.add(getattr(f, "__name__", f).rpartition(".")[2])


def _is_named(cls: type) -> bool:
    """Whether values of a class are found by their names too: classes, functions in Python, C and Cython."""
    return cls in _NAMED or "cython_function" in cls.__name__


_NAMED = frozenset({types.FunctionType, types.BuiltinFunctionType, type, abc.ABCMeta})


def fact_of(f: Any) -> Fact:
    """What is known of a callable; nothing of one that is not hashable."""
    try:
        known = FACTS.get(f) or PASSING.get(f)
    except TypeError:
        return NOTHING
    if known is None and _is_named(f.__class__) and "<" not in f.__qualname__:  # as of lambdas
        known = FACTS.get(f"{f.__module__}.{f.__qualname__}")
    return known or NOTHING


def fact_of_module(name: Any) -> Fact:
    """What is known of a whole module, or else of the package that it is in."""
    while name.__class__ is str and name:
        if name in FACTS:
            return FACTS[name]
        name = name.rpartition(".")[0]
    return NOTHING
