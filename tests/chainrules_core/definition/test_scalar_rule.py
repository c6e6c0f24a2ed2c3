# ruff: noqa: D101 - stand-ins document nothing, and need not use what they take
"""`scalar_rule`: what it defines, for the values that its generated path is for, and what it refuses."""

import inspect
import itertools
import traceback
from numbers import Number

import numpy as np
import pytest

from chainrules_core import (
    HasReverseMode,
    NoTangent,
    RuleConfig,
    RuleDefinitionError,
    ZeroTangent,
    derivatives_given_output,
    frule,
    primitive,
    rrule,
    scalar_rule,
    thunk,
)
from tests.chainrules.shortcut_checks import assert_same, cotangents, variants

NT, ZERO = NoTangent(), ZeroTangent()


class Config(RuleConfig[HasReverseMode]):
    pass


@pytest.fixture
def square():
    """A function of one number, with its rules."""

    def square(x):
        return x * x

    scalar_rule(square, lambda y, x: 2 * x)
    return square


@pytest.fixture
def product():
    """A function of two numbers, with its rules."""

    def product(x, y):
        return x * y

    @scalar_rule(product)
    def _(z, x, y):
        return y, x

    return product


def test_defines_both_rules_and_the_partials(square, product):
    """One definition gives `frule`, `rrule` and `derivatives_given_output`, through configurations too."""
    for config in ((), (Config(),)):
        y, pullback = rrule(*config, square, 3.0)
        assert (y, pullback(2.0)) == (9.0, (NT, 12.0))
        assert frule(*config, (NT, 2.0), square, 3.0) == (9.0, 12.0)
        z, pullback = rrule(*config, product, 3.0, 4.0)
        assert (z, pullback(2.0)) == (12.0, (NT, 8.0, 6.0))
        assert frule(*config, (NT, 1.0, 10.0), product, 3.0, 4.0) == (12.0, 34.0)
    assert derivatives_given_output(12.0, product, 3.0, 4.0) == ((4.0, 3.0),)


def test_ufuncs_take_arrays_too(square):
    """Unless annotations say otherwise; other functions take numbers."""
    ufunc = np.frompyfunc(square, 1, 1)
    scalar_rule(ufunc, lambda y, x: 2 * x)

    for x in (3.0, np.ones(2)):
        assert rrule.find(ufunc, x) is not None
        assert (rrule.find(square, x) is not None) is (np.ndim(x) == 0)


def test_decorator_returns_the_partials_and_the_call_nothing():
    """The decorated function stays what it was; a call returns nothing."""

    def partials(y, x):
        return 1.0

    def one(x): ...
    def other(x): ...

    assert scalar_rule(one)(partials) is partials
    assert scalar_rule(other, partials) is None


def test_defines_only_what_is_asked_for():
    """A rule for numbers and one for strings are two rules, and there is none for lists."""

    def cool(x):
        return x + 1 if isinstance(x, Number) else x + "!"

    scalar_rule(cool, lambda y, x: 1.0)

    @scalar_rule(cool)
    def _(y, x: str):
        return ZERO

    assert [method.name for method in rrule.methods(cool)].count("cool_rrule") == 2
    assert rrule(cool, "a")[0] == "a!"
    assert rrule(cool, 1.0)[0] == 2.0
    assert rrule(cool, [1.0]) is None


def test_annotations_constrain_arguments():
    """Annotations of the partials, strings included, say which arguments the rule is for."""

    class Local(float): ...

    def foo(x, y):
        return x

    @scalar_rule(foo)
    def _(z, x: complex, y: "Local"):
        return 1.0, 0.0

    assert rrule(foo, 1j, Local())[0] == 1j
    assert rrule(foo, 1.0, Local()) is rrule(foo, 1j, 1.0) is None


@pytest.mark.parametrize("x", [3.0, np.float64(3), np.float32(3), 3, np.int64(3), np.array(3.0)])
@pytest.mark.parametrize("tangent", [2.0, np.float64(2), thunk(lambda: 2.0)])
def test_values_are_those_of_a_rule_by_hand(x, tangent):
    """All kinds of real number and all kinds of tangent give the same numbers."""

    def cube(x):
        return x * x * x

    @scalar_rule(cube)
    def _(y, x: Number | np.ndarray):
        return 3 * x * x

    y, pullback = rrule(cube, x)
    f_bar, x_bar = pullback(tangent)
    assert (y, f_bar, x_bar) == (27, NT, 54.0)
    assert frule((NT, tangent), cube, x) == (27, 54.0)


