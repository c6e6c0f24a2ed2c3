"""Functions that use a rule where something traced is given to them, and how NumPy's are called."""

import math

import numpy as np
import pytest
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
import scipy.special

from chainrules.ad import grad, jvp
from chainrules.ad.calls.calling import HOLDING_NOTHING
from chainrules.ad.interception.choosing.ruled_calls import (
    as_array,
    ruled,
    ruled_by_numpy,
    ruled_in_numpy,
    ruled_in_scipy,
)
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.tracing import traced
from chainrules_core import RuleNotFoundError
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.interception.ruled_callables import first, scaled, total
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.ad.writing.programs import check_program
from tests.chainrules.program_checks import check_along
from tests.chainrules.rule_checks import normal
from tests.python_calls import functions_run_by

MADE_ELSEWHERE = np.frompyfunc(abs, 1, 1)


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.append(x**2, (x[0] * x[1], 3.0)),
        lambda x: np.append(2.0 * x[:1], (x[1:], x[:0:-1])),
        lambda x: np.insert(x**2, [0, 1], [x[0] * x[1], 2.0]),
        lambda x: np.clip(x**2, [x[0] * 0.1, 0.0, 0.0], (x[0] * x[1] * 9.0, 5.0, 6.0)),
        lambda x: np.histogram([1.0, 2.0, 2.5], weights=[x[0] ** 2, x[1], x[2] ** 3], bins=2)[0],
    ],
)
def test_lists_beside_arrays(f):
    """Lists of traced numbers are arrays in both modes, and for second derivatives."""
    check_along(lambda x: np.sum(np.cos(f(x))), np.array([0.6, 0.7, 2.0]), np.array([0.3, -1.0, 0.5]))


PLAIN = np.array([1.0, 2.0, 4.0])


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.interp(x[0] * 0.1, xp=[0.0, 1.0, 2.0], fp=[1.0, 2.0, 5.0]),
        lambda x: np.polyval(p=[1.0, 2.0, 3.0], x=x),
        lambda x: np.trapezoid(y=[1.0, 2.0, 5.0], x=x),
        lambda x: np.outer(a=[1.0, 2.0], b=x),
        lambda x: np.append(arr=[1.0], values=x),
        lambda x: np.average(a=[1.0, 2.0, 3.0], weights=x),
        lambda x: np.clip(a=[1.0, 2.0, 3.0], a_min=x[0], a_max=9.0),
    ],
)
def test_lists_by_keyword(f):
    """Lists of plain numbers by keyword are arrays too."""
    check_along(lambda x: np.sum(np.cos(f(x))), np.array([1.3, 2.1, 0.4]), np.array([0.3, -1.0, 0.5]))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.linalg.norm(PLAIN, ord=x[0]),
        lambda x: np.max(PLAIN, initial=9.0 * x[0]),
        lambda x: np.sum(PLAIN, initial=x[0], where=PLAIN > 1.0),
        lambda x: np.full_like(PLAIN, fill_value=x[0]),
        lambda x: np.var(PLAIN, ddof=x[2]),
        lambda x: np.interp(0.5, PLAIN, PLAIN, left=x[0]),
        lambda x: np.interp([-1.0, 0.5], [0.0, 1.0, 2.0], [1.0, 2.0, 5.0], left=x[0]),
        lambda x: PLAIN.max(initial=9.0 * x[0]),
        lambda x: np.multiply.reduce(PLAIN, initial=x[0]),
        lambda x: np.select([PLAIN > 1.5], [PLAIN], default=x[0]),
        lambda x: np.cov([[1.0, 3.0, 2.0], [4.0, 2.0, 0.0]], aweights=[1.0, x[0], 2.0]),
        lambda x: np.bincount([0, 1, 1], [x[0], 1.0, x[1]]),
    ],
)
def test_options_of_plain_arrays(f):
    """Options of which NumPy does not ask the class find the rule of the function as well."""
    x = np.array([1.3, 2.1, 0.4])
    expected = grad_by_differences(None, lambda x: np.sum(np.cos(f(x))), x)[0]

    np.testing.assert_allclose(grad(lambda x: np.sum(np.cos(f(x))))(x), expected, rtol=1e-8, atol=1e-12)
    np.testing.assert_allclose(jvp(lambda x: np.sum(np.cos(f(x))), (x,), (x,))[1], expected @ x, rtol=1e-8)


