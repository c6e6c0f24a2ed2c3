"""Tests of calls that PyTorch differentiates: what is computed when, and what PyTorch notices."""

from collections import Counter

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from torch.autograd import forward_ad  # noqa: E402 - after the question for the framework

from chainrules.adapters.errors import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch import to_torch  # noqa: E402 - after the question for the framework
from chainrules_core import DerivativeNotImplementedError, NoTangent, not_implemented, rrule, thunk, typeof_  # noqa: E402 - after the question for the framework

# PyTorch uses its own deprecated function when it first transforms something.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")

COMPUTED = Counter()
KEPT = np.ones(2)


def product(x, y):
    """A function with a rule that counts which cotangents are computed."""
    return x * y


@rrule.dispatch
def product_rrule(f: typeof_(product), x: np.ndarray, y: np.ndarray):
    """Thunks that count."""

    def computed(name, value):
        COMPUTED[name] += 1
        return value

    def product_pullback(z_bar):
        x_bar = thunk(lambda: computed("x", z_bar * y))
        return NoTangent(), x_bar, thunk(lambda: computed("y", z_bar * x))

    return x * y, product_pullback


def half_known(x, y):
    """A function with a rule that lacks a derivative."""
    return x * y


@rrule.dispatch
def half_known_rrule(f: typeof_(half_known), x: np.ndarray, y: np.ndarray):
    """Nobody has worked out the derivative by `x`."""
    return x * y, lambda z_bar: (NoTangent(), not_implemented("nobody has worked it out"), z_bar * x)


def careless(x):
    """A function with a rule that returns what it keeps, and its cotangent itself."""
    return KEPT, x * 1.0


@rrule.dispatch
def careless_rrule(f: typeof_(careless), x: np.ndarray):
    """No copies."""
    return (KEPT, x * 1.0), lambda y_bar: (NoTangent(), y_bar[1])


def ones(requires_grad=True):
    """A tensor."""
    return torch.ones(2, dtype=torch.float64, requires_grad=requires_grad)


def test_cotangents_that_are_not_needed_are_not_computed():
    """`needs_input_grad` decides, and a counter shows it."""
    for x_needed, y_needed in [(True, False), (False, True), (True, True)]:
        COMPUTED.clear()
        to_torch(product)(ones(x_needed), ones(y_needed)).sum().backward()
        assert {"x": int(x_needed), "y": int(y_needed)} == {name: COMPUTED[name] for name in "xy"}


def test_a_derivative_that_a_rule_lacks():
    """It is an error only where it is needed."""
    y = ones()
    to_torch(half_known)(ones(requires_grad=False), y).sum().backward()
    assert y.grad.tolist() == [1.0, 1.0]
    with pytest.raises(DerivativeNotImplementedError, match="nobody has worked it out"):
        to_torch(half_known)(ones(), y).sum().backward()


def test_nothing_of_a_rule_is_given_away():
    """Results and gradients can be written into, whatever a rule returns."""
    x, y_bar = ones(), ones(requires_grad=False)
    kept, y = to_torch(careless)(x)
    with torch.no_grad():
        kept += 5.0
    (x_bar,) = torch.autograd.grad(y, x, y_bar)
    x_bar += 5.0
    assert KEPT.tolist() == [1.0, 1.0]
    assert y_bar.tolist() == [1.0, 1.0]


def test_arguments_that_were_changed_in_place():
    """PyTorch sees that, and says so."""
    x = ones() * 2.0
    y = to_torch(np.sin)(x)
    x.mul_(3.0)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_results_that_were_changed_in_place():
    """What a rule kept of them is as it was."""
    x = ones()
    y = to_torch(np.exp)(x)
    y.mul_(2.0)
    y.sum().backward()
    torch.testing.assert_close(x.grad, 2.0 * torch.exp(x.detach()))


