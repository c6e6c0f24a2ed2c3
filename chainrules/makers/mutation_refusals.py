"""Rules that refuse: of functions that change an object in place."""

from collections.abc import Callable
from typing import Any

from chainrules_core import define, rule_maker, typeof_


@rule_maker
def refuse_mutation(primal: Callable[..., Any], kind: Any, instead: str) -> None:
    """Let the rules of a function raise an error where it would change its first argument.

    A pullback is called later, when the object holds something else. And others that hold the object would
    not learn that it depends on other values now. An error is better than a derivative that is wrong.

    Parameters
    ----------
    primal
        The function.
    kind
        The type of the objects that it changes.
    instead
        The end of the message: how to do without the change.
    """

    def refusing_frule(tangents: Any, f: typeof_(primal), x: kind, *args: Any, **named: Any) -> Any:
        raise _mutation_error(primal, x, instead)

    def refusing_rrule(f: typeof_(primal), x: kind, *args: Any, **named: Any) -> Any:
        raise _mutation_error(primal, x, instead)

    define(refusing_frule, refusing_rrule)


def _mutation_error(primal: Callable[..., Any], x: Any, instead: str) -> TypeError:
    owner = getattr(primal, "__objclass__", None)  # of a method
    module = primal.__module__.strip("_") if owner is None else owner.__name__
    return TypeError(
        f"{module}.{primal.__name__} of a {type(x).__name__} cannot be differentiated: "
        f"it changes the {type(x).__name__} in place, which leaves no trace for the derivative. {instead}"
    )
