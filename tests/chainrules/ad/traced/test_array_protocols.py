"""NumPy's protocols on traced values: its functions, foreign containers, conversions that are refused."""

import math
import operator

import numpy as np
import pytest
import scipy.sparse
import scipy.special
from numpy.polynomial import Polynomial

from chainrules.ad import call, grad, interception, jacobian, jvp
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced import array_protocols
from chainrules.ad.traced.array_protocols import place_of_out, without_out
from chainrules.ad.traced.tracing import traced
from chainrules_core import RuleNotFoundError
from chainrules_core.structured import Diagonal
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.ad.foreign_containers import Container
from tests.chainrules.ad.while_traced import while_traced
from tests.chainrules.rule_checks import normal, positive
from tests.python_calls import functions_run_by

X = np.array([1.5, 0.5, 2.5])


def test_foreign_containers_may_hold_traced_values():
    """Types that the engine does not know are asked, whichever side they stand on."""

    def f(x):
        held = Container(x)
        ufuncs = np.multiply(x, held).data + np.multiply(held, x).data + np.exp(held).data
        operators = (x * held).data + (held * x).data + np.sum(held).data
        return np.sum(ufuncs + operators)

    x = normal(3)

    def plain(x):
        return np.sum(4 * x * x + np.exp(x) + np.sum(x))

    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, plain, x)[0], rtol=1e-8)


@pytest.mark.parametrize(
    "convert", [np.asarray, np.array, lambda x: np.array([x, x]), lambda x: np.asarray([x[0], 1.0])]
)
def test_conversion_to_an_array_is_refused(convert):
    """A conversion would lose the derivative, and is refused; the error names ways that keep it."""
    with (
        interception(False),
        pytest.raises(
            TypeError,
            match=r"traced value was about to become a.*, which would lose its derivative.*primal_of",
        ),
    ):
        while_traced(normal(2), convert)


@pytest.mark.parametrize("convert", [float, int, complex, operator.index, math.sin])
def test_conversion_to_a_number_is_refused(convert):
    """A conversion would lose the derivative, and is refused; functions of `math` convert too."""
    with (
        interception(False),
        pytest.raises(TypeError, match=r"about to become an? (float|integer|complex number).*primal_of"),
    ):
        while_traced(1.5, convert)


def test_assignment_into_a_plain_array_is_refused():
    """The array could not hold the derivative."""

    def assign(x):
        y = np.zeros(2)
        y[0] = x[0]

    with interception(False), pytest.raises((TypeError, ValueError)) as caught:
        while_traced(normal(2), assign)
    assert "would lose its derivative" in str(caught.value.__cause__ or caught.value)


def test_functions_that_write_into_a_traced_array():
    """Their derivatives are those of the writes; into a plain array nothing is written."""

    def f(x):
        y = np.sin(x)
        np.put(y, [0], x[1] ** 2)
        np.add.at(y, [1, 1], x[2])
        np.copyto(y[2:], x[:1])
        return np.sum(y**2)

    x = positive(3)
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)
    with interception(False), pytest.raises(TypeError, match="in place"):
        grad(lambda x: np.put(np.zeros(3), [0], x[0]))(x)


def test_products_with_sparse_arrays():
    """SciPy's operators give way; its method `multiply` does not, where calls are not intercepted."""
    A = scipy.sparse.csr_array(np.array([[0.0, 2.0, 0.0], [3.0, 0.0, 1.0]]))
    x = normal(3)

    np.testing.assert_array_equal(grad(lambda x: np.sum(A @ x))(x), A.toarray().sum(axis=0))
    np.testing.assert_array_equal(grad(lambda x: (A * x).sum())(x), A.toarray().sum(axis=0))
    with interception(False), pytest.raises(TypeError, match=r"Write `A \* x`"):
        grad(lambda x: A.multiply(x).sum())(x)


@pytest.mark.parametrize("intercepted", [True, False])
def test_arrays_with_rules_on_the_other_side(intercepted):
    """A ufunc or function of plain arrays hands over to their operators, traced or not."""
    S = scipy.sparse.csr_array(np.diag(X))
    with interception(intercepted):
        np.testing.assert_array_equal(grad(lambda S: np.sum(X @ S))(S).data, X)
        np.testing.assert_array_equal(grad(lambda S: (X * S).sum())(S).data, X)
        second = jvp(grad(lambda S: (X * (X * S * S)).sum()), (S,), (S,))[1]
        np.testing.assert_allclose(second.data, 2.0 * X**3)
        np.testing.assert_array_equal(grad(lambda c: (X[0] * call(Polynomial, c))(2.0))(X), [1.5, 3.0, 6.0])
        np.testing.assert_array_equal(grad(lambda x: np.sum(np.dot(Diagonal(X), x)))(X), X)


