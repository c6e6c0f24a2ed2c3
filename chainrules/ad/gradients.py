"""`grad` and `value_and_grad`: gradients of functions with one real result."""

import copy
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from chainrules.ad.checks import check_argument, check_pair, check_result, checked_places
from chainrules.ad.nodes import Cotangents, Trace, propagate
from chainrules.ad.pulling import cotangent_of
from chainrules.ad.structures import parts_of, structural_tangent, with_parts
from chainrules.ad.tracing import traced, untraced
from chainrules_core import AbstractZero, NoTangent, ProjectTo, primal_of, zero_tangent
from chainrules_core.sparse_arrays import SparseArray


def grad(f: Callable[..., Any], argnums: int | Sequence[int] = 0) -> Callable[..., Any]:
    """The gradient of a function, as a function of the same arguments.

    Parameters
    ----------
    f
        A function with one real number as its result. Its arguments may be numbers, arrays, and nested
        tuples, lists, dicts and dataclasses of them. Keyword arguments are passed on and not
        differentiated.
    argnums
        The position of the argument to differentiate by, from the end if it is negative; a tuple for several.

    Returns
    -------
    function
        Its result is the gradient, in the shape and precision of the argument; for a tuple of `argnums` a
        tuple. By a dict, list or tuple the gradient is one too, by a dataclass it is a `Tangent`. By a
        complex argument ``z = x + iy`` it is ``∂f/∂x + i ∂f/∂y``, the direction of steepest ascent. Its
        arrays belong to the caller.

    Raises
    ------
    TypeError
        When called: if an argument cannot be differentiated by (an integer, a string), or the result is not
        one real number.
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
    f: Callable[..., Any], argnums: int | Sequence[int] = 0, has_aux: bool = False
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

    @functools.wraps(f, updated=())
    def value_and_gradient(*args: Any, **kwargs: Any) -> Any:
        places = checked_places(f, argnums, len(args))
        trace = Trace()
        inputs, nodes = list(args), []
        for place in places:
            check_argument(f, args[place], place)
            inputs[place], nodes_of_x = traced(args[place], trace)
            nodes.append(nodes_of_x)
        y = f(*inputs, **kwargs)
        if has_aux:
            check_pair(f, y)
        value, held = untraced(y[0] if has_aux else y, trace)
        check_result(f, value)
        cotangents = propagate((node, _one_like(value)) for _, node in held)
        owned = _Owned()
        gradients = tuple(
            _gradient(args[place], nodes_of_x, cotangents, owned)
            for place, nodes_of_x in zip(places, nodes, strict=True)
        )
        gradient = gradients if isinstance(argnums, tuple | list) else gradients[0]
        return ((value, untraced(y[1], trace)[0]) if has_aux else value), gradient

    return value_and_gradient


def _one_like(y: Any) -> Any:
    """The cotangent of the result, in its precision."""
    y = primal_of(y)
    return type(y)(1) if isinstance(y, float | np.floating) else np.ones_like(y)


class _Owned:
    """The arrays that the caller gets, which nobody else holds: gradients are stepped along in place."""

    def __init__(self) -> None:
        self._seen: set[int] = set()

    def __call__(self, x_bar: Any) -> Any:
        if isinstance(x_bar, SparseArray):
            return self._owned_sparse(x_bar)
        if type(x_bar) is not np.ndarray:
            # Of a structured array the fields.
            return x_bar.map_arrays(self) if hasattr(type(x_bar), "map_arrays") else x_bar
        if not x_bar.flags.writeable or x_bar.base is not None or id(x_bar) in self._seen:
            x_bar = x_bar.copy()
        self._seen.add(id(x_bar))
        return x_bar

    def _owned_sparse(self, x_bar: Any) -> Any:
        # The pattern is shared with the argument, and methods such as `eliminate_zeros` work in place.
        if x_bar.format not in {"csr", "csc"}:
            return x_bar.copy()
        owned = copy.copy(x_bar)
        owned.data, owned.indices, owned.indptr = self(x_bar.data), x_bar.indices.copy(), x_bar.indptr.copy()
        return owned


def _gradient(x: Any, nodes: Any, cotangents: Cotangents, owned: _Owned) -> Any:
    """The gradient by an argument as users expect it: arrays of zeros for zeros, dicts for dicts."""
    if nodes is None and not isinstance(x, tuple | list | dict):
        return NoTangent()
    if nodes is None or isinstance(nodes, dict):
        nodes = nodes or {}
        gradients = {
            key: _gradient(part, nodes.get(key), cotangents, owned) for key, part in parts_of(x).items()
        }
        if isinstance(x, tuple | list | dict):
            return with_parts(x, gradients)
        return structural_tangent(type(x), len(gradients), gradients)
    x_bar = cotangent_of(x, nodes, cotangents)
    # A zero is projected too: the gradient by a sparse array has its pattern whatever its values are.
    return owned(ProjectTo(x)(zero_tangent(x)) if isinstance(x_bar, AbstractZero) else x_bar)
