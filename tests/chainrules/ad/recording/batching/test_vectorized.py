"""`vectorized`: the results of a loop, or an error."""

import math
import pickle

import numpy as np
import pytest

from chainrules.ad import (
    CompilationError,
    compiled,
    grad,
    hessian,
    hvp,
    jacobian,
    jvp,
    stop_gradient,
    value_and_grad,
    vectorized,
    vjp,
)
from chainrules.ad.recording.batching.program import BatchedProgram, DifferingItemsError
from chainrules.ad.recording.batching.vectorized import MOST_PROGRAMS
from tests.chainrules.ad.recording.batching.loops import assert_same
from tests.chainrules.ad.recording.test_compiled import FUNCTIONS, POINTS

RNG = np.random.default_rng(0)
XS = RNG.normal(size=(5, 4))
W = RNG.normal(size=(4, 3))
SPECIAL = np.stack([x for (x,) in POINTS if x.dtype == float])


# --- Everyday programs, recorded at one item and run at the others ------------------------------------------


@pytest.mark.parametrize("f", FUNCTIONS)
def test_everyday_programs(f):
    """Values and gradients are those of a loop, at zeros, infinities and NaN too."""
    for xs in (XS, SPECIAL, XS.astype(np.float32)):
        with np.errstate(all="ignore"):
            assert_same(vectorized(f)(xs), [f(x) for x in xs])
            assert_same(vectorized(grad(f))(xs), [grad(f)(x) for x in xs])


@pytest.mark.parametrize("f", FUNCTIONS)
def test_gradients_of_vectorized_programs(f):
    """By a recorded program as by the function itself."""
    with np.errstate(all="ignore"):
        assert_same(grad(lambda xs: np.sum(vectorized(f)(xs)))(XS), [grad(f)(x) for x in XS])


@pytest.mark.parametrize("f", FUNCTIONS[::4])
def test_compiled(f):
    """The program for many items is recorded in its turn, and so is its gradient."""

    def loss(xs):
        return np.sum(vectorized(f)(xs))

    for g, plain in ((vectorized(f), f), (vectorized(grad(f)), grad(f)), (grad(loss), grad(f))):
        c = compiled(g, strict=True)
        for xs in (XS, XS[::-1]):
            assert_same(c(xs), [plain(x) for x in xs])


def _newton(a):
    y = a = np.sum(a * a) + 1.0
    while abs(y * y - a) > 1e-3:
        y = 0.5 * (y + a / y)
    return y


def test_items_that_decide_otherwise_run_as_a_group():
    """Each way is recorded once."""
    v = vectorized(_newton)
    xs = RNG.normal(size=(20, 4))
    assert_same(v(xs), [_newton(x) for x in xs])
    ways = len(v.variants)
    assert 1 < ways < 20
    assert sum(variant.calls for variant in v.variants) == 20
    assert_same(v(xs[::-1]), [_newton(x) for x in xs[::-1]])
    assert len(v.variants) == ways
    assert_same(grad(lambda xs: np.sum(v(xs)))(xs), [grad(_newton)(x) for x in xs])


def test_too_many_ways():
    """They are an error that names the line."""
    with pytest.raises(CompilationError, match=r"decide in more than 32 ways \(.*test_vectorized.py, line"):
        vectorized(lambda n: np.sum(np.arange(int(n)) * 1.0))(np.arange(MOST_PROGRAMS + 1.0))


# --- Axes ---------------------------------------------------------------------------------------------------


def test_axes():
    """Of arguments and results, in containers, for keywords, and none."""

    def model(x, parameters, *, shift):
        y = x @ parameters["W"]
        return {"y": y, "norms": [np.sum(parameters["W"]), np.sum(y) + shift]}

    f = vectorized(model, in_axes=(1, {"W": None}), out_axes={"y": 1, "norms": [None, 0]})
    found = f(XS.T, {"W": W}, shift=np.arange(5.0))
    np.testing.assert_allclose(found["y"], (XS @ W).T)
    assert found["norms"][0] == np.sum(W)
    np.testing.assert_allclose(found["norms"][1], (XS @ W).sum(1) + np.arange(5))
    assert vectorized(lambda x, w: np.sum(w), (0, None))(XS, W).shape == (5,)
    assert vectorized(lambda x: (x, 1, True, None, "text"))(XS)[1].tolist() == [1] * 5
    with pytest.raises(ValueError, match="`out_axes` is None for a result that is another one for each item"):
        vectorized(lambda x: x, out_axes=None)(XS)


