"""Comparing tangents of any types: every difference is a `Check` that says where it is.

Zeros compare with zeros of any type, thunks by their values, structural tangents field by field, also with
values that have the same fields. Raw tuples, lists and dicts are no structural tangents, but may be fields of
a value that is a natural tangent. Structured arrays compare with arrays of any kind by all their elements,
and with their structural cotangents as `to_natural` says.
"""

# ruff: noqa: PT028 - `test_approx` is not a test of pytest's

import numbers
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

from chainrules_core import (
    AbstractTangent,
    AbstractZero,
    NotImplementedTangent,
    StructuralTangent,
    ZeroTangent,
    declared_fields,
    describe_value,
    not_implemented,
    to_natural,
    unthunk_fully,
)
from chainrules_core.structured import StructuredArray
from chainrules_testutils.advice.report import Check, Outcome, Report, failed, passed, short
from chainrules_testutils.comparing.number_comparison import compared_numbers, is_numeric
from chainrules_testutils.values.parts import CONTAINERS, parts
from chainrules_testutils.values.precision import Tolerance, tolerance_for
from chainrules_testutils.values.tangent_to_vec import structural_tangent

_UNPERTURBABLE = (str, bytes, bool, np.bool_, type(None))


def test_approx(
    actual: Any, expected: Any, msg: str = "", *, rtol: float | None = None, atol: float | None = None
) -> Report:
    """Check that two tangents, or two primals, are approximately equal.

    Parameters
    ----------
    actual, expected
        The two values: numbers, arrays, tangents of any type, nested values.
    msg
        The name of the value in messages.
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
    __tracebackhide__ = True  # pytest points at the test, not here
    report.raise_failures()
    return report


test_approx.__test__ = False  # type: ignore[attr-defined]  # for pytest


def compared(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    """The checks that `actual` is close to `expected`: at least one."""
    actual, expected = unthunk_fully(actual), unthunk_fully(expected)
    either = (actual, expected)
    if _is_usual(actual) and _is_usual(expected):
        yield compared_numbers(actual, expected, where, tolerance)
    elif any(isinstance(x, NotImplementedTangent) for x in either):
        yield _compared_not_implemented(actual, expected, where)
    elif any(isinstance(x, AbstractZero) for x in either):
        yield from _compared_zero(actual, expected, where, tolerance)
    elif any(isinstance(x, StructuralTangent) for x in either):
        yield from _compared_structural(actual, expected, where, tolerance)
    elif is_numeric(actual) and is_numeric(expected):
        yield compared_numbers(actual, expected, where, tolerance)
    else:
        yield from _compared_values(actual, expected, where, tolerance)


def _is_usual(x: Any) -> bool:
    """Whether `x` is a number or an array of numbers, as most of what is compared; it holds nothing else."""
    return isinstance(x, np.ndarray | float) and is_numeric(x)


_TAKE_APART = "a cotangent of several results has parts: take them, `y_bar[0]`, and compute with those"


def _compared_not_implemented(actual: Any, expected: Any, where: str) -> Check:
    if not (isinstance(actual, NotImplementedTangent) and isinstance(expected, NotImplementedTangent)):
        missing = actual if isinstance(actual, NotImplementedTangent) else expected
        return Check(where, Outcome.BROKEN, f"{where}: {missing.error()}")
    if actual == expected:
        return passed(where)
    return failed(where, "two different derivatives are not implemented", actual.error(), expected.error())


def _compared_zero(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    zero, other = (actual, expected) if isinstance(actual, AbstractZero) else (expected, actual)
    if isinstance(other, AbstractZero):
        yield passed(where)
    elif is_numeric(other) and not isinstance(other, bool | np.bool_):
        if compared_numbers(other, 0 * other, where, tolerance).outcome is Outcome.PASSED:
            yield passed(where)
        else:
            _, *lines = _not_equal(actual, expected)
            yield failed(where, f"{zero!r} where the other is not zero", *lines)
    elif other is actual and isinstance(other, (*CONTAINERS, *_UNPERTURBABLE)):
        yield failed(where, no_tangent(other))
    elif parts(other):
        yield from _compared_parts(
            dict.fromkeys(parts(other), actual) if other is expected else _tangent_parts(other),
            _tangent_parts(other) if other is expected else dict.fromkeys(parts(other), expected),
            other,
            where,
            tolerance,
        )
    else:
        yield passed(where)  # a tangent without fields, an empty container, something without a derivative


def _compared_structural(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    if container := next((x for x in (actual, expected) if isinstance(x, CONTAINERS)), None):
        wanted = _primal(expected) if isinstance(expected, StructuralTangent) else None
        yield failed(where, no_tangent(container, wanted))
        return
    both = isinstance(actual, StructuralTangent) and isinstance(expected, StructuralTangent)
    if both and _primal(actual) is not _primal(expected):
        is_above = issubclass(_primal(expected), _primal(actual))
        advice = ": write `Tangent[type(x)](...)`, which is right for classes below too" if is_above else ""
        yield failed(where, f"a {type(actual).__name__} where a {type(expected).__name__} belongs{advice}")
        return
    structural, other = (actual, expected) if isinstance(actual, StructuralTangent) else (expected, actual)
    if not both and issubclass(_primal(structural), StructuredArray) and is_numeric(other):
        yield _compared_forms(structural, other, structural is actual, where, tolerance)
        return
    if not both and any(name not in parts(other) for name in parts(structural)):
        if is_numeric(actual) and isinstance(expected, StructuralTangent):
            yield failed(
                where, f"{short(actual)} has no fields: write {short(expected)}, with its own values"
            )
        elif is_numeric(expected):
            yield failed(where, f"a {type(actual).__name__} for a {describe_value(expected)}: {_TAKE_APART}")
        else:
            yield failed(where, *_not_equal(actual, expected))
        return
    if isinstance(backing := structural.__tangent_backing__, tuple) and len(parts(other)) != len(backing):
        yield failed(where, f"{len(parts(actual))} items, expected {len(parts(expected))}")
        return
    parts_of_actual, parts_of_expected = _tangent_parts(actual), _tangent_parts(expected)
    properties = [
        name
        for name in parts_of_actual.keys() - parts_of_expected.keys()
        if isinstance(getattr(_primal(structural), str(name), None), property)
    ]
    if properties:
        kind = _primal(structural).__name__
        names = f"{_listed_names(properties)}, but {_listed_names(parts_of_expected)}"
        yield failed(where, f"{kind} has no field {names}: a property is computed from fields")
        return
    yield from _compared_parts(parts_of_actual, parts_of_expected, expected, where, tolerance)


def _compared_forms(
    structural: Any, other: Any, structural_is_actual: bool, where: str, tolerance: Tolerance
) -> Check:
    """The comparison of the two forms of a cotangent of a structured array."""
    kind = _primal(structural)
    names = declared_fields(kind) or ()
    fields = [structural[name] for name in names if name != "uplo"]
    if isinstance(other, kind):
        primal = other
    elif "uplo" in names or any(isinstance(field, AbstractZero) for field in fields):
        problem = f"a {type(structural).__name__} does not say all about its primal"
        return failed(where, f"{problem}; compare its natural form, `to_natural(x, x_bar)`.")
    else:
        primal = kind(*fields)
    natural = to_natural(primal, structural)
    actual, expected = (natural, other) if structural_is_actual else (other, natural)
    return compared_numbers(actual, expected, where, tolerance)


def _tangent_parts(x: Any) -> dict[Any, Any]:
    """The parts of a tangent; the containers in a natural one are containers of tangents."""
    is_natural = not isinstance(x, (StructuralTangent, np.ndarray, *CONTAINERS))
    return {name: _wrapped(part) for name, part in parts(x).items()} if is_natural else parts(x)


def _wrapped(part: Any) -> Any:
    if not isinstance(part, CONTAINERS):
        return part
    return structural_tangent(part, [_wrapped(item) for item in parts(part).values()])


def _compared_parts(
    actual: dict[Any, Any], expected: dict[Any, Any], owner: Any, where: str, tolerance: Tolerance
) -> Iterator[Check]:
    names = list(dict.fromkeys([*expected, *actual]))
    if not names:
        yield passed(where)
    for name in names:
        below = f"{where}, {_breadcrumb(owner, name)}"
        # A field that a tangent does not give is zero.
        yield from compared(
            actual.get(name, ZeroTangent()), expected.get(name, ZeroTangent()), below, tolerance
        )


def _compared_values(actual: Any, expected: Any, where: str, tolerance: Tolerance) -> Iterator[Check]:
    are_arrays = isinstance(actual, np.ndarray) and isinstance(expected, np.ndarray)
    if are_arrays and {actual.dtype.kind, expected.dtype.kind} & {"O"}:
        actual, expected = actual.astype(object), expected.astype(object)
    below, expected_below = parts(actual), parts(expected)
    if are_arrays and actual.shape != expected.shape:
        yield failed(where, f"shape {actual.shape}, expected {expected.shape}")
    elif type(actual) is type(expected) and (below or expected_below):
        if below.keys() == expected_below.keys():
            yield from _compared_parts(below, expected_below, expected, where, tolerance)
        else:
            yield failed(where, f"fields {_listed_names(below)}, expected {_listed_names(expected_below)}")
    elif (is_no_tangent(actual) or isinstance(actual, CONTAINERS)) and is_numeric(expected):
        yield failed(where, no_tangent(actual, type(expected)))
    else:
        yield passed(where) if _equal(actual, expected) else failed(where, *_not_equal(actual, expected))


def no_tangent(x: Any, primal_type: type[Any] | None = None) -> str:
    """The description, for messages, of a value that stands in the place of a tangent.

    Parameters
    ----------
    x
        The value.
    primal_type
        The class of the primal, if it is known.
    """
    if not isinstance(x, CONTAINERS):
        return f"{short(x)} is no tangent{_mend_of_value(x)}"
    problem = f"a raw {type(x).__qualname__} is no tangent"
    if primal_type is np.ndarray:
        return f"{problem}: write `np.array(...)`, or `np.stack` for a list of arrays"
    if primal_type is not None and issubclass(primal_type, numbers.Number):
        return f"{problem}: the tangent of a number is a number"
    kind = (primal_type or type(x)).__qualname__
    return f"{problem}: for structural differentials use `Tangent`, Tangent[{kind}](...)"


def is_no_tangent(x: Any) -> bool:
    """Whether a value is of a kind that no number or array has for a tangent, and is no container."""
    return isinstance(x, str | type | types.FunctionType | types.NotImplementedType)


def _mend_of_value(x: Any) -> str:
    if isinstance(x, type) and issubclass(x, AbstractTangent):
        return f": write `{x.__name__}()`, with parentheses"
    if x is not_implemented or x is NotImplemented:
        return ': write `not_implemented("why")`'
    if isinstance(x, types.FunctionType):
        return ": what is computed later is a thunk, `thunk(lambda: ...)`"
    return ""


def _primal(tangent: Any) -> Any:
    return tangent.__tangent_primal__()


def _breadcrumb(owner: Any, name: Any) -> str:
    if isinstance(owner, np.ndarray):
        return f"index {name}"
    primal = _primal(owner) if isinstance(owner, StructuralTangent) else type(owner)
    is_field = isinstance(name, str) and not issubclass(primal, dict)
    return f"field {name}" if is_field else f"item {name!r}"


def _equal(x: Any, y: Any) -> bool:
    if x is y:
        return True
    try:
        return bool(np.all(x == y))
    except Exception:  # noqa: BLE001 - whatever a foreign `==` raises, the two are not known to be equal
        return False


def _not_equal(actual: Any, expected: Any) -> tuple[str, str, str]:
    return "not equal", f"actual   {short(actual)}", f"expected {short(expected)}"


def _listed_names(names: Any) -> str:
    return ", ".join(map(str, names)) or "none"
