"""Functions made from functions, such as gradients: they keep the names of the latter, and can be pickled."""

import inspect
import sys
import types
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

from chainrules_core import describe_callee, describe_place, place_of_rule


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

    remembers: ClassVar[bool] = False
    """Whether its other attributes are what it remembers of its calls."""

    def __post_init__(self) -> None:
        # As `functools.update_wrapper`, and quicker: programs write ``grad(loss)(x)`` in a loop.
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

    def explained(self) -> str:
        """What a call of it does, for `explain_calls`."""
        return "it calls the function that it is made from, and differentiates that"

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


class DerivativeOf:
    """A pullback or a pushforward of a function, which is its ``__wrapped__``, with a name that says so.

    Nothing of that is worked out before somebody asks: programs call `vjp` in a loop. By ``__wrapped__``
    `inspect` finds the lines of the function.
    """

    __slots__ = ("__wrapped__", "_derivative")

    def __init__(self, f: Callable[..., Any], derivative: Callable[..., Any]) -> None:
        self.__wrapped__ = f
        self._derivative = derivative

    def __call__(self, /, *args: Any) -> Any:
        """What the pullback, or the pushforward, returns."""
        return self._derivative(*args)

    @property
    def __name__(self) -> str:
        return self._named("__name__")

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(self._derivative)

    def __getattr__(self, name: str) -> Any:
        if name == "__qualname__":  # which a property cannot be
            return self._named(name)
        raise AttributeError(f"a {self._derivative.__name__} has no attribute {name!r}", name=name, obj=self)

    def __reduce__(self) -> tuple[Any, ...]:
        # Whoever unpickles it would ask one without attributes for more, were it not made by its class.
        return DerivativeOf, (self.__wrapped__, self._derivative)

    def __repr__(self) -> str:
        f = self.__wrapped__
        place = "" if place_of_rule(f) is None else f" at {describe_place(f)}"
        return f"<{self._derivative.__name__} of {describe_callee(f)}{place}>"

    def _named(self, attribute: str) -> str:
        f = self.__wrapped__
        return f"{getattr(f, attribute, type(f).__name__)}_{self._derivative.__name__}"


# Of instances; in the body of the class it would be taken for that of the class.
DerivativeOf.__doc__ = property(lambda self: self._derivative.__doc__)  # type: ignore[assignment]  # as it says
