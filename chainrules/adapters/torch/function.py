"""Flat functions as differentiable functions of PyTorch, in both modes and to any order."""

import itertools
from collections.abc import Sequence
from typing import Any

import torch
from torch._C import _are_functorch_transforms_active as in_torch_func
from torch._C._functorch import is_legacy_batchedtensor, unwrap_if_dead
from torch.autograd import forward_ad

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatFunction, Outcome, Pullback, PullbackOf, PushforwardOf
from chainrules.adapters.results import is_same
from chainrules.adapters.torch.host import arrays_of, device_of, tensors_of
from chainrules.adapters.torch.operators import run_as_operator
from chainrules.adapters.torch.uncompiled import uncompiled
from chainrules_core import ZERO_TANGENT, AbstractZero

Tensors = Sequence[torch.Tensor]


class Call:
    """A flat function that is called with tensors, and what is known once it has been called.

    Attributes
    ----------
    function
        The flat function.
    wanted
        The places of the tensors that a pullback is kept for.
    outcome
        What the function returned, without its arrays; `None` before it was called.
    pullback
        Pulls cotangents back to the wanted places; `None` if there are none.
    """

    __slots__ = ("function", "outcome", "pullback", "wanted")

    def __init__(self, function: FlatFunction) -> None:
        self.function = function
        self.wanted: tuple[int, ...] = ()
        self.outcome: Outcome | None = None
        self.pullback: Pullback | None = None

    def filled(self, ys: Sequence[Any]) -> Any:
        """What the function returned, with tensors in the places of its arrays."""
        assert self.outcome is not None  # noqa: S101 - for type checkers
        return self.outcome.filled(ys)

    def __call__(self, tensors: Tensors) -> tuple[torch.Tensor, ...]:
        """Call the function with the arrays in the tensors."""
        arrays = arrays_of(tensors)
        try:
            if self.wanted:
                outcome, self.pullback = self.function.pull(arrays, self.wanted)
            else:
                outcome = self.function.value(arrays)
        except ValueError as error:
            if "read-only" in str(error):
                error.add_note(
                    f"{self.function.name} may write into an argument, which shares its memory with a "
                    "tensor: PyTorch would not notice. Copy it before, `x = x.copy()`."
                )
            raise
        self.outcome = Outcome([], outcome.template, outcome.holes)
        return tensors_of(outcome.arrays, device_of(tensors))


