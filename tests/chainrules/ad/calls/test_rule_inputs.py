"""Plain arrays from outside: what is written into them later changes no derivative in silence."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy.linalg import cho_solve
from scipy.sparse import csr_array

from chainrules.ad import grad, hessian, hvp, interception, vjp
from chainrules.ad.calls import rule_inputs as module
from chainrules.ad.calls.rule_inputs import MutatedInputError, rule_input, rule_inputs
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.trace import CONSTANT, RUNNING, UNUSED_BY_RULES
from chainrules_core.structured import Diagonal
from chainrules_testutils import grad as grad_by_differences
from chainrules_testutils import jvp as jvp_by_differences
from tests.chainrules.ad.writing.ways_to_write import NOISE, WRITERS
from tests.python_calls import functions_run_by

X = np.array([0.3, 1.2, 0.7])


class Buffered:
    """An object with an array of its own, which it writes into at each step."""

    def __init__(self):
        self.buffer = np.zeros(3)

    def __call__(self, x):
        """A sum of sines, each beside another content of the buffer."""
        total = 0.0
        for row in NOISE:
            self.buffer[:] = row
            total = total + np.sum(np.sin(self.buffer * x))
        return total


def filled_again_and_again(write, buffer):
    """A program that uses a buffer at each step, after it has been written into."""

    def program(x):
        total = 0.0
        for row in NOISE:
            write(buffer, row)
            total = total + np.sum(np.sin(buffer * x))
        return total

    return program


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_buffers_that_are_written_into_before_their_use_may_be_written_into_again(write):
    """Each operation is differentiated with what the array held then, in both modes and twice."""

    def value(x):
        return filled_again_and_again(write, np.zeros(3))(x)

    def gradient(x):
        return grad(filled_again_and_again(write, np.zeros(3)))(x)

    expected = grad_by_differences(None, value, X)[0]
    np.testing.assert_allclose(gradient(X), expected, rtol=1e-8)
    second = hessian(filled_again_and_again(write, np.zeros(3)))(X)
    by_differences = jvp_by_differences(None, gradient, (X, X))
    np.testing.assert_allclose(second @ X, by_differences, rtol=1e-7)
    np.testing.assert_allclose(
        hvp(filled_again_and_again(write, np.zeros(3)), X, X), by_differences, rtol=1e-7
    )


def test_an_array_is_copied_once_for_each_content():
    """However often it is used."""
    owner = np.ones(3)
    written = module.WrittenArray(owner, [])
    copy = written.copy_of(owner)

    assert copy is written.copy_of(owner)
    assert copy is not owner
    assert written.copy_of(owner[1:]) is not copy
    np.testing.assert_array_equal(copy, owner)

    counted = []

    def program(x):
        owner[:] = 2.0
        y = x * owner + x * owner
        counted.append(len(RUNNING[-1].rule_inputs.written[id(owner)].copies))
        owner[:] = 3.0
        counted.append(len(RUNNING[-1].rule_inputs.written[id(owner)].copies))
        return np.sum(y)

    np.testing.assert_array_equal(grad(program)(X), [4.0, 4.0, 4.0])
    assert counted == [1, 0]


def test_arguments_by_keyword_are_kept_as_they_were():
    """Weights, for example."""
    weights = np.ones(3)

    def program(x):
        total = 0.0
        for row in NOISE**2:
            weights[:] = row
            total = total + np.average(x, weights=weights)
        return total

    expected = np.sum(NOISE**2 / np.sum(NOISE**2, 1, keepdims=True), 0)
    np.testing.assert_allclose(grad(program)(X), expected, rtol=1e-12)

    def late(x):
        y = np.average(x, weights=weights)
        weights[0] = 0.0
        return y

    with pytest.raises(MutatedInputError):
        grad(late)(X)


def test_buffers_may_be_attributes():
    """An object that outlives the call may have one."""
    expected = grad_by_differences(None, Buffered(), X)[0]
    np.testing.assert_allclose(grad(Buffered())(X), expected, rtol=1e-8)


@pytest.mark.parametrize("write", WRITERS, ids=lambda write: write.__name__)
def test_to_write_into_an_array_after_its_use_is_an_error(write):
    """The rule kept the array, and nobody else has what it held."""
    buffer = np.ones(3)

    def program(x):
        y = x * buffer
        write(buffer, NOISE[0])
        return np.sum(y)

    with pytest.raises(MutatedInputError, match=r"shape \(\d,\) is written into, .* `a = a.copy\(\)`"):
        grad(program)(X)
    assert not RUNNING


def test_a_view_that_was_used_is_seen_by_its_memory():
    """Other elements of the array may be written into."""
    buffer = np.ones((4, 3))

    def program(x, row):
        y = x * buffer[1]
        buffer[row, 0] = 5.0
        buffer[row, 1:] += 1.0
        return np.sum(y)

    np.testing.assert_array_equal(grad(program)(X, 2), np.ones(3))
    with pytest.raises(MutatedInputError):
        grad(program)(X, 1)


def test_an_array_without_axes_is_written_into_as_a_whole():
    """Its index is empty."""
    number = np.array(2.0)

    def program(x):
        y = x * number
        number[()] = 5.0
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(X)


def test_sums_need_no_values():
    """An array that was only added, or subtracted, may change."""
    buffer = np.ones(3)

    def program(x):
        y = (x + buffer) * 2.0 - buffer
        buffer[:] = 7.0
        return np.sum(y)

    np.testing.assert_array_equal(grad(program)(X), [2.0, 2.0, 2.0])


def test_arrays_that_no_rule_keeps_may_change():
    """A temporary array is gone by then, and its memory may serve another one."""

    def program(x):
        for _ in range(20_000):
            x * np.zeros(1)  # nobody keeps the result
        held = np.zeros(3)
        held[:] = 2.0
        return np.sum(x * held)

    np.testing.assert_array_equal(grad(program)(X), [2.0, 2.0, 2.0])


def test_the_array_that_the_caller_differentiates_by_may_not_change():
    """Inside, `x` is a handle, and the caller's own array stands behind it."""
    own = X.copy()

    def program(parameters):
        y = parameters["x"] * parameters["x"]
        own[0] = 5.0
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)({"x": own})


