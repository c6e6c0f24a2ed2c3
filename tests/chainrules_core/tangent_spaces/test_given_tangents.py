"""What pullbacks and pushforwards are given by those who ask `rrule` and `frule`."""

import functools
import pickle
import weakref

import numpy as np
import pytest

from chainrules_core import (
    DimensionMismatchError,
    HasReverseMode,
    NonDifferentiablePullback,
    NoTangent,
    RuleConfig,
    Tangent,
    TangentStructureError,
    Thunk,
    ZeroTangent,
    describe_place,
    frule,
    non_differentiable,
    rrule,
    typeof_,
)
from tests.chainrules_core.tangent_spaces.seen import Seen
from tests.python_calls import functions_run_by

NO, ZERO = NoTangent(), ZeroTangent()
X = np.arange(3.0)


class WithReverse(RuleConfig[HasReverseMode]):
    """A configuration."""


class Doubling:
    """A pullback that can be pickled."""

    def __call__(self, y_bar):  # noqa: D102 - the class says it
        return NO, 2 * y_bar


class Unhashable:
    """A callable that is no key of a table."""

    __hash__ = None

    def __call__(self, x): ...  # noqa: D102 - it is never called


@pytest.mark.parametrize("y", [1.5, np.float64(1.5), np.float32(1.5), 1.5j, X, X + 1j, (1.5, X)])
@pytest.mark.parametrize("config", [(), (WithReverse(),)])
def test_zeros_do_not_reach_a_pullback(y, config):
    """All cotangents are the same zero; of a function that holds nothing there is none."""
    seen = Seen(y)
    for _ in range(2):  # the answer is looked up, and at hand
        _, pullback = rrule(*config, seen.f, X, 2.0)

        assert pullback(ZERO) == (NO, ZERO, ZERO)
        assert pullback(NO) == (NO, NO, NO)
        assert pullback(Thunk(lambda: Thunk(ZeroTangent))) == (NO, ZERO, ZERO)
    assert seen.cotangents == []


def test_a_function_that_holds_values_has_a_zero_too():
    """What it holds could be perturbed."""
    scaled = functools.partial(lambda k, x: k * x, 2.0)

    @rrule.dispatch
    def scaled_rrule(f: typeof_(scaled), x: np.ndarray):
        return f(x), Doubling()

    assert rrule(scaled, X)[1](ZERO) == (ZERO, ZERO)


def test_a_pullback_is_given_what_the_result_has_for_cotangents():
    """Values in the place of thunks, floats of integers, the precision of the result."""
    seen = Seen(X)
    _, pullback = rrule(seen.f, 1.0)
    for y_bar in (X, Thunk(lambda: X), np.arange(3), X.astype(np.float32), X + 2j):
        pullback(y_bar)

    assert seen.cotangents[0] is seen.cotangents[1] is X
    for y_bar in seen.cotangents:
        np.testing.assert_array_equal(y_bar, X)
        assert y_bar.dtype == float


def test_a_pullback_of_a_number_is_given_a_number():
    """Integers, arrays without axes and complex numbers become one."""
    seen = Seen(1.5)
    _, pullback = rrule(seen.f, 1.0)
    for y_bar in (2.0, np.float64(2.0), 2, np.array(2.0), 2 + 1j, np.float32(2.0)):
        pullback(y_bar)

    assert seen.cotangents == [2.0] * 6
    assert all(isinstance(y_bar, float) for y_bar in seen.cotangents)


