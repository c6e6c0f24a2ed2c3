"""Masked arrays with traced elements: operators, elements, masks, and what is behind them."""

import copy
import operator

import numpy as np
import pytest

from chainrules.ad import grad, hessian, interception, jacobian, jvp, value_and_grad, vjp
from chainrules.ad.traced.masked_arrays import TracedMasked
from tests.chainrules.ad.traced.masks import MASK, OTHER, X, check, masked

OPERATIONS = {
    "one operand": lambda x: -masked(x) + abs(masked(x)) * +masked(x),
    "arithmetic": lambda x: masked(x) * x + OTHER / masked(x) - x * OTHER + 2.0 * masked(x),
    "constants": lambda x: (1.0 - masked(x)) / (3.0 + masked(x)) + masked(x) % 10.0,
    "lists": lambda x: masked(x) * [1.0, 2.0, 3.0, 4.0] + [1.0, 2.0, 3.0, 4.0] * masked(x),
    "a traced number": lambda x: x[0] * OTHER + masked(x) ** x[0],
    "a power that is not real": lambda x: np.ma.array(x) ** x[0],
    "division by zero": lambda x: masked(x) / np.array([0.0, 1.0, 2.0, 3.0]),
    "the constant that is masked": lambda x: (masked(x) * np.ma.masked).filled(2.0) * x,
    "constants that are compared with": lambda x: np.ma.masked_greater(OTHER, x[3]) * x,
    "another mask": lambda x: masked(x) * OTHER,
    "repeated": lambda x: masked(x)[:, np.newaxis] * x,
    "a ufunc": lambda x: np.multiply(x, OTHER) + np.exp(masked(x)) + np.arctan2(OTHER, masked(x)),
    "a domain": lambda x: np.ma.arccosh(np.ma.masked_less(x, 1.0)),
    "a dtype": lambda x: np.add(masked(x), x, dtype=np.float64),
    "steps": lambda x: np.sign(masked(x)) * np.floor(x * 2.7) * masked(x),
    "parts": lambda x: masked(x).T * masked(x).real,
}


@pytest.mark.every_case
@pytest.mark.parametrize("f", OPERATIONS.values(), ids=OPERATIONS)
def test_operations(f):
    """What is masked in an operand, or has no result, is masked, and nothing depends on it."""
    check(lambda x: (f(x) * np.arange(1.0, 5.0)).sum())


def written(x):
    """Places are unmasked by what is written into them, and masked."""
    a = masked(x)
    a[1] = 3.0 * x[0]
    a[a > 2.0] = np.ma.masked
    return (a**2).sum()


def written_by_view(x):
    """A view writes through."""
    a = masked(x)
    b = a[2:]
    b[0] = 5.0 * x[0]
    b[1] = np.ma.masked
    return (a**2).sum()


def written_masked(x):
    """With what is masked in the values."""
    a = masked(x)
    a[[0, 1]] = OTHER[[3, 1]] * x[:2]
    return (a * x).sum()


def written_elements(x):
    """The elements are written into, past the mask."""
    a = masked(x)
    a.data[2] = x[0]
    return (a * a).sum()


def hard(x):
    """A hard mask stays."""
    a = masked(x).harden_mask()
    a[:] = 3.0 * x
    a[0] = x[3]
    return (a**2).sum() + a.soften_mask().sum()


def in_place(x):
    """The array itself changes."""
    a = b = masked(x)
    b += x
    a[2:] *= a[:2]
    return (a * x).sum()


def given_a_mask(x):
    """As a whole, and at a place."""
    a, b = masked(x), masked(x)
    a.mask = [1, 0, 0, 0]
    b.mask[0] = True
    return (a**2).sum() + (b**3).sum()


def written_below(x):
    """An array that shares the elements is written into."""
    y = 2.0 * x
    a, b = np.ma.array(y, mask=MASK), np.ma.array(y, copy=True)
    y[0] = 5.0 * x[3]
    return (a * a).sum() + (b * b).sum()


def copied(x):
    """Copies are written into."""
    a = masked(x)
    b, c = copy.copy(a), copy.deepcopy(a)
    b[0] = x[3]
    return (a * b * c).sum()


def gone_through(x):
    """Item by item; a question answers by value."""
    total = 0.0
    for item in masked(x):
        if item is not np.ma.masked:
            total = total + item**2
    assert 0.7 not in masked(x) * 2.0
    assert masked(x)[:1]
    return total * len(masked(x))


def asked(x):
    """Attributes are those of the values."""
    a = masked(x)
    assert isinstance(a, np.ma.MaskedArray)
    assert isinstance(a, np.ndarray)
    assert type(a) is np.ma.MaskedArray
    assert (a.shape, a.ndim, a.size, a.dtype, np.shape(a), np.ndim(a)) == ((4,), 1, 4, float, (4,), 1)
    assert a.count() == 3
    assert a.take(1) is np.ma.masked
    assert list(a.mask) == list(MASK)
    assert a.argmax() == np.argmax(a) == 3
    assert repr(a).startswith("masked_array(data=[0.")
    assert list(a < 1.0) == [True, np.ma.masked, False, False]
    assert list(x[0] < OTHER) == [True, True, True, np.ma.masked]
    a.fill_value = 3.0
    return a.filled().sum() * x[0]


@pytest.mark.every_case
@pytest.mark.parametrize(
    "f",
    [
        *(written, written_by_view, written_masked, written_elements, hard, in_place, given_a_mask),
        *(written_below, copied, gone_through, asked),
    ],
)
def test_programs(f):
    """Writing, masks, copies and questions have NumPy's meaning."""
    check(f)


