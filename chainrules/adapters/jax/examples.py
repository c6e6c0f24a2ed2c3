"""Calls with made-up numbers, to see which containers, shapes and dtypes a function returns."""

import warnings
from collections.abc import Sequence
from typing import Any

import jax
import numpy as np

from chainrules.adapters.errors import AdapterError
from chainrules.adapters.example_matrices import positive_definite
from chainrules.adapters.flat_functions import FlatCall, Outcome
from chainrules.adapters.jax.arrays import numpy_array


def value_by_example(call: FlatCall, specimens: Sequence[Any]) -> Outcome:
    """The result of a call, with made-up numbers where only shapes and dtypes are given.

    Raises
    ------
    AdapterError
        If the function raises an error for these numbers.
    """
    arrays = [example_array(x) for x in specimens]
    # Whether the numbers make sense is of no interest. And what the function does with JAX is not traced.
    with warnings.catch_warnings(), np.errstate(all="ignore"), jax.ensure_compile_time_eval():
        warnings.simplefilter("ignore")
        try:
            return call.value(arrays)
        except AdapterError:
            raise
        except Exception as error:
            raise AdapterError(
                f"{call.name} was tried with made-up numbers, since JAX has to know the shape and dtype of "
                f"its result, and raised {type(error).__name__}: {error}. Describe the result instead: "
                "`to_jax(f, abstract=g)`, where `g` is called with a `jax.ShapeDtypeStruct` for each array "
                "and returns those of the result."
            ) from error


def example_array(x: Any) -> Any:
    """An array with a shape and a dtype; one with numbers as it is.

    Its numbers are random, between 1/4 and 3/4, where most functions are defined. Square arrays are symmetric
    positive definite matrices, which solvers and factorizations accept. Integers are zeros: indices exist.
    """
    if not isinstance(x, jax.ShapeDtypeStruct):
        return numpy_array(x)
    if x.dtype.kind not in "fc":
        return np.zeros(x.shape, x.dtype)[()]
    numbers = np.asarray(np.random.default_rng(0).uniform(0.25, 0.75, x.shape))
    return positive_definite(numbers).astype(x.dtype)[()]
