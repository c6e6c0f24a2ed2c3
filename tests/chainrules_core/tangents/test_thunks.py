"""Thunks: computed when needed, once, and otherwise like their value."""

import copy
import gc
import pickle
import threading
import time
import traceback
import weakref

import numpy as np
import pytest

from chainrules_core import (
    AbstractThunk,
    InplaceableThunk,
    NoTangent,
    Thunk,
    ZeroTangent,
    thunk,
    unthunk,
    unthunking,
)
from chainrules_core.tangents.linear_operations import adjoint, conjugate_tangent, transpose
from tests.chainrules_core.tangents.primals import Counted

ZEROS = [ZeroTangent(), NoTangent()]


# --- Making and computing ---


def test_the_three_forms():
    """A thunk is made of an expression, of a function with arguments, or over a nested function."""

    @thunk
    def of_statements():
        two = 2.0
        return two + 1.0

    for t in (thunk(lambda: 3.0), thunk(np.add, 1.0, 2.0), of_statements, Thunk(float, "3")):
        assert isinstance(t, Thunk)
        assert unthunk(t) == 3.0


def test_computes_when_needed_and_once():
    """Making computes nothing; every later use has the value of the first."""
    compute = Counted(np.ones(2))
    t = thunk(compute)
    assert compute.calls == 0
    assert unthunk(t) is unthunk(t)
    np.testing.assert_array_equal(t + t, [2.0, 2.0])
    assert compute.calls == 1


def test_unthunk_takes_off_one_layer():
    """The value of a thunk of a thunk is a thunk; of anything else, itself."""
    inner = thunk(lambda: 3.0)
    assert unthunk(thunk(lambda: inner)) is inner
    for x in (3.0, np.ones(2), *ZEROS):
        assert unthunk(x) is x


def test_nested_thunks_take_part_by_their_innermost_value():
    """Arithmetic and conversions go through all layers."""
    t = thunk(lambda: thunk(lambda: 3.0))
    assert t + 1.0 == 4.0
    assert float(t) == 3.0
    np.testing.assert_array_equal(np.asarray(t), 3.0)


def test_computing_lets_the_captured_go():
    """What the function captured can be collected once the value is there."""

    class Large:
        pass

    large = Large()
    reference = weakref.ref(large)
    t = thunk(lambda captured: isinstance(captured, Large), large)
    unthunk(t)
    del large
    gc.collect()
    assert reference() is None


def test_failing_is_not_remembered():
    """A function that raises is called again, and what it computes in the end counts."""
    outcomes = iter([ValueError("first"), ValueError("second"), None])

    def compute():
        outcome = next(outcomes)
        if outcome is not None:
            raise outcome
        return 3.0

    t = thunk(compute)
    for message in ("first", "second"):
        with pytest.raises(ValueError, match=message):
            unthunk(t)
    assert unthunk(t) == 3.0


def test_tracebacks_show_the_line_of_the_rule():
    """The traceback of a failing thunk ends at the expression of the rule's author."""
    t = thunk(lambda: 1 / 0)
    with pytest.raises(ZeroDivisionError) as caught:
        t + 1.0
    last = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert last.filename == __file__
    assert "1 / 0" in last.line