BEHIND = {
    "first operand": lambda x: (masked(x) + x[0]).data,
    "constant": lambda x: (OTHER * x).data,
    "domain": lambda x: np.ma.log(x)._data,
    "division": lambda x: (masked(x) / masked(x[::-1])).data,
    "product": lambda x: (x * OTHER).data,
}


@pytest.mark.every_case
@pytest.mark.parametrize("f", BEHIND.values(), ids=BEHIND)
def test_behind_a_mask(f):
    """`numpy.ma` puts the first operand there."""
    check(lambda x: np.sum(f(x)))


def test_what_was_computed_behind_a_mask():
    """Its derivative is not known, rather than zero."""
    y, gradient = value_and_grad(lambda x: np.sum(np.exp(masked(x)).data))(X)
    np.testing.assert_allclose(y, np.sum(np.exp(X)))
    np.testing.assert_array_equal(gradient, np.where(MASK, np.nan, np.exp(X)))
    np.testing.assert_array_equal(grad(lambda x: np.exp(masked(x)).sum())(X), np.where(MASK, 0.0, np.exp(X)))


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda x: np.ma.array(x[:0], mask=[]).filled(1.0).sum() + x[0], X),
        (lambda x: np.ma.array(x[0], mask=False) * x[1], X),
        (lambda x: (np.ma.array(x[0] * 1.0, mask=False) + masked(x)).sum(), X),
        (lambda x: np.ma.array(x, mask=False).sum() * np.ma.array(x)[()][0], X),
        (lambda x: np.abs(np.ma.array(1j * x + 2.0, mask=MASK)).sum(), X),
        (lambda x: (np.ma.array(x, mask=np.eye(2)) * x[0]).sum(), X.reshape(2, 2)),
    ],
)
def test_shapes_and_dtypes(f, x):
    """Empty, 0-d, complex arrays, and those with more axes."""
    check(f, x)


def test_single_precision():
    """The derivative has the precision of the argument."""
    x = X.astype(np.float32)
    gradient = grad(lambda x: (np.ma.array(x, mask=MASK) / OTHER.astype(np.float32)).mean())(x)
    assert gradient.dtype == np.float32
    np.testing.assert_allclose(
        gradient, np.array([1 / 4.5, 0.0, 1 / 10.5 * 1.5, 0.0]) * 1.5, rtol=1e-2, atol=2
    )


def test_derivatives_of_derivatives():
    """Masks are those of the values, at each order."""
    H = hessian(lambda x: (np.ma.masked_where(x < 0.0, x) ** 3).sum())(X)
    np.testing.assert_allclose(H, np.diag(np.where(X < 0.0, 0.0, 6.0 * X)))
    H = hessian(lambda x: np.exp(masked(x)).sum())(X)
    np.testing.assert_allclose(H, np.diag(np.where(MASK, 0.0, np.exp(X))))

    def inner(t):
        return grad(lambda x: (np.ma.masked_where(x < t, t * x) ** 2).sum())(X).sum()

    np.testing.assert_allclose(grad(inner)(0.5), 2 * 0.5 * 2 * np.sum(X[X > 0.5]))


def test_without_interception():
    """Operators of a traced array know masked constants."""
    with interception(False):
        check(lambda x: ((x - OTHER) ** 2).sum() + np.multiply(x, OTHER).mean())


REFUSED = {
    "a matrix product": lambda x: masked(x) @ x,
    "a matrix product from the left": lambda x: np.ones(4) @ masked(x),
    "a method of a ufunc": lambda x: np.add.reduce(masked(x)),
    "a keyword of a ufunc": lambda x: np.exp(masked(x), where=~MASK),
    "an array to write into": lambda x: np.ma.add(masked(x), x, np.ma.zeros(4)),
    "a function without masks": lambda x: np.median(masked(x)),
    "a function that looks behind the mask": lambda x: np.ptp(masked(x)),
    "another argument": lambda x: np.where(MASK, x, masked(x)),
    "an unknown method": lambda x: masked(x).tolist(),
    "an assignment": lambda x: setattr(masked(x), "shape", (2, 2)),
    "an array": lambda x: np.array(masked(x)),
    "a traced array written into": lambda x: operator.iadd(x * 1.0, OTHER),
    "a traced array with masked values": lambda x: (x * 1.0).__setitem__(0, masked(x)[:1]),
    "a dtype": lambda x: masked(x).view(np.int64),
}


@pytest.mark.every_case
@pytest.mark.parametrize("f", REFUSED.values(), ids=REFUSED)
def test_refusals(f):
    """Nothing is lost in silence."""
    with pytest.raises(TypeError, match="mask"):
        grad(lambda x: np.sum(np.asarray(f(x))))(X)


def test_unknown_attributes():
    """As of any object."""
    with pytest.raises(AttributeError, match="no attribute `median`"):
        grad(lambda x: masked(x).median())(X)
    assert not hasattr(TracedMasked(X, OTHER), "median")
    with pytest.raises(TypeError, match="unhashable"):
        hash(TracedMasked(X, OTHER))


@pytest.mark.parametrize(
    "derive", [jacobian, lambda f: lambda x: vjp(f, x), lambda f: lambda x: jvp(f, (x,), (x,))]
)
def test_results(derive):
    """A masked array has no tangent, nor has what is masked."""
    with pytest.raises(TypeError, match=r"return `y\.filled"):
        derive(lambda x: masked(x) * 2.0)(X)
    with pytest.raises(TypeError, match="this one is masked"):
        grad(lambda x: np.ma.array(x, mask=True).sum())(X)
