"""`from_torch`: functions of PyTorch as functions over NumPy, with rules in both modes."""

import inspect
from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import torch

from chainrules.adapters.callees import checked_callee
from chainrules.adapters.torch.host import arrays_of, torch_dtype
from chainrules.adapters.torch.tensor_calls import TensorCall
from chainrules_core import primitive


class TorchFunction:
    """A function of PyTorch, over NumPy; it has rules in both modes.

    PyTorch's function is not among the attributes: the tensors in it, such as a module's parameters, are
    constants, which nobody shall look for.
    """

    __slots__ = ("__weakref__",)

    def __init__(self, function: Callable[..., Any]) -> None:
        _functions[self] = function

    @property
    def function(self) -> Callable[..., Any]:
        """The function of PyTorch."""
        return _functions[self]

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function with arrays."""
        call = TensorCall(self.function, args, kwargs)
        with torch.no_grad():
            ys = call(*private_tensors(call.arrays))
        return call.filled(private_arrays(ys))

    @property
    def __name__(self) -> str:
        f = self.function
        return getattr(f, "__name__", type(f).__name__)

    @property
    def __doc__(self) -> str | None:  # type: ignore[override]  # of the function, not of this class
        return self.function.__doc__

    @property
    def __signature__(self) -> inspect.Signature:
        f = self.function
        return inspect.signature(f.forward if isinstance(f, torch.nn.Module) else f)

    def __repr__(self) -> str:
        return f"from_torch({self.function!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return TorchFunction, (self.function,)


_functions: WeakKeyDictionary[TorchFunction, Callable[..., Any]] = WeakKeyDictionary()


def from_torch(f: Callable[..., Any], /) -> Callable[..., Any]:
    """Make a function of PyTorch a function over NumPy, which every AD system differentiates.

    It is a `primitive` with rules in both modes, to any order: `chainrules.ad` differentiates programs that
    call it, and so do other frameworks, by `to_jax(from_torch(f))` and the like. PyTorch differentiates `f`
    itself. Where nothing is differentiated, nothing is recorded.

    Arrays and numbers in the arguments, in tuples, lists, dicts and dataclasses too, are given to `f` as
    tensors of their types; integers of Python, and numbers by keyword, as they are. Tensors in the result
    become arrays.

    Parameters
    ----------
    f
        A function of tensors, or a module. Its parameters, and other tensors that it holds, are constants.
        It is called again for each order of derivatives, and has to compute the same: dropout does not.

    Returns
    -------
    callable
        The function over NumPy.

    Examples
    --------
    >>> import torch
    >>> from chainrules.ad import grad
    >>> softplus = from_torch(torch.nn.functional.softplus)
    >>> grad(lambda x: np.sum(softplus(x) ** 2))(np.array([0.0, 1.0]))
    array([0.69314718, 1.92014245])
    """
    return primitive(TorchFunction(checked_callee(f, "from_torch")))


def private_tensors(arrays: Sequence[Any]) -> list[torch.Tensor]:
    """Tensors with copies of arrays and numbers: functions of PyTorch may write into their arguments."""
    tensors = []
    for x in arrays:
        array = np.asarray(x)
        torch_dtype(array.dtype)
        tensors.append(torch.from_numpy(np.array(array, dtype=array.dtype.newbyteorder("="), order="C")))
    return tensors


def private_arrays(tensors: Sequence[torch.Tensor]) -> list[Any]:
    """Arrays with copies of tensors, which may be parameters; numbers for tensors without axes."""
    return [np.array(array)[()] for array in arrays_of(tensors)]
