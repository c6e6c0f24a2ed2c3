"""What the methods of NumPy's classes of polynomials compute: the same as NumPy's."""

import copy
import operator

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from chainrules.ad import grad
from chainrules.makers.series import classes
from chainrules.makers.series.classes import BASES, Series
from chainrules_core import backing, reconstruct
from tests.chainrules.rule_checks import normal

in_every_class = pytest.mark.parametrize("kind", BASES)

DOMAIN, WINDOW = np.array([-0.5, 2.0]), np.array([-1.0, 1.5])
C, POINTS = normal(4), np.linspace(-1.0, 1.0, 5)


def apart(p):
    """What an instance holds."""
    return Series(type(p), p.coef, p.domain, p.window, p.symbol)


def assert_same(actual, expected):
    """An instance and what it should hold, or two arrays, or tuples of such."""
    if isinstance(expected, tuple):
        for one, other in zip(actual, expected, strict=True):
            assert_same(one, other)
    elif isinstance(actual, Series):
        assert (actual.kind, actual.symbol) == (type(expected), expected.symbol)
        for name in ("coef", "domain", "window"):
            np.testing.assert_allclose(getattr(actual, name), getattr(expected, name), atol=1e-12)
    else:
        np.testing.assert_allclose(actual, expected, atol=1e-12)


@in_every_class
@pytest.mark.parametrize(
    ("name", "code", "args"),
    [
        ("__call__", classes.value, (0.3,)),
        ("__call__", classes.value, (POINTS,)),
        ("__call__", classes.value, ([0.3, 0.4],)),
        ("convert", classes.convert, ()),
        ("convert", classes.convert, ([0.0, 3.0], Polynomial, [0.0, 2.0])),
        ("copy", classes.same, ()),
        ("cutdeg", classes.cutdeg, (1,)),
        ("cutdeg", classes.cutdeg, (7,)),
        ("deriv", classes.deriv, ()),
        ("deriv", classes.deriv, (2,)),
        ("integ", classes.integ, ()),
        ("integ", classes.integ, (2, [0.5, 1.5], 0.7)),
        ("linspace", classes.linspace, ()),
        ("linspace", classes.linspace, (3,)),
        ("linspace", classes.linspace, (3, [0.0, 1.0])),
        ("mapparms", classes.parameters, ()),
        ("roots", classes.roots, ()),
        ("trim", classes.trim, (0.5,)),
        ("truncate", classes.truncate, (1,)),
        ("truncate", classes.truncate, (2,)),
    ],
)
def test_methods(kind, name, code, args):
    """Each method gives NumPy's result for an instance with its own domain and window."""
    p = kind(C, DOMAIN, WINDOW, "t")

    assert_same(code(apart(p), *args), getattr(p, name)(*args))


@in_every_class
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("basis", (3,)),
        ("basis", (0, DOMAIN, WINDOW, "t")),
        ("identity", ()),
        ("identity", (DOMAIN, WINDOW, "t")),
        ("fit", (POINTS, C[0] + POINTS**2, 2)),
        ("fit", (POINTS, C[0] + POINTS**2, [0, 2], [], None, False, [1.0, 2.0, 3.0, 4.0, 5.0])),
        ("fit", (list(POINTS), list(POINTS**2), 2, DOMAIN, None, False, None, WINDOW, "t")),
        ("fit", ([0.5, 0.5], [1.0, 2.0], 0)),
        ("fit", (POINTS * 1j, POINTS**2, 2)),
        ("fromroots", ([1.5, 0.3, -0.7],)),
        ("fromroots", (POINTS, None)),
        ("fromroots", (POINTS, DOMAIN, WINDOW, "t")),
    ],
)
def test_class_methods(kind, name, args):
    """With the domain of the class, of the data, or one that is given."""
    assert_same(getattr(classes, name)(kind, *args), getattr(kind, name)(*args))


@in_every_class
def test_conversion_to_a_class(kind):
    """Of a polynomial in another basis."""
    p = Polynomial(C, DOMAIN)

    assert_same(classes.cast(kind, apart(p)), kind.cast(p))


@in_every_class
@pytest.mark.parametrize(
    "f", [operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, divmod]
)
def test_operators(kind, f):
    """Of two polynomials, or of one and coefficients."""
    p, q = kind(C, DOMAIN, WINDOW), kind(C[2:], DOMAIN, WINDOW)
    code = classes.OPERATORS[f]

    assert_same(code(apart(p), apart(q)), f(p, q))
    assert_same(code(apart(p), 2.5), f(p, 2.5))
    assert_same(code(apart(p), C[:2]), f(p, C[:2]))
    assert_same(code(2.5, apart(p)), f(2.5, p))


@in_every_class
def test_powers_quotients_and_signs(kind):
    """As NumPy's operators."""
    p = kind(C, DOMAIN, WINDOW)

    assert_same(classes.power(apart(p), 3), p**3)
    assert_same(classes.OPERATORS[operator.truediv](apart(p), 2.5), p / 2.5)
    assert_same(classes.negative(apart(p)), -p)


@in_every_class
def test_compositions(kind):
    """A polynomial of a polynomial, in the basis of the inner one."""
    p, q = kind(C, DOMAIN, WINDOW), Polynomial(C[:2], DOMAIN)

    for coef in (C, C[:1], np.array([0.5, 1.5, 0.0])):
        p = kind(coef, DOMAIN, WINDOW)
        assert_same(classes.value(apart(p), apart(q)), p(q))


def test_classes_that_are_derived():
    """They have the basis of the class above them."""

    class Own(Polynomial):
        pass

    assert classes.basis_of(Own) is BASES[Polynomial]


def test_fields():
    """Of all instances the same, whose domain it may be."""
    p = Polynomial([1, 2])

    assert backing(p).keys() == backing(copy.deepcopy(p)).keys()
    np.testing.assert_equal(backing(p)["domain"], Polynomial.domain)
    assert reconstruct(p, backing(p)) == p


def test_sizes():
    """Wrong sizes are refused as NumPy refuses them."""
    for size in (0, 1.5):
        with pytest.raises(ValueError, match="size must be a positive integer"):
            classes.truncate(apart(Polynomial([1, 2])), size)


@pytest.mark.parametrize("container", [list, tuple])
def test_numbers_in_containers(container):
    """Coefficients, points and constants in lists and tuples are traced, as those of arrays are."""
    p = apart(Polynomial(C, DOMAIN, WINDOW))

    def of_array(x):
        return classes.coefficients(x) @ classes.value(classes.integ(p, 2, x), x)

    def of_items(a, b):
        x = container((a, b))
        return classes.coefficients(x) @ classes.value(classes.integ(p, 2, x), x)

    x = np.array([0.5, 1.5])
    np.testing.assert_allclose(grad(of_items, (0, 1))(*x), grad(of_array)(x))
