"""Programs run under interception as they would otherwise, and their derivatives are right."""

import numpy as np
import pytest

from chainrules.ad import grad, hvp, jvp, value_and_grad
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.interception.programs import PROGRAMS
from tests.chainrules.ad.interception.programs_with_classes import PROGRAMS_WITH_CLASSES
from tests.chainrules.ad.interception.programs_with_libraries import PROGRAMS_WITH_LIBRARIES

every_program = pytest.mark.parametrize(
    "f", [*PROGRAMS, *PROGRAMS_WITH_CLASSES, *PROGRAMS_WITH_LIBRARIES], ids=lambda f: f.__name__
)


@pytest.mark.every_case
@every_program
def test_value_and_gradient(f):
    """Backwards: the value is Python's own, and the gradient agrees with differences."""
    value, gradient = value_and_grad(f)(0.7)

    assert value == pytest.approx(f(0.7), rel=1e-15)
    np.testing.assert_allclose(gradient, grad_by_differences(None, f, 0.7)[0], rtol=1e-8)


@every_program
def test_forwards_and_second_derivatives(f):
    """Forwards, and forwards over backwards."""
    assert jvp(f, (0.7,), (1.0,))[1] == pytest.approx(grad(f)(0.7), rel=1e-12)
    second = grad_by_differences(None, grad(f), 0.7)[0]
    np.testing.assert_allclose(hvp(f, 0.7, 1.0), second, rtol=1e-7, atol=1e-7)
