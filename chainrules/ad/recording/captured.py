"""Arrays that a program reads from outside, given out as recorded values.

What is computed from them is part of the program then, so that their elements may change, and need not be
compared. A function reads its arrays by global names, by the variables of the functions around it, and by
defaults. So one is called that has these three anew, with recorded values in the place of the arrays.
"""

import types
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from chainrules.ad.recording.slots import Slot
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.recording.tape import Tape
from chainrules.ad.syntax.twins import is_twin


class Captured:
    """What is given out while a program is recorded.

    Attributes
    ----------
    tape, surroundings
        What is recorded, and what is noted.
    arrays
        Each array that was given out, and the name that the program has for it.
    arguments
        By `id`, those of the program, which are recorded already.
    read_plainly
        By `id`, the arrays that functions may have read which were entered as they are.
    """

    def __init__(self, tape: Tape, surroundings: Surroundings, is_on: bool) -> None:
        self.arrays: list[tuple[np.ndarray[Any, Any], str]] = []
        self.read_plainly: set[int] = set()
        self._is_on = is_on
        self.tape, self.surroundings, self.arguments = tape, surroundings, set[int]()
        self._values: dict[int, Any] = {}
        self._scopes: dict[int, tuple[dict[str, Any], dict[str, Any]]] = {}
        self._originals: dict[int, dict[str, Any]] = {}
        self._cells: dict[int, tuple[Any, Any, Any]] = {}

    def scope_of(
        self, frame: types.FrameType, names: Iterable[str]
    ) -> dict[str, Any]:  # pragma: no cover - a profiler calls
        """The global names of the user's module whose function is entered, which reads some of them."""
        original = self.scope(frame.f_globals)
        if original is not frame.f_globals:
            return original
        # Its variables are, at first, what it was given, its defaults, and those of the functions around it.
        read = [*map(frame.f_globals.get, names), *frame.f_locals.values()]
        self.read_plainly.update(id(x) for x in read if type(x) is np.ndarray)
        return frame.f_globals

    def scope(self, scope: dict[str, Any]) -> dict[str, Any]:
        """The global names of the user's module, of those that a function was lent."""
        return self._originals.get(id(scope), scope)

    def lent(self, f: Any) -> Callable[..., Any]:
        """What to call in the place of a function of the user's: one that is given recorded values."""
        if type(f) is types.MethodType:
            return types.MethodType(self.lent(f.__func__), f.__self__)
        if not self._is_on or type(f) is not types.FunctionType or not is_twin(f.__code__):
            return f  # type: ignore[no-any-return]  # a callable
        if id(f.__globals__) in self._originals:
            return f  # it was made by one that was given them
        self.surroundings.note(f, f.__name__)
        cells = tuple(map(self._cell, f.__code__.co_freevars, f.__closure__ or ()))
        names = f.__code__.co_varnames[: f.__code__.co_argcount]
        defaults = f.__defaults__ and tuple(map(self._value, f.__defaults__, names[-len(f.__defaults__) :]))
        new = types.FunctionType(f.__code__, self._scope(f.__globals__), f.__name__, defaults, cells)
        if f.__kwdefaults__ is not None:
            new.__kwdefaults__ = {name: self._value(x, name) for name, x in f.__kwdefaults__.items()}
        new.__qualname__, new.__dict__ = f.__qualname__, f.__dict__
        return new

    def difference(self) -> str | None:
        """What the program changed of what it was given; `None` if nothing."""
        for cell, new, then in self._cells.values():
            if new is not cell and new.cell_contents is not then:
                return "a variable of a function around it holds another value"
        return None

    def _scope(self, scope: dict[str, Any]) -> dict[str, Any]:
        known = self._scopes.get(id(scope))
        if known is None:
            arrays = {name: self._value(x, name) for name, x in scope.items() if type(x) is np.ndarray}
            known = scope, {**scope, **arrays}
            self._scopes[id(scope)] = known
            self._originals[id(known[1])] = scope
        return known[1]

    def _cell(self, name: str, cell: Any) -> Any:
        known = self._cells.get(id(cell))
        if known is None:
            try:
                then = self._value(cell.cell_contents, name)
                new = cell if then is cell.cell_contents else types.CellType(then)
            except ValueError:  # the variable is assigned later
                then, new = None, cell
            known = self._cells[id(cell)] = cell, new, then
        return known[1]

    def _value(self, x: Any, name: str) -> Any:
        """The recorded value for an array that is given out; otherwise `x`."""
        if type(x) is not np.ndarray or id(x) in self.arguments or not _is_given_out(x):
            return x
        known = self._values.get(id(x))
        if known is None:
            known = self._values[id(x)] = self.tape.recorded(x, Slot("captured", len(self.arrays)))
            self.arrays.append((x, name))
        return known


def _is_given_out(x: np.ndarray[Any, Any]) -> bool:
    # Whole numbers and flags are positions and masks, by which programs decide.
    return x.dtype.isnative and (x.dtype.kind in "fc" or (x.dtype.kind in "biu" and x.size > _MOST_POSITIONS))


_MOST_POSITIONS = 10_000
