"""The rules of joining arrays, against finite differences."""

import numpy as np
import pytest

from chainrules.ad import grad
from chainrules_core import DimensionMismatchError, NoTangent, frule, is_lazy, rrule
from tests.chainrules.lazy_checks import lazily
from tests.chainrules.rule_checks import check_rule, normal
from tests.chainrules.several_array_checks import check_several

A, B, C = normal(2, 2), normal(2, 2, seed=1), normal(2, 1, seed=2)
VECTORS = [normal(2), normal(2, seed=1)]
CUBES = (normal(1, 2, 2), normal(1, 2, 2, seed=1))


@pytest.mark.parametrize(
    ("xs", "options"),
    [
        ([A, C], (1,)),
        ((A, B), ()),
        ((A, B), (-2,)),
        ([A, normal(4)], (None,)),
        ([A, normal(0, 2)], (0,)),
        ([A, B * 1j], (0,)),
        ([normal(2, 2, dtype=np.float32), A], ()),
        (CUBES, (-1,)),
        ([A], ()),
    ],
)
def test_concatenate(xs, options):
    """Along any axis, or all elements one after the other."""
    check_several(np.concatenate, xs, *options)
    if options:
        check_several(np.concatenate, xs, axis=options[0])


@pytest.mark.parametrize(
    ("f", "arguments"),
    [
        (np.stack, [(VECTORS,), (VECTORS, 1), (VECTORS, -1), ([1.5, 2.5],), (CUBES, 1), ([normal(0)] * 2,)]),
        (np.vstack, [(VECTORS,), ([A, normal(2)],), ([1.5, 2.5],), (CUBES,), ([A, 1j * B],)]),
        (np.hstack, [(VECTORS,), ([A, C],), ([1.5, normal(2)],), (CUBES,)]),
        (np.dstack, [(VECTORS,), ([A, B],), ([1.5, 2.5],), (CUBES,)]),
        (np.column_stack, [(VECTORS,), ([A, normal(2)],), ((normal(2), A, C),)]),
    ],
    ids=lambda x: getattr(x, "__name__", ""),
)
def test_stacks(f, arguments):
    """Numbers, vectors, matrices, and cubes, each with the axes that they lack."""
    for xs in arguments:
        check_several(f, *xs)


@pytest.mark.skipif(not hasattr(np, "row_stack"), reason="until NumPy 2.4")
@pytest.mark.filterwarnings("ignore:`row_stack` alias is deprecated")
def test_a_deprecated_name():
    """With NumPy's warning where it is called, and the same rules."""
    row_stack = np.row_stack  # noqa: NPY201 - the deprecated name is tested
    check_several(row_stack, [A, normal(2)])
    np.testing.assert_equal(grad(lambda x: np.sum(row_stack((x, x)) ** 2))(VECTORS[0]), 4 * VECTORS[0])


@pytest.mark.parametrize(
    "f",
    [np.concatenate, np.stack, np.vstack, np.hstack, np.dstack, np.column_stack],
    ids=lambda f: f.__name__,
)
def test_items_of_an_array(f):
    """An array is joined item by item."""
    check_rule(f, CUBES[0])


@pytest.mark.parametrize("f", [np.concatenate, np.stack])
def test_precision_and_refusals(f):
    """The parts keep their precision; writing into an array leaves no trace."""
    check_several(f, [normal(2, dtype=np.float32), normal(2, dtype=np.float32)], dtype=np.float64)
    with pytest.raises(TypeError, match=r"np\.\w+.*out=.*cannot be differentiated"):
        rrule(f, VECTORS, 0, out=np.zeros(6))
    with pytest.raises(TypeError, match=r"np\.\w+.*out=.*cannot be differentiated"):
        frule((NoTangent(), VECTORS, NoTangent(), NoTangent()), f, VECTORS, 0, np.zeros(6))
    y, y_dot = frule((NoTangent(), VECTORS), f, VECTORS, dtype=int, casting="unsafe")
    assert (y.dtype, y_dot) == (int, NoTangent())


@pytest.mark.parametrize(
    "xs",
    [
        [A, C],
        [[A, C], [normal(1, 2), normal(1, 1)]],
        [[1.5, 2.5], [3.5, 4.5j]],
        [[[normal(2, 1)], [normal(2, 1)]]],
        normal(3),
        [normal(2), 1.5],
        [np.zeros((2, 0)), A],
    ],
)
def test_block(xs):
    """Nested lists of blocks, and their cotangents in the same lists."""
    check_several(np.block, xs)


def test_traced_items():
    """Lists of traced values, of which one may be there twice."""
    x = np.array([1.0, 2.0, 3.0])

    np.testing.assert_allclose(grad(lambda x: np.sum(np.stack([x, x * x], axis=1)))(x), 1 + 2 * x)
    np.testing.assert_allclose(
        grad(lambda x: np.sum(np.block([[x, 2.0], [x[0], x]]) ** 2))(x), 4 * x + [2, 0, 0]
    )


@pytest.mark.parametrize("f", [np.concatenate, np.stack, np.hstack])
def test_longer_cotangents_are_refused(f):
    """A cotangent of more elements than were joined is not cut to fit."""
    _, pullback = rrule(f, [np.ones(2), np.ones(2)])

    with pytest.raises(DimensionMismatchError):
        pullback(np.ones(5) if f is not np.stack else np.ones((3, 2)))


def test_lazy_arrays():
    """Functions that Dask has join them; the other one is refused."""
    pytest.importorskip("dask.array")
    x = lazily(normal(4))
    dots = NoTangent(), [x, x]

    assert is_lazy(rrule(np.concatenate, [x, x])[0])
    assert is_lazy(frule(dots, np.concatenate, [x, x])[1])
    with pytest.raises(TypeError, match=r"np\.column_stack"):
        rrule(np.column_stack, [x, x])
    with pytest.raises(TypeError, match=r"np\.column_stack"):
        frule(dots, np.column_stack, [x, x])
