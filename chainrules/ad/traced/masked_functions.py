"""Functions and methods of masked arrays with traced elements, by the names that they have in `numpy.ma`."""

import inspect
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.traced.masked_arrays import (
    AS_THEY_ARE,
    METHODS,
    OF_NUMPY,
    TracedMasked,
    elements_of,
    elementwise,
    lifted,
    made,
    plain_of,
    refusal,
)
from chainrules_core import contains_carrier


def _known(names: str) -> list[str]:
    """Those of the names that this version of NumPy has."""
    return [name for name in names.split() if hasattr(np.ma, name)]


# --- Masks, and elements as they are ------------------------------------------------------------------------


def _of_values(name: str) -> Callable[..., Any]:
    f = getattr(np.ma, name)
    return lambda *args, **kwargs: f(*map(plain_of, args), **{key: plain_of(x) for key, x in kwargs.items()})


# They answer by values alone, or make masks.
_OF_VALUES = """
    all allclose allequal alltrue any argmax argmin argsort clump_masked clump_unmasked common_fill_value
    count count_masked default_fill_value empty_like equal flatnotmasked_contiguous flatnotmasked_edges
    getmask getmaskarray greater greater_equal isMA isMaskedArray is_mask is_masked isarray less
    less_equal logical_and logical_not logical_or logical_xor make_mask make_mask_descr make_mask_none
    mask_or maximum_fill_value minimum_fill_value ndim nonzero not_equal notmasked_contiguous
    notmasked_edges ones_like shape size sometrue zeros_like
"""
# By the names of functions of `numpy.ma`.
FUNCTIONS: dict[str, Callable[..., Any]] = {name: _of_values(name) for name in _known(_OF_VALUES)}