@pytest.mark.parametrize(
    "f",
    [
        lambda a: np.sin([a, 1.0]).sum(),
        lambda a: np.add([a, 1.0], (2.0, a))[0] * a,
        lambda a: np.sum([a, a * a]),
        lambda a: np.max([a, 1.0]) * np.mean((a, 3.0)),
        lambda a: np.dot([a, 1.0], [2.0, a]),
        lambda a: np.linalg.norm([a, 1.0]),
        lambda a: np.linalg.solve([[a, 1.0], [0.0, 1.0]], [1.0, a])[0],
        lambda a: np.add.reduce([a, a]) * np.multiply.reduce(np.array([a, 2.0])),
        lambda a: np.cumsum([a, 1.0, a]).sum(),
        lambda a: np.outer([a, 1.0], [1.0, a]).sum(),
        lambda a: np.diag([a, a * a]).sum(),
        lambda a: np.r_[a, 1.0, [a, 2.0]] @ np.arange(4.0),
        lambda a: np.c_[np.array([a, 1.0]), [2.0, a]].sum(),
        lambda a: np.array([[a, 1.0], [2.0, [a][0]]]).prod(),
        lambda a: np.asarray([[a, 1.0], [2.0, a]], dtype=np.float64).sum(),
        lambda a: np.full((2, 2), a).sum() + np.full_like(np.ones(2), a).sum(),
        lambda a: np.poly1d([a, 1.0])(2.0) + np.poly1d([1.0, 2.0])(a),
        lambda a: np.polynomial.Polynomial([a, 1.0])(2.0) + np.polynomial.Polynomial([1.0, 2.0])(a),
        lambda a: np.random.default_rng(0).normal(a, a) + np.random.RandomState(0).normal(a),
        lambda a: np.vectorize(lambda v: np.sin(v))(np.array([a, 2 * a])).sum(),
        lambda a: np.frompyfunc(lambda v, w: np.sin(v) * w, 2, 1)(a, 2.0),
        lambda a: np.sum(np.frompyfunc(lambda v: np.sin(v), 1, 1)(np.array([a, 2 * a]))),
        lambda a: np.apply_along_axis(lambda v: np.sin(v[0]) * v, 0, np.array([[a, 2 * a]])).sum(),
        lambda a: np.fromiter((np.sin(k * a) for k in range(3)), float).sum(),
        lambda a: np.maximum(a, 0.5) * np.where(a > 0.0, a, 0.0),
        lambda a: np.ones(3).dot(np.array([a, 1.0, 2.0])) + np.array([a]).item(),
        lambda a: np.interp(a, [0.0, 2.0], [0.0, 3.0]),
    ],
)
def test_numbers_in_lists(f):
    """Everyday NumPy, which knows no traced values."""
    expected = grad_by_differences(None, f, 0.7)[0]

    np.testing.assert_allclose(grad(f)(0.7), expected, rtol=1e-8)
    np.testing.assert_allclose(jvp(f, (0.7,), (1.0,))[1], expected, rtol=1e-8)


