"""The rules of sums of exponentials, against finite differences."""

import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad, hessian, jacobian, vjp
from chainrules.makers.versions import present
from chainrules_core import NoTangent, ZeroTangent, frule, rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import (
    anywhere,
    check_elementwise,
    check_quickly,
    check_rule,
    check_zeros_are_strong,
    normal,
    positive,
)

INF = np.inf


@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
@pytest.mark.parametrize("keepdims", [False, True])
def test_logsumexp(axis, keepdims):
    """Over all axes, one and several."""
    check_rule(special.logsumexp, normal(2, 3), axis=axis, keepdims=keepdims)


def test_weights():
    """They have cotangents, by position and by keyword, and may broadcast either way."""
    check_rule(special.logsumexp, normal(2, 3), 1, positive(2, 3))
    check_rule(special.logsumexp, normal(2, 3), None, positive(3))
    check_rule(special.logsumexp, normal(3), 0, positive(2, 3))

    a, b = normal(2, 3), positive(2, 3)
    gradient = grad(lambda b: special.logsumexp(a, b=b, axis=(0, 1)))(b)
    np.testing.assert_allclose(gradient, np.exp(a - special.logsumexp(a, b=b)))


@pytest.mark.parametrize("x", [0.7, np.float64(0.7), np.array(0.7), np.float32(0.7)])
def test_a_single_term(x):
    """The sum of one term is the term itself."""
    test_frule(special.logsumexp, x)
    test_rrule(special.logsumexp, x)


@pytest.mark.parametrize("axis", [0, -1, (0,)])
def test_axes_of_a_number(axis):
    """SciPy takes the axes 0 and -1 of a number, although it has none."""
    check_rule(special.logsumexp, np.array(0.7), axis=axis)


def test_no_terms():
    """Along an empty axis; other axes may be empty as well."""
    test_rrule(special.logsumexp, np.zeros((2, 0)), fkwargs={"axis": 0})
    assert rrule(special.logsumexp, np.zeros((2, 0)), 1)[1](np.ones(2))[1].shape == (2, 0)


def test_signed_sums():
    """With negative weights the logarithm is of the modulus, and the sign is constant."""
    weights = np.array([[1.0, -3.0, 0.5], [2.0, 0.3, -0.1]])
    check_rule_of_pairs(normal(2, 3), -1, weights, False, True)
    check_rule_of_pairs(normal(2, 3), None, weights, True, True)


def test_complex_sums():
    """The logarithm of a complex sum, or the logarithm of its modulus with its phase."""
    check_quickly(special.logsumexp, normal(2, 3, dtype=complex), 0)
    check_quickly(special.logsumexp, normal(3, dtype=complex), None, normal(3, dtype=complex, seed=1))
    check_rule_of_pairs(normal(2, 3, dtype=complex), 1, None, False, True)
    check_rule_of_pairs(normal(2, 3, dtype=complex), 1, normal(3, dtype=complex), True, True)


def check_rule_of_pairs(*args):
    """Both modes of a call with two results."""
    test_frule(special.logsumexp, *args)
    test_rrule(special.logsumexp, *args)


def test_results_that_are_not_used():
    """The sign may have no cotangent, and the logarithm neither."""
    a, b = normal(3, dtype=complex), normal(3, dtype=complex, seed=1)
    (_, sign), pullback = rrule(special.logsumexp, a, None, b, False, True)
    whole = pullback((1.0, 1j * sign))[1]
    parts = pullback((1.0, NoTangent()))[1] + pullback((NoTangent(), 1j * sign))[1]
    np.testing.assert_allclose(whole, parts)
    assert not np.any(pullback((NoTangent(), NoTangent()))[1])
    assert not np.any(pullback(NoTangent())[1])
    assert frule((NoTangent(),) * 2, special.logsumexp, a)[1] == ZeroTangent()
    assert frule((NoTangent(),) * 6, special.logsumexp, a, None, b, False, True)[1] == ZeroTangent()


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        ([-INF, -INF], None, [0.5, 0.5]),
        ([INF, INF, 1.0], None, [0.5, 0.5, 0.0]),
        ([-INF, 1.0], None, [0.0, 1.0]),
        ([INF, 1.0, -INF], None, [1.0, 0.0, 0.0]),
        ([1000.0, 1000.0], None, [0.5, 0.5]),
        ([-INF, -INF], [1.0, 3.0], [0.25, 0.75]),
        ([1000.0, 0.0], [0.0, 1.0], [0.0, 1.0]),
    ],
)
def test_extreme_terms(a, b, expected):
    """Equal infinities share equally, a weight of zero takes all, and nothing overflows."""
    options = () if b is None else (None, np.array(b))
    with np.errstate(all="ignore"):  # the primal's own warnings
        _, pullback = rrule(special.logsumexp, np.array(a), *options)
        y_dot = frule(
            (NoTangent(), np.ones(len(a)), *(NoTangent(),) * len(options)),
            special.logsumexp,
            np.array(a),
            *options,
        )[1]
    np.testing.assert_allclose(pullback(1.0)[1], expected)
    np.testing.assert_allclose(y_dot, 1.0)


