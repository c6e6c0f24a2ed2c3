"""`jacobian`, `hessian` and `wirtinger`, against finite differences and mode against mode."""

import numpy as np
import pytest

from chainrules.ad import grad, hessian, jacobian, wirtinger
from chainrules_core import NoTangent, StructuralTangent, primitive, rrule, typeof_
from chainrules_core.structured import Diagonal
from chainrules_testutils import jacobian as jacobian_by_differences
from chainrules_testutils import jvp as jvp_by_differences
from tests.chainrules.ad.agreement import assert_same_numbers
from tests.chainrules.ad.models import Data, Layer
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.sparse_cases import sparse
from tests.python_calls import functions_run_by

modes = pytest.mark.parametrize("mode", ["forward", "reverse", None])

# --- jacobian --------------------------------------------------------------------------------------


@modes
@pytest.mark.parametrize(
    ("f", "x"),
    [
        (np.sin, 0.5),
        (np.sin, np.float32(0.5)),
        (np.sin, normal(3)),
        (lambda x: x * np.arange(1.0, 4.0), 1.5),
        (lambda x: x * np.arange(1.0, 4.0), np.array(1.5)),
        (lambda x: np.sum(x * x), normal(3)),
        (lambda x: x.T @ x, normal(2, 3)),
        (lambda x: np.outer(x, x)[:, None], normal(2)),
        (lambda x: x[:1] * 2.0, normal(1)),
        (lambda x: x[:0], normal(3)),
        (lambda x: np.ones(2) * np.sum(x), normal(0, 3)),
        (lambda x: np.ones((2, 1)), normal(3)),
        (lambda x: np.linalg.solve(np.eye(2) + np.outer(x, x), x), normal(2)),
        (lambda x: np.sort(x)[::-1] * x, normal(4)),
        (lambda x: np.stack([x, x * x]), normal(3, dtype=np.float32)),
    ],
)
def test_against_finite_differences(f, x, mode):
    """A Jacobian has the result's shape, then the argument's, and agrees with differences."""
    J = jacobian(f, mode=mode)(x)

    (expected,) = jacobian_by_differences(None, f, x)
    rtol = 1e-8 if np.asarray(x).dtype == float else 1e-3
    assert np.shape(J) == np.shape(f(x)) + np.shape(x)
    np.testing.assert_allclose(J, expected.reshape(np.shape(J)), rtol=rtol, atol=rtol / 10)
    if np.size(J):
        assert np.asarray(J).dtype == np.asarray(f(x)).dtype


@pytest.mark.parametrize(
    "f",
    [
        lambda x: np.exp(1j * x) * x[0],
        lambda x: np.sum(np.exp(1j * x)),
        lambda x: (np.fft.fft(x), x),
        lambda x: np.ones(2) * 1j,
    ],
)
def test_complex_results(f):
    """The Jacobian of a complex result is the real part's plus `1j` times the imaginary part's."""
    x = normal(3)
    forward, reverse = jacobian(f, mode="forward")(x), jacobian(f, mode="reverse")(x)

    assert_same_numbers(forward, reverse)
    columns = [jvp_by_differences(None, f, (x, x_dot)) for x_dot in np.eye(3)]
    if not isinstance(forward, tuple):
        np.testing.assert_allclose(forward, np.stack(columns, axis=-1), atol=1e-9)


def test_complex_results_in_single_precision():
    """The Jacobian of a complex64 result is complex64."""
    x = normal(2, dtype=np.float32)

    for mode in ("forward", "reverse"):
        assert jacobian(lambda x: x * np.complex64(1j), mode=mode)(x).dtype == np.complex64


@modes
def test_containers(mode):
    """The Jacobian is in the containers of the result, and inside them in the argument's."""

    def f(p, s):
        return {"a": p[0].weights * p[0].bias, "b": [s * p[0].bias], "n": 3}

    w = normal(3)
    J = jacobian(f, mode=mode)([Layer(w, 2.0), "fixed"], 4.0)

    assert list(J) == ["a", "b", "n"]
    np.testing.assert_allclose(J["a"][0].weights, 2.0 * np.eye(3))
    np.testing.assert_allclose(J["a"][0].bias, w)
    np.testing.assert_allclose(J["b"][0][0].weights, np.zeros(3))
    assert J["b"][0][0].bias == 4.0
    assert J["a"][1] == J["n"] == NoTangent()