def test_pullbacks_of_calls_in_a_differentiation_are_safe_too():
    """Two differentiations, one inside the other, both know of the array."""
    buffer = np.ones(3)

    def inner(x):
        buffer[:] = 2.0
        y = np.sum(buffer * x**3)
        buffer[:] = 5.0
        return y

    def program(x):
        _, pullback = vjp(inner, x)
        return np.sum(pullback(1.0)[0])

    np.testing.assert_allclose(grad(program)(X), 2.0 * 6.0 * X, rtol=1e-12)


def test_code_that_is_not_intercepted_is_not_watched():
    """There debug mode tells."""
    buffer = np.ones(3)

    def program(x):
        y = x * buffer
        buffer[:] = 5.0
        return np.sum(y)

    with interception(False):
        np.testing.assert_array_equal(grad(program)(X), [5.0, 5.0, 5.0])


def test_threads_do_not_disturb_each_other():
    """Each writes into a buffer of its own, while the others differentiate."""

    def gradient(number):
        buffer = np.zeros(3)

        def program(x):
            total = 0.0
            for step in range(200):
                x * np.full(3, 2.0)
                buffer[:] = number + step
                total = total + np.sum(buffer * x)
            return total

        return grad(program)(X)[0]

    with ThreadPoolExecutor(4) as pool:
        gradients = list(pool.map(gradient, range(8)))
    np.testing.assert_array_equal(gradients, [200.0 * number + 199 * 100 for number in range(8)])


def test_the_elements_of_sparse_arrays_may_be_written_into_before_their_use():
    """Their pattern stays."""
    A = csr_array(np.diag([1.0, 2.0, 3.0]))
    elements = A.data.copy()

    def program(x):
        total = 0.0
        for factor in (1.0, 2.0):
            A.data[:] = factor * elements
            total = total + np.sum(np.sin(A @ x))
        return total

    expected = sum(elements * factor * np.cos(factor * elements * X) for factor in (1.0, 2.0))
    np.testing.assert_allclose(grad(program)(X), expected, rtol=1e-12)


