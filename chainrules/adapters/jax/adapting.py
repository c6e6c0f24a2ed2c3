"""`to_jax`: a function over NumPy as one of JAX."""

import functools
from collections.abc import Callable
from typing import Any

import jax

from chainrules.adapters.calls import flat_call
from chainrules.adapters.jax.arrays import check_dtypes, is_tensor
from chainrules.adapters.jax.derivatives import call_p
from chainrules.adapters.jax.promises import Abstract, PromisedCall


def to_jax(f: Callable[..., Any], /, abstract: Abstract | None = None) -> Callable[..., Any]:
    """A function of JAX."""

    @functools.wraps(f)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        tensors, call = flat_call(f, args, kwargs, is_tensor)
        check_dtypes(call.name, tensors)
        function = PromisedCall(call, tensors, abstract)
        ys = call_p.bind(*tensors, function=function)
        return function.promise().filled(ys)

    return wrapper
