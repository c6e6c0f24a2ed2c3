"""Tests of calls as functions of their tensors, and of the derivatives of these."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from chainrules.adapters import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch.tensor_calls import (  # noqa: E402 - likewise
    Pullback,
    Pushforward,
    TensorCall,
    pulled,
    recording,
    variables,
)


def f(d, n, x, *, w, k):
    """A function of PyTorch with containers."""
    return {"y": d["x"] ** n * w + k, "sum": x.sum(), "n": n}


def call():
    """A call of it."""
    return TensorCall(f, ({"x": np.array([1.0, 2.0])}, 3, 0.5), {"w": np.array(2.0), "k": 1.0})


def test_where_tensors_are():
    """Arrays, and numbers by position; integers and numbers by keyword stay."""
    one = call()
    assert [np.asarray(x).tolist() for x in one.arrays] == [[1.0, 2.0], 0.5, 2.0]
    assert [one.holes_of(place) for place in range(3)] == [{"x": 0}, None, 1]
    ys = one(*[torch.tensor(x, dtype=torch.float64) for x in one.arrays])
    assert [y.tolist() for y in ys] == [[3.0, 17.0], 0.5]
    assert one.filled(["a", "b"]) == {"y": "a", "sum": "b", "n": 3}
    assert TensorCall(f, (), {}).holes_of(0) is None


def test_pullbacks_and_pushforwards_agree():
    """Each is the other's adjoint, of complex numbers too."""
    one = TensorCall(lambda x, z: (torch.sin(x) * z, (z.conj() * z).real), (np.ones(3), np.ones(3) * 1j), {})
    dtypes = [torch.float64, torch.complex128]
    xs, x_dots, y_bars = ([torch.randn(3, dtype=dtype) for dtype in dtypes] for _ in range(3))
    y_bars.reverse()
    x_bars = Pullback(one, (0, 1), (True, True))(*xs, *y_bars)
    _, y_dots = Pushforward(one, (0, 1))(*xs, *x_dots)
    inner = [
        sum(torch.sum(a.conj() * b).real for a, b in zip(*pair, strict=True))
        for pair in [(x_bars, x_dots), (y_bars, y_dots)]
    ]
    torch.testing.assert_close(*inner)


def test_what_is_constant_does_not_move():
    """Its tangents and cotangents are zeros."""
    one = TensorCall(lambda x, y: [x * 2, torch.ones(2)], (np.ones(2), np.ones(2)), {})
    x = torch.ones(2, dtype=torch.float64)
    assert [y.tolist() for y in Pullback(one, (0, 1), (True, True))(x, x, x, x)] == [[2.0, 2.0], [0.0, 0.0]]
    assert [y.tolist() for y in Pushforward(one, (0,))(x, x, x)[1]] == [[2.0, 2.0], [0.0, 0.0]]
    assert [y.tolist() for y in pulled([torch.ones(2)], [x], [x], again=False)] == [[0.0, 0.0]]


def test_variables():
    """Each place has one of its own, though the tensor is the same; of the graph, if there is one."""
    for requires_grad in (True, False):
        x = torch.ones(2, requires_grad=requires_grad)
        new, (first, second) = variables([x, x], (0, 1))
        assert new[0] is first is not second is not x
        assert first.requires_grad


def test_recording():
    """It is switched on where it was off, and told."""
    for mode in (torch.inference_mode(), torch.no_grad(), torch.enable_grad()):
        with mode:
            before = torch.is_grad_enabled()
            with recording() as recorded:
                assert recorded == before
                assert torch.is_grad_enabled()
                assert not torch.is_inference_mode_enabled()


def test_a_module_of_another_precision():
    """PyTorch's error says what to write."""
    module = torch.nn.Linear(3, 1)
    one = TensorCall(module, (np.ones(3),), {})
    with pytest.raises(RuntimeError) as caught:
        one(torch.ones(3, dtype=torch.float64))
    (note,) = caught.value.__notes__
    assert "float32, and it was given arrays of float64" in note
    assert "x.astype(np.float32)" in note

    with pytest.raises(RuntimeError) as caught:
        one(torch.ones(4, dtype=torch.float32))
    assert not hasattr(caught.value, "__notes__")


def test_pulling_twice():
    """A graph that is used twice is there the second time."""
    x = torch.ones(2, dtype=torch.float64, requires_grad=True)
    y = torch.sin(x) * x
    first, second = (pulled([y], [x], [torch.ones_like(y)], again=False) for _ in range(2))
    torch.testing.assert_close(first, second)


class Once(torch.autograd.Function):
    """A function whose gradient has no derivative."""

    @staticmethod
    def forward(ctx, x):
        """Keep the argument."""
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, y_bar):
        """The gradient, outside of PyTorch's sight."""
        return 3 * ctx.saved_tensors[0] ** 2 * y_bar


def test_graphs_that_are_cut():
    """The derivative of a gradient of such a function is refused, wherever the function stands."""
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x_bar,) = pulled([torch.sin(Once.apply(2 * x))], [x], [torch.ones(2)], again=True)
    for y in (x_bar, torch.cos(x_bar) * x, (x * x).sum() + x_bar.sum()):
        with pytest.raises(AdapterError, match="once"):
            pulled([y], [x], [torch.ones_like(y)], again=False)
    y = torch.sin(x) * x
    assert pulled([y], [x], [torch.ones(2)], again=False)[0].shape == (2,)
