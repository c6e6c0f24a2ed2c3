"""Comparing numbers and arrays of numbers: one check, which tells the worst element."""

import numbers
from typing import Any

import numpy as np

from chainrules_core.structured import StructuredArray
from chainrules_testutils.advice.hints import shape_hint, value_hint
from chainrules_testutils.advice.report import Check, failed, passed
from chainrules_testutils.values.parts import is_sparse
from chainrules_testutils.values.precision import Tolerance

_NUMERIC_KINDS = "fciub"


def is_numeric(x: Any) -> bool:
    """Whether `x` is a number, or an array of numbers, sparse and structured ones included."""
    if isinstance(x, np.ndarray):
        return x.dtype.kind in _NUMERIC_KINDS
    return isinstance(x, numbers.Number | np.bool_ | StructuredArray) or is_sparse(x)


def compared_numbers(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Check:
    """The check that two numbers or arrays are close, and of one shape."""
    actual, expected = _dense(actual), _dense(expected)
    if actual.shape != expected.shape:
        hint = shape_hint(actual.shape, expected.shape)
        problem = f"shape {actual.shape}, expected {expected.shape}{hint}"
        return failed(where, problem)
    close = tolerance.allows(actual, expected)
    if close.all():
        return passed(where)
    with np.errstate(invalid="ignore"):
        errors = np.where(close, 0.0, np.abs(actual - expected))
    index = np.unravel_index(np.argmax(np.nan_to_num(errors, nan=np.inf)), actual.shape)
    a, b = actual[index].item(), expected[index].item()
    if actual.shape:
        where = f"{where}, index {tuple(map(int, index))}"
    error = abs(a - b)
    scale = max(abs(a), abs(b)) or np.nan  # a NaN beside 0 may be the smaller of the two
    lines = [
        f"actual   {a!r}",
        f"expected {b!r}",
        f"abs error {error:.1e}, rel error {error / scale:.1e} (allowed: {tolerance})",
    ]
    if actual.size > 1:
        lines.append(f"{np.count_nonzero(~close)} of {actual.size} elements differ; this is the worst")
    if explanation := value_hint(actual, expected, tolerance):
        lines.append(explanation)
    return failed(where, "wrong value", *lines)


def _dense(x: Any) -> Any:
    array = np.asarray(x.toarray() if is_sparse(x) else x)
    # Differences of unsigned integers wrap, booleans have none, and fractions have objects for them.
    return array if array.dtype.kind in "fc" else array.astype(np.float64)
