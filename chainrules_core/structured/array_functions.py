"""The functions of NumPy other than ufuncs that need no dense array for a structured one."""

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from chainrules_core.structured.banded import Banded
from chainrules_core.structured.kinds import between
from chainrules_core.structured.operations import matmul, solve
from chainrules_core.structured.protocols import ARRAY_FUNCTIONS
from chainrules_core.structured.structured_array import StructuredArray
from chainrules_core.structured.uniform_scaling import UniformScaling

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _implements(*functions: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """Enter a function for these of NumPy; where it returns `NotImplemented`, dense arrays are used."""

    def enter(implementation: _Function) -> _Function:
        ARRAY_FUNCTIONS.update(dict.fromkeys(functions, implementation))
        return implementation

    return enter


def _by_method(name: str) -> Callable[..., Any]:
    def implementation(a: Any, *others: Any, **options: Any) -> Any:
        has_method = isinstance(a, StructuredArray | UniformScaling) and hasattr(a, name)
        return NotImplemented if others or options or not has_method else getattr(a, name)()

    return implementation


_METHODS: dict[Callable[..., Any], str] = {
    np.linalg.inv: "inv",
    np.linalg.det: "det",
    np.copy: "copy",
    np.linalg.diagonal: "diagonal",
}
ARRAY_FUNCTIONS.update({function: _by_method(name) for function, name in _METHODS.items()})
ARRAY_FUNCTIONS[np.linalg.solve] = solve


def _by_attribute(name: str) -> Callable[..., Any]:
    return lambda a: getattr(a, name)


_ATTRIBUTES: dict[Callable[..., Any], str] = {
    np.shape: "shape",
    np.ndim: "ndim",
    np.real: "real",
    np.imag: "imag",
    np.matrix_transpose: "T",
    np.linalg.matrix_transpose: "T",
}
ARRAY_FUNCTIONS.update({function: _by_attribute(name) for function, name in _ATTRIBUTES.items()})


@_implements(np.size)
def _size(a: Any, axis: Any = None) -> Any:
    return a.size if axis is None else a.shape[axis]


# The two axes of a matrix in the other order, each counted from either end.
_EXCHANGED = frozenset({(1, 0), (1, -2), (-1, 0), (-1, -2)})


@_implements(np.transpose)
def _transpose(a: Any, axes: Any = None) -> Any:
    return a.T if axes is None or tuple(axes) in _EXCHANGED else NotImplemented


@_implements(np.swapaxes)
def _swapaxes(a: Any, axis1: int, axis2: int) -> Any:
    return a.T if (axis1, axis2) in _EXCHANGED or (axis2, axis1) in _EXCHANGED else NotImplemented


@_implements(np.diag)
def _diag(v: Any, k: int = 0) -> Any:
    return v.diagonal(k) if isinstance(v, StructuredArray) else NotImplemented


@_implements(np.diagonal)
def _diagonal(a: Any, offset: int = 0, *axes: int, **named: int) -> Any:
    return NotImplemented if axes or named else _diag(a, offset)


@_implements(np.trace)
def _trace(a: Any, offset: int = 0, *options: Any, **named: Any) -> Any:
    if options or named or not isinstance(a, StructuredArray):
        return NotImplemented
    return np.sum(a.diagonal(offset))


@_implements(np.linalg.trace)
def _linalg_trace(x: Any, /, *, offset: int = 0, dtype: Any = None) -> Any:
    return _trace(x, offset) if dtype is None else NotImplemented


@_implements(np.tril)
def _tril(m: Any, k: int = 0) -> Any:
    return between(m, -len(m), k)


@_implements(np.triu)
def _triu(m: Any, k: int = 0) -> Any:
    return between(m, k, len(m))


@_implements(np.linalg.slogdet)
def _slogdet(a: Any) -> Any:
    return type(np.linalg.slogdet(np.ones((1, 1))))(*a.slogdet())


@_implements(np.sum)
def _sum(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False, **_: Any
) -> Any:
    if isinstance(axis, tuple) and sorted(axis) in ([0, 1], [-2, -1]):
        axis = None
    if dtype is not None or out is not None or _ or not (axis is None or isinstance(axis, int)):
        return NotImplemented
    if not isinstance(a, StructuredArray):
        return NotImplemented
    total = a.sum(axis)
    if not keepdims:
        return total
    return np.reshape(total, (1, 1)) if axis is None else np.expand_dims(total, axis)


@_implements(np.mean)
def _mean(a: Any, axis: Any = None, dtype: Any = None, out: Any = None, **named: Any) -> Any:
    total = _sum(a, axis, dtype, out, **named)
    return total if total is NotImplemented else total / (a.size if np.size(total) == 1 else len(a))


@_implements(np.dot)
def _dot(a: Any, b: Any, out: Any = None) -> Any:
    is_matmul = out is None and np.ndim(a) in (1, 2) and np.ndim(b) in (1, 2)
    return matmul(a, b) if is_matmul else NotImplemented


@_implements(np.vdot)
def _vdot(a: Any, b: Any) -> Any:
    narrow = a if isinstance(a, Banded) else b
    if not isinstance(narrow, Banded) or np.shape(a) != np.shape(b):
        return NotImplemented
    lo, hi = narrow.extent
    return sum(np.vdot(np.diagonal(a, k), np.diagonal(b, k)) for k in range(lo, hi + 1))


@_implements(np.any)
def _any(a: Any, *args: Any, **options: Any) -> Any:
    if args or options or not isinstance(a, Banded):
        return NotImplemented
    return any(bool(np.any(band)) for band in a.bands().values())


@_implements(np.linalg.norm)
def _norm(x: Any, ord: Any = None, axis: Any = None, keepdims: bool = False) -> Any:  # noqa: A002 - NumPy's name
    if not isinstance(x, Banded) or ord not in (None, "fro") or axis is not None or keepdims:
        return NotImplemented
    return np.linalg.norm(np.concatenate(list(x.bands().values())))


@_implements(np.zeros_like)
def _zeros_like(a: Any, dtype: Any = None, **options: Any) -> Any:
    if options or not isinstance(a, StructuredArray):
        return NotImplemented
    return a.elementwise(lambda elements: np.zeros_like(elements, dtype=dtype))


@_implements(np.array_equal)
def _array_equal(a1: Any, a2: Any, equal_nan: bool = False) -> Any:
    both = isinstance(a1, StructuredArray) and isinstance(a2, StructuredArray)
    return NotImplemented if equal_nan or not both else a1 == a2


@_implements(np.allclose)
def _allclose(a: Any, b: Any, *tolerances: Any, **options: Any) -> Any:
    if not (isinstance(a, Banded) and isinstance(b, Banded) and a.shape == b.shape):
        return NotImplemented
    lo, hi = min(a.extent[0], b.extent[0]), max(a.extent[1], b.extent[1])
    return all(np.allclose(a.diagonal(k), b.diagonal(k), *tolerances, **options) for k in range(lo, hi + 1))
