"""Searches of SciPy in recorded programs: integrals, roots, minima, solutions of differential equations."""

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp
from scipy.interpolate import splev, splrep
from scipy.optimize import differential_evolution
from scipy.stats import linregress, mannwhitneyu, multivariate_normal, pearsonr, ttest_1samp

from chainrules.ad import grad, hessian, jacobian, jvp, value_and_grad
from chainrules.ad.recording.batching.vectorized import vectorized
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError, CompilationWarning
from tests.chainrules.ad.recording import searching_programs
from tests.chainrules.ad.recording.agreement import agrees
from tests.chainrules.ad.recording.searching_programs import (
    HITS,
    PROGRAMS,
    SAMPLES,
    Wave,
    bound,
    decay,
    decides,
    of_functions,
    one_in_another,
)

POINTS = [(0.7,), (0.9,), (1.1,)]


@pytest.mark.parametrize("name", PROGRAMS)
def test_agrees(name):
    """Values and gradients, recorded at one point and called at others."""
    points = POINTS[:1] if name == "two variables" else POINTS  # whose gradient takes long
    agrees(PROGRAMS[name], POINTS)
    agrees(grad(PROGRAMS[name]), points)


@pytest.mark.parametrize("name", ["args", "one in another", "converged", "predators"])
def test_forwards(name):
    """Tangents, and values with gradients."""
    agrees(lambda p: jvp(PROGRAMS[name], (p,), (1.0,)), POINTS)
    agrees(value_and_grad(PROGRAMS[name]), POINTS)


HEIGHTS = np.array([0.3, 0.1, 0.7, 1.5, 0.9])
FROZEN = multivariate_normal(np.zeros(5), np.eye(5))
STATISTICS = {
    "correlation": lambda x: pearsonr(x, SAMPLES).statistic,
    "line": lambda x: (lambda r: r[0] * r.rvalue + r.pvalue)(linregress(SAMPLES, x)),
    "mean": lambda x: ttest_1samp(x, 0.1).pvalue,
    "ranks": lambda x: mannwhitneyu(x, SAMPLES)[0] * x[1],
    "spline": lambda x: splev(0.5, splrep(np.arange(5.0), x)),
    "density": lambda x: multivariate_normal.logpdf(np.ones(5), np.zeros(5), np.diag(x**2 + 1.0)),
    "frozen": lambda x: FROZEN.logpdf(x),
}


@pytest.mark.parametrize("name", STATISTICS)
def test_called_whole(name):
    """Tests of statistics and splines are one operation, too, and rules that give values to code in C."""
    points = [(HEIGHTS,), (1.2 * HEIGHTS,), (0.9 * HEIGHTS[::-1],)]
    agrees(lambda x: np.sum(STATISTICS[name](x)), points)
    agrees(grad(lambda x: np.sum(STATISTICS[name](x))), points)


def test_decisions():
    """Each way is recorded once."""
    c = agrees(grad(decides), POINTS)
    assert len(c.variants) == 2


def test_one_search_for_both():
    """The value and its derivative take one search, whose pullback is kept."""
    source = compiled(value_and_grad(PROGRAMS["minimum"]), strict=True).source(0.7)
    assert source.count("= minimize_with(") == source.count("= pull_minimize(") == 1
    assert "OptimizeResult(" in source


def at_a_constant(p):
    """Derivatives by numbers that are none of the arguments."""
    by_closure = grad(lambda y: quad(lambda t: np.exp(-t * y), 0.0, 1.0)[0])(2.0)
    return p * by_closure + grad(lambda y: quad(decay, 0.0, y, args=(p,))[0])(0.5)


def test_derivatives_at_constants():
    """Cotangents of constants are pulled where they are asked for."""
    agrees(at_a_constant, POINTS)


def test_surroundings(monkeypatch):
    """What a function that is called back reads by its names may change."""
    c = compiled(grad(of_functions), strict=True)
    for rate in (2.0, 3.0):
        monkeypatch.setattr(searching_programs, "RATE", rate)
        assert c(0.7) == grad(of_functions)(0.7)
    SAMPLES[0] = 9.0
    assert c(0.7) == grad(of_functions)(0.7)
    SAMPLES[0] = 0.0
    monkeypatch.setattr(Wave, "height", lambda self, t: np.sin(self.k * t))
    agrees(grad(bound), POINTS)


COUNT = 0


def counts(p):
    """A function that counts its calls in a variable."""
    n = 0

    def f(t):
        nonlocal n
        n += 1
        return p * t

    return quad(f, 0.0, 1.0)[0] * n


