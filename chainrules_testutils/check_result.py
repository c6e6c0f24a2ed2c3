"""Comparing tangents of any types: every difference is a `Check` that says where it is.

Zeros compare with zeros of any type, thunks by their values, structural tangents field by field, also with
values that have the same fields. Raw tuples, lists and dicts are no structural tangents.
"""

# ruff: noqa: PT028 - `test_approx` is not a test of pytest's

import numbers
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from chainrules_core import (
    AbstractThunk,
    AbstractZero,
    NotImplementedTangent,
    StructuralTangent,
    unthunk,
)
from chainrules_core.fields import backing, field_names
from chainrules_testutils.parts import is_sparse
from chainrules_testutils.precision import Tolerance, tolerance_for
from chainrules_testutils.report import Check, Outcome, Report
from chainrules_testutils.to_vec import is_structure

_NUMBERS = "fciub"


def test_approx(
    actual: Any, expected: Any, msg: str = "", *, rtol: float | None = None, atol: float | None = None
) -> Report:
    """Check that two tangents, or two primals, are approximately equal.

    Parameters
    ----------
    actual, expected
        What is compared: numbers, arrays, tangents of any type, nested values.
    msg
        What it is, for messages.
    rtol, atol
        The tolerances; by default 1e-9 in double precision and 1e-4 in single.

    Returns
    -------
    Report
        With one check for each number or array compared.

    Raises
    ------
    RuleTestError
        If they differ; it lists every difference with its place.
    """
    report = Report(f"test_approx: {msg}" if msg else "test_approx")
    tolerance = tolerance_for((actual, expected), rtol, atol)
    report.checks.extend(compared(actual, expected, msg or "value", tolerance))
    report.raise_failures()
    return report


test_approx.__test__ = False  # type: ignore[attr-defined]  # for pytest


