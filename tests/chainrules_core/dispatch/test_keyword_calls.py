# ruff: noqa: D103 - stand-ins have nothing to document
"""Calls by keyword, where rules take the same arguments by position."""

import gc
import weakref

import numpy as np
import pytest

from chainrules_core import (
    HasReverseMode,
    NonDifferentiablePullback,
    NoTangent,
    RuleConfig,
    RuleNotFoundError,
    Tangent,
    frule,
    non_differentiable,
    opt_out,
    opted_out,
    rrule,
    typeof_,
)
from chainrules_core.dispatch.keyword_calls import number_required, parameters_of
from chainrules_core.dispatch.rule_reading import read_rule


def scaled(x, factor, offset=0.0, *, negated=False):
    y = x * factor + offset
    return -y if negated else y


@rrule.dispatch
def scaled_rrule(f: typeof_(scaled), x: float, factor: float, offset: float = 0.0, *, negated=False):
    sign = -1.0 if negated else 1.0

    def scaled_pullback(y_bar):
        return NoTangent(), sign * factor * y_bar, sign * x * y_bar, sign * y_bar

    return scaled(x, factor, offset, negated=negated), scaled_pullback


@frule.dispatch
def scaled_frule(
    tangents, f: typeof_(scaled), x: float, factor: float, offset: float = 0.0, *, negated=False
):
    _, x_dot, factor_dot, *offset_dot = tangents
    y_dot = x_dot * factor + x * factor_dot + (offset_dot[0] if offset_dot else 0.0)
    return scaled(x, factor, offset, negated=negated), -y_dot if negated else y_dot


class WithReverse(RuleConfig[HasReverseMode]):
    """A configuration."""


@pytest.mark.parametrize("config", [(), (WithReverse(),)], ids=["plain", "configured"])
@pytest.mark.parametrize("_", [1, 2])
def test_one_cotangent_for_each_argument_that_was_given_by_position(config, _):
    """A rule is found for arguments by keyword, again and again; there are no cotangents for those."""
    y, pullback = rrule(*config, scaled, 2.0, factor=3.0)
    assert (y, pullback(1.0)) == (6.0, (NoTangent(), 3.0))

    y, pullback = rrule(*config, scaled, 2.0, offset=1.0, factor=3.0, negated=True)
    assert (y, pullback(1.0)) == (-7.0, (NoTangent(), -3.0))

    y, pullback = rrule(*config, scaled, factor=3.0, x=2.0)
    assert (y, pullback(1.0)) == (6.0, (NoTangent(),))


@pytest.mark.parametrize("config", [(), (WithReverse(),)], ids=["plain", "configured"])
@pytest.mark.parametrize("_", [1, 2])
def test_arguments_by_keyword_are_constants_forwards(config, _):
    """There is a tangent for each argument that was given by position, and the others have none."""
    assert frule(*config, (NoTangent(), 1.0), scaled, 2.0, factor=3.0) == (6.0, 3.0)
    assert frule(*config, (NoTangent(),), scaled, x=2.0, factor=3.0, negated=True)[0] == -6.0


def test_a_rule_for_the_call_as_it_was_written_comes_first():
    """Keywords that a rule takes stay keywords."""

    def shifted(x, by=0.0):
        return x + by

    @rrule.dispatch
    def shifted_rrule(f: typeof_(shifted), x: float, *, by=0.0):
        return shifted(x, by), lambda y_bar: (NoTangent(), y_bar)

    @rrule.dispatch
    def shifted_by_rrule(f: typeof_(shifted), x: float, by: float):
        raise AssertionError

    assert rrule(shifted, 1.0, by=2.0)[0] == 3.0


