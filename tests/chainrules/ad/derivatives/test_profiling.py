"""What rules cost."""

import contextlib
from dataclasses import FrozenInstanceError

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize

from chainrules.ad import Profile, ProfileRow, checkpoint, grad, jvp, profile
from chainrules.ad.derivatives import profiling
from chainrules_core import (
    DimensionMismatchError,
    InplaceableThunk,
    NoTangent,
    RuleNotFoundError,
    frule,
    primitive,
    rrule,
    thunk,
    typeof_,
)

X = np.linspace(0.0, 1.0, 1000)


def rows_by_function(table):
    """The rows of a profile whose functions have one each, by the names of these."""
    assert len({row.function for row in table.rows}) == len(table.rows)
    return {row.function: row for row in table.rows}


def test_calls_and_bytes():
    """Calls are counted; results and cotangents are weighed, but not views and what was only passed on."""
    rows = rows_by_function(profile(lambda x: np.sum(np.sin(np.sin(x))[:10].reshape(2, 5) * 2.0), X))

    assert rows["numpy.sin"].calls == 2
    assert rows["numpy.sin"].result_bytes == 16_000
    assert rows["numpy.sin"].tangent_bytes == 16_000
    assert rows["operator.mul"].result_bytes == 80
    assert rows["numpy.reshape"].result_bytes == 0
    assert rows["operator.getitem"].result_bytes == 0
    assert rows["numpy.sum"].result_bytes == 0


def test_broadcast_arrays_take_what_they_repeat():
    """An array that repeats one number takes the memory of one number."""

    @primitive
    def total(x):
        return np.sum(x)

    @rrule.dispatch
    def total_rrule(f: typeof_(total), x: np.ndarray):
        return np.sum(x), lambda y_bar: (NoTangent(), np.broadcast_to(y_bar, x.shape))

    assert profile(total, X).rows[0].tangent_bytes == 8


def test_rules_are_named_with_their_places():
    """A row says which rule served, and where that stands."""
    row = profile(np.linalg.det, np.eye(2)).rows[0]

    assert (row.function, row.rule.split()[0]) == ("numpy.linalg.det", "det_rrule")
    assert "linalg/det.py:" in row.rule


# --- Time ----------------------------------------------------------------------------------------


class Clock:
    """A clock that stands still, but for those who say how long they take."""

    now = 0.0

    def take(self, seconds, x):
        """Return `x` after a while."""
        self.now += seconds
        return x


CLOCK = Clock()


@pytest.fixture(autouse=True)
def _clock(monkeypatch):
    monkeypatch.setattr(profiling, "perf_counter", lambda: CLOCK.now)


@primitive
def slow(x, y):
    """A product that takes 1 second, and backwards 2 and 4, these in a thunk."""
    return x * y


@rrule.dispatch
def slow_rrule(f: typeof_(slow), x: object, y: object):
    """Take the time."""

    def slow_pullback(z_bar):
        return NoTangent(), CLOCK.take(2, z_bar * y), thunk(lambda: CLOCK.take(4, z_bar * x))

    return CLOCK.take(1, x * y), slow_pullback


@primitive
def outer(x):
    """A function whose rule differentiates another one."""
    return 3.0 * x**2


@rrule.dispatch
def outer_rrule(f: typeof_(outer), x: object):
    """Take 8 seconds beside the rules that it calls, and backwards 16 beside a thunk."""
    y = CLOCK.take(8, grad(lambda x: slow(x, 3.0))(x) * x**2)
    return y, lambda y_bar: (NoTangent(), CLOCK.take(16, 6.0 * x * slow(y_bar, 1.0)))


def test_time_forwards_and_backwards():
    """Pullbacks count backwards, and so do thunks, but only those that are computed."""
    both, first = profile(slow, 2.0, 3.0), profile(lambda x: slow(x, 3.0), 2.0)

    assert (both.rows[0].forward_seconds, both.rows[0].backward_seconds) == (1, 6)
    assert (first.rows[0].forward_seconds, first.rows[0].backward_seconds) == (1, 2)


