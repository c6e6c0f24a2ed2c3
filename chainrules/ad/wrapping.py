"""Functions made from functions, such as gradients: they keep the names of the latter, and can be pickled."""

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar


@dataclass(eq=False)
class Derived:
    """A function that is made from another, with the name, documentation and signature of the other.

    It can be pickled if the other function can; a closure could not. Since it is a dataclass, traced values
    are found in its fields, as in the cells of a closure.

    Attributes
    ----------
    f
        The other function.
    """

    f: Callable[..., Any]

    unnamed: ClassVar[str]
    """The name of an instance whose function has no name."""

    def __post_init__(self) -> None:
        # As `functools.update_wrapper`, in a third of the time: programs write ``grad(loss)(x)`` in a loop.
        f = self.f
        self.__wrapped__ = f  # where `inspect.signature` looks
        self.__doc__ = f.__doc__
        self.__module__ = getattr(f, "__module__", None)  # type: ignore[assignment]  # functions in C have none
        name = getattr(f, "__name__", None)
        if name.__class__ is not str:
            name = self.unnamed
        self.__name__ = name
        self.__qualname__ = getattr(f, "__qualname__", name)

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function, and do more: see the subclasses."""
        raise NotImplementedError

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"<{self.unnamed} of {self.f!r}>"

    def __reduce_ex__(self, protocol: Any) -> Any:
        # A decorator puts it in the place of the function, where pickle finds it by the function's name.
        name = self.__dict__["__qualname__"]
        return name if self._is_found_by(name) else super().__reduce_ex__(protocol)

    def _is_found_by(self, qualified_name: str) -> bool:
        # The main file of a program is another one where the pickle is read: cloudpickle sends its functions.
        if self.__module__ == "__main__":
            return False
        found: Any = sys.modules.get(self.__module__)
        for name in qualified_name.split("."):
            found = getattr(found, name, None)
        return found is self


def named_after(f: Callable[..., Any], derivative: Any) -> Any:
    """A pullback or pushforward of a function, with a name that says so; the function is its ``__wrapped__``.

    Its documentation and its signature stay its own. By ``__wrapped__`` `inspect` finds the lines of `f`.
    """
    kind = derivative.__name__
    derivative.__name__ = f"{getattr(f, '__name__', type(f).__name__)}_{kind}"
    derivative.__qualname__ = f"{getattr(f, '__qualname__', type(f).__qualname__)}_{kind}"
    derivative.__module__ = getattr(f, "__module__", None)
    derivative.__signature__ = _SIGNATURES[kind]
    derivative.__wrapped__ = f
    return derivative


_SIGNATURES = {
    "pullback": inspect.Signature([inspect.Parameter("y_bar", inspect.Parameter.POSITIONAL_OR_KEYWORD)]),
    "pushforward": inspect.Signature([inspect.Parameter("tangents", inspect.Parameter.VAR_POSITIONAL)]),
}
