"""Names that people look for here since other libraries have them: what to write in their place."""

from typing import NoReturn

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


def __getattr__(name: str) -> NoReturn:
    if name in _INSTEAD:
        # The statement `from ... import` drops the words of an `AttributeError`.
        raise ImportError(f"`chainrules.ad` has no `{name}`: write {_INSTEAD[name]}.", name=name)
    raise AttributeError(f"module 'chainrules.ad' has no attribute {name!r}")