def test_writing_the_result_somewhere_is_refused():
    """`out` is refused, and so is augmented assignment to a plain array, which NumPy makes into `out`."""
    a = np.zeros(2)

    def add_to_plain_array(x):
        b = a
        b += x

    for write in (
        lambda x: np.add(x, 1.0, out=a),
        lambda x: np.sum(x, axis=0, out=a),
        lambda x: x.sum(axis=0, out=a),
        lambda x: np.add(x, 1.0, a),
        lambda x: np.dot(np.eye(2), x, a),
        lambda x: x.dot(np.eye(2), a),
        lambda x: np.take(x, [0, 1], 0, a),
        lambda x: np.concatenate([x[:1], x[:1]], 0, a),
        lambda x: np.compress([True, True], x, 0, a),
        add_to_plain_array,
    ):
        with pytest.raises(TypeError, match=r"out=\.\.\..*leaves no trace"):
            while_traced(normal(2), write)
    np.testing.assert_array_equal(a, np.zeros(2))
    assert while_traced(normal(2) + 3.0, lambda x: np.round(x, 0, a)) is a  # a step is no derivative
    assert np.all(a >= 1.0)
    f = grad(lambda x: np.einsum("i,i->", x, np.ones(2)) + np.clip(x, 0, 1, None)[0])
    assert f(np.zeros(2)).tolist() == [2, 1]


@pytest.mark.parametrize("keywords", [{"casting": "no", "dtype": float}, {"dtype": np.int32}])
def test_keywords_of_elementwise_functions_are_refused(keywords):
    """Rules of ufuncs have no derivative for keywords, which are refused, not dropped."""
    name = next(iter(keywords))
    with pytest.raises(TypeError, match=rf"np\.multiply\(\.\.\., {name}=\.\.\.\).*np\.where"):
        while_traced(normal(2), lambda x: np.multiply(x, 2.0, **keywords))


def test_methods_of_plain_arrays_that_are_ufuncs():
    """The bounds of `a.clip` may be traced."""
    a, bounds = np.array([0.0, 2.0, 5.0]), np.array([1.0, 3.0])
    for intercepted in (True, False):
        with interception(intercepted):
            gradient = grad(lambda x: np.sum(a.clip(x[0], x[1]) ** 2))(bounds)
        np.testing.assert_array_equal(gradient, [2.0, 6.0])
    np.testing.assert_array_equal(jacobian(lambda x: a.clip(max=x[1]))(bounds)[:, 1], [0.0, 0.0, 1.0])


def test_operations_without_a_rule():
    """An operation without a rule raises an error that says so."""
    ufunc = np.frompyfunc(max, 2, 1)

    for use in (lambda x: ufunc(x, 1.0), ufunc.reduce):
        with pytest.raises(RuleNotFoundError, match="has no rule"):
            while_traced(normal(2), use)


@pytest.mark.parametrize("f", [round, math.floor, math.ceil, math.trunc])
def test_steps_of_numbers(f):
    """Their derivative is zero, so that nothing is lost: they are plain integers, to index and count with."""
    for intercepted in (True, False):
        with interception(intercepted):
            assert type(while_traced(1.75, f)) is int
            assert while_traced(1.75, f) == f(1.75)
    assert grad(lambda x: x * f(x))(1.75) == f(1.75)
    assert while_traced(17.5, lambda x: round(x, -1)) == 20.0


# --- Arrays of traced numbers ----------------------------------------------------------------------

JOINING = [
    lambda a, b, x: np.stack([a, b, a * b]),
    lambda a, b, x: np.stack((x, a * x), axis=1),
    lambda a, b, x: np.concatenate([x, np.stack([a, b]), np.ones(1)]),
    lambda a, b, x: np.hstack([a, x, 2.0, b]),
    lambda a, b, x: np.hstack((a, b)),
    lambda a, b, x: np.vstack([x, b * x]),
    lambda a, b, x: np.vstack([a, b]),
    lambda a, b, x: np.dstack([x, b * x]),
    lambda a, b, x: np.column_stack([x, b * x]),
    lambda a, b, x: np.block([a, b]),
    lambda a, b, x: np.block([[a, b], [b, 3.0]]),
    lambda a, b, x: np.block([[np.outer(x, x), a * np.ones((3, 1))], [x, b]]),
    lambda a, b, x: np.append(x, b),
    lambda a, b, x: np.array([a, b, 1.0], like=x),
    lambda a, b, x: np.array([[a, 0.0], [b, a]], like=x),
    lambda a, b, x: call(np.array, [a, [b][0]]),
    lambda a, b, x: np.full_like(x, a * b),
    lambda a, b, x: np.broadcast_to(a, (2,)) * b,
    lambda a, b, x: np.linspace(a, b, 4),
    lambda a, b, x: np.meshgrid(x, np.stack([a, b]))[1],
]


