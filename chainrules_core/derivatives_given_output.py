"""The partial derivatives of a function, from its result and its arguments."""

from typing import Any

from chainrules_core.rule_function import RuleFunction
from chainrules_core.rule_method import Mode


class DerivativesGivenOutput(RuleFunction):
    """``derivatives_given_output(y, f, *xs)``: the partial derivatives of `f` at `xs`, where ``y = f(*xs)``.

    Returns a tuple with one tuple for each result of `f`, which holds one partial derivative for each argument; `None`
    where no `scalar_rule` applies. The primal is not computed again.

    Examples
    --------
    >>> derivatives_given_output(np.exp(2.0), np.exp, 2.0)
    ((7.38905609893065,),)
    """

    __slots__ = ()

    def __call__(self, y: Any, f: Any, /, *xs: Any) -> Any:
        return self._call_new((y, f, *xs), {})


derivatives_given_output = DerivativesGivenOutput(Mode("derivatives_given_output", leading=("y",), announced=False))
