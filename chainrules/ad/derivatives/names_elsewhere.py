"""Names that people look for here since other libraries have them: what to write in their place."""

import importlib
from collections.abc import Mapping
from typing import Any

from chainrules_core import missing_name

_INSTEAD = {
    "backward": "`grad(f)(x)`: a gradient is the value of a function",
    "check_grads": "`test_rrule(f, x)` and `test_frule(f, x)` of `chainrules_testutils`",
    "check_numerical_gradients": "`test_rrule(f, x)` of `chainrules_testutils`",
    "custom_jvp": "a rule, `@frule.dispatch` of `chainrules_core`",
    "custom_vjp": "a rule, `@rrule.dispatch` of `chainrules_core`",
    "defvjp": "a rule, `@rrule.dispatch` or `scalar_rule` of `chainrules_core`",
    "derivative": "`grad(f)(x)`",
    "elementwise_grad": "`vjp(f, x)[1](np.ones_like(x))[0]`, or `grad(lambda x: np.sum(f(x)))`",
    "flatten_util": "`vector, unravel = ravel(tree)`",
    "grad_and_value": "`value_and_grad`, whose result has the value first",
    "gradcheck": "`test_rrule(f, x)` of `chainrules_testutils`",
    "gradient": "`grad(f)(x)`",
    "hessian_vector_product": "`hvp(f, x, v)`",
    "holomorphic_grad": "`wirtinger(f, z)[0]`",
    "ignore_derivatives": "`stop_gradient(x)`, which is `chainrules_core.ignore_derivatives`",
    "jacfwd": '`jacobian(f, mode="forward")`',
    "jacrev": '`jacobian(f, mode="reverse")`',
    "jit": "`compiled(f)`, which runs what it recorded as straight-line NumPy",
    "lax": "NumPy's functions, and Python's loops and branches",
    "linear_transpose": "`vjp(f, x)[1]`: the pullback of a linear function is its transpose",
    "make_jaxpr": "`draw(f, *args)`, a graph of the operations, or `explain_calls(f, *args)`, a table",
    "make_jvp": "`jvp(f, (x,), (x_dot,))`",
    "make_vjp": "`y, pullback = vjp(f, x)`",
    "no_grad": "`stop_gradient(x)`: outside of `grad` nothing is recorded",
    "numpy": "`import numpy as np`: NumPy itself is differentiated",
    "pmap": "`ThreadPoolExecutor().map(grad(f), xs)`, or a program over arrays of Dask",
    "pullback": "`y, pullback = vjp(f, x)`",
    "pushforward": "`y, y_dot = jvp(f, (x,), (x_dot,))`",
    "ravel_pytree": "`vector, unravel = ravel(tree)`",
    "remat": "`checkpoint(f)`",
    "Tensor": "NumPy's arrays",
    "tensor": "`np.array`",
    "tree": "`tree_map(f, *trees)`",
    "tree_flatten": "`vector, unravel = ravel(tree)`, or `tree_map(f, tree)`",
    "tree_leaves": "`ravel(tree)[0]` for one vector, or `tree_map(leaves.append, tree)`",
    "tree_util": "`tree_map(f, *trees)`",
    "vmap": "`vectorized(f)`, which runs the recorded program of one item for all of them",
    "withgradient": "`value_and_grad(f)(x)`",
    "withjacobian": "`f(x), jacobian(f)(x)`",
}

# Keywords that functions of the same names have in other libraries.
_KEYWORDS = {
    "allow_int": "nothing: an integer in a container has `NoTangent()`, beside the gradients of the rest",
    "argnum": "`argnums=`",
    "create_graph": "nothing: derivatives nest, `grad(grad(f))`",
    "holomorphic": "`wirtinger(f, z)[0]`, which is the derivative of a holomorphic function",
    "reduce_axes": "nothing: a gradient is summed over all that an argument was repeated for",
    "vectorize": "nothing: the derivatives are the same",
    "wrt": "`argnums=`, the positions of the arguments to differentiate by",
}


# Names of the engine that take time to import, and are imported when somebody asks for them.
_LATER = {
    "CompilationError": "chainrules.ad.recording.refused",
    "CompilationWarning": "chainrules.ad.recording.refused",
    "VariantRow": "chainrules.ad.recording.variant_table",
    "VariantTable": "chainrules.ad.recording.variant_table",
    "compiled": "chainrules.ad.recording.compiled",
    "vectorized": "chainrules.ad.recording.batching.vectorized",
}


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return getattr(importlib.import_module(_LATER[name]), name)
    raise missing_name("chainrules.ad", name, _INSTEAD)


def check_keywords(name: str, unknown: Mapping[str, Any]) -> None:
    """Raise if a function of the engine was given keywords that it does not have.

    Raises
    ------
    TypeError
        If it was: the message says what to write.
    """
    for keyword in unknown:
        instead = _KEYWORDS.get(keyword)
        mend = (
            f"Write {instead}."
            if instead
            else f"Keywords of the function go into the call of the result, `{name}(f)(x, {keyword}=...)`."
        )
        raise TypeError(f"{name}(f) has no keyword `{keyword}`. {mend}")
