"""Kinds of arrays and numbers that are refused, since they compute otherwise: masked ones, those of others.

Rules would compute with the numbers in them: with masked ones too, element by element where a matrix would
not, and without the index of a series. A function of NumPy takes the values of a series, as it always does.
"""

from typing import Any

import numpy as np

# By the module and name of a class, and by the module of functions for it: what to write instead.
_MASKED = (
    "Masked arrays would lose their masks, or the derivative: write `np.where(mask, 0.0, x)`, or sum by "
    "`np.sum(x, where=~mask)`."
)
_MATRIX = "NumPy's matrices have no derivative: write arrays, `np.asarray(M)`, and `@` for their product."
_PANDAS = (
    "pandas computes with an index, and with missing values, of which rules know nothing: write "
    "`s.to_numpy()` for a series or a frame beside traced values."
)
_MPMATH = (
    "mpmath, and SymPy by it, compute with whole numbers, which have no derivative: write functions of "
    "NumPy, `scipy.special` or `mpmath.fp`, or give the function that calls it a rule, see `rrule.dispatch`."
)
_OF_CLASSES = {
    ("numpy.ma", "MaskedArray"): _MASKED,
    ("numpy", "matrix"): _MATRIX,
    ("mpmath.ctx_mp_python", "mpnumeric"): _MPMATH,
}
_OF_MODULES = {
    "numpy.ma": _MASKED,
    "numpy.matrixlib": _MATRIX,
    "mpmath.ctx_mp_python": _MPMATH,
    "mpmath.libmp": _MPMATH,
}
_OF_PACKAGES = {"pandas": _PANDAS}
# Packages whose functions take plain values.
_PLAIN_ONLY = {
    "matplotlib": "A picture has no derivative: write `chainrules_core.primal_of(x)`.",
}


def refusal_of_class(cls: type) -> str | None:
    """What to write in the place of arrays of a class; `None` if they compute as arrays do.

    Parameters
    ----------
    cls
        A class of arrays.
    """
    for base in cls.__mro__:
        if base is np.ndarray:
            return None
        package = str(base.__module__).partition(".")[0]
        instead = _OF_PACKAGES.get(package) or _refusal_of_tensor(package)
        if instead is not None:
            return instead
        instead = _OF_CLASSES.get((base.__module__.removesuffix(".core"), base.__name__))
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
    """What to write in the place of a function that takes tensors; `None` if it is in no framework's package.

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


# What others ask of any array.
_QUESTIONS = frozenset({"filled", "getmask", "getmaskarray", "isMaskedArray", "isna", "isnull", "is_mask"})
_QUESTIONS |= {"is_masked", "make_mask_none", "notna", "notnull"}


def refusal_of_function(module: Any, name: str) -> str | None:
    """What to write in the place of a function; `None` if it is for arrays of any kind.

    Parameters
    ----------
    module
        The name of the module in which it is.
    name
        Its name there.
    """
    if module.__class__ is not str or name in _QUESTIONS:
        return None
    package, *others = module.split(".")
    of_module = _OF_MODULES.get(".".join([package, *others[:1]]))
    of_package = _OF_PACKAGES.get(package) or _PLAIN_ONLY.get(package)
    return of_module or of_package


def values_of(x: Any) -> Any:
    """The array that NumPy makes of a series or a frame; other values as they are."""
    is_of_pandas = str(type(x).__module__).partition(".")[0] in _OF_PACKAGES
    return np.asarray(x) if is_of_pandas and hasattr(x, "__array__") else x


def plain_form(x: Any) -> str | None:
    """What to write for the numbers of an object that gives them away; `None` for other values."""
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