@pytest.mark.parametrize("args", [(), (X,), (X, 1.0), (X, 1.0, 2.0)])
@pytest.mark.parametrize("config", [(), (WithReverse(),)])
@pytest.mark.parametrize("named", [{}, {"by": 1.0}])
def test_a_cotangent_of_another_shape(args, config, named):
    """The error names the function and the place of the pullback, and says both shapes."""
    seen = Seen(X)
    for _ in range(2):
        _, pullback = rrule(*config, seen.f, *args, **named)
        place = describe_place(pullback)
        assert place.startswith("tests/chainrules_core/tangent_spaces/seen.py:")

        with pytest.raises(DimensionMismatchError) as caught:
            pullback(np.ones(4))
        text = f"({place}): the cotangent of the result has the shape (4,), and needs the shape (3,)."
        assert str(caught.value).startswith("rrule of ")
        assert str(caught.value).endswith(text)
    assert seen.cotangents == []


def test_arguments_by_keyword_have_no_zeros():
    """The pullback of a call by keyword answers for what was given by position."""

    def scaled(x, factor):
        return x * factor

    @rrule.dispatch
    def scaled_rrule(f: typeof_(scaled), x: float, factor: float):
        return x * factor, lambda y_bar: (NO, y_bar * factor, y_bar * x)

    for _ in range(2):
        y, pullback = rrule(scaled, 2.0, factor=3.0)
        assert (y, pullback(1.0), pullback(ZERO)) == (6.0, (NO, 3.0), (NO, ZERO))
        with pytest.raises(DimensionMismatchError, match="scaled"):
            pullback(np.ones(2))


@pytest.mark.parametrize("answer", [None, "text", (1.5,), (1.5, 2.5, 3.5), (1.5, None), [1.5, len]])
def test_what_is_no_answer_is_returned(answer):
    """Whoever asked is told what the rule returned."""

    def f(x): ...

    @rrule.dispatch
    def f_rrule(f: typeof_(f), x: float):
        return answer

    assert rrule(f, 1.0) is answer
    assert rrule(f, 1.0) is answer


def test_pullbacks_that_need_no_check():
    """The pullback of a constant takes everything, and stays what it is."""

    @non_differentiable
    def count(x):
        return 3

    assert rrule(count, 1.0)[1]([]) == (NO, NO)
    assert isinstance(rrule(count, 1.0)[1], NonDifferentiablePullback)


def test_a_rule_that_hands_a_call_on():
    """A pullback that is checked twice gives the same."""

    def twice(x):
        return 2 * x

    def alias(x):
        return 2 * x

    @rrule.dispatch
    def twice_rrule(f: typeof_(twice), x: float):
        return 2 * x, lambda y_bar: (NO, 2 * y_bar)

    @rrule.dispatch
    def alias_rrule(f: typeof_(alias), x: float):
        return rrule(twice, x)

    _, pullback = rrule(alias, 1.0)
    assert (pullback(1), pullback(ZERO)) == ((NO, 2.0), (NO, ZERO))
    with pytest.raises(DimensionMismatchError, match="alias"):
        pullback(X)


def test_the_result_is_not_kept():
    """A pullback that needs no result keeps none."""

    def ones(x): ...

    @rrule.dispatch
    def ones_rrule(f: typeof_(ones), x: float):
        return np.ones(3), lambda y_bar: (NO, y_bar)

    y, pullback = rrule(ones, 1.0)
    result = weakref.ref(y)
    del y

    assert result() is None
    np.testing.assert_array_equal(pullback(np.arange(3))[1], X)


def double(x):
    """The double."""
    return 2 * x


@rrule.dispatch
def double_rrule(f: typeof_(double), x: float):
    """As a module has it."""
    return 2 * x, Doubling()


def test_pullbacks_travel():
    """A pullback that can be pickled still can be."""
    pullback = pickle.loads(pickle.dumps(rrule(double, 1.0)[1]))

    assert pullback(1) == (NO, 2.0)


def test_unchecked_gives_the_pullback_of_the_rule():
    """It takes what it takes, whether the answer was at hand or not, has a configuration or not."""
    seen = Seen(X)
    for config in ((), (), (WithReverse(),), (WithReverse(),)):
        _, pullback = rrule.unchecked(*config, seen.f, 1.0)
        assert pullback.__name__ == "seen_pullback"
        pullback(ZERO)
    assert seen.cotangents == [ZERO] * 4
    assert rrule.unchecked(Seen, 1.0) is None
    assert rrule.unchecked(WithReverse(), Unhashable(), 1.0) is None
    assert rrule.unchecked(Unhashable(), 1.0) is None


