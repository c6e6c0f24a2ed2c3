"""What every rule is checked for: both modes against finite differences, and derivatives of the rule."""

import functools

import numpy as np

from chainrules.ad import ADConfig, call, grad
from chainrules_core import (
    AbstractZero,
    NoTangent,
    Tangent,
    ZeroTangent,
    add_tangents,
    frule,
    rrule,
    unthunk_fully,
)
from chainrules_testutils import (
    PrimalAndTangent,
    TestConfig,
    away_from,
    jvp,
    open_interval,
    rand_tangent,
    test_approx,
    test_frule,
    test_rrule,
)
from chainrules_testutils.comparing.finite_differences import fixed_step
from chainrules_testutils.comparing.kinds import tangent_problems
from chainrules_testutils.comparing.purity import copied
from chainrules_testutils.testers.exercised import record_exercised
from chainrules_testutils.values.parts import leaves


def normal(*shape, dtype=np.float64, seed=0):
    """An array of normally distributed numbers; the real and imaginary parts of complex ones are."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def positive(*shape, dtype=np.float64, seed=0):
    """An array of numbers from 0.5 to 2; of complex ones this is the real part."""
    rng = np.random.default_rng(seed)
    x = rng.uniform(0.5, 2.0, size=shape)
    return (x + 1j * rng.normal(size=shape) if np.dtype(dtype).kind == "c" else x).astype(dtype)


def read_only(x):
    """A copy of an array that cannot be written into."""
    x = x.copy()
    x.flags.writeable = False
    return x


def check_rule(f, *args, **fkwargs):
    """Check both modes of a call in both precisions, for arrays with gaps, and derivatives of the rule.

    Each array is read-only, so that a rule that writes into its arguments fails.
    """
    check_rule_in_double(f, *args, **fkwargs)
    if any(map(_is_precise_array, args)):
        check_quickly(f, *map(_in_single_precision, args), **fkwargs)


def check_rule_in_double(f, *args, **fkwargs):
    """As `check_rule`, where float32 is too coarse to say anything."""
    args = [read_only(x) if type(x) is np.ndarray else x for x in args]
    _check_both_modes(f, args, fkwargs)
    if any(map(_has_several_elements, args)):
        check_quickly(f, *map(_strided, args), **fkwargs)
    if any(map(_is_double, args)) and np.asarray(f(*args, **fkwargs)).dtype in (float, complex):
        check_second_derivative(f, *args, **fkwargs)


def check_quickly(f, *args, **fkwargs):
    """Check both modes, each in one random direction."""
    _check_both_modes(f, args, fkwargs, mode="fast")


def _check_both_modes(f, args, fkwargs, mode="full"):
    """Check both modes, and that no derivative is said to be not implemented.

    The testers have nothing to compare such a derivative with, so that a rule could give up unnoticed.
    """
    for report in (test_frule(f, *args, fkwargs=fkwargs), test_rrule(f, *args, fkwargs=fkwargs, mode=mode)):
        assert report.broken == 0, report
    check_sums(f, *args, **fkwargs)


def check_sums(f, *args, **fkwargs):
    """Check that derivatives by each argument alone add up, and cotangents of each result alone."""
    _check_one_by_one(f, *args, **fkwargs)
    _check_results_apart(f, *args, **fkwargs)


def _check_one_by_one(f, *args, **fkwargs):
    """Check that the derivatives by one argument alone, while the others do not move, add up."""
    tangents = [rand_tangent(x, place) for place, x in enumerate(args)]
    places = [place for place, x_dot in enumerate(tangents) if not isinstance(x_dot, AbstractZero)]
    if len(places) < 2 or any(isinstance(x, PrimalAndTangent) for x in args):
        return

    def pushed(kept):
        dots = (
            x_dot if place in kept or isinstance(x_dot, AbstractZero) else ZeroTangent()
            for place, x_dot in enumerate(tangents)
        )
        _, y_dot = frule(TestConfig(), (NoTangent(), *dots), f, *copied(args), **copied(fkwargs))
        return unthunk_fully(y_dot)

    parts = [pushed({place}) for place in places]
    test_approx(functools.reduce(add_tangents, parts), pushed(places))


def _check_results_apart(f, *args, **fkwargs):
    """Check that the cotangents of several results, each pulled back while the others are zero, add up."""
    y, pullback = rrule(TestConfig(), f, *args, **fkwargs)
    y_bar = rand_tangent(y, 0)
    if type(y_bar) is not Tangent[tuple] or any(isinstance(x, PrimalAndTangent) for x in args):
        return
    parts = tuple(y_bar)
    places = [place for place, part in enumerate(parts) if not isinstance(part, AbstractZero)]
    zeros = (ZeroTangent(),) * len(parts)
    pulled = [pullback(Tangent[tuple](*zeros[:k], parts[k], *zeros[k + 1 :])) for k in places]
    for x_bar, *others in zip(pullback(y_bar), *pulled, strict=True):
        test_approx(functools.reduce(add_tangents, others), x_bar)


def check_real_parts(f, *args, **fkwargs):
    """Check that of a complex cotangent of a real result the real part counts, and so of the arguments'."""
    y, pullback = rrule.unchecked(TestConfig(), f, *args, **fkwargs)  # which does not fit the cotangent
    y_bar = rand_tangent(y, np.random.default_rng(0))
    if any(map(np.iscomplexobj, leaves((args, y)))):
        return
    for x, x_bar, expected in zip(args, pullback((1 + 2j) * y_bar)[1:], pullback(y_bar)[1:], strict=True):
        test_approx(x_bar, expected)
        assert list(tangent_problems(x, x_bar, "it")) == []


