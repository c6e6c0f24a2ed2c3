"""Arrays that libraries write into, and in debug mode any code, between a call and its pullback."""

import numpy as np
import pytest
import scipy.fft
import scipy.linalg
import scipy.linalg.blas
import scipy.ndimage
import scipy.sparse

from chainrules.ad import grad, interception, vjp
from chainrules.ad.calls.mutation import noticing_writes
from chainrules.ad.calls.rule_inputs import MutatedInputError
from chainrules_core import debugging
from tests.python_calls import functions_run_by


def scaled_then_cleared(weights):
    """A program that writes into a constant which the rule of the product keeps."""

    def f(x):
        y = x * weights
        weights[:] = 0
        return np.sum(y)

    return f


def test_writing_into_a_constant_is_told_in_debug_mode():
    """The gradient would be that of other weights; the error names the function and the argument."""
    with (
        debugging(),
        interception(False),
        pytest.raises(MutatedInputError, match=r"Argument 2 of _?operator.mul was written into"),
    ):
        grad(scaled_then_cleared(np.ones(2)))(np.ones(2))


def test_writing_into_the_argument_is_told_in_debug_mode():
    """Writing into the array that the caller differentiates by is an error too."""
    x = np.ones(2)

    def f(traced):
        y = traced * traced
        x[0] = 5.0
        return np.sum(y)

    with debugging(), interception(False), pytest.raises(MutatedInputError, match="Argument 1"):
        grad(f)(x)


def test_programs_that_write_nowhere_pass():
    """The gradient is the same; an array that holds a NaN has not changed by that."""
    weights = np.array([2.0, np.nan])

    def f(x):
        return np.sum((x * weights)[:1])

    with debugging():
        assert grad(f)(np.ones(2))[0] == 2.0


def test_arguments_may_be_written_into_before_the_pullback():
    """An optimiser that updates parameters in place does; the pullback is that of the call."""
    x, parameters = np.array([1.0, 2.0]), {"weights": [np.array([3.0, 4.0])]}

    _, pullback = vjp(lambda x, p: np.sum(x**2 * p["weights"][0]), x, parameters)
    x[:], parameters["weights"][0][:] = 100.0, 50.0
    x_bar, p_bar = pullback(1.0)

    np.testing.assert_array_equal(x_bar, [6.0, 16.0])
    np.testing.assert_array_equal(p_bar["weights"][0], [1.0, 4.0])


X = np.array([0.3, 1.2, 0.7])


def matrix():
    """An array that functions of SciPy can write into."""
    return np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 0.0], [0.0, 0.5, 4.0]], order="F")


@pytest.mark.parametrize(
    "write",
    [
        lambda a: scipy.linalg.lu_factor(a, overwrite_a=True),
        lambda a: scipy.linalg.inv(a, True),
        lambda a: scipy.linalg.blas.dscal(5.0, a[:, 0]),
        lambda a: scipy.linalg.lu_factor(a[:, ::-1][:, ::-1], overwrite_a=True),
        lambda a: scipy.ndimage.gaussian_filter(np.ones((3, 3)), 1.0, output=a),
        lambda a: scipy.fft.dct(a.T, overwrite_x=True),
        lambda a: np.ma.put(np.ma.array(a, copy=False), [0], [9.0]),
        lambda a: setattr(a.view([("p", float)]).view(np.recarray), "p", 9.0),
        lambda a: setattr(a, "flat", 9.0),
    ],
)
def test_to_overwrite_an_array_after_its_use_is_an_error(write):
    """The rule kept the array. Before its use, nothing is wrong."""

    def program(x, a, late):
        if not late:
            write(a)
        y = a @ x
        if late:
            write(a)
        return np.sum(y)

    with pytest.raises(MutatedInputError, match="is written into, after the program has computed with it"):
        grad(program)(X, matrix(), late=True)
    a = matrix()
    np.testing.assert_allclose(grad(program)(X, a, late=False), np.sum(a, 0))


def test_to_read_an_array_is_no_error():
    """Also where it holds NaN."""
    a = matrix()
    a[0, 0] = np.nan

    def program(x):
        y = x[1:] @ a[1:, 1:] + x[1:] @ a[1:, 1:]
        z = np.sum(a * x)
        scipy.linalg.norm(a, check_finite=False)
        scipy.linalg.lu_factor(a, check_finite=False)
        return np.sum(y) + 0.0 * z

    assert np.isfinite(grad(program)(X)[2])


def test_nothing_is_copied_where_no_rule_was_given_the_array():
    """The function is given the array itself in both cases; what it writes into others need not be known."""
    given = []
    a, other = matrix(), matrix()
    watching, filling = noticing_writes(given.append), noticing_writes(lambda a: a.fill(1.0))

    def program(x):
        watching(a)
        y = a @ x
        watching(a)
        assert not functions_run_by(lambda: filling(other))["before_writing"]
        return np.sum(y)

    grad(program)(X)
    watching(a)
    assert all(x is a for x in given)


def test_a_view_that_a_rule_was_given_is_of_the_array():
    """Another view of the same array is overwritten."""
    a = matrix()

    def program(x):
        y = a.T @ x
        scipy.linalg.lu_factor(a[:], overwrite_a=True)
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(X)


def scaled(m):
    """Scale in place."""
    m *= 3.0


def divided(m):
    """Divide in place."""
    m /= 3.0


@pytest.mark.parametrize("write", [scaled, divided, lambda m: m.setdiag(9.0), lambda m: m.sort_indices()])
def test_methods_of_sparse_arrays_write_into_their_elements(write):
    """These may be an array that a rule was given."""
    elements = np.arange(1.0, 10.0)

    def program(x):
        y = x * elements[:3]
        columns = np.array([2, 1, 0] * 3)
        write(scipy.sparse.csr_array((elements, columns, np.array([0, 3, 6, 9])), shape=(3, 3)))
        return np.sum(y)

    with pytest.raises(MutatedInputError):
        grad(program)(X)


def test_what_was_overwritten_is_copied_again():
    """A rule is not given the copy of what the array held before."""
    a, b = np.array([[2.0, 1.0], [1.0, 3.0]], order="F"), np.array([[2.0, 1.0], [1.0, 3.0]], order="F")

    def program(x, a):
        a[0, 0] = 4.0
        y = np.sum(x * a)
        scipy.linalg.lu_factor(a, overwrite_a=True)
        return y + np.sum(x * a)

    assert grad(program)(1.0, a) == program(1.0, b)
