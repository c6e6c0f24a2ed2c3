"""The rules of discrete sine and cosine transforms, against finite differences."""

import numpy as np
import pytest
import scipy.fft

from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal

FAMILIES = ("dct", "idct", "dst", "idst")
NORMS = (None, "ortho", "forward")


def check_both_modes(name, x, *args, **options):
    """Check every element, in double precision."""
    test_frule(getattr(scipy.fft, name), x, *args, fkwargs=options)
    test_rrule(getattr(scipy.fft, name), x, *args, fkwargs=options)


@pytest.mark.parametrize("orthogonalize", [None, True, False])
@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("type_", [1, 2, 3, 4])
@pytest.mark.parametrize("name", FAMILIES)
def test_lines(name, type_, norm, orthogonalize):
    """Each type, with each factor, of real and of complex numbers; cropped and padded."""
    for x in (normal(4), normal(5, dtype=complex)):
        check_both_modes(name, x, type_, norm=norm, orthogonalize=orthogonalize)
    for n in (3, 6):
        check_both_modes(name, normal(4), type_, n, norm=norm, orthogonalize=orthogonalize)


@pytest.mark.parametrize("type_", [1, 2, 3, 4])
@pytest.mark.parametrize("name", FAMILIES)
def test_lines_in_every_way(name, type_):
    """In both precisions, with gaps, and differentiated twice."""
    f = getattr(scipy.fft, name)
    check_rule(f, normal(5), type_)
    check_rule(f, normal(3, 2, dtype=complex), type_, 4, 0, None, True, 2)
    if type_ > 1:
        check_both_modes(name, normal(1), type_)
        check_both_modes(name, normal(3, 1), type_)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"axes": 1},
        {"axes": (2, 0), "norm": "ortho"},
        {"axes": (0, 1), "norm": "ortho", "orthogonalize": False},
        {"s": (3, 2, 5)},
        {"s": 4, "norm": "forward", "orthogonalize": True},
        {"s": [4, -1], "axes": (-1, 0)},
        {"axes": ()},
    ],
    ids=str,
)
@pytest.mark.parametrize("type_", [1, 2, 3])
@pytest.mark.parametrize("name", [f"{name}n" for name in FAMILIES])
def test_spaces(name, type_, options):
    """All axes, or those that are named."""
    check_both_modes(name, normal(2, 3, 3), type_, **options)


@pytest.mark.parametrize("name", [f"{name}n" for name in FAMILIES])
def test_spaces_in_every_way(name):
    """In single precision, with gaps, and differentiated twice."""
    check_rule(getattr(scipy.fft, name), normal(3, 4))


def test_arguments_are_kept():
    """Although SciPy was allowed to write into them."""
    x = normal(6)
    kept = x.copy()
    y, pullback = rrule(scipy.fft.dct, x, overwrite_x=True)
    pullback(y)
    np.testing.assert_array_equal(x, kept)