def test_sizes():
    """Of no items, one item, and items without axes."""
    for f in (np.outer, lambda x, y: x, lambda x, y: np.sum(x * y)):
        found = vectorized(f)(XS[:0], XS[:0])
        assert (found.dtype, found.shape[0]) == (float, 0)
        assert_same(vectorized(f)(XS[:1], XS[:1]), [f(XS[0], XS[0])])
    assert vectorized(grad(lambda x: x[0] * x[1]))(XS[:0]).shape == (0, 4)
    assert_same(vectorized(lambda x: x**2)(XS[0]), [x**2 for x in XS[0]])


def test_whole_numbers_are_no_constants():
    """An index of each item, and a number of repetitions, which decides."""
    i = np.array([2, 0, 2, 1])
    assert_same(vectorized(lambda i: XS[i] * i)(i), [XS[j] * j for j in i])
    assert_same(vectorized(lambda i: sum(range(i)))(i), [sum(range(j)) for j in i])
    assert_same(
        vectorized(lambda b, x: np.where(b, x, 0.0))(i > 0, XS[:4]),
        [x * (j > 0) for x, j in zip(XS, i, strict=False)],
    )


def test_results_belong_to_the_caller():
    """They are no arguments, and can be written into."""
    xs = XS.copy()
    y, z = vectorized(lambda x: (x, 1.0))(xs)
    y += 1.0
    z += 1.0
    assert np.array_equal(xs, XS)


def test_groups_have_to_agree():
    """In the shapes and containers of their results."""
    xs = np.array([[1.0, 2.0], [1.0, -2.0]])
    with pytest.raises(ValueError, match=r"different shapes: \[\(1,\), \(2,\)\]"):
        vectorized(lambda x: x[x > 0.0])(xs)
    for other in (lambda x: [x], lambda x: (x, x), lambda x: ("text",)):
        with pytest.raises(ValueError, match="the results of some items"):
            vectorized(lambda x, other=other: (x,) if x[1] > 0.0 else other(x))(xs)
    assert vectorized(lambda x: {"a": x, "b": "c"} if x[1] > 0.0 else {"a": -x, "b": "c"})(xs)["b"] == "c"
    with pytest.raises(ValueError, match="are other ones"):
        vectorized(lambda x: "a" if x[1] > 0.0 else "b")(xs)


# --- Together with the other functions ----------------------------------------------------------------------


def test_derivatives_inside():
    """`jacobian`, `hessian`, `vjp`, `hvp` and `value_and_grad` of each item."""

    def f(x):
        return np.tanh(x @ W)

    def loss(x):
        return np.sum(np.sin(x) * x[0])

    for g in (jacobian(f), hessian(loss), lambda x: vjp(f, x)[1](np.ones(3))[0], lambda x: hvp(loss, x, x)):
        assert_same(vectorized(g)(XS), [g(x) for x in XS])
    assert_same(vectorized(value_and_grad(loss))(XS), [value_and_grad(loss)(x) for x in XS])


def test_derivatives_outside():
    """Forwards, backwards, twice, and by what is the same for all items."""

    def loss(w, x):
        return np.sum(np.tanh(x @ w) ** 2)

    def total(w):
        return np.sum(vectorized(loss, (None, 0))(w, XS))

    def plain(w):
        return np.sum(np.tanh(XS @ w) ** 2)

    np.testing.assert_allclose(grad(total)(W), grad(plain)(W))
    np.testing.assert_allclose(jvp(total, (W,), (W,))[1], jvp(plain, (W,), (W,))[1])
    np.testing.assert_allclose(hvp(total, W, W), hvp(plain, W, W))
    c = compiled(grad(total), strict=True)
    for w in (W, 2.0 * W):
        np.testing.assert_allclose(c(w), grad(plain)(w))


