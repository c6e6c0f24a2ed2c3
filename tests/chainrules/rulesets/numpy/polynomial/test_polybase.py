"""The rules of the classes of polynomials, against finite differences."""

import operator

import numpy as np
import pytest
from numpy.polynomial import Chebyshev, Legendre, Polynomial
from numpy.polynomial._polybase import ABCPolyBase

from chainrules.ad import ADConfig, call, grad, hessian, jacobian, jvp
from chainrules.makers.series.classes import BASES
from chainrules_core import (
    DerivativeNotImplementedError,
    NoTangent,
    RuleNotFoundError,
    Tangent,
    ZeroTangent,
    frule,
    primitive,
    rrule,
)
from tests.chainrules.program_checks import check_program, check_via_ad
from tests.chainrules.rule_checks import check_declared, normal

in_every_class = pytest.mark.parametrize("kind", BASES)

DOMAIN, WINDOW = np.array([-0.5, 2.0]), np.array([-1.0, 1.5])
C, D = normal(4), normal(3, seed=1)
POINTS = np.array([-0.7, 0.1, 0.4, 0.9, 1.3])


@in_every_class
def test_constructors(kind):
    """By the coefficients and both intervals, as arrays and as lists."""
    check_via_ad(kind, C)
    check_via_ad(kind, [1.5, 2.5], [0.5, 1.5])
    check_via_ad(kind, C, DOMAIN, WINDOW, "t")
    check_via_ad(kind, normal(3, dtype=complex))
    check_via_ad(kind, normal(3, dtype=np.float32))
    check_via_ad(kind, 1.5)


@in_every_class
def test_calls(kind):
    """By the polynomial and by the points."""
    p = kind(C, DOMAIN, WINDOW)

    check_via_ad(p, 0.3)
    check_via_ad(p, POINTS)
    check_via_ad(ABCPolyBase.__call__, p, [0.3, 0.4])
    check_via_ad(kind(normal(3, dtype=complex)), 0.3)
    check_via_ad(kind(C), normal(2, dtype=complex))
    check_via_ad(kind(D), Polynomial([0.5, 1.5]))


@in_every_class
@pytest.mark.parametrize(
    ("method", "args"),
    [
        (ABCPolyBase.convert, ()),
        (ABCPolyBase.convert, (DOMAIN, Legendre)),
        (ABCPolyBase.copy, ()),
        (ABCPolyBase.cutdeg, (1,)),
        (ABCPolyBase.deriv, ()),
        (ABCPolyBase.deriv, (2,)),
        (ABCPolyBase.integ, ()),
        (ABCPolyBase.integ, (2, [0.5, 1.5], 0.7)),
        (ABCPolyBase.linspace, (3,)),
        (ABCPolyBase.mapparms, ()),
        (ABCPolyBase.roots, ()),
        (ABCPolyBase.trim, ()),
        (ABCPolyBase.truncate, (2,)),
        (operator.neg, ()),
        (operator.pos, ()),
        (operator.pow, (3,)),
        (getattr, ("coef",)),
        (getattr, ("domain",)),
    ],
)
def test_methods(kind, method, args):
    """Of an instance with a domain and a window of its own."""
    check_via_ad(method, kind(C, DOMAIN, WINDOW), *args)


@in_every_class
@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("basis", (2, DOMAIN)),
        ("cast", (Legendre(C, DOMAIN),)),
        ("fit", (POINTS, normal(5), 2)),
        ("fit", (POINTS, normal(5), 2, DOMAIN)),
        ("fromroots", (POINTS[:3],)),
        ("fromroots", ([0.3, 1.7], DOMAIN)),
        ("identity", (DOMAIN, WINDOW)),
    ],
)
def test_class_methods(kind, name, args):
    """Called with the class, and as the methods of the class that users know."""
    check_via_ad(getattr(ABCPolyBase, name).__func__, kind, *args)
    check_via_ad(getattr(kind, name), *args)


@in_every_class
@pytest.mark.parametrize(
    "f", [operator.add, operator.sub, operator.mul, operator.floordiv, operator.mod, divmod]
)
def test_operators_with_coefficients(kind, f):
    """On either side; a number is the first of them."""
    p = kind(C, DOMAIN, WINDOW)

    check_via_ad(f, p, D[:2])
    check_via_ad(f, p, 2.5)
    check_via_ad(f, D, kind(C[:2]))


@in_every_class
def test_quotients(kind):
    """By numbers."""
    check_via_ad(operator.truediv, kind(C, DOMAIN, WINDOW), 2.5)