@pytest.mark.parametrize(
    "use",
    [
        lambda x, matrix: np.linalg.multi_dot([matrix, x]),  # a list with a traced array
        lambda x, matrix: cho_solve((matrix, True), x),  # a tuple of constants
        lambda x, matrix: Diagonal(matrix[1]) @ x,
    ],
)
def test_arrays_inside_of_arguments_are_kept_as_they_were(use):
    """In containers and in structured arrays; to write into them after their use is an error."""

    def program(x, matrix, late=False):
        total = 0.0
        for factor in (1.0, 2.0):
            if not late:
                matrix[:] = factor * np.eye(3)
            total = total + np.sum(use(x, matrix))
            if late:
                matrix[:] = 3.0
        return total

    def value(x):
        return program(x, np.eye(3))

    expected = grad_by_differences(None, value, X)[0]
    np.testing.assert_allclose(grad(program)(X, np.eye(3)), expected, rtol=1e-9)
    with pytest.raises(MutatedInputError):
        grad(program)(X, np.eye(3), late=True)


def test_sparse_arrays_may_not_change_after_their_use():
    """By an item, or by their elements."""

    def by_item(A):
        A[0, 0] = 7.0

    def by_elements(A):
        A.data *= 2.0

    for write in (by_item, by_elements):
        A = csr_array(np.diag([1.0, 2.0, 3.0]))

        def program(x, A=A, write=write):
            y = A @ x
            write(A)
            return np.sum(y)

        with pytest.raises(MutatedInputError):
            grad(program)(X)


_SEEN = (1, 2, -3, -2, (1, 2), [0], ...)  # of a list there is no view
_UNSEEN = (0, 3, -4, -1, slice(1), slice(3, None), (-1, 0))


@pytest.mark.parametrize(("index", "is_seen"), [(i, i in _SEEN) for i in (*_SEEN, *_UNSEEN)])
def test_which_elements_are_seen(index, is_seen):
    """Those that a rule was given: rows 1 and 2 of four."""
    buffer = np.ones((4, 3))

    def program(x):
        y = x * buffer[1:3]
        assert module.is_known(buffer)
        buffer[index] = 5.0
        return np.sum(y)

    if is_seen:
        with pytest.raises(MutatedInputError):
            grad(program)(X)
    else:
        np.testing.assert_array_equal(grad(program)(X), [2.0, 2.0, 2.0])


def test_what_there_is_to_keep():
    """Plain arrays that depend on nothing, while the function runs, and no other values."""
    trace, array = ReverseTrace(), np.ones(3)
    values, records = (array, X, "text", object(), 2.0), (None, object(), *[CONSTANT] * 4)
    assert rule_inputs(trace, np.multiply, values, records) is values
    assert list(trace.rule_inputs.given.values()) == [X]
    numbers = (1, 2.0, 3j, True, "text", None, slice(1), rule_inputs)
    assert set(functions_run_by(lambda: rule_inputs(trace, max, numbers, (CONSTANT,) * 9))) == {"rule_inputs"}
    trace.rule_inputs, trace.has_ended = None, True
    assert rule_input(array, trace) is array
    assert trace.rule_inputs is None
    np.testing.assert_array_equal(module.written_array(memoryview(X)), X)


def test_arrays_that_nobody_holds_are_forgotten(monkeypatch):
    """When there are so many."""
    monkeypatch.setattr(module, "_MANY", 3)
    trace, held, sizes = ReverseTrace(), np.ones(1), []
    rule_input(held, trace)
    for _ in range(6):
        array = np.zeros(1)
        rule_input(array, trace)
        sizes.append(len(trace.rule_inputs.given))
        del array
    assert sizes == [2, 2, 2, 2, 2, 2]  # one is held, and the last one


def test_arrays_that_no_rule_was_given_are_noted():
    """Then nothing is asked before they are written into; beside numbers and other arrays too."""
    buffer, other, noted = np.ones(3), np.ones(3), []

    def program(x, factor):
        y = x * other * factor
        buffer[0] = 2.0
        noted.append(id(buffer) in UNUSED_BY_RULES)
        return np.sum(y * buffer)

    np.testing.assert_array_equal(grad(program)(X, 2.0), [4.0, 2.0, 2.0])
    assert grad(program, 1)(X, 2.0) == pytest.approx(np.sum(X) + X[0])
    assert noted == [True, True]


def test_another_thread_may_end_its_differentiation(monkeypatch):
    """Before or while an array that it was given is looked up."""
    trace, array = ReverseTrace(), np.ones(3)

    def end(*_):
        trace.rule_inputs = None
        return []

    monkeypatch.setattr(module.RuleInputs, "_in_rules", end)
    monkeypatch.setattr(module, "RUNNING", [trace])
    module.before_writing(array)
    module.before_writing(array)