def check_kinds(f, *args, **fkwargs):
    """Check both modes with one array complex, and with all but one: a real argument has a real cotangent."""
    for place, x in enumerate(args):
        if _has_several_elements(x):
            alone, beside = list(args), [_off_axis(other, k) for k, other in enumerate(args)]
            alone[place], beside[place] = beside[place], x
            check_quickly(f, *alone, **fkwargs)
            check_quickly(f, *beside, **fkwargs)


def _off_axis(x, seed):
    return x + 0.2j * normal(*x.shape, seed=seed) if _has_several_elements(x) else x


def check_elementwise(f, *domains, complex_numbers=False, **fkwargs):
    """Check a function of numbers on all kinds of number, and on all kinds of array that broadcast.

    Parameters
    ----------
    f
        The function.
    *domains
        For each argument what draws from its domain, called as ``domain(shape, rng)``: such as `anywhere`,
        `within(-0.9, 0.9)`, or `positive` and its like of `chainrules_testutils`.
    complex_numbers
        Whether to check complex numbers too, whose real parts are from the domains.
    **fkwargs
        Keyword arguments of `f`.
    """
    check_rule(f, *_draw(domains, [(3, 1), (4,)]), **fkwargs)
    for args in _other_operands(domains):
        _check_both_modes(f, args, fkwargs)
    if complex_numbers:
        check_rule(f, *map(_moved_off_axis, _draw(domains, [(3,), (3,)])), **fkwargs)
        check_quickly(f, *(complex(_moved_off_axis(x)) for x in _draw(domains, [(), ()])), **fkwargs)


def check_declared(f, *args, **fkwargs):
    """Check what is declared non-differentiable, and is about values that have no tangents, such as text.

    The testers refuse such calls, since there is nothing to differentiate.
    """
    y, pullback = rrule(f, *args, **fkwargs)
    without_tangents = (NoTangent(),) * (len(args) + 1)

    assert all(map(_has_no_tangent, (*args, *fkwargs.values()))) or _has_no_tangent(y), "use the testers"
    assert type(y) is type(f(*args, **fkwargs))
    assert pullback(NoTangent()) == without_tangents
    assert frule(without_tangents, f, *args, **fkwargs)[1] == NoTangent()
    record_exercised(f, rrule.find(f, *args))
    record_exercised(f, frule.find(without_tangents, f, *args))


def _has_no_tangent(x):
    is_of_records = getattr(getattr(x, "dtype", None), "names", None) is not None  # the testers refuse them
    return is_of_records or isinstance(rand_tangent(x, 0), NoTangent)


def anywhere(shape, rng):
    """Normally distributed numbers."""
    return np.asarray(np.random.default_rng(rng).normal(size=shape))


def within(low, high):
    """Draws numbers of an open interval."""
    return functools.partial(open_interval, low, high)


def off(*points):
    """Draws numbers around points that are not too close to them."""
    return functools.partial(away_from, points)


def _draw(domains, shapes):
    return [domain(shape, rng) for rng, (domain, shape) in enumerate(zip(domains, shapes, strict=False))]


