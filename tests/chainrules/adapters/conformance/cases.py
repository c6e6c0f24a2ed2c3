"""The functions that every framework is tried with, and their derivatives by `chainrules.ad` and differences.

They are plain functions over NumPy, with and without rules. A case says how each is called with tensors: they
stand where users put them, in a dict, a dataclass, the function itself.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import scipy.linalg
import scipy.sparse
import scipy.special

from chainrules.ad import grad, hvp, jvp
from chainrules_core.structured import Diagonal

rng = np.random.default_rng(20)


@dataclass(frozen=True)
class Case:
    """A function, and a call of it.

    Attributes
    ----------
    name
        As the table in the documentation has it.
    arrays
        What is given as tensors: numbers and arrays, some of them perhaps of integers.
    run
        ``run(adapt, *tensors)`` calls the adapted function.
    """

    name: str
    arrays: tuple[Any, ...]
    run: Callable[..., Any]

    @property
    def places(self) -> tuple[int, ...]:
        """The places of the arrays that have derivatives."""
        return tuple(place for place, x in enumerate(self.arrays) if np.asarray(x).dtype.kind in "fc")

    def at(self, floats: Sequence[Any]) -> "Case":
        """The same call with other arrays in the places of those that have derivatives."""
        arrays = list(self.arrays)
        for place, x in zip(self.places, floats, strict=True):
            arrays[place] = x
        return replace(self, arrays=tuple(arrays))

    def floats(self) -> list[Any]:
        """The arrays that have derivatives."""
        return [self.arrays[place] for place in self.places]

    def of_floats(self, adapt: Callable[..., Any], tensor: Callable[[Any], Any]) -> Callable[..., list[Any]]:
        """The adapted call as a function of the tensors that have derivatives, to a list of tensors."""
        places = self.places
        constants = [None if place in places else tensor(x) for place, x in enumerate(self.arrays)]

        def call(*floats: Any) -> list[Any]:
            tensors = list(constants)
            for place, x in zip(places, floats, strict=True):
                tensors[place] = x
            return leaves(self.run(adapt, *tensors))

        return call

    def values(self, *floats: Any) -> list[Any]:
        """The results without a framework."""
        return self.of_floats(lambda f: f, lambda x: x)(*floats)

    def weights(self) -> list[Any]:
        """A number for each element of the results, by which they are weighed in one real loss."""
        values = self.values(*self.floats())
        return [np.cos(1.0 + np.arange(np.size(y), dtype=float)).reshape(np.shape(y)) for y in values]

    def loss(self, *floats: Any) -> Any:
        """The weighed sum of the results."""
        return sum(np.sum(w * y) for w, y in zip(self.weights(), self.values(*floats), strict=True))

    def directions(self) -> list[Any]:
        """A direction for each array that has derivatives."""
        return [np.sin(2.0 + np.arange(np.size(x), dtype=float)).reshape(np.shape(x)) for x in self.floats()]

    def gradient(self) -> list[Any]:
        """The gradient of the loss."""
        return list(grad(self.loss, argnums=tuple(range(len(self.places))))(*self.floats()))

    def slopes(self) -> list[Any]:
        """The derivatives of the results in the directions."""
        return list(jvp(self.values, self.floats(), self.directions())[1])

    def curvature(self) -> list[Any]:
        """The derivative of the gradient in the directions: the Hessian times a vector."""
        return list(hvp(lambda xs: self.loss(*xs), self.floats(), self.directions()))


def leaves(y: Any) -> list[Any]:
    """The tensors in the result of a call, in the order of its containers."""
    if isinstance(y, dict):
        return leaves(list(y.values()))
    if isinstance(y, list | tuple):
        return [leaf for part in y for leaf in leaves(part)]
    return [y]


def product_of_sine(x, y):
    """An elementwise function whose arguments are broadcast against each other."""
    return np.sin(x) * y


def spectrum(A):
    """Eigenvalues and eigenvectors of the symmetric part, twice."""
    return np.linalg.eigh(A + A.T)


def power_sum(x, *, exponent=2):
    """A keyword that selects what is computed."""
    return np.sum(x**exponent)


def affine(parameters, x):
    """Parameters in a dict."""
    return parameters["w"] @ x + parameters["b"]


@dataclass
class Layer:
    """Parameters in a dataclass."""

    weights: Any
    bias: Any


def dense(layer, x):
    """A layer of a network."""
    return np.tanh(layer.weights @ x + layer.bias)


class Scale:
    """A callable object with a parameter."""

    def __init__(self, factor):
        self.factor = factor

    def __call__(self, x):
        """The product, and its sum: two outputs in a dict."""
        y = self.factor * np.exp(x)
        return {"scaled": y, "sum": np.sum(y)}


_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(12)


def integral(rate):
    """The integral of a closure from -1 to 1, by a quadrature."""

    def integrand(t):
        return np.exp(-rate * t**2)

    return np.sum(_NODE_WEIGHTS * np.array([integrand(t) for t in _NODES]))


_PATTERN = scipy.sparse.csr_array(np.array([[1.0, 0.0, 2.0], [0.0, 0.0, 3.0], [4.0, 5.0, 0.0]]))


def sparse_product(data, x):
    """A sparse matrix of given entries times a vector."""
    A = scipy.sparse.csr_array((data, _PATTERN.indices, _PATTERN.indptr), shape=_PATTERN.shape)
    return A @ x


def structured_product(d, x):
    """A diagonal matrix times a vector."""
    return Diagonal(d) @ x


def pendulum(state, length, steps=8):
    """The path of a damped pendulum by the classical method of Runge and Kutta."""

    def derivative(y):
        angle, speed = y
        return np.array([speed, -np.sin(angle) / length - 0.1 * speed])

    h = 0.1
    path = np.zeros((steps, 2))
    y = state
    for step in range(steps):
        k1 = derivative(y)
        k2 = derivative(y + 0.5 * h * k1)
        k3 = derivative(y + 0.5 * h * k2)
        k4 = derivative(y + h * k3)
        y = y + h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        y[0] = min(y[0], 2.0)
        path[step] = y
    return path, 0.5 * y[1] ** 2


CASES = [
    Case(
        "broadcasting elementwise",
        (rng.normal(size=3), rng.normal(size=(2, 3))),
        lambda adapt, x, y: adapt(product_of_sine)(x, y),
    ),
    Case("static keyword", (rng.normal(size=3),), lambda adapt, x: adapt(power_sum)(x, exponent=3)),
    Case(
        "integer index",
        (rng.normal(size=4), np.array([0, 2, 2])),
        lambda adapt, x, i: adapt(np.take)(x, i),
    ),
    Case(
        "solve",
        (rng.normal(size=(3, 3)) + 4.0 * np.eye(3), rng.normal(size=3)),
        lambda adapt, A, b: adapt(scipy.linalg.solve)(A, b),
    ),
    Case(
        "eigh, two outputs",
        (rng.normal(size=(3, 3)) + np.diag([0.0, 3.0, 7.0]),),
        lambda adapt, A: adapt(spectrum)(A),
    ),
    Case(
        "dict argument",
        (rng.normal(size=(2, 3)), rng.normal(size=2), rng.normal(size=3)),
        lambda adapt, w, b, x: adapt(affine)({"w": w, "b": b}, x),
    ),
    Case(
        "dataclass argument",
        (rng.normal(size=(2, 3)), rng.normal(size=2), rng.normal(size=3)),
        lambda adapt, w, b, x: adapt(dense)(Layer(w, b), x),
    ),
    Case(
        "functor with a parameter",
        (rng.normal(size=3), rng.normal(size=3)),
        lambda adapt, factor, x: adapt(Scale(factor))(x),
    ),
    Case(
        "argument without tangent",
        (np.array([0, 1, 2]), rng.uniform(1.0, 2.0, size=3)),
        lambda adapt, n, x: adapt(scipy.special.jv)(n, x),
    ),
    Case("integral of a closure", (np.float64(0.7),), lambda adapt, rate: adapt(integral)(rate)),
    Case(
        "sparse product",
        (rng.normal(size=5), rng.normal(size=3)),
        lambda adapt, data, x: adapt(sparse_product)(data, x),
    ),
    Case(
        "structured array",
        (rng.normal(size=3), rng.normal(size=3)),
        lambda adapt, d, x: adapt(structured_product)(d, x),
    ),
    Case(
        "program of twenty lines",
        (np.array([1.0, 0.5]), np.float64(1.2)),
        lambda adapt, state, length: adapt(pendulum)(state, length),
    ),
]
