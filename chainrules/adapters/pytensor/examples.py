"""The types of a function's results, found by example: PyTensor asks for them before there are any values.

A function over NumPy says nothing of the shapes and dtypes that it returns. So it is called with random
arrays of the shapes that its arguments have, twice: with other values, and other sizes where these are
unknown. What is the same both times is taken to be so always; it is checked whenever the function runs.
"""

import itertools
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from pytensor.compile.sharedvalue import SharedVariable
from pytensor.graph.basic import Constant, Variable
from pytensor.tensor.type import TensorType

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.example_matrices import positive_definite
from chainrules.adapters.flat_functions import FlatFunction, Outcome


class Style(NamedTuple):
    """How values are made.

    Attributes
    ----------
    low, high
        The range of real numbers.
    regular
        Whether vectors are sorted, and square matrices symmetric and positive definite: many functions take
        no others, and none minds.
    integer
        The value of integers: sizes, orders, indices.
    current
        Whether shared variables have the values that they have.
    """

    low: float
    high: float
    regular: bool
    integer: int
    current: bool = False


_FIRST = Style(0.25, 0.75, regular=True, integer=1)
# Of both signs, which tells results from others whose shape depends on values, such as ``x[x > 0]``.
_OTHER = Style(-1.0, 1.0, regular=False, integer=0)
_SIMILAR = Style(0.3, 0.9, regular=True, integer=2)
_CURRENT = Style(0.25, 0.75, regular=True, integer=1, current=True)

_MOST_ATTEMPTS = 60

Sizes = tuple[int, ...]


class Results(NamedTuple):
    """What is known of the results of a function before there are values.

    Attributes
    ----------
    types
        The type of each array.
    outcome
        What the function returned in an example, in its containers.
    """

    types: list[TensorType]
    outcome: Outcome


def results_by_example(function: FlatFunction, inputs: Sequence[Variable]) -> Results:
    """Find the types of a function's results.

    Raises
    ------
    AdapterError
        If the function fails in every example, or returns what cannot be a tensor.
    """
    unknown = sum(size is None for x in inputs for size in x.type.shape)
    errors: list[Exception] = []
    for sizes, style in itertools.islice(_attempts(inputs, unknown), _MOST_ATTEMPTS):
        outcome = _example(function, inputs, sizes, style, errors)
        if outcome is None:
            continue
        other = _other_example(function, inputs, sizes, style, errors)
        types = [_type(function, y, None) for y in outcome.arrays]
        if other is not None and len(other.arrays) == len(types):
            types = [_type(function, *pair) for pair in zip(outcome.arrays, other.arrays, strict=True)]
        return Results(types, outcome)
    raise _failure(function, inputs, errors)


_ADVICE = (
    "If it takes other shapes only, let variables have these static shapes, such as "
    "`pytensor.tensor.tensor(shape=(3, 4))`. If it takes other values only, let it return NaN for the rest "
    "and not fail, or give it `pytensor.shared(x)`, whose value is tried too. Constants may be NumPy arrays "
    "and numbers."
)


def _failure(function: FlatFunction, inputs: Sequence[Variable], errors: list[Exception]) -> Exception:
    """What to raise where all examples failed: what the function itself did, if that was always the same."""
    error = errors[0]
    if len({(type(e), str(e)) for e in errors}) == 1:
        error.add_note(f"It was called with random arrays to find out what it returns. {_ADVICE}")
        return error
    refusal = AdapterError(
        f"{function.name} failed with all random arrays that it was called with to find out what it returns, "
        f"at first with a {type(error).__name__}: {error}\nIts arguments are {_spelled(inputs)}. {_ADVICE}"
    )
    refusal.__cause__ = error
    return refusal


def _attempts(inputs: Sequence[Variable], unknown: int) -> Iterator[tuple[Sizes, Style]]:
    """Sizes in the places of unknown ones, and styles; a function is called until it does not fail.

    All sizes are equal at first, so that arrays fit each other.
    """
    known = sorted({size for x in inputs for size in x.type.shape if size is not None and size > 1})
    equal = dict.fromkeys((size,) * unknown for size in (3, 4, *known, 5, 2, 1))  # without unknown ones: ()
    for sizes in equal:
        for style in (_FIRST, _OTHER, _SIMILAR):
            yield sizes, style
    if any(isinstance(x, SharedVariable) for x in inputs):
        for sizes in equal:
            yield sizes, _CURRENT
    if unknown > 1:
        for sizes in itertools.product((3, 4, 2), repeat=unknown):
            yield sizes, _FIRST


def _other_example(
    function: FlatFunction, inputs: Sequence[Variable], sizes: Sizes, style: Style, errors: list[Exception]
) -> Outcome | None:
    """What the function returns for other values, integers and sizes; `None` where no others fit."""
    if style.current and any(isinstance(x, SharedVariable) and None in x.type.shape for x in inputs):
        return None
    for other_sizes in dict.fromkeys(tuple(size + step for size in sizes) for step in (1, 2, 3)):
        for other in (_OTHER, _SIMILAR, _FIRST):
            if other.integer != style.integer:
                outcome = _example(function, inputs, other_sizes, other, errors)
                if outcome is not None:
                    return outcome
    return None


def _example(
    function: FlatFunction, inputs: Sequence[Variable], sizes: Sizes, style: Style, errors: list[Exception]
) -> Outcome | None:
    rng = np.random.default_rng(style.integer)
    rest = iter(sizes)
    arrays = [
        _random(x, [next(rest) if size is None else size for size in x.type.shape], style, rng)
        for x in inputs
    ]
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return function.value(arrays)
    except AdapterError:  # of a result that cannot be a tensor
        raise
    except Exception as error:  # noqa: BLE001 - whatever a function raises that cannot take these values
        errors.append(error)
        return None


def _random(x: Variable, shape: list[int], style: Style, rng: np.random.Generator) -> Any:
    """A value for a variable: an array, or a NumPy scalar in the place of one without axes."""
    if isinstance(x, Constant):
        return np.array(x.data)[()]
    if style.current and isinstance(x, SharedVariable):
        return np.array(x.get_value())[()]
    dtype = np.dtype(x.type.dtype)
    if dtype.kind not in "fc":
        return np.full(shape, style.integer % 2 if dtype.kind == "b" else style.integer, dtype)[()]
    value = np.asarray(rng.uniform(style.low, style.high, shape))
    imaginary = rng.uniform(-0.1, 0.1, shape)
    if style.regular and shape:
        value = np.sort(value)
        matrices = positive_definite(value)
        if matrices is not value:
            value, imaginary = matrices, imaginary - np.swapaxes(imaginary, -1, -2)
    return (value + 1j * imaginary if dtype.kind == "c" else value).astype(dtype)[()]


def _type(function: FlatFunction, y: Any, other: Any) -> TensorType:
    """The type of a result: what two examples have in common, and without another one no static size."""
    y = np.asarray(y)
    dtype, shape = y.dtype, (None,) * y.ndim
    if other is not None:
        other = np.asarray(other)
        if y.ndim == other.ndim:
            shape = tuple(m if m == n else None for m, n in zip(y.shape, other.shape, strict=True))
        if other.dtype.kind != "c":  # a function may be complex outside of its domain
            dtype = np.result_type(dtype, other.dtype)
    try:
        return TensorType(dtype.name, shape)
    except TypeError as error:
        raise AdapterError(
            f"{function.name} returned an array of {dtype}, which PyTensor does not have."
        ) from error


def _spelled(inputs: Sequence[Variable]) -> str:
    return ", ".join(f"{x.type.dtype}{list(x.type.shape)}".replace("None", "?") for x in inputs) or "none"
