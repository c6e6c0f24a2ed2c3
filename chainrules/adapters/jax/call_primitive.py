"""The primitive by which JAX calls flat functions: on the host, with arrays of NumPy.

JAX's custom derivatives, `jax.custom_vjp` and `jax.custom_jvp`, have one mode each. A primitive has both, and
what JAX's transformations make of it is said by functions of ours, in any version of JAX:
https://docs.jax.dev/en/latest/jax-primitives.html.
"""

from typing import Any

import jax
from jax.extend.core import Primitive
from jax.interpreters import mlir

from chainrules.adapters.flat_functions import FlatFunction
from chainrules.adapters.jax.arrays import host_arrays, jax_arrays, numpy_array
from chainrules.adapters.jax.callbacks import in_callback
from chainrules.adapters.jax.descriptions import described
from chainrules.adapters.jax.stand_ins import function_of, stand_in

call_p = Primitive("chainrules_call")
call_p.multiple_results = True


def called(function: FlatFunction, *xs: Any) -> list[Any]:
    """The results of a flat function, as arrays of JAX."""
    results: list[Any] = call_p.bind(*xs, name=function.name, program=stand_in(function))
    return results


@call_p.def_impl
def _value(*xs: Any, name: str, program: Any) -> list[jax.Array]:
    """The result where all arrays have values: nothing is compiled."""
    function = function_of(program)
    outcome = function.value([numpy_array(x) for x in xs])
    return jax_arrays(function.name, outcome.arrays)


@call_p.def_abstract_eval
def _description(*avals: Any, name: str, program: Any) -> list[Any]:
    return [jax.core.ShapedArray(y.shape, y.dtype) for y in described(function_of(program), avals)]


def _compiled(ctx: Any, *operands: Any, name: str, program: Any) -> Any:
    """A call back to the host, in a compiled program.

    `jax.pure_callback` would put the arrays onto a device first, and a program that waits for a device while
    it is called back may wait for ever: https://github.com/jax-ml/jax/issues/24255.
    """
    function = function_of(program)

    @in_callback
    def on_host(*xs: Any) -> tuple[Any, ...]:
        return host_arrays(function.name, function.value([numpy_array(x) for x in xs]).arrays)

    results, _, _ = mlir.emit_python_callback(
        ctx, on_host, None, list(operands), ctx.avals_in, ctx.avals_out, has_side_effect=False
    )
    return results


mlir.register_lowering(call_p, _compiled)
