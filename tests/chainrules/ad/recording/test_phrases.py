"""NumPy's short calls compute what its general functions compute, to the bit."""

import numpy as np
import pytest

from chainrules.ad.recording.variant import make_variant

RNG = np.random.default_rng(0)
ARRAYS = [
    RNG.normal(size=(2, 3, 4)),
    RNG.normal(size=(2, 3)).astype(np.float32),
    RNG.normal(size=300) + 1j,
    RNG.integers(0, 5, (3, 2)),
    RNG.normal(size=(3, 4)) > 0.0,
    np.zeros((0, 3)),
    np.array(2.5),
    np.float64(2.5),
    RNG.normal(size=(4, 6)).T[::-1],
    RNG.normal(size=20).astype(np.float16),
]
ONE = np.ones(1)
CALLS = [
    lambda x: np.sum(x),
    lambda x: np.sum(x, axis=-1, keepdims=True) if np.ndim(x) else x,
    lambda x: np.sum(x, 0) if np.ndim(x) else x,
    lambda x: np.sum(x, dtype=np.float64) if np.isrealobj(x) else x,
    lambda x: x.sum(axis=None) + np.prod(x),
    lambda x: np.max(x, axis=0) - np.min(x) if x.size and x.ndim and x.dtype.kind != "b" else x,
    lambda x: np.mean(x) if x.size else x,
    lambda x: np.mean(x, axis=-1) if x.size and x.ndim else x,
    lambda x: x.mean(axis=(0,), keepdims=True) if x.size and x.ndim else x,
    lambda x: np.any(x) & np.all(x),
    lambda x: np.transpose(x),
    lambda x: np.swapaxes(x, -1, -2) if x.ndim > 1 else x,
    lambda x: np.swapaxes(x, 0, 0) if x.ndim > 1 else x,
    lambda x: np.transpose(x, (1, 0)) if x.ndim == 2 else x,
    lambda x: np.reshape(x, -1) * np.ravel(x),
    lambda x: np.expand_dims(x, 0),
    lambda x: np.expand_dims(x, -1),
    lambda x: np.expand_dims(x, 1) if x.ndim else x,
    lambda x: np.expand_dims(x, (0, 1)),
    lambda x: np.squeeze(x[None]) if x.ndim else x,
    lambda x: np.swapaxes(x, axis1=0, axis2=1) if x.ndim > 1 else x,
    lambda x: np.reshape(x, (-1, 1), "F"),
    lambda x: np.reshape(x, (-1, 1), order="F"),
    lambda x: np.reshape(x, shape=-1),
    lambda x: np.zeros_like(x) + np.ones_like(x, dtype=np.float32),
    lambda x: np.zeros_like(x, shape=(2, 2)),
    lambda x: np.full_like(x, ONE) + np.full_like(x, 2.0),
    lambda x: x.astype(np.complex64).conj(),
    lambda x: np.sum(x, where=x == x),  # noqa: PLR0124 - a mask
]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_calls(number):
    """Values, classes, dtypes, shapes and the order in memory."""
    f = CALLS[number]
    for x in ARRAYS:
        y, plain = make_variant(f, (x,), {}).run([x]), f(x)
        assert type(y) is type(plain)
        np.testing.assert_array_equal(y, plain, strict=True)


def test_arrays_that_are_filled():
    """As they were before, with the sign of a zero."""

    def f(x):
        y, z, ones = np.zeros(4), -0.0 * np.ones((2, 3)).T, np.full((2, 2), 1.0 + 0.0j)
        y[0], z[0, 1], ones[1] = x[0], x[1], x[:2]
        return y, z, ones, np.full_like(x, 2.0)

    variant = make_variant(f, (ARRAYS[0][0, 0],), {})
    for y, plain in zip(variant.run([ARRAYS[0][0, 1]]), f(ARRAYS[0][0, 1]), strict=True):
        assert y.tobytes() == plain.tobytes()
        assert y.strides == plain.strides
    assert "y = np.zeros((4,))" in variant.source
    assert "ones = constant" in variant.source


EINSTEIN_SUMS = [
    "ij,jk->ik", "ij,kj->ik", "ji,jk->ik", "ji,kj->ik", "ij,jk->ki", "ji, kj -> ki", "ii,ij->ij", "ij,ij->ij",
    "ij,ij->ji", "ij,jk->ijk", "ij,jk,kl->il", "ij,kj,ik->j", "ij,j->i", "...j,jk->...k",
]  # fmt: skip


@pytest.mark.parametrize("letters", EINSTEIN_SUMS)
def test_einstein_sums(letters):
    """To the bit, whether they are products of matrices or not."""
    constant = RNG.normal(size=(3, 3))
    _, *others = letters.partition("->")[0].split(",")

    def f(x):
        given = [constant[0] if term == "j" else constant.astype(x.dtype) for term in others]
        return np.einsum(letters, x, *given, optimize=True)

    real = RNG.normal(size=(3, 3))
    for x in (
        real,
        real.T,
        real + 1j,
        real.astype(np.float32),
        np.full((3, 3), np.nan),
        np.eye(3, dtype=int),
    ):
        y, plain = make_variant(f, (x,), {}).run([x]), f(x)
        np.testing.assert_array_equal(y, plain, strict=True)
    text = make_variant(f, (real,), {}).source
    assert ("np.dot(" in text) == (letters in EINSTEIN_SUMS[:6])
    assert ("einsum_path" in text) == (len(others) > 1)


def test_einstein_sums_of_other_shapes():
    """A length of one is broadcast; operands may be empty."""
    f = lambda x, y: np.einsum("ij,jk->ik", x, y, optimize=True)  # noqa: E731 - as users write it
    for shapes in (((2, 1), (3, 2)), ((2, 3), (1, 2)), ((2, 0), (0, 2)), ((2, 3), (3, 0))):
        x, y = map(np.ones, shapes)
        np.testing.assert_array_equal(make_variant(f, (x, y), {}).run([x, y]), f(x, y), strict=True)


def test_text():
    """It is short."""
    text = make_variant(lambda x: np.sum(np.zeros_like(x) + x.T.T) / np.mean(x), (ARRAYS[1],), {}).source
    assert "np.add.reduce(" in text
    assert "np.zeros((2, 3), np.float32)" in text
    assert ".T" in text
    assert "np.mean(" in text
    assert "np.add.reduce(a, axis=None) / 24" in make_variant(np.mean, (ARRAYS[0],), {}).source


def test_constants_of_double_precision():
    """They are Python's numbers beside what makes the same of both, and in no power or single precision."""
    c, x = np.float64(0.1), np.array([0.5, 2.0])
    single = x.astype(np.float32)

    def f(x, single):
        return x * c, c - x[0], x / c, x**c, single * c, c + single[0]

    variant = make_variant(f, (x, single), {})
    for got, plain in zip(variant.run([3.0 * x, single]), f(3.0 * x, single), strict=True):
        assert type(got) is type(plain)
        np.testing.assert_array_equal(got, plain, strict=True)
    assert variant.source.count("np.float64(0.1)") == 3
