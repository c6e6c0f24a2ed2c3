"""The arguments of a call that is made again: recorded values are taken out, and those of a call are put in.

They are found in containers, objects, and the variables of functions that the program made. At each call
these functions are made anew, over the values of that call.
"""

import functools
import types
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.recording.members import slots_of
from chainrules.ad.recording.places import is_users_class
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.regular import rebuilt
from chainrules.ad.recording.same import ABSENT, content_of, is_unchanging, vars_of
from chainrules.ad.recording.structured_results import result_with
from chainrules.ad.syntax.twins import original_of
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.views import plain_array
from chainrules.ad.values.structures import has_parts, parts_of, with_parts
from chainrules_core import AbstractThunk, AbstractZero, StructuralTangent, unthunk

# Makes a value anew: of the values for the holes, and of what was made already, by the `id` of the first.
_Build = Callable[[Sequence[Any], dict[int, Any]], Any]


class NotOneCallError(Exception):
    """A call is the engine's: it holds traced values, or its function has no rule for what it is given."""


class Arguments:
    """The arguments of a call, with holes in the places of recorded values.

    Parameters
    ----------
    args, kwargs
        The arguments.
    note
        Notes what has no holes, and is the same at each call: ``note(x)``. Its answer is taken for `x`.
    scope_of
        The global names of a function that the program made.
    as_written
        Whether functions that the program made run as they are written, and not as they are traced.

    Attributes
    ----------
    holes
        The recorded values, each once.
    callees
        By `id`, the codes of the functions among them, and the classes of objects that may call some.

    Raises
    ------
    NotOneCallError
        If there are traced values among them.
    """

    def __init__(
        self,
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        note: Callable[[Any], Any],
        scope_of: Callable[[dict[str, Any]], dict[str, Any]],
        as_written: bool,
    ) -> None:
        self.holes: list[Any] = []
        self.callees = set[int]()
        self._note, self._scope_of, self._as_written = note, scope_of, as_written
        self._places: dict[int, int] = {}
        self._changing: dict[int, tuple[Any, bool]] = {}
        self._builds: dict[int, _Build] = {}
        self._lists: list[Any] = []
        self._args = [self._build_of(x) for x in args]
        self._kwargs = {name: self._build_of(x) for name, x in kwargs.items()}

    def filled(self, values: Sequence[Any]) -> tuple[list[Any], dict[str, Any], list[Any]]:
        """The arguments, with values in the holes; and what was made anew, or by the program before."""
        made: dict[int, Any] = {}
        args = [build(values, made) for build in self._args]
        kwargs = {name: build(values, made) for name, build in self._kwargs.items()}
        return args, kwargs, [*made.values(), *self._lists]

    def _build_of(self, x: Any) -> _Build:
        if isinstance(x, AbstractThunk):
            x = unthunk(x)
        if type(x) in TRACED:
            if not x._trace.is_constant:
                raise NotOneCallError
            x = plain_array(x)
        if is_recorded(x):
            if id(x) not in self._places:
                self._places[id(x)] = len(self.holes)
                self.holes.append(x)
            return _take(self._places[id(x)])
        if not self._is_changing(x) and type(x) is not tuple:
            self._meet(x, is_unchanging(x) or type(x) in _CALLING_NOBODY)
            kept = x if is_unchanging(x) or isinstance(x, _TANGENTS) else self._note(x)
            self._lists += [x] if type(x) in _GROWING else []
            if type(x) is np.ndarray and kept is not x:  # a copy, which the program may have written into
                return _once(x, lambda values, made: kept.copy("K"))
            return lambda values, made: kept
        self._meet(x, type(x) in _CONTAINERS)
        if isinstance(x, types.MethodType):  # which its object may hold
            function, owner = map(self._build_of, (x.__func__, x.__self__))
            return lambda values, made: types.MethodType(function(values, made), owner(values, made))
        if id(x) not in self._builds:
            self._builds[id(x)] = _made_before(x)
            self._builds[id(x)] = _once(x, self._build_of_parts(x))
        return self._builds[id(x)]

    def _meet(self, x: Any, calls_nobody: bool) -> None:
        if not calls_nobody:
            self.callees.add(id(x.__code__ if type(x) is types.FunctionType else type(x)))

    def _is_changing(self, x: Any) -> bool:
        """Whether a recorded value can be reached from `x`, or a function that the program made."""
        if id(x) not in self._changing:
            self._changing[id(x)] = x, _reaches(x, _is_of_call)
        return self._changing[id(x)][1]

    def _build_of_parts(self, x: Any) -> _Build:
        if isinstance(x, types.FunctionType):
            return self._build_of_function(x)
        if isinstance(x, functools.partial):
            whole = self._build_of((x.func, x.args, x.keywords))

            def build_partial(values: Sequence[Any], made: dict[int, Any]) -> Any:
                f, args, kwargs = whole(values, made)
                return type(x)(f, *args, **kwargs)

            return build_partial
        if isinstance(x, dict):
            items = {key: self._build_of(part) for key, part in x.items()}
            factory = self._build_of(x.default_factory) if type(x) is defaultdict else None
            return lambda values, made: _dict_like(
                x, {key: part(values, made) for key, part in items.items()}, factory and factory(values, made)
            )
        if isinstance(x, tuple | list):
            parts, cls = [self._build_of(part) for part in x], type(x)
            return lambda values, made: rebuilt(cls, [part(values, made) for part in parts])
        if (attributes := attributes_of(x)) is not None:
            return _instance(x, {name: self._build_of(part) for name, part in attributes.items()})
        fields = {key: self._build_of(part) for key, part in parts_of(x).items()}
        return lambda values, made: with_parts(x, {key: part(values, made) for key, part in fields.items()})

    def _build_of_function(self, f: types.FunctionType) -> _Build:
        """What makes a function anew, with variables of its own."""
        code, scope = (original_of(f.__code__) if self._as_written else None), self._scope_of(f.__globals__)
        code = code or f.__code__
        contents = dict(zip(f.__code__.co_freevars, map(content_of, f.__closure__ or ()), strict=True))
        cells = [None if contents[n] is ABSENT else self._build_of(contents[n]) for n in code.co_freevars]
        defaults, options = self._build_of(f.__defaults__), self._build_of(f.__kwdefaults__)
        attributes = self._build_of(vars(f)) if vars(f) else None

        def build(values: Sequence[Any], made: dict[int, Any]) -> Any:
            closure = tuple(types.CellType() for _ in cells)
            new = types.FunctionType(code, scope, f.__name__, None, closure)
            made[id(f)] = new  # for those that call themselves
            new.__defaults__, new.__kwdefaults__ = defaults(values, made), options(values, made)
            new.__qualname__, new.__module__ = f.__qualname__, f.__module__
            if attributes is not None:
                new.__dict__.update(attributes(values, made))
            for cell, content in zip(closure, cells, strict=True):
                if content is not None:
                    cell.cell_contents = content(values, made)
            return new

        return build


