"""Functions and methods of masked arrays with traced elements, by the names that they have in `numpy.ma`."""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.traced.masked_arrays import AS_THEY_ARE, MASKED, METHODS, OF_NUMPY, TracedMasked, elementwise, elements_of, lifted, made, plain_of, refusal
from chainrules_core import primal_of

# By the names of functions of `numpy.ma`.
FUNCTIONS: dict[str, Callable[..., Any]] = {}

# Functions that answer by values alone, or make masks.
OF_VALUES = (
    "count getmask getmaskarray is_masked isMaskedArray isMA isarray is_mask ndim shape size argmin argmax argsort "
    "nonzero any all alltrue sometrue equal not_equal less less_equal greater greater_equal logical_and logical_or "
    "logical_xor logical_not allclose allequal mask_or make_mask make_mask_none make_mask_descr count_masked "
    "default_fill_value zeros_like ones_like empty_like maximum_fill_value minimum_fill_value common_fill_value "
    "flatnotmasked_contiguous flatnotmasked_edges notmasked_contiguous notmasked_edges clump_masked clump_unmasked"
).split()


def _of_values(name: str) -> Callable[..., Any]:
    f = getattr(np.ma, name)
    return lambda *args, **kwargs: f(*map(plain_of, args), **{key: plain_of(x) for key, x in kwargs.items()})


FUNCTIONS.update({name: _of_values(name) for name in OF_VALUES if hasattr(np.ma, name)})


# --- Masks, and elements as they are ------------------------------------------------------------------------

_SHARING = {"array", "asarray", "asanyarray", "masked_array", "MaskedArray"}


def _masking(name: str, place: int = 0) -> Callable[..., Any]:
    """A function that gives an array a mask; the array is its argument at the `place`."""
    f = getattr(np.ma, name)
    signature = inspect.signature(f)
    parameter = list(signature.parameters)[place]

    def call(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs)
        x = given.arguments[parameter] = lifted(given.arguments[parameter])
        plain = f(*map(plain_of, given.args), **{key: plain_of(option) for key, option in given.kwargs.items()})
        traced = np.reshape(x.traced, plain.shape) if plain.shape != x.shape else x.traced
        is_copy = kwargs.get("copy", name not in _SHARING)
        return made(plain, np.copy(traced) if is_copy else traced, AS_THEY_ARE if name != "fix_invalid" else None)

    return call


FUNCTIONS.update({name: _masking(name) for name in (
    "array", "asarray", "asanyarray", "masked_array", "MaskedArray", "copy", "fix_invalid", "masked_invalid",
    "masked_equal", "masked_not_equal", "masked_less", "masked_less_equal", "masked_greater", "masked_greater_equal",
    "masked_inside", "masked_outside", "masked_values", "mask_rows", "mask_cols", "mask_rowcols")})
FUNCTIONS["masked_where"] = _masking("masked_where", 1)


def filled(x: Any, fill_value: Any = None) -> Any:
    """The elements, with a value in the place of what is masked."""
    x = lifted(x)
    mask = x.plain.mask
    if not np.any(mask):
        return x.traced
    value = x.fill_value if fill_value is None else fill_value
    return made(x.plain.filled(plain_of(value)), np.where(mask, value, x.traced))


def compressed(x: Any) -> Any:
    """The elements that are not masked, in one dimension."""
    x = lifted(x)
    return np.ravel(x.traced)[~np.ravel(np.ma.getmaskarray(x.plain))]


FUNCTIONS |= {"filled": filled, "compressed": compressed, "getdata": lambda a, subok=True: lifted(a).traced}


# --- Places -------------------------------------------------------------------------------------------------


def _placing(name: str) -> Callable[..., Any]:
    """A function that moves elements, as that of the same name for arrays does."""
    f, g = getattr(np.ma, name), getattr(np, "vstack" if name == "row_stack" else name)

    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        return made(f(plain_of(x), *args, **kwargs), g(elements_of(x), *args, **kwargs), AS_THEY_ARE)

    return call


