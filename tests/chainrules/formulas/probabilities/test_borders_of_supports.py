"""Derivatives of densities at an end of their support, which are those from within."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, jvp
from chainrules.formulas.probabilities.borders_of_supports import slope_at_end

AT_ENDS = {  # shapes, end, and the sign of the way into the support
    "gamma": ((2.0,), 0.0, 1.0),
    "beta": ((2.0, 3.0), 0.0, 1.0),
    "beta of 1 and 2": ((1.0, 2.0), 1.0, -1.0),
    "triang": ((0.3,), 1.0, -1.0),
    "rayleigh": ((), 0.0, 1.0),
    "weibull_max": ((2.0,), 0.0, -1.0),
    "genpareto": ((-0.5,), 2.0, -1.0),
    "genextreme": ((0.5,), 2.0, -1.0),
    "argus": ((1.0,), 0.0, 1.0),
    "chi2": ((4.0,), 0.0, 1.0),
}


@pytest.mark.parametrize("name", AT_ENDS)
def test_one_sided_derivatives(name):
    """By the argument, the location and the scale; by shapes that move the end with the density."""
    shapes, end, inwards = AT_ENDS[name]
    distribution = getattr(stats, name.split()[0])
    loc, scale = (0.0, 1.0) if end else (0.5, 2.0)
    x = loc + scale * end

    def slope(f, sign):  # of second order, from the one side
        h = sign * 1e-5
        return (4.0 * f(h) - f(2.0 * h)) / (2.0 * h)

    by_x, by_loc, by_scale = grad(distribution.pdf, argnums=[0, -2, -1])(x, *shapes, loc, scale)
    outwards = np.sign(-inwards * end) or 1.0
    assert by_x == pytest.approx(slope(lambda h: distribution.pdf(x + h, *shapes, loc, scale), inwards), 1e-6)
    assert by_loc == -by_x
    moved = slope(lambda h: distribution.pdf(x, *shapes, loc, scale + h), outwards)
    assert by_scale == pytest.approx(moved, 1e-6, 1e-9)
    assert jvp(lambda x: distribution(*shapes, loc, scale).pdf(x), (np.array([x]),), (np.ones(1),))[1] == by_x


@pytest.mark.parametrize(("name", "c", "sign"), [("genpareto", -0.5, 1.0), ("genextreme", 0.5, -1.0)])
def test_ends_that_shapes_move(name, c, sign):
    """The density rises where the end goes away."""
    pdf = getattr(stats, name).pdf
    moved = pdf(2.0, c + sign * 1e-5) * sign / 1e-5
    assert grad(lambda c: pdf(2.0, c))(c) == pytest.approx(moved, 1e-3)


def test_infinite_slopes_and_none():
    """By the power with which the density begins; what does not move has none."""
    by_x, by_scale, by_c = grad(stats.weibull_min.pdf, argnums=[0, -1, 1])(0.0, 1.5, 0.0, 1.0)
    assert (by_x, by_scale, by_c) == (np.inf, 0.0, 0.0)
    x = np.array([-1.0, -(2.0**0.5), 2.0**0.5, 1.0])
    bars = grad(lambda x: np.sum(stats.semicircular.pdf(x / 2.0**0.5)))(x)
    np.testing.assert_array_equal(np.isinf(bars), [False, True, True, False])
    assert np.all(bars[:2] > 0.0)
    assert np.all(bars[2:] < 0.0)
    assert (
        grad(lambda x: stats.gamma.pdf(x, 3.5))(0.0) == grad(lambda x: stats.gamma.pdf(x, 2.0))(-1.0) == 0.0
    )


def test_second_order():
    """By the argument it is not known, and says so; by shapes it is, and other points do not mind."""
    assert np.isnan(grad(grad(lambda x: stats.gamma.pdf(x, 2.0)))(0.0))
    x = np.array([0.0, 0.4])
    bars = grad(lambda x: np.sum(grad(lambda x: np.sum(stats.gamma.pdf(x, 2.0)))(x)))(x)
    assert bars[1] == pytest.approx(grad(grad(lambda x: stats.gamma.pdf(x, 2.0)))(0.4))
    slope = grad(stats.beta.pdf)  # b (b + 1) at 0
    assert grad(lambda b: slope(0.0, 2.0, b))(3.0) == pytest.approx(7.0)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("end", [0.0, 1.0])
def test_precision(dtype, end):
    """As far as that of the numbers goes."""
    found = slope_at_end(
        lambda z: np.abs(z - dtype(end)) * np.exp(z), lambda z: 1.0 / (z - dtype(end)) + 1.0, dtype(end), 1.0
    )
    assert found == pytest.approx(np.exp(end), 10.0 * float(np.finfo(dtype).eps) ** 0.5)


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("name", "shapes", "x", "inwards"),
    [
        ("expon", (), 0.0, 1.0),
        ("uniform", (), 1.0, -1.0),
        ("truncexpon", (2.0,), 2.0, -1.0),
        ("truncnorm", (-1.0, 2.0), -1.0, 1.0),
        ("gamma", (3.0,), 0.0, 1.0),
    ],
)
def test_probabilities(name, shapes, x, inwards):
    """Their derivatives are the limits of those within, where the result is finite; by `x` the density."""
    instance = getattr(stats, name)
    places = tuple(range(3 + len(shapes)))
    for method in ("cdf", "sf", "logsf" if inwards > 0 else "logcdf"):
        slopes = grad(getattr(instance, method), argnums=places)
        within = slopes(x + 1e-12 * inwards, *shapes, 0.0, 1.0)
        np.testing.assert_allclose(slopes(x, *shapes, 0.0, 1.0), within, rtol=1e-9, atol=1e-9)
    points = np.array([x, x - inwards, x + 0.1 * inwards])
    np.testing.assert_allclose(
        grad(lambda x: np.sum(instance.cdf(x, *shapes)))(points), instance.pdf(points, *shapes), rtol=1e-12
    )
    assert grad(grad(lambda x: -instance.sf(x, *shapes)))(x) == grad(lambda x: instance.pdf(x, *shapes))(x)
