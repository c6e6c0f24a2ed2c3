"""Tracing the result of an operation: a number, an array, several in a container, an object made of them."""

import types
from numbers import Complex, Rational
from typing import Any

import numpy as np

from chainrules.ad.traced.hiding import hidden_numbers
from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS
from chainrules.ad.traced.traced_classes import traced_value
from chainrules.ad.traced.tracing import is_differentiable, is_traced_by
from chainrules.ad.values.repeated_instances import is_instance
from chainrules.ad.values.structures import has_parts, holds, parts_of, with_parts, within
from chainrules_core import AbstractZero, describe_callee, frule, is_bare_iterator, rrule

# Parts of many results, such as those of solvers, that are never traced.
_CONSTANTS = frozenset({bool, str, type(None)})


def traced_result(f: Any, y: Any, record: Any, trace: Any, holders: tuple[int, ...] = ()) -> Any:
    """Trace the result of a function, or each part of it.

    Parameters
    ----------
    f
        The function.
    y
        Its result.
    record
        The record of the result: a node or a tangent.
    trace
        The differentiation.
    holders
        The values with parts that hold this one: see `within`.

    Returns
    -------
    object
        A result without derivative, such as an integer, stays as it is.

    Raises
    ------
    TypeError
        If the derivative would be lost, or the result holds itself.
    """
    if y.__class__ in _CONSTANTS:
        return y
    if isinstance(y, np.ndarray) and y.dtype.kind in "OV":
        raise _losing_array(f, y)
    if isinstance(record, AbstractZero):
        _refuse_unknown_number(f, y)
        return y
    if is_differentiable(y):
        if is_traced_by(y, trace):
            raise _hidden_value(f)
        return traced_value(y, record, trace)
    if _is_integer(y):
        _refuse_lost_derivative(f, y, record, trace)
        return y
    _refuse_unknown_number(f, y)
    if isinstance(y, Complex) and not isinstance(y, Rational):
        raise _number_of_others(f, y)
    if not has_parts(y) or (is_instance(y) and _has_rules(y)):
        return _traced_as_a_whole(f, y, record, trace)
    parts, holders = parts_of(y), within(y, holders)
    results = {
        key: traced_result(f, part, trace.record_of_part(record, y, key, len(parts)), trace, holders)
        for key, part in parts.items()
    }
    return with_parts(y, results) if any(results[key] is not parts[key] for key in parts) else y


def _is_integer(y: Any) -> bool:
    cls = y.__class__
    return cls is int or (isinstance(y, np.ndarray | np.integer) and y.dtype.kind in "iu")


def _refuse_unknown_number(f: Any, y: Any) -> None:
    """Raise if the result is a number of a dtype that is not NumPy's, such as bfloat16."""
    if isinstance(y, np.generic) and y.dtype.kind == "V" and y.dtype.names is None:
        raise _losing_array(f, y)


def _refuse_lost_derivative(f: Any, y: Any, record: Any, trace: Any) -> None:
    """Raise if the rule of somebody else has an integer as its result, and a derivative of it: ``int(y)``."""
    if not RULED_BY_OTHERS.of(f):
        return
    rules = frule if trace.mode == "forward" else rrule
    others = rules.methods_of_others(f, "chainrules")
    if others and trace.has_derivative(record, np.ones_like(y, dtype=float)[()]):
        raise TypeError(
            f"{describe_callee(f)} was called with a traced value, and its rule returned an integer with a "
            "derivative, which would be lost: integers have none. Let the rule return a float, as the "
            "function does; or declare a function of counts by `non_differentiable`. The rule is "
            f"{' or '.join(f'{method.name} ({method.location})' for method in others)}."
        )


def _has_rules(y: Any) -> bool:
    """Whether calls of an object or of its methods have rules, which would not serve it taken apart."""
    methods = (member for cls in type(y).__mro__ for member in vars(cls).values())
    functions = (member for member in methods if isinstance(member, types.FunctionType))
    return any(rrule.methods(callee) or frule.methods(callee) for callee in (y, *functions))


def _traced_as_a_whole(f: Any, y: Any, record: Any, trace: Any) -> Any:
    """Trace an object by its attributes; one without numbers is a constant."""
    if is_instance(y):
        return traced_value(y, record, trace) if holds(y, is_differentiable) else y
    hidden = hidden_numbers(y)
    if hidden is None and not is_bare_iterator(y):
        return y
    if hidden is None or hidden.attribute is None:
        raise TypeError(
            f"{describe_callee(f)} was called with a traced value, and its result is a {type(y).__name__}, "
            "in which the derivative would be lost. Let it return a list or a tuple, and its rule too."
        )
    return traced_value(y, record, trace)


def _losing_array(f: Any, y: np.ndarray | np.generic) -> TypeError:
    if y.dtype.kind == "O":
        elements, instead = "objects", "Give it arrays of numbers: `a.astype(float)`."
    elif y.dtype.names is not None:
        elements, instead = "records", "Write an array for each field."
    else:  # bfloat16, from another package
        elements, instead = f"{y.dtype.name}, which rules do not know as numbers", "Use `np.float32` instead."
    return TypeError(
        f"{describe_callee(f)} was called with a traced value, and its result is an array of {elements}, in "
        f"which the derivative would be lost. {instead}"
    )


def _number_of_others(f: Any, y: Any) -> TypeError:
    return TypeError(
        f"{describe_callee(f)} was called with a traced value, and its result is a number of the class "
        f"{type(y).__name__}, of which rules know nothing: the derivative would be lost. Give it `float(y)`."
    )


def _hidden_value(f: Any) -> TypeError:
    return TypeError(
        f"The rule of {describe_callee(f)} met a traced value that was not among its arguments, so that the "
        "derivative by it would be lost: a global variable, or a value in an object that is not looked into. "
        "Pass it as an argument."
    )
