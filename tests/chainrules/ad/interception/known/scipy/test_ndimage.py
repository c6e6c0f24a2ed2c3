"""Images that are read at places which a function of the user's computes."""

import numpy as np
import pytest
from scipy.ndimage import geometric_transform

from chainrules.ad import grad, jvp
from chainrules_testutils import grad as grad_by_differences
from tests.chainrules.rule_checks import normal


def _moved(place, by, slope=0.9):
    return place[0] * slope + by, place[1] - 0.2


@pytest.mark.every_case
@pytest.mark.parametrize(
    "program",
    [
        lambda x, t: geometric_transform(x, lambda place: (place[0] * t[0], place[1] + t[1])),
        lambda x, t: geometric_transform(x, lambda place: (place[0] + 0.3, 1.2), (2,), order=1, cval=t[0]),
        lambda x, t: geometric_transform(x, _moved, mode="reflect", extra_arguments=(t[0],)),
        lambda x, t: geometric_transform(
            x, _moved, mode="mirror", extra_arguments=(0.3,), extra_keywords={"slope": t[0]}
        ),
        lambda x, t: t[0] * geometric_transform(np.eye(3), _moved, extra_arguments=(0.3,)),
    ],
)
def test_places(program):
    """The derivatives are those by the image, by what the places depend on, and by the number beyond."""

    def f(x, t):
        return np.sum(program(x, t) ** 2)

    x, t = normal(2, 3), np.array([0.8, 0.31])
    bars, expected = grad(f, (0, 1))(x, t), grad_by_differences(None, f, x, t)
    for bar, by_differences in zip(bars, expected, strict=True):
        np.testing.assert_allclose(bar, by_differences, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(jvp(f, (x, t), (x, t))[1], sum(map(np.vdot, (x, t), bars)), rtol=1e-9)


def test_functions_in_c():
    """What computes the places in C is not followed, and hides no derivative: the image is plain."""
    with pytest.raises(ValueError, match="invalid callable"):
        grad(lambda t: t * np.sum(geometric_transform(np.eye(2), 3.0)))(1.5)
