"""`frule` and `rrule`: the contract between those who write derivatives and those who use them."""

from typing import Any

from chainrules_core.config import is_config
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.keyword_calls import cotangents_as_written
from chainrules_core.dispatch.new_rules import Hook, HookHandle, add_hook
from chainrules_core.dispatch.recursion import note_recursion
from chainrules_core.dispatch.rule_function import RuleFunction
from chainrules_core.dispatch.rule_method import Mode
from chainrules_core.exceptions import DimensionMismatchError


class RRule(RuleFunction):
    """``rrule(f, *args, **kwargs)``: the result of a call, and the function that pulls cotangents back.

    Returns ``(y, pullback)``, or `None` where no rule applies. ``y`` equals ``f(*args, **kwargs)`` up to
    rounding. ``pullback(y_bar)`` returns a tuple with one cotangent for `f` itself, `NoTangent()` unless
    `f` holds data, and one for each positional argument. With a configuration in front, ``rrule(config, f,
    *args)``, the rules that ask for features of it come first, and then those without.

    Keyword arguments reach the rule and get no cotangent. Where no rule takes them by keyword they are moved
    to their positional places, as ``f`` has them, and get none either. For complex values a pullback is the
    adjoint with respect to the real inner product ``Re⟨a, b⟩``.

    Examples
    --------
    >>> def square(x):
    ...     return x * x
    >>> @rrule.dispatch
    ... def square_rrule(f: typeof_(square), x: float):
    ...     def square_pullback(y_bar):
    ...         return NoTangent(), 2 * x * y_bar
    ...
    ...     return x * x, square_pullback
    >>> y, pullback = rrule(square, 3.0)
    >>> y, pullback(1.0)
    (9.0, (NoTangent(), 6.0))

    See Also
    --------
    frule : the same forwards.
    """

    __slots__ = ()

    def __call__(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Find the rule for a call, and call it; `None` if there is none."""
        # Unrolled by the number of arguments: `(f, *map(type, args))` alone costs as much as all the rest.
        n = len(args)
        try:
            if n == 1:
                rule = self._recall((f, type(args[0])))
            elif n == 2:
                rule = self._recall((f, type(args[0]), type(args[1])))
            else:
                rule = self._recall((f, *map(type, args)))
        except TypeError:  # `f` is not hashable
            rule = None
        if rule is not None:
            try:
                if kwargs:
                    return rule(f, *args, **kwargs)
                return rule(f, args[0]) if n == 1 else rule(f, args[0], args[1]) if n == 2 else rule(f, *args)
            except RecursionError as error:
                note_recursion(error, self.mode.name, f, rule)
                raise
        if args and is_config(f):
            return self._call_configured(f, args[0], args[1:], kwargs)
        return self._call_new((f, *args), kwargs)

    def _call_configured(self, config: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        try:
            answer = self._recall_with_config((type(config), f, *map(type, args)))
        except TypeError:
            answer = None
        if answer is None:
            return self._call_new((config, f, *args), kwargs)
        rule, takes_config = answer
        return rule(config, f, *args, **kwargs) if takes_config else rule(f, *args, **kwargs)

    def _with_constants(self, leading: tuple[Any, ...], number: int) -> tuple[Any, ...]:
        return leading

    def _as_written(self, answer: Any, number: int) -> Any:
        if type(answer) is not tuple or len(answer) != 2:
            return answer
        y, pullback = answer
        return y, cotangents_as_written(pullback, 1 + number)


_NOT_GIVEN: Any = object()


class FRule(RuleFunction):
    """``frule((f_dot, *arg_dots), f, *args, **kwargs)``: the result of a call, and its tangent.

    Returns ``(y, y_dot)``, or `None` where no rule applies. The first argument is a tuple with one tangent
    for `f` itself, `NoTangent()` unless `f` holds data, and one for each positional argument. A function
    with several results has a `Tangent` of their tuple as ``y_dot``. With a configuration in front,
    ``frule(config, tangents, f, *args)``, the rules that ask for features of it come first, and then those
    without. Keyword arguments are constants, whether the rule takes them by keyword or by position.

    Examples
    --------
    >>> def square(x):
    ...     return x * x
    >>> @frule.dispatch
    ... def square_frule(tangents, f: typeof_(square), x: float):
    ...     _, x_dot = tangents
    ...     return x * x, 2 * x * x_dot
    >>> frule((NoTangent(), 1.0), square, 3.0)
    (9.0, 6.0)

    See Also
    --------
    rrule : the same backwards.
    """

    # The tangent of a constant, which an argument by keyword is; whoever defines the tangents sets it.
    __slots__ = ("tangent_of_constants",)
    tangent_of_constants: Any

    def __call__(self, tangents: Any, f: Any = _NOT_GIVEN, /, *args: Any, **kwargs: Any) -> Any:
        """Find the rule for a call, and call it; `None` if there is none."""
        if type(tangents) is not tuple or len(tangents) != len(args) + 1:
            return self._call_unusual(tangents, f, args, kwargs)
        n = len(args)
        try:
            if n == 1:
                rule = self._recall((f, type(args[0])))
            elif n == 2:
                rule = self._recall((f, type(args[0]), type(args[1])))
            else:
                rule = self._recall((f, *map(type, args)))
        except TypeError:  # `f` is not hashable
            rule = None
        if rule is not None:
            try:
                if kwargs or n > 2:
                    return rule(tangents, f, *args, **kwargs)
                if n == 1:
                    return rule(tangents, f, args[0])
                return rule(tangents, f, args[0], args[1]) if n == 2 else rule(tangents, f)
            except RecursionError as error:
                note_recursion(error, self.mode.name, f, rule)
                raise
        return self._call_new((tangents, f, *args), kwargs)

    def _call_unusual(self, first: Any, second: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if second is _NOT_GIVEN:  # `@frule` over a rule, perhaps
            self._check_callee(first, args, kwargs)
        if not (is_config(first) and args and type(second) is tuple):
            return self._call_new((first, second, *args), kwargs)
        config, tangents, f, rest = first, second, args[0], args[1:]
        try:
            answer = self._recall_with_config((type(config), f, *map(type, rest)))
        except TypeError:
            answer = None
        if answer is None or len(tangents) != len(rest) + 1:
            return self._call_new((config, tangents, f, *rest), kwargs)
        rule, takes_config = answer
        return (
            rule(config, tangents, f, *rest, **kwargs) if takes_config else rule(tangents, f, *rest, **kwargs)
        )

    def _with_constants(self, leading: tuple[Any, ...], number: int) -> tuple[Any, ...]:
        (tangents,) = leading
        return ((*tangents, *(self.tangent_of_constants,) * number),)

    def _as_written(self, answer: Any, number: int) -> Any:
        return answer

    def _check_leading(self, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...]) -> None:
        (tangents,) = leading
        if f is _NOT_GIVEN:
            raise TypeError("frule(tangents, f, *args): the function to differentiate is missing.")
        if not isinstance(tangents, tuple):
            raise TypeError(
                "frule((f_dot, *arg_dots), f, *args): the tangents are a tuple, one for f and one for each "
                f"argument, not a {type(tangents).__name__}. For a function without data of its own write "
                "frule((NoTangent(), x_dot), f, x)."
            )
        if len(tangents) != len(args) + 1:
            raise DimensionMismatchError(
                f"frule: {len(tangents)} tangents for {len(args)} arguments of {describe_callee(f)}. There "
                "is one for the function itself, NoTangent() unless it holds data, and one for each argument."
            )


rrule = RRule(Mode("rrule"))
frule = FRule(Mode("frule", leading=("tangents",)))


def on_new_rule(hook: Hook) -> HookHandle:
    """Call ``hook(mode, method)`` for every rule, those already registered first.

    Parameters
    ----------
    hook
        Called with ``"frule"`` or ``"rrule"`` and the rule as `rrule.methods` lists it: its ``function``,
        its ``callee``, its ``signature``.

    Returns
    -------
    HookHandle
        Its ``remove()`` ends the calls.
    """
    return add_hook(hook, lambda: [*frule.methods(), *rrule.methods()])