def test_everything_else_is_in_the_sum():
    """The time of the program itself is in that of the whole."""
    table = profile(lambda x: CLOCK.take(32, slow(x, 3.0)), 2.0)

    assert (table.forward_seconds, table.backward_seconds) == (33, 2)


def test_rules_inside_rules_count_once():
    """The time of a rule does not include that of the rules which it calls; the slowest comes first."""
    table = profile(outer, 2.0)
    outer_row, slow_row = table.rows

    assert (outer_row.forward_seconds, outer_row.backward_seconds) == (8, 16)
    assert (slow_row.forward_seconds, slow_row.backward_seconds) == (1, 2)
    assert (table.forward_seconds, table.backward_seconds) == (11, 16)


def test_time_after_an_error():
    """A rule that fails inside another rule spoils no measurement."""

    @primitive
    def failing(x):
        return x

    @rrule.dispatch
    def failing_rrule(f: typeof_(failing), x: object):
        CLOCK.take(5, None)
        raise ArithmeticError

    def f(x):
        with contextlib.suppress(ArithmeticError):
            failing(x)
        return slow(x, 3.0)

    assert [(row.forward_seconds, row.calls) for row in profile(f, 2.0).rows] == [(1, 1)]


# --- Programs of all kinds -----------------------------------------------------------------------


def test_in_place_thunks():
    """A cotangent that is added in place takes no memory of its own."""

    @primitive
    def doubled(x):
        return 2 * x

    @rrule.dispatch
    def doubled_rrule(f: typeof_(doubled), x: np.ndarray):
        def doubled_pullback(y_bar):
            def add(x_bar):
                x_bar += 2 * y_bar
                return x_bar

            return NoTangent(), InplaceableThunk(add, thunk(lambda: 2 * y_bar))

        return 2 * x, doubled_pullback

    def f(x):
        return np.sum(doubled(x)) + np.sum(doubled(x)) + np.sum(doubled(x))

    rows = rows_by_function(profile(f, X))

    assert rows["doubled"].calls == 3
    assert rows["doubled"].tangent_bytes < 3 * X.nbytes


def test_results_in_containers():
    """A cotangent of ones is pulled back for all results in a container."""
    rows = rows_by_function(profile(lambda x: {"a": [np.sin(x), 1], "b": np.cos(x)}, X))

    assert rows["numpy.sin"].tangent_bytes == rows["numpy.cos"].tangent_bytes == X.nbytes


def test_keywords_are_passed_on():
    """Keywords are passed on, and not differentiated."""
    rows = rows_by_function(profile(lambda x, *, n: np.sin(x * n), X, n=2))

    assert rows["operator.mul"].calls == 1


def test_forward_rules():
    """Forwards the memory of results and of tangents is counted."""
    table = profile(lambda x: jvp(np.sin, (x,), (np.ones_like(x),))[1], X)
    forwards = next(row for row in table.rows if "frule" in row.rule)

    assert forwards.function == "numpy.sin"
    assert forwards.calls == 1
    assert forwards.result_bytes == forwards.tangent_bytes == X.nbytes


def test_what_is_computed_again():
    """The operations inside of a checkpoint are counted when it is differentiated."""
    rows = rows_by_function(profile(checkpoint(lambda x: np.sum(np.sin(x))), X))

    assert rows["numpy.sin"].calls == 1
    assert rows["chainrules.ad.derivatives.checkpointing.checkpointed"].calls == 1


def test_sparse_results():
    """The memory of a sparse array is that of its stored numbers."""
    A = sparse.csr_array(np.eye(10))
    rows = rows_by_function(profile(lambda A: A * 2.0, A))

    assert rows["operator.mul"].result_bytes == 80


@pytest.mark.parametrize("f", [lambda x: 1.0, lambda x: x])
def test_programs_without_operations(f):
    """A program without operations has a total, and no rows."""
    table = profile(f, 1.0)

    assert table.rows == ()
    assert table.forward_seconds == 0