@pytest.mark.parametrize(
    "f",
    [
        lambda a: scipy.linalg.solve([[a, 1.0], [0.5, 2.0]], [1.0, a])[0],
        lambda a: scipy.linalg.solve(a=a * np.eye(2), b=[1.0, 2.0])[1],
        lambda a: scipy.linalg.solve_triangular([[a, 1.0], [0.5, 2.0]], [1.0, 3.0])[0],
        lambda a: scipy.linalg.cho_solve(([[a, 0.0], [1.0, 2.0]], True), [1.0, 2.0])[0],
        lambda a: scipy.linalg.lu_solve(scipy.linalg.lu_factor([[a, 1.0], [0.5, 2.0]]), [1.0, 3.0])[0],
        lambda a: scipy.linalg.solve_banded((0, 1), [[0.0, a], [a, 2.0]], [1.0, 2.0])[0],
        lambda a: scipy.linalg.solve_toeplitz(([a, 0.1], [a, 0.5]), [1.0, 2.0])[0],
        lambda a: scipy.linalg.det([[a, 1.0], [0.5, 2.0]]) + scipy.linalg.norm([a, 1.0]),
        lambda a: scipy.linalg.inv([[a, 1.0], [0.5, 2.0]])[0, 0],
        lambda a: scipy.special.logsumexp([a, 1.0]) + scipy.special.softmax([a, 1.0])[0],
        lambda a: scipy.special.logsumexp([0.0, 1.0], b=[a, 2.0]) * scipy.special.gamma([a, 1.0])[0],
        lambda a: scipy.sparse.linalg.spsolve(scipy.sparse.csc_array(np.diag([a, 2.0])), [a, 1.0])[0],
    ],
)
def test_numbers_in_lists_for_scipy(f):
    """Everyday SciPy: lists are arrays, tuples are several arguments."""
    expected = grad_by_differences(None, f, 0.7)[0]

    np.testing.assert_allclose(grad(f)(0.7), expected, rtol=1e-8)
    np.testing.assert_allclose(jvp(f, (0.7,), (1.0,))[1], expected, rtol=1e-8)


def test_lists_of_sparse_arrays():
    """They are no arrays of numbers."""
    x = np.array([1.0, 2.0])

    def f(x):
        A = scipy.sparse.diags_array(x).tocsr()
        return scipy.sparse.hstack([A, scipy.sparse.block_diag([A, A]).tocsr()[:2]]).sum()

    np.testing.assert_allclose(grad(f)(x), 2.0)


def test_lists_that_are_no_arrays():
    """The function says itself what is wrong with them."""
    with pytest.raises(ValueError, match="could not convert"):
        grad(lambda a: scipy.linalg.solve(a * np.eye(2), ["b", 2.0])[0])(0.7)


def test_calls_of_numpy():
    """Each way of calling with two arguments, traced once and twice, gives what NumPy's protocols give."""
    x = normal(3)
    for f in (
        lambda x: np.sum(np.multiply(x, x)),
        lambda x: np.sum(np.multiply(x, 2.0)),
        lambda x: np.sum(np.multiply(2.0, x)),
        lambda x: np.sum(np.multiply(2.0, np.ones(3)) * x),
        lambda x: np.sum(np.multiply(x, [1.0, 2.0, 3.0])),
        lambda x: np.dot(x, np.ones(3)) + np.dot(np.ones(3), x),
        lambda x: grad(lambda y: np.sum(np.multiply(x, y)))(x) @ x,
        lambda x: np.sum(x, axis=0),
        lambda x: np.sum(np.sum(np.outer(x, x), axis=0) ** 3),
        lambda x: np.sum(np.subtract(x, 1.0, out=np.zeros(3), where=[True, False, True]) ** 3),
        lambda x: np.sum(np.take(np.outer(x, x), 1, axis=1) ** 3),
        lambda x: np.sum(np.power(2.0, x, dtype=float) * np.power(np.full(3, 2.0), x)),
        lambda x: np.sum(np.reshape(np.outer(x, x), (9,), order="F") * np.arange(9.0)),
    ):
        np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-7)


def test_without_a_rule():
    """The body is called; what is no array stays as it is."""

    def without(x):
        return x

    assert ruled(without, lambda x: "body")(1.0) == "body"
    assert while_traced(1.0, lambda x: ruled(without, lambda x: "body")(x)) == "body"
    assert while_traced(1.0, lambda x: as_array(["text", x])[0]) == "text"
    with pytest.raises(RuleNotFoundError, match="abs"):
        grad(lambda x: ruled_by_numpy(MADE_ELSEWHERE)(x))(1.0)


