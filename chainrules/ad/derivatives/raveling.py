"""`ravel`: the numbers in nested containers as one vector, and the function that puts a vector back."""

import copy
import itertools
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

import numpy as np

from chainrules.ad.derivatives.explicit_calls import call
from chainrules.ad.derivatives.trees import Traversal, refuse_integers
from chainrules.ad.traced.hiding import check_hides_nothing
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import is_differentiable
from chainrules.ad.values.kinds_of_arrays import check_kind
from chainrules.ad.values.structures import holds, parts_of
from chainrules_core import (
    AbstractZero,
    DimensionMismatchError,
    ProjectTo,
    SparseArray,
    ZeroTangent,
    backing,
    construct,
    primal_of,
    to_structural,
)
from chainrules_core.structured import StructuredArray

Tree = TypeVar("Tree")

# What puts the numbers of a leaf back: it takes its segments of the vector from an iterator.
_Build = Callable[[Iterator[Any]], Any]


def ravel(tree: Tree) -> tuple[np.ndarray[Any, Any], Callable[[Any], Tree]]:
    """The numbers and arrays in a tree as one vector of real numbers, and the way back.

    Optimisers and samplers take vectors: ``minimize(lambda v: loss(unravel(v)), vector)``.

    Parameters
    ----------
    tree
        As for `tree_map`, such as parameters, or a gradient by them.

    Returns
    -------
    vector
        Of shape ``(n,)``, in the order of the containers and of the axes of arrays; new memory. A complex
        number takes two places, its real and its imaginary part. The precision is the highest of the leaves,
        that of float64 for a Python number: float32 only if all leaves have it.
    unravel
        ``unravel(vector)`` is the tree again, and of another vector a tree like it: each leaf with the class,
        shape and dtype that it had, whatever the precision of the vector, in memory of its own. Everything
        else in the tree is as it was.

    Both can be differentiated. A vector of the gradient, ``ravel(grad(loss)(tree))[0]``, is the gradient by
    the vector. Of a structured matrix the vector has the arrays that it is made of, of a sparse one the
    entries that it stores.

    Raises
    ------
    TypeError
        As `tree_map`; if the tree has a symmetric or Hermitian matrix, a sparse array that is not in the
        format CSR or CSC, or `ZeroTangent()`, whose size is not known. By `unravel`, if the vector is
        complex.
    DimensionMismatchError
        By `unravel`, if the vector has another length.

    Examples
    --------
    >>> from chainrules.ad import ravel
    >>> vector, unravel = ravel({"w": np.ones((2, 1)), "b": 3.0, "name": "line"})
    >>> vector
    array([1., 1., 3.])
    >>> unravel(2 * vector)
    {'w': array([[2.],
           [2.]]), 'b': 6.0, 'name': 'line'}
    """
    if holds(tree, _is_zero):
        raise TypeError(
            "ravel: a tree holds `ZeroTangent()`, whose size is not known. Give zeros, `0.0 * x`."
        )
    pieces: list[Any] = []
    builds: list[_Build] = []

    def take(leaf: Any) -> Any:
        segments, build = _segments(leaf)
        pieces.extend(segments)
        builds.append(build)
        return primal_of(leaf)

    # Containers of its own, since the caller may change those of the tree.
    template, has_leaf = Traversal(take).at((tree,), (), ())
    check_hides_nothing("ravel cannot go through its tree", tree)
    if not has_leaf:
        refuse_integers(tree)
    vector = np.concatenate(pieces) if pieces else np.zeros(0)
    ends = np.cumsum([np.size(primal_of(piece)) for piece in pieces], dtype=int).tolist()

    # In a default: a closure that holds `unravel` is not differentiated by the numbers that the tree had.
    def structure(state: Any = (template, builds, ends)) -> Any:
        return state

    def unravel(vector: Any) -> Tree:
        template, builds, ends = structure()
        segments = iter(_split(vector, ends))
        rest = iter(builds)
        tree, _ = Traversal(lambda _: next(rest)(segments)).at((template,), (), ())
        return tree  # type: ignore[no-any-return]  # in the containers of the given one

    return vector, unravel


