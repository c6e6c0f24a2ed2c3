"""Every case under every transform of mygrad."""

import pytest

mygrad = pytest.importorskip("mygrad")

from chainrules.adapters import to_mygrad  # noqa: E402 - after the question for the framework
from tests.chainrules.adapters.conformance.checks import assert_close, cases_of, check  # noqa: E402 - likewise


def function(case):
    """The adapted function, of the tensors that have derivatives, to a list of tensors."""
    return case.of_floats(to_mygrad, lambda x: x)


def value(case):
    """The results."""
    assert_close(function(case)(*map(mygrad.tensor, case.floats())), case.values(*case.floats()))


def backward(case):
    """The gradients in the tensors."""
    xs = [mygrad.tensor(x) for x in case.floats()]
    results = function(case)(*xs)
    mygrad.add_sequence(
        *[mygrad.sum(w * y) for w, y in zip(case.weights(), results, strict=True)], 0.0
    ).backward()
    assert_close([x.grad for x in xs], case.gradient())


TRANSFORMS = {"value": value, "backward": backward}


@cases_of("mygrad")
def test_mygrad(transform, case):
    """It is right, or refused with a reason."""
    check("mygrad", TRANSFORMS, transform, case)
