"""Differentiating forwards, in one direction: the tangent of each result is computed beside it."""

import operator
from functools import partial
from typing import Any

import numpy as np

from chainrules.ad.calls.calling import apply
from chainrules.ad.calls.results import traced_result
from chainrules.ad.calls.rule_calls import carried_class, remembered_rule, without_pair
from chainrules.ad.modes.nested_rules import nested, nested_rule
from chainrules.ad.modes.nodes import (
    ROUNDING,
    WITHOUT_THUNK,
    component,
    computed_throughout,
    is_number_with_derivative,
)
from chainrules.ad.traced.constant_results import constant_result
from chainrules.ad.traced.trace import CONSTANT
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import untraced
from chainrules.ad.values.config import CONFIG, ADConfig
from chainrules.ad.values.plain_values import DOUBLE, FLOATS
from chainrules.ad.values.structures import Path, parts_of, tangent_from_parts
from chainrules.ad.writing.differentiation import Differentiation
from chainrules_core import NO_TANGENT, frule

_IS_CONSTANT = partial(operator.is_, CONSTANT)


class ForwardTrace(Differentiation):
    """A differentiation forwards. The record of a traced value is its tangent."""

    __slots__ = ()

    mode = "forward"
    remembered = frule.remembered

    def run(self, f: Any, args: Any, kwargs: dict[str, Any] | None = None) -> Any:  # noqa: D102 - as in the base class
        y = super().run(f, args, kwargs)
        if self.observers:
            tangents = [record for _, record in untraced(y, self)[1]]
            for observer in self.observers:
                observer.pushed(tangents)
        return y

    def call(  # noqa: C901, D102, PLR0912 - unrolled for speed; documented in the base class
        self,
        f: Any,
        values: tuple[Any, ...],
        records: tuple[Any, ...],
        kwargs: dict[str, Any] | None = None,
        has_body: bool = False,
    ) -> Any:
        # Unrolled for one and two arguments, which nearly all operations have, and not shared by the modes:
        # either would slow operations on numbers. The values of another trace, which carry others, are rare.
        rule = None
        if not kwargs:
            n, recall = len(values), self.recall
            try:
                if n == 2:
                    x, y = values
                    rule = recall((ADConfig, f, x.__class__, y.__class__))
                elif n == 1:
                    (x,) = values
                    rule = recall((ADConfig, f, x.__class__))
                else:
                    rule = recall((ADConfig, f, *[x.__class__ for x in values]))
                if rule is None:
                    rule = nested(recall((ADConfig, f, *map(carried_class, values))))
            except TypeError:  # `f` is not hashable
                pass
        if rule is None:
            if self.has_ended:
                return apply(f, values, kwargs)
            answer = self._answer(records, f, values, kwargs or {})
        elif n == 2:
            if records[1] is CONSTANT and records[2] is CONSTANT and records[0] is CONSTANT:
                return apply(f, values)  # no rule is given tangents that are all zero
            answer = rule(records, f, x, y)
        elif n == 1:
            if records[1] is CONSTANT and records[0] is CONSTANT:
                return apply(f, values)
            answer = rule(records, f, x)
        elif all(map(_IS_CONSTANT, records)):
            return apply(f, values)
        else:
            answer = rule(records, f, *values)
        if answer.__class__ is not tuple:  # a list or an array of two could be taken for a pair
            return without_pair(self, frule, f, (records, f, *values), answer, kwargs, has_body)
        result, tangent = answer
        if tangent.__class__ not in WITHOUT_THUNK:
            tangent = computed_throughout(tangent)
            if tangent is NO_TANGENT:
                result = constant_result(self, f, values, kwargs, result)
        result_class = result.__class__
        if (
            (result_class is np.ndarray and (result.dtype is DOUBLE or result.dtype.kind in "fc"))
            or result_class in FLOATS
        ) and tangent.__class__ in WITHOUT_THUNK:
            traced = TracedValue()
            traced._value, traced._record, traced._trace = result, tangent, self
            return traced
        return traced_result(f, result, tangent, self)

    def _answer(
        self, tangents: tuple[Any, ...], f: Any, values: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> Any:
        rule = (
            nested_rule(frule, f, values, kwargs, (tangents,))
            or remembered_rule(frule, f, values, kwargs)
            or _configured_frule
        )
        for observer in self.observers:
            rule = observer.observed_frule(rule)
        if any(x_dot is not CONSTANT for x_dot in tangents):
            return rule(tangents, f, *values, **kwargs)
        return frule.pushed(lambda dots: rule(dots, f, *values, **kwargs), tangents, rule, f, values)

    def record_of_container(self, x: Any, traced_parts: list[tuple[Path, Any]]) -> Any:
        """The structural tangent of a container or closure, from the tangents of its parts."""
        if traced_parts[0][0] == ():
            return traced_parts[0][1]
        parts = parts_of(x)
        tangents = {
            key: self.record_of_container(
                part, [(path[1:], x_dot) for path, x_dot in traced_parts if path[0] == key]
            )
            for key, part in parts.items()
            if any(path[0] == key for path, _ in traced_parts)
        }
        return tangent_from_parts(type(x), len(parts), tangents, other=CONSTANT)

    def record_of_part(self, record: Any, y: Any, key: Any, length: int) -> Any:
        """The tangent of one part of a result."""
        return component(record, (key,))

    def has_derivative(self, record: Any, y_bar: Any) -> bool:
        """Whether the tangent of a result is another number than zero, or an array with one."""
        return is_number_with_derivative(record)

    def moves(self, record: Any, y_bar: Any) -> bool:
        """Whether a traced array has a tangent that is not zero, but for rounding."""
        return is_number_with_derivative(record, ROUNDING)


def _configured_frule(tangents: Any, f: Any, *values: Any, **kwargs: Any) -> Any:
    return frule.unchecked(CONFIG, tangents, f, *values, **kwargs)
