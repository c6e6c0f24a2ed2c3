"""Functions that cannot be entered, and call traced code back, are errors that name them."""

import functools
import hashlib
import importlib
import sys
import types

import numpy as np
import pytest
import scipy.fft
import scipy.integrate
import scipy.interpolate
import scipy.linalg.lapack
import scipy.optimize
import scipy.signal
import scipy.sparse.linalg
import scipy.stats
from scipy import ndimage
from scipy.optimize import minimize, newton, root

from chainrules.ad import checkpoint, explain_calls, grad, jvp, stop_gradient, value_and_grad
from chainrules.ad.interception.choosing.unentered import calls_back_unseen, guarding, not_entered
from chainrules_core import RuleNotFoundError
from chainrules_testutils import grad as grad_by_differences

# The transforms are those of another package in newer versions of SciPy.
_TRANSFORMS = next(name for name in ("_pocketfft", "_duccfft") if hasattr(scipy.fft, name))
searched = scipy.optimize._optimize.approx_fhess_p  # a part of a search that nobody calls by itself
integrated = scipy.integrate._quadpack._qagse
c2c = importlib.import_module(f"scipy.fft.{_TRANSFORMS}.basic").c2c


@pytest.mark.parametrize(
    ("f", "name"),
    [
        (lambda a: searched(1.0, 1.0, lambda t: a * t, 1e-6), r"_optimize\.approx_fhess_p"),
        (
            lambda a: searched(1.0, 1.0, functools.partial(lambda a, t: a * t, a), 1e-6),
            r"_optimize\.approx_fhess_p",
        ),
        (lambda a: integrated(lambda t: a * t, 0.0, 1.0, (), 0, 1e-8, 1e-8, 50)[0], r"_quadpack\._qagse"),
    ],
)
def test_callbacks_that_are_traced(f, name):
    """The derivative would be lost, or be that of the steps."""
    with pytest.raises(RuleNotFoundError, match=rf"scipy\.\w+\.{name}, .*calls .* back.*would be lost"):
        grad(f)(1.0)


def test_arguments_that_are_traced():
    """Likewise."""
    with pytest.raises(RuleNotFoundError, match=r"approx_fhess_p.*not that of its result.*stop_gradient"):
        grad(lambda a: searched(a, 1.0, np.square, 1e-6))(1.0)


def test_constants():
    """Where nothing traced is involved they are called as they are."""

    def f(a):
        root = scipy.optimize.brentq(lambda t: t - 2.0, 0.0, 5.0)
        area, _ = scipy.integrate.quad(lambda t: t, 0.0, 1.0)
        filtered = ndimage.generic_filter(np.ones(3), np.sum, 3)
        return a * root * area * filtered[0]

    assert grad(f)(3.0) == pytest.approx(3.0)
    assert grad(lambda a: a * scipy.optimize.brentq(lambda t: t - stop_gradient(a), 0.0, 5.0))(3.0) == 3.0


def test_traced_values_in_code_in_c():
    """The function that the program called is named with its line, and the one in C that has no rule."""
    angles, hashed = np.linspace(0.5, 2.5, 4), hashlib.sha256()
    for f in (lambda x: hashlib.sha1(x), lambda x: hashed.update(x)):  # noqa: S324 - any one
        with pytest.raises(RuleNotFoundError, match=r"in `hash.*`\. It reads bytes, .*primal_of"):
            grad(f)(angles)
    for f, called, in_c in (
        (
            lambda x: np.sum(abs(c2c(True, x))),
            r"fft\.\w+\.(pypocket|pyducc)fft\.c2c",
            "It",
        ),  # of pybind11
        (lambda x: scipy.signal.remez(3, [0.0, 0.1, 0.2, 0.5], x[:2])[0], "signal.remez", r"\.remez"),
        (
            lambda x: scipy.interpolate.SmoothSphereBivariateSpline(angles, angles, x)(1.0, 1.0)[0, 0],
            "interpolate.SmoothSphereBivariateSpline",
            "spher",  # f2py
        ),
    ):
        place = r"with a traced value at .*unentered\.py:\d+"
        message = rf"scipy\.{called} was called {place}.*{in_c}.* is written in C"
        with pytest.raises(RuleNotFoundError, match=message):
            grad(f)(np.ones(4))