@pytest.mark.parametrize("config", [(), (WithReverse(),)])
@pytest.mark.parametrize("zero", [ZERO, NO, Thunk(ZeroTangent)])
def test_a_pushforward_of_zeros_is_zero(config, zero):
    """The rule is given zeros of the shape of an argument, and computes the result."""
    seen = Seen(X)
    for _ in range(2):
        assert frule(*config, (NO, zero, zero, zero), seen.f, 2, X, 1.5, by=3.0) == (X, ZERO)
    f_dot, first, second, third = seen.tangents[-1]
    assert (f_dot, first, third) == (NO, *[ZERO if isinstance(zero, Thunk) else zero] * 2)
    np.testing.assert_array_equal(second, np.zeros(3))


def test_zeros_of_arguments_that_have_no_others():
    """An array of integers is moved where there is nothing else, an integer is not, which is an index."""
    seen = Seen(X)

    assert frule((NO, NO, NO), seen.f, 2, np.arange(2)) == (X, ZERO)
    assert (*seen.tangents[0][:2], seen.tangents[0][2].tolist()) == (NO, NO, [0.0, 0.0])
    assert frule((NO, NO), seen.f, "text") == (X, ZERO)
    assert seen.tangents[-1] == (NO, NO)
    assert frule((NO,), seen.f) == (X, X)


def test_a_constant_stays_one():
    """`NoTangent()` of a result that cannot be perturbed is kept."""

    @non_differentiable
    def count(x):
        return 3

    assert frule((NO, ZERO), count, 1.0) == (3, NO)


@pytest.mark.parametrize("answer", [None, "text", (1.5, 2.5, 3.5)])
def test_what_is_no_answer_to_zeros_is_returned(answer):
    """Whoever asked is told what the rule returned."""

    def f(x): ...

    @frule.dispatch
    def f_frule(tangents, f: typeof_(f), x: float):
        return answer

    assert frule((NO, ZERO), f, 1.0) is answer


@pytest.mark.parametrize("others", [(), (1.5,), (1.5, X)])
@pytest.mark.parametrize("config", [(), (WithReverse(),)])
def test_a_pushforward_is_given_what_the_arguments_have_for_tangents(others, config):
    """Values in the place of thunks, floats of integers, the precision of the argument."""
    seen = Seen(X)
    for x_dot in (X, Thunk(lambda: X), np.arange(3), X.astype(np.float32)):
        frule(*config, (NO, x_dot, *others), seen.f, X, *others)

    for tangents in seen.tangents:
        np.testing.assert_array_equal(tangents[1], X)
        assert tangents[1].dtype == float
        assert all(given is other for given, other in zip(tangents[2:], others, strict=True))


@pytest.mark.parametrize(
    ("tangents", "args"),
    [
        ((NO, X), (X,)),
        ((ZERO, 2.0), (1.5,)),
        ((NO, np.float64(2.0)), (np.float64(1.5),)),
        ((NO, X, ZERO, 2.0, NO), (X, X, 1.5, 2)),
        ((NO, X, np.float64(1.5)), (X, np.float64(1.5))),
    ],
)
def test_tangents_that_fit_are_given_as_they_are(tangents, args):
    """The tuple itself reaches the rule."""
    seen = Seen(X)
    frule(tangents, seen.f, *args)
    frule(tangents, seen.f, *args)

    assert all(given is tangents for given in seen.tangents)


