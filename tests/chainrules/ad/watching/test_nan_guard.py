"""Finding the operation that a NaN comes from."""

import math
import threading
from pathlib import Path

import numpy as np
import pytest

from chainrules.ad import NotANumberError, checkpoint, debug_nans, grad, hvp, jacobian, jvp, vjp
from chainrules_core import (
    ChainRulesError,
    InplaceableThunk,
    NoTangent,
    RuleNotFoundError,
    Tangent,
    frule,
    primitive,
    rrule,
    thunk,
    typeof_,
)

HERE = Path(__file__)


def line_with(text):
    """The line of this file that ends with a comment."""
    lines = HERE.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if line.endswith(f"# {text}"))


def assert_tells(error, *parts):
    """The message holds each of the parts."""
    assert [part for part in parts if part not in str(error.value)] == []


def logarithm(x):
    """NaN for arguments below one."""
    y = x * 2.0
    z = np.log(x - 1.0)  # here is the logarithm
    return np.sum(y * z)


@pytest.mark.parametrize("differentiate", [lambda f, x: grad(f)(x), lambda f, x: jvp(f, (x,), (x,))])
def test_value(differentiate):
    """The first value that is NaN is told, with the function, its arguments and the line."""
    with debug_nans(), pytest.raises(NotANumberError) as error:
        differentiate(logarithm, np.array([0.5, 2.0]))

    place = f"{HERE}:{line_with('here is the logarithm')}"
    assert_tells(error, "The value of numpy.log became NaN", place, "float64[2] from -0.5 to 1")
    assert isinstance(error.value, ChainRulesError)
    assert isinstance(error.value, FloatingPointError)


def test_nothing_is_told_of_numbers():
    """Where there is no NaN the derivatives are what they are."""
    x = np.array([1.5, 2.0])
    with debug_nans():
        gradient, (value, tangent) = grad(logarithm)(x), jvp(logarithm, (x,), (x,))

    assert np.array_equal(gradient, grad(logarithm)(x))
    assert (value, tangent) == jvp(logarithm, (x,), (x,))


# --- Backwards -----------------------------------------------------------------------------------


@primitive
def bad(x, y):
    """A product whose derivatives by `y` are wrong."""
    return x * y


def zero_over_zero(x_bar):
    """NaN, for any finite argument."""
    return x_bar * np.inf * 0.0


@rrule.dispatch
def bad_rrule(f: typeof_(bad), x: object, y: object):
    """The cotangent of `y` is NaN."""
    return x * y, lambda z_bar: (NoTangent(), z_bar * y, zero_over_zero(z_bar))


@frule.dispatch
def bad_frule(tangents, f: typeof_(bad), x: object, y: object):
    """The tangent is NaN."""
    return x * y, zero_over_zero(tangents[1])


def test_cotangent():
    """Backwards the argument is told, and the line of the call."""

    def f(x):
        y = bad(x, x + 1.0)  # here it is called
        return np.sum(y * 2.0)

    with debug_nans(), pytest.raises(NotANumberError) as error:
        grad(f)(np.ones(2))

    place = f"{HERE}:{line_with('here it is called')}, `y = bad(x, x + 1.0)"
    assert_tells(error, "The cotangent of argument 2 of", "bad became NaN", place, "float64[2] from 2 to 2")


def test_tangent():
    """Forwards the tangent is told."""
    with (
        debug_nans(),
        pytest.raises(NotANumberError, match=r"The tangent of the result of \S*bad became NaN"),
    ):
        jvp(lambda x: bad(x, 2.0), (1.0,), (1.0,))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.where(x > 0.0, np.sqrt(x) * x, 0.0),
        lambda x: np.where(x > 0.0, -(np.sqrt(x) * x), 0.0)[..., None] * 2.0,
        lambda x: bad_where_masked(x),
    ],
)
def test_tangents_in_the_branch_that_is_not_taken(f):
    """They may be NaN, as nothing depends on them: backwards nothing is NaN."""
    x = np.array([0.0, 2.0])

    with debug_nans():
        _, y_dot = jvp(lambda x: np.sum(f(x)), (x,), (np.ones(2),))
        J = jacobian(lambda x: np.sum(f(x)), mode="forward")(x)
        gradient = grad(lambda x: np.sum(f(x)))(x)

    np.testing.assert_allclose(J, gradient)
    assert y_dot == pytest.approx(np.sum(gradient))


