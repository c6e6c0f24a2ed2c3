"""The rules of minima: against the roots of gradients, in both modes and to second order."""

import math

import numpy as np
import pytest
from scipy import optimize
from scipy.optimize import Bounds, LinearConstraint, NonlinearConstraint, minimize, minimize_scalar, root

from chainrules.ad import grad, hessian, jvp
from chainrules_core import DerivativeNotImplementedError, NoDerivativeError
from tests.chainrules.rule_checks import record_rules

P = np.array([0.5, -0.2])


def energy(t, p):
    """A function with one minimum."""
    return np.sum(np.cosh(t - p)) + t[0] * t[1] * p[0]


def slope(t, p):
    """Its gradient by `t`."""
    return np.sinh(t - p) + t[::-1] * p[0]


def by_root(p):
    """The minimum, as a solution."""
    return root(slope, [0.0, 0.0], args=(p,), tol=1e-12).x


METHODS = {
    "BFGS": {"jac": slope, "tol": 1e-10},
    "L-BFGS-B": {"jac": slope, "tol": 1e-14},
    "trust-constr": {"jac": slope, "tol": 1e-10},
    "SLSQP": {"jac": slope, "tol": 1e-15},
    "Nelder-Mead": {"options": {"xatol": 1e-9, "fatol": 1e-16}},
    "Newton-CG": {"jac": slope, "tol": 1e-10},
}


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::RuntimeWarning")
@pytest.mark.parametrize("method", METHODS)
def test_every_method_has_the_true_hessian(method):
    """By arguments and by what the function closes over."""

    def by_arguments(p):
        return minimize(energy, [0.0, 0.0], args=(p,), method=method, **METHODS[method]).x

    options = {name: x for name, x in METHODS[method].items() if name != "jac"}

    def by_closure(p):
        return minimize(lambda t: energy(t, p), [0.0, 0.0], method=method, **options)["x"]

    expected = grad(lambda p: by_root(p)[0])(P)
    np.testing.assert_allclose(grad(lambda p: by_arguments(p)[0])(P), expected, rtol=1e-5)
    np.testing.assert_allclose(jvp(by_arguments, (P,), (P,))[1][0], expected @ P, rtol=1e-5)
    record_rules(minimize, energy, P)
    if method in {"L-BFGS-B", "Nelder-Mead"}:
        np.testing.assert_allclose(grad(lambda p: by_closure(p)[0])(P), expected, rtol=1e-5)


def test_second_order():
    """The rule is differentiated itself."""

    def f(p):
        return minimize(energy, [0.0, 0.0], args=(p,), jac=slope, tol=1e-10).x[0]

    np.testing.assert_allclose(hessian(f)(P), hessian(lambda p: by_root(p)[0])(P), rtol=1e-6)


def test_the_value_at_the_minimum():
    """The envelope theorem: the derivative of the function at a fixed minimum."""
    x = by_root(P)
    expected = grad(lambda p: energy(x, p))(P)

    def value(p):
        return minimize(energy, [0.0, 0.0], args=(p,), jac=slope, tol=1e-10).fun

    np.testing.assert_allclose(grad(value)(P), expected, rtol=1e-7)
    np.testing.assert_allclose(jvp(value, (P,), (P,))[1], expected @ P, rtol=1e-7)


def test_a_function_that_returns_its_gradient_too():
    """Only its value is to be least."""

    def f(p):
        return minimize(
            lambda t, p: (energy(t, p), slope(t, p)), [0.0, 0.0], args=(p,), jac=True, tol=1e-10
        ).x[0]

    np.testing.assert_allclose(grad(f)(P), grad(lambda p: by_root(p)[0])(P), rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (P,), (P,))[1], grad(f)(P) @ P, rtol=1e-7)


@pytest.mark.parametrize(
    "options", [{"tol": 1e-10}, {"bounds": (-3.0, 3.0), "options": {"xatol": 1e-9}}, {"method": "golden"}]
)
def test_one_unknown(options):
    """With and without bounds that do not hold it: ``sinh(x - p) = -q``."""

    def f(x):
        return minimize_scalar(lambda t, p: math.cosh(t - p) + t * x[1], args=(x[0],), **options).x

    expected = [1.0, -1.0 / np.sqrt(1.0 + P[1] ** 2)]
    np.testing.assert_allclose(grad(f)(P), expected, rtol=1e-5)
    np.testing.assert_allclose(jvp(f, (P,), (P,))[1], expected @ P, rtol=1e-5)
    record_rules(minimize_scalar, math.cosh)


