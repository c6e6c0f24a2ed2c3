"""Tests of calls within `torch.compile`."""
# ruff: noqa: PLW0108 - functions are adapted within the programs that are compiled

import functools
from collections import namedtuple
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import scipy.special

torch = pytest.importorskip("torch")

from torch.autograd import forward_ad  # noqa: E402 - after the question for the framework

from chainrules.adapters import AdapterError  # noqa: E402 - after the question for the framework
from chainrules.adapters.torch import to_torch  # noqa: E402 - after the question for the framework

# PyTorch uses its own deprecated function when it compiles something.
pytestmark = pytest.mark.filterwarnings("ignore:`torch.jit.script` is deprecated:DeprecationWarning")

Pair = namedtuple("Pair", ["first", "second"])  # noqa: PYI024 - either kind is a tuple with names


@dataclass
class Scale:
    """A dataclass that is called."""

    factor: Any
    name: str = "scale"

    def __call__(self, x):
        """The product."""
        return self.factor * np.exp(x)


class Held:
    """An ordinary object."""

    def __init__(self, value):
        self.value = value

    def times(self, x):
        """The product."""
        return self.value * x


def closure(w):
    """A function that holds a tensor."""
    return lambda x: x * w


def x():
    """A tensor that is differentiated."""
    return torch.tensor([0.3, 1.2, 2.0], dtype=torch.float64, requires_grad=True)


def compiled(f, **options):
    """A program that is compiled as a whole."""
    torch.compiler.reset()
    return torch.compile(f, fullgraph=True, backend="aot_eager", **options)


def leaves(y):
    """The tensors in a result."""
    if isinstance(y, torch.Tensor):
        return [y]
    if isinstance(y, Held | Scale):
        return leaves(list(vars(y).values()))
    parts = y.values() if isinstance(y, dict) else y if isinstance(y, tuple | list) else ()
    return [leaf for part in parts for leaf in leaves(part)]


def shape_of(y):
    """A result with the classes of its leaves in their places."""
    if isinstance(y, Held | Scale):
        return type(y), shape_of(vars(y))
    if isinstance(y, dict):
        return {key: shape_of(part) for key, part in y.items()}
    if isinstance(y, tuple | list):
        return type(y), [shape_of(part) for part in y]
    return torch.Tensor if isinstance(y, torch.Tensor) else y


def run(f, *arguments):
    """The result, and the gradients of the sum of all that is differentiated in it."""
    y = f(*arguments)
    loss = sum(leaf.sum() for leaf in leaves(y) if leaf.requires_grad)
    return y, torch.autograd.grad(loss, arguments)


WEIGHTS = x()
TABLE = np.arange(3.0)
SCALE = to_torch(Scale(WEIGHTS))
PARTIAL = to_torch(functools.partial(np.multiply, WEIGHTS))

