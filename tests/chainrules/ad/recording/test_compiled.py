"""`compiled`: never wrong, never stale, and plain where a recording could not be believed."""

import math
import warnings

import numpy as np
import pytest

from chainrules.ad import grad, hvp, jvp, value_and_grad, vectorized, vjp
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.refused import CompilationError, CompilationWarning
from chainrules.ad.recording.running import MISS
from chainrules_core import debugging
from tests.chainrules.ad.interception.programs import PROGRAMS
from tests.chainrules.ad.interception.programs_with_classes import PROGRAMS_WITH_CLASSES
from tests.chainrules.ad.interception.programs_with_libraries import PROGRAMS_WITH_LIBRARIES
from tests.chainrules.ad.recording.agreement import agrees
from tests.chainrules.ad.recording.writing_programs import PROGRAMS_OF_ARRAYS, WRITING

X = np.array([0.3, -1.2, 2.1, 0.7])
RNG = np.random.default_rng(0)
MASK = np.array([True, False, True, True])
MATRIX = RNG.normal(size=(4, 4))


FUNCTIONS = [
    lambda x: np.mean((x - 1.0) ** 2),
    lambda x: np.sum(np.sin(np.cos(x)) * np.exp(-x * x)),
    lambda x: x[0] * x[3] + x[2],
    lambda x: np.sum(np.tanh(MATRIX @ x)),
    lambda x: np.sum(np.logaddexp(0.0, MATRIX @ x)),
    lambda x: np.linalg.slogdet(np.outer(x, x) + np.eye(4))[1],
    lambda x: np.max(x) + np.sort(x)[2] + np.linalg.norm(x),
    lambda x: np.sum(np.where(x > 0.0, x, x**2)),
    lambda x: np.sum(np.concatenate([x[:3], x[1:]]) * 2.0) + np.prod(x),
    lambda x: x.sum() + x.mean() + x.reshape(2, 2).T.sum(0).prod(),
    lambda x: np.einsum("ij,j->", MATRIX, x),
    lambda x: sum(v**2 for v in x),
    lambda x: np.sum(x[x > 0.0] ** 2),
    lambda x: np.cumsum(x)[-1] * np.var(x) + np.std(x),
    lambda x: np.linalg.solve(np.diag(x**2 + 1.0) + MATRIX.T @ MATRIX, x).sum(),
    lambda x: np.trace(np.linalg.inv(np.diag(x) + 9.0 * np.eye(4))),
    lambda x: np.sum(np.abs(x)) if x[0] > 0.0 else np.sum(np.sqrt(np.abs(x))),
    lambda x: np.sum(np.sqrt(x)),
    lambda x: np.sum(np.log(x) * x),
    lambda x: np.sum(x / x[::-1]) + np.min(x) * np.max(x),
    lambda x: np.sum(np.clip(x, -1.0, 1.0) * np.maximum(x, 0.5)),
    lambda x: np.real(np.sum(np.exp(1j * x) * x)),
    lambda x: np.sum(x[MASK]) * 2.5 + np.sum(MATRIX[:0] @ x),
    lambda x: np.sum(np.power(x, 3)) + np.sum(np.prod(np.stack([x, x * x]), axis=0)),
]
POINTS = [
    (X,),
    (-X,),
    (X + 5.0,),
    (np.zeros(4),),
    (np.array([np.nan, 1.0, np.inf, -2.0]),),
    (np.array([-np.inf, 0.0, 1.0, 1.0]),),
    (X.astype(np.float32),),
    (np.repeat(X, 2)[::2],),
    (X[::-1],),
    (np.ones((4, 4))[:, 1] * 2.0,),
    (np.full(4, 1e200),),
]