def lists(p):
    """One that makes a list longer, which holds a value."""
    seen = [p]

    def f(t):
        seen.append(t)
        return p * t

    return quad(f, 0.0, 1.0)[0] * len(seen)


def lists_outside(p):
    """One that makes a list longer, which is not the program's."""

    def f(t):
        HITS.append(t)
        return p * t

    return quad(f, 0.0, 1.0)[0] * len(HITS)


def changed_later(p):
    """A list that is changed, once it was given to a search."""
    c = [1.0, 2.0]
    y = quad(lambda t: c[0] * t * p, 0.0, 1.0)[0]
    c[0] = 5.0
    return y + quad(lambda t: c[0] * t * p, 0.0, 1.0)[0]


def changed_back(p):
    """A list that is changed for one search, and changed back."""
    c = [1.0]
    y = quad(lambda t: c[0] * t * p, 0.0, 1.0)[0]
    c[0] = 5.0
    y = y + quad(lambda t: c[0] * t * p, 0.0, 1.0)[0]
    c[0] = 1.0
    return y


def prints(p):
    """One that prints."""

    def f(t):
        print(t)
        return p * t

    return quad(f, 0.0, 1.0)[0]


def draws(p):
    """One that draws random numbers."""
    return quad(lambda t: p * t + 0.0 * np.random.normal(), 0.0, 1.0)[0]  # noqa: NPY002 - as users write


def assigns(p):
    """One that assigns to a global name."""

    def f(t):
        global COUNT  # noqa: PLW0603 - what is refused
        COUNT = 2
        return p * t

    return quad(f, 0.0, 1.0)[0]


def hides(p):
    """A value in a set, where it is not looked for."""
    numbers = {"a": p}.values()
    return quad(lambda t: sum(numbers) * t, 0.0, 1.0)[0]


@pytest.mark.parametrize(
    ("f", "reason"),
    [
        (counts, "a function that `quad` calls changes what it holds"),
        (lists, "a function that `quad` calls changes what it holds"),
        (lists_outside, "it changes its surroundings: a list was changed"),
        (changed_later, "it changes its surroundings: a list was changed"),
        (changed_back, "it changes its surroundings: a list was changed"),
        (prints, "it calls `print`, which does more than return a result"),
        (draws, "whose result is not the same each time"),
        (assigns, "it assigns to a global name"),
        (hides, "hidden|dict_values"),
        (
            lambda p: linregress(SAMPLES, p * HEIGHTS).intercept_stderr,
            "a part of a result that is not recorded",
        ),
        (lambda p: differential_evolution(lambda x: x[0] ** 2 + p, [(0.0, 1.0)], rng=0).fun, "whose|known"),
        (lambda p: solve_ivp(lambda t, y: -p * y, (0.0, 1.0), [1.0], dense_output=True).sol(0.5), "OdeSol"),
    ],
)
def test_what_is_refused(f, reason, capsys):
    """By name; and the program runs as it is written."""
    with pytest.raises(CompilationError, match=reason):
        compiled(f, strict=True)(0.7)
    HITS.clear()
    with pytest.warns(CompilationWarning, match=reason):
        y = compiled(f)(0.7)
    HITS.clear()
    assert np.array_equal(y, f(0.7))
    HITS.clear()


def test_a_change_that_values_decide():
    """A function that changes what it holds at another call runs as it is written there."""

    def f(p):
        largest = [p]

        def height(t):
            if p > 1.0:
                largest[0] = t
            return p * t

        return quad(height, 0.0, 1.0)[0] * largest[0]

    c = compiled(f)
    assert c(0.7) == f(0.7)
    with pytest.warns(CompilationWarning, match="`quad` calls changes what it holds"):
        assert c(1.2) == f(1.2)


def test_second_derivatives():
    """They run as they are written, but where a rule is straight-line code itself."""
    agrees(hessian(PROGRAMS["fsolve"]), POINTS)
    with pytest.raises(CompilationError, match="the derivative of `quad` is differentiated again"):
        compiled(hessian(one_in_another), strict=True)(0.7)
    with pytest.warns(CompilationWarning, match="differentiated again"):
        assert compiled(hessian(one_in_another))(0.7) == hessian(one_in_another)(0.7)


def test_for_many():
    """There is no form for many items at once."""
    with pytest.raises(CompilationError, match="a search, `quad`, is run for one item"):
        vectorized(grad(PROGRAMS["args"]))(np.array([0.7, 0.9]))
    rates = np.array([0.7, 0.9])
    agrees(jacobian(lambda p: np.array([quad(decay, 0.0, 1.0, args=(r,))[0] for r in p])), [(rates,)])
