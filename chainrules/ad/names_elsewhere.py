"""Names that people look for here since other libraries have them: what to write in their place."""

from collections.abc import Mapping
from typing import Any, NoReturn

from chainrules_core import missing_name

_INSTEAD = {
    "backward": "`grad(f)(x)`: a gradient is the value of a function",
    "custom_jvp": "a rule, `@frule.dispatch` of `chainrules_core`",
    "custom_vjp": "a rule, `@rrule.dispatch` of `chainrules_core`",
    "defvjp": "a rule, `@rrule.dispatch` or `scalar_rule` of `chainrules_core`",
    "elementwise_grad": "`vjp(f, x)[1](np.ones_like(x))[0]`, or `grad(lambda x: np.sum(f(x)))`",
    "grad_and_value": "`value_and_grad`, whose result has the value first",
    "gradient": "`grad(f)(x)`",
    "hessian_vector_product": "`hvp(f, x, v)`",
    "holomorphic_grad": "`wirtinger(f, z)[0]`",
    "jacfwd": '`jacobian(f, mode="forward")`',
    "jacrev": '`jacobian(f, mode="reverse")`',
    "jit": "the function itself: nothing is compiled",
    "lax": "NumPy's functions, and Python's loops and branches",
    "make_jvp": "`jvp(f, (x,), (x_dot,))`",
    "make_vjp": "`y, pullback = vjp(f, x)`",
    "no_grad": "`stop_gradient(x)`: outside of `grad` nothing is recorded",
    "numpy": "`import numpy as np`: NumPy itself is differentiated",
    "pullback": "`y, pullback = vjp(f, x)`",
    "pushforward": "`y, y_dot = jvp(f, (x,), (x_dot,))`",
    "Tensor": "NumPy's arrays",
    "tensor": "`np.array`",
    "vmap": "a function that broadcasts, as NumPy's do, or `np.vectorize`",
}


# Keywords of functions of the same names.
_KEYWORDS = {
    "allow_int": "nothing: an argument to differentiate by is a float, `x.astype(float)`",
    "argnum": "`argnums=`",
    "has_aux": "`value_and_grad(f, has_aux=True)`",
    "holomorphic": "`wirtinger(f, z)[0]`, the complex derivative",
    "reduce_axes": "nothing: a gradient is summed over all that an argument was repeated for",
    "vectorize": "nothing",
    "wrt": "`argnums=`, the positions of the arguments to differentiate by",
}


def __getattr__(name: str) -> NoReturn:
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
