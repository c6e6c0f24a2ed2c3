"""`primitive`: marks a function as one that AD systems intercept, whichever of them is at work."""

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from chainrules_core.carrier_search import ORDINARY, backend_for, carries, may_contain_carriers
from chainrules_core.carriers import Backend
from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.keywords import bind_keywords


class Primitive:
    """A function that AD systems intercept; made by `primitive`. Attributes are those of the function."""

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f, updated=())
        self._f = f
        # A closure, a method or a callable object may hold a carrier itself; a plain function cannot.
        self._may_hold_carriers = may_contain_carriers(f)

    @property
    def __primitive__(self) -> Callable[..., Any]:
        """The function itself, for which rules are looked up."""
        return self._f

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function, or hand the call to the AD system whose carriers are among the arguments."""
        for x in args:
            if type(x) not in ORDINARY:
                break
        else:
            if not (kwargs or self._may_hold_carriers):
                return self._f(*args)
        return self._call_inspected(args, kwargs)

    def _call_inspected(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        held = (self._f,) if self._may_hold_carriers else ()
        backend = backend_for((*held, *args, *kwargs.values()))
        if backend is None:
            return self._f(*args, **kwargs)
        return self._call_intercepted(backend, args, kwargs)

    def _call_intercepted(self, backend: Backend, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        args, kwargs = bind_keywords(self._f, args, kwargs, carries)
        return backend.call(self._f, args, kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):  # protocols look on the class, and must not find those of the function
            raise AttributeError(
                f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self
            )
        return getattr(self._f, name)

    def __repr__(self) -> str:
        return f"primitive({self._f!r})"

    def __reduce__(self) -> str | tuple[Any, ...]:
        # A function decorated with @primitive is found under its name, as functions are; else wrap it again.
        name = getattr(self, "__qualname__", "")
        module: Any = sys.modules.get(self.__module__)
        found: Any = functools.reduce(lambda owner, part: getattr(owner, part, None), name.split("."), module)
        return name if found is self else (primitive, (self._f,))


def primitive(f: Callable[..., Any]) -> Any:
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
    if not callable(f):
        raise RuleDefinitionError(
            f"primitive({f!r}): it marks something that is called, and this {type(f).__name__} is not "
            "callable."
        )
    return Primitive(f)
