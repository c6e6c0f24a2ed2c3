"""The rules of triangles, against finite differences."""

import numpy as np
import pytest

from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize("f", [np.tril, np.triu], ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    "A",
    [
        normal(3, 4),
        normal(4, 3, dtype=complex),
        normal(2, 3, 3, dtype=np.float32),
        normal(0, 3),
        normal(3),
        normal(8, 8)[::2, ::-2],
    ],
)
def test_triangles(f, A):
    """Of matrices of any shape, of stacks; a vector is repeated in each row."""
    check_rule(f, A)
    for k in (-9, -1, np.int64(1), 9):
        check_rule(f, A, k)
    check_rule(f, A, k=1)