_GROWING = frozenset({list, dict, set})
_CONTAINERS = frozenset({tuple, list, dict})
_CALLING_NOBODY = frozenset({np.ndarray, np.ufunc, types.BuiltinFunctionType})
_TANGENTS = (AbstractZero, StructuralTangent)


def _take(place: int) -> _Build:
    return lambda values, made: values[place]


def _made_before(x: Any) -> _Build:
    def build(values: Sequence[Any], made: dict[int, Any]) -> Any:
        if id(x) not in made:
            raise CompilationError(f"a search is given an instance of {type(x).__name__} that holds itself")
        return made[id(x)]

    return build


def _once(x: Any, build: _Build) -> _Build:
    """What makes a value once, though it is held twice."""

    def build_once(values: Sequence[Any], made: dict[int, Any]) -> Any:
        if id(x) not in made:
            made[id(x)] = build(values, made)
        return made[id(x)]

    return build_once


def attributes_of(x: Any) -> dict[str, Any] | None:
    """The attributes of an instance of a user's class, or of one in which searches write, if that is all."""
    cls = type(x)
    if not (is_users_class(cls) or cls.__module__.endswith("._hessian_update_strategy")) or any(
        not base.__flags__ & _BY_A_STATEMENT for base in cls.__mro__[:-1]
    ):
        return None
    in_slots = {name: getattr(x, name, ABSENT) for name in slots_of(cls)}
    return (vars_of(x) or {}) | {name: part for name, part in in_slots.items() if part is not ABSENT}


_BY_A_STATEMENT = 1 << 9  # by CPython's `object.h`


def _instance(x: Any, attributes: dict[str, _Build]) -> _Build:
    """What makes an instance anew, which may hold itself; no code of its class is run."""
    cls, held = type(x), vars_of(x)
    in_slots = attributes.keys() - (held or {}).keys()

    def build(values: Sequence[Any], made: dict[int, Any]) -> Any:
        new = made[id(x)] = object.__new__(cls)
        for name, part in attributes.items():
            if name in in_slots:
                object.__setattr__(new, name, part(values, made))
            else:
                vars(new)[name] = part(values, made)
        return new

    return build


def _dict_like(x: Any, items: dict[Any, Any], factory: Any) -> Any:
    return defaultdict(factory, items) if type(x) is defaultdict else result_with(type(x), items)


def _is_of_program(x: Any) -> bool:
    """Whether the program made a function, whose variables change in a loop; or bounds, which searches do."""
    if type(x) is types.FunctionType:
        return original_of(x.__code__) is not None
    return is_of_searches(x) and (has_parts(x) or attributes_of(x) is not None)


def is_of_searches(x: Any) -> bool:
    """Whether a value is an object for searches, such as bounds, in which they write themselves."""
    return type(x).__module__.startswith("scipy.optimize.")


def reaches_recorded(x: Any) -> bool:
    """Whether a recorded value can be reached from `x`."""
    return _reaches(x, is_recorded)


def _is_of_call(x: Any) -> bool:
    return is_recorded(x) or type(x) in TRACED or _is_of_program(x)


def _reaches(x: Any, is_sought: Callable[[Any], bool]) -> bool:
    pending, seen = [x], {id(x): x}
    while pending:
        part = pending.pop()
        if is_sought(part):
            return True
        new = [y for y in _parts(part) if id(y) not in seen]
        seen.update((id(y), y) for y in new)
        pending += new
    return False


def _parts(x: Any) -> Iterable[Any]:
    if isinstance(x, types.FunctionType):
        cells = [content_of(cell) for cell in x.__closure__ or ()]
        return (*cells, x.__defaults__, x.__kwdefaults__, *vars(x).values())
    if isinstance(x, types.MethodType):
        return x.__func__, x.__self__
    if isinstance(x, functools.partial):
        return x.func, x.args, x.keywords
    if isinstance(x, AbstractThunk):
        return (unthunk(x),)
    if isinstance(x, dict):
        return (*x.values(), x.default_factory) if type(x) is defaultdict else x.values()
    if isinstance(x, tuple | list):
        return x
    if (attributes := attributes_of(x)) is not None:
        return attributes.values()
    return parts_of(x).values() if has_parts(x) else ()
