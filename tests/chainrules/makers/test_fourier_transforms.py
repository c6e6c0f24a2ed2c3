"""The makers of the rules of discrete Fourier transforms, with transforms of a test's own."""

import numpy as np

from chainrules.makers.fourier_transforms import ADJOINT, Call, transform_rules
from tests.chainrules.rule_checks import check_rule, normal

LINES = {name: getattr(np.fft, name) for name in ADJOINT}


def halved(x, n=None):
    """Half of the transform of real numbers to the frequencies that are not negative."""
    return np.fft.rfft(x, n, norm="forward")


transform_rules(
    halved,
    halved,
    "rfft",
    LINES,
    lambda n=None: Call(None if n is None else (n,), (-1,), "forward", (n,), {}, {}),
)


def test_a_transform_of_real_numbers():
    """Of even and odd lengths, cropped and padded."""
    check_rule(halved, normal(2, 5))
    check_rule(halved, normal(4), 3)
    check_rule(halved, normal(4), 6)
