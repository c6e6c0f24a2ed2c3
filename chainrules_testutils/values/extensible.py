"""plum functions that type checkers know the signature of."""

from collections.abc import Callable
from typing import Any, ParamSpec, Protocol, TypeVar, cast, overload

from plum import Function

P = ParamSpec("P")
R_co = TypeVar("R_co", covariant=True)
Method = TypeVar("Method", bound=Callable[..., Any])


class Extensible(Protocol[P, R_co]):
    """A function to which methods for other types can be added."""

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R_co:
        """The value, by the method for the types of the arguments."""

    @overload
    def dispatch(self, method: Method) -> Method: ...
    @overload
    def dispatch(self, *, precedence: int) -> Callable[[Method], Method]: ...
    def dispatch(self, method: Any = None, *, precedence: int = 0) -> Any:
        """Add a method for the types that its parameters are annotated with."""

    def resolve_method(self, target: tuple[Any, ...]) -> tuple[Callable[..., Any], Any]:
        """The method for these arguments, and the type that it returns."""


def extensible(function: Callable[P, R_co]) -> Extensible[P, R_co]:
    """Make a plum function with the name, the signature and the docstring of `function`, and no methods."""
    return cast(Extensible[P, R_co], Function(function))
