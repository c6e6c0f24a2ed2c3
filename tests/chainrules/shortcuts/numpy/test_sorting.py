"""Calls of the shortcut of sorting."""

import numpy as np
import pytest

from chainrules.shortcuts.numpy.sorting import sort_of_vector
from tests.chainrules.shortcut_checks import Call, arrays
from tests.python_calls import functions_run_by


def sorts():
    """Few elements and many, with ties and NaNs; along other axes, and by another algorithm."""
    few = [Call((np.sort, x)) for x in arrays()]
    many = [Call((np.sort, x)) for x in arrays((1200,))]
    many.append(Call((np.sort, np.append(np.arange(1200.0) % 7, -1.0))))  # the least has no equal
    many.append(Call((np.sort, np.where(np.arange(1200) % 7, np.arange(1200.0), np.nan))))
    options = [Call((np.sort, x, axis)) for x in arrays((3, 4), (4,)) for axis in (0, -1, None)]
    return [*few, *many, *options, Call((np.sort, np.ones(3)), {"kind": "stable"})]


CALLS = {"chainrules.shortcuts.numpy.sorting.sort_of_vector": sorts}


@pytest.mark.parametrize("n", [1000, 1001])
def test_equal_elements_are_looked_for_among_many(n):
    """Where a stable sort takes longer."""
    x = np.arange(float(n))

    assert ("_order_of_many" in functions_run_by(lambda: sort_of_vector(np.sort, x))) == (n > 1000)
