"""The system of a hundred lines differentiates programs, and the law over all calls notices mistakes."""

from dataclasses import dataclass

import numpy as np
import pytest
import scipy.linalg

from chainrules.ad import grad, hvp
from chainrules_core import (
    NoTangent,
    RuleNotFoundError,
    Tangent,
    ZeroTangent,
    frule,
    primitive,
    rrule,
    scalar_rule,
    thunk,
    typeof_,
)
from chainrules_testutils import test_approx, test_rrule
from tests import hundred_lines
from tests.hundred_lines import difference_between_modes, system

expm = primitive(scipy.linalg.expm)
A = np.array([[4.0, 1.0], [1.0, 3.0]])


def quadratic(A):
    """A number from a matrix, by operators, functions, methods, attributes and items."""
    B = A @ A.T + 2.0 * np.eye(2)
    return np.log(B).sum() - B[0, 1] / B.mean() + abs(-B[1, 1]) ** 0.5


PROGRAMS = [
    quadratic,
    lambda A: np.linalg.svd(A)[1][0],  # several results
    lambda A: np.linalg.slogdet(np.stack([A, A @ A])).logabsdet.sum(),  # by name, from a list
    lambda A: expm(A)[0, 0],  # a function in a closure of SciPy's
    lambda A: np.sum(np.percentile(A, q=A[0, 0])),  # by keyword
    lambda A: A[0, 0] * A[1, 1] if A.shape == (2, 2) and A[0, 0] > A[1, 1] else A[0, 1],
    lambda A: sum(row @ row for row in A),
    lambda A: np.multiply.outer(A[0], A[1]).sum(),
    lambda A: A[0, 0] ** 2 if A[0, 1] == A[1, 0] and A[0, 0] != 0.0 else A[0, 1],
]


@pytest.mark.parametrize("f", PROGRAMS, ids=range(len(PROGRAMS)))
def test_programs(f):
    """Its gradients are those of `chainrules.ad`, and so are derivatives of derivatives, in each nesting."""
    ad, V = system(), np.array([[0.5, -1.0], [2.0, 0.25]])
    test_approx(ad.grad(f)(A), grad(f)(A))
    second = hvp(f, A, V)
    test_approx(ad.jvp(ad.grad(f), (A,), (V,))[1], second)
    test_approx(ad.grad(lambda A: np.sum(ad.grad(f)(A) * V))(A), second)
    test_approx(ad.grad(lambda A: ad.jvp(f, (A,), (V,))[1])(A), second)


@dataclass
class Scaling:
    """A function that holds data."""

    scale: float

    def __call__(self, x):
        """The multiple of `x`."""
        return self.scale * x


def test_containers_and_callable_objects():
    """Gradients by containers are tangents of these, and a function that holds traced values gets its own."""

    @rrule.dispatch
    def scaling_rrule(f: Scaling, x: np.ndarray):
        return f.scale * x, lambda y_bar: (Tangent[Scaling](scale=np.sum(y_bar * x)), f.scale * y_bar)

    ad = system()
    gradient = ad.grad(lambda m: np.sum(ad.call(m["f"], m["data"][0])))(
        {"data": [np.ones(2), "name"], "f": Scaling(3.0)}
    )
    test_approx(gradient["data"], Tangent[list](np.full(2, 3.0), ZeroTangent()))
    assert gradient["f"] == Tangent[Scaling](scale=2.0)


def test_values_that_are_held_alone():
    """A perturbation of one derivative is none of another."""
    ad = system()
    assert ad.grad(lambda x: x * ad.grad(lambda y: x + y)(1.0))(1.0) == 1.0
    assert ad.jvp(lambda x: x * ad.jvp(lambda y: x * y, (2.0,), (1.0,))[1], (3.0,), (1.0,)) == (9.0, 6.0)


def test_integers_have_no_gradient():
    """They are refused."""
    with pytest.raises(TypeError, match="floats"):
        system().grad(lambda n: 2.0 * n)(3)


@pytest.mark.parametrize("convert", [np.asarray, lambda x: np.array([x, x]), lambda x: float(x[0])])
def test_conversions_are_refused(convert):
    """They would lose the derivative in silence."""
    with pytest.raises(TypeError):
        system().grad(lambda x: np.sum(convert(x)))(np.ones(2))


@pytest.mark.parametrize("write", [lambda x, z: np.multiply(x, x, out=z), lambda x, z: np.sum(x, 0, out=z)])
def test_writes_are_refused(write):
    """What is written into a plain array has no derivative there."""

    def f(x):
        z = np.zeros(2)
        write(x, z)
        return z.sum()

    with pytest.raises(TypeError, match="out="):
        system().grad(f)(np.ones((2, 2)))


@pytest.mark.parametrize("f", [lambda x: x, lambda x: 1j * x[0], lambda x: x[:1]])
def test_gradients_of_other_results(f):
    """They are refused."""
    with pytest.raises(TypeError, match="one real number"):
        system().grad(f)(np.ones(2))


def test_what_has_no_rule_is_named():
    """A function without a rule is an error that says so."""
    unknown = primitive(lambda x: x)
    with pytest.raises(RuleNotFoundError, match="lambda"):
        system().grad(unknown)(1.0)


def test_a_thunk_that_nobody_needs():
    """It is not computed."""

    def product(x, y):
        return x * y

    @rrule.dispatch
    def product_rrule(f: typeof_(product), x: float, y: float):
        return x * y, lambda y_bar: (NoTangent(), y_bar * y, thunk(lambda: 1 / 0))

    ad = system()
    assert ad.grad(lambda x: ad.call(product, x, 2.0))(1.0) == 2.0


def test_testers_send_calls_through_it(monkeypatch):
    """Each rule of ours that they meet, once."""
    met = []
    monkeypatch.setattr(hundred_lines, "tried", set())
    monkeypatch.setattr(hundred_lines, "difference_between_modes", lambda *call: met.append(call))
    for _ in range(2):
        test_rrule(np.sinh, 0.5)

    assert [values for (values, _) in met] == [(np.sinh, 0.5)]


def wrong(x):
    """A function with a wrong rule."""
    return 2.0 * x


@frule.dispatch
def wrong_frule(tangents, f: typeof_(wrong), x: float):
    """Thrice the tangent."""
    return 2.0 * x, 3.0 * tangents[1]


def test_modes_that_disagree(monkeypatch):
    """They are noticed, and the call is named."""

    @rrule.dispatch
    def wrong_rrule(f: typeof_(wrong), x: float):
        return 2.0 * x, lambda y_bar: (NoTangent(), 2.0 * y_bar)

    assert difference_between_modes((np.sin, 0.5), {}) is None
    assert difference_between_modes((np.full, 2, 3), {}) is None  # no number to differentiate by
    assert difference_between_modes((wrong, 1.0), {}) is not None


def test_derivatives_that_are_not_implemented():
    """They are nothing that modes could disagree about."""
    assert difference_between_modes((scipy.special.jv, 1.5, 2.0), {}) is None


def test_functions_of_others():
    """`primitive` hands calls to it."""
    doubled = primitive(lambda x: 2.0 * x)
    scalar_rule(doubled, lambda y, x: 2.0)
    assert system().grad(lambda x: doubled(x) * x)(3.0) == 12.0
