"""`to_jax`: a function over NumPy as one of JAX."""

import functools
from collections.abc import Callable
from typing import Any

from chainrules.adapters.calls import flat_call
from chainrules.adapters.jax import batching, derivatives  # noqa: F401 - what JAX makes of the primitive
from chainrules.adapters.jax.arrays import check_dtypes, is_tensor
from chainrules.adapters.jax.call_primitive import call_p
from chainrules.adapters.jax.calling_jax import FromJax
from chainrules.adapters.jax.promises import Abstract, PromisedCall
from chainrules_core import unwrap_primitive


def to_jax(f: Callable[..., Any], /, abstract: Abstract | None = None) -> Callable[..., Any]:
    """A function over NumPy as one of JAX, which it differentiates, compiles and batches."""

    f = unwrap_primitive(f)
    if isinstance(f, FromJax):
        return f.f

    @functools.wraps(f, updated=())
    def of_jax(*args: Any, **kwargs: Any) -> Any:
        tensors, call = flat_call(f, args, kwargs, is_tensor)
        check_dtypes(call.name, tensors)
        function = PromisedCall(call, tensors, abstract)
        ys = call_p.bind(*tensors, function=function)
        return function.promise.filled(ys)

    return of_jax