@pytest.mark.parametrize("join", JOINING)
def test_arrays_of_traced_numbers(join):
    """NumPy's joining functions make arrays of numbers, of arrays and of lists, as they do of plain ones."""

    def f(x):
        y = join(x[0], x[1] * x[2], x)
        return np.sum(y**2 * np.arange(1, 1 + np.size(y)).reshape(np.shape(y)))

    x = positive(3)
    y, y_dot = jvp(f, (x,), (normal(3),))
    np.testing.assert_allclose(y, f(x))
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)
    np.testing.assert_allclose(y_dot, np.sum(grad(f)(x) * normal(3)))


def test_lists_are_arrays():
    """Beside a traced array NumPy's functions take lists of numbers, traced ones too, for arrays."""

    def f(x):
        return (
            np.dot([x[0], 1.0], x[:2])
            + np.sum(np.where(x > 1.0, [x[1], x[0], 0.5], x))
            + np.sum(np.outer([1.0, 2.0], x) ** 2)
            + np.sum(np.convolve(x, (1.0, 2.0, 1.0)) ** 2)
        )

    x = positive(3)
    np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-8)


def test_lists_that_do_not_help():
    """The error is the one of the call as it was written."""

    def without_rule(x, y):
        """Stands for a function of NumPy."""

    for y in ([1.0], [[1.0], [1.0, 2.0]]):
        with pytest.raises(RuleNotFoundError, match=r"without_rule, ndarray\[float64, 1\], list"):
            while_traced(normal(2), lambda x, y=y: x.__array_function__(without_rule, (), (x, y), {}))