PROGRAMS = {
    "a function of NumPy": lambda x: torch.sin(to_torch(np.cos)(2 * x)) + 1,
    "a function of SciPy": lambda x: to_torch(scipy.special.jv)(1, x),
    "a keyword": lambda x: to_torch(np.sum)(x, axis=0, dtype=np.float32),
    "a matrix that has to be positive": lambda x: to_torch(np.linalg.cholesky)(torch.diag(x) @ torch.diag(x)),
    "two results in a named tuple": lambda x: to_torch(np.linalg.eigh)(torch.diag(x)),
    "containers": lambda x: to_torch(
        lambda d, mode: {"y": [np.exp(d["x"][0]), mode], "n": 3, "i": np.argmax(d["x"][0]), "none": None}
    )({"x": (x, 2)}, mode="static"),
    "other results": lambda x: to_torch(lambda x: Pair(Held(x * 2), (x, Scale(x, "other"))))(x),
    "tensors in an object": lambda x: to_torch(Scale(x))(x),
    "tensors in the function": lambda x: SCALE(x) + PARTIAL(x),
    "an object as an argument": lambda x: to_torch(lambda held, x: held.value * x)(Held(x), x),
    "an array": lambda x: to_torch(np.multiply)(x, TABLE),
    "an array of its own": lambda x: to_torch(np.multiply)(x, np.arange(3.0)),
    "an integer tensor": lambda x: to_torch(np.take)(x, torch.tensor([0, 2])),
    "keywords in another order": lambda x: to_torch(lambda a, b, c=1.0: a - 2 * b * c)(c=x, b=x * 2, a=x * 3),
    "the same tensor twice": lambda x: to_torch(np.multiply)(x, x),
    "a function that is defined on the way": lambda x: to_torch(lambda x: x[::2] ** 2)(x),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_programs(name):
    """Results, their containers and gradients are those of the program itself."""
    f = PROGRAMS[name]
    expected, gradients = run(f, x())
    y, found = run(compiled(f), x())
    assert shape_of(y) == shape_of(expected)
    torch.testing.assert_close(leaves(y), leaves(expected))
    torch.testing.assert_close(found, gradients)


def test_compiled_modules():
    """A layer is compiled, and its parameters have gradients."""

    class Layer(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.weights = torch.nn.Parameter(x().detach())
            self.product = to_torch(np.dot)

        def forward(self, x):
            return self.product(self.weights, x)

    layer = Layer()
    compiled(layer)(x()).backward()
    torch.testing.assert_close(layer.weights.grad, x().detach())


def test_other_shapes():
    """Each shape is compiled for itself."""
    f = compiled(to_torch(np.sin), dynamic=True)
    for size in (2, 3, 4):
        y = torch.ones(size, requires_grad=True)
        torch.testing.assert_close(f(y), torch.sin(y))


def test_other_constants():
    """A constant that changes is noticed."""
    f = compiled(lambda x, power: to_torch(np.power)(x, power))
    for power in (2, 3, 2.5):
        torch.testing.assert_close(f(x(), power), x() ** power)


def test_results_that_are_not_contiguous():
    """The compiler takes results to be contiguous."""
    A = torch.randn(2, 3, dtype=torch.float64)
    f = compiled(lambda A: to_torch(np.asfortranarray)(A).reshape(-1) * 2)
    torch.testing.assert_close(f(A), A.reshape(-1) * 2)


def test_programs_that_are_compiled_in_parts():
    """What the compiler does not follow runs as it is: with `torch.func`, for example."""
    torch.compiler.reset()
    f = torch.compile(lambda x: torch.func.grad(lambda x: to_torch(np.sin)(x).sum())(x), backend="aot_eager")
    torch.testing.assert_close(f(x().detach()), torch.cos(x().detach()))


@pytest.mark.parametrize("recorded", [True, False])
# The compiler asks a dual number for its gradient.
@pytest.mark.filterwarnings("ignore:The .grad attribute of a Tensor that is not a leaf:UserWarning")
def test_forward_mode_is_refused(recorded):
    """PyTorch would take tangents for zeros in silence."""
    primal = x() if recorded else x().detach()
    with forward_ad.dual_level(), pytest.raises(Exception, match=r"no forward mode inside `torch\.compile`"):
        compiled(to_torch(np.sin))(forward_ad.make_dual(primal, torch.ones_like(primal)))


@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: torch.func.vmap(to_torch(np.sin))(x), "transformed by `torch.func` inside"),
        (lambda x: torch.func.jvp(to_torch(np.sin), (x,), (x,)), "transformed by `torch.func` inside"),
        (to_torch(closure(WEIGHTS)), "holds a tensor where `torch.compile` does not find it"),
        (to_torch(Held(WEIGHTS).times), "holds a tensor where `torch.compile` does not find it"),
        (to_torch(lambda x: x[x > 1.0]), "depend on values"),
        (to_torch(lambda x: x.reshape(7, 7)), "was to be found by a call with random numbers"),
        (lambda x: to_torch(np.sin)(x.bfloat16()), "bfloat16"),
    ],
)
def test_refusals(f, message):
    """What cannot be compiled is refused with its reason."""
    with pytest.raises(Exception, match=message):
        compiled(f)(x().detach())


def test_exports_are_refused():
    """An exported program could not call the function in another process."""

    class Layer(torch.nn.Module):
        def forward(self, x):
            return to_torch(np.sin)(x)

    with pytest.raises(AdapterError, match="traces the program"):
        torch.export.export(Layer(), (x().detach(),), strict=False)
    with pytest.raises(Exception, match="cannot be exported"):
        torch.export.export(Layer(), (x().detach(),), strict=True)


def scaling_by(factor):
    """A function that closes over a number or an array."""
    return to_torch(lambda x: np.sum(factor * x))


def partial_scaling_by(factor):
    """A partial of a function that closes over another one."""

    def scaled(x):
        return factor * x

    return to_torch(functools.partial(lambda power, x: np.sum(scaled(x) ** power), 1))


@pytest.mark.parametrize(
    ("make", "factors"),
    [
        (scaling_by, [1.0, 2.0]),
        (scaling_by, [np.full(2, 1.0), np.full(2, 2.0)]),
        (partial_scaling_by, [1.0, 2.0]),
    ],
)
def test_functions_with_the_same_code(make, factors):
    """One that closes over something else is not the one that was compiled before."""
    compiled = torch.compile(lambda x, f: f(x), backend="eager", fullgraph=True)
    assert [compiled(torch.ones(2), make(factor)).item() for factor in factors] == [2.0, 4.0]


def test_variable_that_is_assigned_to():
    """A function whose variable has another value is compiled anew."""
    factor = 1.0
    f = to_torch(lambda x: np.sum(factor * x))
    compiled = torch.compile(lambda x: f(x), backend="eager", fullgraph=True)
    values = [compiled(torch.ones(2)).item()]
    factor = 3.0
    assert [*values, compiled(torch.ones(2)).item()] == [2.0, 6.0]


def test_functions_that_are_made_in_the_compiled_program():
    """They close over what they did when they were called."""

    def program(x):
        total = 0.0
        for factor in (1.0, 2.0, 3.0):
            total = total + to_torch(lambda x: np.sum(factor * x))(x)  # noqa: B023 - that it is late is tested
        return total

    assert torch.compile(program, backend="eager", fullgraph=True)(torch.ones(2)).item() == 12.0
