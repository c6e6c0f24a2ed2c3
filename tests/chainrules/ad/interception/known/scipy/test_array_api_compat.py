"""Functions that SciPy brings along to stand for NumPy's."""

import numpy as np
from scipy import signal

from tests.chainrules.program_checks import check_program
from tests.chainrules.rule_checks import normal


def test_a_system_between_a_call_and_its_result():
    """Coefficients that do not move, in arrays that a program could write into, are followed as well."""
    check_program(lambda x: signal.filtfilt([0.5, 0.5], [1.0], x, padlen=2), normal(5), order=1)
    check_program(
        lambda x: signal.filtfilt(np.array([0.5, 0.5]), [1.0, 0.1], x, padlen=2), normal(5), order=1
    )