def smooth(x):
    """Of one argument, with an infinite slope at 0."""
    return np.sqrt(np.abs(x)) * x


@scalar_rule(smooth)
def _(y, x: Number | np.ndarray):
    return 1.5 * y / x


def ratio(x, y):
    """Of two arguments."""
    return x / y


@scalar_rule(ratio)
def _(z, x: Number | np.ndarray, y: Number | np.ndarray):
    return 1 / y, -z / y


OPERANDS = [*variants(), *variants((2, 4))[:3], 1.5, np.float64(-0.5), np.float32(0.25), 2, 1.0 + 2.0j, 0.0]
PAIRS = [(x, y) for x, y in itertools.product(OPERANDS, OPERANDS) if not (x is y or np.ndim(y) == 0 == y)]


@pytest.mark.at_length
@pytest.mark.parametrize(("f", "calls"), [(smooth, [(x,) for x in OPERANDS]), (ratio, PAIRS)])
def test_generated_shortcuts_give_what_the_general_rule_gives(f, calls):
    """In both modes, for numbers and arrays of all kinds, with tangents of all kinds."""
    for xs in calls:
        with np.errstate(all="ignore"):
            y, pullback = rrule.unchecked(f, *xs)
            general = rrule.find(f, *xs).function.__globals__["rule"]
            for y_bar in cotangents(y):
                where = f"{f.__name__}{xs} pulled by {y_bar!r}"
                expected = general.pull(y, xs, y_bar)
                for x_bar, general_bar in zip(pullback(y_bar)[1:], expected[1:], strict=True):
                    assert_same(*_numbers(x_bar, general_bar), where)
            dots = ([dot for dot in cotangents(x) if np.shape(dot) in {np.shape(x), ()}] for x in xs)
            for x_dots in itertools.zip_longest(*dots, fillvalue=ZERO):
                _, y_dot = frule.unchecked((NT, *x_dots), f, *xs)
                expected = general.push(y, xs, x_dots)
                where = f"{f.__name__}{xs} pushed by {x_dots!r}"
                assert_same(*_numbers(y_dot, expected), where)


def _numbers(short, general):
    """Python's numbers are as good as NumPy's, in double precision, and any NaN is."""
    are_nan = all(isinstance(x, np.number) and np.isnan(x) for x in (np.asarray(short)[()], general))
    if are_nan or (isinstance(short, float | complex) and isinstance(general, float | complex)):
        return complex(short), complex(general)
    return short, general


def test_true_is_the_identity():
    """The partial `True` is a general one, as in Julia."""

    def identity(x):
        return x

    scalar_rule(identity, lambda y, x: True)
    for x in (2.0, np.float32(2), 2j):
        _, x_bar = rrule(identity, x)[1](x)
        assert (x_bar, type(x_bar)) == (x, type(x))
        assert frule((NT, x), identity, x)[1] == x


def test_self_tangent_is_ignored(square):
    """The tangent of the function itself does not count forwards, and is `NoTangent()` in reverse."""
    assert frule((ZERO, 2.0), square, 3.0) == frule((NT, 2.0), square, 3.0) == (9.0, 12.0)


def test_pullback_may_be_called_repeatedly(square):
    """The pullback keeps nothing between calls, and does not call the primal."""
    _, pullback = rrule(square, 3.0)
    assert [pullback(y_bar)[1] for y_bar in (1.0, 2.0, 1.0)] == [6.0, 12.0, 6.0]


def test_names_of_generated_code(square):
    """Rules and pullbacks are named after the primal."""
    assert [m for m in rrule.methods(square) if m.function.__name__ == "square_rrule"]
    assert rrule.unchecked(square, 3.0)[1].__name__ == "square_pullback"
    with pytest.raises(TypeError) as caught:
        rrule.unchecked(square, 3.0)[1]("text")
    assert "square_pullback" in "".join(traceback.format_exception(caught.value))


def test_rule_stands_where_it_was_defined():
    """The place of the rules is the line of `scalar_rule`, in `explain` too."""

    def foo(x): ...

    scalar_rule(foo, lambda y, x: 1.0)
    line = inspect.currentframe().f_lineno - 1
    for table in (rrule, frule, derivatives_given_output):
        (method,) = [m for m in table.methods(foo) if m.name.startswith("foo")]
        assert method.location.endswith(f"test_scalar_rule.py:{line}")