def test_classes_in_c():
    """Their constructors are refused as functions in C are."""
    odds_of = scipy.stats._biasedurn._PyFishersNCHypergeometric
    with pytest.raises(RuleNotFoundError, match=r"_PyFishersNCHypergeometric was called .* is written in C"):
        grad(lambda x: odds_of(3, 4, 10, x[0], 1e-6).mean())(np.ones(2))


def test_solvers_in_c():
    """Code in C that may corrupt memory where it cannot convert a value is not called with one."""
    for solve in (
        lambda a: scipy.integrate.ode(lambda t, y: -y).set_initial_value(a).integrate(0.5)[0],
        lambda a: scipy.integrate.solve_ivp(
            lambda t, y: -y, (0, 1), np.stack([a]), method="LSODA", dense_output=True
        ).sol(0.5)[0],
    ):
        with pytest.raises(
            (RuleNotFoundError, TypeError), match=r"(ode\.integrate|LSODA).* was called .* in C(\.|: write)"
        ):
            grad(solve)(1.0)


def test_what_to_read():
    """Whoever has to write a rule is sent to a page with some, or to the function that is there instead."""
    with pytest.raises(RuleNotFoundError, match=r"_optimize\.approx_fhess_p: `docs/.*` has five"):
        grad(lambda a: searched(1.0, 1.0, lambda t: a * t, 1e-6))(1.0)


def test_arrays_that_may_be_filled_in_code_in_c():
    """They are plain arrays there."""

    def f(x):
        y = np.zeros(4)
        y[1] = 2.0
        inner = spline(y)
        y[0] = x
        return np.sum(inner) * np.sum(y)

    spline = scipy.interpolate.CubicSpline(np.arange(4.0), np.arange(4.0) ** 2)
    assert grad(f)(3.0) == pytest.approx(4.0)


def test_errors_of_code_in_c():
    """They stay what they are, where nothing traced is given."""
    with pytest.raises(TypeError, match="takes exactly 7 arguments"):
        grad(lambda x: x * ndimage._nd_image.correlate1d(1))(1.0)


def test_which_functions():
    """Those of Python's library are known; the functions of Rosenbrock do not search."""
    assert not any(map(calls_back_unseen, (map, 3, list.append)))
    assert calls_back_unseen(np.frompyfunc)
    for f, expected in (
        (scipy.optimize.minimize, True),
        (scipy.optimize.rosen, False),
        (scipy.integrate.quad, True),
        (scipy.integrate.simpson, False),
        (scipy.signal.lfilter, False),
    ):
        assert bool(not_entered(f)) is expected
    f = functools.wraps(scipy.optimize.minimize)(lambda x: x)
    f.__module__ = None
    assert not not_entered(f)
    assert not_entered(scipy.optimize.minimize)
    assert not_entered(scipy.integrate.quad)
    assert not not_entered(scipy.integrate.solve_ivp)
    assert not not_entered(scipy.optimize.rosen)
    assert not not_entered(test_which_functions)


def test_errors_after_a_lost_derivative():
    """The error of a function that missed what was lost is a consequence: the cause is told."""
    with pytest.raises(RuleNotFoundError, match=r"approx_fhess_p.*calls .* back") as caught:
        grad(lambda a: searched(np.ones(2), 1.0, lambda t: a * np.ones(3 if t[0] > 1.0 else 2), 1e-6))(1.0)

    assert "broadcast" in str(caught.value.__cause__)


def test_errors_of_their_own():
    """Where nothing was lost the error is the function's."""
    with pytest.raises(ValueError, match="different signs"):
        grad(lambda a: a * scipy.optimize.brentq(lambda t: t - 2.0, 10.0, 20.0))(1.0)