def test_hessian_of_logsumexp():
    """``diag(p) - p pᵀ``, through plain code."""
    x = normal(4)
    p = special.softmax(x)
    np.testing.assert_allclose(hessian(special.logsumexp)(x), np.diag(p) - np.outer(p, p), atol=1e-14)


def signed_sum(v):
    """The exponential of `logsumexp`, smooth also where a weight is zero."""
    return np.sum(np.exp(v[:3]) * v[3:])


@pytest.mark.parametrize("weights", [[0.0, 1.0, 2.0], [1.0, 0.0, 0.0]])
def test_weights_that_are_zero(weights):
    """The derivative of the derivative by a weight, where the weight is zero, in both modes and orders."""
    v = np.array([*normal(3), *weights])
    for outer in ("forward", "reverse"):
        second = jacobian(grad(lambda v: special.logsumexp(v[:3], b=v[3:])), mode=outer)
        np.testing.assert_allclose(second(v), hessian(lambda v: np.log(signed_sum(v)))(v), atol=1e-14)
        third = jacobian(hessian(lambda v: special.logsumexp(v[:3], b=v[3:])), mode=outer)(v)
        np.testing.assert_allclose(third, jacobian(hessian(lambda v: np.log(signed_sum(v))))(v), atol=1e-14)


def test_weights_in_a_list():
    """A weight of zero takes all there too, whatever the exponential."""
    gradient = grad(lambda a: special.logsumexp(a, b=[0.0, 1.0]))(np.array([1000.0, 0.0]))
    np.testing.assert_array_equal(gradient, [0.0, 1.0])


def test_ufunc_of_a_list():
    """Traced numbers in a list, as in plain code, for ufuncs and for other functions."""
    x = np.array([1.0, 0.5])
    np.testing.assert_allclose(
        grad(lambda x: np.sum(special.log_expit([x[0], 2.0 * x[1]])))(x), [0.26894142, 0.53788284]
    )
    np.testing.assert_allclose(grad(lambda x: special.logsumexp([x[0], 2.0 * x[1]]))(x), [0.5, 1.0])


@pytest.mark.parametrize("f", [special.softmax, special.log_softmax], ids=lambda f: f.__name__)
@pytest.mark.parametrize("axis", [None, 0, -1, (0, 1)])
def test_shares(f, axis):
    """Over all axes, one and several; of complex numbers too."""
    check_rule(f, normal(2, 3), axis=axis)
    check_rule(f, normal(2, 3, dtype=complex), axis=axis)
    check_rule(f, normal(2, 3), axis)


@pytest.mark.parametrize("f", [special.softmax, special.log_softmax], ids=lambda f: f.__name__)
def test_shares_of_other_operands(f):
    """Of empty arrays, and of terms that differ so much that exponentials overflow; zeros stay zeros."""
    test_rrule(f, np.zeros((0, 3)), fkwargs={"axis": 1})
    test_frule(f, np.array([1000.0, -1000.0, 999.0]))
    test_rrule(f, np.array([1000.0, -1000.0, 999.0]))
    assert frule((NoTangent(), NoTangent()), f, normal(3))[1] == ZeroTangent()
    np.testing.assert_allclose(vjp(f, np.array([-INF, 1.0, 1.0]))[1](np.array([0.0, 1.0, -1.0]))[0][0], 0.0)


@pytest.mark.parametrize("f", present(special, "softplus"), ids=lambda f: f.__name__)
def test_softplus(f):
    """On numbers and arrays; far from the origin without overflow."""
    check_elementwise(f, anywhere)
    np.testing.assert_allclose(rrule(f, np.array([-800.0, 800.0]))[1](np.ones(2))[1], [0.0, 1.0])


@pytest.mark.parametrize("f", [special.softmax, special.log_softmax, special.logsumexp])
@pytest.mark.parametrize("undefined", [np.nan, np.inf])
def test_undefined_lanes_that_nothing_depends_on(f, undefined):
    """Their zero cotangents are strong."""
    x = normal(3, 4)
    x[1, 0] = undefined
    check_zeros_are_strong(f, x, 1)
