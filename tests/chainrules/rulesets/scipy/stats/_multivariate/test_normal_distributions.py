"""Rules of the multivariate normal distribution, by all of its arguments."""

import numpy as np
import pytest
from scipy import stats

from chainrules.ad import grad, interception, jvp
from chainrules.makers.versions import is_scipy_since
from chainrules_core import NoTangent, ZeroTangent, frule, primitive, rrule, unthunk
from chainrules_testutils import positive_definite
from tests.chainrules.rulesets.scipy.stats.method_checks import check_program, record_method

NORMAL = stats.multivariate_normal
CLASS, FROZEN = type(NORMAL), stats.multivariate_normal().__class__
rng = np.random.default_rng(0)
X, MEAN, COV = rng.normal(size=(2, 4, 3)), np.array([0.1, 0.2, -0.3]), positive_definite(3, rng=0)
WEIGHTS = rng.normal(size=(2, 4))
SINGULAR = np.ones((3, 3))

# Points, means and covariances, by the shapes in which SciPy takes them.
ARGUMENTS = {
    "batches": (X, MEAN, COV),
    "one point": (X[0, 0], MEAN, COV),
    "axes of length one": (X[:, :1], MEAN, COV),
    "points that broadcast": (X[..., :1], MEAN, COV),
    "number": (X, MEAN, 1.3),
    "vector": (X, MEAN, np.array([1.3, 0.7, 2.0])),
    "one dimension": (X[0, :, 0], 0.3, 1.3),
    "vectors of one dimension": (X[..., :1], np.array([0.3]), np.array([1.3])),
    "two dimensions": (X[..., :2], MEAN[:2], np.array([1.3, 0.7])),
    "one number": (0.7, 0.3, np.array([[1.3]])),
    "one number with axes": (0.7, 0.3, np.array([[[1.3]]])),
}


@pytest.mark.parametrize("name", ["logpdf", "pdf"])
@pytest.mark.parametrize("key", ARGUMENTS)
def test_densities(key, name):
    """By points, mean and covariance at once, in both modes and twice; values are SciPy's."""
    args = tuple(map(np.asarray, ARGUMENTS[key]))
    sizes = np.cumsum([x.size for x in args])[:-1]
    value = getattr(NORMAL, name)(*args)
    weights = np.resize(WEIGHTS, np.shape(value))

    def program(v):
        x, mean, cov = (part.reshape(arg.shape) for part, arg in zip(np.split(v, sizes), args, strict=True))
        return np.sum(weights * getattr(NORMAL, name)(x, mean, cov))

    check_program(program, np.concatenate([x.ravel() for x in args]))
    record_method(getattr(CLASS, name), NORMAL, *args)
    y, _ = rrule(getattr(CLASS, name), NORMAL, *args)
    np.testing.assert_array_equal(y, value)
    assert np.shape(y) == np.shape(value)


@pytest.mark.parametrize("name", ["logpdf", "pdf"])
def test_frozen(name):
    """With parameters of its own, or traced ones, which are those of the distribution."""
    frozen = NORMAL(MEAN, COV)
    check_program(lambda v: np.sum(WEIGHTS * getattr(frozen, name)(v.reshape(X.shape))), X.ravel())
    record_method(getattr(FROZEN, name), frozen, X)
    _, pullback = rrule(getattr(FROZEN, name), frozen, X)
    _, y_dot = frule((NoTangent(), NoTangent(), X), getattr(FROZEN, name), frozen, X)
    np.testing.assert_allclose(np.vdot(unthunk(pullback(WEIGHTS)[2]), X), np.vdot(WEIGHTS, y_dot))

    expected = grad(lambda m: np.sum(WEIGHTS * getattr(NORMAL, name)(X, m, COV)))(MEAN)
    np.testing.assert_array_equal(
        grad(lambda m: np.sum(WEIGHTS * getattr(NORMAL(m, COV), name)(x=X)))(MEAN), expected
    )