def test_what_stands_between_has_its_default():
    """Where a rule takes a later parameter by position."""

    def powered(x, n=2, factor=1.0):
        return factor * x**n

    @rrule.dispatch
    def powered_rrule(f: typeof_(powered), x: float, n: int, factor: float):
        return powered(x, n, factor), lambda y_bar: (NoTangent(), n * factor * x ** (n - 1) * y_bar)

    y, pullback = rrule(powered, 3.0, factor=5.0)

    assert (y, pullback(1.0)) == (45.0, (NoTangent(), 30.0))


def test_no_more_keywords_are_moved_than_a_rule_needs():
    """What the rule takes by keyword only stays a keyword, though the primal takes it by position."""

    def summed(x, n, axis=None):
        return x * n

    @rrule.dispatch
    def summed_rrule(f: typeof_(summed), x: float, n: int, *, axis=None):
        return (x * n, axis), lambda ys_bar: (NoTangent(), n * ys_bar[0], NoTangent())

    (y, axis), pullback = rrule(summed, 2.0, n=3, axis=1)

    assert (y, axis, pullback(Tangent[tuple](1.0, NoTangent()))) == (6.0, 1, (NoTangent(), 3.0))


def test_a_rule_added_later_is_found():
    """An answer "no rule" is not remembered longer than it is true."""

    def halved(x, by):
        return x / by

    assert rrule(halved, 1.0, by=2.0) is None

    @rrule.dispatch
    def halved_rrule(f: typeof_(halved), x: float, by: float):
        return x / by, lambda y_bar: (NoTangent(), y_bar / by, NoTangent())

    assert rrule(halved, 1.0, by=2.0)[1](1.0) == (NoTangent(), 0.5)


@pytest.mark.parametrize(
    ("args", "kwargs"),
    [((1.0,), {}), ((1.0,), {"unknown": 2.0}), ((), {"factor": 2.0}), ((1.0,), {"factor": "text"})],
)
def test_there_is_still_no_rule_where_none_fits(args, kwargs):
    """There is no rule for a value that cannot be called, nor for arguments that no rule is for."""
    assert rrule(scaled, *args, **kwargs) is None
    assert frule((NoTangent(),) * (len(args) + 1), scaled, *args, **kwargs) is None


def test_a_call_without_derivative_stays_one():
    """AD systems see by the pullback that the result is a constant."""
    y, pullback = rrule(repeated, "ab", times=2)

    assert y == "abab"
    assert isinstance(pullback, NonDifferentiablePullback)
    assert pullback(None) == (NoTangent(), NoTangent())


def repeated(text, times):
    return text * times


non_differentiable(repeated, str, int)


def test_find_takes_keywords():
    """It says which rule serves a call, whether that takes the keywords by position or by keyword."""
    (method,) = rrule.methods(scaled)

    assert rrule.find(scaled, 2.0, factor=3.0) is method
    assert rrule.find(scaled, 2.0, 3.0, negated=True) is method
    assert rrule.find(WithReverse(), scaled, 2.0, offset=1.0, factor=3.0) is method
    assert rrule.find(scaled, 2.0, unknown=3.0) is None
    assert rrule.find(scaled, 2.0) is None
    assert not rrule.opted_out(scaled, 2.0, factor=3.0)


@pytest.mark.parametrize("config", [(), (WithReverse(),)], ids=["plain", "configured"])
@pytest.mark.parametrize("tries", [0, 1, 2])
def test_a_call_that_lacked_an_argument_is_not_remembered(config, tries):
    """A rule with varargs, which fails for the argument that is missing, is not at hand once it is there."""

    def weighted(x, weight):
        return x * weight

    @rrule.dispatch
    def weighted_rrule(f: typeof_(weighted), x: float, *weight: float):
        return weighted(x, *weight), lambda y_bar: (NoTangent(), y_bar * weight[0], y_bar * x)

    for _ in range(tries):
        with pytest.raises(TypeError, match="weight"):
            rrule(*config, weighted, 2.0)
    for _ in range(2):
        y, pullback = rrule(*config, weighted, 2.0, weight=3.0)
        assert (y, pullback(1.0)) == (6.0, (NoTangent(), 3.0))
        assert rrule(*config, weighted, 2.0, 3.0)[1](1.0) == (NoTangent(), 3.0, 2.0)


