"""The rules of elliptic functions and integrals, against finite differences and mpmath."""

import mpmath
import numpy as np
import pytest
from scipy import special

from chainrules.ad import grad, hessian
from chainrules_core import rrule
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.rule_checks import check_elementwise, check_rule, check_rule_in_double, within

CARLSON = [special.elliprc, special.elliprf, special.elliprg, special.elliprd, special.elliprj]


def points(number, dtype=float):
    """Arguments of Carlson's integrals; complex ones have positive real parts."""
    rng = np.random.default_rng(0)
    xs = [rng.uniform(0.2, 3.0, 3) for _ in range(number)]
    return [x + 1j * rng.uniform(-1.0, 1.0, 3) for x in xs] if dtype is complex else xs


# --- Legendre's integrals -----------------------------------------------------------------------------------


@pytest.mark.parametrize("f", [special.ellipk, special.ellipe])
def test_complete_integrals(f):
    """On numbers and arrays, of negative parameters too."""
    check_elementwise(f, within(-2.0, 0.9))


def test_complete_integral_around_one():
    """Of the complementary parameter."""
    check_elementwise(special.ellipkm1, within(0.1, 2.0))


@pytest.mark.parametrize("m", [0.0, 1e-9, 1e-3, 0.5, 1 - 1e-9, -3.0, -1e8])
def test_accuracy_of_complete_integrals(m):
    """The last digits, where the textbook's quotients cancel; ``π/8`` and ``-π/8`` at 0."""
    with mpmath.workdps(40):
        k = mpmath.mpf(m)
        K, E = mpmath.ellipk(k), mpmath.ellipe(k)
        by_m = float((E - (1 - k) * K) / (2 * k * (1 - k)) if m else mpmath.pi / 8)
        second = float((E - K) / (2 * k) if m else -mpmath.pi / 8)

    assert grad(special.ellipk)(m) == pytest.approx(by_m, rel=1e-15)
    assert grad(special.ellipe)(m) == pytest.approx(second, rel=1e-15)
    assert grad(special.ellipkm1)(1.0 - m) == pytest.approx(-by_m, rel=1e-15 if abs(m) < 1 else 1e-12)


def test_second_derivative_at_zero():
    """``K = π/2 (1 + m/4 + 9 m²/64 + ...)``: https://dlmf.nist.gov/19.5.E1."""
    assert grad(grad(special.ellipk))(0.0) == pytest.approx(9 * np.pi / 64, rel=1e-14)


def test_complete_integrals_at_one():
    """The slope of K is infinite there, and that of E too."""
    assert grad(special.ellipk)(1.0) == np.inf
    assert grad(special.ellipe)(1.0) == -np.inf


@pytest.mark.parametrize("f", [special.ellipkinc, special.ellipeinc])
def test_incomplete_integrals(f):
    """In both arguments, several half turns far."""
    check_elementwise(f, within(-7.0, 7.0), within(-2.0, 0.9))


@pytest.mark.parametrize(
    ("f", "reference"), [(special.ellipkinc, mpmath.ellipf), (special.ellipeinc, mpmath.ellipe)]
)
@pytest.mark.parametrize(("phi", "m"), [(0.7, 0.0), (1e-3, 0.5), (1.5, 1.0), (4.0, 1e-9), (1.2, -50.0)])
def test_accuracy_of_incomplete_integrals(f, reference, phi, m):
    """14 digits, at ``m = 0`` and ``m = 1`` too."""
    slopes = grad(f, (0, 1))(phi, m)

    with mpmath.workdps(40):
        expected = [float(mpmath.diff(reference, (phi, m), n, h=1e-12)) for n in ((1, 0), (0, 1))]
    assert slopes == pytest.approx(expected, rel=1e-9 if m == 1.0 else 2e-14)


def test_incomplete_integral_of_small_complement():
    """``1 - m sin² φ`` keeps its digits where it is small."""
    phi, m = np.pi / 2 - 1e-6, 1 - 1e-10
    with mpmath.workdps(40):
        expected = float(1 / mpmath.sqrt(1 - mpmath.mpf(m) * mpmath.sin(phi) ** 2))

    assert grad(special.ellipkinc)(phi, m) == pytest.approx(expected, rel=1e-9)


# --- Jacobi's functions -------------------------------------------------------------------------------------


def test_jacobi_functions():
    """All four results by both arguments, in both modes and twice."""
    u, m = np.array([0.3, -1.0, 2.0, 5.0, -9.0]), np.array([0.3, 0.5, 0.2, 0.8, 0.7])

    test_frule(special.ellipj, u, m)
    test_rrule(special.ellipj, u, m, order=2)
    test_rrule(special.ellipj, u.astype(np.float32), m.astype(np.float32), mode="fast")
    test_rrule(special.ellipj, 0.3, np.array([[0.5], [0.6]]))