@modes
def test_dataclasses(mode):
    """Dataclasses, as results or as arguments, have a `Tangent` in their place."""
    x = normal(2)

    by_data = jacobian(lambda d: d.x * d.scale, mode=mode)(Data(x, 3.0))
    of_data = jacobian(lambda x: Data(x * x, x[0]), mode=mode)(x)

    assert isinstance(by_data, StructuralTangent[Data])
    np.testing.assert_allclose(by_data.x, 3.0 * np.eye(2))
    np.testing.assert_allclose(by_data.scale, x)
    assert isinstance(of_data, StructuralTangent[Data])
    np.testing.assert_allclose(of_data.x, np.diag(2 * x))
    np.testing.assert_allclose(of_data.scale, [1.0, 0.0])
    assert of_data.name == by_data.name == NoTangent()


@modes
def test_several_arguments(mode):
    """For a tuple of `argnums` there is a tuple in the place of the argument; keywords pass through."""

    def f(x, y, scale=1.0):
        return {"product": x * y * scale}

    by_y, by_x = jacobian(f, argnums=(1, 0), mode=mode)(normal(2), 3.0, scale=2.0)["product"]

    np.testing.assert_allclose(by_y, 2.0 * normal(2))
    np.testing.assert_allclose(by_x, 6.0 * np.eye(2))
    assert jacobian(f, argnums=[0], mode=mode)(2.0, 3.0)["product"] == (3.0,)
    assert jacobian(f, argnums=-1, mode=mode)(2.0, 3.0)["product"] == 2.0
    assert jacobian(lambda x: (), mode=mode)(1.5) == ()
    assert jacobian(lambda p, x: x, mode=mode)({}, 1.5) == {}


def counting_function(n):
    """A function of n numbers with n results, and what notes its calls and those of its pullback."""
    calls = {"f": 0, "back": 0}

    @primitive
    def double(x):
        return 2.0 * x

    @rrule.dispatch
    def double_rrule(f: typeof_(double), x: np.ndarray):
        def double_pullback(y_bar):
            calls["back"] += 1
            return NoTangent(), 2.0 * y_bar

        return 2.0 * x, double_pullback

    def f(x, rows):
        calls["f"] += 1
        return double(x)[:rows]

    return f, calls


def test_the_smaller_side_decides():
    """Forwards one call for each element of the argument, backwards one pullback for each of the result."""
    f, calls = counting_function(6)
    jacobian(f)(normal(6), 2)
    assert calls == {"f": 1, "back": 2}

    tall = {"f": 0}

    def g(x):
        tall["f"] += 1
        return np.concatenate([x, x, x])

    jacobian(g)(normal(2))
    assert tall == {"f": 3}


def test_mixed_precision():
    """Forwards the Jacobian has the precision of the result, backwards that of the argument."""
    x = normal(2, dtype=np.float32)

    assert jacobian(lambda x: x * np.ones(2), mode="forward")(x).dtype == np.float64
    assert jacobian(lambda x: x * np.ones(2), mode="reverse")(x).dtype == np.float32


@modes
def test_errors(mode):
    """Results without a dense Jacobian are refused, and arguments without a derivative."""
    with pytest.raises(TypeError, match=r"by argument 0, which is complex.*wirtinger\(f, z\)"):
        jacobian(np.sin, mode=mode)(1j)
    with pytest.raises(TypeError, match=r"by argument 0, a csr_array, would be dense.*`vjp`"):
        jacobian(lambda A: A @ np.ones(5), mode=mode)(sparse())
    with pytest.raises(TypeError, match="by argument 1, a Diagonal, would be dense"):
        jacobian(lambda x, p: p["D"] @ x, argnums=1, mode=mode)(normal(3), {"D": Diagonal(normal(3))})
    with pytest.raises(TypeError, match="whose result holds a Diagonal, would be dense"):
        jacobian(Diagonal, mode=mode)(normal(3))
    with pytest.raises(TypeError, match="Pass a float"):
        jacobian(np.sin, mode=mode)(3)
    with pytest.raises(TypeError, match="was asked for, but it was called with 1 positional"):
        jacobian(np.sin, argnums=1, mode=mode)(3.0)