def test_tangent_that_comes_of_one_of_two():
    """Of several tangents that became NaN, the error names the one that the result depends on."""

    def f(x):
        masked = np.where(x > 5.0, np.sqrt(x - x) * 0.0, 1.0)
        y = np.cbrt(x - 1.0) * 0.0  # this is the one
        again = np.where(x > 5.0, np.sqrt(x - x) * 0.0, 1.0)
        return np.sum(masked * again * (-y + 1.0))

    with debug_nans(), pytest.raises(NotANumberError) as error:
        jvp(f, (np.array([1.0, 2.0]),), (np.ones(2),))

    place = f"{HERE}:{line_with('this is the one')}, "
    assert_tells(error, "The tangent of the result of operator.mul became NaN", place)


def bad_where_masked(x):
    """By a function with a rule whose tangent is a thunk."""
    return np.where(x > 0.0, lazily_bad(x), 0.0)


@primitive
def lazily_bad(x):
    """One, with a derivative that is NaN where `x` is 0."""
    return x * 0.0 + 1.0


@frule.dispatch
def lazily_bad_frule(tangents, f: typeof_(lazily_bad), x: np.ndarray):
    """Its tangent is a thunk."""
    return lazily_bad(x), thunk(lambda: tangents[1] * np.where(x == 0.0, np.nan, 0.0))


@rrule.dispatch
def lazily_bad_rrule(f: typeof_(lazily_bad), x: np.ndarray):
    """Zero times its cotangent: as `frule` has it where that is not zero."""
    return lazily_bad(x), lambda y_bar: (NoTangent(), np.where(y_bar == 0.0, 0.0, y_bar * (0.0 * x)))


def one_thunk(y_bar):
    """The cotangent of `lazy`: a thunk."""
    return thunk(lambda: zero_over_zero(y_bar))


def thunk_of_thunk(y_bar):
    """A thunk whose value is one."""
    return thunk(lambda: one_thunk(y_bar))


def inplace_thunk(y_bar):
    """A thunk that can add to an array in place."""

    def add(x_bar):
        x_bar += zero_over_zero(y_bar)
        return x_bar

    return InplaceableThunk(add, one_thunk(y_bar))


@pytest.mark.parametrize("lazily", [one_thunk, thunk_of_thunk, inplace_thunk])
@pytest.mark.parametrize("uses", [1, 2])
def test_thunks_are_looked_at_when_they_are_computed(lazily, uses):
    """A thunk is told of as its operation; in place too, where there are other cotangents to add it to."""

    @primitive
    def lazy(x):
        return x * 1.0

    @rrule.dispatch
    def lazy_rrule(f: typeof_(lazy), x: object):
        return lazy(x), lambda y_bar: (NoTangent(), lazily(y_bar))

    def f(x):
        z = x * 2.0
        y = lazy(z)
        return np.sum(y) + np.sum(z * z) if uses == 2 else np.sum(y)

    with (
        debug_nans(),
        np.errstate(invalid="ignore"),
        pytest.raises(NotANumberError, match="The cotangent of argument 1 of lazy became NaN"),
    ):
        grad(f)(np.ones(2))


def test_thunks_that_nobody_needs_stay_uncomputed():
    """The guard does not compute what is not asked for."""

    @primitive
    def product(x, y):
        return x * y

    def fail():
        raise AssertionError("it was computed")

    @rrule.dispatch
    def product_rrule(f: typeof_(product), x: object, y: object):
        return x * y, lambda z_bar: (NoTangent(), z_bar * y, thunk(fail))

    with debug_nans():
        assert grad(lambda x: product(x, 3.0))(2.0) == 3.0


def test_structural_cotangents():
    """The fields of a structural cotangent are looked at, thunks in them too."""

    @primitive
    def total(pair):
        return pair[0] + pair[1]

    @rrule.dispatch
    def total_rrule(f: typeof_(total), pair: tuple):
        def total_pullback(y_bar):
            return NoTangent(), Tangent[tuple](y_bar, thunk(lambda: zero_over_zero(y_bar)))

        return total(pair), total_pullback

    with debug_nans(), pytest.raises(NotANumberError, match="cotangent of argument 1 of total"):
        grad(lambda x: total((x * 1.0, x * 2.0)))(1.0)


# --- What is nobody's fault, and what is ---------------------------------------------------------


def test_nans_in_the_data_pass():
    """A NaN that went in may come out."""
    x = np.array([1.0, np.nan])

    with debug_nans():
        gradient = grad(lambda x: np.sum(np.where(np.isnan(x), 0.0, x)))(x)

    assert np.array_equal(gradient, [1.0, 0.0])