def test_errors_pass():
    """What a program raises is raised, and the next profile begins anew."""

    def without_rule(x):
        return x

    with pytest.raises(RuleNotFoundError):
        profile(primitive(without_rule), 1.0)
    with pytest.raises(DimensionMismatchError):
        profile(lambda x: jvp(np.sin, (x,), ()), 1.0)
    assert profile(np.sin, 1.0).rows[0].calls == 1


def test_rules_that_decline_forwards():
    """A rule that gives no answer has no row; the error says that there is no other rule."""

    @primitive
    def declined(x):
        return x

    @frule.dispatch
    def declined_frule(tangents, f: typeof_(declined), x: float):
        return None

    with pytest.raises(RuleNotFoundError, match="declined"):
        profile(lambda x: jvp(declined, (x,), (1.0,))[1], 1.0)


def columns_of(line):
    """The cells of a printed line."""
    return [cell.strip() for cell in line.split("│")[1:-1]]


def test_table():
    """It prints as a table: a line for each function, and one for all."""
    printed = str(profile(lambda x: np.sum(np.sin(x)), np.ones(1000)))

    words = ("numpy.sin", "numpy.sum", "sin_rrule", "8 kB", "backward ms")
    assert [word for word in words if word not in printed] == []
    assert "all, with everything else" in printed.splitlines()[-2]


def test_units():
    """Times are in milliseconds, and sizes in the unit that makes them short."""
    row = ProfileRow("f", "f_rrule (rules.py:3)", 3, 0.001, 0.0025, 8000, 24)
    large = ProfileRow("g", "g_rrule (rules.py:9)", 1, 1.0, 0.0, 2_500_000, 3 * 10**9)
    _, headers, _, first, second, _, total, _ = str(Profile((row, large), 1.5, 0.25)).splitlines()

    assert [cell.strip() for cell in headers.split("┃")[1:-1]] == [
        *("function", "rule", "calls", "forward ms", "backward ms", "results", "cotangents")
    ]
    assert columns_of(first) == ["f", "f_rrule (rules.py:3)", "3", "1.000", "2.500", "8 kB", "24 B"]
    assert columns_of(second) == ["g", "g_rrule (rules.py:9)", "1", "1000.000", "0.000", "2.5 MB", "3 GB"]
    assert columns_of(total) == ["all, with everything else", "", "", "1500.000", "250.000", "", ""]


def test_sizes_are_rounded_to_three_digits():
    """Where that makes a thousand, it is one of the next unit."""
    sizes = [998, 1000, 1001, 999_400, 999_499, 999_500, 1_000_400, 999_600_000]
    rows = tuple(ProfileRow("f", "rule", result_bytes=size) for size in sizes)

    written = [columns_of(line)[-2] for line in str(Profile(rows, 0.0, 0.0)).splitlines()[3:-3]]
    assert written == ["998 B", "1 kB", "1 kB", "999 kB", "999 kB", "1 MB", "1 MB", "1 GB"]


def test_seconds():
    """Those of a row are the sum of both directions."""
    assert ProfileRow("f", "rule", 1, 0.25, 0.5).seconds == 0.75


def test_profiles_stay_as_they_are():
    """What was measured is not changed later."""
    with pytest.raises(FrozenInstanceError):
        Profile((), 1.5, 0.25).forward_seconds = 0.0


def test_what_was_not_called_cost_nothing():
    """A row begins with zeros."""
    assert ProfileRow("f", "rule") == ProfileRow("f", "rule", 0, 0.0, 0.0, 0, 0)


def test_progress_of_a_search(capsys):
    """SciPy's own report comes once, and a callback is given plain numbers, whichever way the call goes."""
    steps = []

    def f(p):
        given = {"callback": steps.append, "options": {"disp": True}}
        return minimize(lambda t: np.cosh(t[0] - p) + t[0] ** 2, [0.5], **given).x[0]

    f(0.7)
    plain = len(steps), capsys.readouterr().out
    for differentiated in (grad(f), lambda p: jvp(f, (p,), (1.0,))):
        steps.clear()
        differentiated(0.7)
        assert (len(steps), capsys.readouterr().out) == plain
        assert {type(x) for x in steps} == {np.ndarray}
    assert "scipy.optimize.minimize" in str(profile(f, 0.7))
