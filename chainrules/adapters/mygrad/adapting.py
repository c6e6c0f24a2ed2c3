"""`to_mygrad`: makes a function over NumPy one that mygrad differentiates."""

import functools
from collections.abc import Callable
from typing import Any

import mygrad
import numpy as np

from chainrules.adapters.callees import checked_callee
from chainrules.adapters.calls import flat_call
from chainrules.adapters.flat_functions import Outcome
from chainrules.adapters.mygrad.operation import CallOfFlatFunction


def to_mygrad(f: Callable[..., Any]) -> Callable[..., Any]:
    """Make a function over NumPy one that mygrad differentiates.

    The result is called as `f` is, with tensors in the place of numbers and arrays. They may stand in tuples,
    lists, dicts, dataclasses and other objects, among the keywords, in closures, partials and in `f` itself.
    It takes the keyword ``constant`` too, as functions of mygrad do. Without tensors, `f` itself is called.

    mygrad has one result for each operation, real numbers, reverse mode and first derivatives; so has this.

    Parameters
    ----------
    f
        A function with a rule, or any program over NumPy and SciPy that `chainrules.ad` differentiates.

    Raises
    ------
    AdapterError
        When the result is called with a tensor that is hidden where it is not found, in a set for instance;
        or if `f` does not return one real number or array.

    Examples
    --------
    >>> import mygrad, scipy.special
    >>> x = mygrad.tensor([1.0, 2.0])
    >>> to_mygrad(scipy.special.gammaln)(x).sum().backward()
    >>> x.grad
    array([-0.57721566,  0.42278434])
    """
    f = checked_callee(f, "to_mygrad")

    @functools.wraps(f, updated=())
    def adapted(*args: Any, constant: bool | None = None, **kwargs: Any) -> Any:
        return called(f, args, kwargs, constant)

    return adapted


def called(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], constant: bool | None = None) -> Any:
    """What `f` returns, with a tensor in the place of the number or array, if it is given tensors."""
    tensors, function = flat_call(f, args, kwargs, _is_tensor)
    if not tensors:
        return f(*args, **kwargs)
    # mygrad guards all arrays that it is given: nobody may write into them before the backward pass.
    guarded = [x for x in (*args, *kwargs.values()) if _is_array_of_real_numbers(x)]
    differentiates = mygrad.no_autodiff.state and constant is not True
    wanted = [place for place, tensor in enumerate(tensors) if differentiates and not tensor.constant]
    outcomes: list[Outcome] = []
    y = mygrad.execute_op(
        CallOfFlatFunction,
        *(*tensors, *guarded),
        op_args=(function, len(tensors), wanted, outcomes),
        constant=constant,
    )
    return outcomes[0].filled([y])


def _is_tensor(x: Any) -> bool:
    return isinstance(x, mygrad.Tensor)


def _is_array_of_real_numbers(x: Any) -> bool:
    return type(x) is np.ndarray and x.dtype.kind in "biuf"
