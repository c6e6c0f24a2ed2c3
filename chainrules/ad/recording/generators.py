"""Random generators that a program makes from a seed: each time they draw the same, which is a constant."""

import random
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.recording.recorded import holds_recorded
from chainrules.ad.recording.tape import Tape
from chainrules.ad.traced.tracing import is_traced

# Those that functions such as `numpy.random.normal` and `random.gauss` draw from.
_METHODS: tuple[Any, ...] = np.random.normal, random.gauss
_OF_ALL = tuple(f.__self__ for f in _METHODS)


def is_of_all(f: Any) -> bool:
    """Whether a function draws from a generator that the whole process has: who calls it is refused."""
    return any(_owner_of(f) is generator for generator in _OF_ALL)


def _owner_of(f: Any) -> Any:
    return f.__self__ if type(f) in (types.MethodType, types.BuiltinFunctionType) else None


class Generators:
    """Those that a program made while it is recorded.

    Parameters
    ----------
    tape
        What is recorded.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._made: dict[int, Any] = {}

    def call_of(self, f: Any) -> Callable[..., Any] | None:
        """What is called in the place of what makes a generator, or of a method of one that was made."""
        if id(f) in _MAKING:
            return self._making(f)
        if id(_owner_of(f)) not in self._made or f.__name__ == "spawn":
            return None

        def draw(*args: Any, **kwargs: Any) -> Any:
            if is_traced((args, kwargs)) or holds_recorded((*args, *kwargs.values())):
                raise self._tape.refuse(
                    f"`{f.__name__}` draws by a value; draw standard numbers, and scale and shift these"
                )
            return f(*args, **kwargs)

        return draw

    def _making(self, f: Any) -> Callable[..., Any]:
        def make(*args: Any, **kwargs: Any) -> Any:
            seeds = (*args, *kwargs.values())
            if not seeds or not all(map(self._is_seed, seeds)):
                raise self._tape.refuse(
                    f"it calls `{f.__name__}` without a whole number as its seed, and so draws others each "
                    "time; draw around the compiled function"
                )
            made = f(*args, **kwargs)
            self._made[id(made)] = made
            return made

        return make

    def _is_seed(self, x: Any) -> bool:
        if type(x) in (tuple, list):
            return bool(x) and all(map(self._is_seed, x))
        return (isinstance(x, int | np.integer) and not holds_recorded(x)) or id(x) in self._made


_NAMES = "default_rng RandomState Generator SeedSequence PCG64 PCG64DXSM MT19937 Philox SFC64"
# Kept with their functions, so that the numbers stay theirs.
_MAKING = {id(f): f for f in (getattr(np.random, name) for name in _NAMES.split())}