@pytest.mark.parametrize("bounds", [[(-1.0, 0.1), (None, None)], Bounds([-1.0, -9.0], [0.1, 9.0])])
def test_a_bound_that_holds_an_unknown(bounds):
    """It stays there, and the others move as if it were a constant."""

    def f(p):
        return minimize(energy, [0.0, 0.0], args=(p,), jac=slope, bounds=bounds, tol=1e-14).x

    expected = grad(lambda p: root(lambda t: slope(np.stack([0.1, t[0]]), p)[1:], [0.0], tol=1e-12).x[0])(P)
    np.testing.assert_allclose(grad(lambda p: f(p)[0])(P), [0.0, 0.0], atol=1e-12)
    np.testing.assert_allclose(grad(lambda p: f(p)[1])(P), expected, rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (P,), (P,))[1], [0.0, expected @ P], rtol=1e-6, atol=1e-12)


def square(t, p):
    """A parabola."""
    return np.sum((t - p) ** 2)


def on_a_circle(t, q):
    """A constraint that the unknowns are in a circle."""
    return q - np.sum(t**2)


# Each holds the point nearest to `p` in a circle with the squared radius `q`.
CIRCLES = {
    "eq": lambda q: {"type": "eq", "fun": on_a_circle, "args": (q,)},
    "ineq": lambda q: [{"type": "ineq", "fun": lambda t: on_a_circle(t, q)}],
    "upper": lambda q: NonlinearConstraint(lambda t: np.sum(t**2), -np.inf, q),
    "lower": lambda q: (NonlinearConstraint(lambda t: [on_a_circle(t, q), t[0]], [0.0, -9.0], np.inf),),
}


@pytest.mark.filterwarnings("ignore::UserWarning", "ignore::scipy.optimize.OptimizeWarning")
@pytest.mark.parametrize("name", CIRCLES)
@pytest.mark.parametrize("method", ["SLSQP", "trust-constr"])
def test_constraints(name, method):
    """The Lagrangian has the curvature of the constraint, too; the value has the multiplier."""

    def found(x):
        p, q = x[:2], x[2]
        return minimize(
            square,
            [0.5, 0.5],
            (p,),
            method,
            lambda t, p: 2.0 * (t - p),
            constraints=CIRCLES[name](q),
            tol=1e-14 if method == "SLSQP" else 1e-9,
        )

    def nearest(x):
        return x[:2] * np.sqrt(x[2] / np.sum(x[:2] ** 2))

    x = np.array([1.0, 2.0, 1.5])
    tolerances = {"rtol": 1e-4, "atol": 1e-5}
    gradient = grad(lambda x: found(x).x[0])(x)
    np.testing.assert_allclose(gradient, grad(lambda x: nearest(x)[0])(x), **tolerances)
    np.testing.assert_allclose(jvp(lambda x: found(x).x[0], (x,), (x,))[1], gradient @ x, atol=1e-9)
    by_value = grad(lambda x: found(x).fun)(x)
    np.testing.assert_allclose(by_value, grad(lambda x: square(nearest(x), x[:2]))(x), **tolerances)
    np.testing.assert_allclose(jvp(lambda x: found(x).fun, (x,), (x,))[1], by_value @ x, atol=1e-9)


def test_constraints_to_second_order():
    """The multipliers depend on the arguments too."""

    def f(x):
        constraints = CIRCLES["ineq"](x[2])
        return minimize(square, [0.5, 0.5], (x[:2],), constraints=constraints, tol=1e-14).x[0]

    x = np.array([1.0, 2.0, 1.5])
    expected = hessian(lambda x: x[0] * np.sqrt(x[2] / np.sum(x[:2] ** 2)))(x)
    np.testing.assert_allclose(hessian(f)(x), expected, rtol=1e-6, atol=1e-8)