def test_lists_in_second_derivatives():
    """Functions whose rules take lists once, or lists of lists, have their derivatives too."""

    def program(x, fill):
        row, matrix = [x[0], x[1]], [[x[0], x[1]], [x[2], 1.0]]
        return (
            np.einsum("i,i->", row, [x[2], 2.0]) ** 2
            + np.sum(np.einsum("ij,j->i", matrix, row))
            + np.average(row, weights=[x[0] + 2.0, 1.0])
            + np.sum(np.vstack([row, (x[1], x[2])]) ** 3)
            + np.sum(np.hstack((row, [x[2]])) ** 3)
            + np.linalg.multi_dot([matrix, matrix, row])[0]
            + np.sum(np.ones(2) * row * np.roll(row, 1) / row[::-1])
            + np.sum(x[:2] * (np.array(row) > [0.0, x[0]]))
        )

    check_program(program)


def test_sparse_arrays_of_lists():
    """Numbers and places, or rows: of each of SciPy's classes."""
    places = ([0, 1, 2], [1, 2, 0])

    def program(x, fill):
        numbers, rows = [x[0], x[1], x[2]], [[x[0], 0.0, 0.0], [0.0, x[1] * x[2], 0.0], [0.0, x[2], 1.0]]
        classes = (
            scipy.sparse.csr_array,
            scipy.sparse.csc_array,
            scipy.sparse.coo_array,
            scipy.sparse.csr_matrix,
        )
        made = [cls((numbers, places), shape=(3, 3)) for cls in classes]
        made += [cls(rows) for cls in (*classes, scipy.sparse.bsr_array, scipy.sparse.dia_array)]
        made.append(scipy.sparse.dia_array(([numbers, numbers[::-1]], [0, 1]), shape=(3, 3)))
        return sum(np.sum((A @ np.arange(3.0)) ** 2) for A in made)

    check_program(program)


def test_plain_operands():
    """Nothing traced is in the call, and NumPy computes."""
    assert grad(lambda x: x * np.arctan2(0.0, 2.0) + np.add(np.ones(2), 1.0)[0] * x)(3.0) == 2.0


def test_ragged_lists():
    """A list that is no array is NumPy's to refuse."""
    with pytest.raises(ValueError, match="inhomogeneous"):
        grad(lambda x: np.size([[x], [x, x]]))(2.0)


def test_sparse_arrays_of_constants_hold_plain_arrays():
    """Compiled code that takes their parts apart needs these."""
    seen = []

    def f(t):
        diagonal = np.zeros((3, 3))
        diagonal[1, 1] = 2.0
        for dense in (diagonal, np.eye(3), np.diag(np.arange(1.0, 4.0))):
            made = scipy.sparse.csc_array(dense, (3, 3), np.float64)
            assert scipy.sparse.csr_matrix(dense).sum() == np.sum(dense)
            seen.append(type(made.data))
            diagonal[1, 1] = 5.0  # which the array does not see
            assert made.max() < 4.0
        return t

    assert grad(f)(1.0) == 1.0
    assert seen == [np.ndarray] * 3


def out_by_keyword(x, fill):
    """A program."""
    y = fill(np.zeros(3))
    ruled_in_numpy(np.cumsum, np.cumsum)(x, out=y)
    return np.sum(y * y)


def out_by_position(x, fill):
    """A program."""
    y = fill(np.zeros(3))
    ruled_in_numpy(np.cumsum, np.cumsum)(x, 0, None, y)
    return np.sum(y * y)


@pytest.mark.parametrize("program", [out_by_keyword, out_by_position])
def test_results_that_are_written_into_an_array(program):
    """By functions of NumPy that are written in Python."""
    check_program(program)


@pytest.mark.parametrize(
    ("call", "args", "unneeded"),
    [
        (ruled(np.sinh, np.sinh), (1.0,), "apply"),
        (ruled_in_numpy(np.cumsum, np.cumsum), (np.ones(2),), "without_out"),
        (ruled_in_numpy(np.cumsum, np.cumsum), (np.ones(2), 0), "without_out"),
        (ruled_by_numpy(np.sinh), (1.0,), "_call_numpy"),
        (ruled_by_numpy(np.add), (1.0, 2.0), "_call_numpy"),
        (ruled_by_numpy(np.dot), (np.ones(2), np.ones(2)), "_call_numpy"),
        (ruled_by_numpy(np.add), ([1.0], [2.0]), "without_out"),
    ],
)
def test_plain_calls_take_the_short_way(call, args, unneeded):
    """Nothing is looked for that only a traced value needs."""
    assert unneeded not in functions_run_by(lambda: call(*args))


