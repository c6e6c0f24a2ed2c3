"""Rules of classes whose instances hold what they compute: the tangent of an instance has that of each field.

What is discrete, such as which points are neighbours, stays the same where the arguments move a little.
"""

from collections.abc import Callable
from typing import Any

from chainrules.formulas.calls.compositions import pull_composition, push_composition
from chainrules.formulas.calls.fields import pull_field, push_field
from chainrules.values.operands import ArrayOperand
from chainrules_core import (
    NO_TANGENT,
    AbstractZero,
    NonDifferentiablePullback,
    ProjectTo,
    Tangent,
    Thunk,
    define,
    primal_of,
    primitive,
    rule_maker,
    typeof_,
    unthunk,
)


@rule_maker
def object_rules(
    cls: Any, fields: tuple[str, ...], constants: frozenset[str], parts: Callable[..., Any], count: int = 1
) -> None:
    """Define the rules of a class and of the attributes of its instances.

    Parameters
    ----------
    cls
        The class.
    fields
        The attributes that have derivatives.
    constants
        The attributes that have none; the others have no rule.
    parts
        From an instance to the composition of the fields, as a function of the arguments with derivatives.
    count
        How many arguments these are: the first ones.
    """
    make = primitive(cls)

    def object_frule(tangents: Any, f: typeof_(cls), x: ArrayOperand, *rest: Any, **named: Any) -> Any:
        y, args = make(x, *rest, **named), (x, *rest)[:count]
        dots = tangents[1 : 1 + len(args)]
        if all(isinstance(dot, AbstractZero) for dot in dots):
            return y, NO_TANGENT
        y_dots = push_composition(parts(primal_of(y)), args, dots)
        return y, Tangent[cls](**dict(zip(fields, y_dots, strict=True)))

    def object_rrule(f: typeof_(cls), x: ArrayOperand, *rest: Any, **named: Any) -> Any:
        y, args = make(x, *rest, **named), (x, *rest)[:count]

        def pulled(y_bar: Any) -> Any:
            return pull_composition(
                parts(primal_of(y)), args, tuple(unthunk(getattr(y_bar, name)) for name in fields)
            )

        def object_pullback(y_bar: Any) -> Any:
            y_bar = unthunk(y_bar)
            rest_bars = (NO_TANGENT,) * (1 + len(rest) - len(args))
            if isinstance(y_bar, AbstractZero):
                return NO_TANGENT, *(y_bar for _ in args), *rest_bars
            once = Thunk(pulled, y_bar)
            return NO_TANGENT, *(Thunk(_part, once, k, arg) for k, arg in enumerate(args)), *rest_bars

        return y, object_pullback

    define(object_frule, object_rrule)
    _attribute_rules(cls, constants)


def _attribute_rules(cls: Any, constants: frozenset[str]) -> None:
    def attribute_frule(tangents: Any, f: typeof_(getattr), x: cls, name: str) -> Any:
        if name in constants:
            return getattr(primal_of(x), name), NO_TANGENT
        return push_field(x, name, tangents[1])

    def attribute_rrule(f: typeof_(getattr), x: cls, name: str) -> Any:
        if name in constants:
            return getattr(primal_of(x), name), NonDifferentiablePullback(3)
        answer = pull_field(x, name)
        if answer is None:
            return None
        y, pull = answer
        return y, lambda y_bar: (NO_TANGENT, pull(y_bar), NO_TANGENT)

    define(attribute_frule, attribute_rrule)


@rule_maker
def constant_method_rules(owner: Any, *methods: Callable[..., Any]) -> None:
    """Define the rules of methods of a class, the results of which move in steps."""
    for method in methods:
        _constant_method_rules(owner, method)


def _constant_method_rules(owner: Any, method: Any) -> None:
    def value(*args: Any, **named: Any) -> Any:
        return method(*map(primal_of, args), **{name: primal_of(x) for name, x in named.items()})

    def method_frule(tangents: Any, f: typeof_(method), self: owner, *args: Any, **named: Any) -> Any:
        return value(self, *args, **named), NO_TANGENT

    def method_rrule(f: typeof_(method), self: owner, *args: Any, **named: Any) -> Any:
        return value(self, *args, **named), NonDifferentiablePullback(2 + len(args))

    define(method_frule, method_rrule)


def _part(once: Thunk, place: int, x: Any) -> Any:
    bar = unthunk(once)[place]
    return bar if isinstance(bar, AbstractZero) else ProjectTo(x)(bar)
