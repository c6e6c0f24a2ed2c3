"""Terms of neighbouring differences, and slopes made of them."""

import numpy as np
import pytest

from chainrules.operations.piece_slopes import akima_slopes, monotone_slopes, neighbour_terms, smooth_slopes
from chainrules_testutils import test_frule, test_rrule

RNG = np.random.default_rng(0)
H = RNG.uniform(0.5, 1.5, (4, 1))
Y, S = RNG.normal(size=(2, 5, 2))


@pytest.mark.every_case
@pytest.mark.parametrize("count", [1, 2, 3])
def test_terms(count):
    """By factors, differences and what is added, real and complex; of one difference too."""
    F, B, w, v = Y[:count, :1], S[:count, :1], Y[3:, :1], S[3:]
    for m in (S[:count], S[:count] * (1.0 + 0.3j)):
        test_frule(neighbour_terms, F, B, w, m, v)
        test_rrule(neighbour_terms, F, B, w, m, v)


def test_known_slopes():
    """They are those that were given; see the tests of the splines for their derivatives."""
    assert monotone_slopes(Y[:4], H, S) is S
    assert akima_slopes(Y[:4], 0.5, S) is S


def test_smooth_slopes():
    """They are differentiated by all that they are computed from."""
    others = Y[:2, :1], S[:2, :1], S[2:4, :1], Y[2:4], H[:2], 3.0 + H[:3], H[1:3]
    for m in (S[:2], S[:2] * (1.0 + 0.3j)):
        test_frule(smooth_slopes, m, *others)
        test_rrule(smooth_slopes, m, *others)
    known = smooth_slopes(S[:2], *others)
    assert smooth_slopes(S[:2], *others, known) is known
