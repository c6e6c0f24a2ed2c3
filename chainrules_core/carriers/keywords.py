"""Keyword arguments that carry a tangent: rules have no place for them, so they are made positional."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.parameters import places_and_defaults
from chainrules_core.dispatch.rules import frule
from chainrules_core.exceptions import RuleNotFoundError
from chainrules_core.tangents.abstract_zero import ZERO_TANGENT

# Dispatch knows nothing of tangents, but an argument that it moves to a positional place gets one.
frule.tangent_of_constants = ZERO_TANGENT


def bind_keywords(
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any], carries: Callable[[Any], bool]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Move keyword arguments that carry a tangent to their positional places.

    Rules get keyword arguments, but give no tangents for them; a derivative that is dropped silently is a
    wrong one.

    Parameters
    ----------
    f
        The primal.
    args, kwargs
        The arguments of its call.
    carries
        Whether a value carries a tangent.

    Returns
    -------
    args, kwargs
        The same call, with no keyword argument that carries a tangent. Parameters between are given their
        defaults.

    Raises
    ------
    RuleNotFoundError
        If such an argument can only be given by keyword, or the signature of `f` is not known.
    TypeError
        If an argument before it is missing, or it is also given by position.
    """
    carrying = [name for name, value in kwargs.items() if carries(value)]
    if not carrying:
        return args, dict(kwargs)
    parameters = _positional_parameters(f, carrying[0])
    places = {name: place for place, (name, is_either, _) in enumerate(parameters) if is_either}
    for name in carrying:
        if name not in places:
            raise RuleNotFoundError(
                f"{describe_callee(f)}: its argument `{name}` carries a tangent but can only be given by "
                "keyword, and rules have no derivatives for keywords. Pass a value without tangent, or "
                "write a function that takes it by position, with a rule of its own."
            )
        if places[name] < len(args):
            raise TypeError(
                f"{describe_callee(f)}: its argument `{name}` is given by position and by keyword."
            )
    needed = 1 + max(places[name] for name in carrying)
    rest = dict(kwargs)
    bound = list(args)
    for name, is_either, default in parameters[len(args) : needed]:
        if is_either and name in rest:
            bound.append(rest.pop(name))
        elif default is not inspect.Parameter.empty:
            bound.append(default)
        else:
            raise TypeError(f"{describe_callee(f)}: missing the argument `{name}`.")
    return tuple(bound), rest


# The parameters, with their defaults, of functions of NumPy in C, of which Python does not know all:
# https://numpy.org/doc/stable/reference/generated/numpy.ufunc.reduce.html
_SELF: dict[str, Any] = {"self": inspect.Parameter.empty}
_AXES = {**_SELF, "axis": None, "dtype": None, "out": None}
_LAST = {"keepdims": False, "initial": None, "where": True}
_OF_REDUCE = {**_AXES, "axis": 0, **_LAST}
_OF_METHODS = {
    "clip": {**_SELF, "min": None, "max": None, "out": None},
    **{key: {**_SELF, "axis": None, "out": None, **_LAST} for key in ("max", "min")},
    **{key: {**_AXES, **_LAST} for key in ("prod", "sum")},
    **{key: {**_AXES, "ddof": 0, "keepdims": False, "where": True} for key in ("std", "var")},
}
# Before NumPy 2.4.
_OF_FUNCTIONS: dict[str, dict[str, Any]] = {
    "bincount": {"x": inspect.Parameter.empty, "weights": None, "minlength": 0},
    "dot": {"a": inspect.Parameter.empty, "b": inspect.Parameter.empty, "out": None},
}


def _defaults_in_c(f: Callable[..., Any]) -> dict[str, Any] | None:
    """The parameters of one of these functions, with their defaults; `None` for any other."""
    name = str(getattr(f, "__name__", ""))
    if name == "reduce" and isinstance(getattr(f, "__self__", None), np.ufunc):
        return _OF_REDUCE
    if f is np.bincount or f is np.dot:
        return _OF_FUNCTIONS[name]
    return _OF_METHODS.get(name) if getattr(f, "__objclass__", None) is np.ndarray else None


def _positional_parameters(f: Callable[..., Any], name: str) -> list[tuple[str, bool, Any]]:
    defaults = _defaults_in_c(f)
    if defaults is not None:
        return [(key, True, default) for key, default in defaults.items()]
    if isinstance(f, np.vectorize) and not f.excluded:  # it goes through what it is given by keyword, too
        f = f.pyfunc
    parameters = places_and_defaults(f)
    if parameters is None:
        raise RuleNotFoundError(
            f"{describe_callee(f)}: its argument `{name}` carries a tangent and is given by keyword, but the "
            "signature of the function is not known. Pass the argument by position."
        )
    return parameters
