"""`linearize`: against `jvp`, in one and in several variables."""

import numpy as np
import pytest

from chainrules.ad import grad, jvp, linearize
from chainrules_core import DimensionMismatchError, NoTangent, StructuralTangent, Tangent, ZeroTangent
from chainrules_core.structured import Diagonal
from tests.chainrules.ad.agreement import assert_same_numbers
from tests.chainrules.ad.models import Data
from tests.chainrules.rule_checks import normal, positive
from tests.chainrules.sparse_cases import FORMATS, sparse


def opposites(x):
    """Of the results the cotangents cancel, if all are the same."""
    y = np.sin(x)
    return [y, -y]


@pytest.mark.parametrize(
    ("f", "args"),
    [
        (lambda x: x**3, (2.0,)),
        (np.tanh, (normal(2, 3),)),
        (lambda A, x: A @ x, (normal(2, 3), normal(3))),
        (lambda A, x: {"y": A @ x, "total": (np.sum(x),)}, (normal(2, 3), normal(3))),
        (lambda z: z * np.conj(z) * z, (1 + 2j,)),
        (lambda x: np.exp(1j * x), (normal(3),)),
        (np.abs, (normal(3, dtype=complex),)),
        (opposites, (normal(3),)),
        (opposites, (0.5,)),
        (lambda x: x * 0.0, (normal(3),)),
        (lambda x: (x, 3.0, np.ones(2)), (normal(3),)),
        (lambda x: x[:0], (normal(3),)),
        (np.sin, (normal(0, 2),)),
        (lambda x: np.max(x) * x, (normal(3),)),
        (lambda x: np.linalg.inv(np.eye(2) + np.outer(x, x)), (normal(2),)),
    ],
)
def test_agrees_with_jvp(f, args):
    """The pushforward agrees with `jvp`, for tangents of all sizes, and can be called again."""
    y, pushforward = linearize(f, *args)

    for seed, scale in [(1, 1.0), (2, 1e-3), (3, 0.0)]:
        tangents = tuple(x * 0 + scale * normal(*np.shape(x), seed=seed) for x in args)
        expected_y, expected = jvp(f, args, tangents)
        assert_same_numbers(y, expected_y)
        assert_same_numbers(pushforward(*tangents), expected, rtol=1e-12, atol=1e-14)


def test_the_function_is_called_once():
    """However often the pushforward is called, the function is called once."""
    calls = []

    _, pushforward = linearize(lambda x: calls.append(1) or x * x, 3.0)

    assert [pushforward(1.0), pushforward(2.0)] == [6.0, 12.0]
    assert len(calls) == 1


def test_infinite_slopes():
    """Infinite slopes are not taken for zeros."""
    with np.errstate(divide="ignore"):
        _, pushforward = linearize(np.sqrt, 0.0)

        assert pushforward(1.0) == np.inf
        assert pushforward(0.0) == 0.0


def test_containers_and_dataclasses():
    """Tangents are in the containers of the arguments, or `Tangent`; so are those of results."""
    data = Data(positive(3), 2.0)

    _, pushforward = linearize(lambda d: Data(d.x * d.scale, np.sum(d.x)), data)
    for data_dot in (StructuralTangent[Data](x=np.ones(3), scale=1.0),):
        y_dot = pushforward(data_dot)
        assert isinstance(y_dot, StructuralTangent[Data])
        np.testing.assert_allclose(y_dot.x, 2.0 + data.x)
        assert y_dot.scale == 3.0
        assert y_dot.name == NoTangent()
    _, pushforward = linearize(lambda p: p["a"][0] * p["b"], {"a": [3.0], "b": 4.0})
    assert pushforward({"a": [1.0], "b": 0.5}) == 5.5
    assert pushforward(Tangent[dict]({"b": 1.0})) == 3.0


def test_zeros():
    """A pushforward takes zeros for one argument and for all."""
    _, pushforward = linearize(lambda x, y: x * y, 2.0, 3.0)

    assert pushforward(ZeroTangent(), 1.0) == 2.0
    assert pushforward(ZeroTangent(), ZeroTangent()) == 0.0
    assert linearize(lambda x: 3.0, normal(2))[1](normal(2)) == 0.0


@pytest.mark.parametrize("format", FORMATS)
def test_sparse_results(format):
    """The tangent has the pattern of the result."""
    A = sparse(format)

    y, pushforward = linearize(lambda s: s * A, 2.0)

    np.testing.assert_allclose(y.toarray(), 2.0 * A.toarray())
    np.testing.assert_allclose(pushforward(3.0).toarray(), 3.0 * A.toarray())


def test_structured_results():
    """The tangent of a diagonal matrix is a diagonal one."""
    _, pushforward = linearize(lambda d: Diagonal(d * d), normal(3))

    np.testing.assert_allclose(np.asarray(pushforward(np.ones(3))), np.diag(2 * normal(3)))


def test_precision_is_kept():
    """The tangent of a float32 result is float32."""
    x = normal(3, dtype=np.float32)
    y, pushforward = linearize(lambda x: x * x, x)

    assert y.dtype == pushforward(x).dtype == np.float32


def test_inside_a_differentiation():
    """What surrounds it differentiates the pushforward, by the point and by the tangent."""
    for outer in (grad, lambda f: lambda x: jvp(f, (x,), (1.0,))[1]):
        assert outer(lambda a: linearize(lambda x: a * x**3, 2.0)[1](1.0))(5.0) == pytest.approx(12.0)
        assert outer(lambda a: linearize(lambda x: x**3, a)[1](1.0))(2.0) == pytest.approx(12.0)
        assert outer(linearize(lambda x: x**3, 2.0)[1])(5.0) == pytest.approx(12.0)
        assert outer(lambda a: np.sum(linearize(lambda x: a * x, normal(2))[1](np.ones(2))))(1.0) == 2.0


def test_errors():
    """A wrong number of tangents, a wrong shape and other containers are refused."""
    _, pushforward = linearize(lambda x, y: x * y, normal(3), 2.0)

    with pytest.raises(DimensionMismatchError, match="was called with 1 tangents, and there are 2 arguments"):
        pushforward(normal(3))
    with pytest.raises(DimensionMismatchError, match=r"shape \(2,\)"):
        pushforward(normal(2), 1.0)


def test_has_aux():
    """What is returned beside the result is plain, and does not move."""
    y, pushforward, aux = linearize(lambda x: (x**2, [x, "name"]), normal(3), has_aux=True)

    assert type(aux[0]) is np.ndarray
    assert_same_numbers([y, aux[0], pushforward(np.ones(3))], [normal(3) ** 2, normal(3), 2 * normal(3)])
