"""`frule` and `rrule`: the contract between those who write derivatives and those who use them."""

from collections.abc import Callable
from functools import partial
from typing import Any

from chainrules_core.config import is_config
from chainrules_core.dispatch.carriers_in_arguments import refuse_carriers
from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.keyword_calls import cotangents_as_written, takes_keywords
from chainrules_core.dispatch.new_rules import Hook, HookHandle, add_hook
from chainrules_core.dispatch.recursion import TOO_DEEP
from chainrules_core.dispatch.rule_function import RuleFunction, Served
from chainrules_core.dispatch.rule_method import Mode
from chainrules_core.exceptions import DimensionMismatchError

# What brings the tangents and cotangents that somebody gives into the form in which rules take them.
# `given_tangents`, which knows tangents, puts its functions here. They are globals, which are found
# sooner than attributes of the class.
checked: Any = None
fits: Any = None
pushed: Any = None


class RRule(RuleFunction):
    """``rrule(f, *args, **kwargs)``: the result of a call, and the function that pulls cotangents back.

    Returns ``(y, pullback)``, or `None` where no rule applies. ``y`` equals ``f(*args, **kwargs)`` up to
    rounding. ``pullback(y_bar)`` returns a tuple with one cotangent for `f` itself, `NoTangent()` unless
    `f` holds data, and one for each positional argument. With a configuration in front, ``rrule(config, f,
    *args)``, rules that ask for its features are tried first, then rules without a configuration.

    Keyword arguments reach the rule and get no cotangent. Where no rule takes them by keyword they are moved
    to their positional places, as ``f`` has them, and get none either. For complex values a pullback is the
    adjoint with respect to the real inner product ``Re⟨a, b⟩``.

    The pullback may be given a thunk, a zero, integers, and numbers of another precision: they are converted
    to the shape and precision of `y` before the rule's own pullback is called. For a zero it is not called:
    all cotangents are zero. A cotangent whose shape is not that of ``y`` raises a `DimensionMismatchError`
    that names the rule; one that is no number, array or tangent raises a `TangentStructureError`. `unchecked`
    returns the rule's own pullback.

    Where an AD system's configuration asks for it, the cotangents that a rule returns are checked too. A
    cotangent without the shape of its argument then raises, once it is used, an error that names the rule and
    the argument.

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

    def __call__(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:  # noqa: C901, PLR0912 - unrolled for speed
        """Find the rule for a call, and call it; `None` if there is none."""
        # Unrolled by the number of arguments: `(f, *map(type, args))` alone costs as much as all the rest.
        n = len(args)
        if n == 1:
            key: tuple[Any, ...] = (f, type(args[0]))
        elif n == 2:
            key = (f, type(args[0]), type(args[1]))
        else:
            key = (f, *map(type, args))
        try:
            rule = self._at_hand(key)
        except TypeError:  # `f` is not hashable
            rule = None
        if rule is None:
            return self._call_unusual(f, args, kwargs)
        try:
            if kwargs:
                if rule is self.answers.no_rule:
                    return self._call_unusual(f, args, kwargs)
                answer = rule(f, *args, **kwargs)
            elif n == 1:
                answer = rule(f, args[0])
            elif n == 2:
                answer = rule(f, args[0], args[1])
            else:
                answer = rule(f, *args)
        except TOO_DEEP as error:
            refuse_carriers(error, self.mode.name, f, args)
            self.name_recursion(error)
            raise
        except (TypeError, ValueError) as error:
            if not kwargs or takes_keywords(rule, kwargs):
                self.add_note(error)
                raise
        else:
            return checked(answer, key)
        return self._call_unusual(f, args, kwargs)  # by position, if a rule takes it so

    def unchecked(self, f: Any, /, *args: Any, **kwargs: Any) -> Any:
        """As a call, but the pullback is the rule's own, which takes only cotangents that fit the result.

        For rules that hand a call on to another function, and for AD systems that give pullbacks neither
        zeros nor thunks, and cotangents of the result's shape and precision only.
        """
        try:
            rule = self._at_hand((f, *map(type, args)))
        except TypeError:
            rule = None
        if rule is not None:
            try:
                return rule(f, *args, **kwargs)
            except TypeError:
                if not kwargs or takes_keywords(rule, kwargs):
                    raise
        if args and is_config(f):
            return self._call_configured(f, args[0], args[1:], kwargs)
        return self._answer(self._serve((f, *args), kwargs))

    def checked(self, answer: Any, call: tuple[Any, ...]) -> Any:
        """An answer of `unchecked`, with a pullback that takes every cotangent.

        Parameters
        ----------
        answer
            What the rule returned. Anything but a pair of a result and a pullback is returned as it is.
        call
            The function, and something for each of its positional arguments.
        """
        return checked(answer, call)

    def _call_unusual(self, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if args and is_config(f):
            answer = self._call_configured(f, args[0], args[1:], kwargs)
            return checked(answer, (args[0], *map(type, args[1:])))
        return checked(self._answer(self._serve((f, *args), kwargs)), (f, *map(type, args)))

    def _call_configured(self, config: Any, f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The answer to a call with a configuration."""
        try:
            known = self._at_hand_with_config((type(config), f, *map(type, args)))
        except TypeError:
            known = None
        if known is None or (kwargs and known[0] is self.answers.no_rule):
            return self._answer(self._serve((config, f, *args), kwargs))
        rule, takes_config = known
        try:
            return rule(config, f, *args, **kwargs) if takes_config else rule(f, *args, **kwargs)
        except TOO_DEEP as error:
            self.name_recursion(error)
            raise
        except TypeError:
            if not kwargs or takes_keywords(rule, kwargs):
                raise
        return self._answer(self._serve((config, f, *args), kwargs))

    def _with_constants(self, leading: tuple[Any, ...], number: int) -> tuple[Any, ...]:
        return leading

    def _as_written(self, answer: Any, number: int) -> Any:
        if type(answer) is not tuple or len(answer) != 2:
            return answer
        y, pullback = answer
        return y, cotangents_as_written(pullback, 1 + number)


