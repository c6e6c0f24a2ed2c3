"""Rules for bound methods: that of the function, of which the object is the first argument.

The cotangent of a bound method is that of its object, as the field ``__self__`` of the method.
"""

import types
from typing import Any

from chainrules_core import AbstractZero, NoTangent, Tangent, frule, rrule, unthunk


@frule.dispatch
def method_frule(tangents: Any, f: types.MethodType, *args: Any, **named: Any) -> Any:
    f_dot = unthunk(tangents[0])
    self_dot = f_dot if isinstance(f_dot, AbstractZero) else f_dot.__self__
    return frule((NoTangent(), self_dot, *tangents[1:]), f.__func__, f.__self__, *args, **named)


@rrule.dispatch
def method_rrule(f: types.MethodType, *args: Any, **named: Any) -> Any:
    answer = rrule(f.__func__, f.__self__, *args, **named)
    if answer is None:
        return None
    y, pullback = answer

    def method_pullback(y_bar: Any) -> Any:
        _, self_bar, *bars = pullback(y_bar)
        is_zero = isinstance(self_bar, AbstractZero)
        return self_bar if is_zero else Tangent[types.MethodType](__self__=self_bar), *bars

    return y, method_pullback
