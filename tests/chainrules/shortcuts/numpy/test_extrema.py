"""The short ways of extrema of pairs."""

import itertools

import numpy as np
import pytest

from chainrules.rulesets.numpy.extrema import Extremum
from chainrules.shortcuts.numpy.extrema import cotangents_of_few
from tests.chainrules.shortcut_checks import Call, cotangents, variants

MAXIMUM = Extremum(np.maximum, np.greater, nan_wins=True)
FMIN = Extremum(np.fmin, np.less, nan_wins=False)


def calls():
    """Of arrays and numbers, as first and as second operand, with ties and NaN."""
    operands = [*variants(), np.ones((3, 4)), 0.5, np.float64(-0.5), np.float32(0.25), 1, np.ones(2000)]
    found = []
    for extremum, x, y in itertools.product((MAXIMUM, FMIN), operands, operands):
        try:
            with np.errstate(all="ignore"):
                z = extremum.find(x, y)
        except ValueError:  # shapes that do not fit
            continue
        found += [Call((extremum, (z, x, y), z_bar)) for z_bar in cotangents(z)]
    return found


CALLS = {
    "chainrules.shortcuts.numpy.extrema.cotangents_of_few": calls,
    "chainrules.shortcuts.numpy.extrema.cotangent_of_one": calls,
}


@pytest.mark.parametrize("n", [1000, 1001])
def test_the_cotangents_of_few(n):
    """Of more elements one of the two may not be asked for."""
    x, y = np.ones(n), np.zeros(n)

    assert (cotangents_of_few(MAXIMUM, (x, x, y), x) is None) == (n > 1000)
