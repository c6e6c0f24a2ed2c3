"""The rules of `math`, against finite differences, and their conventions where there is no derivative."""

import math

import numpy as np
import pytest

from chainrules.ad import call, grad, hvp
from chainrules_core import NoTangent, contains_nan, frule, rrule, unthunk_fully
from chainrules_testutils import test_frule, test_rrule
from chainrules_testutils.values.parts import leaves
from tests.chainrules.container_checks import check_both_modes
from tests.chainrules.rule_checks import check_real_parts, check_rule, normal

EVERYWHERE = (-1.7, 0.4, 2.3)
POSITIVE = (0.3, 1.0, 7.5)
INSIDE = (-0.9, 0.1, 0.6)

DOMAINS = {
    **dict.fromkeys((math.exp, math.exp2, math.expm1, math.sin, math.cos, math.tan, math.atan), EVERYWHERE),
    **dict.fromkeys((math.sinh, math.cosh, math.tanh, math.asinh, math.degrees, math.radians), EVERYWHERE),
    **dict.fromkeys((math.erf, math.erfc, math.fabs, math.cbrt), EVERYWHERE),
    **dict.fromkeys((math.log, math.log10, math.log1p, math.log2, math.sqrt), POSITIVE),
    **dict.fromkeys((math.asin, math.acos, math.atanh), INSIDE),
    **dict.fromkeys((math.gamma, math.lgamma), (0.3, 2.5, -1.4)),
    math.acosh: (1.2, 3.0, 50.0),
}


@pytest.mark.parametrize(("f", "x"), [(f, x) for f, xs in DOMAINS.items() for x in xs])
def test_functions_of_one_number(f, x):
    """Each function within its domain, on Python's floats and NumPy's."""
    check_rule(f, x)
    check_real_parts(f, x)
    test_rrule(f, np.float64(x))


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (math.log, (3.0, 2.5)),
        (math.pow, (1.5, 2.5)),
        (math.pow, (1.5, -2)),
        (math.atan2, (1.0, -2.0)),
        (math.atan2, (-1.0, 0.5)),
        (math.hypot, (3.0, -4.0)),
        (math.hypot, (1.0, 2.0, -3.0)),
        (math.hypot, (-2.0,)),
        (math.fmod, (7.3, 2.1)),
        (math.fmod, (-7.3, 2.1)),
        (math.remainder, (7.3, 2.1)),
        (math.remainder, (-6.3, -2.1)),
        (math.copysign, (-1.5, 2.0)),
        (math.copysign, (1.5, -2.0)),
        (math.nextafter, (1.5, 2.0)),
        (math.ldexp, (1.5, 3)),
        (math.ldexp, (1.5, -3)),
    ],
)
def test_functions_of_several_numbers(f, args):
    """Each by all of its arguments."""
    check_rule(f, *args)
    check_real_parts(f, *args)


@pytest.mark.parametrize("f", [math.modf, math.frexp])
@pytest.mark.parametrize("x", [2.3, -1.7, 0.1])
def test_parts_of_a_number(f, x):
    """The fraction and the mantissa vary, the whole part and the exponent are constant between jumps."""
    check_both_modes(f, x)


@pytest.mark.parametrize("xs", [[1.5, -2.0, 3.0], (1.5,), [], normal(4)])
@pytest.mark.parametrize("f", [math.fsum, math.prod])
def test_sums_and_products(f, xs):
    """Of lists, tuples and arrays, some of them empty."""
    check_both_modes(f, xs)


def test_product_from_a_start():
    """By keyword only, so that it is a constant."""
    check_both_modes(math.prod, [1.5, 2.0], start=3.0)


@pytest.mark.parametrize("zeros", [[0.0, 2.0, 3.0], [0.0, 2.0, 0.0]])
def test_products_with_zeros(zeros):
    """No division by the factor that is left out."""
    check_both_modes(math.prod, zeros)


def test_complex_products():
    """The pullback multiplies by the conjugates of the other factors."""
    check_both_modes(math.prod, [1.0 + 2.0j, 3.0 - 1.0j, 0.5])
    check_both_modes(math.prod, [0.0, 3.0 - 1.0j, 2.0j])
    check_both_modes(math.prod, normal(3) + 1j)
    check_both_modes(math.prod, [1.5, 2.0], start=2.0 - 1.0j)


@pytest.mark.parametrize(
    ("p", "q"), [([1.0, 2.0], [4.0, -2.0]), ((1.0,), [3.0]), (normal(3), (1.0, 2.0, 3.0))]
)
def test_dist(p, q):
    """Points are sequences of any kind."""
    check_both_modes(math.dist, p, q)


