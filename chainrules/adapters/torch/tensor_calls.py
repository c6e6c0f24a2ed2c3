"""Calls of functions of PyTorch as functions of their tensors, and the derivatives of these, by PyTorch.

All derivatives are taken in reverse mode, those of forward mode by reversing twice: what PyTorch cannot
differentiate is an error then, where its forward mode takes the tangents of some operators for zeros.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from chainrules.ad.traced.tracing import is_differentiable
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.holes import Holes, filled, find_holes

Tensors = Sequence[torch.Tensor]


class TensorCall:
    """A call of a function of PyTorch, from the tensors in its arguments to those in its result.

    Attributes
    ----------
    arrays
        What stands for the tensors in the arguments.
    holes
        Where they were in the positional arguments.
    result, result_holes
        What the function returned when it was last called, without its tensors, and where these were.
    """

    def __init__(self, f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.arrays: list[Any] = []
        self.holes: Holes = find_holes(args, _is_number_or_array, self.arrays)
        self.result: Any = None
        self.result_holes: Holes = None
        self._keyword_holes = find_holes(kwargs, _is_array, self.arrays)
        self._call = f, args, kwargs

    def __call__(self, *tensors: torch.Tensor) -> list[torch.Tensor]:
        """Call the function."""
        f, args, kwargs = self._call
        try:
            y = f(*filled(args, self.holes, tensors), **filled(kwargs, self._keyword_holes, tensors))
        except RuntimeError as error:
            for note in _notes_on_dtypes(f, tensors):
                error.add_note(note)
            raise
        ys: list[torch.Tensor] = []
        self.result_holes = find_holes(y, lambda part: isinstance(part, torch.Tensor), ys)
        self.result = filled(y, self.result_holes, [None] * len(ys))
        return ys

    def holes_of(self, place: int) -> Holes:
        """Where the tensors were in a positional argument."""
        return self.holes.get(place) if isinstance(self.holes, dict) else None

    def filled(self, ys: Sequence[Any]) -> Any:
        """The result, with other things in the places of the tensors."""
        return filled(self.result, self.result_holes, ys)


def _notes_on_dtypes(f: Any, tensors: Tensors) -> Iterator[str]:
    """What to write where a module is of another precision than the arrays that it was given."""
    if isinstance(f, torch.nn.Module):
        own = {x.dtype for x in f.parameters() if x.is_floating_point()}
        given = {x.dtype for x in tensors if x.is_floating_point()} - own
        if len(own) == 1 and given:
            dtype = str(*own).removeprefix("torch.")
            others = ", ".join(sorted(str(x).removeprefix("torch.") for x in given))
            yield (
                f"The parameters of the module are {dtype}, and it was given arrays of {others}: write "
                f"`from_torch(module)(x.astype(np.{dtype}))`, or give the module the dtype of the arrays, "
                "`module.double()` for float64."
            )


def _is_number_or_array(x: Any) -> bool:
    return _is_array(x) or is_differentiable(x)


def _is_array(x: Any) -> bool:
    return isinstance(x, np.ndarray | np.generic)


@contextmanager
def recording() -> Iterator[bool]:
    """Let PyTorch record what is computed; whether it did so before."""
    recorded = torch.is_grad_enabled()
    with torch.inference_mode(mode=False), torch.enable_grad():
        yield recorded


def variables(tensors: Tensors, places: Sequence[int]) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
    """Tensors with new variables at some places, and these variables.

    A tensor may be there twice; each variable is another one.
    """
    new = list(tensors)
    for place in places:
        x = tensors[place]
        new[place] = x.view_as(x) if x.requires_grad else x.detach().requires_grad_()
    return new, [new[place] for place in places]


def pulled(
    ys: Tensors, xs: Tensors, y_bars: Sequence[torch.Tensor | None], *, again: bool
) -> list[torch.Tensor]:
    """Cotangents of variables, of those of tensors that were computed from them.

    Parameters
    ----------
    ys, xs
        The tensors and the variables.
    y_bars
        The cotangents; `None` for zero.
    again
        Whether the cotangents will be differentiated in their turn.
    """
    pairs = [(y, y_bar) for y, y_bar in zip(ys, y_bars, strict=True) if y_bar is not None and y.requires_grad]
    if not pairs or not xs:
        return [torch.zeros_like(x) for x in xs]
    moving, given = zip(*pairs, strict=True)
    _refuse_cut_graph(moving)
    return list(
        torch.autograd.grad(
            moving,
            xs,
            given,
            retain_graph=True,
            create_graph=again,
            allow_unused=True,
            materialize_grads=True,
        )
    )


def _refuse_cut_graph(ys: Tensors) -> None:
    """Refuse gradients of functions that can be differentiated once only.

    PyTorch puts a node into the graph that raises an error, but leads nowhere: nobody goes there for a
    gradient by something else, so that a part of it would be missing in silence.
    """
    pending = [y.grad_fn for y in ys]
    seen = set()
    while pending:
        node = pending.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        if node.name() == "torch::autograd::Error":
            raise AdapterError(
                "A function of PyTorch can be differentiated once only (`once_differentiable`), and its "
                "derivative is differentiated: for a second one, or in forward mode, which reverses twice."
            )
        pending.extend([following for following, _ in node.next_functions])


class Pullback:
    """The pullback of a call: from its tensors and the cotangents that are no zeros, to cotangents.

    Attributes
    ----------
    call
        The call.
    wanted
        The places of the tensors to pull back to.
    given
        Whether there is a cotangent, for each tensor of the result.
    """

    def __init__(self, call: TensorCall, wanted: Sequence[int], given: Sequence[bool]) -> None:
        self.call = call
        self.wanted = wanted
        self.given = given

    def __call__(self, *tensors: torch.Tensor) -> list[torch.Tensor]:
        """Pull cotangents back."""
        count = len(tensors) - sum(self.given)
        rest = iter(tensors[count:])
        y_bars = [next(rest) if is_given else None for is_given in self.given]
        with recording() as again:
            if (
                again
            ):  # a function that can be differentiated once only says so where cotangents are variables
                y_bars = [y_bar if y_bar is None else variables([y_bar], (0,))[0][0] for y_bar in y_bars]
            inputs, xs = variables(tensors[:count], self.wanted)
            return pulled(self.call(*inputs), xs, y_bars, again=again)


class Pushforward:
    """The pushforward of a call: from its tensors and tangents of some, to its results and their tangents.

    Attributes
    ----------
    call
        The call.
    moving
        The places of the tensors with tangents.
    """

    def __init__(self, call: TensorCall, moving: Sequence[int]) -> None:
        self.call = call
        self.moving = moving

    def __call__(self, *tensors: torch.Tensor) -> tuple[list[torch.Tensor], list[torch.Tensor]]:
        """Push tangents forward: the pullback is linear in its cotangents, and pulled back in its turn."""
        count = len(tensors) - len(self.moving)
        with recording() as again:
            inputs, xs = variables(tensors[:count], self.moving)
            ys = self.call(*inputs)
            weights = [torch.zeros_like(y).requires_grad_() if y.requires_grad else None for y in ys]
            x_bars = pulled(ys, xs, weights, again=True)
            found = pulled(x_bars, [w for w in weights if w is not None], tensors[count:], again=again)
            rest = iter(found)
            return ys, [
                torch.zeros_like(y) if w is None else next(rest) for y, w in zip(ys, weights, strict=True)
            ]
