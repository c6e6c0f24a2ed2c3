"""Arguments by keyword: the calls that give them by position, as a rule may take them.

Rules dispatch on positional arguments. Where no rule takes a call as it was written, its keywords are moved
to their positional places, one after the other, until a rule is found.
"""

import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from chainrules_core.dispatch.parameters import POSITIONAL, positional_parameters, signature_of
from chainrules_core.dispatch.rule_pullbacks import RulePullback, documentation

Parameters = tuple[inspect.Parameter, ...]


def calls_by_position(
    parameters: Parameters, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The same call with ever more of its keyword arguments given by position.

    Parameters
    ----------
    parameters
        The parameters of the function that positional arguments reach.
    args, kwargs
        The arguments of the call.

    Yields
    ------
    args, kwargs
        Parameters between those that are given have their defaults.
    """
    bound, rest = list(args), dict(kwargs)
    for parameter in parameters[len(args) :]:
        if not rest:
            return
        if parameter.kind is parameter.POSITIONAL_OR_KEYWORD and parameter.name in rest:
            bound.append(rest.pop(parameter.name))
            yield tuple(bound), dict(rest)
        elif parameter.default is not parameter.empty:
            bound.append(parameter.default)
        else:
            return


def parameters_of(f: Callable[..., Any], rules: list[Any]) -> Parameters:
    """The parameters of a function that positional arguments reach.

    Parameters
    ----------
    f
        The function.
    rules
        Its rules. Builtin functions do not always have a signature: then the rule with the most parameters
        says their names.
    """
    signature = signature_of(f)
    if signature is None:
        return max(map(_parameters_in_rule, rules), key=len, default=())
    return tuple(p for p in signature.parameters.values() if p.kind in POSITIONAL)


def takes_keywords(rule: Callable[..., Any], names: Iterable[str]) -> bool:
    """Whether a rule has a parameter for each of these keywords."""
    parameters = inspect.signature(rule).parameters.values()
    if any(p.kind is p.VAR_KEYWORD for p in parameters):
        return True
    named = {p.name for p in parameters if p.kind in {p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY}}
    return named.issuperset(names)


def number_required(f: Callable[..., Any]) -> int:
    """The number of positional arguments that a function says it requires; 0 if it has no signature."""
    signature = signature_of(f)
    parameters = () if signature is None else signature.parameters.values()
    return sum(p.kind in POSITIONAL and p.default is p.empty for p in parameters)


def _parameters_in_rule(method: Any) -> Parameters:
    names, *_ = positional_parameters(method.function, Any)
    place = method.place_of_callee + 1
    return tuple(inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names[place:])


def cotangents_as_written(pullback: Callable[[Any], Any], number: int) -> Callable[[Any], Any]:
    """A pullback that returns the cotangents of the function and of the arguments by position only."""
    shortened = getattr(pullback, "of_first", None)
    if shortened is not None:
        return shortened(number)  # type: ignore[no-any-return]  # the pullback of a non-differentiable call
    first = _PullbackToFirst()
    first.__wrapped__ = pullback
    first.number = number
    return first


class _PullbackToFirst(RulePullback):
    __doc__ = documentation
    __slots__ = ("number",)

    number: int

    def __call__(self, y_bar: Any) -> Any:
        cotangents = self.__wrapped__(y_bar)
        return cotangents[: self.number] if isinstance(cotangents, tuple) else cotangents
