"""`checkpoint`: a part of a program that is computed again when its derivative is taken, to save memory."""

from collections.abc import Callable
from typing import Any

from chainrules.ad.derivatives.checks import check_made
from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.syntax.global_holders import global_holders
from chainrules.ad.traced.hiding import check_recomputed_hides_nothing
from chainrules.ad.values.binding import Bound
from chainrules.ad.values.held_numbers import agree
from chainrules.ad.writing.ownership import call_without_writing
from chainrules_core import (
    ChainRulesError,
    HasForwardsMode,
    HasReverseMode,
    NoTangent,
    RuleConfig,
    describe_callee,
    frule,
    frule_via_ad,
    primitive,
    rrule,
    rrule_via_ad,
    typeof_,
)


class RecomputedOtherwiseError(ChainRulesError, RuntimeError):
    """A function, called again for its derivative, has another result than before."""


def checkpoint(f: Callable[..., Any]) -> Callable[..., Any]:
    """A function like `f` that keeps only its arguments until its derivative is taken backwards.

    Parameters
    ----------
    f
        A function of numbers, arrays, and containers of them, without side effects; it may be a closure over
        traced values. The arguments to differentiate by are given by position.

    Returns
    -------
    function
        It returns the result of `f`. Its derivative calls `f` a second time, with memory for one evaluation.
        The second call sees the variables of closures, the contents of lists, dicts and objects in them, and
        the global lists and dicts that `f` names, or that a function of the program which `f` calls writes
        into, as the first call saw them. Values that the second call writes there are dropped; values that
        the first call writes there are plain numbers, without a derivative for code that reads them later.

    Raises
    ------
    RecomputedOtherwiseError
        When the derivative is taken: if the second call has another result, since the function draws random
        numbers or sees a value that has changed.
    TypeError
        If `f` is no function. When called: if the result holds numbers where derivatives are not looked for,
        as in a set, or in an attribute of a dict.
    RuleNotFoundError
        When called: if a keyword argument is traced.

    Examples
    --------
    >>> import numpy as np
    >>> from chainrules.ad import checkpoint, grad
    >>> block = checkpoint(lambda x: np.sin(np.sin(np.sin(x))))
    >>> float(grad(block)(0.0))
    1.0
    """
    check_made("checkpoint", f, ())
    return Checkpoint(f)


class Checkpoint(Derived):
    """The function that `checkpoint` returns."""

    unnamed = "checkpointed_f"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function as one operation."""
        return checkpointed(self.f, *args, **kwargs)


@primitive
def checkpointed(f: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """``f(*args, **kwargs)``, as one operation."""
    return choose(f)(*args, **kwargs)


@frule.dispatch
def checkpointed_frule(
    config: RuleConfig[HasForwardsMode],
    tangents: Any,
    c: typeof_(checkpointed),
    f: Any,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Forwards there is nothing to keep."""
    return frule_via_ad(config, tangents[1:], f, *args, **kwargs)


@rrule.dispatch
def checkpointed_rrule(
    config: RuleConfig[HasReverseMode], c: typeof_(checkpointed), f: Any, *args: Any, **kwargs: Any
) -> Any:
    """The call is differentiated when its cotangent has arrived."""
    bound = Bound(f, global_holders(f))
    y = call_without_writing(choose, f, args, kwargs)
    check_recomputed_hides_nothing(f, y)

    def checkpointed_pullback(y_bar: Any) -> Any:
        with bound.holding_what_it_held():
            recomputed, pullback = rrule_via_ad(config, bound.current(), *args, **kwargs)
        if not agree(y, recomputed):
            raise RecomputedOtherwiseError(
                f"checkpoint({describe_callee(f)}): the second call, for the derivative, had another "
                "result than the first. What the function sees has changed meanwhile: a global variable, a "
                "list, an array, a random generator, an iterator. Pass it as an argument, or draw before the "
                "call."
            )
        return NoTangent(), *pullback(y_bar)

    return y, checkpointed_pullback
