"""Gradients as users expect them: arrays of zeros for zeros, dicts for dicts, in memory of their own."""

import copy
from collections.abc import Iterable
from typing import Any

import numpy as np

from chainrules.ad.modes.containers import in_containers_of
from chainrules.ad.modes.nodes import Cotangents
from chainrules.ad.values.plain_values import FREQUENT, is_array_like
from chainrules.ad.values.structures import parts_of
from chainrules_core import AbstractZero, NoTangent, ProjectTo, SparseArray, primal_of, zero_tangent
from chainrules_core.speed import is_cotangent_of


class Owned:
    """Copies arrays that anybody else may hold, so that the caller may write into a gradient.

    Parameters
    ----------
    others
        What the caller may hold already, such as the cotangents of results.
    """

    __slots__ = ("_seen",)

    def __init__(self, others: Iterable[Any] = ()) -> None:
        self._seen = set(map(id, others)) if others else set()

    def __call__(self, x_bar: Any) -> Any:
        """`x_bar`, or a copy of it."""
        if x_bar.__class__ is np.ndarray:
            if x_bar.base is not None or id(x_bar) in self._seen or not x_bar.flags.writeable:
                x_bar = x_bar.copy()
            self._seen.add(id(x_bar))
            return x_bar
        if x_bar.__class__ in FREQUENT:  # a number
            return x_bar
        if isinstance(x_bar, SparseArray):
            return self._owned_sparse(x_bar)
        # Of a structured array the fields.
        return x_bar.map_arrays(self) if hasattr(type(x_bar), "map_arrays") else x_bar

    def _owned_sparse(self, x_bar: Any) -> Any:
        # The pattern is shared with the argument, and methods such as `eliminate_zeros` work in place.
        if x_bar.format not in {"csr", "csc"}:
            return x_bar.copy()
        owned = copy.copy(x_bar)
        owned.data, owned.indices, owned.indptr = self(x_bar.data), x_bar.indices.copy(), x_bar.indptr.copy()
        return owned


def natural_gradient(x: Any, nodes: Any, cotangents: Cotangents, owned: Owned) -> Any:
    """The cotangent of an argument: arrays of zeros for zeros, dicts for dicts, a `Tangent` for a dataclass.

    Parameters
    ----------
    x
        The argument.
    nodes
        Its nodes, as `chainrules.ad.traced.tracing.traced` returns them.
    cotangents
        The cotangents that arrived at the nodes.
    owned
        Remembers which arrays the caller was given.
    """
    if nodes.__class__ is tuple:
        x_bar = cotangents.get(nodes)
        if x_bar is not None:
            return owned(x_bar if is_array_like(x_bar, x) else in_tangent_space(x, x_bar))
        if x.__class__ is np.ndarray:
            return np.zeros(x.shape, x.dtype)
        # A zero is projected too: the gradient by a sparse array has its pattern whatever its values are.
        return owned(ProjectTo(x)(zero_tangent(x)))
    if nodes is None and not isinstance(x, tuple | list | dict):
        return NoTangent()
    nodes = nodes or {}
    gradients = {
        key: natural_gradient(part, nodes.get(key), cotangents, owned) for key, part in parts_of(x).items()
    }
    return in_containers_of(x, gradients)


def in_tangent_space(x: Any, x_bar: Any) -> Any:
    """The cotangent of `x` with its precision, shape and structure; zeros as arrays of zeros."""
    if is_array_like(x_bar, x) or (x.__class__ is float and x_bar.__class__ is float):
        return x_bar
    if is_cotangent_of(primal_of(x), primal_of(x_bar)):  # of values that are traced themselves
        return x_bar
    x_bar = ProjectTo(x)(x_bar)
    return ProjectTo(x)(zero_tangent(x)) if isinstance(x_bar, AbstractZero) else x_bar
