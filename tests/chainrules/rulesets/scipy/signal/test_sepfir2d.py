"""The rules of a filter along both axes of an image, against finite differences.

The images are larger than the filters: of smaller ones SciPy reads what is not theirs.
"""

import numpy as np
import pytest
from scipy.signal import sepfir2d

from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize("dtype", [float, complex, np.float32])
@pytest.mark.parametrize("lengths", [(3, 5), (1, 3)])
def test_filters(lengths, dtype):
    """The image and both filters have derivatives."""
    check_rule(sepfir2d, normal(6, 7, dtype=dtype), *(normal(n, dtype=dtype) for n in lengths))
