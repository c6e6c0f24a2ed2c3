"""Carriers: values that an AD system passes through a program in place of numbers and arrays.

A `chainrules.ad` traced value, a `torch.Tensor`, a JAX tracer and an autograd box all *carry* a
primal. Rules never mention them: a carrier dispatches as the type of the primal that it carries,
and `primitive` hands calls with a carrier to the carrier's backend. A class is named by its module
and qualified name, so that naming it imports nothing.

Nor need a program import the module that registers its carriers. An entry point of the group
``chainrules.carriers`` names that module, and the package whose classes are carriers, such as ``torch``. The
module is imported when an instance of a class of this package is first met.
"""

import importlib
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any, Protocol
from weakref import WeakKeyDictionary

import numpy as np

from chainrules_core.entry_points import entry_points
from chainrules_core.failed_imports import warn_of_failed_import


class CarrierImportWarning(UserWarning):
    """A module that registers carriers could not be imported; values of their classes are ordinary ones."""


class Backend(Protocol):
    """The two functions that an AD system supplies for its carriers."""

    def call(self, f: Any, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
        """Call `f`, using its rules; at least one argument is, or contains, a carrier."""

    def primal(self, x: Any) -> Any:
        """The value that the carrier `x` carries, itself a carrier where AD is nested."""


_backends_by_name: dict[tuple[str, str], Backend] = {}
_backends_by_class: WeakKeyDictionary[type, Backend | None] = WeakKeyDictionary()
# The classes of numbers and arrays, which are no carriers; `primal_of` asks this first, since the weak
# dictionary takes longer.
PLAIN_CLASSES = frozenset({float, int, complex, np.float64, np.ndarray})
_backends_of_carriers: dict[type, Backend] = {}
# Their function `primal`, without the backend.
_primal_of_carriers: dict[type, Callable[[Any], Any]] = {}
# Classes of values that stand for numbers and arrays below every AD system, with the plain value behind one.
STAND_INS: dict[type, Callable[[Any], Any]] = {}
# How they answer what rules ask most: whether they hold a NaN, and whether a number is zero.
ANSWERS: dict[type, tuple[Callable[[Any], bool], Callable[[Any], bool]]] = {}
_lock = threading.Lock()

ENTRY_POINT_GROUP = "chainrules.carriers"
# By package, the modules that register its carriers, as far as they are not imported; `None` before the entry
# points have been read, which takes a millisecond and is put off until a class of another package is met.
_modules_that_register: dict[str, list[str]] | None = None
_WITHOUT_CARRIERS = {"numpy", "scipy", "chainrules", "chainrules_core", *sys.stdlib_module_names}
_on_new_carrier: list[Callable[[], None]] = []


def register_carrier(module: str, class_name: str, backend: Backend) -> None:
    """Make a class, and the classes derived from it, carriers that `backend` serves.

    Parameters
    ----------
    module, class_name
        ``cls.__module__`` and ``cls.__qualname__``; the module is not imported.
    backend
        An object with the methods ``call(f, args, kwargs)`` and ``primal(x)``.

    Raises
    ------
    TypeError
        If `backend` lacks one of the two methods.
    """
    for method in ("call", "primal"):
        if not callable(getattr(backend, method, None)):
            raise TypeError(
                f"register_carrier({module!r}, {class_name!r}, {backend!r}): the backend needs a method "
                f"`{method}`; see `chainrules_core.Backend`."
            )
    with _lock:
        _backends_by_name[module, class_name] = backend
        _backends_by_class.clear()
        _backends_of_carriers.clear()
        _primal_of_carriers.clear()
    for forget in _on_new_carrier:
        forget()


def register_stand_in(
    cls: type, backend: Backend, has_nan: Callable[[Any], bool], is_zero: Callable[[Any], bool]
) -> None:
    """Make a class one of values that stand for numbers and arrays, which `primal_of` takes for these.

    Rules compute with a stand-in, so that it sees what they do. Only `value_for_dispatch` looks behind it.

    Parameters
    ----------
    cls
        The class itself; its instances say by ``__class__`` what they stand for.
    backend
        Is handed the calls of primitives; its ``primal(x)`` is the plain value.
    has_nan, is_zero
        Say whether one holds a NaN, and whether a number is zero.
    """
    STAND_INS[cls], ANSWERS[cls] = backend.primal, (has_nan, is_zero)
    register_carrier(cls.__module__, cls.__qualname__, backend)


def on_new_carrier(forget: Callable[[], None]) -> None:
    """Call `forget` when a carrier class is registered, to drop remembered answers that it is none."""
    _on_new_carrier.append(forget)


def backend_of(cls: type) -> Backend | None:
    """The backend that serves carriers of the class `cls`; `None` for the class of an ordinary value."""
    backend = _backends_of_carriers.get(cls)
    if backend is not None:
        return backend
    try:
        return _backends_by_class[cls]
    except KeyError:
        pass
    _register_carriers_of({str(base.__module__).partition(".")[0] for base in cls.__mro__})
    with _lock:
        names = ((base.__module__, base.__qualname__) for base in cls.__mro__)
        backend = next((_backends_by_name[name] for name in names if name in _backends_by_name), None)
        _backends_by_class[cls] = backend
        if backend is not None:
            _backends_of_carriers[cls] = backend
            if cls not in STAND_INS:
                _primal_of_carriers[cls] = backend.primal
    return backend


def _register_carriers_of(packages: set[str]) -> None:
    """Import the modules that register the carriers of some packages, if they have not been imported."""
    global _modules_that_register  # noqa: PLW0603 - read once
    packages -= _WITHOUT_CARRIERS
    if not packages:
        return
    if _modules_that_register is None:
        modules: dict[str, list[str]] = {}
        for package, module in entry_points(ENTRY_POINT_GROUP):
            modules.setdefault(package, []).append(module)
        _modules_that_register = modules
    failures: list[tuple[str, str, Exception]] = []
    for package in packages:
        errors = [(module, _import(module)) for module in _modules_that_register.get(package, ())]
        # Only now: a thread that comes meanwhile has to wait. Whoever comes first tells of failures.
        if _modules_that_register.pop(package, None) is not None:
            failures += [(package, module, error) for module, error in errors if error is not None]
    # After all have been imported, since a warning may be turned into an exception.
    for package, module, error in failures:
        warn_of_failed_import(
            f"The module {module!r}, which registers the carriers of {package!r}, could not be imported, so "
            f"that functions with rules take values of {package!r} as ordinary objects",
            module,
            error,
            CarrierImportWarning,
        )


def _import(module: str) -> Exception | None:
    try:
        importlib.import_module(module)
    except Exception as error:  # noqa: BLE001 - whatever it raises, programs that need no rules shall run
        return error
    return None


def primal_of(x: Any) -> Any:
    """The ordinary value inside a carrier, however deeply carriers are nested; else `x` itself.

    A value that stands for another one (see `register_stand_in`) is returned as it is.
    """
    while x.__class__ not in PLAIN_CLASSES:
        primal = _primal_of_carriers.get(type(x))
        if primal is None:
            backend = None if type(x) in STAND_INS else backend_of(type(x))
            if backend is None:
                return x
            primal = backend.primal
        x = primal(x)
    return x


def value_for_dispatch(x: Any) -> Any:
    """The plain value whose class says which rule, projection or zero is for `x`.

    Nothing may be computed with it: see `primal_of`.
    """
    x = primal_of(x)
    plain = STAND_INS.get(type(x))
    return x if plain is None else plain(x)
