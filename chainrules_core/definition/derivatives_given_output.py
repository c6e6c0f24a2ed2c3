"""The partial derivatives of a function, from its result and its arguments."""

from typing import Any

from chainrules_core.dispatch.rule_function import RuleFunction
from chainrules_core.dispatch.rule_method import Mode


class DerivativesGivenOutput(RuleFunction):
    """``derivatives_given_output(y, f, *xs)``: the partial derivatives of `f` at `xs`, where ``y = f(*xs)``.

    Returns a tuple with one tuple for each result of `f`, which holds one partial derivative for each
    argument; `None` where no `scalar_rule` applies. The primal is not computed again.

    Examples
    --------
    >>> def cube(x):
    ...     return x**3
    >>> scalar_rule(cube, lambda y, x: 3 * x**2)
    >>> derivatives_given_output(8.0, cube, 2.0)
    ((12.0,),)
    """

    __slots__ = ()

    def __call__(self, y: Any, f: Any, /, *xs: Any) -> Any:
        """Find the partial derivatives of a call; `None` if there are none."""
        return self._answer(self._serve((y, f, *xs), {}))


derivatives_given_output = DerivativesGivenOutput(
    Mode("derivatives_given_output", leading=("y",), announced=False)
)
