"""Tests of `to_torch`: arguments, results, derivatives, and what is refused."""

import copy
import functools
import io
import pickle
import threading
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import scipy.linalg
import scipy.special

torch = pytest.importorskip("torch")

from chainrules.adapters import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch import to_torch  # noqa: E402 - after the question for the framework
from chainrules_core import NoTangent, rrule, typeof_  # noqa: E402 - after the question for the framework

# PyTorch uses its own deprecated function when it first transforms something.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")


def tensor(*values, dtype=torch.float64):
    """A tensor that is differentiated."""
    return torch.tensor(values, dtype=dtype, requires_grad=True)


@dataclass
class Parameters:
    """A dataclass that neither PyTorch nor the project knows."""

    weights: Any
    name: str


class Polynomial:
    """A callable object with a parameter."""

    def __init__(self, coefficients):
        self.coefficients = coefficients

    def __call__(self, x):
        """The value at some points."""
        return np.polyval(self.coefficients, x)


@to_torch
def decorated(x):
    """A function that is adapted where it is defined."""
    return np.sin(x)


def program(parameters, x, *, power=2, mode="sum"):
    """A program with containers, integers, strings and keywords."""
    y = parameters["w"] @ x**power + parameters["more"][0].weights
    return {"y": y, "mode": mode, "largest": np.argmax(y), "total": np.sum(y) if mode == "sum" else None}


def arguments_of_program():
    """Tensors in a dict, a list and a dataclass."""
    w, b, x = torch.randn(2, 3, dtype=torch.float64), tensor(0.5, -1.0), tensor(1.0, 2.0, 0.7)
    return w.requires_grad_(), b, x


def flat_program(w, b, x):
    """The differentiable results of the program."""
    y = to_torch(program)({"w": w, "more": [Parameters(b, "offset")]}, x, power=3)
    return y["y"], y["total"]


def matrix(dtype=torch.float64):
    """A regular matrix."""
    return (torch.randn(3, 3, dtype=dtype) + 4 * torch.eye(3, dtype=dtype)).requires_grad_()


