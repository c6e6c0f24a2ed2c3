"""Masked arrays with traced elements: a traced array, and beside it NumPy's own masked array of its values.

`numpy.ma` computes with the values, and says what is masked: a mask is a constant. The elements go through
the functions of NumPy, by their rules; constants stand for what is masked, so that nothing depends on it.
What is behind the mask of a result has the derivative of the first operand, if `numpy.ma` puts that there,
or else NaN.
"""

import functools
import operator
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from chainrules.ad.traced.program_places import place_in_program
from chainrules.operations.unknown_slopes import unknown_slope
from chainrules_core import contains_carrier, primal_of

INSTEAD = (
    "Masked arrays keep their masks only in what `docs/sharp_edges.md` lists. Write it with arrays, "
    "such as `x.filled(0.0)`, `x.compressed()` or `np.sum(x, where=~mask)`."
)

# Attributes that are constants, and methods that return constants.
_NAMES = """
    all any argmax argmin argsort baseclass count device dtype fill_value flags get_fill_value hardmask
    itemsize mask _mask nbytes ndim nonzero set_fill_value shape sharedmask size strides
"""
_OF_VALUES = frozenset(_NAMES.split())
_ASSIGNED = frozenset({"mask", "_mask", "_sharedmask", "fill_value"})
_ELEMENTS = frozenset({"data", "_data"})
_PARTS = frozenset({"T", "mT", "real", "imag"})
# Never forgotten: the methods that are functions of masked arrays with traced elements.
METHODS: dict[str, Callable[..., Any]] = {}

# Functions of NumPy that ask for no more than the values.
_ASKING = frozenset(
    {np.ndim, np.shape, np.size, np.result_type, np.iscomplexobj, np.isrealobj, np.may_share_memory}
)
# Never forgotten: functions of NumPy that keep masks, and what stands for them.
OF_NUMPY: dict[Any, Callable[..., Any]] = {}
# Those that call a method of their argument. All others know nothing of masks, and nor does `np.ptp`.
_LEFT_TO_METHODS = """
    all any argmax argmin argsort clip copy cumprod cumsum diagonal max mean min nonzero prod ravel repeat
    reshape round squeeze std sum swapaxes transpose var
"""
_BY_METHODS = {name: name for name in _LEFT_TO_METHODS.split()}
_BY_METHODS |= {"amin": "min", "amax": "max", "around": "round"}

# In the place of the operands of a result: its elements are right behind its mask, too.
AS_THEY_ARE = object()


@dataclass(init=False, eq=False, repr=False)
class TracedMasked:
    """What stands for a `numpy.ma.MaskedArray` with traced elements.

    It has no ``shape`` and ``dtype`` as a class: rules for arrays do not take it.

    Attributes
    ----------
    traced
        The elements, those that are masked included.
    masked
        A masked array, whose mask it is.
    """

    traced: Any
    masked: Any

    # Above that of `numpy.ma.MaskedArray` and of traced values.
    __array_priority__ = 2000.0
    __hash__ = None  # type: ignore[assignment]  # as of arrays

    def __init__(self, traced: Any, masked: Any) -> None:
        self.__dict__.update(traced=traced, masked=masked)

    @property
    def plain(self) -> Any:
        """The masked array of the values that there are now: somebody may write into the elements."""
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
            return functools.partial(f, self)
        if name in _PARTS:
            return made(getattr(self.plain, name), getattr(self.traced, name), AS_THEY_ARE)
        if name.startswith("__") or not hasattr(np.ma.MaskedArray, name):
            raise AttributeError(f"A masked array has no attribute `{name}`.")
        raise TypeError(refusal(f"`{name}`"))

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in _ASSIGNED:
            raise TypeError(refusal(f"an assignment to `{name}`"))
        setattr(self.masked, name, value)

    def __getitem__(self, index: Any) -> Any:
        index = plain_of(index)
        y = self.plain[index]
        return y if y is np.ma.masked else made(y, self.traced[elements_of(index)], AS_THEY_ARE)

    def __setitem__(self, index: Any, value: Any) -> None:
        index = plain_of(index)
        kept = np.ma.getmaskarray(self.plain[index]).copy()
        self.masked[index] = plain_of(value)
        if value is np.ma.masked:
            return
        value, index = elements_of(value), elements_of(index)
        if self.masked.hardmask and kept.any():
            value = np.where(kept, self.traced[index], value)
        self.traced[index] = value

    def __len__(self) -> int:
        return len(self.masked)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __bool__(self) -> bool:
        return bool(self.plain)

    def __contains__(self, item: Any) -> bool:
        return plain_of(item) in self.plain

    def __repr__(self) -> str:
        return repr(self.plain)

    def __copy__(self) -> Any:
        return METHODS["copy"](self)

    def __deepcopy__(self, memo: Any) -> Any:
        return METHODS["copy"](self)

    def __matmul__(self, other: Any) -> Any:
        return elementwise(operator.matmul, operator.matmul, self, other)

    __rmatmul__ = __matmul__

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        place = place_in_program(sys._getframe(1))
        raise TypeError(
            f"A masked array was about to become an array{place}, which would lose its mask and the "
            "derivative: write `x.filled(0.0)`, `x.compressed()`, or `x.data` for all elements."
        )

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return called_with_masked(ufunc, method, inputs, options)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        if function in _ASKING:
            return function(*map(plain_of, args), **kwargs)
        own = OF_NUMPY.get(function)
        if own is not None:
            return own(*args, **kwargs)
        method = _BY_METHODS.get(function.__name__)
        if method is not None and isinstance(args[0], TracedMasked):
            return getattr(args[0], method)(*args[1:], **kwargs)
        name, place = function.__name__, place_in_program(sys._getframe(1))
        raise TypeError(
            f"`np.{name}` was called with a masked array{place}, and knows nothing of masks: write "
            f"`np.ma.{name}`, if there is one, or give it `x.filled(0.0)` or `x.compressed()`."
        )


