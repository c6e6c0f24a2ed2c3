"""`rand_tangent`: a random tangent of any value, to differentiate along or to pull back."""

import functools
import numbers
from typing import Any

import numpy as np

from chainrules_core import NO_TANGENT, AbstractThunk, AbstractZero, NoTangent, ProjectTo, unthunk
from chainrules_core.structured import Banded, StructuredArray, UniformScaling
from chainrules_testutils.values.extensible import extensible
from chainrules_testutils.values.parts import inside, is_sparse, parts
from chainrules_testutils.values.tangent_to_vec import structural_tangent
from chainrules_testutils.values.to_vec import is_structure


@extensible
def rand_tangent(x: object, rng: object = None) -> Any:
    """A random tangent of `x`.

    Parameters
    ----------
    x
        A primal value.
    rng
        A `numpy.random.Generator`, or a seed for one; `None` draws from a generator that all calls without
        one share; it starts from the same seed in each process.

    Returns
    -------
    Any
        For real numbers and arrays short decimals from -9 to 9, none of them 0, in the precision of `x`; for
        complex ones the same for both parts. ``Tangent[type(x)]`` for values with fields; for structured
        arrays a natural tangent, which is one in the tangent space of `x`. `NoTangent()` for integers, for
        values without a derivative, and for structures that hold nothing else.

    Raises
    ------
    TypeError
        For arrays of records.
    ValueError
        For a value that holds itself, directly or through others.

    Examples
    --------
    >>> from chainrules_testutils import rand_tangent
    >>> x_dot = rand_tangent((1.0, "on", 3))
    >>> type(x_dot[0]), x_dot[1], x_dot[2]
    (<class 'float'>, NoTangent(), NoTangent())
    """
    raise NotImplementedError  # the methods follow


@functools.cache
def _shared() -> np.random.Generator:
    return np.random.default_rng(0)


def generator(rng: Any) -> np.random.Generator:
    """The generator that `rng` is, or seeds; the shared one for `None`."""
    if rng is None:
        return _shared()
    try:
        return np.random.default_rng(rng)
    except TypeError as error:
        raise TypeError(f"rng: a seed, or `np.random.default_rng(seed)`, not {rng!r}.") from error


@rand_tangent.dispatch
def rand_tangent_of_object(x: object, rng: object = None) -> Any:
    """Values with fields: a tangent for each."""
    if is_sparse(x):
        return _rand_tangent_of_sparse(x, rng)
    if not is_structure(x):
        return NO_TANGENT
    return _rand_tangent_of_parts(x, generator(rng))


@rand_tangent.dispatch
def rand_tangent_of_real(x: numbers.Real, rng: object = None) -> Any:
    """Real numbers, except integers."""
    if isinstance(x, numbers.Integral):
        return NO_TANGENT
    return type(x)(_decimals((), generator(rng)))  # type: ignore[call-arg]  # numbers are made from floats


@rand_tangent.dispatch
def rand_tangent_of_complex(x: complex | np.complexfloating, rng: object = None) -> Any:
    """Complex numbers."""
    rng = generator(rng)
    return type(x)(complex(_decimals((), rng), _decimals((), rng)))


@rand_tangent.dispatch(precedence=1)  # a bool is an integer too
def rand_tangent_of_unperturbable(
    x: bool | np.bool_ | str | bytes | type | AbstractZero | None, rng: object = None
) -> Any:
    """Values without a derivative."""
    return NO_TANGENT


@rand_tangent.dispatch
def rand_tangent_of_array(x: np.ndarray, rng: object = None) -> Any:
    """Arrays of real and complex numbers, and of objects."""
    rng = generator(rng)
    if x.dtype.kind == "f":
        return np.asarray(_decimals(x.shape, rng)).astype(x.dtype)
    if x.dtype.kind == "c":
        return (_decimals(x.shape, rng) + 1j * _decimals(x.shape, rng)).astype(x.dtype)
    if x.dtype.names is not None:
        raise TypeError(
            f"rand_tangent: an array of records, {x.dtype}, has no tangent that could be added or scaled. "
            'Give the function an array for each field, x["name"].'
        )
    if x.dtype.kind != "O":
        return NO_TANGENT
    return _rand_tangent_of_parts(x, rng)


@rand_tangent.dispatch
def rand_tangent_of_structured(x: StructuredArray, rng: object = None) -> Any:
    """Structured arrays: natural ones."""
    if x.dtype.kind not in "fc":
        return NO_TANGENT
    rng = generator(rng)
    moved = x.map_arrays(lambda array: rand_tangent(array.astype(x.dtype), rng))
    # Elements of an array that the matrix does not look at are dropped.
    return ProjectTo(x)(moved if isinstance(moved, Banded) else moved.full())


@rand_tangent.dispatch
def rand_tangent_of_scaling(x: UniformScaling, rng: object = None) -> Any:
    """Multiples of the identity: natural ones."""
    factor_dot = rand_tangent(x.factor, rng)
    return NO_TANGENT if isinstance(factor_dot, NoTangent) else UniformScaling(factor_dot)


@rand_tangent.dispatch
def rand_tangent_of_thunk(x: AbstractThunk, rng: object = None) -> Any:
    """A tangent of the value that a thunk computes."""
    return rand_tangent(unthunk(x), rng)


def _rand_tangent_of_parts(x: Any, rng: np.random.Generator) -> Any:
    with inside(x):
        tangents = [rand_tangent(part, rng) for part in parts(x).values()]
    if all(isinstance(tangent, NoTangent) for tangent in tangents):
        return NO_TANGENT
    return structural_tangent(x, tangents)


def _rand_tangent_of_sparse(x: Any, rng: Any) -> Any:
    entries = x.tocoo(copy=True)
    entries.data = rand_tangent(entries.data, rng)
    return NO_TANGENT if isinstance(entries.data, NoTangent) else entries.asformat(x.format)


def _decimals(shape: tuple[int, ...], rng: np.random.Generator) -> Any:
    """Numbers of two decimals: short in messages, and of a size for which finite differences are exact."""
    return (2 * rng.integers(0, 2, shape) - 1) * rng.integers(1, 901, shape) / 100