def compared(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    """The checks that `actual` is close to `expected`."""
    while isinstance(actual, AbstractThunk) or isinstance(expected, AbstractThunk):
        actual, expected = unthunk(actual), unthunk(expected)
    if isinstance(actual, NotImplementedTangent) or isinstance(expected, NotImplementedTangent):
        yield _compared_not_implemented(actual, expected, where)
    elif isinstance(actual, AbstractZero) or isinstance(expected, AbstractZero):
        yield from _compared_zero(actual, expected, where, tolerance)
    elif isinstance(actual, StructuralTangent) or isinstance(expected, StructuralTangent):
        yield from _compared_structural(actual, expected, where, tolerance)
    elif _is_numeric(actual) and _is_numeric(expected):
        yield _compared_numbers(_dense(actual), _dense(expected), where, tolerance)
    else:
        yield from _compared_values(actual, expected, where, tolerance)


def _compared_not_implemented(actual: Any, expected: Any, where: str) -> Check:
    if isinstance(actual, NotImplementedTangent) and isinstance(expected, NotImplementedTangent):
        if actual == expected:
            return passed(where)
        return failed(where, f"two different derivatives are not implemented: {actual!r}, {expected!r}")
    missing = actual if isinstance(actual, NotImplementedTangent) else expected
    return Check(where, Outcome.BROKEN, f"{where}: {missing.error()}")


def _compared_zero(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    if isinstance(actual, AbstractZero) and isinstance(expected, AbstractZero):
        yield passed(where)
        return
    other = expected if isinstance(actual, AbstractZero) else actual
    if isinstance(other, StructuralTangent) or _is_item_array(other):
        for name, field in _items(other):
            pair = (actual, field) if other is expected else (field, expected)
            yield from compared(*pair, _below(where, other, name), tolerance)
    elif other is None or isinstance(other, str | bool | np.bool_):
        yield passed(where) if other is expected else failed(where, f"{other!r} is no tangent")
    elif _is_numeric(other):
        zero = np.zeros_like(_dense(other))
        pair = (zero, _dense(other)) if other is expected else (_dense(other), zero)
        check = _compared_numbers(*pair, where, tolerance)
        shown = repr(actual if other is expected else expected)
        if check.outcome is Outcome.FAILED:
            check = failed(where, f"{shown} where the other is not zero", check.message.partition("\n")[2])
        yield check
    elif is_structure(other):
        yield from _compared_zero_structure(actual, expected, where, tolerance)
    else:
        yield failed(where, f"{_short(actual)} cannot be compared with {_short(expected)}")


def _compared_zero_structure(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    other = expected if isinstance(actual, AbstractZero) else actual
    if other is actual and isinstance(other, tuple | list | dict):
        yield failed(where, no_raw_container(other))
        return
    for name in field_names(other):
        field = backing(other)[name]
        pair = (actual, field) if other is expected else (field, expected)
        yield from compared(*pair, _below(where, other, name), tolerance)


def _compared_structural(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    for side in (actual, expected):
        if isinstance(side, tuple | list | dict):
            yield failed(where, no_raw_container(side))
            return
    if isinstance(actual, StructuralTangent) and isinstance(expected, StructuralTangent):
        if _primal(actual) is not _primal(expected):
            yield failed(where, f"a {type(actual).__name__} where a {type(expected).__name__} belongs")
            return
        names = list(dict.fromkeys([*expected.keys(), *actual.keys()]))
        if isinstance(backing(actual), tuple) and len(actual) != len(expected):
            yield failed(where, f"{len(actual)} items, expected {len(expected)}")
            return
    else:
        structural, other = (
            (actual, expected) if isinstance(actual, StructuralTangent) else (expected, actual)
        )
        names = list(structural.keys())
        missing = [name for name in names if name not in field_names(other)]
        if missing:
            yield failed(where, f"{_short(actual)} cannot be compared with {_short(expected)}")
            return
    if not names:
        yield passed(where)
    for name in names:
        yield from compared(
            _item(actual, name), _item(expected, name), _below(where, expected, name), tolerance
        )


def _compared_values(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    if isinstance(actual, np.ndarray) and isinstance(expected, np.ndarray) and _is_item_array(expected):
        if actual.shape != expected.shape:
            yield failed(where, f"shape {actual.shape}, expected {expected.shape}")
            return
        for index in np.ndindex(expected.shape):
            yield from compared(actual[index], expected[index], f"{where}, index {index}", tolerance)
    elif type(actual) is type(expected) and is_structure(expected):
        names = field_names(expected)
        if field_names(actual) != names:
            yield failed(where, f"fields {field_names(actual)}, expected {names}")
            return
        for name in names:
            items = backing(actual)[name], backing(expected)[name]
            yield from compared(*items, _below(where, expected, name), tolerance)
    elif isinstance(actual, tuple | list | dict) and not isinstance(expected, tuple | list | dict):
        yield failed(where, no_raw_container(actual))
    else:
        yield passed(where) if _equal(actual, expected) else failed(where, *_both(actual, expected))


def _compared_numbers(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Check:
    if actual.shape != expected.shape:
        return failed(
            where, f"shape {actual.shape}, expected {expected.shape}{_hint_of_shape(actual, expected)}"
        )
    close = tolerance.allows(actual, expected)
    if np.all(close):
        return passed(where)
    differences = np.where(close, -1.0, np.abs(actual - expected))
    index = np.unravel_index(np.argmax(np.nan_to_num(differences, nan=np.inf)), actual.shape)
    a, b = actual[index], expected[index]
    if actual.shape:
        where = f"{where}, index {tuple(map(int, index))}"
    error, scale = abs(a - b), max(abs(a), abs(b))
    lines = [
        f"actual   {_number(a)}",
        f"expected {_number(b)}",
        f"abs error {error:.1e}, rel error {error / scale:.1e} (allowed: {tolerance})",
    ]
    if actual.size > 1:
        lines.append(f"{np.count_nonzero(~close)} of {actual.size} elements differ; this is the worst")
    return failed(where, "wrong value", *lines)


def _hint_of_shape(actual: Any, expected: Any) -> str:
    if actual.ndim > expected.ndim:
        return ": sum over the axes that the primal broadcast"
    if actual.shape == expected.shape[::-1]:
        return ": transposed?"
    return ""


# --- Shared with the testers ---------------------------------------------------------------------


def passed(where: str) -> Check:
    """A check that passed."""
    return Check(where, Outcome.PASSED)


def failed(where: str, problem: str, *details: str, error: BaseException | None = None) -> Check:
    """A check that failed: one line that says what is wrong, more that show it."""
    return Check(where, Outcome.FAILED, "\n".join([f"{where}: {problem}", *map(str, details)]), error)


def no_raw_container(x: Any) -> str:
    """For messages: a raw container stands where a structural tangent belongs."""
    kind = type(x).__qualname__
    return f"a raw {kind} is no tangent: for structural differentials use `Tangent`, Tangent[{kind}](...)"


# --- Small things --------------------------------------------------------------------------------


def _primal(tangent: Any) -> Any:
    return tangent.__tangent_primal__()


def _is_item_array(x: Any) -> bool:
    return isinstance(x, np.ndarray) and x.dtype.kind not in _NUMBERS


def _items(x: Any) -> list[tuple[Any, Any]]:
    if isinstance(x, StructuralTangent):
        return [(name, x[name]) for name in x.keys()]  # noqa: SIM118 - a tangent iterates over its values
    return [(index, x[index]) for index in np.ndindex(x.shape)]


def _item(x: Any, name: Any) -> Any:
    return x[name] if isinstance(x, StructuralTangent | tuple | list | dict) else backing(x)[name]


def _below(where: str, owner: Any, name: Any) -> str:
    by_name = isinstance(name, str) and not isinstance(owner, Mapping)
    if isinstance(owner, StructuralTangent) and _primal(owner) is dict:
        by_name = False
    return f"{where}, field {name}" if by_name else f"{where}, item {name!r}"


def _is_numeric(x: Any) -> bool:
    if is_sparse(x):
        return True
    return isinstance(x, numbers.Number | np.bool_) or (
        isinstance(x, np.ndarray) and x.dtype.kind in _NUMBERS
    )


def _dense(x: Any) -> Any:
    array = np.asarray(x.toarray() if is_sparse(x) else x)
    # Differences of unsigned integers wrap, those of booleans do not exist, those of fractions are objects.
    return array if array.dtype.kind in "fc" else array.astype(np.float64)


def _equal(x: Any, y: Any) -> bool:
    if x is y:
        return True
    try:
        return bool(np.all(x == y))
    except Exception:  # noqa: BLE001 - whatever a foreign `==` raises, the two are not known to be equal
        return False


def _both(actual: Any, expected: Any) -> tuple[str, str, str]:
    return "not equal", f"actual   {_short(actual)}", f"expected {_short(expected)}"


def _short(x: Any) -> str:
    text = " ".join(repr(x).split())
    return text if len(text) <= 70 else f"{text[:67]}..."


def _number(x: Any) -> str:
    return repr(x.item())
