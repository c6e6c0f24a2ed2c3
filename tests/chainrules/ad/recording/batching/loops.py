"""A vectorized function beside a loop over the items."""

import numpy as np

from chainrules.ad import grad, vectorized


def agrees_with_loop(f, *shapes, items=3, dtype=float):
    """The names of the operations that ran item by item, once all results agree with those of a loop."""
    rng = np.random.default_rng(len(shapes))
    xs = [rng.normal(size=(items, *shape)).astype(dtype) for shape in shapes]
    xs = [x * (1.0 + 0.5j) for x in xs] if dtype is complex else xs
    v = vectorized(f)
    assert_same(v(*xs), [f(*(x[i] for x in xs)) for i in range(items)])
    return {name for variant in v.variants for name, _ in variant.by_rows}


def check_gradients(f, shape):
    """The gradients of the vectorized function, and the vectorized gradients, are those of a loop."""
    xs = np.random.default_rng(5).normal(size=(3, *shape))

    def loss(x):
        return np.sum(np.sin(f(x)))

    plain = [grad(loss)(x) for x in xs]
    assert_same(vectorized(grad(loss))(xs), plain)
    assert_same(grad(lambda xs: np.sum(vectorized(loss)(xs)))(xs), plain)


def assert_same(found, rows):
    """The result is that of the rows: of their dtype and shape, and but for a last digit of their values."""
    if isinstance(rows[0], tuple | list):
        for i, part in enumerate(found):
            assert_same(part, [row[i] for row in rows])
        return
    stacked = np.stack(rows)
    assert (found.dtype, found.shape) == (stacked.dtype, stacked.shape)
    # BLAS adds up in another order for a batch.
    tolerance = (
        1e-12 if np.finfo(stacked.dtype if stacked.dtype.kind in "fc" else float).eps < 1e-10 else 1e-4
    )
    np.testing.assert_allclose(found, stacked, rtol=tolerance, atol=tolerance)
