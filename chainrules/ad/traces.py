"""One differentiation of one call, backwards or forwards: what it makes of the operations on its values."""

import itertools
import types
from collections.abc import Callable, Sequence
from types import FunctionType
from typing import Any

import numpy as np

from chainrules.ad.config import CONFIG, ADConfig
from chainrules.ad.mutation import MutationGuard
from chainrules.ad.nodes import Node, Path, component, forced, next_number
from chainrules.ad.observing import Rule, observers
from chainrules.ad.structures import has_parts, parts_of, structural_tangent, with_parts
from chainrules.ad.traced_value import TRACED, TracedValue, class_of_traced
from chainrules.ad.tracing import is_differentiable
from chainrules_core import (
    NO_TANGENT,
    ZERO_TANGENT,
    AbstractZero,
    NonDifferentiablePullback,
    RuleNotFoundError,
    debug_mode,
    describe_callee,
    field_names,
    frule,
    rrule,
)

_levels = itertools.count()

# As `rrule(CONFIG, f, *values)`, in half the time where that was called before.
_remembered_rrule = rrule.remembered
_remembered_frule = frule.remembered

# Results that are traced as they are; of others it has to be found out.
_NUMBERS = frozenset({float, np.float64})

# In the place of a result: the rule opts out, and the body of the function is to be traced.
OPTED_OUT = object()