def test_number_required():
    """Of those that positional arguments reach; a function without a signature requires none."""
    assert number_required(scaled) == 2
    assert number_required(lambda *xs, y, z=1: None) == 0
    assert number_required(vars) == 0


def test_an_opt_out_holds_for_keywords():
    """Where a call by keyword is opted out, no less specific rule steps in."""

    def opted(x, by):
        return x * by

    @rrule.dispatch
    def opted_rrule(f: typeof_(opted), x: object, by: object):
        raise AssertionError

    opt_out(rrule, typeof_(opted), float, float)

    assert opted_out(rrule, opted, 1.0, 2.0)
    assert rrule(opted, 1.0, by=2.0) is None


def test_a_rule_that_declines_declines():
    """`None` is no answer to be cut short."""

    def declined(x, by):
        return x * by

    @rrule.dispatch
    def declined_rrule(f: typeof_(declined), x: float, by: float):
        return None

    assert rrule(declined, 1.0, by=2.0) is None
    with pytest.raises(RuleNotFoundError, match=r"declined_rrule .* returned None for .*float, by=float"):
        rrule.require(declined, 1.0, by=2.0)


def test_explain_says_what_is_moved():
    """The rule is named, and that it takes the argument by position."""
    said = rrule.explain(scaled, 2.0, factor=3.0)

    assert "scaled, float, factor=float) is served by" in said
    assert "scaled_rrule" in said
    assert "`factor` is given to it by position" in said
    assert "by position" not in rrule.explain(scaled, 2.0, 3.0, negated=True)


def test_results_of_any_kind():
    """A pullback that returns something else than a tuple is left to those who check it."""

    def odd(x, by):
        return x * by

    @rrule.dispatch
    def odd_rrule(f: typeof_(odd), x: float, by: float):
        return x * by, lambda y_bar: None

    assert rrule(odd, 1.0, by=2.0)[1](1.0) is None


def test_parameters_of_functions_that_do_not_tell():
    """The rule with the most parameters says their names; where there is no rule there are none."""

    def silent(*xs): ...
    def of_one(f: typeof_(silent), a: float): ...
    def of_two(config: WithReverse, f: typeof_(silent), a: float, b: float): ...

    silent.__signature__ = "unknown"
    rules = [read_rule(rrule.mode, rule, {}) for rule in (of_one, of_two)]

    assert [parameter.name for parameter in parameters_of(silent, rules)] == ["a", "b"]
    assert parameters_of(silent, []) == ()
    assert number_required(silent) == 0


def test_functions_are_not_kept_alive():
    """A function that was once asked for by keyword is forgotten with its last reference."""

    def made():
        return lambda x, by: x * by

    f = made()
    assert rrule(f, 1.0, by=2.0) is None
    reference = weakref.ref(f)
    del f
    gc.collect()

    assert reference() is None


X = np.arange(1.0, 7.0).reshape(2, 3)
A = np.array([[2.0, 1.0], [1.0, 3.0]])
B = np.array([1.0, 2.0])