def _masking(name: str, is_copy: bool = True, place: int = 0) -> Callable[..., Any]:
    """A function that gives an array a mask; the array is its argument at the `place`."""
    f = getattr(np.ma, name)
    signature = inspect.signature(f)
    parameter = list(signature.parameters)[place]
    operands = () if name == "fix_invalid" else AS_THEY_ARE  # which fills what it masks

    def call(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        x = given.arguments[parameter] = lifted(given.arguments[parameter])
        if contains_carrier(given.arguments.get("fill_value")):
            raise TypeError(refusal("a `fill_value` that is differentiated by; `filled` may be given one"))
        plain = f(
            *map(plain_of, given.args), **{key: plain_of(option) for key, option in given.kwargs.items()}
        )
        traced = np.copy(x.traced) if given.arguments.get("copy", is_copy) else x.traced
        return made(plain, np.reshape(traced, plain.shape) if plain.shape != x.shape else traced, operands)

    return call


_MASKING = """
    copy fix_invalid masked_equal masked_greater masked_greater_equal
    masked_inside masked_invalid masked_less masked_less_equal masked_not_equal masked_outside
    masked_values
"""
_SHARING = "MaskedArray array asanyarray asarray mask_cols mask_rowcols mask_rows masked_array"
FUNCTIONS |= {name: _masking(name) for name in _known(_MASKING)}
FUNCTIONS |= {name: _masking(name, is_copy=False) for name in _known(_SHARING)}
FUNCTIONS["masked_where"] = _masking("masked_where", place=1)


def filled(x: Any, fill_value: Any = None) -> Any:
    """The elements, with a value in the place of what is masked."""
    x = lifted(x)
    if not np.any(x.mask):
        return x.traced
    value = x.fill_value if fill_value is None else fill_value
    return made(x.plain.filled(plain_of(value)), np.where(x.mask, value, x.traced))


def compressed(x: Any) -> Any:
    """The elements that are not masked, in one dimension."""
    x = lifted(x)
    return np.ravel(x.traced)[~np.ravel(np.ma.getmaskarray(x.plain))]


def converted(x: Any, dtype: Any = None, *, copy: Any = None, **memory: Any) -> Any:
    """A masked array, as `numpy.asanyarray` converts it."""
    if dtype is not None and np.dtype(dtype) != x.dtype:
        return x.astype(dtype)
    return x.copy() if copy else x


def _elements(a: Any, subok: bool = True) -> Any:
    return lifted(a).traced


def _view(x: Any, *args: Any) -> Any:
    if args == (np.ndarray,):
        return x.traced
    if args not in {(), (np.ma.MaskedArray,)}:
        raise TypeError(refusal("`view` as another dtype or class"))
    return made(x.plain.view(), x.traced, AS_THEY_ARE)


def _own_mask(name: str) -> Callable[..., Any]:
    """A method that changes the mask, or how it may be changed, and returns its object."""

    def call(x: Any) -> Any:
        getattr(x.masked, name)()
        return x

    return call


FUNCTIONS |= {"filled": filled, "compressed": compressed, "getdata": _elements}
METHODS |= {"filled": filled, "compressed": compressed, "view": _view}
METHODS |= {name: _own_mask(name) for name in ("harden_mask", "shrink_mask", "soften_mask", "unshare_mask")}


# --- Places -------------------------------------------------------------------------------------------------


def _placing(f: Callable[..., Any], g: Callable[..., Any]) -> Callable[..., Any]:
    """A function that moves elements, as that for arrays does."""

    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        return made(f(plain_of(x), *args, **kwargs), g(elements_of(x), *args, **kwargs), AS_THEY_ARE)

    return call


def _method(name: str) -> Callable[..., Any]:
    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        args = tuple(map(plain_of, args))
        plain = getattr(x.plain, name)(*args, **kwargs)
        return made(plain, getattr(x.traced, name)(*args, **kwargs), AS_THEY_ARE)

    return call


_PLACING = """
    atleast_1d atleast_2d atleast_3d column_stack concatenate diag diagonal dstack expand_dims hstack
    ravel repeat reshape squeeze stack swapaxes transpose vstack
"""
_METHODS = "astype copy diagonal flatten ravel repeat reshape squeeze swapaxes take transpose"
FUNCTIONS |= {name: _placing(getattr(np.ma, name), getattr(np, name)) for name in _known(_PLACING)}
METHODS |= {name: _method(name) for name in _METHODS.split()}
_KEEPING = (np.atleast_1d, np.atleast_2d, np.atleast_3d, np.expand_dims, np.moveaxis)
OF_NUMPY |= {f: _placing(f, f) for f in _KEEPING}
OF_NUMPY |= {np.real: operator.attrgetter("real"), np.imag: operator.attrgetter("imag")}


def _extract(condition: Any, x: Any) -> Any:
    return lifted(x).ravel()[np.nonzero(np.ravel(plain_of(condition)))[0]]


def _place(x: Any, mask: Any, values: Any) -> None:
    """Write into elements, and leave the mask as it is."""
    places = np.reshape(np.ma.getdata(plain_of(mask)).astype(bool), x.shape)
    x.traced[places] = np.resize(elements_of(values), np.count_nonzero(places))


OF_NUMPY |= {np.extract: _extract, np.place: _place}


def _sorted(a: Any, axis: Any = -1, **options: Any) -> Any:
    x = lifted(a)
    order = np.ma.argsort(x.plain, axis=axis, **options)
    traced = np.ravel(x.traced)[order] if axis is None else np.take_along_axis(x.traced, order, axis)
    return made(np.ma.sort(x.plain, axis=axis, **options), traced)


def _sort_in_place(x: Any, axis: Any = -1, **options: Any) -> None:
    x[...] = _sorted(x, axis, **options)


FUNCTIONS["sort"], METHODS["sort"] = _sorted, _sort_in_place


def along_axis(f: Callable[..., Any], axis: int, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """What a function of one dimension makes of each line along an axis."""
    x = lifted(arr)
    axis = range(x.ndim)[axis]
    lines = x.transpose(*(place for place in range(x.ndim) if place != axis), axis)
    ys = [_line(f(lines[at], *args, **kwargs)) for at in np.ndindex(lines.shape[:-1])]
    shape = ys[0].shape
    order = [*range(axis), *range(x.ndim - 1, x.ndim - 1 + len(shape)), *range(axis, x.ndim - 1)]

    def put_together(stack: Callable[..., Any], lines_of_y: list[Any]) -> Any:
        return np.transpose(np.reshape(stack(lines_of_y), (*lines.shape[:-1], *shape)), order)

    plain = put_together(np.ma.stack, [y.plain for y in ys])
    return made(plain, put_together(np.stack, [y.traced for y in ys]), AS_THEY_ARE)


def _line(y: Any) -> TracedMasked:
    return lifted(np.stack(y) if y.__class__ in {list, tuple} else y)


# --- Elementwise --------------------------------------------------------------------------------------------


def _elementwise(name: str) -> Callable[..., Any]:
    f, g = getattr(np.ma, name), getattr(np, name)
    return lambda *args, **kwargs: elementwise(f, g, *args, **kwargs)


_ELEMENTWISE = """
    absolute add angle arccos arccosh arcsin arcsinh arctan arctan2 arctanh around ceil clip conjugate cos
    cosh divide exp fabs floor floor_divide fmod hypot log log10 log2 maximum minimum mod multiply
    negative power remainder round sin sinh sqrt subtract tan tanh true_divide where
"""
FUNCTIONS |= {name: _elementwise(name) for name in _known(_ELEMENTWISE)}
FUNCTIONS["abs"] = FUNCTIONS["absolute"]
METHODS |= {name: FUNCTIONS[name] for name in ("clip", "conjugate", "round")}
METHODS["conj"] = FUNCTIONS["conjugate"]


def outer(f: Callable[..., Any], x: Any, y: Any) -> Any:
    """An elementwise function of each element with each."""
    x, y = lifted(x), lifted(y)
    return f(x.reshape(x.shape + (1,) * y.ndim), y)