def test_backwards_twice():
    """A retained graph can be gone through again, others cannot."""
    x = ones()
    y = to_torch(np.sin)(x).sum()
    first = torch.autograd.grad(y, x, retain_graph=True)
    second = torch.autograd.grad(y, x)
    assert torch.equal(*first, *second)
    with pytest.raises(RuntimeError, match="second time"):
        torch.autograd.grad(y, x)


def test_gradients_that_are_zero():
    """They are zeros, not missing; those of zeros too."""
    x = ones()
    y = to_torch(lambda x, z: (np.floor(x), np.sin(z)))(x, ones())[0]
    (gradient,) = torch.autograd.grad(y.sum(), x, create_graph=True)
    (curvature,) = torch.autograd.grad(gradient.sum(), x)
    assert gradient.tolist() == curvature.tolist() == [0.0, 0.0]
    (gradient,) = torch.autograd.grad(to_torch(np.floor)(x).sum(), x)
    assert gradient.tolist() == [0.0, 0.0]


def test_cotangents_that_are_not_given():
    """A result that nobody used has none."""
    x = ones()
    _, y = to_torch(lambda x: (np.linalg.norm(x), np.sum(x * x)))(x)
    y.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_mapped_calls_keep_a_pullback_each():
    """Outside `torch.func`, a mapped call is differentiated sample by sample."""
    x = torch.randn(4, 3, dtype=torch.float64, requires_grad=True)
    w = torch.randn(3, dtype=torch.float64, requires_grad=True)
    ours = torch.func.vmap(to_torch(lambda x, w: np.exp(x) * w), in_dims=(0, None))(x, w)
    theirs = torch.exp(x) * w
    for found, expected in zip(
        torch.autograd.grad((ours**2).sum(), (x, w)),
        torch.autograd.grad((theirs**2).sum(), (x, w)),
        strict=True,
    ):
        torch.testing.assert_close(found, expected)


def test_mapped_dimensions():
    """Any dimension is mapped over, and maps are nested."""
    x, y = torch.randn(3, 2, dtype=torch.float64), torch.randn(4, dtype=torch.float64)
    product_of_all = torch.func.vmap(torch.func.vmap(to_torch(np.multiply), (None, 0)), (1, None))
    torch.testing.assert_close(product_of_all(x, y[:3]), x.T.reshape(2, 1, 3) * y[:3].reshape(3, 1))


def test_dual_numbers():
    """Forward mode by hand, of integer results too; and of a gradient whose cotangent moves."""
    x = ones(requires_grad=False)
    with forward_ad.dual_level():
        largest, y = to_torch(lambda x: (np.argmax(x), np.sin(x)))(forward_ad.make_dual(x, x))
        assert forward_ad.unpack_dual(largest).tangent is None
        torch.testing.assert_close(forward_ad.unpack_dual(y).tangent, torch.cos(x))
    x = ones()
    y = to_torch(np.sin)(x)
    with forward_ad.dual_level():
        (x_bar,) = torch.autograd.grad(y, x, forward_ad.make_dual(x.detach(), 3.0 * x.detach()))
        torch.testing.assert_close(forward_ad.unpack_dual(x_bar).tangent, 3.0 * torch.cos(x.detach()))


def test_checkpoints():
    """Activation checkpointing calls the function again."""
    x = ones()
    y = torch.utils.checkpoint.checkpoint(to_torch(np.sin), x, use_reentrant=False)
    torch.testing.assert_close(*torch.autograd.grad(y.sum(), x), torch.cos(x.detach()))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: {"above": x} if x > 0 else {"below": x},
        lambda x: (x, "above" if x > 0 else "below"),
        lambda x: (x, x) if x > 0 else (x,),
    ],
)
def test_vmap_of_results_that_are_not_alike(f):
    """Samples whose results have other containers or strings are an error, not those of the first one."""
    with pytest.raises(AdapterError, match="for one sample of a batch, and "):
        torch.vmap(to_torch(f))(torch.tensor([1.0, -1.0]))
