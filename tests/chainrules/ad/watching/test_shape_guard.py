"""In debug mode the shapes that the rules of this package return are looked at too."""

import numpy as np
import pytest

from chainrules.ad import grad, jvp
from chainrules_core import (
    DimensionMismatchError,
    InplaceableThunk,
    NoTangent,
    ZeroTangent,
    debugging,
    frule,
    primitive,
    rrule,
    thunk,
    typeof_,
)

X = np.array([0.3, -1.2, 2.0])


def with_cotangent(of):
    """A primitive whose pullback returns what `of` makes of the cotangent of its result."""

    @primitive
    def wave(x):
        return np.sin(x)

    @rrule.dispatch
    def wave_rrule(f: typeof_(wave), x: np.ndarray):
        def wave_pullback(y_bar):
            return NoTangent(), of(y_bar * np.cos(x))

        return np.sin(x), wave_pullback

    return lambda x: np.sum(wave(x * 1.0) * np.arange(3.0))


@pytest.mark.parametrize(
    "of",
    [
        np.diag,
        lambda x_bar: thunk(lambda: np.diag(x_bar)),
        lambda x_bar: InplaceableThunk(lambda total: total + x_bar, thunk(lambda: np.diag(x_bar))),
    ],
)
def test_cotangents_of_another_shape(of):
    """The next rule may sum them as if they had been broadcast: the error names the pullback."""
    says = r"^wave_rrule \(.*test_shape_guard\.py:\d+\): .* argument 1, `x`, has shape \(3, 3\), .* \(3,\)\."
    with debugging(), pytest.raises(DimensionMismatchError, match=says):
        grad(with_cotangent(of))(X)


@pytest.mark.parametrize(
    "of", [lambda x_bar: x_bar, lambda x_bar: thunk(lambda: x_bar), lambda x_bar: ZeroTangent()]
)
def test_others(of):
    """What fits passes, in thunks too; what has no shape is not looked at."""
    f = with_cotangent(of)
    expected = grad(f)(X)
    with debugging():
        np.testing.assert_array_equal(grad(f)(X), expected)
        assert grad(lambda x: x[0] * len(str(x)) ** 0)([2.0, "name"])[0] == 1.0
        np.testing.assert_array_equal(jvp(np.sin, (X,), (X,))[1], np.cos(X) * X)


def test_tangents_of_another_shape():
    """Likewise, when the rule is called."""

    @primitive
    def total(x):
        return np.sum(x)

    @frule.dispatch
    def total_frule(tangents, f: typeof_(total), x: np.ndarray):
        return np.sum(x), tangents[1]

    with (
        debugging(),
        pytest.raises(DimensionMismatchError, match=r"^total_frule .* has shape \(3,\), the result \(\)"),
    ):
        jvp(total, (X,), (X,))