def test_nans_in_the_data_that_spoil_a_gradient():
    """A cotangent that is NaN because an argument was NaN is told, and so is that argument."""
    data = np.array([1.0, np.nan])

    with debug_nans(), pytest.raises(NotANumberError) as error:
        grad(lambda w: np.nansum(bad(w, data)))(np.ones(2))

    assert_tells(error, "cotangent of argument 1 of", "which had a NaN already")


def test_warnings_of_invalid_values_are_left_to_the_error():
    """NumPy does not warn as well, which would be an error here; its settings are as before, afterwards."""
    with debug_nans(), pytest.raises(NotANumberError):
        grad(np.log)(-1.0)

    with pytest.warns(RuntimeWarning, match="invalid"):
        np.log(np.float64(-1.0))


# --- Nested differentiation, threads -------------------------------------------------------------


def test_second_derivatives():
    """An operation in a pullback is told with the line of the call that is pulled back."""
    x = np.array([0.0, 1.0])

    def f(x):
        return np.sum(np.sqrt(x) * 0.0)  # here is the root

    with debug_nans(), pytest.raises(NotANumberError) as error:
        hvp(f, x, x)

    assert_tells(error, "by the rule of numpy.sqrt", f"{HERE}:{line_with('here is the root')}")


def test_checkpoints():
    """A part that is computed again tells its own line."""

    @checkpoint
    def part(x):
        return np.sum(bad(x, 2.0 * x))  # here in the checkpoint

    with debug_nans(), pytest.raises(NotANumberError) as error:
        grad(lambda x: part(x) * 3.0)(np.ones(2))

    assert_tells(error, "cotangent of argument 2", f"{HERE}:{line_with('here in the checkpoint')}")


def test_pullbacks_called_later():
    """A pullback that was made inside looks when it is called outside; one made outside does not."""
    with debug_nans():
        _, guarded = vjp(lambda x: bad(x, x), 1.0)
    _, unguarded = vjp(lambda x: bad(x, x), 1.0)

    with pytest.raises(NotANumberError):
        guarded(1.0)
    with debug_nans():
        assert np.isnan(unguarded(1.0)[0])


def test_other_threads_are_left_alone():
    """A guard looks at its own thread alone."""
    gradients = []
    thread = threading.Thread(target=lambda: gradients.append(grad(lambda x: bad(x, x))(1.0)))
    with debug_nans():
        thread.start()
        thread.join()

    assert np.isnan(gradients[0])


def test_lines_that_cannot_be_read():
    """A program that is not in a file has a place, without its text."""
    program = eval(compile("lambda x: np.log(x)", "<typed>", "eval"), {"np": np})

    with debug_nans(), pytest.raises(NotANumberError, match=r"It was called at <typed>:1\n"):
        grad(program)(-1.0)


def test_nan_tangents():
    """A tangent that is NaN from the start is nobody's fault."""
    with debug_nans():
        _, y_dot = jvp(lambda x: x * 2.0, (1.0,), (math.nan,))

    assert math.isnan(y_dot)


@pytest.mark.parametrize("differentiate", [lambda f: grad(f)(1.0), lambda f: jvp(f, (1.0,), (1.0,))])
def test_rules_that_decline(differentiate):
    """Where a rule gives no answer there is nothing to look at; the error says that nothing else serves."""

    @primitive
    def declined(x):
        return x

    @frule.dispatch
    def declined_frule(tangents, f: typeof_(declined), x: float):
        return None

    @rrule.dispatch
    def declined_rrule(f: typeof_(declined), x: float):
        return None

    with debug_nans(), pytest.raises(RuleNotFoundError, match="declined"):
        differentiate(declined)


def test_sums_of_infinite_cotangents():
    """Their NaN is no operation's: the first that became infinite is told."""

    def f(x):
        r = x / 2.0  # here they meet
        return r * np.arccos((r - x) / r) - np.sqrt(2.0 * r - x) + np.sqrt(2.0 * r - x)  # here is the slope

    with np.errstate(invalid="ignore"), debug_nans(), pytest.raises(NotANumberError) as error:
        grad(f)(1.2)

    assert_tells(
        error,
        "result of operator.truediv became NaN, the sum of infinite ones",
        f"{HERE}:{line_with('here they meet')}",
        f"argument 1 of numpy.sqrt, called at {HERE}:{line_with('here is the slope')}",
    )


def test_infinite_cotangents_pass():
    """And NaN that a caller gives, beside them."""
    with debug_nans():
        (x_bar,) = vjp(lambda x: 2.0 * np.sqrt(x), np.zeros(2))[1](np.array([1.0, np.nan]))
        assert np.array_equal(x_bar, [np.inf, np.nan], equal_nan=True)
