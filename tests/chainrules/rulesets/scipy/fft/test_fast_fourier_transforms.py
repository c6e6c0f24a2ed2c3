"""The rules of SciPy's discrete Fourier transforms, against finite differences."""

import numpy as np
import pytest
import scipy.fft

from chainrules.ad import grad
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal

FROM_REAL = ("rfft", "ihfft")
FAMILIES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
NORMS = (None, "backward", "ortho", "forward")


def operand(name, *shape):
    """An array that the transform takes: real or complex."""
    return normal(*shape, dtype=float if name.startswith(FROM_REAL) else complex)


def check_both_modes(name, x, *args, **options):
    """Check every element, in double precision."""
    test_frule(getattr(scipy.fft, name), x, *args, fkwargs=options)
    test_rrule(getattr(scipy.fft, name), x, *args, fkwargs=options)


@pytest.mark.parametrize("name", FAMILIES)
def test_lines_in_every_way(name):
    """In both precisions, with gaps, and differentiated twice; of real numbers too."""
    check_rule(getattr(scipy.fft, name), operand(name, 5))
    check_rule(getattr(scipy.fft, name), normal(5, 2), 6, 0, "ortho")


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("n", [None, 2, 3, 8, 9])
@pytest.mark.parametrize("name", FAMILIES)
def test_lines(name, n, norm):
    """Cropped and padded, of even and odd lengths."""
    check_both_modes(name, operand(name, 5), n=n, norm=norm)


@pytest.mark.parametrize("axis", [0, 1, -1])
@pytest.mark.parametrize("name", FAMILIES)
def test_axes_of_lines(name, axis):
    """Along any axis."""
    check_both_modes(name, operand(name, 3, 4, 2), axis=axis, overwrite_x=True, workers=2)


@pytest.mark.parametrize(
    "options",
    [{}, {"s": (2, 5)}, {"s": (4, 3), "norm": "ortho"}, {"axes": (-1, 0)}, {"s": (5, -1), "axes": (2, 1)}],
    ids=str,
)
@pytest.mark.parametrize("name", [f"{name}2" for name in FAMILIES])
def test_planes(name, options):
    """Two axes in any order, cropped and padded."""
    check_both_modes(name, operand(name, 2, 3, 4), **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"axes": 1},
        {"axes": (2, 0), "norm": "forward"},
        {"s": (3, 2, 5), "axes": (0, 1, 2)},
        {"s": 4},
        {"s": [3, 4]},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", [f"{name}n" for name in FAMILIES])
def test_spaces(name, options):
    """All axes, or those that are named."""
    check_both_modes(name, operand(name, 2, 3, 3), **options)


@pytest.mark.parametrize("name", [f"{name}{suffix}" for name in FAMILIES for suffix in "2n"])
def test_planes_and_spaces_in_every_way(name):
    """In single precision, with gaps, and differentiated twice."""
    check_rule(getattr(scipy.fft, name), operand(name, 3, 4))


def test_arguments_are_kept():
    """Although SciPy was allowed to write into them."""
    x = normal(6, dtype=complex)
    kept = x.copy()
    y, pullback = rrule(scipy.fft.fft, x, overwrite_x=True)
    pullback(y)
    np.testing.assert_array_equal(x, kept)
    np.testing.assert_allclose(
        grad(lambda x: np.sum(x * np.abs(scipy.fft.fft(x * 2.0, overwrite_x=True)) ** 2))(x.real),
        grad(lambda x: np.sum(x * np.abs(np.fft.fft(x * 2.0)) ** 2))(x.real),
    )


@pytest.mark.parametrize("name", ["fft", "irfft", "hfftn"])
def test_errors_of_scipy(name):
    """They come through."""
    with pytest.raises(ValueError, match="norm"):
        rrule(getattr(scipy.fft, name), operand(name, 4), norm="sideways")
    with pytest.raises(NotImplementedError, match="plan"):
        rrule(getattr(scipy.fft, name), operand(name, 4), plan=1)