def test_unknown_modes():
    """An unknown mode is refused before anything is called."""
    with pytest.raises(ValueError, match=r"mode='back'.*'forward', 'reverse' and None"):
        jacobian(np.sin, mode="back")


# --- hessian ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("f", "x"),
    [
        (lambda x: x[0] ** 2 * x[1], np.array([1.0, 3.0])),
        (lambda x: np.sum(np.sin(np.outer(x, x))), normal(3)),
        (lambda x: np.sum(x @ x.T), normal(2, 3)),
        (lambda x: x**3, 2.0),
        (lambda x: np.linalg.slogdet(np.eye(3) + np.outer(x, x))[1], normal(3)),
        (np.sum, normal(3)),
        (lambda x: 1.0, normal(3)),
        (lambda x: np.sum(x**2), normal(0)),
        (lambda x: np.max(x) * np.min(x), normal(3)),
    ],
)
def test_hessian_against_differences_of_gradients(f, x):
    """A Hessian has the argument's shape twice, is symmetric, and agrees with differences."""
    H = hessian(f)(x)

    (expected,) = jacobian_by_differences(None, grad(f), x)
    assert np.shape(H) == np.shape(x) * 2
    np.testing.assert_allclose(H, expected.reshape(np.shape(H)), rtol=1e-8, atol=1e-8)
    matrix = np.reshape(H, (np.size(x), np.size(x)))
    np.testing.assert_allclose(matrix, matrix.T, rtol=1e-12, atol=1e-12)


def test_hessian_of_containers():
    """The Hessian by a container has the argument's containers twice."""
    x = positive(3)
    H = hessian(lambda p: np.sum(p["x"] ** 2) * p["s"][0])({"x": x, "s": (2.0,)})

    np.testing.assert_allclose(H["x"]["x"], 4.0 * np.eye(3))
    np.testing.assert_allclose(H["x"]["s"][0], 2.0 * x)
    np.testing.assert_allclose(H["s"][0]["x"], 2.0 * x)
    assert H["s"][0]["s"] == (0.0,)


def test_hessian_of_a_dataclass():
    """The Hessian by a dataclass is a `Tangent` of `Tangent`, each with the fields of the class."""
    x = positive(3)
    H = hessian(lambda d: np.sum(d.x**3) * d.scale**2)(Data(x, 2.0))

    np.testing.assert_allclose(H.x.x, np.diag(24 * x))
    np.testing.assert_allclose(H.x.scale, 12 * x**2)
    np.testing.assert_allclose(H.scale.x, 12 * x**2)
    assert H.scale.scale == pytest.approx(2 * np.sum(x**3))
    assert H.name == H.scale.name == NoTangent()


def test_hessian_by_several_arguments():
    """The Hessian by several arguments is a tuple of tuples."""
    (xx, xy), (yx, yy) = hessian(lambda x, y: np.sum(x**2) * y, (0, 1))(normal(2), 3.0)

    np.testing.assert_allclose(xx, 6.0 * np.eye(2))
    np.testing.assert_allclose(xy, 2 * normal(2))
    np.testing.assert_allclose(yx, 2 * normal(2))
    assert yy == 0.0


# --- wirtinger -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "f",
    [
        lambda z: z**3,
        np.conj,
        lambda z: z * np.conj(z) + z,
        lambda z: np.abs(z) ** 2,
        lambda z: np.real(z) * np.exp(1j * np.imag(z)),
        lambda z: 2.0 * np.imag(z),
    ],
)
def test_wirtinger_derivatives(f):
    """Both follow from the derivatives along the real and the imaginary axis."""
    for z in (1 + 2j, np.complex128(0.5 - 1j)):
        by_x = jvp_by_differences(None, f, (z, 1.0 + 0j))
        by_y = jvp_by_differences(None, f, (z, 1j))
        by_z, by_conj_z = wirtinger(f, z)
        assert by_z == pytest.approx((by_x - 1j * by_y) / 2)
        assert by_conj_z == pytest.approx((by_x + 1j * by_y) / 2)