def test_constraints_and_bounds():
    """A linear constraint and a bound hold three unknowns together, and others hold nothing."""

    def f(x):
        p, q, low = x[:3], x[3], x[4]
        return minimize(
            square,
            np.ones(3),
            (p,),
            bounds=Bounds(np.stack([low, -9.0, -9.0]), 9.0),
            constraints=[
                LinearConstraint(np.ones((1, 3)), -np.inf, q),
                {"type": "ineq", "fun": lambda t: 9.0 - t},
            ],
            tol=1e-14,
        ).x

    x = np.array([-1.0, 2.0, 3.0, 4.0, 0.5])  # the others are on the line: p + (q - low - sum(p)) / 2
    np.testing.assert_allclose(grad(lambda x: f(x)[1])(x), [0.0, 0.5, -0.5, 0.5, -0.5], atol=1e-6)
    np.testing.assert_allclose(grad(lambda x: f(x)[0])(x), [0.0, 0.0, 0.0, 0.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(jvp(f, (x,), (np.ones(5),))[1], [1.0, 0.0, 0.0], atol=1e-6)


def test_a_vertex():
    """Constraints and bounds alone say where the minimum is."""

    def f(p):
        bounds = [(p, None), (-p, None)]
        return np.sum(minimize(lambda t: np.sum(np.exp(t)), [2.0, 2.0], bounds=bounds).x * [2.0, 3.0])

    np.testing.assert_allclose(grad(f)(1.3), -1.0)
    np.testing.assert_allclose(jvp(f, (1.3,), (1.0,))[1], -1.0)


def test_bounds_of_one_unknown():
    """The minimum is near a bound that holds it, and moves with that."""

    def f(p):
        return minimize_scalar(np.exp, bounds=(p, 3.0), method="bounded").x

    np.testing.assert_allclose(grad(f)(1.0), 1.0)
    np.testing.assert_allclose(grad(lambda p: optimize.fminbound(np.exp, p, 3.0))(1.0), 1.0)


OTHERS = {
    "basinhopping": lambda f, p: (
        optimize.basinhopping(f, np.zeros(2), 2, minimizer_kwargs={"args": (p,), "tol": 1e-9}, rng=0).x
    ),
    "brute": lambda f, p: optimize.brute(f, ((-1, 1), (-1, 1)), (p,), 4, finish=finish),
    "differential_evolution": lambda f, p: (
        optimize.differential_evolution(f, [(-1, 1), (-1, 1)], (p,), rng=0, maxiter=20, popsize=4).x
    ),
    "direct": lambda f, p: (
        optimize.direct(
            lambda t: f(t, p), [(-1, 1), (-1, 1)], eps=1e-9, maxfun=5000, vol_tol=0.0, maxiter=200
        ).x
    ),
    "dual_annealing": lambda f, p: optimize.dual_annealing(f, [(-1, 1), (-1, 1)], (p,), rng=0, maxiter=5).x,
    "shgo": lambda f, p: optimize.shgo(f, [(-1, 1), (-1, 1)], (p,)).x,
    "fmin": lambda f, p: optimize.fmin(f, np.zeros(2), (p,), 1e-9, 1e-16, disp=False),
    "fmin_bfgs": lambda f, p: optimize.fmin_bfgs(f, np.zeros(2), slope, (p,), gtol=1e-9, disp=False),
    "fmin_cg": lambda f, p: optimize.fmin_cg(
        f, np.zeros(2), slope, (p,), gtol=1e-9, full_output=True, disp=0
    )[0],
    "fmin_cobyla": lambda f, p: optimize.fmin_cobyla(
        f, np.zeros(2), [lambda t, p: 9.0 - t[0]], (p,), rhoend=1e-9
    ),
    "fmin_l_bfgs_b": lambda f, p: optimize.fmin_l_bfgs_b(
        lambda t, p: (f(t, p), slope(t, p)), np.zeros(2), args=(p,), pgtol=1e-9
    )[0],
    "fmin_ncg": lambda f, p: optimize.fmin_ncg(f, np.zeros(2), slope, args=(p,), avextol=1e-12, disp=False),
    "fmin_powell": lambda f, p: optimize.fmin_powell(f, np.zeros(2), (p,), 1e-9, 1e-16, disp=False),
    "fmin_slsqp": lambda f, p: optimize.fmin_slsqp(
        f, np.zeros(2), [], None, [lambda t, p: 9.0 + t[0]], fprime=slope, args=(p,), acc=1e-15, disp=False
    ),
    "fmin_tnc": lambda f, p: optimize.fmin_tnc(f, np.zeros(2), slope, (p,), disp=0)[0],
}


def finish(f, x0, args, full_output, disp):
    """A precise search after a coarse one."""
    found = minimize(f, x0, args, tol=1e-10)
    return found.x, found.fun, disp, full_output, 0


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("name", OTHERS)
def test_other_searches(name):
    """Whatever finds a minimum, it is one."""

    def f(p):
        return OTHERS[name](energy, p)

    expected = grad(lambda p: by_root(p)[0])(P)
    np.testing.assert_allclose(grad(lambda p: f(p)[0])(P), expected, rtol=1e-4)
    np.testing.assert_allclose(jvp(f, (P,), (P,))[1][0], expected @ P, rtol=1e-4)
    record_rules(getattr(optimize, name), energy, P)


@pytest.mark.parametrize(
    ("solver", "search"),
    [
        (optimize.brent, lambda f, p: optimize.brent(f, (p,))),
        (optimize.golden, lambda f, p: optimize.golden(f, (p,), full_output=True)[0]),
        (optimize.fminbound, lambda f, p: optimize.fminbound(f, -2.0, 2.0, (p,), xtol=1e-9)),
    ],
    ids=["brent", "golden", "fminbound"],
)
def test_other_searches_for_one_number(solver, search):
    """They return it alone, or first."""

    def f(p):
        return search(lambda t, p: np.cosh(t - p) + t * p, p)

    expected = 1.0 - 1.0 / np.sqrt(1.0 + 0.3**2)  # sinh(t - p) = -p
    np.testing.assert_allclose(grad(f)(0.3), expected, rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (0.3,), (1.0,))[1], expected, rtol=1e-6)
    record_rules(solver, np.cosh, 0.3, 0.4)


def test_values_of_older_functions():
    """The value stands beside the minimum, if it is a number."""

    def f(p):
        return optimize.fmin_bfgs(energy, np.zeros(2), slope, (p,), 1e-9, full_output=True, disp=0)[1]

    x = by_root(P)
    np.testing.assert_allclose(grad(f)(P), grad(lambda p: energy(x, p))(P), rtol=1e-6)
    np.testing.assert_allclose(jvp(f, (P,), (P,))[1], grad(f)(P) @ P, rtol=1e-7)


REFUSED = {
    "dependent": (
        lambda p: minimize(
            square, [0.0], (p,), constraints=[{"type": "eq", "fun": lambda t: np.stack([t[0] - p] * 2)}]
        ).x[0],
        NoDerivativeError,
        "linearly dependent, with the condition",
    ),
    "saddle": (
        lambda p: minimize(lambda t: p * (t[0] ** 2 - t[1] ** 2), [0.0, 0.0]).x[0],
        NoDerivativeError,
        "not positive definite, with the eigenvalue -2.0",
    ),
    "stopped": (
        lambda p: minimize(square, [5.0], (p,), method="CG", options={"maxiter": 0}).x[0],
        NoDerivativeError,
        "did not converge",
    ),
    "value": (
        lambda p: minimize(square, [5.0], (p,), method="CG", options={"maxiter": 0}).fun,
        NoDerivativeError,
        "did not converge",
    ),
    "beyond": (
        lambda p: minimize(lambda t: 1e-3 * (t[0] - p) ** 2, [1.0003], bounds=[(1.0002, None)], tol=1e99).x[
            0
        ],
        NoDerivativeError,
        "which bounds and constraints hold",
    ),
    "no multiplier": (
        lambda p: minimize(square, [0.0], (p,), bounds=[(1.0, None)]).x[0],
        NoDerivativeError,
        "does not hold it, with the multiplier 0",
    ),
    "flat": (
        lambda p: minimize(lambda t: (t[0] - 1.0) ** 4 * p, [1.0]).x[0],
        NoDerivativeError,
        "singular, with the condition",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_derivative(name):
    """The condition that does not hold is told, or what is not implemented."""
    f, error, message = REFUSED[name]
    with pytest.raises(error, match=message):
        grad(f)(1.0)
    with pytest.raises(error, match=message):
        jvp(f, (1.0,), (1.0,))


def test_the_approximate_hessian():
    """It is no constant."""
    with pytest.raises(DerivativeNotImplementedError, match="the field `hess_inv`"):
        grad(lambda p: minimize(square, [0.0], (p,)).hess_inv[0, 0])(1.0)


def test_what_is_held_must_stay_as_it_was():
    """The pullback calls the function again: of another function it would give the derivative in silence."""

    def f(x):
        held = [1.0]
        y = minimize(lambda t: (t[0] - held[0] * x) ** 2, [0.0]).x[0]
        held[0] = 5.0
        return y

    with pytest.raises(NoDerivativeError, match="was changed between"):
        grad(f)(1.3)


def test_fields():
    """The gradient stays zero; counts are constants."""

    def f(p):
        found = minimize(square, [0.0], (p,))
        return found.jac[0] + found.nfev * found.x[0]

    count = minimize(square, [0.0], (1.0,)).nfev
    np.testing.assert_allclose(grad(f)(1.0), count)
    np.testing.assert_allclose(jvp(f, (1.0,), (1.0,))[1], count)
