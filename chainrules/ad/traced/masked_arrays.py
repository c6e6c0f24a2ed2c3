"""Masked arrays with traced elements: the traced array, and beside it NumPy's own masked array of its values.

Each operation is done twice. `numpy.ma` does it with the values, and says what is masked, which is a constant;
the traced elements go through the functions of NumPy, by their rules. What is masked is kept out of these, so
that nothing depends on it: its tangent is zero. What has no formula here is an error.
"""

import operator
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from chainrules.ad.traced.program_places import place_in_program
from chainrules.operations.unknown_slopes import unknown_slope
from chainrules_core import construct, contains_carrier, primal_of

INSTEAD = (
    "Nothing is known of its derivative: write it with the methods and functions that `docs/sharp_edges.md` "
    "lists, or with arrays, `x.filled(0.0)`, `x.compressed()`, `np.sum(x, where=~mask)`."
)


@dataclass(init=False, eq=False, repr=False)
class TracedMasked:
    """What stands for a `numpy.ma.MaskedArray` with traced elements.

    Attributes
    ----------
    traced
        The elements, those that are masked included.
    masked
        A masked array, whose mask it is.
    """

    traced: Any
    masked: Any

    __array_priority__ = 2000.0
    __hash__ = None  # type: ignore[assignment]  # as of arrays

    def __init__(self, traced: Any, masked: Any) -> None:
        self.__dict__.update(traced=traced, masked=masked)

    @property
    def plain(self) -> Any:
        """The masked array of the values, as they are now: an array that shares its elements may be written into."""
        data, values = np.ma.getdata(self.masked), primal_of(self.traced)
        if values is not self.traced and data.flags.writeable:
            data[...] = values
        return self.masked

    def __getattr__(self, name: str) -> Any:
        if name in _OF_VALUES:
            return getattr(self.plain, name)
        if name in _ELEMENTS:
            return self.traced
        f = METHODS.get(name)
        if f is not None:
            return lambda *args, **kwargs: f(self, *args, **kwargs)
        if name in _PARTS:
            return made(getattr(self.plain, name), getattr(self.traced, name), AS_THEY_ARE)
        if name.startswith("__") or not hasattr(np.ma.MaskedArray, name):
            raise AttributeError(f"A masked array has no attribute `{name}`.")
        raise TypeError(refusal(f"`{name}` of a masked array"))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _ASSIGNED:
            raise TypeError(refusal(f"assigning to `{name}` of a masked array"))
        setattr(self.plain, name, value)

    def __getitem__(self, index: Any) -> Any:
        index = plain_of(index)
        y = self.plain[index]
        return y if y is np.ma.masked else made(y, self.traced[_filled_index(index)], AS_THEY_ARE)

    def __setitem__(self, index: Any, value: Any) -> None:
        index, x = plain_of(index), lifted(value) if isinstance(value, MASKED) else None
        kept = np.ma.getmaskarray(self.plain[index]).copy()
        self.plain[index] = plain_of(value)
        if value is np.ma.masked:
            return
        if self.plain.hardmask and kept.any():
            self.traced[index] = np.where(kept, self.traced[index], value if x is None else x.traced)
        else:
            self.traced[index] = value if x is None else x.traced

    def __copy__(self) -> Any:
        return METHODS["copy"](self)

    def __deepcopy__(self, memo: Any) -> Any:
        return METHODS["copy"](self)

    def __matmul__(self, other: Any) -> Any:
        return np.matmul(self, other)

    def __rmatmul__(self, other: Any) -> Any:
        return np.matmul(other, self)

    def __len__(self) -> int:
        return len(self.plain)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        return bool(self.plain)

    def __contains__(self, item: Any) -> bool:
        return plain_of(item) in self.plain

    def __repr__(self) -> str:
        return repr(self.plain)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(
            f"A masked array with traced elements was about to become an array{_place()}, which would lose "
            "the mask and the derivative: write `x.filled(0.0)`, `x.compressed()` or `x.data`."
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        dtype = options.pop("dtype", None)
        if method != "__call__" or options or ufunc.nout != 1 or ufunc.signature is not None:
            raise TypeError(refusal(f"`np.{ufunc.__name__}` by `{method}`, or with keywords"))
        return elementwise(ufunc if dtype is None else partial(ufunc, dtype=dtype), ufunc, *inputs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in _ASKING:
            return function(*map(plain_of, args), **kwargs)
        own = OF_NUMPY.get(function)
        if own is not None:
            return own(*args, **kwargs)
        # Those that NumPy leaves to methods of their argument; the others know nothing of masks.
        name = _BY_METHODS.get(function.__name__)
        if name is None or not isinstance(args[0], TracedMasked):
            raise TypeError(
                f"`np.{function.__name__}` knows nothing of masks: write `np.ma.{function.__name__}`, or give "
                f"it an array, `x.filled(0.0)` or `x.compressed()`{_place()}."
            )
        return getattr(args[0], name)(*args[1:], **kwargs)


MASKED = (TracedMasked, np.ma.MaskedArray)
# In the place of the elements behind masks: those that are given.
AS_THEY_ARE = object()

# Attributes that are constants, or methods that answer with constants, or change the mask.
_OF_VALUES = frozenset(
    "shape ndim size dtype mask _mask itemsize nbytes strides fill_value hardmask sharedmask baseclass device flags count nonzero "
    "argmin argmax argsort any all get_fill_value set_fill_value".split()
)
_ASSIGNED = frozenset({"mask", "_mask", "_sharedmask", "fill_value"})
_ELEMENTS = frozenset({"data", "_data"})
_PARTS = frozenset({"T", "mT", "real", "imag"})
# The methods that are functions of masked arrays with traced elements.
METHODS: dict[str, Callable[..., Any]] = {}
_ASKING = frozenset(
    {np.ndim, np.shape, np.size, np.result_type, np.iscomplexobj, np.isrealobj, np.may_share_memory, np.shares_memory}
)
# Functions of NumPy that keep masks.
OF_NUMPY: dict[Any, Callable[..., Any]] = {}
# Of functions of NumPy that call a method of their argument, the names of these.
_BY_METHODS = {
    **{name: name for name in (
        "sum prod mean var std min max ptp cumsum cumprod ravel reshape transpose squeeze swapaxes repeat round any all "
        "argmin argmax argsort nonzero diagonal trace copy clip".split())},
    "amin": "min", "amax": "max", "around": "round",
}


def lifted(x: Any) -> TracedMasked:
    """A value as a masked array."""
    if isinstance(x, TracedMasked):
        return x
    if isinstance(x, np.ma.MaskedArray):
        return TracedMasked(np.ma.getdata(x), x)
    return TracedMasked(x, np.ma.array(primal_of(x), copy=True))


def elements_of(x: Any) -> Any:
    """The elements of a masked array, those that are masked included, in lists too; other values themselves."""
    if x.__class__ in {list, tuple}:
        return type(x)(map(elements_of, x))
    return lifted(x).traced if isinstance(x, MASKED) else x


@construct.dispatch
def construct_masked(cls: type[TracedMasked], fields: dict[str, Any]) -> Any:
    """Without traced elements, NumPy's own masked array."""
    x = TracedMasked(**fields)
    if contains_carrier(x.traced):
        return x
    options = {"fill_value": x.fill_value, "hard_mask": x.hardmask}
    return np.ma.array(x.traced, mask=np.ma.getmask(x.masked), **options)


def made(plain: Any, traced: Any, first: Any = None) -> Any:
    """What `numpy.ma` returns: a masked array, an array, a number, or the constant that is masked.

    Parameters
    ----------
    plain
        What it returned for the values.
    traced
        The elements; what is masked in them may be anything.
    first
        The elements that `numpy.ma` may have put where the result is masked.
    """
    if plain is np.ma.masked or _is_constant(plain):
        return plain
    if not isinstance(plain, np.ma.MaskedArray):
        return _of_dtype(traced, plain.dtype)
    mask = np.ma.getmaskarray(plain)
    if first is not AS_THEY_ARE and mask.any():
        traced = np.where(mask, _behind(plain, mask, traced, first), traced)
    return TracedMasked(_of_dtype(traced, plain.dtype), plain)


def _behind(plain: Any, mask: Any, traced: Any, first: Any) -> Any:
    """What is behind a mask: what `numpy.ma` put there; its derivative is that of the first operand, or NaN."""
    data = np.ma.getdata(plain)
    if first is not None:
        given = np.broadcast_to(plain_of(first), data.shape)
        if np.array_equal(given[mask], data[mask], equal_nan=True):
            return first
    return data + unknown_slope(traced)


def _of_dtype(traced: Any, dtype: Any) -> Any:
    return traced if np.result_type(primal_of(traced)) == dtype else traced.astype(dtype)


def _is_constant(plain: Any) -> bool:
    return getattr(plain, "dtype", np.dtype(bool)).kind not in "fc"


def plain_of(x: Any) -> Any:
    """The values alone, in lists and tuples too."""
    if isinstance(x, TracedMasked):
        return x.plain
    if x.__class__ in {list, tuple}:
        return type(x)(map(plain_of, x))
    return primal_of(x)


def _filled_index(index: Any) -> Any:
    """An index as arrays take it: what is masked in it counts as its data, as it does for masked arrays."""
    if isinstance(index, tuple):
        return tuple(map(_filled_index, index))
    return np.ma.getdata(index) if isinstance(index, np.ma.MaskedArray) else index


def _place() -> str:
    return place_in_program(sys._getframe(2))


def refusal(of_what: str) -> str:
    return f"A masked array with traced elements met {of_what}{place_in_program(sys._getframe(3))}. {INSTEAD}"


# --- Elementwise --------------------------------------------------------------------------------------------

# In the place of what is masked functions are given a number at which they have derivatives.
# Of real numbers, they are constant between their steps.
_STEPS = frozenset({np.sign, np.floor, np.ceil, np.trunc, np.rint})
_INSIDE = {np.arccosh: 1.5}


def elementwise(masking: Callable[..., Any], f: Callable[..., Any], *operands: Any, **options: Any) -> Any:
    """Call an elementwise function.

    Parameters
    ----------
    masking
        The function for masked arrays of values.
    f
        The one for arrays.
    operands, options
        The arguments.
    """
    if isinstance(f, np.ufunc) and len(operands) != f.nin:
        raise TypeError(refusal(f"`np.ma.{f.__name__}` with an array to write into"))
    plain = masking(*map(plain_of, operands), **options)
    if f in _STEPS and plain.dtype.kind == "f":
        return plain
    elements = list(map(elements_of, operands))
    mask = np.ma.getmaskarray(plain)
    if _is_constant(plain) or not mask.any():
        return made(plain, None if _is_constant(plain) else f(*elements, **options))
    safe = [_outside(mask, x, _INSIDE.get(f, 0.5)) for x in elements]
    return made(plain, f(*safe, **options), elements[0])


def _outside(mask: Any, x: Any, inside: float) -> Any:
    """Elements, with a constant in the place of what is masked in the result."""
    value = primal_of(x)
    return np.where(mask, inside, x) if isinstance(value, np.ndarray) and value.dtype.kind in "fc" else x


def _operator(name: str) -> None:
    f = getattr(operator, name)

    def method(self: Any, other: Any) -> Any:
        return elementwise(f, f, self, _operand(other))

    def reflected(self: Any, other: Any) -> Any:
        return elementwise(f, f, _operand(other), self)

    def in_place(self: Any, other: Any) -> Any:
        self[...] = method(self, other)
        return self

    name = name.rstrip("_")
    for prefix, function in (("", method), ("r", reflected), ("i", in_place)):
        setattr(TracedMasked, f"__{prefix}{name}__", function)


def _operand(x: Any) -> Any:
    return np.asarray(x) if x.__class__ in {list, tuple} else x


for _name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow"):
    _operator(_name)


def _unary(name: str, f: Callable[..., Any]) -> None:
    setattr(TracedMasked, f"__{name}__", lambda self: elementwise(f, f, self))


for _name, _f in (("neg", operator.neg), ("pos", operator.pos), ("abs", abs)):
    _unary(_name, _f)


def _comparison(name: str) -> None:
    f = getattr(operator, name)
    setattr(TracedMasked, f"__{name}__", lambda self, other: f(self.plain, plain_of(other)))


for _name in ("lt", "le", "gt", "ge", "eq", "ne"):
    _comparison(_name)
