"""The rules of frequencies and of their order, against finite differences."""

import numpy as np
import pytest

from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize("n", [4, 5])
@pytest.mark.parametrize("f", [np.fft.fftfreq, np.fft.rfftfreq])
def test_frequencies(f, n):
    """They vary with the distance of samples, not with their number."""
    check_rule(f, n, 0.3)
    check_rule(f, n, np.float64(-2.0))
    check_rule(f, n, np.array(0.3))


@pytest.mark.parametrize("f", [np.fft.fftfreq, np.fft.rfftfreq])
def test_frequencies_of_unit_distance(f):
    """Without a distance there is nothing to differentiate by."""
    test_frule(f, 4)
    test_rrule(f, 4)
    test_frule(f, 4, fkwargs={"d": 0.3})
    test_rrule(f, 4, fkwargs={"d": 0.3})


@pytest.mark.parametrize(
    ("args", "options"), [((), {}), ((0,), {}), ((), {"axes": (0, -1)}), ((), {"axes": (1, 1)})], ids=str
)
@pytest.mark.parametrize("dtype", [float, complex])
@pytest.mark.parametrize("f", [np.fft.fftshift, np.fft.ifftshift])
def test_shifts(f, dtype, args, options):
    """Along all axes, one, several, the same one twice; of even and odd lengths."""
    check_rule(f, normal(3, 4, dtype=dtype), *args, **options)


@pytest.mark.parametrize("f", [np.fft.fftshift, np.fft.ifftshift])
@pytest.mark.parametrize("shape", [(5,), (0, 3), (1,)])
def test_shifts_of_lines(f, shape):
    """A line, a single element, none."""
    check_rule(f, normal(*shape))