@pytest.mark.skipif(
    not is_scipy_since(1, 16), reason="SciPy 1.15 gives `solve_triangular` three axes, which is refused"
)
@pytest.mark.parametrize("name", ["logpdf", "pdf"])
def test_other_covariances(name):
    """Objects that hold a covariance in another form are differentiated as the code that they are."""
    factor = np.linalg.cholesky(COV)
    forms = {
        stats.Covariance.from_precision: np.linalg.inv(COV),
        stats.Covariance.from_cholesky: factor,
        stats.Covariance.from_diagonal: np.diag(COV),
    }
    for make, v in forms.items():
        constant = make(v)
        assert rrule(getattr(CLASS, name), NORMAL, X, MEAN, constant) is None
        assert rrule(getattr(CLASS, name), NORMAL, X, MEAN, cov=constant) is None
        assert frule((NoTangent(), NoTangent(), X), getattr(CLASS, name), NORMAL, X, cov=constant) is None
        program = lambda v, make=make: np.sum(WEIGHTS * getattr(NORMAL, name)(X, MEAN, cov=make(v)))  # noqa: E731 - bound to one form of the covariance
        check_program(lambda w, v=v, program=program: program(w.reshape(v.shape)), v.ravel(), order=1)
        by_points = grad(lambda x, c=constant: np.sum(WEIGHTS * getattr(NORMAL(MEAN, c), name)(x)))(X)
        expected = grad(lambda x, c=constant: np.sum(WEIGHTS * getattr(NORMAL, name)(x, MEAN, c)))(X)
        np.testing.assert_allclose(by_points, expected, rtol=1e-12)


@pytest.mark.parametrize("cov", [1.3, np.array([1.3, 0.7, 2.0]), COV])
def test_entropy(cov):
    """By the covariance alone; the mean says how many dimensions there are."""
    shape = np.shape(cov)
    check_program(lambda v: NORMAL.entropy(MEAN, v.reshape(shape)), np.ravel(cov))
    check_program(lambda v: NORMAL(cov=v.reshape(shape), mean=MEAN).entropy(), np.ravel(cov))
    record_method(CLASS.entropy, NORMAL, MEAN, cov)
    tangents = (NoTangent(),) * 4
    for y, _ in (rrule(CLASS.entropy, NORMAL, MEAN, cov), frule(tangents, CLASS.entropy, NORMAL, MEAN, cov)):
        assert y == pytest.approx(NORMAL.entropy(MEAN, cov))
    assert [unthunk(bar) for bar in rrule(CLASS.entropy, NORMAL, MEAN)[1](1.0)] == [NoTangent()] * 3
    y, y_dot = frule((NoTangent(), NoTangent(), MEAN), CLASS.entropy, NORMAL, MEAN)
    assert y == NORMAL.entropy(MEAN)
    assert not np.any(y_dot)
    constant = stats.Covariance.from_diagonal([1.0, 2.0])
    assert rrule(CLASS.entropy, NORMAL, cov=constant) is None
    assert frule((NoTangent(), NoTangent()), CLASS.entropy, NORMAL, cov=constant) is None


def test_lower_triangle():
    """It is what SciPy reads: the cotangent stands there, and the rest has none."""
    upper = COV + np.triu(rng.normal(size=(3, 3)), 1)
    gradient = grad(lambda cov: np.sum(WEIGHTS * NORMAL.logpdf(X, MEAN, cov)))(upper)
    np.testing.assert_array_equal(np.triu(gradient, 1), 0.0)
    np.testing.assert_allclose(gradient, grad(lambda cov: np.sum(WEIGHTS * NORMAL.logpdf(X, MEAN, cov)))(COV))