@pytest.mark.parametrize("y", [1.5, np.float64(1.5), X])
def test_floats_and_arrays_that_fit_go_a_short_way(y):
    """They are given to pullbacks and pushforwards after a look at their class and shape."""
    seen = Seen(y)
    pullback = rrule(seen.f, y)[1]

    ran = functions_run_by(lambda: (pullback(y), frule((NO, y), seen.f, y), frule((NO, y, y), seen.f, y, y)))
    assert not {"_pulled", "pushed"} & ran.keys()


@pytest.mark.parametrize(
    ("x_dots", "message"),
    [
        ((np.ones(4), 1.0), r"the tangent of argument 1 has the shape \(4,\), and needs the shape \(3,\)"),
        ((X, np.ones(1)), r"the tangent of argument 2 has the shape \(1,\)"),
        ((X, 1j), "the tangent of argument 2 is complex, and the argument is real: push the real"),
        ((X + 1j, 1.0), "the tangent of argument 1 is complex"),
        (([0.0] * 3, 1.0), "the tangent of argument 1 is a list"),
    ],
)
@pytest.mark.parametrize("config", [(), (WithReverse(),)])
def test_a_tangent_that_does_not_fit(x_dots, message, config):
    """The error names the function, the place of the rule, and the argument."""
    seen = Seen(X)
    place = frule.find((NO, *x_dots), seen.f, X, 1.5).location
    for _ in range(2):
        with pytest.raises((DimensionMismatchError, TangentStructureError), match=message) as caught:
            frule(*config, (NO, *x_dots), seen.f, X, 1.5)
        assert str(caught.value).startswith("frule of ")
        assert f"({place}): " in str(caught.value)


def test_one_argument_that_does_not_fit():
    """A single tangent of another shape, precision or class is looked at too."""
    seen = Seen(X)
    with pytest.raises(DimensionMismatchError, match="argument 1"):
        frule((NO, np.ones(4)), seen.f, X)
    frule((NO, np.arange(3)), seen.f, X)
    frule((NO, 2), seen.f, 1.5)
    frule((Tangent[dict]({"a": 1.0}), X), seen.f, X)
    frule((NO, X, 1j), seen.f, X, 2j)
    frule((NO, X, 2), seen.f, X, 3)

    assert [dots[1].dtype for dots in seen.tangents[:1]] == [float]
    assert seen.tangents[1] == (NO, 2.0)
    assert seen.tangents[2][0] == Tangent[dict]({"a": 1.0})
    assert type(seen.tangents[4][2]) is float


def test_a_rule_with_a_configuration():
    """It is given tangents that fit as well, after the configuration."""
    given = []

    def f(x): ...

    @frule.dispatch
    def f_frule(config: WithReverse, tangents, f: typeof_(f), x: float):
        given.append((type(config), tangents))
        return x, 2 * tangents[1]

    for _ in range(2):
        assert frule(WithReverse(), (NO, 1), f, 1.5) == (1.5, 2.0)
        assert frule(WithReverse(), (NO, 1.0), f, 1.5) == (1.5, 2.0)
        assert frule(WithReverse(), (NO, ZERO), f, 1.5) == (1.5, ZERO)
    assert given == [(WithReverse, (NO, 1.0)), (WithReverse, (NO, 1.0)), (WithReverse, (NO, 0.0))] * 2


def test_unchecked_gives_the_tangents_as_they_are():
    """Whether the answer was at hand or not, has a configuration or not."""
    seen = Seen(X)
    for config in ((), (), (WithReverse(),), (WithReverse(),)):
        assert frule.unchecked(*config, (NO, ZERO), seen.f, 1.0) == (X, X)
    assert seen.tangents == [(NO, ZERO)] * 4
    assert frule.unchecked((NO, 1.0), Seen, 1.0) is None
    assert frule.unchecked(WithReverse(), (NO, 1.0), Unhashable(), 1.0) is None
    assert frule.unchecked((NO, 1.0), Unhashable(), 1.0) is None
    with pytest.raises(DimensionMismatchError, match="1 tangents for 1 arguments"):
        frule.unchecked((NO,), seen.f, 1.0)
