"""`primitive`: marks a function as one that AD systems intercept, whichever of them is at work."""

import functools
import sys
import types
from collections.abc import Callable
from typing import Any, TypeVar, overload

from chainrules_core.backends import Backend, backend_of
from chainrules_core.carriers.keywords import bind_keywords
from chainrules_core.carriers.search import (
    ORDINARY_CLASSES,
    backend_for,
    contains_carrier,
    may_contain_carriers,
)
from chainrules_core.exceptions import RuleDefinitionError

F = TypeVar("F", bound=Callable[..., Any])
T = TypeVar("T")

# Stands for an argument that was not given. It is of a class of its own, which is never an ordinary one.
_NOTHING: Any = type("Nothing", (), {})()


class Primitive:
    """A function that AD systems intercept; made by `primitive`."""

    # A slot, and no `__getattr__`: CPython reads the attribute sooner so, and each call does.
    __slots__ = ("__dict__", "__weakref__", "_f")

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f, updated=("__dict__",) if isinstance(f, types.FunctionType) else ())
        self._f = f

    @property
    def __primitive__(self) -> Callable[..., Any]:
        """The function itself, for which rules are looked up."""
        return self._f

    def __call__(
        self, x: Any = _NOTHING, y: Any = _NOTHING, z: Any = _NOTHING, /, *others: Any, **kwargs: Any
    ) -> Any:
        """Call the function, or hand the call to the AD system whose carriers are among the arguments."""
        # Nearly all calls: with their arguments written out, which spares the time of packing them.
        if type(x) in ORDINARY_CLASSES and not kwargs:
            if y is _NOTHING:
                return self._f(x)
            if type(y) in ORDINARY_CLASSES:
                if z is _NOTHING:
                    return self._f(x, y)
                if type(z) in ORDINARY_CLASSES:
                    for other in others:
                        if type(other) not in ORDINARY_CLASSES:
                            break
                    else:
                        return self._f(x, y, z, *others) if others else self._f(x, y, z)
        if z is not _NOTHING:
            return self._call_given((x, y, z, *others), kwargs)
        return self._call_given(() if x is _NOTHING else (x,) if y is _NOTHING else (x, y), kwargs)

    def _call_given(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # Carriers by themselves are seen by their classes; only containers have to be looked into.
        backend = None
        for x in args:
            cls = type(x)
            if cls in ORDINARY_CLASSES:
                continue
            found = backend_of(cls)
            if found is None and cls is types.FunctionType and x.__closure__ is None:
                continue
            if found is None or (backend is not None and found is not backend):
                break
            backend = found
        else:
            if not kwargs:
                # None of these has to be looked into.
                return self._f(*args) if backend is None else backend.call(self._f, args, kwargs)
        return self._call_by(backend_for((*args, *kwargs.values())), args, kwargs)

    def _call_by(self, backend: Backend | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if backend is None:
            return self._f(*args, **kwargs)
        args, kwargs = bind_keywords(self._f, args, kwargs, contains_carrier)
        return backend.call(self._f, args, kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"primitive({self._f!r})"

    def __reduce__(self) -> str | tuple[Any, ...]:
        # A function decorated with @primitive is found under its name, as functions are; else wrap it again.
        name = getattr(self, "__qualname__", "")
        module: Any = sys.modules.get(self.__module__)
        found: Any = functools.reduce(lambda owner, part: getattr(owner, part, None), name.split("."), module)
        return name if found is self else (primitive, (self._f,))


class HoldingPrimitive(Primitive):
    """A closure, bound method or callable object that AD systems intercept: it may hold a carrier itself."""

    __slots__ = ()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function, or hand the call to the AD system whose carriers are in it or its arguments."""
        return self._call_by(backend_for((self._f, *args, *kwargs.values())), args, kwargs)


@overload
def primitive(f: type[T]) -> Callable[..., T]: ...
@overload
def primitive(f: F) -> F: ...
def primitive(f: Any = None) -> Any:
    """Mark a function as one that AD systems intercept.

    Called with ordinary values, the result just calls `f`. Called with a *carrier*, a value that an AD
    system traces (of `chainrules.ad`, a `torch.Tensor`, a JAX tracer, ...), it hands the call to that
    system, which uses the rules of `f`. Carriers are found inside tuples, lists, dicts, dataclasses and the
    cells of closures too. Rules are written for `f`, or for the result: ``typeof_(primitive(f)) is
    typeof_(f)``.

    Parameters
    ----------
    f
        A function, one's own or another package's; a class, a bound or class method, a ufunc's method.

    Raises
    ------
    RuleDefinitionError
        If `f` cannot be called.

    Examples
    --------
    >>> @primitive
    ... def cube(x):
    ...     return x**3
    >>> cube(2.0)
    8.0
    >>> solve = primitive(np.linalg.solve)
    """
    if isinstance(f, Primitive):
        return f
    if f is None:
        raise RuleDefinitionError("primitive(): write `@primitive`, without parentheses.")
    if not callable(f):
        raise RuleDefinitionError(
            f"primitive({f!r}): it marks something that is called, and this {type(f).__name__} is not "
            "callable."
        )
    return HoldingPrimitive(f) if may_contain_carriers(f) else Primitive(f)