def test_functions_of_scipy_that_hold_nothing():
    """They are remembered, so that nobody looks into them again."""

    def f(x):
        return x

    ruled_in_scipy(f, f)
    assert f in HOLDING_NOTHING
    HOLDING_NOTHING.remove(f)


def test_keyword_only_arguments():
    """A traced one without a place is traced through the body."""
    assert grad(lambda x: scaled(x, scale=2.0))(1.0) == 100.0
    assert grad(lambda s: scaled(1.0, scale=s))(1.0) == math.sin(1.0)
    assert grad(lambda x: scaled(x, scale=x))(1.0) == pytest.approx(math.cos(1.0) + math.sin(1.0))


def test_a_zero_stays_zero():
    """Rules with zero cotangents for an argument say so through intercepted calls too."""
    assert grad(lambda a, b: first(a, b), argnums=(0, 1))(1.0, 2.0) == (1.0, 0.0)


def test_sequences():
    """NumPy's and SciPy's functions get arrays for lists of traced numbers, and people's own rules the lists.

    So do functions that make sparse arrays of others.
    """

    def sparse(x):
        A = scipy.sparse.csr_array(np.eye(2)) * x
        return scipy.sparse.block_array([[A, None], [None, A]]).sum()

    assert grad(lambda x: total([x, 2.0 * x]))(1.0) == 300.0
    assert grad(lambda x: np.add.reduce([x, 2.0 * x]))(1.0) == 3.0
    assert grad(lambda x: np.polynomial.polynomial.polyval(2.0, [x, x]))(1.0) == 3.0
    assert grad(lambda x: scipy.linalg.det([[x, 0.0], [0.0, 2.0]]))(1.0) == pytest.approx(2.0)
    assert grad(sparse)(1.0) == 4.0


@pytest.mark.parametrize(
    ("f", "others"),
    [(np.sin, ()), (np.add, (2.0,)), (np.add, (np.ones(2),)), (np.sum, ()), (np.dot, (np.ones(2),))],
)
def test_common_calls_of_traced_arrays(f, others):
    """They go to the trace, and not to NumPy's protocols; a new array is no view."""
    x = traced(np.ones(2), ReverseTrace(), input_node)[0]
    run = functions_run_by(lambda: ruled_by_numpy(f)(x, *others))
    assert "_call_numpy" not in run
    if f is not np.dot:
        assert "shown" not in run


def test_options_without_a_derivative():
    """The error is that of NumPy's call, or says what to write."""
    with pytest.raises(TypeError, match="Counts, axes and indices are integers"):
        grad(lambda x: np.sum(PLAIN, axis=x))(0.0)
    with pytest.raises(TypeError, match=r"Write `np\.pad\(x - c"):
        grad(lambda x: np.sum(np.pad(PLAIN, 1, constant_values=x)))(1.3)


def test_functions_that_call_others_back_are_called_once():
    """What they have done is not done again."""
    done = []

    def each(row, x):
        done.append(row)
        return row * x

    def program(x):
        return np.sum(np.apply_over_axes(lambda a, axis: np.sum(each(a, x), axis), np.ones((2, 2)), [0]))

    assert grad(program)(1.3) == 4.0
    assert len(done) == 1


def test_lists_of_arrays_that_nobody_else_is_asked_about():
    """NumPy need not ask the traced arrays in a list; it does not go through a list of plain ones either."""
    x, _ = traced(normal(2), ReverseTrace(), input_node)
    stack = ruled_by_numpy(np.stack)
    for args, kwargs in ((([x, normal(2)],), {}), (((x, x),), {"axis": 1})):
        assert np.shape(stack(*args, **kwargs)) == (2, 2)
        ran = functions_run_by(lambda args=args, kwargs=kwargs: stack(*args, **kwargs))
        assert not any(name.endswith("__array_function__") for name in ran)
    assert "_call_numpy" not in functions_run_by(lambda: stack([normal(2), normal(2)]))
    assert np.shape(stack([normal(2), [1.0, 2.0]])) == np.shape(stack([x, [1.0, 2.0]])) == (2, 2)
