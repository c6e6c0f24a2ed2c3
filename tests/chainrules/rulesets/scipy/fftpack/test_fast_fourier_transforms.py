"""The rules of the transforms of `scipy.fftpack`, against finite differences."""

import numpy as np
import pytest
import scipy.fftpack

from chainrules.ad import grad
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal

LINES = ("fft", "ifft", "rfft", "irfft")


@pytest.mark.parametrize("name", LINES)
def test_lines(name):
    """Of even and odd length, cropped and padded, along each axis, and of one element."""
    f = getattr(scipy.fftpack, name)
    check_rule(f, normal(6))
    check_rule(f, normal(3, 2), None, 0)
    for options in ((3,), (7,), (4, -2)):
        test_frule(f, normal(3, 5), *options)
        test_rrule(f, normal(3, 5), *options)
    test_rrule(f, normal(2, 1))
    if name[-4:] != "rfft":
        check_rule(f, normal(5, dtype=complex))


@pytest.mark.parametrize("name", ["fft2", "ifft2", "fftn", "ifftn"])
@pytest.mark.parametrize(
    "options", [{}, {"shape": (3, 2), "axes": (0, 1)}, {"axes": (1,), "overwrite_x": True}], ids=str
)
def test_spaces(name, options):
    """All axes, or those that are named."""
    f = getattr(scipy.fftpack, name)
    test_frule(f, normal(2, 3, dtype=complex), fkwargs=options)
    test_rrule(f, normal(2, 3, dtype=complex), fkwargs=options)


@pytest.mark.parametrize("norm", [None, "ortho"])
@pytest.mark.parametrize("type_", [1, 2, 3, 4])
@pytest.mark.parametrize("name", ["dct", "idct", "dst", "idst", "dctn", "idctn", "dstn", "idstn"])
def test_trigonometric_transforms(name, type_, norm):
    """Each type, with each factor, which inverses do not have."""
    f = getattr(scipy.fftpack, name)
    check_rule(f, normal(5), type_, norm=norm)
    shape = {"shape": (3, 4)} if name[-1] == "n" else {"n": 3, "axis": 0}
    test_rrule(f, normal(4, 2), type_, fkwargs={"norm": norm, **shape})


def test_values_are_those_of_scipy():
    """To the last digit, also of inverses, which have no factors."""
    x = normal(5, 4)
    for name in scipy.fftpack.__all__:
        f = getattr(scipy.fftpack, name)
        if name.lstrip("i")[:3] in {"dct", "dst", "fft"} and "shift" not in name and "freq" not in name:
            np.testing.assert_array_equal(rrule(f, x)[0], f(x))


def test_one_length_for_each_axis():
    """Is what this module wants, unlike `scipy.fft`."""
    with pytest.raises(ValueError, match="same length"):
        scipy.fftpack.fftn(np.ones((2, 3)), (2,))
    with pytest.raises(ValueError, match="same length"):
        grad(lambda x: np.sum(np.abs(scipy.fftpack.fftn(x, (2,)))))(np.ones((2, 3)))


def test_arguments_are_kept():
    """Although SciPy was allowed to write into them; without a tangent there is none."""
    for name in (*LINES, "dct", "idstn"):
        f, x = getattr(scipy.fftpack, name), normal(6)
        y, pullback = rrule(f, x, overwrite_x=True)
        pullback(y)
        np.testing.assert_array_equal(x, normal(6))
        assert isinstance(frule((NoTangent(), ZeroTangent()), f, x)[1], ZeroTangent)
