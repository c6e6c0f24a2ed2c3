"""Kinds of arrays and numbers that are refused, since they compute otherwise: masked ones, those of others.

Rules would compute with the numbers in them: with masked ones too, element by element where a matrix would
not, and without the index of a series. A function of NumPy takes the values of a series, as it always does.
"""

from typing import Any

import numpy as np

from chainrules.ad.values.facts import FACTS, NOTHING, fact_of_module
from chainrules.ad.values.memory import remembered


@remembered
def refusal_of_class(cls: type) -> str | None:
    """The advice against arrays of a class; `None` if they compute as arrays do.

    Parameters
    ----------
    cls
        A class of arrays.
    """
    for base in cls.__mro__:
        if base is np.ndarray:
            return None
        module = str(base.__module__)
        known = FACTS.get(base, NOTHING).refused_values or fact_of_module(module).refused_values
        instead = known or _refusal_of_tensor(module.partition(".")[0])
        if instead is not None:
            return instead
    return None


# Those whose functions have bridges.
_WITH_FUNCTIONS = frozenset({"torch", "jax", "jaxlib"})

# Tensors of frameworks, by package: its name, how a tensor becomes an array, how its bridges' names end.
_FRAMEWORKS = {
    "torch": ("PyTorch", "t.detach().numpy()", "torch"),
    "jax": ("JAX", "np.asarray(t)", "jax"),
    "jaxlib": ("JAX", "np.asarray(t)", "jax"),
    "mygrad": ("mygrad", "t.data", "mygrad"),
}


def _refusal_of_tensor(package: str) -> str | None:
    if package not in _FRAMEWORKS:
        return None
    name, plain, suffix = _FRAMEWORKS[package]
    return (
        f"{name} differentiates by its tensors itself: write `{plain}` for a constant, or let {name} "
        f"differentiate the function, `chainrules.adapters.to_{suffix}(f)`."
    )


def refusal_of_framework(module: Any) -> str | None:
    """The advice against a function that takes tensors; `None` if it is in no framework's package.

    Parameters
    ----------
    module
        The name of the module in which the function is, or that of its class.
    """
    package = module.partition(".")[0] if module.__class__ is str else ""
    if package not in _WITH_FUNCTIONS:
        return None
    name, _, suffix = _FRAMEWORKS[package]
    return (
        f"{name}'s functions take its own tensors: `chainrules.adapters.from_{suffix}(f)` makes one a "
        "function over NumPy, with rules."
    )


def refusal_of_function(module: Any, name: str) -> str | None:
    """The advice against a function; `None` if it is for arrays of any kind.

    Parameters
    ----------
    module
        The name of the module in which it is.
    name
        Its name there.
    """
    known = fact_of_module(module)
    return None if name in known.questions else known.refused


def values_of(x: Any) -> Any:
    """The array that NumPy makes of a series or a frame; other values as they are."""
    is_of_pandas = str(type(x).__module__).partition(".")[0] == "pandas"
    return np.asarray(x) if is_of_pandas and hasattr(x, "__array__") else x


def plain_form(x: Any) -> str | None:
    """An expression for the numbers of an object that gives them away; `None` for other values."""
    if isinstance(x, np.ndarray | np.generic):
        return None
    if hasattr(type(x), "to_numpy"):  # of pandas, polars, xarray
        return "x.to_numpy()"
    if hasattr(type(x), "__array__"):
        return "np.asarray(x)"
    return "float(x)" if hasattr(type(x), "__float__") else None  # of decimal, SymPy


def check_kind(x: Any) -> None:
    """Raise if a value is an array that computes otherwise than arrays do.

    Raises
    ------
    TypeError
        If it does.
    """
    instead = None if x.__class__ is np.ndarray else refusal_of_class(type(x))
    if instead is not None:
        raise TypeError(f"A traced value met a {type(x).__name__}. {instead}")