def test_gradients_of_vectorized_gradients():
    """The scatters of the inner ones take traced values."""

    def f(x):
        return x[0] * x[3] ** 2 + x[1] * np.sum(x[1:])

    found = grad(lambda xs: np.sum(vectorized(grad(f))(xs) ** 2))(XS)
    assert_same(found, [grad(lambda x: np.sum(grad(f)(x) ** 2))(x) for x in XS])


def test_vectorized_twice():
    """The inner function may read the item of the outer one."""
    found = vectorized(lambda x: vectorized(lambda y: np.sum((x - y) ** 2))(XS))(XS)
    np.testing.assert_allclose(found, ((XS[:, None] - XS) ** 2).sum(-1))


def _filled(x):
    y = np.zeros(4)
    for i in range(4):
        y[i] = x[i] * (i + 1)
    z = y[1:]
    z[0] = x[0]
    return y


def test_programs_that_fill_arrays():
    """As they are differentiated, they are recorded."""
    assert_same(vectorized(_filled)(XS), [_filled(x) for x in XS])
    assert_same(
        vectorized(grad(lambda x: np.sum(_filled(x) ** 2)))(XS),
        [grad(lambda x: np.sum(_filled(x) ** 2))(x) for x in XS],
    )


def test_pickling():
    """It is recorded anew where it arrives."""
    assert_same(pickle.loads(pickle.dumps(vectorized(np.cumsum, 1, 1)))(XS), list(np.cumsum(XS, 0)))


# --- Never stale, never wrong in silence --------------------------------------------------------------------


def test_surroundings():
    """What was read from outside is as it is now."""
    factor = np.array([1.0])
    v = vectorized(lambda x: np.sum(x) * factor[0])
    for new in (1.0, 2.0, 3.0):
        factor[0] = new
        assert_same(v(XS), [np.sum(x) * new for x in XS])
    assert len(v.variants) == 1


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("f", "message"),
    [
        (lambda x: [print("called"), x][1], "it calls `print`"),
        (lambda x: x + np.random.normal(), "whose result is not the same each time"),  # noqa: NPY002 - as users write
        (lambda x: stop_gradient(x) * x, "it calls `ignore_derivatives`"),
        (lambda x: x if repr(x) else -x, "it calls `repr`"),
    ],
)
def test_what_is_not_recorded_is_refused(f, message, capsys):
    """With the reason and the line, before anything has an effect."""
    with pytest.raises(CompilationError, match=message) as caught:
        vectorized(f)(XS)
    assert "test_vectorized.py, line" in str(caught.value)
    assert "Write a loop: `np.stack([" in str(caught.value)
    assert capsys.readouterr().out == ""


def test_stop_gradient_is_never_lost():
    """Neither is a derivative where there is none."""
    with pytest.raises(CompilationError):
        grad(lambda xs: np.sum(vectorized(lambda x: np.sum(stop_gradient(x) * x))(xs)))(XS)


def test_errors_of_items():
    """They are raised, as by a loop."""
    matrices = np.stack([np.eye(2), np.ones((2, 2))])
    with pytest.raises(np.linalg.LinAlgError):
        vectorized(np.linalg.inv)(matrices)
    for xs in ([0.0, 1.0], [1.0, 0.0]):  # numbers of Python's raise where arrays are infinite
        with pytest.raises((ZeroDivisionError, CompilationError)):
            vectorized(lambda x: 1.0 / math.sin(x))(np.array(xs))
    with pytest.raises(TypeError, match="argument 1 is a float"):
        vectorized(np.add)(XS, 1.0)
    with pytest.raises(CompilationError, match="an argument is an instance of object"):
        vectorized(lambda x, y: x, (0, None))(XS, object())


def test_variants():
    """What was recorded, and what ran item by item."""
    v = vectorized(lambda x: np.kron(x, x))
    v(XS)
    (variant,) = v.variants
    assert (variant.signature, variant.operations, variant.calls) == ("x: float64[4]", 1, 5)
    ((name, (file, line)),) = variant.by_rows
    assert (name, file) == ("kron", __file__)
    assert line > 0
    assert "recorded, item by item: kron" in str(v.variants)


