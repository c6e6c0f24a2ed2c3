"""Functions that ask for data types, and classes of numbers without derivative."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_declared, check_quickly, normal

TYPES = [
    (np.promote_types, np.float32, np.int64),
    (np.min_scalar_type, 5),
    (np.common_type, normal(2), normal(2, dtype=np.float32)),
    (np.mintypecode, "fd"),
    (np.typename, "d"),
    (np.dtype, "float32"),
    (np.finfo, np.float32),
    (np.iinfo, np.int8),
]
TRUTHS = [(np.can_cast, np.int8, np.float64), (np.issubdtype, np.float32, np.floating)]
if hasattr(np, "isdtype"):
    TRUTHS.append((np.isdtype, np.dtype(float), "real floating"))

INTEGERS = dict.fromkeys(np.dtype(code).type for code in "bhilqBHILQ")


@pytest.mark.parametrize("call", TYPES, ids=lambda call: call[0].__name__)
def test_answers_with_a_type(call):
    """Types, and what is known about them."""
    check_declared(*call)


@pytest.mark.parametrize("call", TRUTHS, ids=lambda call: call[0].__name__)
def test_answers_with_a_truth_value(call):
    """Questions about types."""
    check_quickly(*call)


@pytest.mark.parametrize("kind", [np.bool_, *INTEGERS], ids=lambda kind: kind.__name__)
def test_conversion_to_an_integer(kind):
    """It is constant between jumps."""
    check_quickly(kind, 2.3)
    check_quickly(kind, np.array(2.3))