def _split(vector: Any, ends: list[int]) -> Any:
    """The segments of a vector.

    Raises
    ------
    DimensionMismatchError
        If it has another length.
    TypeError
        If it is not of real numbers.
    """
    vector = call(np.asarray, vector)
    value, n = primal_of(vector), ends[-1] if ends else 0
    if value.shape != (n,):
        raise DimensionMismatchError(
            f"unravel(vector) takes a vector of {n} numbers, of shape ({n},), and was given an array of the "
            f"shape {value.shape}."
        )
    if value.dtype.kind not in "fiu":
        raise TypeError(
            f"unravel(vector) takes a vector of real numbers, and this is one of {value.dtype}. A complex "
            "number is two of them, its real and its imaginary part."
        )
    if isinstance(vector, TracedValue):
        vector = vector.copy()  # of which the leaves are parts: a program may write into them
    return [vector[start:end] for start, end in itertools.pairwise((0, *ends))]


def _segments(x: Any) -> tuple[list[Any], _Build]:
    """The numbers of a leaf as vectors, and the function that makes a leaf like it from such."""
    value = primal_of(x)
    if isinstance(value, SparseArray):
        return _segments_of_sparse(x, value)
    if not isinstance(value, np.ndarray | np.number | float | complex):
        return _segments_of_structured(x, value)
    check_kind(value)
    if np.iscomplexobj(value):
        parts = [np.ravel(np.real(x)), np.ravel(np.imag(x))]
        return parts, lambda rest: _like(value, _complex(next(rest), next(rest)))
    return [np.ravel(x)], lambda rest: _like(value, next(rest))


def _like(value: Any, segment: Any) -> Any:
    """A number or array of the class, shape and dtype of another, from a vector of its elements."""
    if isinstance(value, np.ndarray):
        x = segment if value.ndim == 1 else segment.reshape(value.shape)
        is_ready = isinstance(x, TracedValue) and x.dtype == value.dtype
        return x if is_ready else x.astype(value.dtype)
    number = segment[0].astype(np.asarray(value).dtype)
    is_python = not isinstance(value, np.generic) and not isinstance(number, TracedValue)
    return number.item() if is_python else number


def _complex(real: Any, imaginary: Any) -> Any:
    if isinstance(real, TracedValue):
        return real + 1j * imaginary
    z = np.empty(real.shape, np.result_type(real, np.complex64))
    z.real, z.imag = real, imaginary  # which keeps infinities and NaNs apart, unlike a sum
    return z


def _segments_of_sparse(x: Any, value: Any) -> tuple[list[Any], _Build]:
    # Gradients are in these formats, with the entries in order, whatever the argument has.
    if value.format not in ("csr", "csc") or not value.has_canonical_format:
        raise TypeError(
            "ravel takes sparse arrays in the formats CSR and CSC, with each entry stored once and in order. "
            f"This {type(value).__name__} is another: write `A = A.tocsr(copy=True); A.sum_duplicates()`."
        )
    segments, build = _segments(x.data)
    pattern = copy.copy(value)

    def build_sparse(rest: Iterator[Any]) -> Any:
        indices, starts = pattern.indices.copy(), pattern.indptr.copy()
        return call(type(value), (build(rest), indices, starts), shape=value.shape)

    return segments, build_sparse


def _segments_of_structured(x: Any, value: Any) -> tuple[list[Any], _Build]:
    if not isinstance(value, StructuredArray):
        raise TypeError(
            f"ravel takes NumPy's arrays, sparse and structured ones, not a {type(value).__name__}."
        )
    if _stands_for_several(value):
        raise TypeError(
            f"ravel: an element of the array in a {type(value).__name__} stands at two places of the matrix, "
            "so that the gradient by the matrix would be another than that by the vector. Put the array into "
            "the tree, and make the matrix of it in the function."
        )
    segments, builds = [], {}
    for name, part in parts_of(value).items():
        if is_differentiable(part):
            of_part, builds[name] = _segments(getattr(x, name))
            segments += of_part

    def build_structured(rest: Iterator[Any]) -> Any:
        fields = {
            name: builds[name](rest) if name in builds else part for name, part in parts_of(value).items()
        }
        return construct(type(value), fields)

    return segments, build_structured


def _stands_for_several(x: Any) -> bool:
    """Whether an element of an array that a matrix is made of is several elements of the matrix."""
    of_fields = to_structural(x, ProjectTo(x)(np.ones(x.shape, x.dtype)))
    return any(
        np.any(np.abs(part) > 1) for part in backing(of_fields).values() if not isinstance(part, AbstractZero)
    )


def _is_zero(x: Any) -> bool:
    return isinstance(x, ZeroTangent)