def test_no_items_of_programs_that_write_into_views():
    """Nothing is written, and arrays without elements share no memory."""
    g = vectorized(grad(lambda x: np.sum(x[::2] * x[1::2]) + x[-1] * x[0]))
    assert g(XS[:0]).shape == (0, 4)
    assert_same(g(XS), [g(x[None])[0] for x in XS])


class TestCapturedArrays:
    """What a function reads from outside is what it is at each call, in place and rebound."""

    @staticmethod
    def cases(f):
        """Each way to run a function of one item for many, beside the loop."""
        v, g = vectorized(f), vectorized(grad(f))
        of_sum = grad(lambda xs: np.sum(vectorized(f)(xs)))
        return {
            "vectorized": (v, f),
            "gradient": (g, grad(f)),
            "jacobian": (compiled(jacobian(lambda xs: v(xs)), strict=True), None),
            "compiled": (compiled(v, strict=True), f),
            "compiled gradient": (compiled(g, strict=True), grad(f)),
            "gradient of a sum": (of_sum, grad(f)),
            "compiled gradient of a sum": (compiled(of_sum, strict=True), grad(f)),
        }

    def test_they_are_current(self):
        """The next result is that of the function, too."""
        w = np.array([1.0, 2.0, 3.0, 4.0])

        def f(x):
            return np.sum(np.tanh(w * x) * w)

        cases = self.cases(f)

        def compare():
            for name, (many, one) in cases.items():
                for _ in range(2):
                    if one is None:
                        expected = jacobian(lambda xs: np.stack([f(x) for x in xs]))(XS)
                    else:
                        expected = np.stack([one(x) for x in XS])
                    np.testing.assert_allclose(many(XS), expected, rtol=1e-12, err_msg=name)

        compare()
        w[1] = 7.0
        compare()
        w = np.array([0.5, -1.0, 0.0, 2.0])
        compare()
        w[:] = 3.0
        compare()

    def test_decisions_by_them(self):
        """Another decision is another program."""
        w = np.array([1.0, 2.0])

        def f(x):
            return x * w[1] if w[0] > 0.0 else -x

        for many in (vectorized(f), compiled(vectorized(f), strict=True)):
            for w[0] in (1.0, -1.0, 2.0):
                assert np.array_equal(many(XS), np.stack([f(x) for x in XS]))

    def test_results_belong_to_the_caller(self):
        """An array from outside is copied."""
        w = np.array([1.0, 2.0])
        v = vectorized(lambda x: w, 0, None)
        for _ in range(2):
            v(XS)[:] = 0.0
        assert w.tolist() == [1.0, 2.0]


def _through_a_view(x):
    y = np.stack([x, x]).T * 1.0
    np.reshape(y, -1, order="F")[0] = 3.0
    return y


def test_programs_that_cannot_be_believed(monkeypatch):
    """One that would lose what is written, one that differs from the function, and one that decides anew."""
    with pytest.raises(CompilationError, match="through a view of it"):
        vectorized(_through_a_view)(XS)
    with monkeypatch.context() as patched:
        patched.setattr("chainrules.ad.recording.tape.MOST_STEPS", 5)
        with pytest.raises(CompilationError, match="more than 5 operations"):
            compiled(vectorized(lambda x: np.sin(np.cos(np.sin(np.cos(x))))), strict=True)(XS)
    with monkeypatch.context() as patched:
        patched.setattr(
            "chainrules.ad.recording.batching.vectorized.difference_between", lambda *_: "other numbers"
        )
        with pytest.raises(CompilationError, match="differs from the function \\(other numbers\\)"):
            vectorized(np.sin)(XS)

    def differing(*_):
        raise DifferingItemsError(np.zeros(5, bool), None)

    monkeypatch.setattr(BatchedProgram, "run", differing)
    with pytest.raises(CompilationError, match="otherwise than it did by itself"):
        vectorized(np.sin)(XS)