MASKED = (TracedMasked, np.ma.MaskedArray)


def lifted(x: Any) -> TracedMasked:
    """A number or an array as a masked array."""
    if isinstance(x, TracedMasked):
        return x
    if isinstance(x, np.ma.MaskedArray):
        return TracedMasked(np.ma.getdata(x), x)
    return TracedMasked(x, np.ma.array(primal_of(x), copy=True))


def plain_of(x: Any) -> Any:
    """The values alone, those of masked arrays with their masks; in lists and tuples too."""
    if isinstance(x, TracedMasked):
        return x.plain
    return type(x)(map(plain_of, x)) if x.__class__ in {list, tuple} else primal_of(x)


def elements_of(x: Any) -> Any:
    """The elements of a masked array, those that are masked included; in lists and tuples too."""
    if x.__class__ in {list, tuple}:
        return type(x)(map(elements_of, x))
    return lifted(x).traced if isinstance(x, MASKED) else x


def made(plain: Any, traced: Any, operands: Any = ()) -> Any:
    """What `numpy.ma` returns: a masked array, an array, a number, or a constant, which `numpy.ma.masked` is.

    Parameters
    ----------
    plain
        What it returned for the values.
    traced
        The elements; what is masked in them may be anything.
    operands
        The elements that it was computed from, if these have the shape of the result, or repeat to it.
    """
    if _is_constant(plain):
        return plain
    if isinstance(plain, np.ma.MaskedArray):
        mask = np.ma.getmaskarray(plain)
        if operands is not AS_THEY_ARE and mask.any():
            traced = np.where(mask, _behind(plain, mask, operands or (traced,)), traced)
        if not contains_carrier(traced):
            return plain
    if np.result_type(primal_of(traced)) != plain.dtype:
        traced = traced.astype(plain.dtype)
    return TracedMasked(traced, plain) if isinstance(plain, np.ma.MaskedArray) else traced


def _is_constant(plain: Any) -> bool:
    """Whether something is no real or complex number that is not masked, nor an array of such numbers."""
    return plain is np.ma.masked or getattr(plain, "dtype", np.dtype(bool)).kind not in "fc"


def _behind(plain: Any, mask: Any, operands: Any) -> Any:
    """What is behind a mask: what `numpy.ma` put there, with the derivative of the first operand, or NaN."""
    data, first = np.ma.getdata(plain), np.broadcast_to(plain_of(operands[0]), np.shape(plain))
    if np.array_equal(first[mask], data[mask], equal_nan=True):
        return operands[0]
    parts = [part for x in operands for part in (np.real(x), np.imag(x))]
    return functools.reduce(operator.add, map(unknown_slope, parts), data)


def refusal(met: str) -> str:
    """The message where something is met that is not differentiated."""
    return f"A masked array met {met}{place_in_program(sys._getframe(2))}. {INSTEAD}"


# --- Elementwise --------------------------------------------------------------------------------------------

# In the place of what is masked, functions are given a number at which they have derivatives.
_INSIDE: dict[Any, float] = {np.arccosh: 1.5}
# Operators that are given here, too.
_NOT_ELEMENTWISE = frozenset({operator.matmul, divmod})
# Of real numbers these are constant between their steps.
_STEPS = frozenset({np.sign, np.floor, np.ceil, np.trunc, np.rint})


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
    if f in _NOT_ELEMENTWISE:
        raise TypeError(refusal(f"`{f.__name__}`"))
    if isinstance(f, np.ufunc) and len(operands) != f.nin:
        raise TypeError(refusal(f"`np.ma.{f.__name__}` with {len(operands)} arguments"))
    plain = masking(*map(plain_of, operands), **options)
    if _is_constant(plain) or (f in _STEPS and plain.dtype.kind == "f"):
        return plain
    elements, mask = list(map(elements_of, operands)), np.ma.getmaskarray(plain)
    if not mask.any():
        return made(plain, f(*elements, **options))
    safe = [_outside(mask, x, _INSIDE.get(f, 0.5)) for x in elements]
    return made(plain, f(*safe, **options), elements)


def _outside(mask: Any, x: Any, inside: float) -> Any:
    """Elements, with a constant in the place of what is masked in the result."""
    value = primal_of(x)
    return np.where(mask, inside, x) if isinstance(value, np.ndarray) and value.dtype.kind in "fc" else x


def called_with_masked(ufunc: Any, method: str, inputs: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """Call a ufunc, one of whose arguments is a masked array."""
    if (
        method != "__call__"
        or not options.keys() <= {"dtype"}
        or ufunc.nout != 1
        or ufunc.signature is not None
    ):
        called = ufunc.__name__ if method == "__call__" else f"{ufunc.__name__}.{method}"
        raise TypeError(refusal(f"`np.{called}`" + (" with keywords" if options else "")))
    return elementwise(functools.partial(ufunc, **options), ufunc, *inputs)


# --- Operators ----------------------------------------------------------------------------------------------


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


def _unary(name: str, f: Callable[..., Any]) -> None:
    setattr(TracedMasked, f"__{name}__", lambda self: elementwise(f, f, self))


def _comparison(name: str) -> None:
    f = getattr(operator, name)
    setattr(TracedMasked, f"__{name}__", lambda self, other: f(self.plain, plain_of(other)))


OPERATORS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow")
COMPARISONS = ("lt", "le", "gt", "ge", "eq", "ne")
for _name in OPERATORS:
    _operator(_name)
for _name in ("neg", "pos", "abs"):
    _unary(_name, getattr(operator, _name))
for _name in COMPARISONS:
    _comparison(_name)
