"""What a program read from outside while it was recorded, and whether all of that is as it was.

Every object that a program can reach by its names, cells and defaults is noted before the body of the
function that names it runs: names, cells and attributes by what they hold, lists, dicts and sets by their
items, arrays by their elements. An object of a kind that is not known here is refused, since its changes
could not be seen.
"""

import abc
import builtins
import collections
import functools
import logging
import sys
import types
from collections.abc import Callable, Iterable, KeysView
from typing import Any

import numpy as np

import chainrules_core
from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.recording.constants import is_of_generated_class
from chainrules.ad.recording.distributions import is_distribution
from chainrules.ad.recording.generators import is_of_all
from chainrules.ad.recording.instances import Instances, is_read_by_names
from chainrules.ad.recording.members import attributes_of, is_changeable, is_named_tuple, members_of, slots_of
from chainrules.ad.recording.permitted import holds_coefficients
from chainrules.ad.recording.places import is_of_package, is_users, is_users_class
from chainrules.ad.recording.recorded import is_recorded
from chainrules.ad.recording.same import (
    ABSENT,
    answer,
    content_of,
    has_same_items,
    is_same,
    is_unchanging,
    vars_of,
)
from chainrules_core import unwrap_primitive

MOST_OBJECTS = 10_000

_DICTS = frozenset({dict, collections.OrderedDict, collections.defaultdict, collections.Counter})
_SEQUENCES = frozenset({list, set, collections.deque})
# All that their instances go by are their attributes.
_OF_NUMPY = frozenset({np.vectorize, *map(type, (np.r_, np.c_, np.mgrid, np.ogrid, np.s_))})
# What distributions hold beside methods of their own.
_PARAMETERS = (tuple, list, dict, np.ndarray)
# What rules are written with. A change of rules is noticed by itself.
_OF_CORE = frozenset(id(vars(chainrules_core)[name]) for name in chainrules_core.__all__)
_ATTRIBUTES = (dict, type(None))  # the latter where all of them are in slots