@pytest.mark.parametrize("name", ["logpdf", "pdf"])
def test_singular(name):
    """On the subspace by points and mean; derivatives elsewhere are 0, and by the matrix an error."""
    x = np.array([[1.0, 1.0, 1.0], [1.0, 1.0, 1.1], [2.0, 2.0, 2.0]])
    method, weights = getattr(CLASS, name), np.array([1.0, 2.0, 3.0])
    y, pullback = rrule(method, NORMAL, x, np.zeros(3), SINGULAR, True)
    _, _, x_bar, mean_bar, cov_bar, none = pullback(weights)
    np.testing.assert_array_equal(y, getattr(NORMAL, name)(x, None, SINGULAR, allow_singular=True))
    np.testing.assert_array_equal(unthunk(x_bar)[1], 0.0)
    slopes = weights * np.where(np.arange(3) == 1, 0.0, 1.0 if name == "logpdf" else y)
    np.testing.assert_allclose(unthunk(mean_bar), np.sum(slopes[:, None] * x, axis=0) / 9 * 3)
    assert none == NoTangent()
    with pytest.raises(np.linalg.LinAlgError, match="has rank 1 of 3"):
        unthunk(cov_bar)
    with pytest.raises(np.linalg.LinAlgError, match="has rank 1 of 3"):
        jvp(lambda c: getattr(NORMAL, name)(x, None, c, allow_singular=True), (SINGULAR,), (SINGULAR,))
    by_mean = grad(lambda m: weights @ getattr(NORMAL(m, SINGULAR, allow_singular=True), name)(x))
    np.testing.assert_allclose(by_mean(np.zeros(3)), unthunk(mean_bar))


def test_precision_and_kinds():
    """Cotangents have the precision of their arguments; integers are points too; there may be none."""
    single = [x.astype(np.float32) for x in (X, MEAN, COV)]
    _, pullback = rrule(CLASS.logpdf, NORMAL, *single)
    assert {unthunk(bar).dtype for bar in pullback(WEIGHTS)[2:]} == {np.dtype(np.float32)}
    _, pullback = rrule(CLASS.logpdf, NORMAL, np.array([1, 2, 3]), None, COV)
    assert unthunk(pullback(1.0)[2]).dtype == float
    y, pullback = rrule(CLASS.logpdf, NORMAL, np.zeros((0, 3)), MEAN, COV)
    assert y.shape == (0,)
    np.testing.assert_array_equal(unthunk(pullback(y)[4]), np.zeros((3, 3)))
    _, pullback = rrule(CLASS.logpdf, NORMAL, X, MEAN, COV)
    assert [unthunk(bar) for bar in pullback(ZeroTangent())[2:]] == [ZeroTangent()] * 3
    tangents = (NoTangent(),) * 5
    assert isinstance(frule(tangents, CLASS.pdf, NORMAL, X, MEAN, COV)[1], NoTangent | ZeroTangent)


def test_bad_arguments():
    """Errors are SciPy's, or say which points were expected."""
    with pytest.raises(ValueError, match="Dimension mismatch"):
        rrule(CLASS.logpdf, NORMAL, X, MEAN[:2], COV)
    with pytest.raises(ValueError, match="Points of 1 coordinates were expected"):
        rrule(CLASS.logpdf, NORMAL, X, 0.0, 1.0)


def test_classes_of_others():
    """What has formulas of its own is differentiated by them; complex points are not what SciPy takes."""

    class Doubled(CLASS):
        def _logpdf(self, *args):
            return 2.0 * super()._logpdf(*args)

    expected = grad(lambda m: np.sum(NORMAL.logpdf(X, m, COV)))(MEAN)
    np.testing.assert_allclose(grad(lambda m: np.sum(Doubled().logpdf(X, m, COV)))(MEAN), 2 * expected)
    assert rrule(CLASS.logpdf, Doubled(), X, MEAN, COV) is None
    assert rrule(CLASS.entropy, Doubled(), MEAN, COV) is None
    assert rrule(CLASS.logpdf, NORMAL, X + 0j, MEAN, COV) is None

    class Frozen(FROZEN):
        """As the frozen distribution, but of another class."""

    tangents = NoTangent(), NoTangent(), X
    assert rrule(FROZEN.logpdf, Frozen(MEAN, COV), X) is None
    assert frule(tangents, FROZEN.logpdf, Frozen(MEAN, COV), X) is None


def test_other_systems():
    """Without interception, where the method is marked."""
    with interception(False):
        bar = grad(lambda m: np.sum(WEIGHTS * primitive(NORMAL.logpdf)(X, m, COV)))(MEAN)
    np.testing.assert_allclose(bar, grad(lambda m: np.sum(WEIGHTS * NORMAL.logpdf(X, m, COV)))(MEAN))