@pytest.mark.parametrize("f", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_gradients_at_other_points(f):
    """Recorded at one point and run at others: the same results, warnings and errors."""
    agrees(grad(f), POINTS, strict=False)


@pytest.mark.parametrize("f", FUNCTIONS, ids=range(len(FUNCTIONS)))
def test_derivatives_of_other_kinds(f):
    """Plain functions, `jvp`, `hvp` and the like."""
    v = np.array([1.0, 0.5, -2.0, 0.0])
    points = [(X,), (-X,), (X + 5.0,), (np.zeros(4),)]
    for g in (f, value_and_grad(f), lambda x: jvp(f, (x,), (v,)), lambda x: hvp(f, x, v)):
        agrees(g, points, strict=False)


@pytest.mark.parametrize(
    "f", [*PROGRAMS, *PROGRAMS_WITH_CLASSES, *PROGRAMS_WITH_LIBRARIES], ids=lambda f: f.__name__
)
def test_programs(f):
    """Programs with every construct of the language."""
    agrees(value_and_grad(f), [(0.7,), (0.3,), (1.9,), (-0.4,)], strict=False)


@pytest.mark.parametrize("f", PROGRAMS_OF_ARRAYS.values(), ids=PROGRAMS_OF_ARRAYS)
def test_programs_of_arrays(f):
    """Programs that fill arrays, write into views, simulate, and hand arrays on."""
    for g in (f, value_and_grad(f)):
        agrees(g, [(np.array(x),) for x in ([1.0, 2.0, 3.0], [1.3, 2.3, 3.3])], strict=False)


@pytest.mark.parametrize("f", WRITING, ids=range(len(WRITING)))
def test_writes_into_arrays_that_others_see(f):
    """Other names, views and rules that hold an array, of what is differentiated and of what is not."""
    d = np.array([0.5, -1.0, 2.0])
    points = [(X[:3], d), (2.5 * X[:3], -d), (-X[:3], d)]
    for g in (f, value_and_grad(f), lambda w, d: grad(lambda w: np.sum(grad(f)(w, d) ** 2))(w)):
        agrees(g, points, strict=False)


@pytest.mark.parametrize("x", [np.array(0.5), 0.5, np.float64(0.5), np.float32(0.5), np.zeros(0), 1 + 2j])
def test_numbers_and_empty_arrays(x):
    """0-d and empty arrays and numbers of each class keep their class, dtype and shape."""
    g = grad(lambda x: np.sum(np.abs(x * x) * 2.0))
    agrees(g, [(x,), (x * 3,), (x * 0,)], strict=False)


def test_most_are_recorded():
    """Nearly all of the functions above are recorded, so that the tests above mean something."""
    recorded = 0
    for f in FUNCTIONS:
        c = compiled(grad(f))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            c(X)
        recorded += len(c.variants)
    assert recorded >= len(FUNCTIONS) - 2


# --- Results, errors and the like ---------------------------------------------------------------------------


def test_results_belong_to_the_caller():
    """They are neither arguments, nor constants, nor there twice, nor parts of each other."""
    constant = np.arange(4.0)

    def f(x):
        y = x * 2.0
        return x, constant, y, y, y[1:], {"x": x, "c": [constant]}

    c = compiled(f, strict=True)
    for _ in range(3):
        x = X.copy()
        y = c(x)
        arrays = [*y[:5], y[5]["x"], y[5]["c"][0]]
        for array in arrays:
            array.__iadd__(100.0)
        np.testing.assert_array_equal(x, X)
        np.testing.assert_array_equal(constant, np.arange(4.0))
        np.testing.assert_array_equal(arrays[2], arrays[3])


def test_arguments_that_are_one_array_or_reached_from_outside():
    """Programs ask whether two arrays are one."""
    data = X.copy()
    agrees(lambda x, y: np.sum(x) if x is y else np.sum(x * y), [(X, X), (X, X.copy()), (data, data)])
    f = lambda x: np.sum(x) if x is data else np.sum(x * x)  # noqa: E731 - as users write them
    for first in (X, data):
        c = compiled(f)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", CompilationWarning)
            assert c(first) == f(first)
            assert [c(x) for x in (data, X, data)] == [f(x) for x in (data, X, data)]


def test_errors_and_warnings():
    """They come again, in any state of warnings."""
    f = lambda x: np.sum(np.log(x)) + np.linalg.cholesky(np.diag(x))[0, 0]  # noqa: E731 - as users write them
    c = compiled(grad(f))
    assert np.all(np.isfinite(c(X + 5.0)))
    with pytest.raises(np.linalg.LinAlgError), pytest.warns(RuntimeWarning, match="log"):
        c(X)
    with np.errstate(all="raise"), pytest.raises(FloatingPointError):
        c(np.zeros(4))


def test_containers_and_flags():
    """Dicts, lists, tuples; integers, flags and text are part of the signature."""

    def loss(p, power, square=True, name="w"):
        return np.sum(p[name][0] ** power) * p["s"] if square else np.sum(p[name][1])

    points = [
        ({"w": [X, -X], "s": s}, power, square, "w")
        for s in (1.0, 3.0)
        for power in (2, 3)
        for square in (True, False)
    ]
    agrees(value_and_grad(loss), points)


def test_written_arrays_and_views():
    """Arrays that a program makes and fills, also by views."""

    def f(x):
        y = np.zeros(6)
        y[1:5] = x * x
        row = y[2:4]
        row *= 3.0
        y[0] += y[3]
        y[x > 0.0] if False else None
        return np.sum(y * y)

    agrees(grad(f), [(X,), (-X,), (2 * X,)], strict=False)
    agrees(f, [(X,), (-X,), (2 * X,)], strict=False)


def test_source_and_variants():
    """The text of the program, and a table of what was recorded."""

    def mean_square(x):
        """A loss."""
        d = x - 1.0
        return np.mean(d * d)

    c = compiled(grad(mean_square), strict=True)
    text = c.source(X)
    assert "d = x - 1.0" in text
    assert "# test_compiled.py:" in text
    c(X)
    c(2 * X)
    (variant,) = c.variants
    assert variant.operations > 2
    assert variant.calls == 1


def test_what_is_never_recorded():
    """Coroutines, generators, and what cannot be called are refused at once."""

    async def coroutine(x):
        return x

    def generator(x):
        yield x

    for f in (coroutine, generator):
        with pytest.raises(TypeError, match="a generator or a coroutine"):
            compiled(f)
    with pytest.raises(TypeError, match="needs a function, not an instance of float"):
        compiled(1.0)


def test_recording_has_to_pay():
    """Where hardly a call comes again, the function runs as it is written."""
    c = compiled(lambda x, step: np.sum(x) * step, most_variants=4)
    with pytest.warns(CompilationWarning, match="recorded 4 times, and few calls came again"):
        assert [c(X, step) for step in range(1, 9)] == [np.sum(X) * step for step in range(1, 9)]
    assert len(c.variants) == 4
    for step in range(1, 5):
        for _ in range(20):
            assert c(X, step) == np.sum(X) * step
    assert c(X, 100) == np.sum(X) * 100
    assert len(c.variants) == 5
    held = [0.0]
    strict = compiled(lambda x: x * held[0], strict=True, most_variants=4)
    for _ in range(4):
        held[0] += 1.0
        strict(X)
    held[0] += 1.0
    with pytest.raises(CompilationError, match="few calls came again"):
        strict(X)


def test_text_of_a_value_is_not_recorded():
    """Its length depends on the digits."""
    gradient = compiled(grad(lambda x: np.sum(x) * len(str(x))))
    with pytest.warns(CompilationWarning, match="an instance of str"):
        assert gradient(X)[0] == len(str(X))
    assert gradient(np.zeros(4))[0] == len("[0. 0. 0. 0.]")


def test_a_mathematical_function_of_a_number():
    """Functions of `math` are recorded under `grad`."""
    agrees(
        grad(lambda x: math.sin(x) * math.exp(x)), [(0.5,), (-2.0,), (math.inf,), (math.nan,)], strict=False
    )


def test_programs_that_are_asked_first():
    """Decisions and shapes that alternate are answered in front; what is not as it was is forgotten there."""
    held = [1.0]
    c = compiled(lambda x: held[0] * (np.sum(x) if x[0] > 0 else -np.sum(x)))
    calls = [np.ones(2), -np.ones(2), np.ones(3), -np.ones(3), np.ones(4), -np.ones(4)]
    for _ in range(2):
        for x in calls:
            for _ in range(3):
                assert c(x) == x.size
    assert len(c.variants) == 6
    assert len(c._latest) == 4
    for x in calls[2:]:
        number = next(i for i, variant in enumerate(c._latest) if variant.enter((x,), {}) is not MISS)
        first = c._latest[number]
        assert c(x) == x.size
        assert c._latest[0] is first
    held[0] = 2.0
    assert [c(x) for x in calls] == [4.0, 4.0, 6.0, 6.0, 8.0, 8.0]
    assert not any(variant.surroundings.difference() for variant in c._latest)


MATRIX = np.diag([1.0, 2.0, 3.0, 4.0]) + 0.1


@pytest.mark.every_case
@pytest.mark.parametrize(
    "f",
    [
        lambda A: np.linalg.eigh(A),
        lambda A: np.linalg.eig(A),
        lambda A: {"a": np.linalg.svd(A), "b": [np.linalg.slogdet(A)]},
        lambda A: vjp(lambda A: np.linalg.eigh(A), A)[0],
        lambda A: vectorized(lambda A: np.linalg.qr(A), out_axes=1)(np.stack([A, A + 1.0])),
    ],
)
def test_results_with_names(f):
    """NumPy's classes of several results come back as they are, be they whole or put together."""
    agrees(f, [(MATRIX,), (2.0 * MATRIX,), (MATRIX + np.eye(4),)])
    agrees(f, [(MATRIX + 0j,), (MATRIX.astype(np.float32),), (MATRIX,)])


def test_text_of_results_with_names():
    """They stand there whole, where they are; a saved program needs no class then."""
    assert "return owned(v0, [A])" in compiled(lambda A: np.linalg.eigh(A)).source(MATRIX)
    assert "return owned(v0, [A])" in compiled(lambda A: vjp(lambda A: np.linalg.eigh(A), A)[0]).source(
        MATRIX
    )
    tangents = compiled(lambda A: jvp(lambda A: np.linalg.eigh(A), (A,), (A,))[1])
    assert "EighResult(" in tangents.source(MATRIX)


def test_arguments_of_unknown_kinds():
    """The function runs as it is written."""
    with pytest.warns(CompilationWarning, match="an argument is an instance of set"):
        assert compiled(len)({1, 2}) == 2


def test_programs_that_differ_from_the_function(monkeypatch):
    """They are forgotten at the first result for other arguments, and are no text either."""
    c = compiled(np.sum)
    assert c(X) == np.sum(X)
    monkeypatch.setattr("chainrules.ad.recording.compiled.difference_between", lambda *_: "other numbers")
    with pytest.warns(CompilationWarning, match="differs from the function \\(other numbers\\)"):
        assert c(2.0 * X) == np.sum(2.0 * X)
    assert len(c.variants) == 0
    monkeypatch.setattr("chainrules.ad.recording.variant.difference_between", lambda *_: "other numbers")
    with pytest.raises(CompilationError, match="differs from the function \\(other numbers\\)"):
        c.source(X)


def test_debug_mode_asks_the_variant_for_the_decision():
    """The others find out that they are for another one."""
    c = compiled(lambda x: np.sum(x) if x[0] > 0.0 else np.prod(x))
    for x in (X, -X):
        c(x)
    with debugging():
        assert c(X) == (np.sum(X) if X[0] > 0.0 else np.prod(X))
    assert len(c.variants) == 2