def test_an_error_after_the_first_call_back():
    """What was lost is told, whether it was lost once or more often."""

    def calling_once(f):
        f(1.0)
        return 1.0

    def failing(f):
        calling_once(f)
        raise ValueError("without a result")

    def program(x, f):
        return guarding(f)(lambda t: t * x)

    with pytest.raises(RuleNotFoundError, match=r"calling_once.*calls .* back"):
        grad(program)(1.0, calling_once)
    with pytest.raises(RuleNotFoundError, match=r"calls .* back") as caught:
        grad(program)(1.0, failing)
    assert "without a result" in str(caught.value.__cause__)


# --- Functions of frameworks ---

X = np.array([0.7, 1.3, 2.1])

SOURCE = """
import numpy as np


def reference(x, scale=2.0):
    y = np.copy(x)
    y[0] *= scale
    np.place(y, y > 1.5, x[:1])
    return np.sum(np.sin(y))


def compiled(x):
    return memoryview(x)


def layer(x):
    return compiled(np.sin(x))


def convolved(x):
    try:
        return layer(x)
    except TypeError as error:
        raise RuntimeError("wrong device") from error


def mapped(f, x):
    return f(x)


def unlike(x):
    return x.__class__


def checked(x):
    raise ValueError("the dimension is out of range")


class Sample:
    def __init__(self, value):
        self.value = reference(value)


class Tensor:
    def __init__(self, value):
        self.value = value

    def __array__(self, dtype=None, copy=None):
        return self.value
"""


@pytest.fixture(scope="module")
def framework(tmp_path_factory):
    """What stands for a module of PyTorch, which need not be installed."""
    file = tmp_path_factory.mktemp("site-packages") / "site-packages" / "torch" / "references.py"
    file.parent.mkdir(parents=True)
    file.write_text(SOURCE)
    module = types.ModuleType("torch.references")
    module.__file__ = str(file)
    exec(compile(SOURCE, str(file), "exec"), vars(module))  # noqa: S102 - our own text
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "torch.references", module)
        yield module


def test_functions_over_numpy_are_followed(framework):
    """They write into arrays, and hold traced values, as the user's own do."""
    value, gradient = value_and_grad(lambda x: framework.reference(x) * framework.Sample(x).value)(X)
    assert value == framework.reference(X) ** 2
    by_differences = grad_by_differences(None, lambda x: framework.reference(x) ** 2, X)[0]
    np.testing.assert_allclose(gradient, by_differences, rtol=1e-8)


@pytest.mark.parametrize("name", ["compiled", "layer", "convolved"])
def test_functions_that_take_tensors_are_named_where_they_are_called(framework, name):
    """The outermost of them, which is the one that the program knows."""
    f = getattr(framework, name)
    with pytest.raises(
        TypeError,
        match=rf"{name} was called with a traced value at .*test_unentered\.py:\d+, in `f\(x\)`.*from_torch",
    ):
        grad(lambda x: f(x))(X)


def test_a_program_that_goes_on_without_them_is_told_again(framework):
    """The derivative would be lost in what it does then."""

    def f(x):
        try:
            return framework.layer(x)
        except TypeError:
            return 0.0

    with pytest.raises(TypeError, match=r"layer was called with a traced value"):
        grad(f)(X)


def test_other_errors_are_what_they_are(framework):
    """Those of the framework, and those of the program that it calls back."""
    with pytest.raises(ValueError, match=r"^the dimension is out of range$"):
        grad(lambda x: framework.checked(x))(X)
    with pytest.raises(TypeError, match=r"^memoryview: a bytes-like object is required"):
        grad(lambda x: framework.mapped(lambda y: memoryview(y), x))(X)


def test_nothing_is_entered_where_nothing_is_traced(framework):
    """A function of the user's may be compiled by a framework; arrays that depend on nothing are NumPy's."""
    kinds = []

    def f(x):
        y = np.zeros(3)
        framework.mapped(lambda v: kinds.append(framework.unlike(v)), y)
        return np.sum(x)

    grad(f)(X)
    assert kinds == [np.ndarray]
    (row,) = [row for row in explain_calls(f, X).rows if row.function == "torch.references.mapped"]
    assert (row.outcome, row.how) == ("as it is", "nothing traced is seen in what it is given")


def test_tensors_are_not_made_of_traced_values(framework):
    """Classes that are no arrays are."""
    with pytest.raises(TypeError, match=r"Tensor was called with a traced value.*to_torch"):
        grad(lambda x: framework.Tensor(x))(X)


