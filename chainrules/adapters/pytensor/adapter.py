"""`to_pytensor`: a function over NumPy as a function of PyTensor's variables."""

import functools
import types
from collections.abc import Callable
from typing import Any

from pytensor.graph.basic import Variable
from pytensor.tensor import as_tensor_variable

from chainrules.adapters.calls import flat_call
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.pytensor.ops import CallOp
from chainrules_core import describe_callee, unwrap_primitive


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
        and in `f` itself. Other arguments are constants. Returns variables in the containers of `f`.

    Raises
    ------
    AdapterError
        From the result, if a variable is not that of a dense tensor, or held where it is not found; or if `f`
        fails with the random arrays by which the types of its results are found.

    Examples
    --------
    >>> import pytensor.tensor as pt  # doctest: +SKIP
    >>> solve = to_pytensor(np.linalg.solve)  # doctest: +SKIP
    >>> x = solve(pt.matrix("A"), pt.vector("b"))  # doctest: +SKIP
    """
    f = unwrap_primitive(f)
    updated = ("__dict__",) if isinstance(f, types.FunctionType) else ()

    @functools.wraps(f, updated=updated)
    def adapted(*args: Any, **kwargs: Any) -> Any:
        return call(f, args, kwargs)

    return adapted


def call(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function with variables among its arguments."""
    variables, function = flat_call(f, args, kwargs, _is_variable)
    op = CallOp(function)
    inputs = [_tensor(f, x) for x in variables]
    outputs = op(*inputs, return_list=True)
    return op.outcome(inputs).filled(outputs)


def _is_variable(x: Any) -> bool:
    return isinstance(x, Variable)


def _tensor(f: Any, x: Variable) -> Variable:
    try:
        tensor = as_tensor_variable(x)
    except (TypeError, NotImplementedError) as error:
        raise AdapterError(f"{describe_callee(f)}: the argument {x} is a {x.type}, and no tensor.") from error
    return tensor