def _other_operands(domains):
    """What a function of numbers has to take beside arrays of ordinary shape."""
    all_shapes = ((), ()), ((), (3,)), ((3,), ()), ((0, 3), (1,))  # with arrays without axes, or elements
    for shapes in dict.fromkeys(shapes[: len(domains)] for shapes in all_shapes):
        yield _draw(domains, shapes)
    for convert in (float, np.float64, np.float32):
        yield [convert(x) for x in _draw(domains, [(), ()])]
    if len(domains) > 1:
        x, y = _draw(domains, [(3,), (3,)])
        yield x, float(y[0])
        yield float(x[0]), y
        yield x.astype(np.float32), y
        yield np.float32(x[0]), float(y[0])


def _moved_off_axis(x):
    rng = np.random.default_rng(x.size)
    return x + 1j * rng.uniform(0.3, 1.0, x.shape) * rng.choice([-1.0, 1.0], x.shape)


def check_second_derivative(f, *args, **fkwargs):
    """Compare the gradient of a function of gradients through the rule of `f` with finite differences."""
    places = tuple(place for place, x in enumerate(args) if _is_double(x))
    rng = np.random.default_rng(1)
    weights = rng.normal(size=np.shape(f(*args, **fkwargs)))
    directions, others = ([rng.normal(size=np.shape(args[place])) for place in places] for _ in range(2))

    def squares(*xs):
        moved = list(args)
        for place, x in zip(places, xs, strict=True):
            moved[place] = x
        y = call(f, *moved, **fkwargs)
        return np.sum(np.real(y * y) * weights)

    def derivative_along(*xs):
        gradients = grad(squares, tuple(range(len(xs))))(*xs)
        return sum(np.sum(g * direction) for g, direction in zip(gradients, directions, strict=True))

    xs = [args[place] for place in places]
    actual = grad(derivative_along, tuple(range(len(xs))))(*xs)
    along = sum(np.sum(x_bar * other) for x_bar, other in zip(actual, others, strict=True))
    # A second difference quotient has the errors of two first ones.
    assert_by_differences(
        along,
        lambda method: jvp(method, derivative_along, *zip(xs, others, strict=True)),
        rtol=1e-7,
        atol=1e-7,
    )


def assert_by_differences(actual, difference, **tolerances):
    """Assert that a derivative is a difference, of a fixed step or else of an adapted one, as testers do.

    Parameters
    ----------
    actual
        The derivative.
    difference
        Computes the difference by a method of finite differences.
    **tolerances
        Those of `numpy.testing.assert_allclose`.
    """
    try:
        np.testing.assert_allclose(actual, difference(fixed_step), **tolerances)
    except AssertionError:
        np.testing.assert_allclose(actual, difference(None), **tolerances)


def _is_double(x):
    return isinstance(x, float | np.ndarray) and np.asarray(x).dtype == np.float64


def _is_precise_array(x):
    return isinstance(x, np.ndarray) and x.dtype in (float, complex)


def _in_single_precision(x):
    if not _is_precise_array(x):
        return x
    return x.astype(np.float32 if x.dtype == float else np.complex64)


def _has_several_elements(x):
    return type(x) is np.ndarray and x.size > 1


def _strided(x):
    """The same elements, of which no two are neighbours in memory."""
    return np.stack((x, x), axis=-1)[..., 0] if _has_several_elements(x) else x


def record_rules(f, *args, **named):
    """Note that the rules of a call are tested: by derivatives of programs that make it."""
    record_exercised(f, frule.find(ADConfig(), (None,) * (1 + len(args)), f, *args, **named))
    record_exercised(f, rrule.find(ADConfig(), f, *args, **named))


def check_zeros_are_strong(f, *args, **options):
    """Assert that results which are not finite, and whose cotangents are zero, make no cotangent NaN."""
    with np.errstate(all="ignore"):
        y, pullback = rrule.require(f, *args, **options)
        is_finite = np.isfinite(y)
        assert not np.all(is_finite)
        y_bar = np.where(is_finite, normal(*np.shape(y), dtype=np.asarray(y).dtype), 0.0)[()]
        bars = unthunk_fully(pullback(y_bar))
    assert [
        bar for bar in bars if isinstance(bar, np.ndarray | np.inexact | float) and np.any(np.isnan(bar))
    ] == []
