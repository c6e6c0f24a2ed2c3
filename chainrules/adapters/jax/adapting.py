"""`to_jax`: a function over NumPy as one of JAX."""

import functools
from collections.abc import Callable, Sequence
from typing import Any

import jax

from chainrules.adapters.callees import checked_callee
from chainrules.adapters.calls import flat_call
from chainrules.adapters.jax import batching, derivatives  # noqa: F401 - what JAX makes of the primitive
from chainrules.adapters.jax.arrays import check_dtypes, is_tensor, jax_arrays, numpy_array
from chainrules.adapters.jax.call_primitive import called
from chainrules.adapters.jax.calling_jax import FromJax
from chainrules.adapters.jax.own_constants import with_own_constants
from chainrules.adapters.jax.promises import Abstract, PromisedCall, struct_like


def to_jax(f: Callable[..., Any], /, abstract: Abstract | None = None) -> Callable[..., Any]:
    """Make a function over NumPy one of JAX, which JAX differentiates, compiles and batches.

    The result is called as `f` is, with arrays of JAX in the place of numbers and arrays. They may stand in
    tuples, lists, dicts, dataclasses and other objects, among the keywords, in closures, partials and in `f`
    itself. `f` is given arrays of NumPy of its own, and numbers in the place of arrays without axes. Results
    come in the containers that `f` returns, each number or array as an array of JAX.

    Forward and reverse mode work, to any order, and mixed; so do `jax.jit`, `jax.vmap`, `jax.checkpoint`,
    `jax.linearize` and loops of JAX. Outside of these, `f` is just called; a compiled program calls it back.

    Parameters
    ----------
    f
        A function with a rule, or any program over NumPy and SciPy that `chainrules.ad` differentiates. It is
        pure: JAX may call it any number of times. Of `from_jax(g)`, this is `g`.
    abstract
        What JAX has to know before it compiles a call: it is called as `f`, with a `jax.ShapeDtypeStruct` in
        the place of each array, and returns one for each array of the result, in the containers of the
        result. Without it, `f` is tried once with made-up numbers whenever JAX traces a call.

    Raises
    ------
    AdapterError
        When the result is called with an array that is hidden where it is not found, in a set for instance,
        or that has a dtype which NumPy has not, such as bfloat16; if the result is not as described, or not
        as it was for the made-up numbers; or if `f` returns an array of another kind, such as a sparse one.
        An error in a compiled program is a `jax.errors.JaxRuntimeError` with the text of the original one.

    Examples
    --------
    >>> import jax, numpy as np, scipy.special
    >>> gammaln = to_jax(scipy.special.gammaln)
    >>> with jax.enable_x64(True):
    ...     jax.jit(jax.grad(gammaln))(2.0)
    Array(0.42278434, dtype=float64)

    With the shape of the result described:

    >>> def spectrum(A):
    ...     return np.linalg.eigvalsh(A)
    >>> def spectrum_shape(A):
    ...     return jax.ShapeDtypeStruct(A.shape[:-1], A.dtype)
    >>> jax.jit(to_jax(spectrum, abstract=spectrum_shape))(jax.numpy.eye(2, dtype="float32"))
    Array([1., 1.], dtype=float32)
    """
    f = checked_callee(f, "to_jax")
    if isinstance(f, FromJax):
        return f.f

    @functools.wraps(f, updated=())
    def adapted(*args: Any, **kwargs: Any) -> Any:
        tensors, call = flat_call(f, args, kwargs, is_tensor)
        check_dtypes(call.name, tensors)
        if any(isinstance(x, jax.core.Tracer) for x in tensors):
            call = with_own_constants(call)
        return _result(PromisedCall(call, [_specimen(x) for x in tensors], abstract), tensors)

    return adapted


def _result(function: PromisedCall, tensors: Sequence[Any]) -> Any:
    if any(isinstance(x, jax.core.Tracer) for x in tensors):
        ys = called(function, *tensors)
        if function.has_constants:
            # JAX would drop a call whose arrays are not used, and so the check of its strings.
            jax.debug.callback(_use, *ys)
        return function.promise.filled(ys)
    outcome = function.value([numpy_array(x) for x in tensors])
    return outcome.filled(jax_arrays(function.name, outcome.arrays))


def _use(*ys: Any) -> None:
    """Do nothing with arrays, where JAX cannot know."""


def _specimen(x: Any) -> Any:
    return struct_like(x) if isinstance(x, jax.core.Tracer) else x
