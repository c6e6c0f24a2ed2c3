"""The rules of SciPy's solvers of equations, against finite differences."""

import math

import numpy as np
import pytest
import scipy.optimize
from scipy.integrate import quad
from scipy.optimize import bisect, brentq, fixed_point, fsolve, newton, root, root_scalar

from chainrules.ad import ADConfig, grad, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError
from chainrules_testutils import test_frule, test_rrule
from tests.chainrules.program_checks import check_along
from tests.chainrules.rule_checks import record_rules

EXACT = 1e-14
BRACKETING = ["brentq", "brenth", "ridder", "bisect", "toms748"]


def crossing(t, a, b):
    """One equation for `t`."""
    return math.exp(a * t) * t - b


def circle_and_line(t, a, b):
    """Two equations, in a list."""
    return [t[0] ** 2 + t[1] - a, t[1] - b * t[0]]


def power(t, a):
    """An equation for the third root."""
    return t**3 - a


def cosine(t, a):
    """A map that contracts."""
    return np.cos(a * t)


@pytest.mark.every_case
@pytest.mark.parametrize(
    "call",
    [
        *((getattr(scipy.optimize, name), power, 0.0, 3.0, (2.0,)) for name in BRACKETING),
        (newton, power, 1.0, None, (2.0,)),
        (root_scalar, power, (2.0,), "brentq", (0.0, 3.0)),
        (fsolve, power, np.array([1.0]), (2.0,)),
        (fixed_point, cosine, np.array([0.5]), (0.8,)),
    ],
)
def test_arguments(call):
    """Both rules of a call are right, whichever system asks."""
    options = {"xtol": EXACT} if call[0] is bisect else {}
    test_frule(*call, config=ADConfig(), fkwargs=options)
    test_rrule(*call, config=ADConfig(), fkwargs=options)


@pytest.mark.parametrize("name", BRACKETING)
def test_brackets(name):
    """By arguments, by what the function closes over, and in the report; brackets do not matter."""
    solver = getattr(scipy.optimize, name)

    def by_arguments(x):
        return solver(crossing, 0.0, 3.0 * x[1], args=(x[0], x[1]), xtol=EXACT)

    def in_report(x):
        t, report = solver(lambda t: crossing(t, x[0], x[1]), 0.0, 3.0, xtol=EXACT, full_output=True)
        return t * report.root

    for f in (by_arguments, in_report):
        check_along(f, np.array([0.3, 1.2]), np.array([0.5, 1.0]))


SCALAR = {
    **{name: {"bracket": (0.0, 3.0)} for name in BRACKETING},
    "secant": {"x0": 1.0, "x1": 1.5},
    "newton": {"x0": 1.0, "fprime": lambda t: 3 * t**2},
    "halley": {"x0": 1.0, "fprime": lambda t: 3 * t**2, "fprime2": lambda t: 6 * t},
}


@pytest.mark.parametrize("method", SCALAR)
def test_root_scalar(method):
    """Every method has the derivative of the same root."""

    def f(x):
        return root_scalar(lambda t: t**3 - x[0], method=method, xtol=EXACT, **SCALAR[method]).root

    check_along(f, np.array([2.0]), np.ones(1))


def test_root_scalar_with_a_derivative_beside_the_value():
    """Only the value is the equation."""

    def f(x):
        return root_scalar(
            lambda t, a: (t**3 - a, 3 * t**2), args=(x[0],), x0=1.0, fprime=True, xtol=EXACT
        ).root

    check_along(f, np.array([2.0]), np.ones(1))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: newton(lambda t: np.exp(x[0] * t) * t - x[1], 1.0, tol=EXACT),
        lambda x: np.sum(newton(lambda t: np.exp(x * t) * t - 1.0, np.ones(2), tol=EXACT) ** 2),
        lambda x: root(circle_and_line, [1.0, 1.0], args=(x[0], x[1]), tol=EXACT).x[0],
        lambda x: np.sum(root(lambda t: t**3 - x, [1.0, 1.0], tol=EXACT)["x"]),
        lambda x: root(lambda t: (t**3 - x, np.diag(3 * t**2)), [1.0, 1.0], jac=True, tol=EXACT).x[1],
        lambda x: fsolve(circle_and_line, [1.0, 1.0], args=(x[0], x[1]), xtol=1e-10)[0],
        lambda x: fsolve(lambda t: t**3 - x[0], 1.0, xtol=EXACT, full_output=True)[0][0],
        lambda x: fixed_point(lambda t: np.cos(t * x[0]), 0.5, xtol=1e-13),
        lambda x: np.sum(fixed_point(lambda t, a: np.cos(t * a), np.ones(2), args=(x,), xtol=1e-13) ** 2),
        lambda x: fixed_point(lambda t, a, b: np.cos(t * a) * b, 0.5, args=[x[0], x[1]], xtol=1e-13),
        lambda x: newton(lambda t, a, b: np.exp(a * t) * t - b, 1.0, args=[x[0], x[1]], tol=EXACT),
        lambda x: newton(lambda t, a, b: np.exp(a * t) * t - b, 1.0, args=x, tol=EXACT),
    ],
)
def test_several_unknowns_and_iterations(f):
    """Numbers and arrays; functions that return arrays, lists, and their Jacobian besides."""
    check_along(f, np.array([0.8, 0.6]), np.array([0.5, 1.0]))


def test_an_argument_that_is_no_tuple():
    """Most solvers pass it on whole."""
    x, x_dot = np.array([0.8, 0.6]), np.array([0.5, 1.0])
    check_along(lambda x: root(lambda t, a: t**3 - a, [1.0, 1.0], args=x, tol=EXACT).x[1], x, x_dot)


