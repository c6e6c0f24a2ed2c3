"""An array computes with a list of traced numbers as with an array of them."""

import operator

import numpy as np
import pytest

from chainrules.ad import compiled, grad
from tests.chainrules.program_checks import check_along

A = np.array([[2.0, -2.0], [1.0, 3.0]])
B = np.array([1.5, 2.0])
P, ALONG = np.array([1.2, 0.7]), np.array([0.3, -1.1])


@pytest.mark.parametrize(
    "f",
    [
        lambda p: A @ [p[0], p[1]],
        lambda p: [p[0] * p[1], 2.0] @ A,
        lambda p: A @ [p, p**2],
        lambda p: operator.add(B, [p[0], p[1]]),
        lambda p: (p[0], p[1]) - B,
        lambda p: A * [[p[0], 1.0], [2.0, p[1]]],
        lambda p: [p[0], 2.0] / B,
        lambda p: B ** (p[0], p[1]),
        lambda p: [7.5, p[1]] // B * p,
        lambda p: B % [p[0], p[1]],
        lambda p: operator.mul(B, [p[0], p[1]]),
        lambda p: np.where([p[0] + 1.0, p[1]] > B, p**2, p),
        lambda p: np.where([p[0], p[1]] != np.array([2.5, 0.0]), p**2, p),
    ],
)
def test_programs(f):
    """The list may stand on either side, and hold numbers, lists or arrays."""
    check_along(lambda p: np.sum(f(p) * (f(p) + 1.0)), P, ALONG)


def test_what_is_not_traced_stays_as_it_is():
    """Lists without traced numbers are NumPy's; lists beside lists are Python's."""

    def f(x):
        assert type(B * [1.0, 2.0]) is np.ndarray
        assert operator.lt(B, [2.0, 1.0]).tolist() == [True, False]
        joined = operator.add([x], [1.0])
        assert joined == [x, 1.0]
        assert len([x] * 3) == 3
        with pytest.raises(ValueError, match="broadcast"):
            operator.add(B, [x, x, x])
        return np.sum(B * [x, 1.0])

    assert grad(f)(2.0) == 1.5


def test_compiled_gradients():
    """They are recorded."""
    gradient = compiled(grad(lambda p: np.sum((A @ [p[0], p[1]]) * (B - (p[1], 1.0)))), strict=True)
    plain = grad(lambda p: np.sum((A @ [p[0], p[1]]) * (B - (p[1], 1.0))))
    for p in (P, ALONG, P):
        assert np.array_equal(gradient(p), plain(p))
