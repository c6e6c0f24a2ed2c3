"""`to_torch`: functions over NumPy as functions of PyTorch."""

import functools
from collections.abc import Callable
from typing import Any

import torch

from chainrules.adapters.calls import flat_call
from chainrules.adapters.torch.function import Call, NumPyCall


def to_torch(f: Callable[..., Any], /) -> Callable[..., Any]:
    @functools.wraps(f)
    def adapted(*args: Any, **kwargs: Any) -> Any:
        tensors, function = flat_call(f, args, kwargs, is_tensor)
        call = Call(function)
        ys = NumPyCall.apply(call, *tensors)
        return call.outcome.filled(ys)

    return adapted


def is_tensor(x: Any) -> bool:
    """Whether a value is a tensor."""
    return isinstance(x, torch.Tensor)
