"""The rules of `numpy.linalg.inv`, against finite differences."""

import numpy as np
import pytest

from chainrules_core import NoTangent, ZeroTangent, frule
from tests.chainrules.rule_checks import check_rule
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES, regular


@pytest.mark.parametrize("dtype", DTYPES)
def test_inv(dtype):
    """Both modes are right for real and complex matrices."""
    check_rule(np.linalg.inv, regular(3, 3, dtype=dtype))


@pytest.mark.parametrize("shape", [(2, 3, 3), (2, 1, 2, 2), (0, 2, 2), (0, 0), (1, 1)])
def test_inv_of_stacks(shape):
    """Stacks, empty ones too, and matrices without elements."""
    check_rule(np.linalg.inv, regular(*shape))


def test_inv_of_a_constant():
    """A zero tangent stays one."""
    assert frule((NoTangent(), ZeroTangent()), np.linalg.inv, regular(2, 2))[1] == ZeroTangent()
