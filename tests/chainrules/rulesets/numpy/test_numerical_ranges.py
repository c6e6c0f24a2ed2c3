"""The rules of ranges of numbers, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import NoTangent, Tangent, frule, rrule
from tests.chainrules.rule_checks import check_quickly, check_rule, normal, positive
from tests.chainrules.several_array_checks import check_several

ENDS = [
    (0.5, 2.0),
    (normal(2), 2.0),
    (normal(2, 1), normal(2)),
    (0.5 + 1j, 2.0 - 1j),
    (np.float32(0.5), np.float32(2.0)),
]
OPTIONS = [{"num": 3}, {"num": 3, "endpoint": False}, {"num": 1}, {"num": 0}, {"num": 2, "axis": -1}]


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
@pytest.mark.parametrize("ends", ENDS)
def test_linspace(ends, options):
    """Between numbers and between arrays that broadcast."""
    check_rule(np.linspace, *ends, **options)


def test_linspace_by_position_and_with_the_step():
    """The step is a second result, which depends on both ends."""
    check_rule(np.linspace, 0.5, 2.0, 4, False)
    check_several(np.linspace, 0.5, 2.0, 4, True, True)
    check_several(np.linspace, normal(2), normal(2, seed=1), 4, endpoint=False, retstep=True)


@pytest.mark.parametrize("num", [0, 1])
def test_the_step_of_one_number_is_nan(num):
    """There is none, of no number either, and its cotangent reaches neither end."""
    (y, step), pullback = rrule(np.linspace, 0.5, 2.0, num, True, True)

    assert (y.tolist(), np.isnan(step)) == ([0.5] * num, True)
    assert pullback(Tangent[tuple](np.ones(num), 10.0))[1:3] == (float(num), 0.0)


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
@pytest.mark.parametrize(
    "ends", [(0.5, 2.0), (positive(2), 2.0), (positive(2, 1), positive(2)), (0.5 + 1j, 1.0 - 1j)]
)
def test_logspace(ends, options):
    """Powers of ten, and of other bases."""
    check_rule(np.logspace, *ends, **options)
    check_rule(np.logspace, *ends, **options, base=2.5)


def test_logspace_by_base():
    """The base is an argument like any other."""
    check_rule(np.logspace, 0.5, 2.0, 4, True, 2.5)
    check_rule(np.logspace, 0.5, positive(2), 4, False, 2.5)
    check_rule(np.logspace, 0.5, 2.0, 3, True, positive(2))
    check_rule(np.logspace, 0.5, 2.0, 4, True)  # the base is the next of the options
    assert grad(lambda base: np.sum(np.logspace(0.0, 2.0, 3, base=base)))(3.0) == pytest.approx(7.0)


@pytest.mark.parametrize("options", OPTIONS, ids=repr)
@pytest.mark.parametrize(
    "ends",
    [(0.5, 200.0), (-0.5, -200.0), (positive(2), 20.0), (positive(2, 1), positive(2)), (0.5 + 1j, 2.0 - 1j)],
)
def test_geomspace(ends, options):
    """Between numbers of the same sign, and complex ones."""
    check_rule(np.geomspace, *ends, **options)
    check_rule(np.geomspace, *ends, options["num"])


@pytest.mark.parametrize(
    "ends",
    [(4.6,), (0.5, 2.1), (0.5, 2.1, 0.3), (2.0, 0.1, -0.4), (2, 7, 1.5), (np.float32(0.5), np.float32(3))],
)
def test_arange(ends):
    """The elements depend on the start and on the step, not on where they stop."""
    check_rule(np.arange, *ends)


def test_arange_of_integers():
    """Nothing to differentiate."""
    y, pullback = rrule(np.arange, 2, 7, 2)

    assert y.tolist() == [2, 4, 6]
    assert pullback(NoTangent()) == (NoTangent(),) * 4
    assert frule((NoTangent(),) * 3, np.arange, 2, 7)[1] is NoTangent()


@pytest.mark.parametrize("f", [np.linspace, np.logspace, np.geomspace], ids=lambda f: f.__name__)
def test_integers_have_no_derivative(f):
    """Numbers that are cut to integers are constant between jumps."""
    tangents = (NoTangent(), 1.0, 1.0)

    assert frule(tangents, f, 1.0, 4.0, num=3, dtype=int)[1] is NoTangent()
    assert frule(tangents, f, 1.0, 4.0, num=3, dtype=np.float32)[1].dtype == np.float32


def test_the_step_has_a_derivative_where_the_numbers_have_none():
    """They are two results."""
    _, (y_dot, step_dot) = frule(
        (NoTangent(), 1.0, 2.0), np.linspace, 1.0, 4.0, num=3, retstep=True, dtype=int
    )

    assert (y_dot, step_dot) == (NoTangent(), 0.5)


@pytest.mark.parametrize("f", [np.linspace, np.logspace, np.geomspace], ids=lambda f: f.__name__)
def test_numbers_without_options(f):
    """There are fifty."""
    check_quickly(f, 0.5, 2.0)
