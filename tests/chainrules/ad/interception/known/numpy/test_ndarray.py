"""Methods of arrays, called as functions of the array too."""

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules.ad.calls.rule_inputs import MutatedInputError


def test_numbers_of_text():
    """They are told of where the text was made of a traced value."""
    with pytest.raises(TypeError, match="was read at"):
        grad(lambda x: np.array(f"1.0 {x:.6f}".split()).astype(float)[1] * x)(2.123456789)
    assert grad(lambda x: np.ndarray.astype(np.array(["2.5"]), float)[0] * x)(1.0) == 2.5
    np.testing.assert_array_equal(grad(lambda x: np.sum(np.ndarray.astype(x, float)))(np.ones(2)), np.ones(2))


@pytest.mark.parametrize("write", [np.ndarray.fill, lambda a, x: np.ndarray.dot(np.eye(2), np.ones(2), a)])
def test_functions_of_the_class(write):
    """Differentiations are told that they write."""
    buffer = np.full(2, 3.0)

    def program(x):
        y = np.sum(x * buffer)
        write(buffer, 2.0)
        return y

    with pytest.raises(MutatedInputError):
        grad(program)(1.0)


A, X = np.array([[1.0, -2.0], [0.3, 4.0]]), np.array([[0.5, -1.2], [2.2, 0.7]])
PICKS = np.array([[0, 1], [1, 0]])


@pytest.mark.parametrize(
    "write",
    [
        lambda x, y: A.dot(x, y),
        lambda x, y: A.dot(x, out=y),
        lambda x, y: A.clip(x, None, out=y),
        lambda x, y: A.clip(x, 5.0, y),
        lambda x, y: PICKS.choose((x, A), out=y),
        lambda x, y: PICKS.choose(x, A, out=y),
        lambda x, y: np.ndarray.dot(A, x, y),
    ],
)
def test_plain_arrays_write_results_into_arrays(write):
    """The array holds the value with its derivative afterwards, and is what the method returns."""

    def program(x):
        y = np.zeros((2, 2))
        return write(x, y), y * 2.0

    y, y_dot = jvp(program, (X,), (A,))
    np.testing.assert_array_equal(y, program(X))
    after, before = map(np.stack, (program(X + 1e-6 * A), program(X - 1e-6 * A)))
    np.testing.assert_allclose(y_dot, (after - before) / 2e-6, atol=1e-8)
    x_bar = grad(lambda x: np.sum(program(x)[1] * A) + np.sum(program(x)[0]))(X)
    np.testing.assert_allclose(np.sum(x_bar * A), np.sum(y_dot[1] * A) + np.sum(y_dot[0]))


def test_plain_arrays_do_not_write_into_arrays_of_others():
    """The derivative would be lost there."""
    y = np.zeros((2, 2))
    with pytest.raises(TypeError, match=r"dot\(\.\.\., out=\.\.\.\) was called with a traced value"):
        grad(lambda x: np.sum(A.dot(x, y)))(X)
    assert not y.any()


def test_functions_of_the_class_with_arrays_that_depend_on_nothing():
    """They are called with the plain arrays."""
    f = grad(lambda x: x * np.ndarray.dot(np.eye(2), np.full(2, 3.0))[0] + np.ndarray.sum(np.ones(2)) * x)
    assert f(2.0) == 5.0


def test_memory_seen_in_another_shape():
    """The class, called with a traced array, is refused with what to write; without one it makes an array."""
    with pytest.raises(
        TypeError, match=r"in `np\.ndarray\(\(2, 2\), float, x\)`\. Write `np\.reshape\(x, shape\)`"
    ):
        grad(lambda x: np.sum(np.ndarray((2, 2), float, x)))(np.ones(4))

    def f(x):
        y = np.ndarray((2,), float, np.array([2.0, 3.0]))
        assert isinstance(x, np.ndarray)
        return np.sum(x * y)

    assert grad(f)(np.ones(2)).tolist() == [2.0, 3.0]
