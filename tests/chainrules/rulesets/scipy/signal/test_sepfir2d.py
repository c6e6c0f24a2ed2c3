"""The rules of a filter along both axes of an image, against finite differences.

The images are larger than the filters: of smaller ones SciPy reads what is not theirs.
"""

import numpy as np
import pytest
from scipy.signal import sepfir2d

from chainrules_core import ZeroTangent, rrule
from tests.chainrules.rule_checks import check_rule, normal


@pytest.mark.parametrize("dtype", [float, complex, np.float32])
@pytest.mark.parametrize("lengths", [(3, 5), (1, 3)])
def test_filters(lengths, dtype):
    """The image and both filters have derivatives."""
    x, *filters = (normal(*shape, dtype=dtype) for shape in ((6, 7), *((n,) for n in lengths)))
    check_rule(sepfir2d, x, *filters)
    assert rrule(sepfir2d, x, *filters)[1](ZeroTangent())[1:] == (ZeroTangent(),) * 3
