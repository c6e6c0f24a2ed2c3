"""The rules of discrete Fourier transforms, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.structured_checks import check_symmetric

FROM_REAL = ("rfft", "rfft2", "rfftn", "ihfft")
LINES = ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")
PLANES = ("fft2", "ifft2", "rfft2", "irfft2")
SPACES = ("fftn", "ifftn", "rfftn", "irfftn")
NORMS = (None, "backward", "ortho", "forward")


def transform(name):
    """The transform of that name."""
    return getattr(np.fft, name)


def operand(name, *shape):
    """An array that the transform takes: real or complex."""
    return normal(*shape, dtype=float if name in FROM_REAL else complex)


def check_both_modes(f, *args, **options):
    """Check every element, in double precision: `check_rule` does the rest for each transform."""
    test_frule(f, *args, fkwargs=options)
    test_rrule(f, *args, fkwargs=options)


@pytest.mark.parametrize("length", [1, 2, 5, 6])
@pytest.mark.parametrize("name", LINES)
def test_lines(name, length):
    """Even and odd lengths, from the shortest that each transform takes."""
    length += name in {"irfft", "hfft"} and length == 1
    check_rule(transform(name), operand(name, length))


@pytest.mark.parametrize("name", ["fft", "ifft", "irfft", "hfft"])
def test_lines_of_real_numbers(name):
    """The cotangent of a real operand is real."""
    check_rule(transform(name), normal(5))


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 9])
@pytest.mark.parametrize("name", LINES)
def test_lines_cropped_and_padded(name, n):
    """What is cropped has no influence; what is padded takes no cotangent."""
    check_both_modes(transform(name), operand(name, 4), n=n)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", LINES)
def test_norms(name, norm):
    """The factor stands on either side, or half of it on both."""
    check_both_modes(transform(name), operand(name, 5), norm=norm)
    check_both_modes(transform(name), operand(name, 5), 6, -1, norm)


@pytest.mark.parametrize("options", [{"axis": 0}, {"axis": 1, "n": 5}, {"axis": -2, "n": 2}, {"axis": -1}])
@pytest.mark.parametrize("name", LINES)
def test_axes_of_lines(name, options):
    """Along any axis, with the length along it."""
    check_both_modes(transform(name), operand(name, 3, 4, 2), **options)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"s": (2, 5)},
        {"s": (4, 3), "norm": "ortho"},
        {"axes": (0, 1)},
        {"axes": (-1, 0)},
        {"s": (5, -1), "axes": (2, 1), "norm": "forward"},
        {"axes": (1, 1)},
        {"s": (3, 5), "axes": (1, 1)},
    ],
    ids=str,
)
@pytest.mark.parametrize("name", PLANES)
def test_planes(name, options):
    """Two axes in any order, the same one twice, cropped and padded."""
    check_both_modes(transform(name), operand(name, 2, 3, 4), **options)


@pytest.mark.parametrize(
    "options",
    [{}, {"axes": (1,)}, {"axes": (2, 0)}, {"s": (3, 2, 5), "axes": (0, 1, 2)}, {"norm": "forward"}],
    ids=str,
)
@pytest.mark.parametrize("name", SPACES)
def test_spaces(name, options):
    """All axes, or those that are named."""
    check_both_modes(transform(name), operand(name, 2, 3, 3), **options)


@pytest.mark.parametrize("name", PLANES + SPACES)
def test_planes_and_spaces_in_every_way(name):
    """In single precision, with gaps, and differentiated twice."""
    check_rule(transform(name), operand(name, 3, 4))
    check_rule(transform(name), normal(3, 4), (4, 3), (0, 1), "ortho")


@pytest.mark.parametrize("name", LINES)
def test_second_derivatives_where_cropped_and_padded(name):
    """The rules of the pullback's parts: padding, cropping and weighting."""
    for n in (3, 8):
        check_rule(transform(name), normal(5, 2), n, 0)


@pytest.mark.parametrize("name", LINES)
def test_empty(name):
    """No lines at all."""
    check_both_modes(transform(name), operand(name, 0, 3))
    check_both_modes(transform(name), operand(name, 0, 2), n=3)


@pytest.mark.parametrize("name", ["fftn", "ifftn"])
def test_no_axes(name):
    """An array without axes is its own transform."""
    check_both_modes(transform(name), np.array(1.5))
    check_both_modes(transform(name), np.array(1.5 - 0.5j))


@pytest.mark.parametrize("name", LINES)
def test_single_precision_stays_single(name):
    """The weights widen nothing."""
    x = operand(name, 5)
    x = x.astype(np.float32 if x.dtype == float else np.complex64)
    y, pullback = rrule(transform(name), x)

    assert pullback(np.ones_like(y))[1].dtype == x.dtype


def test_complex_cotangents_of_unused_parts():
    """The imaginary part at frequency zero is not read, so that its cotangent is zero."""
    y, pullback = rrule(np.fft.irfft, normal(4, dtype=complex))
    x_bar = pullback(np.arange(len(y), dtype=float))[1]

    assert x_bar[0].imag == 0
    assert x_bar[-1].imag == 0
    assert np.all(x_bar[1:-1].imag != 0)


@pytest.mark.parametrize("name", LINES + PLANES + SPACES)
@pytest.mark.parametrize("mode", ["frule", "rrule"])
def test_transforms_refuse_what_they_cannot_derive(mode, name):
    """Writing into an array leaves no trace; NumPy's errors come through."""
    f, x = transform(name), operand(name, 3, 4)

    def use_rule(**options):
        return rrule(f, x, **options) if mode == "rrule" else frule((NoTangent(), x), f, x, **options)

    with pytest.raises(TypeError, match=rf"np\.fft\.{name}.*out=.*cannot be differentiated"):
        use_rule(out=f(x))
    with pytest.raises(ValueError, match="norm"):
        use_rule(norm="sideways")
    with pytest.raises((IndexError, np.exceptions.AxisError)):
        use_rule(**({"axis": 2} if name in LINES else {"axes": (0, 2)}))


@pytest.mark.parametrize("f", [np.fft.fft, np.fft.irfft2, np.fft.fftn], ids=lambda f: f.__name__)
def test_symmetric_matrices(f):
    """The cotangent of a symmetric matrix is symmetric: the matrix cannot move otherwise."""
    check_symmetric(f)