class Trace:
    """One differentiation of one call. A value that another one traces is, to this one, a constant."""

    __slots__ = ("level", "observers")

    def __init__(self) -> None:
        # A trace that begins inside another one has a greater level, and its values hold the outer ones.
        self.level = next(_levels)
        self.observers = observers()
        if debug_mode():
            self.observers = MutationGuard(), *self.observers

    def run(self, f: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any] | None = None) -> Any:
        """Call what is differentiated, with traced arguments; what it keeps of them is a constant afterwards.

        Were that still traced, what a program computes with it would be a constant to a differentiation
        around this one.
        """
        try:
            return f(*args, **(kwargs or {}))
        finally:
            self.__class__ = EndedTrace

    def call(
        self, f: Any, values: tuple[Any, ...], records: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call a function by its rule, and trace its result.

        Parameters
        ----------
        f, values, kwargs
            The function and its arguments, of which nothing is traced by this trace.
        records
            What is known of the function and of each argument: `None` for constants.

        Returns
        -------
        object
            `OPTED_OUT` if it was said that the body of the function is to be traced.

        Raises
        ------
        RuleNotFoundError
            If there is no rule.
        """
        raise NotImplementedError

    def unary(self, f: Any, x: Any, record: Any) -> Any:
        """`call` of a ufunc or an operator with one traced argument: the hot path."""
        return self.call(f, (x,), (None, record))

    def binary(self, f: Any, x: Any, y: Any, x_record: Any, y_record: Any) -> Any:
        """`call` of a ufunc or an operator with two arguments: the hot path."""
        return self.call(f, (x, y), (None, x_record, y_record))

    def _result(self, f: Any, y: Any, record: Any) -> Any:
        """Trace a result, or each of several; what has no derivative, such as an integer, stays as it is."""
        if y.__class__ is np.ndarray and y.dtype.kind == "O":
            raise _array_of_objects(f)
        if isinstance(record, AbstractZero):
            return y
        if is_differentiable(y):
            if isinstance(y, TracedValue) and y._trace is self:
                raise _hidden_value(f)
            return class_of_traced(y)(y, record, self)
        if not has_parts(y):
            return class_of_traced(y)(y, record, self) if _holds_numbers(y) else y
        parts = parts_of(y)
        results = {
            key: self._result(f, part, self._record_of_part(record, y, key, len(parts)))
            for key, part in parts.items()
        }
        return with_parts(y, results) if any(results[key] is not parts[key] for key in parts) else y

    def _record_of_part(self, record: Any, y: Any, key: Any, length: int) -> Any:
        raise NotImplementedError


class ReverseTrace(Trace):
    """A differentiation backwards: it records each operation as a node, with the pullback of its rule."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"backwards, level {self.level}"

    def call(  # noqa: D102 - as of the base class
        self, f: Any, values: tuple[Any, ...], records: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Any:
        rule = _recall(rrule.remembered, f, values) or _configured_rrule
        if self.observers:
            rule = _observed([observer.observed_rrule for observer in self.observers], rule)
        answer = rule(f, *values, **kwargs) if kwargs else rule(f, *values)
        if answer is None:
            return _without_rule(rrule, f, (f, *values))
        return self._recorded(f, answer[0], answer[1], records)

    # The checks of `call` and `_recorded` once more, in the order in which they cost least.

    def unary(self, f: Any, x: Any, record: Any) -> Any:  # noqa: D102 - as of the base class
        x_class = x.__class__
        rule = _remembered_rrule((ADConfig, f, _class_of_primal(x) if x_class is TracedValue else x_class))
        answer = None if rule is None or self.observers else rule(f, x)
        if answer is None:
            return self.call(f, (x,), (None, record))
        y, pullback = answer
        if pullback.__class__ is FunctionType:
            y_class = y.__class__
            if (
                y_class in _NUMBERS
                or (y_class is np.ndarray and y.dtype.kind in "fc")
                or (y_class is TracedValue and y._trace is not self)
            ):
                return TracedValue(y, (next_number(), (None, record), pullback), self)
        return self._recorded(f, y, pullback, (None, record))

    def binary(self, f: Any, x: Any, y: Any, x_record: Any, y_record: Any) -> Any:  # noqa: D102 - likewise
        x_class, y_class = x.__class__, y.__class__
        if x_class is TracedValue or y_class is TracedValue:
            x_class, y_class = _class_of_primal(x), _class_of_primal(y)
        rule = _remembered_rrule((ADConfig, f, x_class, y_class))
        answer = None if rule is None or self.observers else rule(f, x, y)
        if answer is None:
            return self.call(f, (x, y), (None, x_record, y_record))
        z, pullback = answer
        if pullback.__class__ is FunctionType:
            z_class = z.__class__
            if (
                z_class in _NUMBERS
                or (z_class is np.ndarray and z.dtype.kind in "fc")
                or (z_class is TracedValue and z._trace is not self)
            ):
                return TracedValue(z, (next_number(), (None, x_record, y_record), pullback), self)
        return self._recorded(f, z, pullback, (None, x_record, y_record))

    def _recorded(self, f: Any, y: Any, pullback: Any, records: tuple[Any, ...]) -> Any:
        if pullback.__class__ is NonDifferentiablePullback:
            return y  # a constant, which may go where traced values may not
        node = (next_number(), records, pullback)
        if y.__class__ in _NUMBERS or (y.__class__ is np.ndarray and y.dtype.kind in "fc"):
            return TracedValue(y, node, self)
        return self._result(f, y, node)

    def _record_of_part(self, record: Any, y: Any, key: Any, length: int) -> Node:
        cls = type(y)

        def part_pullback(part_bar: Any) -> Any:
            return None, structural_tangent(cls, length, {key: part_bar}, other=ZERO_TANGENT)

        return next_number(), (None, record), part_pullback


class ForwardTrace(Trace):
    """A differentiation forwards, in one direction: it computes the tangent of each result beside it."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"forwards, level {self.level}"

    def call(  # noqa: D102 - as of the base class
        self, f: Any, values: tuple[Any, ...], records: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Any:
        tangents = tuple(
            [
                ZERO_TANGENT
                if record is None
                else _tangent(x, record)
                if record.__class__ is list
                else record
                for x, record in zip((f, *values), records, strict=True)
            ]
        )
        return self._push(f, values, tangents, kwargs)

    def unary(self, f: Any, x: Any, record: Any) -> Any:  # noqa: D102 - as of the base class
        rule = _remembered_frule((ADConfig, f, _class_of_primal(x)))
        tangents = NO_TANGENT, record
        answer = None if rule is None or self.observers else rule(tangents, f, x)
        if answer is None:
            return self._push(f, (x,), tangents)
        y, y_dot = answer
        if y.__class__ is y_dot.__class__ is np.ndarray and y.dtype.kind in "fc":
            return TracedValue(y, y_dot, self)
        return self._moving(f, y, y_dot)

    def binary(self, f: Any, x: Any, y: Any, x_record: Any, y_record: Any) -> Any:  # noqa: D102 - likewise
        x_dot = ZERO_TANGENT if x_record is None else x_record
        y_dot = ZERO_TANGENT if y_record is None else y_record
        x_class, y_class = x.__class__, y.__class__
        if x_class is TracedValue or y_class is TracedValue:
            x_class, y_class = _class_of_primal(x), _class_of_primal(y)
        rule = _remembered_frule((ADConfig, f, x_class, y_class))
        tangents = NO_TANGENT, x_dot, y_dot
        answer = None if rule is None or self.observers else rule(tangents, f, x, y)
        if answer is None:
            return self._push(f, (x, y), tangents)
        z, z_dot = answer
        if z.__class__ is z_dot.__class__ is np.ndarray and z.dtype.kind in "fc":
            return TracedValue(z, z_dot, self)
        return self._moving(f, z, z_dot)

    def _push(
        self, f: Any, values: tuple[Any, ...], tangents: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Any:
        rule = _recall(frule.remembered, f, values) or _configured_frule
        if self.observers:
            rule = _observed([observer.observed_frule for observer in self.observers], rule)
        answer = rule(tangents, f, *values, **kwargs) if kwargs else rule(tangents, f, *values)
        if answer is None:
            return _without_rule(frule, f, (tangents, f, *values))
        return self._moving(f, *answer)

    def _moving(self, f: Any, y: Any, y_dot: Any) -> Any:
        """Trace a result that moves along a tangent."""
        if y_dot.__class__ is np.ndarray or y_dot.__class__ in _NUMBERS or y_dot.__class__ in TRACED:
            if y.__class__ in _NUMBERS or (y.__class__ is np.ndarray and y.dtype.kind in "fc"):
                return TracedValue(y, y_dot, self)
        else:
            y_dot = forced(y_dot)
        return self._result(f, y, y_dot)

    def _record_of_part(self, record: Any, y: Any, key: Any, length: int) -> Any:
        return component(record, (key,))


class EndedTrace(Trace):
    """A differentiation that is over. Its values are constants, also to those that are not."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"ended, level {self.level}"

    def call(  # noqa: D102 - as of the base class
        self, f: Any, values: tuple[Any, ...], records: tuple[Any, ...], kwargs: dict[str, Any] | None = None
    ) -> Any:
        return TracedValue._call(f, values, kwargs or {})


def _recall(remembered: Callable[[Any], Rule | None], f: Any, values: tuple[Any, ...]) -> Rule | None:
    """The rule that served such a call before, if it takes no configuration."""
    try:
        return remembered((ADConfig, f, *[_class_of_primal(x) for x in values]))
    except TypeError:  # it is not hashable
        return None


def _class_of_primal(x: Any) -> Any:
    # Rules serve carriers of what they are for, however deep the nesting.
    cls = x.__class__
    while cls in TRACED:
        x = x._value
        cls = x.__class__
    return cls


def _configured_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
    return rrule(CONFIG, f, *values, **kwargs)


def _configured_frule(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
    return frule(CONFIG, tangents, f, *values, **kwargs)


def _observed(wrappers: list[Callable[[Rule], Rule]], rule: Rule) -> Rule:
    for wrap in wrappers:
        rule = wrap(rule)
    return rule


def _tangent(x: Any, held: list[tuple[Path, Any]]) -> Any:
    """The structural tangent of a container or closure, from the tangents of what it holds."""
    if held[0][0] == ():
        return held[0][1]
    parts = parts_of(x)
    tangents = {
        key: _tangent(part, [(path[1:], x_dot) for path, x_dot in held if path[0] == key])
        for key, part in parts.items()
        if any(path[0] == key for path, _ in held)
    }
    return structural_tangent(type(x), len(parts), tangents, other=ZERO_TANGENT)


# Calling one of these with a traced value comes back here.
_INTERCEPTED = (np.ufunc, types.BuiltinFunctionType, type(np.sum))


def _without_rule(rules: Any, f: Any, args: tuple[Any, ...]) -> Any:
    if rules.opted_out(CONFIG, *args) and not isinstance(f, _INTERCEPTED):
        return OPTED_OUT
    raise RuleNotFoundError(rules.explain(CONFIG, *args) + _advice(f))


def _advice(f: Any) -> str:
    # The Python function cannot be had back from the ufunc that NumPy makes of it.
    is_of_python = isinstance(f, np.ufunc) and f.__name__.endswith(" (vectorized)")
    return "\nFor a Python function write `np.vectorize` in place of `np.frompyfunc`." if is_of_python else ""


def _holds_numbers(x: Any) -> bool:
    """Whether an object that is not taken apart has fields that are real or complex numbers or arrays."""
    return any(is_differentiable(getattr(x, name, None)) for name in field_names(x) if isinstance(name, str))


def _array_of_objects(f: Any) -> TypeError:
    return TypeError(
        f"{describe_callee(f)} was called with a traced value, and its result is an array of objects, in "
        "which the derivative would be lost. Make numbers of what is given to it: `a.astype(float)`."
    )


def _hidden_value(f: Any) -> TypeError:
    return TypeError(
        f"The rule of {describe_callee(f)} met a traced value that was not among its arguments, so that the "
        "derivative by it would be lost: a global variable, or an attribute of an object other than a "
        "container, a dataclass or a closure. Pass it as an argument."
    )