@pytest.mark.parametrize("kind", [Polynomial, Chebyshev])
@pytest.mark.parametrize(
    "program",
    [
        lambda p, q: p + q,
        lambda p, q: p - q,
        lambda p, q: p * q,
        lambda p, q: p // q,
        lambda p, q: p % q,
        lambda p, q: divmod(p, q)[1] + q,
        lambda p, q: p(q),
        lambda p, q: p**2 - q.deriv() * p.integ(1, 0.5, q.coef[0]),
        lambda p, q: q.coef[0] * p + p / q.coef[1] - p * np.float64(2.5) + np.float64(2.5) * p,
        lambda p, q: (1.5 - p).convert(domain=[0.0, 3.0]) + q.cutdeg(1).convert(domain=[0.0, 3.0]),
        lambda p, q: p.copy().truncate(3).trim() + (-q)(+q),
    ],
)
def test_programs(kind, program):
    """Of two polynomials, differentiated twice."""

    def value(c, d):
        make = primitive(kind)
        y = program(make(c), make(d))
        return y(0.3) + np.sum(y.coef**2)

    check_program(value, C, D)


@in_every_class
def test_roots_and_fits_in_programs(kind):
    """What goes from data to a polynomial and back, differentiated twice."""
    check_program(lambda y: call(kind.fit, POINTS, y, 2).deriv()(0.3), normal(5))
    check_program(lambda r: np.sum(call(kind.fromroots, r).roots() ** 2), np.array([0.3, 1.1, 2.0]))


@in_every_class
def test_one_of_two_is_constant(kind):
    """A plain polynomial beside a traced number or a traced polynomial, and a plain one called."""
    check_program(lambda a: (a * kind(D) + kind(D) * a - kind(D) // a)(0.3), 1.7)
    check_program(lambda c: (primitive(kind)(c) % kind(D) - kind(D) * primitive(kind)(c))(0.3), C)
    check_program(lambda x: np.sum(call(kind(D), x) ** 2), POINTS)


def test_attributes():
    """What the class has, and what is said of a polynomial, are constants."""
    p = Polynomial(C)
    check_declared(ABCPolyBase.has_samecoef, p, p)
    for method in (ABCPolyBase.has_samedomain, ABCPolyBase.has_samewindow, ABCPolyBase.has_sametype):
        check_declared(method, p, p)
    check_declared(ABCPolyBase.degree, p)

    def program(c):
        made = primitive(Chebyshev)(c)
        assert (made.degree(), len(made), made.symbol) == (3, 4, "x")
        assert made.has_samecoef(made)
        assert made == Chebyshev(C)
        return made.domain[1] * np.sum(made.coef)

    np.testing.assert_allclose(grad(program)(C), np.ones(4))


def test_attributes_without_derivative():
    """Each argument has a cotangent all the same."""
    symbol, pullback = rrule(getattr, Chebyshev(C), "symbol")

    assert symbol == "x"
    assert pullback(NoTangent()) == (NoTangent(),) * 3


def test_instances_are_made_as_numpy_makes_them():
    """With the attributes, of the class, in the precision."""

    class Own(Polynomial):
        pass

    y, pullback = rrule(Own, np.float32([1.0, 2.0]))
    assert type(y) is Own
    assert pullback(Tangent[Own](coef=np.ones(2)))[1].dtype == np.float32
    assert rrule(Own, [1, 2])[0].coef.dtype == np.float64
    assert rrule(Own, C, None, DOMAIN)[1](ZeroTangent())[1::2] == (ZeroTangent(),) * 2
    tangents = (None, Tangent[Own](coef=np.ones(2, np.float32)))
    assert type(frule(ADConfig(), tangents, ABCPolyBase.deriv, y)[1]) is Tangent[Own]


def test_derivatives_of_higher_order():
    """Modes nest, also where an object that is traced is called."""
    expected = 6 * np.outer([1, 0.5, 0.25], [1, 0.5, 0.25]) * Polynomial(D)(0.5)

    def cube(c):
        return call(Polynomial, c)(0.5) ** 3

    np.testing.assert_allclose(hessian(cube)(D), expected)
    np.testing.assert_allclose(jacobian(jacobian(cube, mode="forward"), mode="forward")(D), expected)
    np.testing.assert_allclose(jvp(grad(cube), (D,), (np.eye(3)[1],))[1], expected[1])


def test_what_numpy_refuses():
    """Is refused with NumPy's words; trimmed coefficients have no derivative."""
    with pytest.raises(TypeError, match="Polynomial types differ"):
        grad(lambda c: (call(Polynomial, c) + Legendre([1.0]))(0.5))(C)
    with pytest.raises(TypeError, match="Domains differ"):
        grad(lambda c: (call(Polynomial, c) * Polynomial([1.0], [0, 1]))(0.5))(C)
    with pytest.raises(TypeError, match="full=True"):
        grad(lambda y: call(Polynomial.fit, POINTS, y, 1, full=True)[0](0.5))(POINTS)
    with pytest.raises(DerivativeNotImplementedError, match="drops the last coefficients"):
        grad(lambda c: (call(Polynomial, c) * call(Polynomial, c))(0.5))(np.array([1.0, 0.0]))
    with pytest.raises(RuleNotFoundError):
        grad(lambda c: call(Polynomial, c)[0])(C)