_PLACED = (
    "ravel reshape transpose swapaxes squeeze expand_dims atleast_1d atleast_2d atleast_3d concatenate vstack "
    "row_stack hstack column_stack dstack stack repeat diag diagonal"
).split()
FUNCTIONS.update({name: _placing(name) for name in _PLACED if hasattr(np.ma, name)})


def _keeping(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function of NumPy that moves elements, and their masks."""

    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        return made(f(x.plain, *args, **kwargs), f(x.traced, *args, **kwargs), AS_THEY_ARE)

    return call


OF_NUMPY |= {f: _keeping(f) for f in (np.atleast_1d, np.atleast_2d, np.atleast_3d, np.moveaxis, np.expand_dims)}


def _method(name: str) -> Callable[..., Any]:
    def call(x: Any, *args: Any, **kwargs: Any) -> Any:
        args = tuple(map(plain_of, args))
        plain = getattr(x.plain, name)(*args, **kwargs)
        return made(plain, getattr(x.traced, name)(*args, **kwargs), AS_THEY_ARE)

    return call


METHODS.update({name: _method(name) for name in (
    "ravel", "reshape", "transpose", "swapaxes", "squeeze", "repeat", "diagonal", "flatten", "copy", "astype",
    "__copy__", "take")})


def _view(x: Any, *args: Any) -> Any:
    if args == (np.ndarray,):
        return x.traced
    if args not in {(), (np.ma.MaskedArray,)}:
        raise TypeError(refusal("`view` of a masked array, as another dtype or class"))
    return made(x.plain.view(), x.traced, AS_THEY_ARE)




def _own_mask(name: str) -> Callable[..., Any]:
    """A method that changes the mask, or how it may be changed, and returns its object."""

    def call(x: Any) -> Any:
        getattr(x.masked, name)()
        return x

    return call


METHODS.update({name: _own_mask(name) for name in ("harden_mask", "soften_mask", "unshare_mask", "shrink_mask")})
METHODS |= {"filled": filled, "compressed": compressed, "view": _view}


def _extract(condition: Any, x: Any) -> Any:
    return lifted(x).ravel()[np.nonzero(np.ravel(plain_of(condition)))[0]]


def _place(x: Any, mask: Any, values: Any) -> None:
    """Write into elements, and leave the mask as it is."""
    places = np.reshape(np.ma.getdata(plain_of(mask)).astype(bool), x.shape)
    x.traced[places] = np.resize(lifted(values).traced, np.count_nonzero(places))


OF_NUMPY |= {np.extract: _extract, np.place: _place}


def _line(y: Any) -> TracedMasked:
    return lifted(np.stack(y) if y.__class__ in {list, tuple} else y)


def along_axis(f: Callable[..., Any], axis: int, x: Any, *args: Any, **kwargs: Any) -> Any:
    """What a function of one dimension makes of each line along an axis."""
    x = lifted(x)
    axis = range(x.ndim)[axis]
    others = [place for place in range(x.ndim) if place != axis]
    lines = x.transpose(*others, axis)
    ys = [_line(f(lines[at], *args, **kwargs)) for at in np.ndindex(lines.shape[:-1])]
    shape = ys[0].shape
    traced = np.reshape(np.stack([y.traced for y in ys]), (*lines.shape[:-1], *shape))
    plain = np.reshape(np.ma.stack([y.plain for y in ys]), (*lines.shape[:-1], *shape))
    order = [*range(axis), *range(x.ndim - 1, x.ndim - 1 + len(shape)), *range(axis, x.ndim - 1)]
    return TracedMasked(np.transpose(traced, order), np.transpose(plain, order))


def _sorted(x: Any, axis: Any = -1, **options: Any) -> Any:
    x = lifted(x)
    order = np.ma.argsort(x.plain, axis=axis, **options)
    traced = np.ravel(x.traced)[order] if axis is None else np.take_along_axis(x.traced, order, axis)
    return made(np.ma.sort(x.plain, axis=axis, **options), traced)


def _sort_in_place(x: Any, axis: Any = -1, **options: Any) -> None:
    x[...] = _sorted(x, axis, **options)


FUNCTIONS["sort"], METHODS["sort"] = _sorted, _sort_in_place

# --- Reductions ---------------------------------------------------------------------------------------------


def _total(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return np.sum(np.where(mask, 0.0, x), axis=axis, keepdims=keepdims)


def _share(total: Any, count: Any) -> Any:
    return total / np.asarray(np.maximum(count, 1), np.result_type(primal_of(total)))


def _mean(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return _share(_total(x, mask, axis, keepdims), np.sum(~mask, axis=axis, keepdims=keepdims))


def _variance(x: Any, mask: Any, axis: Any, keepdims: bool, ddof: int = 0) -> Any:
    d = np.where(mask, 0.0, x - _mean(x, mask, axis, True))
    count = np.sum(~mask, axis=axis, keepdims=keepdims) - ddof
    return _share(np.sum(np.real(np.conj(d) * d), axis=axis, keepdims=keepdims), count)


def _product(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return np.prod(np.where(mask, 1.0, x), axis=axis, keepdims=keepdims)


def _least(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return np.min(np.where(mask, np.inf, x), axis=axis, keepdims=keepdims)


def _greatest(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    return np.max(np.where(mask, -np.inf, x), axis=axis, keepdims=keepdims)


def _median(x: Any, mask: Any, axis: Any, keepdims: bool) -> Any:
    """Of what is not masked: the mean of the two in the middle, or the one."""
    if axis is None:
        y = _median(np.ravel(x), np.ravel(mask), 0, False)
        return np.reshape(y, (1,) * np.ndim(primal_of(x))) if keepdims else y
    value = np.where(mask, np.inf, plain_of(x))
    order = np.lexsort((value, mask), axis=axis)  # NaN behind infinity, and what is masked behind it
    count = np.sum(~mask, axis=axis, keepdims=True)
    ends = [
        np.take_along_axis(x, np.take_along_axis(order, np.maximum(at, 0), axis), axis)
        for at in ((count - 1) // 2, np.minimum(count // 2, value.shape[axis] - 1))
    ]
    y = 0.5 * ends[0] + 0.5 * ends[1]
    is_nan = np.any(np.isnan(value) & ~mask, axis=axis, keepdims=True)
    y = np.where(is_nan, np.nan * y, y) if np.any(is_nan) else y
    return y if keepdims else np.squeeze(y, axis)


def _reduction(name: str, g: Any, formula: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction: where nothing is masked, by the function of arrays."""
    f = getattr(np.ma, name)
    signature = inspect.signature(getattr(np.ma.MaskedArray, name, f))

    def call(*args: Any, **kwargs: Any) -> Any:
        given = signature.bind(*args, **kwargs).arguments
        x, options = next(iter(given.values())), {**dict(list(given.items())[1:])}
        for key in ("out", "fill_value", "mean"):
            if options.get(key) is not None:
                raise TypeError(refusal(f"`np.ma.{name}` with `{key}`"))
        x = lifted(x)
        if options.get("dtype") is not None:
            x = METHODS["astype"](x, options["dtype"])
        options = {key: option for key, option in options.items() if key in {"axis", "keepdims", "ddof"}}
        plain, mask = f(x.plain, **options), np.ma.getmaskarray(x.plain)
        if _is_masked(plain):
            return plain
        if not mask.any():
            return made(plain, g(x.traced, **options))
        options = {"axis": None, "keepdims": False} | options
        return made(plain, formula(x.traced, mask, **options))

    return call


def _is_masked(plain: Any) -> bool:
    return plain is np.ma.masked


def _root(x: Any) -> Any:
    """The square root of a variance; the derivative is zero where that is, as of `numpy.std`."""
    is_zero = plain_of(x) == 0
    return np.where(is_zero, 0.0, np.sqrt(np.where(is_zero, 1.0, x)))


def _deviation(x: Any, *args: Any, **kwargs: Any) -> Any:
    variance = _METHODS_OF_NUMBERS["var"](x, *args, **kwargs)
    return variance if variance is np.ma.masked else elementwise(np.ma.sqrt, _root, variance)


def _range(x: Any, axis: Any = None, out: Any = None, fill_value: Any = None, keepdims: bool = False) -> Any:
    ends = [_METHODS_OF_NUMBERS[name](x, axis, out, fill_value, keepdims=keepdims) for name in ("max", "min")]
    return ends[0] - ends[1]


def _anomalies(x: Any, axis: Any = None) -> Any:
    x = lifted(x)
    return x - _METHODS_OF_NUMBERS["mean"](x, axis, keepdims=True)


def _running(name: str, neutral: float) -> Callable[..., Any]:
    def call(x: Any, axis: Any = None) -> Any:
        x = lifted(x)
        elements = np.where(np.ma.getmaskarray(x.plain), neutral, x.traced)
        return made(getattr(np.ma, name)(x.plain, axis), getattr(np, name)(elements, axis))

    return call


_METHODS_OF_NUMBERS: dict[str, Callable[..., Any]] = {
    "sum": _reduction("sum", np.sum, _total),
    "prod": _reduction("prod", np.prod, _product),
    "mean": _reduction("mean", np.mean, _mean),
    "var": _reduction("var", np.var, _variance),
    "std": _deviation,
    "min": _reduction("min", np.min, _least),
    "max": _reduction("max", np.max, _greatest),
    "ptp": _range,
    "anom": _anomalies,
    "cumsum": _running("cumsum", 0.0),
    "cumprod": _running("cumprod", 1.0),
}
METHODS |= _METHODS_OF_NUMBERS
FUNCTIONS |= _METHODS_OF_NUMBERS
FUNCTIONS |= {
    "product": METHODS["prod"],
    "amin": METHODS["min"],
    "amax": METHODS["max"],
    "anomalies": _anomalies,
    "median": _reduction("median", np.median, _median),
}


def _with_zeros(name: str) -> Callable[..., Any]:
    """A product in which what is masked counts as zero."""

    def call(x: Any, y: Any, **options: Any) -> Any:
        plain = getattr(np.ma, name)(plain_of(x), plain_of(y), **options)
        return made(plain, getattr(np, name)(filled(x, 0.0), filled(y, 0.0)))

    return call


FUNCTIONS.update({name: _with_zeros(name) for name in ("dot", "inner", "outer")})
FUNCTIONS |= {"innerproduct": FUNCTIONS["inner"], "outerproduct": FUNCTIONS["outer"]}
METHODS["dot"] = FUNCTIONS["dot"]

# --- Elementwise --------------------------------------------------------------------------------------------


def _elementwise(name: str, g: Callable[..., Any]) -> Callable[..., Any]:
    f = getattr(np.ma, name)
    return lambda *args, **kwargs: elementwise(f, g, *args, **kwargs)


_UFUNCS = (
    "add subtract multiply divide true_divide floor_divide power sqrt exp log log2 log10 sin cos tan arcsin arccos "
    "arctan sinh cosh tanh arcsinh arccosh arctanh absolute fabs negative conjugate maximum minimum hypot arctan2 "
    "fmod remainder mod around round clip floor ceil angle where"
).split()
FUNCTIONS.update({name: _elementwise(name, getattr(np, name)) for name in _UFUNCS})


def outer(f: Callable[..., Any], x: Any, y: Any) -> Any:
    """An elementwise function of each element with each."""
    x, y = lifted(x), lifted(y)
    return f(x.reshape(x.shape + (1,) * y.ndim), y)


FUNCTIONS["abs"] = FUNCTIONS["absolute"]
METHODS |= {name: FUNCTIONS[name] for name in ("round", "clip")}
METHODS |= {"conj": FUNCTIONS["conjugate"], "conjugate": FUNCTIONS["conjugate"]}