_NOT_GIVEN: Any = object()


def _with_tangents(  # noqa: PLR0913, PLR0917 - a call, taken apart
    rule: Callable[..., Any],
    config: Any,
    f: Any,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    tangents: Any,
) -> Any:
    """Call an `frule`, that takes no configuration where that is `None`."""
    if config is None:
        return rule(tangents, f, *args, **kwargs)
    return rule(config, tangents, f, *args, **kwargs)


class FRule(RuleFunction):
    """``frule((f_dot, *arg_dots), f, *args, **kwargs)``: the result of a call, and its tangent.

    Returns ``(y, y_dot)``, or `None` where no rule applies. The first argument is a tuple with one tangent
    for `f` itself, `NoTangent()` unless `f` holds data, and one for each positional argument. A function
    with several results has a `Tangent` of their tuple as ``y_dot``. With a configuration in front,
    ``frule(config, tangents, f, *args)``, rules that ask for its features are tried first, then rules without
    a configuration. Keyword arguments are constants, whether the rule takes them by keyword or by position.

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

    def __call__(  # noqa: C901 - unrolled for speed
        self, tangents: Any, f: Any = _NOT_GIVEN, /, *args: Any, **kwargs: Any
    ) -> Any:
        """Find the rule for a call, and call it; `None` if there is none."""
        if type(tangents) is not tuple or len(tangents) != len(args) + 1:
            return self._call_unusual(tangents, f, args, kwargs)
        n = len(args)
        try:
            if n == 1:
                rule = self._at_hand((f, type(args[0])))
            elif n == 2:
                rule = self._at_hand((f, type(args[0]), type(args[1])))
            else:
                rule = self._at_hand((f, *map(type, args)))
        except TypeError:  # `f` is not hashable
            rule = None
        if rule is None or (kwargs and rule is self.answers.no_rule):
            return self._call_unusual(tangents, f, args, kwargs)
        try:
            if not fits(tangents, args):
                call = partial(_with_tangents, rule, None, f, args, kwargs)
                return pushed(call, tangents, rule, f, args)
            if kwargs or n > 2:
                return rule(tangents, f, *args, **kwargs)
            if n == 1:
                return rule(tangents, f, args[0])
            return rule(tangents, f, args[0], args[1]) if n == 2 else rule(tangents, f)
        except TOO_DEEP as error:
            refuse_carriers(error, self.mode.name, f, args)
            self.name_recursion(error)
            raise
        except (TypeError, ValueError) as error:
            if not kwargs or takes_keywords(rule, kwargs):
                self.add_note(error)
                raise
        return self._call_unusual(tangents, f, args, kwargs)  # by position, if a rule takes it so

    def unchecked(self, tangents: Any, f: Any = _NOT_GIVEN, /, *args: Any, **kwargs: Any) -> Any:
        """As a call, but the rule gets the tangents as they are.

        For rules that hand a call on to another function, and for AD systems whose tangents fit as they are:
        none is a thunk, at least one is not zero, and each has the shape and precision of its argument.
        """
        if type(tangents) is tuple and len(tangents) == len(args) + 1:
            try:
                rule = self._at_hand((f, *map(type, args)))
            except TypeError:
                rule = None
            if rule is not None:
                try:
                    return rule(tangents, f, *args, **kwargs)
                except TypeError:
                    if not kwargs or takes_keywords(rule, kwargs):
                        raise
        return self._call_unusual(tangents, f, args, kwargs, checks=False)

    def pushed(
        self,
        call: Callable[[tuple[Any, ...]], Any],
        tangents: tuple[Any, ...],
        rule: Any,
        f: Any,
        args: tuple[Any, ...],
    ) -> Any:
        """The answer to tangents in any form: thunks, zeros, other precisions.

        Parameters
        ----------
        call
            Calls the rule with tangents as rules take them.
        tangents, rule, f, args
            The tangents that were given; the rule, the function and its arguments.
        """
        return pushed(call, tangents, rule, f, args)

    def _call_unusual(
        self, first: Any, second: Any, args: tuple[Any, ...], kwargs: dict[str, Any], *, checks: bool = True
    ) -> Any:
        if second is _NOT_GIVEN:  # `@frule` over a rule, perhaps
            self._check_callee(first, args, kwargs)
        if is_config(first) and args and type(second) is tuple:
            config, tangents, f, rest = first, second, args[0], args[1:]
            try:
                known = self._at_hand_with_config((type(config), f, *map(type, rest)))
            except TypeError:
                known = None
            known = None if known and kwargs and known[0] is self.answers.no_rule else known
            if known is not None and len(tangents) == len(rest) + 1:
                rule, takes_config = known
                call = partial(_with_tangents, rule, config if takes_config else None, f, rest, kwargs)
                try:
                    if not checks or fits(tangents, rest):
                        return call(tangents)
                    return pushed(call, tangents, rule, f, rest)
                except TypeError:
                    if not kwargs or takes_keywords(rule, kwargs):
                        raise
        served = self._serve((first, second, *args), kwargs)
        if served is None or not checks:
            return self._answer(served)
        tangents, f, rest = served.call.leading[0], served.call.f, served.call.args
        if fits(tangents, rest):
            return self._answer(served)
        return pushed(partial(self._answer_to, served), tangents, served.method.function, f, rest)

    def _answer_to(self, served: Served, tangents: tuple[Any, ...]) -> Any:
        return self._answer(served._replace(call=served.call._replace(leading=(tangents,))))

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
frule = FRule(Mode("frule", leading=("tangents",), returns="y, y_dot"))


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
