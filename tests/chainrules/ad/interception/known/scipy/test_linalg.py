"""What cannot be followed says what to write."""

import numpy as np
import pytest
from scipy.linalg import cossin

from chainrules.ad import grad


def test_cosines_and_sines():
    """Whether the matrix is traced or its parts are."""
    for give in (lambda p: cossin(p * np.eye(4), 2, 2), lambda p: cossin((p * np.eye(2),) * 4)):
        with pytest.raises(TypeError, match=r"scipy.linalg.cossin .* write `scipy.linalg.svd` of a block"):
            grad(lambda p, give=give: np.sum(give(p)[1]))(1.0)