CASES = {
    "elementwise": (to_torch(lambda x, y: np.sin(x) * y), lambda: (tensor(1.0, 2.0), tensor(0.5))),
    "solve": (to_torch(scipy.linalg.solve), lambda: (matrix(), tensor(1.0, 2.0, 3.0))),
    "complex solve": (
        to_torch(np.linalg.solve),
        lambda: (matrix(torch.complex128), tensor(1.0, 2j, 3.0, dtype=torch.complex128)),
    ),
    "not holomorphic": (
        to_torch(lambda x, z: np.abs(z) ** 2 * np.conj(z) * x),
        lambda: (tensor(1.0, 2.0), tensor(1 + 2j, 0.5 - 1j, dtype=torch.complex128)),
    ),
    "several outputs": (
        lambda A: (to_torch(np.linalg.slogdet)(A).logabsdet, to_torch(np.linalg.inv)(A)),
        lambda: (matrix(),),
    ),
    "containers": (flat_program, arguments_of_program),
    "functor": (
        lambda c, x: to_torch(Polynomial(c))(x),
        lambda: (tensor(1.0, -2.0, 0.5), tensor(0.3, 0.9)),
    ),
    "without axes": (
        to_torch(lambda x: x * np.exp(x)),
        lambda: (torch.tensor(0.3, dtype=torch.float64, requires_grad=True),),
    ),
    "empty": (to_torch(np.sin), lambda: (torch.empty(0, 2, dtype=torch.float64, requires_grad=True),)),
    "twice the same": (lambda x: to_torch(np.multiply)(x, x), lambda: (tensor(1.0, -2.0),)),
    "strided": (
        lambda A: to_torch(np.exp)(A.T[::2, 1:].expand(2, *A.T[::2, 1:].shape)),
        lambda: (matrix(),),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_first_derivatives(name):
    """Gradients and tangents equal finite differences, in batches too."""
    f, arguments = CASES[name]
    options = {"check_batched_grad": True, "check_batched_forward_grad": True}
    assert torch.autograd.gradcheck(f, arguments(), check_forward_ad=True, **options)


@pytest.mark.parametrize("name", CASES)
def test_second_derivatives(name):
    """Derivatives of gradients equal finite differences, by either mode and in batches."""
    f, arguments = CASES[name]
    assert torch.autograd.gradgradcheck(f, arguments(), check_fwd_over_rev=True, check_batched_grad=True)


@pytest.mark.parametrize(
    "transform",
    [
        torch.func.grad,
        torch.func.hessian,
        lambda f: torch.func.jacrev(torch.func.jacrev(f)),
        lambda f: torch.func.jacfwd(torch.func.jacfwd(f)),
        lambda f: torch.func.jacrev(torch.func.jacfwd(torch.func.jacrev(f))),
        lambda f: torch.func.vmap(torch.func.grad(lambda x: f(x) ** 2)),
        lambda f: torch.func.vmap(torch.func.hessian(f)),
        lambda f: lambda x: torch.func.jvp(torch.func.grad(f), (x,), (x,)),
    ],
)
def test_transforms_of_torch_func(transform):
    """Transforms, nested in any order, give what they give of PyTorch's own functions."""
    x = torch.tensor([[0.3, 1.2], [2.0, -0.4]], dtype=torch.float64)
    sine = to_torch(np.sin)
    ours = transform(lambda x: (sine(x * x) * x).sum())(x)
    theirs = transform(lambda x: (torch.sin(x * x) * x).sum())(x)
    torch.testing.assert_close(ours, theirs)


def test_tensors_that_are_conjugated_lazily():
    """PyTorch marks tensors as conjugated, or as negative, before anybody computes that."""
    z = tensor(1 + 2j, 0.5 - 1j, dtype=torch.complex128)
    assert torch.autograd.gradcheck(lambda z: to_torch(np.exp)(z.conj() * z.conj().imag), z)


def test_results_have_the_containers_of_the_function():
    """Numbers and arrays become tensors, all else stays."""
    w, b, x = arguments_of_program()
    y = to_torch(program)({"w": w, "more": [Parameters(b, "offset")]}, x, mode="other")
    assert (y["mode"], y["total"]) == ("other", None)
    assert y["largest"].dtype == torch.int64
    assert not y["largest"].requires_grad
    assert type(to_torch(np.linalg.eigh)(w.T @ w)).__name__ == "EighResult"


def test_types_of_numbers_are_those_of_numpy():
    """Results are promoted as NumPy does; a gradient has the type of its argument."""
    x, y = tensor(1.0, 2.0, dtype=torch.float32), tensor(3.0, 4.0)
    product = to_torch(np.multiply)(x, y)
    product.sum().backward()
    assert (product.dtype, x.grad.dtype, y.grad.dtype) == (torch.float64, torch.float32, torch.float64)
    assert to_torch(np.sin)(x).dtype == torch.float32
    assert to_torch(np.sin)(x.to(torch.complex64)).dtype == torch.complex64


def test_numbers_of_numpy_for_tensors_without_axes():
    """A function is given numbers for tensors without axes, and arrays for others."""
    seen = []
    to_torch(lambda *args: seen.extend(args))(torch.tensor(1.0), torch.ones(1), 2, "s")
    assert [type(x) for x in seen] == [np.float32, np.ndarray, int, str]


def test_tensors_in_the_function_itself():
    """Tensors in closures, partials and bound methods have gradients."""
    w, x = tensor(1.0, 2.0), tensor(3.0, 4.0)
    for f in (lambda x: np.sum(w * x), functools.partial(np.dot, w), Polynomial(w).__call__):
        (found,) = torch.autograd.grad(to_torch(f)(x).sum(), w)
        assert found.abs().min() > 0


def test_tensors_by_keyword():
    """Tensors by keyword, those that can only be given so among them, have gradients."""
    x = tensor(1.0, 2.0)
    (found,) = torch.autograd.grad(to_torch(np.sum)(a=x), x)
    assert found.tolist() == [1.0, 1.0]
    (found,) = torch.autograd.grad(to_torch(lambda *, x: np.sum(x * x))(x=x), x)
    assert found.tolist() == [2.0, 4.0]


def test_results_share_no_memory():
    """Neither with arguments nor with what a pullback keeps: both may be written into."""
    x = tensor(1.0, 2.0)
    y = to_torch(lambda x: x[::-1])(x)
    with torch.no_grad():
        y.zero_()
    assert x.tolist() == [1.0, 2.0]
    y = to_torch(np.exp)(x)
    expected = y.detach().clone()
    y.mul_(0)
    (found,) = torch.autograd.grad(to_torch(np.exp)(x).sum(), x)
    torch.testing.assert_close(found, expected)


def test_functions_do_not_write_into_tensors():
    """PyTorch would not see it, and take what it saved for unchanged."""

    def writes(x):
        x[0] = 5.0
        return np.sum(x)

    x = tensor(1.0, 2.0)
    with pytest.raises(ValueError, match="read-only"):
        to_torch(writes)(x.detach())
    y = to_torch(writes)(x)  # `chainrules.ad` writes into a copy
    y.backward()
    assert (x.tolist(), y.item(), x.grad.tolist()) == ([1.0, 2.0], 7.0, [0.0, 1.0])


def test_names_and_documentation_are_kept():
    """Of the function, with its signature and itself."""
    solve = to_torch(scipy.linalg.solve)
    assert (solve.__name__, solve.__doc__) == ("solve", scipy.linalg.solve.__doc__)
    assert solve.__wrapped__ is scipy.linalg.solve
    assert repr(to_torch(np.sin)) == "to_torch(<ufunc 'sin'>)"


class Net(torch.nn.Module):
    """A module with adapted functions: as an attribute, and as a method."""

    def __init__(self):
        super().__init__()
        self.matrix = torch.nn.Parameter(4 * torch.eye(3, dtype=torch.float64))
        self.solve = to_torch(scipy.linalg.solve)

    @to_torch
    def squashed(self, x):
        """A method over NumPy."""
        return scipy.special.expit(x)

    def forward(self, x):
        """A layer."""
        return self.squashed(self.solve(self.matrix, x))


def test_a_layer_is_trained_saved_and_loaded():
    """An optimiser lowers the loss; the module, and what it learned, are saved and loaded."""
    x, target = torch.tensor([1.0, 2.0, 3.0], dtype=torch.float64), torch.tensor(0.5, dtype=torch.float64)
    net = Net()
    optimiser = torch.optim.Adam(net.parameters(), lr=0.1)
    losses = []
    for _ in range(20):
        optimiser.zero_grad()
        loss = ((net(x) - target) ** 2).sum()
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < 0.5 * losses[0]
    other = Net()
    other.load_state_dict(net.state_dict())
    assert torch.equal(other(x), net(x))
    file = io.BytesIO()
    torch.save(net, file)
    file.seek(0)
    loaded = torch.load(file, weights_only=False)
    assert torch.equal(loaded(x), net(x))
    assert torch.equal(copy.deepcopy(net)(x), net(x))


def test_adapted_functions_are_pickled():
    """By the function; or by their name, where they are found under it."""
    x = tensor(1.0)
    assert torch.equal(pickle.loads(pickle.dumps(to_torch(np.sin)))(x), torch.sin(x))
    assert pickle.loads(pickle.dumps(decorated)) is decorated


class OwnError(ValueError):
    """An error of a user."""


def raises_in_its_pullback(x):
    """A function with a rule that raises."""
    return x * 1.0


@rrule.dispatch
def raises_in_its_pullback_rrule(f: typeof_(raises_in_its_pullback), x: np.ndarray):
    """Raises."""

    def pullback(y_bar):
        raise OwnError("in a pullback")

    return x * 1.0, pullback


def test_errors_keep_their_class():
    """Those of the function, and those of its rule."""

    def raises(x):
        raise OwnError("in the function")

    with pytest.raises(OwnError, match="in the function"):
        to_torch(raises)(tensor(1.0))
    with pytest.raises(OwnError, match="in a pullback"):
        to_torch(raises_in_its_pullback)(tensor(1.0)).sum().backward()


def test_without_tensors():
    """A call without tensors returns tensors."""
    assert to_torch(np.sqrt)(4.0).item() == 2.0


def test_nothing_is_recorded_where_nothing_is_differentiated():
    """A constant argument, or no recording at all: the rule is not asked."""
    for recorded in (True, False):
        with torch.set_grad_enabled(recorded):
            y = to_torch(raises_in_its_pullback)(torch.ones(2))
        assert not y.requires_grad


def test_what_returns_no_arrays():
    """`None` and constants: the gradients of constants are zeros."""
    x = tensor(1.0, 2.0)
    assert to_torch(lambda x: None)(x) is None
    (found,) = torch.autograd.grad(to_torch(lambda x: np.ones(2))(x).sum(), x)
    assert found.tolist() == [0.0, 0.0]


def test_threads():
    """Calls in several threads do not disturb each other."""
    solve, right = to_torch(np.linalg.solve), []

    def work(scale):
        A = (torch.eye(3, dtype=torch.float64) * scale).requires_grad_()
        for _ in range(20):
            (found,) = torch.autograd.grad(solve(A, torch.ones(3, dtype=torch.float64)).sum(), A)
        right.append(torch.allclose(found, -torch.ones(3, 3, dtype=torch.float64) / scale**2))

    threads = [threading.Thread(target=work, args=(scale,)) for scale in range(1, 5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 4


def counted(x):
    """A function whose rule counts its calls."""
    return x * 2.0


RULE_CALLS = []


@rrule.dispatch
def counted_rrule(f: typeof_(counted), x: np.ndarray):
    """Counts."""
    RULE_CALLS.append(x)
    return x * 2.0, lambda y_bar: (NoTangent(), 2.0 * y_bar)


def test_a_rule_is_called_once():
    """Forwards and backwards together take one call of the rule."""
    x = tensor(1.0)
    RULE_CALLS.clear()
    to_torch(counted)(x).sum().backward()
    assert len(RULE_CALLS) == 1


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda x: to_torch(np.sin)(x.bfloat16()), "bfloat16, which NumPy does not have"),
        (lambda x: to_torch(np.sin)(x.to_sparse()), "to_dense"),
        (lambda x: to_torch(np.sin)(x.to("meta")), "no values"),
        (lambda x: to_torch(lambda x: x.astype(np.longdouble))(x.detach()), "float128|longdouble"),
        (lambda x: to_torch(lambda xs: xs[0])({1}, iter([x])), "where it is not found"),
        (lambda x: torch.func.linearize(to_torch(np.sin), x.detach()), "traces the program"),
        (lambda x: torch.jit.trace(to_torch(np.sin), x.detach()), "traces the program"),
        (lambda x: torch.func.vmap(to_torch(np.sin))(x[:0]), "a batch of no tensors"),
    ],
)
# PyTorch calls tracing itself deprecated.
@pytest.mark.filterwarnings("ignore:`torch.jit.trace` is deprecated:DeprecationWarning")
def test_refusals(call, message):
    """What cannot be done is refused with its reason."""
    with pytest.raises(AdapterError, match=message):
        call(tensor(1.0, 2.0))
