"""Mistakes of those who know autograd, JAX, PyTorch and Julia's packages, and words of the messages."""


def _imported(name, *words):
    return f"from chainrules.ad import {name}", f"`chainrules.ad` has no `{name}`: write", *words


def _asked(expression, *words):
    return f"grad(lambda x: np.sum({expression}))(X)", "has no attribute", "stands for NumPy's array", *words


MISTAKES_OF_OTHER_ENGINES = {
    "autograd: its NumPy": _imported("numpy", "`import numpy as np`"),
    "autograd: elementwise_grad": _imported("elementwise_grad", "`vjp(f, x)[1](np.ones_like(x))[0]`"),
    "autograd: make_vjp": _imported("make_vjp", "`y, pullback = vjp(f, x)`"),
    "autograd: make_jvp": _imported("make_jvp", "`jvp(f, (x,), (x_dot,))`"),
    "autograd: hessian_vector_product": _imported("hessian_vector_product", "`hvp(f, x, v)`"),
    "autograd: holomorphic_grad": _imported("holomorphic_grad", "`wirtinger(f, z)[0]`"),
    "autograd: defvjp": _imported("defvjp", "`scalar_rule`"),
    "JAX: jit": _imported("jit", "write `compiled(f)`"),
    "JAX: vmap": _imported("vmap", "`vectorized(f)`"),
    "JAX: jacfwd": _imported("jacfwd", '`jacobian(f, mode="forward")`'),
    "JAX: jacrev": _imported("jacrev", '`jacobian(f, mode="reverse")`'),
    "JAX: ravel_pytree": _imported("ravel_pytree", "`vector, unravel = ravel(tree)`"),
    "JAX: tree_util": _imported("tree_util", "`tree_map(f, *trees)`"),
    "JAX: remat": _imported("remat", "`checkpoint(f)`"),
    "JAX: pmap": _imported("pmap", "Dask"),
    "JAX: check_grads": _imported("check_grads", "`test_rrule(f, x)`"),
    "JAX: make_jaxpr": _imported("make_jaxpr", "`draw(f, *args)`"),
    "JAX: holomorphic": (
        "grad(np.exp, holomorphic=True)",
        "no keyword `holomorphic`. Write `wirtinger(f, z)[0]`",
    ),
    "JAX: lax": _imported("lax", "Python's loops and branches"),
    "JAX: custom_vjp": _imported("custom_vjp", "`@rrule.dispatch`"),
    "JAX: custom_jvp": _imported("custom_jvp", "`@frule.dispatch`"),
    "JAX: x.at": _asked("x.at[0].set(1.0)", "`x = x.copy(); x[i] = v` for"),
    "JAX: block_until_ready": _asked("x.block_until_ready()", "all is computed at once"),
    "JAX: integers": ("grad(lambda x: x**2)(3)", "nothing between two integers"),
    "JAX: argnums of a pytree's key": ("grad(loss, argnums='w')(W, X)", "`w` is 0"),
    "PyTorch: backward": _imported("backward", "`grad(f)(x)`"),
    "PyTorch: no_grad": _imported("no_grad", "`stop_gradient(x)`"),
    "PyTorch: tensor": _imported("tensor", "`np.array`"),
    "PyTorch: Tensor": _imported("Tensor", "NumPy's arrays"),
    "PyTorch: grad_and_value": _imported("grad_and_value", "`value_and_grad`"),
    "PyTorch: y.backward()": _asked("x.backward()", "`grad(f)(x)`"),
    "PyTorch: x.grad": _asked("x.grad", "`grad(f)(x)`"),
    "PyTorch: detach": _asked("x.detach()", "`chainrules.ad.stop_gradient(x)`"),
    "PyTorch: requires_grad_": _asked("x.requires_grad_()", "`grad(f, argnums)`"),
    "PyTorch: requires_grad": (
        "def f(x):\n    x.requires_grad = True\n    return np.sum(x)\ngrad(f)(X)",
        "has no attribute 'requires_grad'",
        "`grad(f, argnums)`",
    ),
    "PyTorch: retain_grad": _asked("x.retain_grad()", "`vjp`"),
    "PyTorch: zero_grad": _asked("x.zero_grad()", "not accumulated"),
    "PyTorch: numpy": _asked("x.numpy()", "`chainrules_core.primal_of(x)`"),
    "PyTorch: cpu": _asked("x.cpu()", "arrays are NumPy's"),
    "PyTorch: clone": _asked("x.clone()", "`x.copy()`"),
    "PyTorch: double": _asked("x.double()", "`x.astype(np.float64)`"),
    "PyTorch: float": _asked("x.float()", "`x.astype(np.float32)`"),
    "PyTorch: unsqueeze": _asked("x.unsqueeze(0)", "`np.expand_dims(x, axis)`"),
    "PyTorch: permute": _asked("x.permute(0)", "`np.transpose(x, axes)`"),
    "PyTorch: item": ("grad(lambda x: x.item())(X)", "x.item() without an index", "has just one"),
    "PyTorch: a loss for each sample": (
        "grad(lambda w: (w * X) ** 2)(W)",
        "not an array of shape (3,)",
        "Sum it",
    ),
    "Julia: gradient": _imported("gradient", "`grad(f)(x)`"),
    "Julia: pullback": _imported("pullback", "`y, pullback = vjp(f, x)`"),
    "Julia: pushforward": _imported("pushforward", "`y, y_dot = jvp(f, (x,), (x_dot,))`"),
    "Julia: a function and its argument": ("grad(cube, X)", "`grad(f)(x)`"),
    "grad of the package": ("from chainrules import grad", "write `from chainrules.ad import grad`"),
    "an attribute of the package": (
        "import chainrules\nchainrules.jvp",
        "write `from chainrules.ad import jvp`",
    ),
}
