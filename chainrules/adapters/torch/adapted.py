"""`to_torch`: functions over NumPy as functions of PyTorch."""

import functools
from collections.abc import Callable
from typing import Any

import torch

from chainrules.adapters.calls import flat_call
from chainrules.adapters.torch.compiled import call_in_graph
from chainrules.adapters.torch.function import Call, NumPyCall
from chainrules.adapters.torch.uncompiled import uncompiled


def to_torch(f: Callable[..., Any], /) -> Callable[..., Any]:
    @functools.wraps(f)
    def adapted(*args: Any, **kwargs: Any) -> Any:
        if torch.compiler.is_dynamo_compiling():
            return call_in_graph(f, args, kwargs)
        return _called(f, args, kwargs)

    return adapted


@uncompiled
def _called(f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    tensors, function = flat_call(f, args, kwargs, is_tensor)
    call = Call(function)
    ys = NumPyCall.apply(call, *tensors)
    return call.outcome.filled(ys)


def is_tensor(x: Any) -> bool:
    """Whether a value is a tensor."""
    return isinstance(x, torch.Tensor)
