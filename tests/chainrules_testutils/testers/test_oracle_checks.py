"""A rule against the derivative of a framework: here of one that takes differences over NumPy itself."""

from collections import namedtuple

import numpy as np
import pytest

import chainrules  # noqa: F401 - its rules are compared
from chainrules_core import NoTangent, Tangent, ZeroTangent, frule, not_implemented, scalar_rule, typeof_
from chainrules_core.structured import Diagonal
from chainrules_testutils import PrimalAndTangent, RuleTestError, test_frule, test_rrule, test_scalar
from chainrules_testutils.oracles import Oracle
from tests.chainrules_testutils.oracles.by_differences import ByDifferences

X = np.array([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7]])
TESTERS = [test_rrule, test_frule]

Pair = namedtuple("Pair", "first second")  # noqa: PYI024 - as some functions return


def oracle_of(function):
    """The oracle that is a function of NumPy's arrays."""
    return Oracle(ByDifferences(), function)


def wheres(report):
    """The places of the checks against the oracle."""
    return [check.where for check in report.checks if "against differences" in check.where]


CALLS = {
    "an array": (np.sin, X),
    "a number": (np.sin, 0.5),
    "complex numbers": (np.exp, X + 1j),
    "a function that is not holomorphic": (np.absolute, X + 1j),
    "float32": (np.sin, X.astype(np.float32)),
    "a container": (np.concatenate, [X, 2.0 * X]),
    "several results": (np.linalg.slogdet, X[:, :2] + 1j),
    "results of several types": (np.frexp, 1.1 * X),
    "an integer": (np.power, X + 2.0, 2),
    "an empty array": (np.sum, np.empty((0, 2))),
}


@pytest.mark.parametrize("tester", TESTERS)
@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_right_rules(tester, call):
    """They agree in the results, and in the derivative by each argument that is moved."""
    found = wheres(tester(*call, oracle=oracle_of(call[0])))

    assert any(where.startswith("result") for where in found)
    assert any(where.startswith(("cotangent for input 2", "tangent of the output")) for where in found)


@pytest.mark.parametrize("tester", TESTERS)
def test_integers_with_tangents(tester):
    """An integer that is differentiated is a real number for the framework."""
    report = tester(np.power, 1.5, PrimalAndTangent(2, 0.7), oracle=oracle_of(np.power))
    expected = "cotangent for input 3" if tester is test_rrule else "tangent of the output"
    assert any(where.startswith(expected) for where in wheres(report))


def test_integers_in_containers():
    """They are constants beside the numbers that move."""
    assert wheres(test_frule(np.stack, [2, 1.5], oracle=oracle_of(np.stack)))


@pytest.mark.parametrize("tester", TESTERS)
def test_nothing_to_differentiate(tester):
    """Where no argument is, there is nothing to compare."""
    report = tester(np.arange, 3, oracle=oracle_of(np.arange))

    assert wheres(report) == []


@pytest.mark.parametrize("tester", TESTERS)
def test_zero_tangents(tester):
    """A tangent that is zero is one: the derivative is compared."""
    assert wheres(tester(np.sin, PrimalAndTangent(X, ZeroTangent()), oracle=oracle_of(np.sin)))


@pytest.mark.parametrize("tester", TESTERS)
def test_keywords(tester):
    """The oracle's function gets them too."""
    tester(np.sum, X, fkwargs={"axis": 0}, oracle=oracle_of(np.sum))


def test_every_direction_of_a_number():
    """`test_scalar` compares both modes, in every direction."""
    found = wheres(test_scalar(np.exp, 0.5 + 1j, oracle=oracle_of(np.exp)))

    assert sum("cotangent for input 2" in where for where in found) == 2
    assert sum("tangent of the output" in where for where in found) == 2


def doubled(stencil_of, t):
    """Wrong differences: they are twice the derivative."""
    step = 1e-5
    return (stencil_of(t + step) - stencil_of(t - step)) / step


def twice_rrule(config, f, x):
    """A rule with the same mistake as the differences."""
    return np.sin(x), lambda y_bar: (NoTangent(), 2.0 * np.cos(x) * y_bar)


def twice_frule(config, tangents, f, x):
    """A rule with the same mistake as the differences."""
    return np.sin(x), 2.0 * np.cos(x) * tangents[1]


