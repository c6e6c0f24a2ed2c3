"""Rules for bound methods: the rules of their functions, which take the object as the first argument.

The cotangent of a bound method holds the cotangent of its object, as the field ``__self__``.
"""

import types

from chainrules_core import NO_TANGENT, AbstractZero, RuleConfig, Tangent, frule, rrule


@frule.dispatch
def method_frule(tangents, f: types.MethodType, *args, **named):
    return frule.unchecked(with_object(tangents), f.__func__, f.__self__, *args, **named)


@frule.dispatch
def method_frule_via_ad(config: RuleConfig, tangents, f: types.MethodType, *args, **named):
    return frule.unchecked(config, with_object(tangents), f.__func__, f.__self__, *args, **named)


def with_object(tangents):
    """The tangents for the call of the function, from the tangents for the call of the method."""
    f_dot = tangents[0]
    return NO_TANGENT, f_dot if isinstance(f_dot, AbstractZero) else f_dot.__self__, *tangents[1:]


@rrule.dispatch
def method_rrule(f: types.MethodType, *args, **named):
    return of_method(rrule.unchecked(f.__func__, f.__self__, *args, **named))


@rrule.dispatch
def method_rrule_via_ad(config: RuleConfig, f: types.MethodType, *args, **named):
    return of_method(rrule.unchecked(config, f.__func__, f.__self__, *args, **named))


def of_method(answer):
    """The answer of a rule of the function, turned into an answer for the method."""
    if answer is None:
        return None
    y, pullback = answer

    def method_pullback(y_bar):
        _, self_bar, *bars = pullback(y_bar)
        is_zero = isinstance(self_bar, AbstractZero)
        return self_bar if is_zero else Tangent[types.MethodType](__self__=self_bar), *bars

    return y, method_pullback