def test_wirtinger_of_arrays():
    """The shape is the result's, and then the argument's; the precision is kept."""
    z = normal(3, dtype=complex)

    by_z, by_conj_z = wirtinger(lambda z: z * np.conj(z[0]), z)
    expected = np.conj(z[0]) * np.eye(3)
    np.testing.assert_allclose(by_z, expected)
    np.testing.assert_allclose(by_conj_z, np.outer(z, [1.0, 0.0, 0.0]))
    by_z, by_conj_z = wirtinger(lambda z: np.sum(z**2), z.astype(np.complex64))
    assert by_z.dtype == by_conj_z.dtype == np.complex64
    by_z, by_conj_z = wirtinger(lambda z: 1.0, z)
    assert by_z.shape == by_conj_z.shape == (3,)
    assert not by_z.any()
    assert not by_conj_z.any()


def test_holomorphic_functions_have_one_derivative():
    """The other derivative is zero; the real part's gradient is the conjugate of the first."""
    z = 0.3 + 0.4j

    by_z, by_conj_z = wirtinger(np.exp, z)
    assert by_z == pytest.approx(np.exp(z))
    assert by_conj_z == pytest.approx(0.0)
    assert grad(lambda z: np.real(np.exp(z)))(z) == pytest.approx(np.conj(by_z))


@pytest.mark.parametrize("z", [1.0, normal(2), 3, None, "z", [1j]])
def test_wirtinger_by_what_is_not_complex(z):
    """A real argument is refused; the error says what to write."""
    with pytest.raises(
        TypeError, match=r"z is a .* and not a complex number or array\. Write `complex\(z\)`"
    ):
        wirtinger(np.sin, z)


@pytest.mark.parametrize(("y", "number"), [((1j, 2j), 2), (3, 0), ([], 0)])
def test_wirtinger_of_several_results(y, number):
    """A function with several results is refused."""
    with pytest.raises(TypeError, match=f"needs one number or array as the result.*not {number}"):
        wirtinger(lambda z: y, 1j)


def test_redrawing():
    """Forwards a function that draws anew is refused, since it is called often; backwards it is right."""
    rng = np.random.default_rng(0)
    drawn = []

    def noisy(x):
        drawn.append(rng.normal(size=3))
        return np.concatenate([x * drawn[-1][0], x * drawn[-1][1], x * drawn[-1][2]])

    with pytest.raises(RuntimeError, match=r"another result .*mode='reverse'"):
        jacobian(noisy)(normal(2))
    actual = jacobian(noisy, mode="reverse")(normal(2))
    np.testing.assert_allclose(actual, np.concatenate([np.eye(2) * factor for factor in drawn[-1]]))


def test_what_rounding_leaves_of_zero_is_no_other_result():
    """The rule of singular vectors chooses those of equal values anew in each direction."""

    def projection(A):
        U = np.linalg.svd(A)[0]
        return np.sum(normal(3, 3) * (U @ U.T))

    second = jacobian(grad(projection), mode="forward")(np.eye(3))
    np.testing.assert_allclose(second, 0.0, atol=1e-14)


def test_the_choice_of_eigenvectors():
    """A function that depends on it has no derivative, which the error says too."""
    with pytest.raises(RuntimeError, match=r"another result.*eigenvectors of equal eigenvalues"):
        jacobian(grad(lambda A: np.linalg.eigvalsh(A)[-1]), mode="forward")(np.eye(2))


@pytest.mark.parametrize("make", [jacobian, hessian])
def test_each_is_itself_alone(make):
    """What is made of a function equals nothing else, can be a key, and shows the function."""
    derived = make(abs)

    assert {derived: 1}[derived] == 1
    assert derived != make(abs)
    assert repr(derived) == f"<{derived.unnamed} of {derived.f!r}>"


@pytest.mark.parametrize("mode", ["forward", "reverse"])
@pytest.mark.parametrize("f", [np.sin, np.diag])
def test_rows_are_joined_at_once(f, mode):
    """Those with axes; `np.stack` takes three times as long."""
    assert "stack" not in functions_run_by(lambda: jacobian(f, mode=mode)(normal(3)))
