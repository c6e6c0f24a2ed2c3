"""The keywords of NumPy's elementwise functions."""

import numpy as np
import pytest

from chainrules.ad import grad
from tests.chainrules.ad.writing.programs import check_program

POSITIVE = np.array([0.7, 1.3, 2.1])


def division_where_it_is_defined(x, fill):
    """A quotient."""
    below = np.array([1.0, 0.0, 2.0]) * x
    return np.sum(np.divide(x**2, below, out=np.zeros_like(x), where=below != 0) ** 2)


def logarithm_where_it_is_defined(x, fill):
    """A logarithm."""
    y = np.concatenate([x, [0.0]])
    return np.sum(np.log(y, where=y > 0, out=fill(np.full(4, -1.0))) * y)


def one_argument_that_is_plain(x, fill):
    """What is written is plain."""
    y = np.sin(x)
    np.exp([1.0, 2.0, 3.0], out=y, where=[True, False, True])
    np.add(x[0], 1.0, out=y, where=[False, True, False])
    return np.sum(y * x)


def broadcast(x, fill):
    """Shapes that differ."""
    out = np.add(x, 1.0, out=fill(np.ones((2, 3))), where=[[True], [False]])
    larger = np.multiply(x, x, out=fill(np.ones((2, 3))), where=[True, False, True])
    return np.sum(out**2 * larger) + np.sum(np.add(x, x, where=True) ** 3)


def nowhere(x, fill):
    """Nothing is computed."""
    y = x * x
    np.log(x - x, out=y, where=np.zeros(3, bool))
    return np.sum(y)


def in_another_dtype(x, fill):
    """Integers as floats."""
    return np.sum(np.add(x, [1, 2, 3], dtype=float) ** 2) + np.sum(np.multiply(x, x, dtype="f8", order="K"))


def two_results(x, fill):
    """A function with two results."""
    whole, part = fill(np.zeros(3)), np.sin(x)
    np.modf(x, out=(whole, part))
    assert np.modf(x, out=(None, part))[1] is part
    return np.sum(part**2) + np.sum(whole)


@pytest.mark.parametrize(
    "program",
    [
        division_where_it_is_defined,
        logarithm_where_it_is_defined,
        one_argument_that_is_plain,
        broadcast,
        nowhere,
        in_another_dtype,
        two_results,
    ],
)
def test_programs(program):
    """``where``, `out` of several results, and `dtype`."""
    check_program(program, POSITIVE)


def test_without_an_array_for_the_result():
    """NumPy leaves there what is in the memory, and so nobody may look at it."""

    def f(x):
        mask = x > 1.0
        return np.sum(np.where(mask, np.sqrt(x - 1.0, where=mask), 0.0) ** 3)

    np.testing.assert_allclose(grad(f)(POSITIVE), 1.5 * np.sqrt(np.maximum(POSITIVE - 1.0, 0.0)))


def test_single_precision():
    """A plain number leaves the dtype as it is, and the dtype that is asked for is the result's."""

    def f(x):
        y = np.multiply(x, 2.0, out=np.zeros_like(x), where=x > 1.0)
        assert y.dtype == np.float32
        z = np.exp(x, dtype=np.float64)
        assert z.dtype == np.float64
        return np.sum(y) + np.sum(z)

    gradient = grad(f)(POSITIVE.astype(np.float32))
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(gradient, 2.0 * (POSITIVE > 1.0) + np.exp(POSITIVE), rtol=1e-6)


@pytest.mark.parametrize(
    ("f", "error", "message"),
    [
        (lambda x: np.exp(x, dtype=int), TypeError, r"np\.exp\(\.\.\., dtype=.*`x\.astype\(dtype\)`"),
        (lambda x: np.add(1j * x, x, dtype=float), TypeError, "Cannot cast ufunc 'add' input"),
        (lambda x: np.add(x, np.complex128(1j), dtype=float), TypeError, "Cannot cast ufunc 'add' input"),
        (lambda x: np.add(x, x, dtype=float, casting="no"), TypeError, r"casting=.*`np\.where`"),
        (lambda x: np.add(x, np.float32(1.0), casting="no"), TypeError, "casting rule 'no'"),
        (
            lambda x: np.add(x, 1j, out=np.sin(x), casting="same_kind"),
            TypeError,
            "Cannot cast ufunc 'add' output",
        ),
        (lambda x: np.add(x, 1j, out=np.sin(x), casting="unsafe"), TypeError, "Cannot write complex128"),
        (lambda x: np.modf(x, where=x > 1.0)[0], TypeError, r"where=.*`np\.where`"),
        (lambda x: np.matmul(x, x, axes=[0, 0, ()]), TypeError, r"axes=.*`np\.where`"),
        (lambda x: np.log(x, out=np.sin(x), where=[1, 0, 1]), TypeError, "booleans"),
        (lambda x: np.log(x, out=np.sin(x[:1]), where=x > 1.0), ValueError, "non-broadcastable"),
        (lambda x: np.multiply(x, 1j, out=np.sin(x), where=x > 1.0), TypeError, "Cannot write complex128"),
        (lambda x: np.log(x, out=HELD, where=x > 1.0), TypeError, r"log\(\.\.\., out=\.\.\.\)"),
    ],
)
def test_refused(f, error, message):
    """What NumPy refuses, and what rules do not know."""
    with pytest.raises(error, match=message):
        grad(lambda x: np.sum(f(x)))(POSITIVE)


HELD = np.zeros(3)


@pytest.mark.skipif(not hasattr(np, "vecdot"), reason="since NumPy 2.0")
def test_products_along_an_axis():
    """Their `axis` is for their rules."""
    x = np.outer(POSITIVE, POSITIVE[:2])
    np.testing.assert_allclose(grad(lambda x: np.sum(np.vecdot(x, x, axis=0)))(x), 2.0 * x)
