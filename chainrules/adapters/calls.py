"""A call with a framework's tensors: the tensors, and the call as a function of arrays in their places."""

import contextlib
from collections.abc import Callable
from typing import Any

from chainrules.adapters.argument_calls import argument_call
from chainrules.adapters.closures import bound_closure
from chainrules.adapters.constants import is_constant
from chainrules.adapters.flat_functions import FlatCall
from chainrules.adapters.holes import filled, find_holes
from chainrules.adapters.other_systems import refuse_others
from chainrules_core import RuleNotFoundError, bind_keywords, unwrap_primitive


def flat_call(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], is_tensor: Callable[[Any], bool]
) -> tuple[list[Any], FlatCall]:
    """The tensors in a call, and the call as a function of arrays in their places.

    Tensors are found in tuples, lists, dicts, dataclasses and other objects with attributes, in closures,
    partials and bound methods, and so in `f` itself. Tensors by keyword are moved to their positional places,
    where they have some.

    Raises
    ------
    AdapterError
        If a tensor is where it is not found; or where others cannot be put in its place; or if there are
        tensors of another AD system.
    """
    f = unwrap_primitive(f)
    has_no_tensor = is_constant(f)
    found = argument_call(f, args, kwargs, is_tensor) if has_no_tensor else None
    if found is not None:
        return found
    if kwargs:
        # What can only be given by keyword goes to the body of `f`: rules have no derivatives for it.
        with contextlib.suppress(RuleNotFoundError):
            args, kwargs = bind_keywords(f, args, kwargs, lambda x: bool(_tensors_in(x, is_tensor)))
    tensors: list[Any] = []
    whole = (None if has_no_tensor else f, args, kwargs)
    holes = find_holes(whole, is_tensor, tensors)
    if holes is None:
        return tensors, FlatCall(f, args, kwargs, {})
    other_f, args, kwargs = filled(whole, holes, [None] * len(tensors))
    f = f if has_no_tensor else other_f
    refuse_others(f, (args, kwargs), tensors[0])
    return tensors, FlatCall(f, args, kwargs, holes, closure=bound_closure(f))


def _tensors_in(x: Any, is_tensor: Callable[[Any], bool]) -> list[Any]:
    tensors: list[Any] = []
    if not is_constant(x):
        find_holes(x, is_tensor, tensors)
    return tensors