@pytest.mark.parametrize(
    ("f", "args", "kwargs"),
    [
        (np.percentile, (X,), {"q": 30}),
        (np.percentile, (X,), {"q": 30, "axis": 1}),
        (np.pad, (X,), {"pad_width": 1}),
        (np.linalg.solve, (A,), {"b": B}),
        pytest.param(
            *(np.dot, (B,), {"b": B}),
            marks=pytest.mark.skipif(
                np.lib.NumpyVersion(np.__version__) < "2.4.0",
                reason="NumPy's functions in C do not say the names of their parameters before 2.4",
            ),
        ),
        (np.full_like, (X,), {"fill_value": 2.0}),
        (np.linalg.matrix_power, (A,), {"n": 2}),
        (np.cross, (np.ones(3),), {"b": np.arange(3.0)}),
        (np.kron, (B,), {"b": B}),
        (np.append, (B,), {"values": B}),
        (np.insert, (B,), {"obj": 1, "values": 2.0}),
        (np.polyval, (B,), {"x": 2.0}),
        (np.partition, (B,), {"kth": 1}),
        (np.sum, (), {"a": X, "axis": 0}),
    ],
)
def test_functions_of_numpy(f, args, kwargs):
    """The primal value is that of the call, in both modes, and each positional argument has a cotangent."""
    y, pullback = rrule(f, *args, **kwargs)
    tangents = (NoTangent(), *map(np.ones_like, args))

    np.testing.assert_array_equal(y, f(*args, **kwargs))
    np.testing.assert_array_equal(frule(tangents, f, *args, **kwargs)[0], y)
    assert len(pullback(np.ones_like(y))) == 1 + len(args)


def joined(first, second, third=0.0):
    return first + second + third


@rrule.dispatch
def joined_rrule(f: typeof_(joined), *xs: float, **options):
    return joined(*xs), lambda y_bar: (NoTangent(), *(y_bar for _ in xs))


@pytest.mark.parametrize("_", [1, 2])
def test_a_rule_with_varargs_gets_what_the_function_requires_by_position(_):
    """It takes any number of arguments, so fewer than the function requires, and knows none by name."""
    y, pullback = rrule(joined, 1.0, second=2.0)
    assert (y, pullback(1.0)) == (3.0, (NoTangent(), 1.0))

    y, pullback = rrule(joined, second=2.0, first=1.0)
    assert (y, pullback(1.0)) == (3.0, (NoTangent(),))

    assert "`second` is given to it by position" in rrule.explain(joined, 1.0, second=2.0)


def test_an_answer_that_is_no_pair_is_passed_on():
    """What a rule returns wrongly reaches the caller as it is, by keyword as by position."""

    def scaled(x, n):
        return n * x

    @rrule.dispatch
    def scaled_rrule(f: typeof_(scaled), x: float, n: int):
        return "odd"

    assert rrule(scaled, 1.0, 2) == rrule(scaled, 1.0, n=2) == "odd"


def place(real, imag=0.0):
    return real + 1j * imag


@rrule.dispatch
def place_of_one_rrule(f: typeof_(place), real: float):
    return place(real), None


@rrule.dispatch
def place_of_two_rrule(f: typeof_(place), real: float, imag: float):
    return place(real, imag), lambda y_bar: (NoTangent(), y_bar.real, y_bar.imag)


@frule.dispatch
def place_of_one_frule(tangents, f: typeof_(place), real: float):
    return place(real), tangents[1]


@frule.dispatch
def place_of_two_frule(tangents, f: typeof_(place), real: float, imag: float):
    _, real_dot, imag_dot = tangents
    return place(real, imag), complex(real_dot, 0.0 if imag_dot is NoTangent() else imag_dot)


@pytest.mark.parametrize("config", [(), (WithReverse(),)], ids=["plain", "configured"])
@pytest.mark.parametrize("is_met_before", [False, True])
def test_a_rule_that_does_not_take_a_keyword_gives_way_to_one_by_position(config, is_met_before):
    """Whether the call without the keyword was met before or not."""
    if is_met_before:
        rrule(*config, place, 1.0)
        frule(*config, (NoTangent(), 1.0), place, 1.0)
    for reverse in (rrule, rrule.unchecked):
        y, pullback = reverse(*config, place, 1.0, imag=2.0)
        assert (y, pullback(3.0 + 4.0j)) == (1.0 + 2.0j, (NoTangent(), 3.0))
    for forward in (frule, frule.unchecked):
        assert forward(*config, (NoTangent(), 5.0), place, 1.0, imag=2.0) == (1.0 + 2.0j, 5.0)
