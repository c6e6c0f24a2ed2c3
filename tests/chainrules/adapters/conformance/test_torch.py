"""Every case under every transform of PyTorch."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from chainrules.adapters import to_torch  # noqa: E402 - it needs the framework
from tests.chainrules.adapters.conformance.checks import assert_close, batch, cases_of, check, contracted  # noqa: E402 - after the question for the framework


def tensors(arrays, requires_grad=False):
    """Tensors with the same numbers."""
    return tuple(torch.tensor(x, requires_grad=requires_grad) for x in arrays)


def function(case):
    """The adapted function, of the tensors that have derivatives, to a tuple of tensors."""
    call = case.of_floats(to_torch, torch.tensor)
    return lambda *floats: tuple(call(*floats))


def loss(case):
    """The weighed sum of its results."""
    call, weights = function(case), tensors(case.weights())
    return lambda *floats: sum((w * y).sum() for w, y in zip(weights, call(*floats), strict=True))


def places(case):
    """The numbers of the arguments."""
    return tuple(range(len(case.floats())))


def value(case):
    """The results."""
    assert_close(function(case)(*tensors(case.floats())), case.values(*case.floats()))


def backward(case):
    """The gradients that are accumulated in the tensors."""
    xs = tensors(case.floats(), requires_grad=True)
    loss(case)(*xs).backward()
    assert_close([x.grad for x in xs], case.gradient())


def backward_twice(case):
    """The gradient of the gradient's product with the directions."""
    xs = tensors(case.floats(), requires_grad=True)
    gradient = torch.autograd.grad(loss(case)(*xs), xs, create_graph=True)
    slope = sum((g * d).sum() for g, d in zip(gradient, tensors(case.directions()), strict=True))
    curvature = torch.autograd.grad(slope, xs, materialize_grads=True)
    assert_close(curvature, case.curvature())


def forward_mode(case):
    """Dual tensors."""
    _, slopes = torch.func.jvp(function(case), tensors(case.floats()), tensors(case.directions()))
    assert_close(slopes, case.slopes())


def func_grad(case):
    """The functional gradient."""
    assert_close(torch.func.grad(loss(case), places(case))(*tensors(case.floats())), case.gradient())


def func_vjp(case):
    """A pullback."""
    _, pullback = torch.func.vjp(function(case), *tensors(case.floats()))
    assert_close(pullback(tensors(case.weights())), case.gradient())


def func_jacobian(transform):
    """Jacobians, which are contracted with the directions."""

    def check_jacobian(case):
        blocks = transform(function(case), places(case))(*tensors(case.floats()))
        assert_close([contracted(rows, case.directions()) for rows in blocks], case.slopes())

    return check_jacobian


def func_hessian(case):
    """The Hessian, which is contracted with the directions."""
    blocks = torch.func.hessian(loss(case), places(case))(*tensors(case.floats()))
    assert_close([contracted(rows, case.directions()) for rows in blocks], case.curvature())


def func_vmap(case):
    """Many calls at once."""
    sets, stacked = batch(case)
    found = torch.func.vmap(function(case))(*tensors(stacked))
    for number, floats in enumerate(sets):
        assert_close([y[number] for y in found], case.values(*floats))


def func_vmap_of_grad(case):
    """A gradient for each sample."""
    sets, stacked = batch(case)
    found = torch.func.vmap(torch.func.grad(loss(case), places(case)))(*tensors(stacked))
    for number, floats in enumerate(sets):
        assert_close([g[number] for g in found], case.at(floats).gradient())


def gradcheck(case):
    """PyTorch's own test of first derivatives."""
    assert torch.autograd.gradcheck(
        function(case),
        tensors(case.floats(), requires_grad=True),
        check_forward_ad=True,
        check_batched_grad=True,
    )


def gradgradcheck(case):
    """PyTorch's own test of second derivatives."""
    assert torch.autograd.gradgradcheck(
        function(case), tensors(case.floats(), requires_grad=True), check_batched_grad=True
    )


def compiled_backward(case):
    """A compiled loss, in one graph, and its gradient."""
    torch.compiler.reset()
    xs = tensors(case.floats(), requires_grad=True)
    torch.compile(loss(case), fullgraph=True, backend="aot_eager")(*xs).backward()
    assert_close([x.grad for x in xs], case.gradient())


TRANSFORMS = {
    "value": value,
    "backward": backward,
    "backward twice": backward_twice,
    "forward mode": forward_mode,
    "func.grad": func_grad,
    "func.vjp": func_vjp,
    "func.jacrev": func_jacobian(torch.func.jacrev),
    "func.jacfwd": func_jacobian(torch.func.jacfwd),
    "func.hessian": func_hessian,
    "func.vmap": func_vmap,
    "func.vmap of func.grad": func_vmap_of_grad,
    "gradcheck, both modes, batched": gradcheck,
    "gradgradcheck": gradgradcheck,
    "compile(fullgraph=True), backward": compiled_backward,
}


# PyTorch uses its own deprecated function when it first transforms or compiles something.
@pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")
@cases_of("PyTorch")
def test_torch(transform, case):
    """It is right, or refused with a reason."""
    check("PyTorch", TRANSFORMS, transform, case)


def test_single_precision():
    """Results and gradients of float32 are float32."""
    x = torch.tensor([1.0, 2.0], dtype=torch.float32, requires_grad=True)
    y = to_torch(lambda x: np.sin(x) * 2.0)(x)
    y.sum().backward()
    assert (y.dtype, x.grad.dtype) == (torch.float32, torch.float32)