def test_references_of_pytorch():
    """Functions over NumPy that PyTorch's operations are compared with."""
    pytest.importorskip("torch")
    references = importlib.import_module("torch.testing._internal.common_methods_invocations")
    gradient = grad(lambda x: np.sum(references.reference_gelu(x) * references._clamp_min_numpy(x, 1.0)))(X)
    by_differences = grad_by_differences(
        None, lambda x: np.sum(references.reference_gelu(x) * np.maximum(x, 1.0)), X
    )[0]
    np.testing.assert_allclose(gradient, by_differences, rtol=1e-8)


def test_functions_that_jax_has_compiled():
    """They take its arrays."""
    jax = pytest.importorskip("jax")
    jnp = jax.numpy
    transformed = jax.grad(jnp.sum), jax.vmap(jnp.sin)
    for f in (jnp.sin, jnp.sum, jnp.linalg.norm, jnp.asarray, jax.nn.relu, *transformed):
        with pytest.raises(TypeError, match=r"test_unentered\.py:\d+, in `f\(x\)`\. JAX.*from_jax\(f\)"):
            grad(lambda x, f=f: f(x))(X)


SOLVED_WITHOUT_PARAMETERS = {  # arrays that the program makes, in arguments, `args` and closures: 2.0
    "arguments": lambda a: root(lambda x: x - 2.0, np.zeros(1)).x[0],
    "args": lambda a: minimize(lambda x, b: np.sum((x - b) ** 2), np.zeros(1), (a[0],), tol=1e-12).x[0],
    "closure": lambda a: root(lambda x: x - a[0], [1.0]).x[0],
    "callbacks": lambda a: minimize(
        lambda x: np.sum((x - a) ** 2), a + 1.0, jac=lambda x: 2.0 * (x - a), method="BFGS"
    ).x[0],
    "no search": lambda a: newton(lambda x, b: x - b, a, args=(a,))[0],
}


@pytest.mark.parametrize("solved", SOLVED_WITHOUT_PARAMETERS.values(), ids=SOLVED_WITHOUT_PARAMETERS)
@pytest.mark.parametrize("wrapped", [lambda f: f, checkpoint])
def test_solvers_of_what_depends_on_nothing(solved, wrapped):
    """No derivative is lost in them."""

    def program(p):
        a = np.zeros(1)
        a[0] = 2.0
        return solved(a) * p

    np.testing.assert_allclose(grad(wrapped(program))(3.0), 2.0, rtol=1e-6)
    np.testing.assert_allclose(jvp(wrapped(program), (3.0,), (1.0,)), [6.0, 2.0], rtol=1e-6)


FACTOR = np.linalg.cholesky(np.array([[2.0, 0.5], [0.5, 1.0]]))
SOLVERS = {
    "cho_solve": lambda b: scipy.linalg.cho_solve((FACTOR, True), b),
    "lu_solve": lambda b: scipy.linalg.lu_solve(scipy.linalg.lu_factor(FACTOR), b),
    "solve_triangular": lambda b: scipy.linalg.solve_triangular(FACTOR, b, lower=True),
    "dpotrs": lambda b: scipy.linalg.lapack.dpotrs(FACTOR, b, lower=True)[0],
    "cholesky": scipy.linalg.cholesky,
    "svd": scipy.linalg.svdvals,
    "a method of a class in C": scipy.sparse.linalg.splu(scipy.sparse.csc_array(FACTOR)).solve,
}


@pytest.mark.parametrize("solve", SOLVERS.values(), ids=SOLVERS)
def test_arrays_that_depend_on_nothing_are_left_alone(solve):
    """LAPACK writes into what it made of an object that is no array of NumPy's, which is the array itself."""

    def program(x):
        b = np.array([[2.0, 1.0], [1.0, 3.0]], order="F")
        y = solve(b)
        return np.sum(y) * x + np.sum(b) * x

    value = program(2.0)
    assert value_and_grad(program)(2.0) == (value, value / 2.0)
    assert jvp(program, (2.0,), (1.0,)) == (value, value / 2.0)
