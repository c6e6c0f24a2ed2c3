"""Results by example: what a function returns for arguments of some shapes, found by calling it."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch.utils._python_dispatch import _disable_current_modes

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.example_matrices import positive_definite
from chainrules.adapters.flat_functions import FlatFunction, Outcome
from chainrules.adapters.torch.host import numpy_dtype

# The shapes and types of tensors.
Kinds = tuple[tuple[tuple[int, ...], torch.dtype], ...]


def example_outcome(function: FlatFunction, kinds: Kinds) -> Outcome:
    """What a flat function returns for arrays like tensors of some shapes and types.

    Matrices are symmetric positive definite, and all numbers small and positive, which nearly all functions
    take; or else numbers are normally distributed. Integers are zero, and truth values false.

    Raises
    ------
    AdapterError
        If the function takes neither.
    """
    error: Exception | None = None
    for numbers in (_mild_numbers, _normal_numbers):
        rng = np.random.default_rng(0)
        try:
            with _disable_current_modes():  # the function may be one of PyTorch, and tensors have values here
                return function.value([_example(numbers, rng, shape, dtype) for shape, dtype in kinds])
        except Exception as failure:  # noqa: BLE001 - whatever a function says of numbers that it does not take
            error = error or failure
    raise AdapterError(
        f"{function.name}: the shape of its result was to be found by a call with random numbers "
        f"({spelled(kinds)}), which raised {type(error).__name__}: {error}. Call it outside `torch.compile`."
    ) from error


def spelled(kinds: Kinds) -> str:
    """The shapes and types of tensors, as in messages."""
    return ", ".join(f"{dtype} of shape {shape}" for shape, dtype in kinds)


def _example(
    numbers: Callable[..., np.ndarray], rng: np.random.Generator, shape: tuple[int, ...], dtype: torch.dtype
) -> Any:
    differentiable = dtype.is_floating_point or dtype.is_complex
    example = numbers(rng, shape) if differentiable else np.zeros(shape)
    example = example.astype(numpy_dtype(dtype))
    return example if shape else example[()]


def _mild_numbers(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return positive_definite(np.asarray(rng.uniform(0.25, 0.75, size=shape)))


def _normal_numbers(rng: np.random.Generator, shape: tuple[int, ...]) -> np.ndarray:
    return np.asarray(rng.normal(size=shape))
