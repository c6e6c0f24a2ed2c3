"""`grad` and `value_and_grad`: gradients of functions with one real result."""

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.nodes import Node, propagate
from chainrules.ad.pulling import cotangent_of
from chainrules.ad.tracing import Trace, is_differentiable, traced, untraced
from chainrules_core import AbstractZero, NoTangent, primal_of, zero_tangent
from chainrules_core.fields import backing, reconstruct


def grad(f: Callable[..., Any], argnums: int | tuple[int, ...] = 0) -> Callable[..., Any]:
    """The gradient of a function, as a function of the same arguments.

    Parameters
    ----------
    f
        A function with one real number as its result. Its arguments may be numbers, arrays, and nested tuples, lists, dicts
        and dataclasses of them. Keyword arguments are passed on and not differentiated.
    argnums
        The position of the argument to differentiate by; a tuple for several.

    Returns
    -------
    function
        Its result is the gradient, in the shape and precision of the argument; for a tuple of `argnums` a tuple. The gradient by a dict, list or
        tuple is one too; by a dataclass it is a `Tangent`.

    Raises
    ------
    TypeError
        When called: if an argument cannot be differentiated by (an integer, a string), or the result is not one real number.
    RuleNotFoundError
        When called: if a function that the program calls has no rule.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import grad
    >>> grad(lambda x: np.sum(x**2))(np.array([1.0, 2.0]))
    array([2., 4.])
    """
    value_and_gradient = value_and_grad(f, argnums)

    @functools.wraps(f, updated=())
    def gradient(*args: Any, **kwargs: Any) -> Any:
        return value_and_gradient(*args, **kwargs)[1]

    return gradient


def value_and_grad(
    f: Callable[..., Any], argnums: int | tuple[int, ...] = 0, has_aux: bool = False
) -> Callable[..., Any]:
    """Like `grad`, with the function's value: a function that returns ``(value, gradient)``.

    Parameters
    ----------
    f, argnums
        As for `grad`.
    has_aux
        Whether `f` returns a pair of the value to differentiate and anything else; then the result is
        ``((value, anything), gradient)``.

    Raises
    ------
    TypeError, RuleNotFoundError
        As for `grad`.

    Examples
    --------
    >>> from chainrules.ad import value_and_grad
    >>> value_and_grad(lambda x: x * x)(3.0)
    (9.0, 6.0)
    """
    places = argnums if isinstance(argnums, tuple) else (argnums,)

    @functools.wraps(f, updated=())
    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        trace = Trace()
        wanted = [_argument(f, args, place) for place in places]
        pairs = [traced(_checked(x, place), trace) for x, place in zip(wanted, places, strict=True)]
        traced_args = list(args)
        for place, (traced_x, _) in zip(places, pairs, strict=True):
            traced_args[place] = traced_x
        y = f(*traced_args, **kwargs)
        y, aux = y if has_aux else (y, None)
        value, held = untraced(y, trace)
        _check_result(value)
        cotangents = propagate((node, 1.0) for _, node in held)
        gradients = tuple(
            _natural(x, nodes, cotangent_of(x, nodes, cotangents))
            for x, (_, nodes) in zip(wanted, pairs, strict=True)
        )
        gradient = gradients if isinstance(argnums, tuple) else gradients[0]
        return ((value, untraced(aux, trace)[0]) if has_aux else value), gradient

    return value_and_gradient


def _argument(f: Callable[..., Any], args: tuple[Any, ...], place: int) -> Any:
    try:
        return args[place]
    except IndexError:
        name = getattr(f, "__name__", repr(f))
        raise TypeError(
            f"The gradient of {name} by argument {place} was asked for, but it was called with {len(args)} positional arguments."
        ) from None


def _checked(x: Any, place: int) -> Any:
    if isinstance(x, int | np.integer) or (isinstance(x, np.ndarray) and x.dtype.kind in "iub"):
        kind = f"an array of {x.dtype}" if isinstance(x, np.ndarray) else f"the {type(x).__name__} {x!r}"
        raise TypeError(
            f"Cannot differentiate by argument {place}, {kind}: an integer has no neighbourhood. Pass a float instead, "
            "`2.0` for `2`, `x.astype(float)` for an array."
        )
    if not is_differentiable(x) and traced(x, Trace())[1] is None and not _is_empty(x):
        raise TypeError(
            f"Cannot differentiate by argument {place}, a {type(x).__name__}, which holds no real or complex number. Choose "
            "other arguments with `argnums`."
        )
    return x


def _is_empty(x: Any) -> bool:
    return isinstance(x, tuple | list | dict) and not x


def _check_result(value: Any) -> None:
    value = primal_of(value)
    shape = np.shape(value)
    if shape != ():
        raise TypeError(
            f"The gradient of a function needs one number as its result, and this one has shape {shape}. Sum it, or pick an element."
        )
    if np.iscomplexobj(value):
        raise TypeError(
            "The gradient of a function needs a real result, and this one is complex. Take `np.real(y)` or `abs(y)**2`."
        )
    if not isinstance(value, float | int | np.number | np.ndarray):
        raise TypeError(
            f"The gradient of a function needs a number as its result, not a {type(value).__name__}."
        )


def _natural(x: Any, nodes: Any, x_bar: Any) -> Any:
    """The gradient as users expect it: arrays of zeros for zeros, dicts for dicts."""
    if isinstance(nodes, Node):
        return zero_tangent(x) if isinstance(x_bar, AbstractZero) else x_bar
    if not isinstance(x, tuple | list | dict):
        return x_bar if nodes is not None else NoTangent()
    fields = backing(x)
    keys = fields.keys() if isinstance(fields, dict) else range(len(fields))
    parts = {key: _natural(fields[key], (nodes or {}).get(key), x_bar[key]) for key in keys}
    return reconstruct(x, parts if isinstance(fields, dict) else tuple(parts.values()))
