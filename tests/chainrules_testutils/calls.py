"""Calls of primals that have right rules, in both modes."""

import operator

import numpy as np

import chainrules  # noqa: F401 - its rules are among the right ones
from chainrules_core import NoTangent
from chainrules_core.structured import (
    Diagonal,
    Hermitian,
    Symmetric,
    SymTridiagonal,
    UnitLowerTriangular,
    UnitUpperTriangular,
)
from chainrules_testutils import PrimalAndTangent
from tests.chainrules_testutils import rules_under_test as rules

RNG = np.random.default_rng(4)
A, B, X, V = RNG.normal(size=(3, 2)), RNG.normal(size=(2, 4)), RNG.normal(size=(3, 3)), RNG.normal(size=3)
FOO = rules.Foo(X, 3.0)


def complex_normal(*shape):
    """Complex numbers with both parts normal."""
    return RNG.normal(size=shape) + 1j * RNG.normal(size=shape)


RIGHT = {
    "float": (rules.square, 2.0),
    "int": (rules.square, PrimalAndTangent(3, NoTangent())),
    "complex": (rules.square, 1.0 + 2.0j),
    "float32": (rules.square, np.float32(1.5)),
    "complex64": (rules.square, np.complex64(1.5 - 1j)),
    "real of complex": (rules.absolute_squared, 1.0 - 2.0j),
    "int as a number": (rules.power, 1.5, 3),
    "arrays": (rules.matmul, A, B),
    "float32 arrays": (rules.matmul, A.astype(np.float32), B.astype(np.float32)),
    "complex arrays": (rules.matmul, complex_normal(2, 3), complex_normal(3, 2)),
    "complex64 arrays": (
        rules.matmul,
        complex_normal(2, 3).astype(np.complex64),
        complex_normal(3, 2).astype(np.complex64),
    ),
    "empty arrays": (rules.matmul, np.ones((0, 2)), B),
    "broadcasting": (rules.add, V, X),
    "index": (rules.take, V, 1),
    "an argument without effect": (rules.first_of_two, 1.0, 2.0),
    "two results": (rules.sine_and_cosine, 0.7),
    "structure": (rules.foo_mul, FOO, X),
    "constructor": (rules.Foo, X, 2.0),
    "containers": (rules.total, {"pair": rules.Pair(1.5, 2), "list": [2.5], "tuple": ("name", 0.5)}),
    "closure": (rules.scale, 2.0),
    "functor": (rules.Multiplier(V), V + 1),
}

# Rules that the project ships, of every kind of operand.
_OPERANDS = {
    "float": 0.7,
    "array": V,
    "matrix": X,
    "float32": V.astype(np.float32),
    "complex array": complex_normal(3),
    "complex64": complex_normal(2, 2).astype(np.complex64),
    "no elements": np.ones((0, 2)),
    "one element": np.ones((1, 1)),
    "strided": X[::2, ::-1],
}
RIGHT |= {
    f"{f.__name__} of {kind}": (f, x)
    for f in (np.sin, np.exp, np.tanh, np.negative)
    for kind, x in _OPERANDS.items()
}
RIGHT |= {
    "broadcast columns": (np.multiply, X, V[:, np.newaxis]),
    "broadcast numbers": (np.multiply, X, 2.5),
    "real and complex": (np.multiply, V, complex_normal(3)),
    "division": (np.divide, V, X**2 + 1.0),
    "vector by matrix": (np.matmul, V, X),
    "matrix by vector": (np.matmul, X, V),
    "inner product": (np.matmul, V, V + 1.0),
    "sum": (np.sum, X),
    "an axis": (np.sum, X, 0),
    "mean": (np.mean, X),
    "operator": (operator.mul, 2.0, 3.0),
    "a diagonal matrix": (np.matmul, Diagonal(V), X),
    "a symmetric matrix": (np.matmul, Symmetric(X, "L"), V),
    "a Hermitian matrix": (np.add, Hermitian(complex_normal(3, 3)), complex_normal(3, 3)),
    "a result with structure": (np.multiply, 2.0, SymTridiagonal(V, V[1:])),
    "a matrix with ones": (np.linalg.inv, UnitLowerTriangular(X)),
    "constructor of a matrix": (UnitUpperTriangular, X),
}
