"""Whether somebody else wrote a rule for a function, or for a call."""

import itertools
import operator

import numpy as np
from scipy.interpolate import interp1d

from chainrules.ad import grad, jvp
from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS, is_ruled_by_others
from chainrules.ad.values import memory


def test_nobody_else_has_rules():
    """Of most functions; one that is not hashable is looked up."""
    for f in (operator.rshift, np.fmin, itertools.tee):
        assert not RULED_BY_OTHERS[f]
    assert not any(
        is_ruled_by_others(mode, f, (1.0,), {}) for mode in ("forward", "reverse") for f in (abs, [])
    )


def test_functions_that_come_and_go(monkeypatch):
    """What is known of them does not fill the memory."""
    monkeypatch.setattr(memory, "MOST", 10)
    for _ in range(30):
        assert not RULED_BY_OTHERS[np.frompyfunc(abs, 1, 1)]
    assert len(RULED_BY_OTHERS) <= 10


class ComparedByParts(interp1d):  # noqa: PLW1641 - as users write it
    """An interpolant that has no hash, since it says when two are equal."""

    def __eq__(self, other):
        return np.array_equal(self.y, other.y)


def test_interpolants_without_a_hash():
    """Whether others have rules for one is asked each time."""
    t, given = np.linspace(0.0, 1.0, 5), ComparedByParts(np.linspace(0.0, 1.0, 5), np.arange(5.0) ** 2)
    np.testing.assert_allclose(grad(lambda x: given(x))(0.3), 12.0)
    np.testing.assert_allclose(jvp(lambda x: given(x), (0.3,), (1.0,))[1], 12.0)
    slopes = grad(lambda y: ComparedByParts(t, y)(0.3) + given(0.3))(np.arange(5.0))
    np.testing.assert_allclose(slopes, [0.0, 0.8, 0.2, 0.0, 0.0], atol=1e-15)
