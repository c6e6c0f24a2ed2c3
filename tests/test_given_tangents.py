"""The law that every rule takes tangents of every kind, and refuses those of another shape."""

from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

import chainrules
from chainrules_core import AbstractZero, NoTangent, Thunk, ZeroTangent, frule, unthunk
from tests.given_tangents import called
from tests.test_rules import shipped_rules
from tests.whole_run import observer, seen


@observer
def failures():
    """What failed in this process."""
    shipped = {method for method, _ in shipped_rules()}
    return [
        f"{method.name} ({method.location}) of {kinds}, {kind}: {problem}"
        for (method, kinds, _), problems in called.items()
        for kind, problem in problems.items()
        if method in shipped
    ]


@pytest.mark.last
def test_every_rule_takes_tangents_of_every_kind(request):
    """Zeros, thunks, thunks of thunks, integers, another precision; another shape is an error with its place.

    Of the rules that the tests have exercised, once for each combination of types.
    """
    failed = sorted({line for process in seen(request.config, failures) for line in process})

    assert not failed, "\n".join(failed)


SPARSE = scipy.sparse.csr_array(np.array([[1.0, 2.0, 0.0], [0.0, 3.0, 0.5]]))
HANDED_ON = [
    (type(SPARSE).sum, SPARSE, 0),
    (type(SPARSE).mean, SPARSE, 1),
    (type(SPARSE).trace, SPARSE, 1),
    (type(SPARSE).max, SPARSE),
    (np.diagonal, SPARSE, 1),
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
    folder = Path(chainrules.__file__).parent / "rulesets" / "scipy"
    files = {path.name for path in folder.rglob("*.py") if "frule.unchecked" in path.read_text("utf-8")}
    tried = {
        Path(frule.find((NoTangent(), A), f, A).function.__code__.co_filename).name for f, A, *_ in HANDED_ON
    }
    assert files == tried
