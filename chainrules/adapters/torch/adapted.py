"""`to_torch`: functions over NumPy as functions of PyTorch."""

import functools
import sys
import types
from collections.abc import Callable, Mapping
from typing import Any

import torch

from chainrules.adapters.callees import checked_callee
from chainrules.adapters.calls import flat_call
from chainrules.adapters.torch.compiled import call_in_graph
from chainrules.adapters.torch.function import Call, NumPyCall
from chainrules.adapters.torch.uncompiled import uncompiled


class AdaptedFunction:
    """A function over NumPy as one of PyTorch; made by `to_torch`."""

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f, updated=())
        self._f = f

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function with tensors."""
        return call(self._f, args, kwargs)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)

    def __repr__(self) -> str:
        return f"to_torch({self._f!r})"

    def __reduce__(self) -> str | tuple[Any, ...]:
        # A function decorated with @to_torch is found under its name, as functions are; else adapt it again.
        name = getattr(self, "__qualname__", "")
        module: Any = sys.modules.get(self.__module__)
        found: Any = functools.reduce(lambda owner, part: getattr(owner, part, None), name.split("."), module)
        return name if found is self else (to_torch, (self._f,))


def to_torch(f: Callable[..., Any], /) -> Callable[..., Any]:
    """Make a function over NumPy a function of PyTorch, which differentiates it by its rules.

    Tensors are found in the arguments, by position and by keyword; in tuples, lists, dicts, dataclasses and
    other objects with attributes among them; and in `f` itself, if it is a callable object, a closure, a
    partial or a bound method. `f` is given arrays in their places: a number of NumPy for a tensor without
    axes. All else is given to `f` as it is.

    The result is differentiated by PyTorch in reverse and in forward mode, to any order, by the transforms of
    `torch.func`, and in programs compiled by `torch.compile`, there in reverse mode. Cotangents that PyTorch
    does not need are not computed. NumPy computes on the host: tensors of other devices are copied.

    Parameters
    ----------
    f
        A function with a rule, such as `scipy.linalg.solve`, or a program over NumPy and SciPy, which
        `chainrules.ad` differentiates.

    Returns
    -------
    callable
        The function of tensors. Its result has the containers of that of `f`, with a tensor in the place of
        each number and array. The types of numbers are NumPy's: a product of float32 and float64 is float64.

    Raises
    ------
    AdapterError
        By the function of tensors, where a tensor cannot be given to NumPy, such as of bfloat16 or sparse;
        where something traces the program and would miss what NumPy computes; where a result is no number or
        array. An error that `f` or its rule raises keeps its class.

    Examples
    --------
    >>> import scipy.linalg
    >>> import torch
    >>> solve = to_torch(scipy.linalg.solve)
    >>> A = torch.tensor([[2.0, 0.0], [0.0, 4.0]], requires_grad=True)
    >>> solve(A, torch.tensor([2.0, 2.0])).sum().backward()
    >>> A.grad
    tensor([[-0.5000, -0.2500],
            [-0.2500, -0.1250]])
    """
    if not torch.compiler.is_dynamo_compiling():  # the compiler cannot follow the questions
        checked_callee(f, "to_torch")
    return AdaptedFunction(f)


def call(f: Callable[..., Any], args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> Any:
    """Call a function over NumPy with tensors."""
    if torch.compiler.is_dynamo_compiling():
        return call_in_graph(f, args, dict(kwargs))
    return _call_now(f, args, dict(kwargs))


@uncompiled
def _call_now(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensors, function = flat_call(f, args, kwargs, _is_tensor)
    one = Call(function)
    ys = NumPyCall.apply(one, *tensors)
    return one.filled(ys)


def _is_tensor(x: Any) -> bool:
    return isinstance(x, torch.Tensor)
