"""That the law over all exercised calls notices rules that do not take tangents of every kind."""

from pathlib import Path

import numpy as np
import pytest
import scipy.fftpack
import scipy.ndimage
import scipy.signal
import scipy.sparse

from chainrules_core import AbstractZero, NoTangent, Thunk, ZeroTangent, frule, typeof_, unthunk
from chainrules_testutils import test_frule
from tests import given_tangents
from tests.shipped_rules import RULESETS


def total(x, y):
    """A function."""
    return x + y


@frule.dispatch
def total_frule(tangents, f: typeof_(total), x: np.ndarray, y: np.ndarray):
    """A rule that does not take zeros, with which testers do not call it."""
    return total(x, y), np.concatenate([np.add(*tangents[1:], dtype=float)])


def test_a_rule_that_takes_no_zeros(monkeypatch):
    """It passes all the checks of the tester, and fails in the law, once for each combination of types."""
    x = np.array([1.0, 2.0])
    test_frule(total, x, x)
    monkeypatch.setattr(given_tangents, "is_shipped", lambda _: True)

    with pytest.raises(AssertionError, match=r"total_frule \(.*ndarray, ndarray, ZeroTangent\(\): "):
        test_frule(total, x, x)
    test_frule(total, x, x)


SPARSE = scipy.sparse.csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 0.5]]))
HANDED_ON = [
    (type(SPARSE).sum, SPARSE, 0),
    (type(SPARSE).mean, SPARSE, 1),
    (type(SPARSE).trace, SPARSE, 1),
    (type(SPARSE).max, SPARSE),
    (np.diagonal, SPARSE, 1),
    (scipy.fftpack.fft, SPARSE.toarray()),
    (scipy.signal.medfilt2d, SPARSE.toarray(), 1),
    (scipy.signal.sepfir2d, SPARSE.toarray(), [0.5, 0.5, 0.5], [0.2, 1.0, 0.2]),
    (scipy.ndimage.gaussian_gradient_magnitude, SPARSE.toarray(), 1.0),
]


@pytest.mark.parametrize("call", HANDED_ON, ids=lambda call: call[0].__name__)
@pytest.mark.parametrize("zero", [ZeroTangent(), NoTangent(), Thunk(ZeroTangent)], ids=repr)
def test_rules_of_scipy_hand_on_no_zeros_alone(monkeypatch, call, zero):
    """A rule that hands a call on, without checks, does so with a tangent: other rules may rely on one."""
    handed_on = []
    unchecked = type(frule).unchecked

    def seen_unchecked(self, tangents, *args, **named):
        handed_on.append(tangents)
        return unchecked(self, tangents, *args, **named)

    monkeypatch.setattr(type(frule), "unchecked", seen_unchecked)
    f, A, *options = call
    constants = [NoTangent() for _ in options]
    _, y_dot = frule((NoTangent(), zero, *constants), f, A, *options)
    assert isinstance(unthunk(y_dot), AbstractZero) or not np.any(y_dot)
    assert not handed_on or not all(isinstance(unthunk(dot), AbstractZero) for dot in handed_on[0])

    frule((NoTangent(), A, *constants), f, A, *options)
    assert any(not isinstance(unthunk(dot), AbstractZero) for dot in handed_on[-1])


def test_all_rules_of_scipy_that_hand_on_are_tried():
    """The calls above reach every file of rules that hands calls on."""
    folder = RULESETS / "scipy"
    files = {path.name for path in folder.rglob("*.py") if "frule.unchecked" in path.read_text("utf-8")}
    tried = {
        Path(frule.find((NoTangent(), *args), f, *args).function.__code__.co_filename).name
        for f, *args in HANDED_ON
    }
    assert files == tried
