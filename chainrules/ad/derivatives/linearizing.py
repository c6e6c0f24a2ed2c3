"""`linearize`: the derivative of a function at a point, as a linear function that can be called often."""

from collections.abc import Callable
from typing import Any, Literal, overload

from chainrules.ad.derivatives.pulling import vjp
from chainrules.ad.derivatives.wrapping import DerivativeOf
from chainrules.ad.modes.containers import ones_in_containers_of
from chainrules_core import DimensionMismatchError, describe_callee


@overload
def linearize(
    f: Callable[..., Any], *args: Any, has_aux: Literal[False] = ...
) -> tuple[Any, Callable[..., Any]]: ...
@overload
def linearize(
    f: Callable[..., Any], *args: Any, has_aux: Literal[True]
) -> tuple[Any, Callable[..., Any], Any]: ...
@overload
def linearize(f: Callable[..., Any], *args: Any, has_aux: bool) -> tuple[Any, ...]: ...
def linearize(f: Callable[..., Any], *args: Any, has_aux: bool = False) -> tuple[Any, ...]:
    """The result of a call, and the linear function that pushes tangents of the arguments forward.

    Parameters
    ----------
    f
        A function of numbers and arrays, and containers of them.
    args
        Its arguments.
    has_aux
        Whether `f` returns a pair of the result to differentiate and anything else.

    Returns
    -------
    y
        The result.
    pushforward
        ``pushforward(*tangents)`` is the tangent of the result, as by `jvp`, without calling `f` again.
    aux
        With `has_aux`: what `f` returns beside the result, in plain values.

    Raises
    ------
    DimensionMismatchError
        By the pushforward, if there is not one tangent for each argument.
    RuleNotFoundError
        If a function that the program calls has no rule.

    Notes
    -----
    A pullback is linear, so that the pullback of a pullback, which is recorded once, is the pushforward
    (J. Townsend, "A new trick for calculating Jacobian vector products", 2017).

    Examples
    --------
    >>> from chainrules.ad import linearize
    >>> y, pushforward = linearize(lambda x: x**3, 2.0)
    >>> y, pushforward(1.0), pushforward(0.5)
    (8.0, 12.0, 6.0)
    """
    y, pullback, *aux = vjp(f, *args, has_aux=has_aux)
    # A pullback does not depend on where it is linearized; but a zero would stop at the first rule.
    _, transposed = vjp(pullback, ones_in_containers_of(y))

    def pushforward(*tangents: Any) -> Any:
        """The tangent of the result, from a tangent of each argument."""
        if len(tangents) != len(args):
            raise DimensionMismatchError(
                f"the pushforward of {describe_callee(f)} was called with {len(tangents)} tangents, and "
                f"there are {len(args)} arguments"
            )
        return transposed(tangents)[0]

    return y, DerivativeOf(f, pushforward), *aux
