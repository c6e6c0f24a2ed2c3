"""Calls of the shortcut of sorting."""

import numpy as np

from tests.chainrules.shortcut_checks import Call, arrays


def sorts():
    """Few elements and many, with ties and NaNs; along other axes, and by another algorithm."""
    few = [Call((np.sort, x)) for x in arrays()]
    many = [Call((np.sort, x)) for x in arrays((1200,))]
    many.append(Call((np.sort, np.append(np.arange(1200.0) % 7, -1.0))))  # the least has no equal
    options = [Call((np.sort, x, axis)) for x in arrays((3, 4), (4,)) for axis in (0, -1, None)]
    return [*few, *many, *options, Call((np.sort, np.ones(3)), {"kind": "stable"})]


CALLS = {"chainrules.shortcuts.numpy.sorting.sort_of_vector": sorts}