def test_lists_of_traced_numbers_alone_are_refused():
    """NumPy looks into them before anybody is asked; `np.stack` makes an array of them."""
    with interception(False), pytest.raises(TypeError, match=r"about to become a.*np\.stack"):
        while_traced(1.5, lambda x: np.sum([x, x]))


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.divide(x, X) * np.subtract(X, x) * np.divide(2.0, x) * np.subtract(x, 2.0),
        lambda x: np.divide([1.0, 2.0, 3.0], x) * np.power(x, (2.0, 3.0, 4.0)),
        lambda x: np.multiply(x, x**2, where=x > 1.0, out=None)[x > 1.0],
        lambda x: np.multiply(x, 2.0, where=True, order="K", subok=False),
        lambda x: np.multiply(x, x, out=x * 1.0, where=x > 1.0),
        lambda x: np.multiply.outer(x, X) * np.add.reduce(x) * np.multiply.accumulate(x),
        lambda x: np.add.reduce(np.outer(x, X), axis=0, keepdims=True),
        lambda x: np.add.reduce(np.outer(x, X), axis=0, out=x * 1.0) ** 2,
        lambda x: np.add.accumulate(x, out=x * 1.0) ** 2,
        lambda x: scipy.special.betainc(2.0, 3.0, x / 10.0),
        lambda x: np.clip(x, X, [2.0, 3.0, 4.0]),
        lambda x: np.dot(X, x) * np.cumsum(x, 0) * np.linalg.norm(x, 2),
        lambda x: np.where([True, False, True], x, x**2) * np.sum(x, axis=0) * np.hypot(X, x),
    ],
)
@pytest.mark.parametrize("intercepted", [True, False])
def test_calls_of_every_form(f, intercepted):
    """Of ufuncs, their methods and functions, with operands on both sides, and in second derivatives."""
    x = np.array([0.7, 1.4, 2.7])

    def total(x):
        return np.sum(f(x) ** 2)

    with interception(intercepted):
        np.testing.assert_allclose(grad(total)(x), grad_by_differences(None, total, x)[0], rtol=1e-6)
        by_jvp = jvp(grad(total), (x,), (X,))[1]
        expected = grad_by_differences(None, lambda x: np.sum(grad(total)(x) * X), x)[0]
    np.testing.assert_allclose(by_jvp, expected, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize(
    ("call", "long_way"),
    [
        (np.sin, "_call_ufunc"),
        (lambda x: np.divide(X, x), "_call_ufunc"),
        (lambda x: np.divide(x, 2.0), "_call_ufunc"),
        (lambda x: np.multiply(x, x), "without_dtype"),
        (np.sum, "without_out"),
        (lambda x: np.dot(x, X), "_call_function"),
    ],
)
def test_the_short_way(call, long_way, depth):
    """Calls of one or two arguments look for no keywords, places to write into, or operators of a class."""
    x = X
    for _ in range(depth):
        x, _ = traced(x, ReverseTrace(), input_node)

    ran = functions_run_by(lambda: call(x))
    assert not {"has_operators", "is_operand", long_way, f"ArrayProtocols.{long_way}"} & ran.keys()


# --- Where calls are not intercepted ---------------------------------------------------------------


def test_no_place_for_any_of_several_results():
    """`None` for each place to write into is no place, for lists of traced numbers too."""
    assert grad(lambda x: np.divmod([x, 1.0], 2.0, out=(None, None))[1][0])(3.0) == 1.0


@pytest.mark.parametrize("convert", [float, int, complex, operator.index, np.asarray])
def test_refused_conversions_are_found(convert):
    """The error shows the line of the program that converts."""
    with (
        interception(False),
        pytest.raises(TypeError, match=r"at .*test_array_protocols\.py:\d+, in `convert\(x\)`"),
    ):
        grad(lambda x: [convert(x)])(np.float64(1.5) if convert is not np.asarray else normal(2))


@pytest.mark.parametrize("has_signatures", [True, False])
def test_places_of_out(monkeypatch, has_signatures):
    """They are those of NumPy's signatures, which older versions of it do not tell for functions in C."""

    def none(f):
        raise ValueError

    if not has_signatures:
        monkeypatch.setattr(array_protocols.inspect, "signature", none)
    expected = {np.dot: 2, np.sum: 3 if has_signatures else None, np.where: None}
    assert {f: place_of_out.__wrapped__(f) for f in expected} == expected


@pytest.mark.parametrize(
    ("args", "kwargs", "expected"),
    [
        ((X,), {}, ((X,), {}, None)),
        ((X, 0), {"keepdims": True}, ((X, 0), {"keepdims": True}, None)),
        ((X, 0, None, X), {}, ((X, 0, None), {}, X)),
        ((X, 0, None, None), {}, ((X, 0, None), {}, None)),
        ((X, 0, None, X, True, 1.0), {}, ((X, 0, None, None, True, 1.0), {}, X)),
        ((X, 0), {"out": X, "keepdims": True}, ((X, 0), {"keepdims": True}, X)),
        ((X,), {"out": (X,)}, ((X,), {}, X)),
        ((X,), {"out": (None, None)}, ((X,), {}, None)),
        ((X,), {"out": (None, X)}, ((X,), {}, (None, X))),
    ],
)
def test_arguments_without_a_place_to_write_into(args, kwargs, expected):
    """It is given by name, or by position, behind which others may follow."""
    assert repr(without_out(np.sum, args, kwargs)) == repr(expected)


def test_results_are_written_where_they_are_wanted():
    """Of one result or several, some of which are wanted elsewhere; smaller ones are repeated."""

    def f(x):
        y, z, rows = x * 1.0, x * 1.0, np.outer(x, x)
        whole, part = np.modf(x * x, out=(y, None))
        assert whole is y
        assert np.multiply(x, x, out=z) is z
        assert np.multiply(x, 2.0, out=(rows,)) is rows
        np.add(x[None] * x, rows, out=rows)
        np.sqrt(x[None], out=rows)
        assert np.multiply(x, rows, out=rows) is rows
        return np.sum(part * z * rows[0] * rows[-1])

    x = np.array([0.3, 1.4, 2.7])
    for intercepted in (True, False):
        with interception(intercepted):
            np.testing.assert_allclose(grad(f)(x), grad_by_differences(None, f, x)[0], rtol=1e-7)


@pytest.mark.parametrize(
    "f", [lambda x, y: np.add.reduce(y, axis=0, out=y), lambda x, y: np.matmul(x, y.T, out=y)]
)
def test_results_that_do_not_fit(f):
    """Only those of elementwise functions are repeated."""
    with pytest.raises(ValueError, match="non-broadcastable output operand"):
        grad(lambda x: np.sum(f(x, np.outer(x, x))))(X)