@pytest.mark.parametrize("method", ["hybr", "lm", "broyden1", "krylov", "df-sane"])
def test_methods_of_root(method):
    """Each finds the same solution."""

    def f(x):
        return root(circle_and_line, np.array([0.5, 0.3]), args=(x[0], x[1]), method=method, tol=1e-12).x[0]

    x, unit = np.array([0.8, 0.6]), np.array([1.0, 0.0])
    np.testing.assert_allclose(grad(f)(x)[0], 1.0 / np.sqrt(0.36 + 3.2), rtol=1e-7)
    np.testing.assert_allclose(jvp(f, (x,), (unit,))[1], 1.0 / np.sqrt(0.36 + 3.2), rtol=1e-7)
    record_rules(root, circle_and_line, x)


def test_a_complex_root():
    """The derivative of a holomorphic function of the root."""

    def f(x):
        return np.abs(newton(lambda t: t**2 + x[0] + 1j * x[1], 1.0 + 1.0j, tol=EXACT) - 1.0)

    check_along(f, np.array([0.8, 0.6]), np.array([0.5, 1.0]))


def test_roots_and_integrals_in_each_other():
    """The time at which an area is reached, and the area below a root."""

    def reached(x):
        return brentq(lambda b: quad(lambda t: math.exp(-x[0] * t), 0, b)[0] - x[1], 0.0, 5.0, xtol=EXACT)

    a, y = x = np.array([0.3, 0.8])
    by_hand = [np.log(1 - a * y) / a**2 + y / a / (1 - a * y), 1 / (1 - a * y)]
    np.testing.assert_allclose(grad(reached)(x), by_hand)
    np.testing.assert_allclose(jvp(reached, (x,), (np.ones(2),))[1], np.sum(by_hand))

    def below(p):
        return quad(lambda t: brentq(lambda r: r**3 - p * t, 0.0, 5.0, xtol=EXACT), 0.5, 1.0)[0]

    np.testing.assert_allclose(grad(below)(2.0), below(2.0) / 6.0)


REFUSED = {
    "singular": (lambda p: fsolve(lambda t: (t - 1.0) ** 2 * p, [1.0])[0], r"singular, with the condition"),
    "a jump": (lambda p: brentq(lambda t: np.sign(t - p), 0.0, 3.3), r"singular, with the condition number"),
    "no success": (
        lambda p: root(lambda t: t**2 + p, [1.0]).x[0],
        r"singular.*It says: .*\d calls of the function",
    ),
    "report": (
        lambda p: root_scalar(lambda t: t**3 - p, bracket=(0, 3.0), maxiter=2).root,
        r"did not converge.*distance \d.*\d calls of the function",
    ),
    "coarse": (
        lambda p: fixed_point(lambda t: np.cos(p * t), 0.5, xtol=0.5),
        r"did not converge.*at the distance 0\.\d+",
    ),
    "three equations": (
        lambda p: root(lambda t: [t[0] + t[1] - p, t[0] - t[1], p * t[0]], [1.0, 1.0], method="lm").x[0],
        "3 equations for 2 unknowns",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_derivative(name):
    """One class of error says which condition does not hold, with its number."""
    f, message = REFUSED[name]
    with pytest.raises(NoDerivativeError, match=message):
        grad(f)(1.0)
    with pytest.raises(NoDerivativeError, match=message):
        jvp(f, (1.0,), (1.0,))


def test_a_result_that_nothing_depends_on():
    """The program looks at the success of a search itself."""

    def f(p):
        found = root(lambda t: t**2 + p, [1.0])
        return found.x[0] if found.success else p * 2.0

    assert grad(f)(1.0) == 2.0


def test_what_is_held_must_stay_as_it_was():
    """The pullback calls the function again: of another function it would give the derivative in silence."""

    def f(x):
        held = [1.0]
        y = brentq(lambda t: t**3 - held[0] * x, 0, 9)
        held[0] = 5.0
        return y

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(1.3)


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize(
    "solver",
    ["anderson", "broyden1", "broyden2", "diagbroyden", "excitingmixing", "linearmixing", "newton_krylov"],
)
def test_quasi_newton_methods(solver):
    """Whatever finds a root, it is one."""
    solve = getattr(scipy.optimize, solver)

    def f(p):
        return solve(lambda t: 0.9 * (p - t) - 0.1 * t**3, np.full(2, 0.3), f_tol=1e-10)[0]

    p = np.array([0.3, 0.4])
    expected = root(lambda t: 0.9 * (p - t) - 0.1 * t**3, p, tol=1e-13).x[0]
    np.testing.assert_allclose(grad(f)(p), [0.9 / (0.9 + 0.3 * expected**2), 0.0], rtol=1e-6, atol=1e-12)
    np.testing.assert_allclose(jvp(f, (p,), (p,))[1], grad(f)(p) @ p, rtol=1e-8)
    record_rules(solve, np.sin, p)


@pytest.mark.parametrize("name", ["r", "qtf", "fjac"])
def test_fields_of_a_search(name):
    """What it says of the Jacobian has a derivative that nobody has; the function at the root stays zero."""

    def f(p):
        return np.sum(root(lambda t: t**3 - p, np.ones(2))[name])

    with pytest.raises(DerivativeNotImplementedError, match=f"the field `{name}` of the result"):
        grad(f)(np.ones(2))
    with pytest.raises(DerivativeNotImplementedError, match=f"the field `{name}` of the result"):
        jvp(f, (np.ones(2),), (np.ones(2),))
    zero = grad(lambda p: root(lambda t: t**3 - p, np.ones(2)).fun[0])(np.ones(2))
    np.testing.assert_array_equal(zero, [0.0, 0.0])