class Surroundings:
    """The objects that a program can reach, as they are before it runs.

    Parameters
    ----------
    refuse
        Makes the error for a reason, and is told whether it is an object of an installed package.

    Attributes
    ----------
    names, cells, functions, containers, classes, arrays, of_class
        Objects by the way that they are compared in, each beside what it was.
    dicts
        The dicts of attributes, beside what they belong to.
    instances
        The instances whose attributes are read by their names alone.
    answers
        Questions that may be asked again: a function, its arguments, and what it said.
    absent
        The names of modules, beside those that the program may have missed there.
    registrations
        How many classes were registered with abstract ones; `None` if no abstract class is within reach.
    """

    def __init__(self, refuse: Callable[..., Exception]) -> None:
        self._refuse = refuse
        self.names: dict[tuple[int, str], tuple[dict[str, Any], str, Any]] = {}
        self.cells: list[tuple[Any, Any]] = []
        self.functions: list[tuple[Any, Any, Any, Any]] = []
        self.containers: list[tuple[Any, Any]] = []
        self.classes: list[tuple[type, dict[str, Any], Any]] = []
        self.arrays: list[tuple[Any, Any, bytes | None]] = []
        self.of_class: list[tuple[Any, type]] = []
        self.dicts: list[tuple[Any, dict[str, Any]]] = []
        self.instances = Instances(self._note_value, self.containers)
        self.answers: dict[Any, tuple[Callable[..., Any], tuple[Any, ...], Any]] = {}
        self.absent: list[tuple[KeysView[str], frozenset[str]]] = []
        self.registrations: Any = None
        self._modules: list[types.ModuleType] = []
        self._of_others: list[list[Any]] = []
        self._attributes: set[str] = set()
        self._written: set[str] = set()
        self._keys: list[tuple[Any, frozenset[str]]] = []
        self._held: set[int] = set()
        self._seen: dict[int, Any] = {}

    # --- Noting -------------------------------------------------------------------------------------------

    def note(self, x: Any, name: str) -> None:
        """Note an object, and what can be reached from it.

        Parameters
        ----------
        x
            The object.
        name
            How the program calls it, for the reason of a refusal.

        Raises
        ------
        NotRecordableError
            If its changes could not be seen.
        """
        pending = [x]
        while pending:
            x = pending.pop()
            if is_unchanging(x) or is_recorded(x) or id(x) in self._seen:
                continue
            if len(self._seen) >= MOST_OBJECTS:
                raise self._refuse(f"more than {MOST_OBJECTS} objects are within its reach")
            self._seen[id(x)] = x
            held = self._noted(x, name)
            self._held.update(map(id, held))
            pending += held

    def note_name(self, scope: dict[str, Any], name: str, of_module: bool = False) -> None:
        """Note what a name holds in a module, before anybody assigns to it.

        Parameters
        ----------
        scope, name
            The global names of the module, and one of them.
        of_module
            Whether it is read as an attribute of the module.
        """
        if of_module:
            self._held.add(id(scope.get(name)))
        if (id(scope), name) not in self.names:
            value = scope.get(name, ABSENT)
            self.names[id(scope), name] = scope, name, value
            if value is not ABSENT:
                self.note(value, name)
            elif scope is not vars(builtins):
                self.note_name(vars(builtins), name)

    def note_attributes(
        self, names: set[str], are_all: bool = False
    ) -> None:  # pragma: no cover - a profiler calls
        """Note what modules and instances within reach hold under names that follow a dot in the program.

        Parameters
        ----------
        names
            These names.
        are_all
            Whether others of instances may be read, too.
        """
        new = names - self._attributes
        self._attributes |= new
        for module in list(self._modules):
            self._note_in_module(module, new)
        for owners in list(self._of_others):
            self._note_of_others(owners, new)
        self.instances.note_names(new)
        if are_all:
            self.instances.note_whole()

    def note_written(self, names: Iterable[str]) -> None:
        """Note names that the program gives to attributes, which need not be there yet."""
        self._written.update(names)

    def note_answer(self, f: Callable[..., Any], *args: Any) -> Any:
        """Ask a question that changes nothing, and compare the answer from here on."""
        asked = tuple(map(id, (f, *args)))
        if asked not in self.answers:
            self.answers[asked] = f, args, f(*args)
        return self.answers[asked][2]

    def note_registrations(self) -> None:
        """Count the registrations anew: rules that were imported meanwhile have some, too."""
        if self.registrations is not None:
            self.registrations = abc.get_cache_token()

    def note_absent(self) -> None:
        """Note what modules within reach do not have, of which the program is told by errors."""
        owners = {id(x): x for others in self._of_others for x in others}
        held = [vars(x).keys() for x in (*self._modules, *owners.values())]
        self.absent = [(names, frozenset(self._attributes - names)) for names in held]

    def _note_in_module(
        self, module: types.ModuleType, names: set[str]
    ) -> None:  # pragma: no cover - a profiler calls
        for name in sorted(names & vars(module).keys()):
            self.note_name(vars(module), name, of_module=True)

    def _note_of_others(self, owners: list[Any], names: set[str]) -> None:
        """Note what the program reads of another's class and of those above it, or of another's function."""
        read = [vars(x)[name] for x in owners for name in sorted(names & vars(x).keys())]
        if not read:
            return
        self._of_others = [others for others in self._of_others if others is not owners]
        for x in owners:
            if isinstance(x, type):
                self.classes.append((x, attributes_of(x), x.__mro__))
            else:
                self._noted_attributes_of(x)
        for part in read:
            if not hasattr(type(part), "__get__"):
                self.note(part, owners[0].__name__)

    def _noted_of_others(self, *owners: Any) -> list[Any]:
        self._of_others.append([x for x in owners if is_changeable(x)])
        self._keys += [(x, frozenset(vars(x))) for x in self._of_others[-1]]
        self._note_of_others(self._of_others[-1], self._attributes)
        return []

    def _noted(self, x: Any, name: str) -> list[Any]:  # noqa: C901, PLR0911, PLR0912 - one for each kind
        cls = type(x)
        if cls is np.ndarray:
            if x.dtype.hasobject or x.dtype.kind not in "fcbiuUS":
                raise self._refuse(f"`{name}` holds an array of {x.dtype}")
            self.arrays.append((x, (x.dtype, x.shape, x.strides, x.flags.writeable), x.tobytes()))
            return []
        if cls is types.FunctionType:
            return self._noted_function(x)
        if cls is tuple or cls is frozenset or is_named_tuple(cls):
            return [*x, *([cls] if is_users_class(cls) else ())]
        if cls is slice:
            return [x.start, x.stop, x.step]
        if cls in _SEQUENCES:
            self.containers.append((x, list(x)))  # sets in their order
            return list(x)
        if cls in _DICTS:
            self.containers.append((x, dict(x)))
            made = self._noted_slots(x, ["default_factory"] if cls is collections.defaultdict else [])
            return [*x, *x.values(), *made, *self._noted_attributes_of(x)]
        if is_distribution(x):
            return [x for x in self._noted_attributes_of(x) if type(x) in _PARAMETERS or is_distribution(x)]
        if cls in _OF_NUMPY or holds_coefficients(cls):
            return [*self._noted_attributes_of(x), *self._noted_slots(x, slots_of(cls))]
        if cls is logging.Logger or cls is logging.RootLogger:  # its level is asked for where it is called
            self._noted_attributes_of(x)
            return self._noted_of_others(*cls.__mro__)
        if cls is types.ModuleType or isinstance(x, types.ModuleType):
            if cls is not types.ModuleType and is_users_class(cls):
                raise self._refuse(f"`{name}` is a module of a class of its own")
            self._modules.append(x)
            self._keys.append((x, frozenset(vars(x))))
            self._note_in_module(x, self._attributes)
            return []
        if is_of_generated_class(cls) or id(x) in _OF_CORE or is_of_all(x) or cls.__name__ == "SuperLU":
            return []
        if cls is types.MethodType:
            return [x.__self__, x.__func__]
        if cls is types.BuiltinFunctionType:
            return [] if x.__self__ is None or isinstance(x.__self__, types.ModuleType) else [x.__self__]
        if cls is functools._lru_cache_wrapper:
            return self._noted_attributes_of(x)
        if cls is functools.partial:
            return [x.func, x.args, x.keywords, *self._noted_attributes_of(x)]
        if unwrap_primitive(x) is not x:
            return [unwrap_primitive(x)]
        if isinstance(x, type):
            return self._noted_class(x, name)
        if isinstance(x, Derived):
            _ = self.note_answer(getattr, x, "f") if x.remembers else self._noted_attributes_of(x)
            return [getattr(x, field) for field in type(x).__dataclass_fields__]
        if is_users_class(cls) and type(vars_of(x)) in _ATTRIBUTES and not isinstance(x, BaseException):
            self.of_class.append((x, cls))
            return [cls, *self._noted_instance(x), *self._noted_slots(x, slots_of(cls))]
        reason = f"`{name}` holds an instance of {cls.__qualname__}, whose changes cannot be seen"
        raise self._refuse(reason, is_of_package(cls))

    def _noted_attributes_of(self, x: Any) -> list[Any]:
        held = vars_of(x)
        if held is None:
            return []
        self.dicts.append((x, held))
        self.containers.append((held, held.copy()))
        return [*held.values()]

    def _noted_instance(self, x: Any) -> list[Any]:
        held = vars_of(x)
        if held is None or not is_read_by_names(type(x)):
            return self._noted_attributes_of(x)
        self.dicts.append((x, held))
        self.instances.note(held)
        return []

    def _note_value(self, x: Any, name: str) -> None:
        self._held.add(id(x))
        self.note(x, name)

    def _noted_slots(self, x: Any, names: Iterable[str]) -> list[Any]:
        """What an object holds in slots, by its class."""
        values = [self.note_answer(getattr, x, name, ABSENT) for name in names]
        return [value for value in values if value is not ABSENT]

    def _noted_function(self, f: Any) -> list[Any]:
        # What functions of these two hold is noted when they are called.
        is_holder = f.__globals__.get("__name__") in {"contextlib", "functools"}
        if not is_users(f) and ("<locals>" not in f.__qualname__ or is_holder):
            return self._noted_of_others(f)
        self.functions.append((f, f.__code__, f.__defaults__, f.__kwdefaults__))
        self._noted_attributes_of(f)
        named = [*(f.__defaults__ or ()), *(f.__kwdefaults__ or {}).values()]
        if f.__kwdefaults__ is not None:
            self.containers.append((f.__kwdefaults__, f.__kwdefaults__.copy()))
        for cell in f.__closure__ or ():
            value = content_of(cell)
            self.cells.append((cell, value))
            named += [] if value is ABSENT else [value]
        for x in named:
            if type(x) is np.ndarray:  # read by its name, as those of modules
                self.note(x, f.__name__)
        return [*f.__dict__.values(), *(x for x in named if type(x) is not np.ndarray)]

    def _noted_class(self, cls: type, name: str) -> list[Any]:
        if issubclass(type(cls), abc.ABCMeta):
            self.registrations = abc.get_cache_token()
        if not is_users_class(cls):
            return self._noted_of_others(*cls.__mro__)
        held, reason = members_of(cls)
        if reason is not None:
            reason = f"`{name}` has to do with the class {cls.__qualname__}, {reason}"
            raise self._refuse(reason, any(map(is_of_package, cls.__mro__)))
        for base in cls.__mro__:
            if is_users_class(base):
                self.classes.append((base, attributes_of(base), base.__mro__))
        return held

    # --- Asking -------------------------------------------------------------------------------------------

    def difference(self) -> str | None:  # noqa: C901, PLR0911, PLR0912 - one for each kind
        """What is not as it was, in a few words; `None` if everything is."""
        for scope, name, then in self.names.values():
            if not is_same(scope.get(name, ABSENT), then):
                if scope is sys.modules:
                    return f"it imports `{name}`, which was not imported before"
                return f"the name `{name}` holds another value"
        for names, absent in self.absent:
            if not names.isdisjoint(absent):
                return f"a module was given the name `{min(absent & names)}`"
        for cell, then in self.cells:
            if not is_same(content_of(cell), then):
                return "a variable of a function around it holds another value"
        for f, code, defaults, named in self.functions:
            if f.__code__ is not code or f.__defaults__ is not defaults or f.__kwdefaults__ is not named:
                return f"the function `{f.__name__}` was changed"
        for container, then in self.containers:
            if not has_same_items(container, then):
                return f"a {type(container).__name__} was changed"
        for x, cls in self.of_class:
            if type(x) is not cls:
                return f"an instance of {cls.__name__} changed its class"
        for x, held in self.dicts:
            if vars(x) is not held:
                return f"an instance of {type(x).__name__} was given other attributes"
        for cls, then, mro in self.classes:
            if cls.__mro__ is not mro or not has_same_items(vars(cls), then):
                return f"the class {cls.__name__} was changed"
        if self.registrations not in (None, abc.get_cache_token()):
            return "a class was registered with an abstract one"
        for x, kind, elements in self.arrays:
            if (x.dtype, x.shape, x.strides) != kind[:3] or elements not in (None, x.tobytes()):
                return "an array was written into"
            if self.reads_flags() and x.flags.writeable is not kind[3]:
                return "an array was locked or unlocked"
        for f, args, then in self.answers.values():
            if not is_same(answer(f, args), then):
                return "a function that was asked, or a slot of an object, has another value"
        return self.instances.difference()

    def names_given(self) -> list[tuple[Any, str]]:
        """The attributes that the program gave to modules and to classes and functions of others."""
        written = sorted(self._written)
        return [
            (x, name) for x, then in self._keys for name in written if name in vars(x) and name not in then
        ]

    def reads_flags(self) -> bool:
        """Whether the program may ask if an array can be written into."""
        return "flags" in self._attributes

    def holds(self, x: Any) -> bool:
        """Whether an object is one of those within reach."""
        return id(x) in self._seen

    def read_anew(self, arrays: Iterable[np.ndarray[Any, Any]]) -> None:
        """Do not compare the elements of arrays that were read by names only, and recorded."""
        recorded = {id(x) for x in arrays} - self._held
        self.arrays = [(x, kind, None if id(x) in recorded else then) for x, kind, then in self.arrays]

    def numbers_of_arrays(self) -> list[int]:
        """By `id`, the arrays within reach."""
        return [number for number, x in self._seen.items() if isinstance(x, np.ndarray)]
