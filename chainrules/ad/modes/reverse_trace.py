"""Differentiating backwards: each operation is recorded as a node, with the pullback of its rule."""

import contextlib
from typing import Any

import numpy as np

from chainrules.ad.calls.calling import apply
from chainrules.ad.calls.results import traced_result
from chainrules.ad.calls.rule_answers import wrong_answer
from chainrules.ad.calls.rule_calls import carried_class, remembered_rule, without_pair
from chainrules.ad.calls.rule_inputs import OF_NO_ARRAYS, rule_inputs, rule_keywords
from chainrules.ad.modes.nested_rules import nested, nested_rule
from chainrules.ad.modes.nodes import (
    Node,
    evaluated,
    is_number_with_derivative,
    moves_with_inputs,
    next_number,
)
from chainrules.ad.traced.constant_results import constant_result
from chainrules.ad.traced.trace import CONSTANT
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.values.config import CONFIG, ADConfig
from chainrules.ad.values.plain_values import DOUBLE, FLOATS
from chainrules.ad.values.structures import Path, tangent_from_parts
from chainrules.ad.writing.differentiation import Differentiation
from chainrules_core import NonDifferentiablePullback, rrule


class ReverseTrace(Differentiation):
    """A differentiation backwards. The record of a traced value is the node of its operation."""

    __slots__ = ()

    mode = "reverse"
    keeps_arguments = True
    remembered = rrule.remembered

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
                    cls, other = x.__class__, y.__class__
                    if (records[2] is CONSTANT and other not in OF_NO_ARRAYS) or (
                        records[1] is CONSTANT and cls not in OF_NO_ARRAYS
                    ):
                        values = x, y = rule_inputs(self, f, values, records)
                    rule = recall((ADConfig, f, cls, other))
                elif n == 1:
                    (x,) = values
                    rule = recall((ADConfig, f, x.__class__))
                else:
                    values = rule_inputs(self, f, values, records)
                    rule = recall((ADConfig, f, *[x.__class__ for x in values]))
                if rule is None:
                    rule = nested(recall((ADConfig, f, *map(carried_class, values))))
            except TypeError:  # `f` is not hashable
                pass
        else:
            values, kwargs = rule_inputs(self, f, values, records), rule_keywords(self, kwargs)
        if rule is None:
            if self.has_ended:
                return apply(f, values, kwargs)
            answer = self._answer(f, values, kwargs or {})
        elif n == 2:
            answer = rule(f, x, y)
        else:
            answer = rule(f, x) if n == 1 else rule(f, *values)
        if answer.__class__ is not tuple:  # a list or an array of two could be taken for a pair
            return without_pair(self, rrule, f, (f, *values), answer, kwargs, has_body)
        result, pullback = answer
        if pullback.__class__ is NonDifferentiablePullback:
            # A constant, which may go where traced values may not.
            return constant_result(self, f, values, kwargs, result)
        node = (next_number(), records, pullback)
        result_class = result.__class__
        if (
            (result_class is np.ndarray and (result.dtype is DOUBLE or result.dtype.kind in "fc"))
            or result_class in FLOATS
            or (result_class is TracedValue and result._trace is not self)
        ):
            traced = TracedValue()
            traced._value, traced._record, traced._trace = result, node, self
            return traced
        if not callable(pullback):
            raise wrong_answer(rrule, (f, *values), answer)
        return traced_result(f, result, node, self)

    def _answer(self, f: Any, values: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        rule = (
            nested_rule(rrule, f, values, kwargs)
            or remembered_rule(rrule, f, values, kwargs)
            or _configured_rrule
        )
        for observer in self.observers:
            rule = observer.observed_rrule(rule)
        return rule(f, *values, **kwargs)

    def record_of_container(self, x: Any, traced_parts: list[tuple[Path, Node]]) -> Any:
        """The nodes themselves, each with its path."""
        return traced_parts

    def record_of_part(self, record: Node, y: Any, key: Any, length: int) -> Node:
        """A node that makes a cotangent of the whole result from the cotangent of one part."""
        cls = type(y)

        def part_pullback(part_bar: Any) -> Any:
            return None, tangent_from_parts(cls, length, {key: part_bar}, other=CONSTANT)

        return next_number(), (CONSTANT, record), part_pullback

    def moves(self, record: Node, y_bar: Any) -> bool:
        """Whether a traced array with a cotangent depends on the arguments, but for rounding."""
        return moves_with_inputs(record, y_bar)

    def has_derivative(self, record: Node, y_bar: Any) -> bool:
        """Whether the cotangent of a result moves a number or an array that is traced itself."""
        _, records, pullback = record
        with contextlib.suppress(Exception):  # a pullback that nobody else would call may have any error
            for x_record, x_bar in zip(records, pullback(y_bar), strict=True):  # type: ignore[misc]  # a pullback
                if x_record is not CONSTANT and is_number_with_derivative(evaluated(x_bar)):
                    return True
        return False


def _configured_rrule(f: Any, *values: Any, **kwargs: Any) -> Any:
    return rrule.unchecked(CONFIG, f, *values, **kwargs)