@pytest.mark.parametrize(("place", "name"), [(0, "sn"), (1, "cn"), (2, "dn")])
@pytest.mark.parametrize(("u", "m"), [(40.0, 0.999999), (1.3, 0.5), (0.4, 1 - 1e-8), (3.0, 1e-8)])
def test_accuracy_of_jacobi_functions(place, name, u, m):
    """By the parameter, near both of its ends."""
    slope = grad(lambda m: special.ellipj(u, m)[place])(m)

    with mpmath.workdps(50):
        expected = float(
            mpmath.diff(lambda m: mpmath.ellipfun(name, u, m=m), mpmath.mpf(m), h=mpmath.mpf("1e-20"))
        )
    assert slope == pytest.approx(expected, rel=1e-9)


def test_jacobi_functions_at_the_ends():
    """``∂sn/∂m = -(u - sin u cos u) cos u / 4`` at ``m = 0``: https://dlmf.nist.gov/22.10.E4."""
    u = 0.7
    slopes = [grad(lambda m, i=i: special.ellipj(u, m)[i])(0.0) for i in range(4)]

    bend = (u - np.sin(u) * np.cos(u)) / 4
    assert slopes == pytest.approx([-bend * np.cos(u), bend * np.sin(u), -(np.sin(u) ** 2) / 2, -bend])


# --- Carlson's integrals ------------------------------------------------------------------------------------


@pytest.mark.parametrize("f", CARLSON)
def test_carlson(f):
    """In all arguments, real and complex, where all are equal, and twice."""
    check_rule_in_double(f, *points(f.nin))
    check_rule_in_double(f, *[np.array([1.0, 2.0])] * f.nin)
    test_frule(f, *points(f.nin, complex))
    test_rrule(f, *points(f.nin, complex))


@pytest.mark.parametrize("f", CARLSON[:2])
def test_carlson_in_single_precision(f):
    """Cotangents have the precision of the arguments."""
    check_rule(f, *points(f.nin))


@pytest.mark.parametrize("f", CARLSON)
def test_carlson_broadcasts(f):
    """Numbers, empty arrays and arrays of other shapes."""
    xs = points(f.nin)
    test_rrule(f, *map(float, [x[0] for x in xs]))
    test_rrule(f, xs[0][:, None], *xs[1:], mode="fast")
    test_rrule(f, np.ones((0, 2)), *[1.5] * (f.nin - 1))


def test_principal_values():
    """Where the last argument is negative."""
    check_rule_in_double(special.elliprc, np.array([1.0, 2.0]), np.array([-2.0, 2.0]))
    check_rule_in_double(special.elliprj, 1.0, 2.0, 3.0, np.array([-2.0, 2.0]))


def test_carlson_at_zero():
    """``RG(0, y, z)`` is finite there with its derivatives by y and z; that by 0 is ``RF(0, y, z) / 4``."""
    by_x, by_y, by_z = grad(special.elliprg, (0, 1, 2))(0.0, 1.0, 2.0)
    y, z = 1e-7, 1e-7

    assert by_x == pytest.approx(special.elliprf(0.0, 1.0, 2.0) / 4)
    assert by_y == pytest.approx(
        (special.elliprg(0, 1 + y, 2) - special.elliprg(0, 1 - y, 2)) / (2 * y), rel=1e-8
    )
    assert by_z == pytest.approx(
        (special.elliprg(0, 1, 2 + z) - special.elliprg(0, 1, 2 - z)) / (2 * z), rel=1e-8
    )
    assert grad(special.elliprf)(0.0, 1.0, 2.0) == -np.inf


def test_hessian_of_equal_arguments():
    """Symmetric, and as homogeneous functions are: ``H x = (degree - 1) gradient``."""
    x = np.array([1.3, 1.3, 1.3])
    H = hessian(lambda x: special.elliprd(*x))(x)

    np.testing.assert_allclose(H, H.T, rtol=1e-12)
    np.testing.assert_allclose(H @ x, -2.5 * grad(lambda x: special.elliprd(*x))(x), rtol=1e-12)


def test_untaken_branch_contributes_nothing():
    """Outside the domain, where the derivative is NaN, a zero cotangent gives zero."""
    m = np.array([0.5, 3.0])

    gradient = grad(lambda m: np.sum(np.where(m < 1, special.ellipkinc(1.5, m), 0.0)))(m)

    assert np.isfinite(gradient).all()
    assert gradient[1] == 0.0


def test_keywords_of_ufuncs_are_refused():
    """A rule answers no question that it was not asked."""
    with pytest.raises(TypeError, match="where"):
        rrule(special.ellipkinc, 0.5, 0.5, where=True)
    with pytest.raises(TypeError, match="out"):
        rrule(special.ellipkinc, 0.5, 0.5, out=np.zeros(()))


@pytest.mark.parametrize("z", [0.5, 1.0, 2.0])
def test_two_arguments_of_zero(z):
    """``RG(0, 0, z)`` is half the root of z, wherever z stands."""
    for place in range(3):
        args = [0.0, 0.0, 0.0]
        args[place] = z
        f = lambda z, args=args, place=place: special.elliprg(*args[:place], z, *args[place + 1 :])  # noqa: E731 - one expression
        assert grad(f)(z) == pytest.approx(0.25 / np.sqrt(z))
        assert grad(grad(f))(z) == pytest.approx(-0.125 / z**1.5)
