"""The statements and methods that write, in random programs of views, aliases and writes."""

import operator
import random

import numpy as np
import pytest
from scipy.sparse import coo_array, csc_array, csr_array, dia_array

from chainrules.ad import call, grad, jvp, value_and_grad
from chainrules_core.structured import Diagonal
from tests.chainrules.ad.writing.programs import X, check_program

SEEDS = range(60)


def a_view(a, pick):
    """Some view of an array."""
    ways = [
        lambda: a[pick.randrange(len(a))] if a.ndim > 1 else a[pick.randrange(2) :],
        lambda: a[::-1],
        lambda: a.T,
        lambda: a.reshape(-1),
        lambda: a[..., pick.randrange(a.shape[-1]) :],
        lambda: a[1:],
        lambda: np.swapaxes(a, 0, -1),
        a.ravel,
        lambda: np.expand_dims(a, 0)[0],
    ]
    return pick.choice(ways)() if a.size else a


def an_index(a, pick):
    """Some index of an array."""
    if a.size == 0:
        return ...
    ways = [
        lambda: tuple(pick.randrange(n) for n in a.shape),
        lambda: pick.randrange(-len(a), len(a)),
        lambda: slice(pick.randrange(2), None, pick.choice([1, 2])),
        lambda: np.array([pick.randrange(len(a)) for _ in range(2)]),
        lambda: np.arange(a.size).reshape(a.shape) % 2 == pick.randrange(2),
        lambda: (*[slice(None)] * (a.ndim - 1), pick.randrange(a.shape[-1])),
        lambda: ...,
    ]
    return pick.choice(ways)()


def damp(v):
    """Write into an array by a function."""
    v *= 0.5
    v += 1.0


def write(a, b, pick):
    """Write to an index."""
    index = an_index(a, pick)
    weight = np.sum(np.cos(b))
    a[index] = pick.choice([lambda: weight, lambda: np.tanh(a[index]) * weight + 0.1])()


def change(a, b, pick):
    """Write by an operator."""
    c = np.tanh(np.sum(b))
    kind = pick.randrange(5)
    if kind == 0:
        a += c
    elif kind == 1:
        a *= c
    elif kind == 2:
        a -= np.tanh(a)
    elif kind == 3:
        a /= 2.0 + c
    else:
        a[an_index(a, pick)] += c


def call_writer(a, b, pick):
    """Write by a function."""
    c = np.tanh(np.sum(b))
    ways = [
        lambda: a.fill(c),
        a.sort,
        lambda: np.copyto(a, a * 0.5 + 0.1),
        lambda: np.put(a, [0], c) if a.size else None,
        lambda: np.place(a, np.arange(a.size).reshape(a.shape) % 2 == 0, np.array([0.3, 0.4])),
        lambda: np.fill_diagonal(a, c) if a.ndim == 2 else None,
        lambda: np.add.at(a, [0, 0], c) if len(a) else None,
        lambda: np.add(a * 0.3, 1.0, out=a),
        lambda: damp(a),
    ]
    pick.choice(ways)()


def loop(a, b, pick):
    """Write element by element, or row by row."""
    if a.ndim == 1:
        for i in range(1, len(a)):
            a[i] = np.tanh(a[i - 1]) + a[i]
    else:
        for row in a:
            row += np.tanh(np.sum(row)) * 0.1  # noqa: PLW2901 - a view, which is written through
        for i in range(1, len(a)):
            a[i] = a[i - 1] * 0.5 + a[i]