def test_threads_see_one_value():
    """Threads that need the value at the same time wait for one that computes it."""
    compute_calls = []

    def compute():
        compute_calls.append(threading.get_ident())
        time.sleep(0.02)
        return object()

    t = thunk(compute)
    values = []
    barrier = threading.Barrier(8)

    def need():
        barrier.wait()
        values.append(unthunk(t))

    threads = [threading.Thread(target=need) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(values) == 8
    assert len(set(map(id, values))) == 1
    assert len(compute_calls) == 1


def test_thunks_that_wait_for_threads_that_compute_thunks():
    """A computation may wait for other threads that compute other thunks."""

    def compute():
        values = []
        inner = thunk(lambda: 3.0)
        thread = threading.Thread(target=lambda: values.append(unthunk(inner)))
        thread.start()
        thread.join(timeout=5)
        return values

    assert unthunk(thunk(compute)) == [3.0]


def test_lambdas_bind_late_and_arguments_at_once():
    """H13: a lambda made in a loop sees the loop's last value; arguments are those of its own round."""
    late = [thunk(lambda: i) for i in range(3)]  # noqa: B023 - this is the point
    at_once = [thunk(float, i) for i in range(3)]
    assert [unthunk(t) for t in late] == [2, 2, 2]
    assert [unthunk(t) for t in at_once] == [0.0, 1.0, 2.0]


def test_a_value_is_refused():
    """`thunk(A @ b)` has computed already; the error says what to write."""
    with pytest.raises(TypeError, match=r"thunk\(lambda: \.\.\.\)"):
        thunk(np.ones(2))


def test_abstract_thunk_has_no_value():
    """A thunk type of one's own says how it is computed."""

    class Constant(AbstractThunk):
        def __unthunk__(self):
            return 3.0

    assert unthunk(Constant()) == 3.0
    assert Constant() + 1.0 == 4.0
    with pytest.raises(NotImplementedError):
        unthunk(AbstractThunk())


# --- Laziness ---


@pytest.mark.parametrize("zero", ZEROS, ids=repr)
def test_zeros_do_not_compute(zero):
    """Sums with a zero are the thunk itself, products with it the zero."""
    compute = Counted(3.0)
    t = thunk(compute)
    assert zero + t is t
    assert t + zero is t
    assert t - zero is t
    assert zero * t is zero
    assert t * zero is zero
    assert t @ zero is zero
    difference = zero - t
    assert compute.calls == 0
    assert unthunk(difference) == -3.0


def test_linear_functions_are_put_off():
    """The negative, conjugate, transpose and adjoint of a thunk are thunks."""
    compute = Counted(np.array([[1.0, 2.0j]]))
    t = thunk(compute)
    lazy = [-t, conjugate_tangent(t), transpose(t), adjoint(t)]
    lazy += [t.T, t.conj(), np.conjugate(t), np.negative(t)]
    assert compute.calls == 0
    value = compute.value
    expected = [-value, value.conj(), value.T, value.conj().T, value.T, value.conj(), value.conj(), -value]
    for result, wanted in zip(lazy, expected, strict=True):
        assert isinstance(result, Thunk)
        np.testing.assert_array_equal(unthunk(result), wanted)
    assert compute.calls == 1


def test_probing_does_not_compute():
    """Looking for private attributes, and representing, leave the thunk as it is."""
    compute = Counted(3.0)
    t = thunk(compute)
    assert not hasattr(t, "_repr_html_")
    assert copy.copy(t) is t
    assert "Counted" in repr(t)
    assert compute.calls == 0


# --- Like its value ---


@pytest.mark.parametrize("make", [thunk, lambda f: InplaceableThunk(abs, thunk(f))], ids=["plain", "inplace"])
def test_behaves_like_an_array(make):
    """Items, iteration, attributes, methods, operators and conversions give the same as for the value."""
    value = np.arange(6.0).reshape(2, 3)
    t = make(lambda: value)
    assert t.shape == (2, 3)
    assert t.dtype == value.dtype
    assert len(t) == 2
    assert t[1, 2] == 5.0
    assert [row.sum() for row in t] == [3.0, 12.0]
    assert t.sum() == 15.0
    for result, wanted in [
        (t + value, 2 * value),
        (value + t, 2 * value),
        (t - value, 0 * value),
        (value - t, 0 * value),
        (2.0 * t, 2 * value),
        (t * t, value * value),
        (t / 2.0, value / 2),
        (2.0 / (t + 1.0), 2 / (value + 1)),
        (t @ np.ones(3), value @ np.ones(3)),
        (np.ones(2) @ t, np.ones(2) @ value),
        (t**2, value**2),
        (2.0**t, 2.0**value),
        (abs(-t), value),
        (t == value, np.ones_like(value, dtype=bool)),
        (t < 3.0, value < 3.0),
        (t.T, value.T),
        (np.asarray(t), value),
        (t.reshape(3, 2), value.reshape(3, 2)),
    ]:
        np.testing.assert_array_equal(result, wanted)


def test_behaves_like_a_number():
    """Conversions and comparisons give the same as for the value."""
    t = thunk(lambda: 3.2)
    assert float(t) == 3.2
    assert int(t) == 3
    assert complex(t) == 3.2 + 0j
    assert bool(t)
    assert t == 3.2
    assert t == InplaceableThunk(lambda x: x, thunk(lambda: 3.2))
    assert t != 3.0
    assert t >= 3.0
    assert hash(t) == hash(3.2)
    assert max(t, 1.0) is t


def test_augmented_assignment_rebinds():
    """`t += x` gives the name a new value, and leaves the thunk as it is, as for all immutables."""
    value = np.ones(2)
    t = original = thunk(lambda: value)
    t += 1.0
    np.testing.assert_array_equal(t, [2.0, 2.0])
    assert unthunk(original) is value
    np.testing.assert_array_equal(value, [1.0, 1.0])


def test_pickles_and_deep_copies_by_value():
    """What travels is the value, since local functions cannot."""
    value = np.ones(2)
    t = thunk(lambda: value)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        restored = pickle.loads(pickle.dumps(t, protocol))
        assert isinstance(restored, Thunk)
        np.testing.assert_array_equal(unthunk(restored), value)
    assert unthunk(copy.deepcopy(t)) is not value


def test_repr():
    """A thunk shows its function until it is computed, then its value; long names are shortened."""
    t = thunk(np.ones, 2)
    assert repr(t) == "Thunk(ones)"
    unthunk(t)
    assert repr(t) == "Thunk(value=array([1., 1.]))"

    def compute(): ...

    for length, shown in ((80, "f" * 80), (81, "..." + "f" * 77)):
        compute.__qualname__ = "f" * length
        assert repr(thunk(compute)) == f"Thunk({shown})"


# --- InplaceableThunk ---


def test_inplaceable_is_its_value():
    """Everywhere but in accumulation, an in-place thunk is its `val`; keywords are accepted."""
    add = np.ones(2).__iadd__
    val = thunk(lambda: np.ones(2))
    t = InplaceableThunk(add=add, val=val)
    assert isinstance(t, AbstractThunk)
    assert t.add is add
    assert t.val is val
    assert unthunk(t) is unthunk(val)
    assert isinstance(pickle.loads(pickle.dumps(t)), Thunk)
    assert "val=Thunk(" in repr(t)
    assert copy.copy(t) is t


def test_inplaceable_adds_to_any_array():
    """Unless its class says otherwise."""
    assert InplaceableThunk(abs, thunk(float)).can_be_added_to(np.ones(2))


def test_inplaceable_old_order_is_detected():
    """The order of arguments of ChainRulesCore 0.9 works, with a warning."""
    val = thunk(float)
    with pytest.warns(DeprecationWarning, match="add, val") as caught:
        t = InplaceableThunk(val, abs)
    assert caught[0].filename == __file__
    assert t.val is val
    assert t.add is abs


def test_inplaceable_of_wrong_arguments():
    """A value for the thunk, or nothing callable for `add`, is refused by name."""
    with pytest.raises(TypeError, match="`val` is a float"):
        InplaceableThunk(abs, 3.0)
    with pytest.raises(TypeError, match="`add` is a float"):
        InplaceableThunk(3.0, thunk(float))


# --- unthunking ---


def test_unthunking_gives_a_pullback_values():
    """Each positional argument is unthunked once, and the pullback keeps its name."""

    @unthunking
    def double_pullback(y_bar, other):
        assert not isinstance(y_bar, AbstractThunk)
        return NoTangent(), 2 * y_bar, other

    compute = Counted(3.0)
    assert double_pullback(thunk(compute), 1.0) == (NoTangent(), 6.0, 1.0)
    assert compute.calls == 1
    assert double_pullback.__name__ == "double_pullback"
    assert double_pullback.__qualname__.endswith("double_pullback")


def test_unused_thunks_are_never_computed():
    """A cotangent that a pullback passes on, or uses in an unused thunk, is not computed."""
    compute = Counted(3.0)
    y_bar = thunk(compute)
    identity_pullback = lambda y_bar: (NoTangent(), y_bar)  # noqa: E731 - pullbacks may be lambdas
    lazy_pullback = lambda y_bar: (NoTangent(), thunk(lambda: 2 * unthunk(y_bar)))  # noqa: E731 - pullbacks may be lambdas
    assert identity_pullback(y_bar)[1] is y_bar
    unused = lazy_pullback(y_bar)[1]
    assert compute.calls == 0
    assert unthunk(unused) == 6.0
