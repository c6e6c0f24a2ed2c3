"""Calls within `torch.compile`: one node of the compiled graph, which calls NumPy when the graph runs.

The compiler asks for the shapes of results before there are values, so they are found by example. Its graph
holds the name of a call; names belong to one process, since compiled graphs are also kept on disk.
"""

import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch._C import _are_functorch_transforms_active as in_torch_func

from chainrules.adapters.calls import flat_call
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.flat_functions import FlatFunction, PullbackOf
from chainrules.adapters.torch.descriptions import Description, described, rebuilt
from chainrules.adapters.torch.examples import Kinds, example_outcome, spelled
from chainrules.adapters.torch.function import Call, in_forward_mode
from chainrules.adapters.torch.host import torch_dtype
from chainrules.adapters.torch.uncompiled import called_by_compiler, uncompiled

_library = torch.library.Library("chainrules", "FRAGMENT")
_library.define("compiled_call(str name, Tensor[] tensors) -> Tensor[]")
_NAME = "chainrules::compiled_call"

Tensors = Sequence[torch.Tensor]


class CallInGraph:
    """A flat function that compiled graphs call, and what the compiler was told of its results."""

    def __init__(self, function: FlatFunction) -> None:
        self.function = function
        self.result: Any = None
        self._results: dict[Kinds, tuple[Any, Kinds]] = {}

    def expected(self, tensors: Tensors) -> Kinds:
        """The shapes and types of results, by example."""
        kinds = _kinds(tensors)
        if kinds not in self._results:
            outcome = example_outcome(self.function, kinds)
            arrays = [np.asarray(array) for array in outcome.arrays]
            expected = tuple([(array.shape, torch_dtype(array.dtype)) for array in arrays])
            self._results[kinds] = outcome.filled([_Leaf(place) for place in range(len(arrays))]), expected
        self.result, expected = self._results[kinds]
        return expected

    def __call__(self, tensors: Tensors) -> list[torch.Tensor]:
        """Call the function.

        Raises
        ------
        AdapterError
            If a result has not the shape and type that the compiler was told.
        """
        ys = Call(self.function)(tensors)
        expected = self.expected(tensors)
        if _kinds(ys) != expected:
            raise AdapterError(
                f"{self.function.name} returned {spelled(_kinds(ys))}, and {spelled(expected)} when "
                "`torch.compile` called it with random numbers: the shapes of its results depend on values. "
                "Call it outside `torch.compile`."
            )
        return [y.contiguous() for y in ys]  # as compiled code takes them to be


_calls: dict[str, CallInGraph] = {}


def _named(function: FlatFunction) -> str:
    name = f"{function.name} {uuid.uuid4()}"
    _calls[name] = CallInGraph(function)
    return name


def call_in_graph(  # pragma: no cover - the compiler follows it, which nobody else sees
    f: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call a function over NumPy with tensors; `torch.compile` follows what is written here."""
    if in_torch_func():
        raise AdapterError(
            "Functions adapted by `to_torch` cannot be transformed by `torch.func` inside `torch.compile`. "
            "Transform them outside of it."
        )
    if torch.compiler.is_exporting():
        raise AdapterError(
            "Functions adapted by `to_torch` cannot be exported: exported programs hold no Python functions."
        )
    tensors: list[Any] = []
    constants: list[Any] = []
    description = described((f, args, kwargs), torch.Tensor, tensors, constants)
    name, order = _name_of_call(description, len(tensors), *constants)
    ys = torch.ops.chainrules.compiled_call(name, [torch.as_tensor(tensors[place]) for place in order])
    result, constants_of_result = _description_of_result(name)
    return rebuilt(result, ys, constants_of_result)


@dataclass(frozen=True)
class _Leaf:
    """In the place of a tensor, which has no values yet."""

    place: int


@called_by_compiler
def _name_of_call(description: Description, number: int, *constants: Any) -> tuple[str, tuple[int, ...]]:
    f, args, kwargs = rebuilt(description, [_Leaf(place) for place in range(number)], constants)
    leaves, function = flat_call(f, args, kwargs, lambda x: isinstance(x, _Leaf | torch.Tensor))
    if len(leaves) > number:
        raise AdapterError(
            f"{function.name} holds a tensor where `torch.compile` does not find it, such as in a closure or "
            "a bound method: its gradient would be lost. Give it as an argument, or in a callable object."
        )
    return _named(function), tuple([leaf.place for leaf in leaves])


@called_by_compiler
def _description_of_result(name: str) -> tuple[Description, tuple[Any, ...]]:
    constants: list[Any] = []
    description = described(_calls[name].result, _Leaf, [], constants)
    return description, tuple(constants)


@torch.library.impl(_NAME, "CompositeExplicitAutograd", lib=_library)
@uncompiled
def _run(name: str, tensors: Tensors) -> list[torch.Tensor]:
    _refuse_tangents()
    return _calls[name](tensors)


@torch.library.register_fake(_NAME, lib=_library)
@uncompiled
def _shapes(name: str, tensors: Tensors) -> list[torch.Tensor]:
    _refuse_tangents()
    device = tensors[0].device if tensors else None
    return [torch.empty(shape, dtype=dtype, device=device) for shape, dtype in _calls[name].expected(tensors)]


def _keep(ctx: Any, inputs: Any, output: Any) -> None:
    ctx.name, tensors = inputs
    ctx.save_for_backward(*tensors)


@uncompiled
def _pull(ctx: Any, y_bars: Sequence[torch.Tensor | None]) -> tuple[None, list[torch.Tensor | None]]:
    tensors = ctx.saved_tensors
    given = tuple([y_bar is not None for y_bar in y_bars])
    wanted = tuple([place for place, needed in enumerate(ctx.needs_input_grad[1]) if needed])
    name = _named(PullbackOf(_calls[ctx.name].function, wanted, given))
    inputs = [*tensors, *[y_bar for y_bar in y_bars if y_bar is not None]]
    found = dict(zip(wanted, torch.ops.chainrules.compiled_call(name, inputs), strict=True))
    return None, [found.get(place) for place in range(len(tensors))]


torch.library.register_autograd(_NAME, _pull, setup_context=_keep, lib=_library)


def _refuse_tangents() -> None:
    # Operators of the dispatcher have no forward mode: PyTorch would take tangents for zeros in silence.
    if in_forward_mode():
        raise AdapterError(
            "Functions adapted by `to_torch` have no forward mode inside `torch.compile`. Compute tangents "
            "outside of it."
        )


def _kinds(tensors: Tensors) -> Kinds:
    return tuple([(tuple([int(size) for size in tensor.shape]), tensor.dtype) for tensor in tensors])