@pytest.mark.skipif(not hasattr(math, "sumprod"), reason="since Python 3.12")
def test_sumprod():
    """The inner product."""
    check_both_modes(math.sumprod, [1.0, 2.0], [3.0, 4.0])
    check_both_modes(math.sumprod, [1.0, 2.0j], [3.0 + 1.0j, 4.0])


@pytest.mark.skipif(not hasattr(math, "fma"), reason="since Python 3.13")
def test_fma():
    """A product and a sum."""
    check_rule(math.fma, 1.5, 2.5, 3.5)


@pytest.mark.parametrize(
    ("f", "args"),
    [
        *((f, (2.3,)) for f in (math.ceil, math.floor, math.trunc, math.isfinite, math.isinf, math.isnan)),
        *((f, (4,)) for f in (math.factorial, math.isqrt)),
        *((f, (6, 4)) for f in (math.comb, math.perm, math.gcd, math.lcm)),
        (math.isclose, (1.5, 1.6)),
        (math.ulp, (1.5,)),
    ],
)
def test_no_derivative(f, args):
    """Integers, truth values, and what is constant between jumps."""
    test_frule(f, *args)
    test_rrule(f, *args)


# --- Points without a derivative ---------------------------------------------------------------------------


def slopes(f, *args):
    """The cotangents of the arguments."""
    return rrule(f, *args)[1](1.0)[1:]


def test_kinks():
    """The mean of the slopes on both sides."""
    assert slopes(math.fabs, 0.0) == (0.0,)
    assert slopes(math.copysign, 0.0, 2.0)[0] == 0.0
    assert slopes(math.hypot, 0.0, 0.0) == (0.0, 0.0)
    assert slopes(math.atan2, 0.0, 0.0) == (0.0, 0.0)
    assert list(rrule(math.dist, [1.0, 2.0], [1.0, 2.0])[1](1.0)[1]) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("f", "x", "slope"),
    [
        (math.sqrt, 0.0, math.inf),
        (math.cbrt, 0.0, math.inf),
        (math.asin, 1.0, math.inf),
        (math.acos, -1.0, -math.inf),
        (math.acosh, 1.0, math.inf),
    ],
)
def test_infinite_slopes(f, x, slope):
    """They are infinite, no error; and a zero tangent is a strong zero."""
    assert slopes(f, x) == (slope,)
    assert grad(lambda x: call(f, x))(x) == slope
    assert frule((NoTangent(), 0.0), f, x)[1] == 0.0


def test_powers_at_zero_and_of_negative_numbers():
    """The conventions of `operator.pow`."""
    assert slopes(math.pow, 0.0, 0.5)[0] == math.inf
    assert slopes(math.pow, 0.0, 0.0)[0] == 0.0
    assert slopes(math.pow, 0.0, 2.0) == (0.0, 0.0)
    assert slopes(math.pow, -2.0, 3.0) == pytest.approx((12.0, -8.0 * math.log(2)))


@pytest.mark.parametrize("scale", [1e-200, 1e200])
def test_atan2_neither_overflows_nor_underflows(scale):
    """The slopes are those at ordinary numbers, scaled."""
    assert slopes(math.atan2, scale, scale) == pytest.approx((0.5 / scale, -0.5 / scale))


def test_whole_quotients():
    """Where the quotient is whole: 1, and less the quotient."""
    assert slopes(math.fmod, 6.0, 2.0) == (1.0, -3.0)
    assert slopes(math.remainder, 6.0, 2.0) == (1.0, -3.0)


def test_traced_values_reach_math():
    """`call` differentiates, also twice, what `math` itself would refuse."""
    assert grad(grad(lambda x: call(math.lgamma, x)))(1.0) == pytest.approx(math.pi**2 / 6)
    assert grad(lambda x: call(math.fsum, [x, 2 * x, 1.0]))(1.0) == 3.0


@pytest.mark.parametrize("f", [math.erf, math.erfc], ids=lambda f: f.__name__)
@pytest.mark.parametrize("x", [-math.inf, math.inf])
def test_second_derivatives_of_the_error_function_at_infinity(f, x):
    """They are zero."""
    assert hvp(f, x, 1.0) == 0.0


@pytest.mark.parametrize("x", [math.nan, math.inf])
def test_undefined_results_that_nothing_depends_on(x):
    """Their zero cotangents are strong."""
    for f, args in (
        (math.hypot, (x, 1.0)),
        (math.prod, ([x, 0.0, 2.0],)),
        (math.dist, ([x, 0.0], [0.0, 1.0])),
    ):
        y, pullback = rrule.require(f, *args)
        assert not math.isfinite(y)
        bars = unthunk_fully(pullback(0.0))
        assert not any(map(contains_nan, leaves(bars)))