def test_a_wrong_rule_that_differences_miss():
    """What passes by differences that are wrong in the same way, the oracle finds."""
    options = {"fdm": doubled, "rtol": 1e-6}
    test_rrule(np.sin, X, rrule_f=twice_rrule, **options)
    test_frule(np.sin, X, frule_f=twice_frule, **options)

    oracle = Oracle(Exact(), None)
    with pytest.raises(
        RuleTestError, match=r"1 of .* failed\n.*\n- cotangent for input 2 against exact, index"
    ):
        test_rrule(np.sin, X, rrule_f=twice_rrule, oracle=oracle, **options)
    with pytest.raises(
        RuleTestError, match=r"1 of .* failed\n.*\n- tangent of the output against exact, index"
    ):
        test_frule(np.sin, X, frule_f=twice_frule, oracle=oracle, **options)


class Exact(ByDifferences):
    """A framework of one function, the sine."""

    name = "exact"

    def vjp(self, program, xs):
        """The cosine."""
        return [np.sin(*xs)], lambda y_bars: [np.cos(*xs) * y_bars[0]]

    def jvp(self, program, xs, x_dots):
        """As above."""
        return [np.sin(*xs)], [np.cos(*xs) * x_dots[0]]


@pytest.mark.parametrize("tester", TESTERS)
@pytest.mark.parametrize(
    ("function", "problem"),
    [
        (np.cos, "wrong value"),
        (np.sum, r"shape \(2, 3\), expected \(\)"),
        (lambda x: (np.sin(x), x), "1 numbers or arrays, and 2 of differences"),
    ],
)
def test_other_results(tester, function, problem):
    """Where the results differ, that is the failure; the derivatives are not compared."""
    with pytest.raises(RuleTestError, match="the results differ, so that their derivatives") as caught:
        tester(np.sin, X, oracle=oracle_of(function))
    (failure,) = caught.value.report.failures
    assert failure.where.startswith("result against differences")
    assert problem.replace("\\", "") in failure.message


@pytest.mark.parametrize("tester", TESTERS)
def test_errors_of_a_framework(tester):
    """They are failures, with the framework's words."""

    def refuses(x):
        raise NotImplementedError("no derivative of this")

    with pytest.raises(
        RuleTestError, match="against differences: raised NotImplementedError: no derivative"
    ) as error:
        tester(np.sin, X, oracle=oracle_of(refuses))
    assert isinstance(error.value.__cause__, NotImplementedError)


@pytest.mark.parametrize("tester", TESTERS)
def test_a_function_that_holds_values(tester):
    """The framework's function does not hold them: an error, unless they are left out."""
    scale = np.array([2.0, 3.0])

    def scaled(x):
        return scale * x

    rules = {
        "rrule_f": lambda config, f, x: (scale * x, lambda y_bar: (NoTangent(), scale * y_bar)),
        "frule_f": lambda config, tangents, f, x: (scale * x, scale * tangents[1]),
    }
    name = f"{tester.__name__.removeprefix('test_')}_f"
    options = {name: rules[name], "oracle": oracle_of(lambda x: np.array([2.0, 3.0]) * x)}

    with pytest.raises(RuleTestError, match="the function holds values that are differentiated"):
        tester(scaled, X[0, :2], **options)
    tester(PrimalAndTangent(scaled, NoTangent()), X[0, :2], **options)


@pytest.mark.parametrize("tester", TESTERS)
def test_structured_arrays(tester):
    """No framework has them."""
    with pytest.raises(RuleTestError, match="frameworks have no Diagonal"):
        tester(np.sum, Diagonal(X[0]), oracle=oracle_of(np.sum))


def halves(x):
    """Two results under names, and one in a container."""
    return Pair(x / 2.0, {"rest": [x - x / 2.0]})


@frule.dispatch
def halves_frule(tangents, f: typeof_(halves), x: np.ndarray):
    """Both halves move by half."""
    x_dot = tangents[1] / 2.0
    return halves(x), Tangent[Pair](first=x_dot, second=Tangent[dict]({"rest": Tangent[list](x_dot)}))


def test_named_results_in_containers():
    """They are compared leaf by leaf, the names as NumPy's results have them."""
    found = wheres(test_frule(halves, X, oracle=oracle_of(halves)))

    assert "tangent of the output against differences, field first" in found
    assert sum(where.startswith("result") for where in found) == 2


def half_known(x, n):
    """A function whose derivative by one argument nobody has worked out."""
    return x * n


scalar_rule(half_known, lambda y, x, n: (n, not_implemented("not yet")))


def test_derivatives_that_are_not_implemented():
    """They are broken against the oracle, as against differences."""
    report = test_rrule(half_known, 2.0, 3.0, oracle=oracle_of(half_known))

    assert any(check.where == "cotangent for input 3 against differences" for check in report.checks)
    assert report.failed == 0
