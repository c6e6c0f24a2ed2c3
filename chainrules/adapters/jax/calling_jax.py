"""`from_jax`: a function of JAX as one over NumPy, with rules in both modes."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import jax
import numpy as np

from chainrules.ad.traced.tracing import is_differentiable
from chainrules.adapters.callees import checked_callee
from chainrules.adapters.errors import AdapterError
from chainrules.adapters.holes import Holes, components, filled, find_holes, structural_tangent
from chainrules.adapters.jax.flattening import Flattened, Mark
from chainrules_core import NO_TANGENT, describe_callee, frule, primitive, rrule


def from_jax(f: Callable[..., Any], /) -> Callable[..., Any]:
    """Make a function of JAX one over NumPy, with rules in both modes and derivatives of every order.

    The result is called as `f` is, with numbers and arrays of NumPy in the place of JAX's, in the containers
    that JAX knows; it returns arrays of NumPy that nobody else holds. `chainrules.ad` differentiates programs
    that call it, and so does every framework that these are adapted to.

    `f` is compiled by `jax.jit`, once for all arguments of the same shapes and dtypes, and so are its
    derivatives; it has to be pure, therefore. Integers, strings and other arguments that are no arrays are
    constants of what is compiled. If `f` needs the values of arrays, it is called as it is, and as slowly.

    Where an array has 64 bits for a number, JAX computes with 64 bits, whatever ``jax_enable_x64`` says;
    results have the dtypes that JAX gives them.

    Parameters
    ----------
    f
        A function of arrays, compiled or not. What it holds itself, such as the variables of a closure, is
        constant.

    Raises
    ------
    AdapterError
        When the result is called with numbers in an object that JAX does not look into, with other arguments
        that are not hashable, or in a call back from a compiled program of JAX, where it might wait for ever;
        or if `f` returns numbers that NumPy has not, such as bfloat16.

    Examples
    --------
    >>> import jax.numpy as jnp
    >>> from chainrules.ad import grad
    >>> energy = from_jax(lambda x: jnp.sum(jnp.cos(x)))
    >>> grad(lambda x: energy(2.0 * x))(np.array([0.25, 0.5]))
    array([-0.95885108, -1.68294197])
    """
    return primitive(FromJax(checked_callee(f, "from_jax")))


@dataclass(eq=False, init=False, repr=False)
class FromJax:
    """A function of JAX that is called with numbers and arrays of NumPy, and returns arrays of NumPy.

    It is a dataclass of no fields: nobody looks for numbers in it, which are constants of a compiled program.

    Parameters
    ----------
    f
        The function.
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        functools.update_wrapper(self, f, updated=())
        self._flattened = functools.lru_cache(maxsize=128)(functools.partial(Flattened, f))

    @property
    def f(self) -> Callable[..., Any]:
        """The function."""
        return self.__wrapped__  # type: ignore[attr-defined]  # as `functools` calls it

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        call = self.taken_apart(args, kwargs)
        ys = call.function.flat.marked(*call.arrays)
        return call.function.result.filled(ys)

    def __repr__(self) -> str:
        return f"from_jax({self.f!r})"

    def __reduce__(self) -> Any:
        return FromJax, (self.f,)

    def taken_apart(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> "_Call":
        """A call, taken apart into numbers and arrays, and a function of these.

        Raises
        ------
        AdapterError
            If there are numbers in an object that JAX does not look into, or one that cannot be hashed.
        """
        arrays: list[Any] = []
        holes = find_holes((args, kwargs), _is_array, arrays)
        marked = filled((args, kwargs), holes, [Mark(place) for place in range(len(arrays))])
        leaves, tree = jax.tree_util.tree_flatten(marked)
        if sum(isinstance(leaf, Mark) for leaf in leaves) < len(arrays):
            raise AdapterError(
                f"{describe_callee(self)} was given numbers in an object that JAX does not look into. Let "
                "JAX know its class, such as by `jax.tree_util.register_dataclass`, or give them in a tuple, "
                "list or dict."
            )
        # With their classes: 1 equals True, and is not the same argument.
        key = tuple((type(leaf), leaf) for leaf in leaves)
        try:
            hash(key)
        except TypeError as error:
            raise AdapterError(
                f"{describe_callee(self)}: arguments without numbers are constants of a compiled function, "
                f"and have to be hashable: {error}."
            ) from error
        holes_of_args = holes.get(0, {}) if isinstance(holes, dict) else {}
        return _Call(arrays, holes_of_args, self._flattened(tree, key))


@dataclass(frozen=True)
class _Call:
    """A call, taken apart.

    Attributes
    ----------
    arrays
        The numbers and arrays in the arguments.
    holes_of_args
        Where they were in the positional arguments.
    function
        The function of these.
    """

    arrays: list[Any]
    holes_of_args: dict[int, Holes]
    function: Flattened


def _is_array(x: Any) -> bool:
    return isinstance(x, np.ndarray | np.generic | float | complex) or is_differentiable(x)


@frule.dispatch
def from_jax_frule(tangents: tuple[Any, ...], f: FromJax, *args: Any, **kwargs: Any) -> Any:
    """The tangents by `jax.jvp`."""
    call = f.taken_apart(args, kwargs)
    x_dots = [NO_TANGENT] * len(call.arrays)
    for place, x_dot in components(tangents[1:], call.holes_of_args, range(len(x_dots))):
        x_dots[place] = x_dot
    ys, y_dots = call.function.flat.push(call.arrays, x_dots)
    return call.function.result.filled(ys), call.function.result.tangent(y_dots)


@rrule.dispatch
def from_jax_rrule(f: FromJax, *args: Any, **kwargs: Any) -> Any:
    """The pullback by `jax.vjp`."""
    call = f.taken_apart(args, kwargs)
    ys, pull = call.function.flat.pull(call.arrays)
    result, holes = call.function.result, call.holes_of_args

    def from_jax_pullback(y_bar: Any) -> Any:
        x_bars = pull(result.parts(y_bar))
        return NO_TANGENT, *(structural_tangent(x, holes.get(place), x_bars) for place, x in enumerate(args))

    return result.filled(ys), from_jax_pullback