def random_program(seed):
    """A function of an array: a few arrays, that share elements or do not, and steps that change them."""

    def program(x, fill):
        pick = random.Random(seed)  # noqa: S311 - no secret
        arrays = [np.sin(x), np.outer(x, np.sin(x)), fill(np.full((2, 3), 0.7))]
        total = 0.0
        for _ in range(pick.randint(4, 12)):
            a, b = pick.choice(arrays), pick.choice(arrays)
            step = pick.choice(
                [write, write, change, call_writer, loop, "view", "view", "copy", "alias", "read"]
            )
            if callable(step):
                step(a, b, pick)
            elif step == "read":
                total = total + np.sum(np.sin(a))
            else:
                arrays.append(a_view(a, pick) if step == "view" else fill(a.copy()) if step == "copy" else a)
        return total + sum(np.sum(np.sin(a * 1.3)) for a in arrays)

    return program


@pytest.mark.parametrize("seed", SEEDS)
def test_random_programs(seed):
    """Values, both modes, and second derivatives."""
    check_program(random_program(seed))


@pytest.mark.parametrize("kind", [csr_array, csc_array, coo_array, dia_array])
def test_sparse_arrays_that_are_scaled(kind):
    """SciPy scales them in place, and makes new ones for other operators."""

    def f(A):
        scaled, held = A * 1.0, []
        held.append(scaled)
        scaled *= 2.0
        scaled /= 4.0
        summed = scaled
        summed += A
        return np.sum(held[0] @ np.arange(2.0)) + 10 * np.sum(summed @ np.ones(2))

    A = kind(np.array([[1.0, 2.0], [0.0, 3.0]]))
    value, A_bar = value_and_grad(f)(A)
    assert value == f(A.copy())
    np.testing.assert_array_equal(A_bar.toarray(), [[15.0, 15.5], [0.0, 15.5]])


def test_scaling_sparse_arrays_of_the_outer_differentiation():
    """The derivative would be lost."""

    def f(A):
        scaled = A * 1.0
        return grad(lambda t: np.sum(scaled.__imul__(t) @ np.ones(2)))(2.0)

    with pytest.raises(TypeError, match="from outside the function that is differentiated"):
        grad(f)(csr_array(np.eye(2)))


def test_arrays_of_sparse_arrays():
    """They see that the sparse array is scaled, and are not written into."""

    def f(A):
        scaled = A * 1.0
        entries = scaled.data
        scaled *= 2.0
        return np.sum(entries**2)

    A = csr_array(np.array([[1.0, 2.0], [0.0, 3.0]]))
    value, A_bar = value_and_grad(f)(A)
    assert value == f(A) == 56.0
    np.testing.assert_array_equal(A_bar.data, 8 * A.data)
    with pytest.raises(TypeError, match=r"array of a traced csr_array was written into.*Write into a copy"):
        grad(lambda A: (A * 1.0).data.__imul__(2.0))(A)


def test_functions_behind_augmented_assignments():
    """They write like the statements, by whatever way they are called."""

    def f(x):
        y = np.sin(x)
        z = y
        y = call(operator.iadd, y, x)
        call(operator.setitem, y, 0, x[1])
        return np.sum(z * z)

    def by_hand(x):
        z = np.sin(x) + x
        return x[1] ** 2 + np.sum(z[1:] ** 2)

    np.testing.assert_allclose(grad(f)(X), grad(by_hand)(X))
    np.testing.assert_allclose(jvp(f, (X,), (X,))[1], grad(by_hand)(X) @ X)


def test_methods_that_sort():
    """Along the last axis, or another."""

    def program(x, fill):
        matrices = [np.outer(np.cos(k * x), x) for k in range(1, 5)]
        first, second, third, fourth = matrices
        first.sort()
        second.sort(0)
        third.partition(1)
        fourth.partition(1, axis=0)
        return sum(np.sum(np.arange(9.0).reshape(3, 3) * matrix) for matrix in matrices)

    check_program(program)


def test_structured_arrays_that_are_scaled():
    """The name gets another array, and the one that it had stays."""

    def f(D):
        E = D
        E *= 2.0
        return np.sum(D.diag) + 10.0 * np.sum(E.diag)

    np.testing.assert_array_equal(grad(f)(Diagonal(np.ones(2))).diag, [21.0, 21.0])