def test_infinite_slope_is_no_error():
    """Python's numbers raise ZeroDivisionError, but the slope of a logarithm at 0 is infinite."""

    def entropy(x):
        return x

    scalar_rule(entropy, lambda y, x: 1 / x)
    assert rrule(entropy, 0.0)[1](2.0) == (NT, np.inf)
    assert frule((NT, 2.0), entropy, 0.0) == (0.0, np.inf)


def test_error_of_the_partials_is_raised(square):
    """What the partials raise reaches the caller."""

    def foo(x):
        return x

    def partials(y, x):
        raise ValueError("mine")

    scalar_rule(foo, partials)
    with pytest.raises(ValueError, match="mine"):
        rrule(foo, 1.0)[1](1.0)
    with pytest.raises(ValueError, match="mine"):
        frule((NT, 1.0), foo, 1.0)


def test_constructor_and_primitive_as_primals():
    """A class may be a primal, and a primitive stands for its function."""

    class Length(float): ...

    scalar_rule(Length, lambda y, x: 1.0)
    assert rrule(Length, 2.0)[1](3.0) == (NT, 3.0)

    @primitive
    def double(x):
        return 2 * x

    scalar_rule(double, lambda y, x: 2.0)
    assert rrule(double, 2.0)[0] == 4.0


def test_closure_over_functions_and_settings_is_allowed():
    """What a closure holds is in the way only if it could have a tangent."""
    calls = []

    def local(x):
        calls.append(later)
        return x

    scalar_rule(local, lambda y, x: 1.0)
    later = 1
    assert rrule(local, 2.0)[1](1.0) == (NT, 1.0)
    assert calls == [later]


@pytest.mark.parametrize(
    ("primal", "partials", "message"),
    [
        (3, lambda y, x: 1.0, "this int is not a function"),
        (max, lambda: 1.0, "takes the result and each argument by position"),
        (max, lambda y: 1.0, "takes the result and each argument by position"),
        (max, lambda y, *xs: 1.0, "takes the result and each argument by position"),
        (max, lambda y, *, x: 1.0, "takes the result and each argument by position"),
        (max, lambda y, x, *, z=0: 1.0, "takes the result and each argument by position"),
        (max, lambda y, x, **named: 1.0, "takes the result and each argument by position"),
        (
            np.copysign,
            lambda y, x: 1.0,
            "copysign has 2 arguments, so the partial .* function of 3.*not of 2",
        ),
    ],
)
def test_partials_of_the_wrong_number_are_refused(primal, partials, message):
    """What can be known about the partials is checked when the rule is defined."""
    refuses(primal, partials, message)


def test_annotation_that_is_no_type_is_refused():
    """The annotations of the partials are checked before the first of the rules is registered."""

    def partials(y, x: "no_such_name"): ...  # noqa: F821 - the point

    refuses(max, partials, "'no_such_name' is a string that cannot be evaluated")


def refuses(primal, partials, message):
    """The definition fails at its place with a message, and registers nothing."""
    tables = (rrule, frule, derivatives_given_output)
    before = [(table.methods(), table.callees()) for table in tables]
    with pytest.raises(RuleDefinitionError, match=message) as caught:
        scalar_rule(primal, partials)
    assert "test_scalar_rule.py:" in str(caught.value)
    assert [(table.methods(), table.callees()) for table in tables] == before


@pytest.mark.parametrize(
    "use", [lambda f: rrule(f, 1.0, 2.0)[1](1.0), lambda f: frule((NT, 1.0, 1.0), f, 1.0, 2.0)]
)
@pytest.mark.parametrize(
    ("partials", "got"), [(1.0, "a float"), ((1.0,), "a tuple of 1"), ((1.0,) * 3, "a tuple of 3")]
)
def test_tuple_of_the_wrong_length(partials, got, use):
    """Partials that do not fit the arguments are an error that says what was expected, and where."""

    def foo(x, y):
        return x

    scalar_rule(foo, lambda z, x, y: partials)
    with pytest.raises(
        RuleDefinitionError,
        match=rf"scalar_rule.py:\d+: the partial derivatives are {got}, but should be a tuple of 2",
    ):
        use(foo)


def test_wrong_number_of_results():
    """For several results there is one tuple for each."""

    def foo(x):
        return x, x

    scalar_rule(foo, lambda z, x: (1.0,))
    with pytest.raises(RuleDefinitionError, match="should be one tuple for each of the 2 results"):
        frule((NT, 1.0), foo, 1.0)
