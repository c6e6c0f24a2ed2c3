"""The rules of the Khatri-Rao product, against finite differences."""

import pytest
from scipy.linalg import khatri_rao

from tests.chainrules.rule_checks import check_kinds, check_rule, normal
from tests.chainrules.rulesets.numpy.linalg.matrices import DTYPES
from tests.chainrules.rulesets.scipy.linalg.systems import stacks


@pytest.mark.parametrize("dtype", DTYPES)
def test_product(dtype):
    """By both matrices, which have as many columns."""
    check_rule(khatri_rao, normal(2, 3, dtype=dtype), normal(4, 3, dtype=dtype, seed=1))


@stacks
@pytest.mark.parametrize("dtype", DTYPES)
def test_stacks(dtype):
    """They broadcast."""
    check_rule(khatri_rao, normal(3, 2, 2, dtype=dtype), normal(1, 2))


def test_operands_of_two_kinds():
    """The cotangent of a real operand is real beside a complex one."""
    check_kinds(khatri_rao, normal(2, 3), normal(4, 3, seed=1))
