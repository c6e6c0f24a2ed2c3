"""The rules of frequencies and of their order, against finite differences."""

import pytest
from scipy import fft

from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_declared, check_rule, normal


@pytest.mark.parametrize("n", [4, 5])
@pytest.mark.parametrize("f", [fft.fftfreq, fft.rfftfreq])
def test_frequencies(f, n):
    """They vary with the distance of samples, not with their number."""
    check_rule(f, n, 0.3)
    test_frule(f, n)
    test_rrule(f, n, fkwargs={"d": 0.3})


@pytest.mark.parametrize("options", [{}, {"axes": 0}, {"axes": (0, -1)}], ids=str)
@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("f", [fft.fftshift, fft.ifftshift])
def test_shifts(f, dtype, options):
    """Along all axes, one, several; of even and odd lengths, and none."""
    check_rule(f, normal(3, 4, dtype=dtype), **options)
    test_rrule(f, normal(0, 3), fkwargs=options)


def test_lengths_are_constants():
    """They are integers."""
    check_declared(fft.next_fast_len, 7)
    check_declared(fft.prev_fast_len, 7)
    check_declared(fft.get_workers)
