"""The operation of mygrad by which an adapted function is called."""

from typing import Any

import mygrad
import numpy as np
from mygrad.operation_base import Operation

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatFunction, Outcome
from chainrules.adapters.ownership import owned
from chainrules_core import AbstractZero


class CallOfFlatFunction(Operation):
    """A call of a flat function. There is one class for all functions, so nothing grows with calls."""

    def __call__(self, *variables_and_call: Any) -> Any:
        """The result of a flat function.

        Parameters
        ----------
        variables
            Its tensors, and arrays that mygrad guards until the backward pass.
        function
            The function.
        number
            How many of the variables are its tensors.
        wanted
            The places of the tensors that get a gradient.
        outcomes
            A list, to which the result in its containers is appended.
        """
        *variables, function, number, wanted, outcomes = variables_and_call
        self.variables = tuple(variables)
        self.wanted = wanted
        arrays = [_plain(variable.data) for variable in variables[:number]]
        if wanted:
            outcome, self.pullback = function.pull(arrays, wanted)
        else:
            outcome = function.value(arrays)
        template, holes = outcome.template, outcome.holes
        ys = owned(outcome.arrays)
        _check(function, ys)
        outcomes.append(Outcome(ys, template, holes))
        return ys[0]

    def backward(self, grad: np.ndarray, **kwargs: Any) -> None:
        """Pull the cotangent of the result back to all variables at once."""
        if not self.wanted:  # a result that is no constant, of constants
            return
        x_bars = self.pullback([_plain(grad)])
        for number, x_bar in enumerate(x_bars):
            if isinstance(x_bar, AbstractZero):
                x_bars[number] = np.zeros_like(self.variables[self.wanted[number]].data)
        del x_bar
        self.x_bars = dict(zip(self.wanted, owned(x_bars), strict=True))
        super().backward(grad, **kwargs)

    def backward_var(self, grad: np.ndarray, index: int, **kwargs: Any) -> Any:
        """The cotangent of one variable."""
        return self.x_bars.pop(index)


def _plain(array: np.ndarray) -> Any:
    """An array as functions over NumPy expect it: one without axes is a number."""
    return array if array.ndim else array[()]


def _check(function: FlatFunction, ys: list[Any]) -> None:
    if len(ys) != 1:
        raise AdapterError(
            f"{function.name} returned {len(ys)} numbers and arrays; an operation of mygrad returns one. "
            "Adapt a function that does, such as `lambda x: f(x)[0]`."
        )
    if ys[0].dtype.kind == "c" and mygrad.no_autodiff.state:
        raise AdapterError(
            f"{function.name} returned {ys[0].dtype}, and mygrad differentiates real numbers only. Adapt a "
            "function that returns some, such as `lambda x: np.real(f(x))`."
        )
