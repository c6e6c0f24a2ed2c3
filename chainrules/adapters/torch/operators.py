"""Flat functions as operators of PyTorch's dispatcher, which knows ways of its own to map over batches.

``torch.autograd.grad(..., is_grads_batched=True)`` and ``gradcheck(..., check_batched_grad=True)`` map by the
older of PyTorch's two ways: it cuts batches into tensors for operators, and only for those whose schema has a
fixed number of tensors. The tensors in its batches have no memory that anybody else could read.
"""

import functools
import itertools
import threading
from collections.abc import Callable, Sequence
from typing import Any

import torch

_library = torch.library.Library("chainrules", "FRAGMENT")
_lock = threading.Lock()
_counter = itertools.count()

Run = Callable[..., tuple[torch.Tensor, ...]]
_running: dict[int, Run] = {}


def run_as_operator(run: Run, tensors: Sequence[torch.Tensor], outputs: int) -> tuple[torch.Tensor, ...]:
    """Run a function of tensors as an operator, once for each element of the batches.

    Parameters
    ----------
    run
        The function. It records its own derivatives.
    tensors
        Its arguments.
    outputs
        The number of tensors that it returns.
    """
    key = next(_counter)
    _running[key] = run
    try:
        ys = _operator(len(tensors), outputs)(key, *tensors)
    finally:
        del _running[key]
    return ys if outputs > 1 else (ys,)


def _operator(inputs: int, outputs: int) -> Callable[..., Any]:
    with _lock:  # two threads may need an operator for the first time
        return _defined_operator(inputs, outputs)


@functools.cache
def _defined_operator(inputs: int, outputs: int) -> Callable[..., Any]:
    name = f"call_{inputs}_{outputs}"
    arguments = "".join(f", Tensor x{place}" for place in range(inputs))
    returned = ", ".join(["Tensor"] * outputs)
    _library.define(f"{name}(int key{arguments}) -> ({returned})")

    def call(key: int, *tensors: torch.Tensor) -> Any:
        ys = _running[key](*tensors)
        return ys if outputs > 1 else ys[0]

    for dispatch_key in ("CompositeExplicitAutograd", "Autograd"):
        _library.impl(name, call, dispatch_key)
    return getattr(torch.ops.chainrules, name).default