class NumPyCall(torch.autograd.Function):
    """A call of a flat function, which PyTorch differentiates.

    The pullback and the pushforward of a flat function are flat functions themselves, which this class is
    applied to in its turn. So NumPy is met in `forward` alone: under `torch.func` tensors have no memory
    elsewhere.
    """

    @classmethod
    def apply(cls, call: Call, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Call the function; what `torch.autograd.Function.apply` does.

        That one binds default arguments by `inspect.signature` first, in twice the time of all the rest.
        """
        if in_torch_func():
            return super().apply(call, *tensors)
        tensors = tuple([unwrap_if_dead(tensor) for tensor in tensors])
        if torch.is_grad_enabled():
            call.wanted = tuple([place for place, tensor in enumerate(tensors) if tensor.requires_grad])
        if not call.wanted and not in_forward_mode():
            return call(tensors)
        return _apply_plain(call, *tensors)

    @staticmethod
    @uncompiled
    def forward(call: Call, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:  # noqa: D102 - PyTorch documents it
        return call(tensors)

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None:  # noqa: D102 - PyTorch documents it
        call, *tensors = inputs
        ctx.call = call
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*tensors)
        if in_forward_mode():
            ctx.save_for_forward(*tensors)
        ctx.differentiable = differentiable = [y.is_floating_point() or y.is_complex() for y in output]
        if False in differentiable:
            ctx.mark_non_differentiable(*itertools.compress(output, [not each for each in differentiable]))

    @staticmethod
    @uncompiled
    def backward(ctx: Any, *y_bars: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:  # noqa: D102 - PyTorch documents it
        tensors = ctx.saved_tensors  # PyTorch sees here that one was changed in place
        wanted = tuple([place for place, needed in enumerate(ctx.needs_input_grad[1:]) if needed])
        x_bars: list[torch.Tensor | None] = [None] * (1 + len(tensors))
        given = [y_bar for y_bar in y_bars if y_bar is not None]
        if not given or not wanted:
            return tuple(x_bars)
        call = ctx.call
        if call.wanted == wanted and call.pullback is not None and are_values_only(given):
            found = pulled(call, tensors, y_bars)
        else:
            pullback = PullbackOf(call.function, wanted, tuple([y_bar is not None for y_bar in y_bars]))
            found = applied(pullback, [*tensors, *given], len(wanted))
        for place, x_bar in zip(wanted, found, strict=True):
            x_bars[1 + place] = x_bar
        return tuple(x_bars)

    @staticmethod
    @uncompiled
    def jvp(ctx: Any, _: None, *x_dots: torch.Tensor | None) -> tuple[torch.Tensor | None, ...]:  # noqa: D102 - PyTorch documents it
        given = tuple([x_dot is not None for x_dot in x_dots])
        pushforward = PushforwardOf(ctx.call.function, given)
        inputs = [*ctx.saved_tensors, *[x_dot for x_dot in x_dots if x_dot is not None]]
        y_dots = applied(pushforward, inputs, len(ctx.differentiable))
        return tuple(
            [y_dot if moves else None for y_dot, moves in zip(y_dots, ctx.differentiable, strict=True)]
        )

    @staticmethod
    @uncompiled
    def vmap(info: Any, in_dims: Any, call: Call, *tensors: torch.Tensor) -> Any:
        """Call the function with one tensor of each batch after the other."""
        if not info.batch_size:
            raise AdapterError(
                f"{call.function.name} was mapped over a batch of no tensors, which does not say what the "
                "shape of its result is. Map over one tensor or more."
            )
        batches = [
            itertools.repeat(tensor) if dim is None else tensor.unbind(dim)
            for tensor, dim in zip(tensors, in_dims[1:], strict=True)
        ]
        calls = [Call(call.function) for _ in range(info.batch_size)]
        # The batches end with the calls; a tensor that is in no batch is repeated for ever.
        results = [NumPyCall.apply(one, *each) for one, *each in zip(calls, *batches, strict=False)]
        _check_likeness(
            call.function, [one.filled(["..."] * len(ys)) for one, ys in zip(calls, results, strict=True)]
        )
        call.outcome = calls[0].outcome
        stacked = tuple([torch.stack(ys) for ys in zip(*results, strict=True)])
        return stacked, (0,) * len(stacked)


class _PlainCall(torch.autograd.Function):
    """The same in the older form, which `torch.func` does not take, and which is quicker."""

    @staticmethod
    @uncompiled
    def forward(ctx: Any, call: Call, *tensors: torch.Tensor) -> tuple[torch.Tensor, ...]:
        ys = call(tensors)
        NumPyCall.setup_context(ctx, (call, *tensors), ys)
        return ys

    backward = NumPyCall.backward
    jvp = NumPyCall.jvp


# As `torch.autograd.Function.apply`, but for a check of default arguments in twice the time of the rest.
_apply_plain = super(torch.autograd.Function, _PlainCall).apply


def _check_likeness(function: FlatFunction, results: Sequence[Any]) -> None:
    """Compare the results of all samples of a batch, with dots in the places of tensors.

    Raises
    ------
    AdapterError
        If some have other containers, strings or objects.
    """
    for result in results[1:]:
        if not is_same(result, results[0]):
            raise AdapterError(
                f"{function.name} returned {results[0]!r} for one sample of a batch, and {result!r} for "
                "another one. What `torch.vmap` maps has the same containers and strings for all samples: "
                "let them not depend on values, or call the function in a loop."
            )


def applied(function: FlatFunction, tensors: Tensors, number: int) -> tuple[torch.Tensor, ...]:
    """The tensors that a derivative of a flat function returns, whose number is known."""
    if any(map(is_legacy_batchedtensor, tensors)):
        return run_as_operator(lambda *each: NumPyCall.apply(Call(function), *each), tensors, number)
    return NumPyCall.apply(Call(function), *tensors)


def are_values_only(tensors: Tensors) -> bool:
    """Whether cotangents are numbers that nobody differentiates or maps over."""
    return (
        not torch.is_grad_enabled()
        and not in_torch_func()
        and not in_forward_mode()
        and not any(map(is_legacy_batchedtensor, tensors))
    )


def in_forward_mode() -> bool:
    """Whether tensors may carry tangents."""
    return forward_ad._current_level >= 0  # noqa: SLF001 - PyTorch has no other way to ask


def pulled(call: Call, tensors: Tensors, y_bars: Sequence[torch.Tensor | None]) -> tuple[torch.Tensor, ...]:
    """Cotangents that are pulled back to the wanted tensors by the pullback that the call keeps."""
    assert call.pullback is not None  # noqa: S101 - for type checkers
    given = iter(arrays_of([y_bar for y_bar in y_bars if y_bar is not None]))
    x_bars = call.pullback([ZERO_TANGENT if y_bar is None else next(given) for y_bar in y_bars])
    for number, place in enumerate(call.wanted):
        if isinstance(x_bars[number], AbstractZero):
            x_bars[number] = arrays_of([torch.zeros_like(tensors[place])])[0]
    return tensors_of(x_bars, device_of(tensors))
