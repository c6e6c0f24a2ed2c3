"""`to_pytensor`: a function over NumPy as a function of PyTensor's variables."""

import functools
import types
from collections.abc import Callable
from typing import Any

from pytensor.graph.basic import Variable
from pytensor.tensor import as_tensor_variable
from pytensor.tensor.rewriting.basic import register_canonicalize

from chainrules.adapters.callees import checked_callee
from chainrules.adapters.calls import flat_call
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.pytensor.ops import CallOp
from chainrules.adapters.pytensor.rewrites import drop_unused_cotangents
from chainrules_core import describe_callee

register_canonicalize(drop_unused_cotangents, name="chainrules_drop_unused_cotangents")


def to_pytensor(f: Callable[..., Any], /) -> Callable[..., Any]:
    """Make a function over NumPy one of PyTensor's variables, differentiable by its rules.

    Parameters
    ----------
    f
        A function with a rule, or a program that `chainrules.ad` differentiates. It has to be pure: PyTensor
        computes equal calls once, and drops those whose results nobody needs.

    Returns
    -------
    callable
        Takes variables where `f` takes numbers and arrays: in tuples, lists, dicts, dataclasses, by keyword,
        and in `f` itself. Other arguments are constants. Returns variables in the containers of `f`. Without
        variables, calls `f`.

    Raises
    ------
    AdapterError
        When the result is called with a variable that is no tensor, or is held where it is not found; if `f`
        fails with the random arrays by which the types of its results are found; or if it returns an array of
        another kind, such as a sparse one.

    Examples
    --------
    >>> import pytensor, pytensor.tensor as pt, scipy.special
    >>> x = pt.scalar("x", dtype="float64")
    >>> y = to_pytensor(scipy.special.gammaln)(x)
    >>> derivative = pytensor.function([x], pytensor.grad(y, x), mode="FAST_COMPILE")
    >>> derivative(2.0)
    array(0.42278434)
    """
    f = checked_callee(f, "to_pytensor")
    updated = ("__dict__",) if isinstance(f, types.FunctionType) else ()

    @functools.wraps(f, updated=updated)
    def adapted(*args: Any, **kwargs: Any) -> Any:
        return call(f, args, kwargs)

    return adapted


def call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function with variables among its arguments."""
    variables, function = flat_call(f, args, kwargs, _is_variable)
    if not variables:
        return f(*args, **kwargs)
    op = CallOp(function)
    inputs = [_tensor(f, x) for x in variables]
    outputs = op(*inputs, return_list=True)
    return op.outcome(inputs).filled(outputs)


def _is_variable(x: Any) -> bool:
    return isinstance(x, Variable)


def _tensor(f: Any, x: Variable) -> Variable:
    try:
        return as_tensor_variable(x)
    except (TypeError, NotImplementedError) as error:
        raise AdapterError(f"{describe_callee(f)}: the argument {x} is a {x.type}, and no tensor.") from error
