"""Functions that hold traced values: closures, partials, methods, and what is made of these."""

import functools

import numpy as np
import pytest

from chainrules.ad import compiled, grad, hessian, hvp, vectorized
from chainrules.ad.recording.batching.lifted import lifted
from chainrules.ad.recording.refused import CompilationError
from chainrules.ad.recording.tape import NotRecordableError

# One line of the table for each way to hold a value.
pytestmark = pytest.mark.every_case

RNG = np.random.default_rng(0)
XS, W = RNG.normal(size=(4, 3)), RNG.normal(size=3)


def loss(w, x):
    """Of one item."""
    return np.logaddexp(0.0, w @ x) * x[0]


class Model:
    """An object that holds a value."""

    def __init__(self, w):
        self.w = w

    def loss(self, x):
        """Of one item."""
        return loss(self.w, x)


def filled(v, w):
    """An array that holds a traced value, and one that holds none."""
    y, c = np.zeros(3), np.ones(3)
    y[0], c[1] = w[0], 2.0
    return v(lambda x: np.sum(y * x * c))(XS)


PROGRAMS = {
    "a closure": lambda v, w: v(lambda x: loss(w, x))(XS),
    "a partial": lambda v, w: v(functools.partial(loss, w))(XS),
    "a gradient": lambda v, w: v(grad(lambda x: loss(w, x)))(XS),
    "a method": lambda v, w: v(Model(w).loss)(XS),
    "decisions": lambda v, w: v(lambda x: loss(w, x) if w @ x > 0.0 else np.sum(w * x * x))(XS),
    "items too": lambda v, w: v(lambda x: loss(w, x))(XS * w),
    "nested": lambda v, w: v(lambda x: v(lambda u: u * np.sum(w) * x[0])(x))(XS),
    "containers": lambda v, w: (lambda p: v(lambda x: loss(p["a"][0], x) * p["b"])(XS))(
        {"a": [w], "b": w[1]}
    ),
    "a function": lambda v, w: (lambda g: v(lambda x: g(x) ** 2)(XS))(lambda x: loss(w, x)),
    "filled": filled,
}


def loop(f):
    """What `vectorized` stands for."""
    return lambda xs: np.stack([f(x) for x in xs])


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=PROGRAMS)
def test_derivatives_by_what_is_held(program):
    """They are those of a loop, compiled or not, of both orders."""

    def by_items(w):
        return np.sum(program(vectorized, w))

    def by_loop(w):
        return np.sum(program(loop, w))

    c = compiled(grad(by_items), strict=True)
    for w in (W, -W, W + 0.1):
        expected = grad(by_loop)(w)
        np.testing.assert_allclose(grad(by_items)(w), expected, rtol=1e-10)
        np.testing.assert_allclose(c(w), expected, rtol=1e-10)
    np.testing.assert_allclose(hvp(by_items, W, -W), hvp(by_loop, W, -W), rtol=1e-10)
    assert [v.calls for v in c.variants if v.calls] or c.variants


def test_hessians():
    """Of two differentiations that hold the same value."""
    f, g = (lambda w, v=v: np.sum(PROGRAMS["a closure"](v, w)) for v in (vectorized, loop))
    np.testing.assert_allclose(hessian(f)(W), hessian(g)(W), rtol=1e-10)


def appending(w):
    """To a list."""
    kept = [w]

    def item(x):
        kept.append(x)
        return np.sum(w * x)

    return np.sum(vectorized(item)(XS)) + np.sum(kept[-1])


def assigning(w):
    """To an item of a dict."""
    held = {"w": w}

    def item(x):
        held["w"] = held["w"] * x
        return np.sum(held["w"])

    return np.sum(vectorized(item)(XS)) + np.sum(held["w"])


def counting(w):
    """In a variable around it."""
    n = 0

    def item(x):
        nonlocal n
        n += 1
        return np.sum(w * x)

    return np.sum(vectorized(item)(XS)) * n


def writing(w):
    """Into an array."""
    y = w * 1.0

    def item(x):
        y[0] = x[0]
        return np.sum(y * x)

    return np.sum(vectorized(item)(XS)) + np.sum(y)


def on_an_object(w):
    """To an attribute."""
    model = Model(w)

    def item(x):
        model.w = model.w * x
        return np.sum(model.w)

    return np.sum(vectorized(item)(XS)) + np.sum(model.w)


@pytest.mark.parametrize("f", [appending, assigning, counting, writing, on_an_object])
def test_changes_of_what_holds_values_are_refused(f):
    """They would be made once, and to copies."""
    for g in (grad(f), compiled(grad(f), strict=True)):
        with pytest.raises(CompilationError, match=r"it changes a|writes into an a"):
            g(W)


def test_changes_while_nothing_is_recorded():
    """They are refused as well."""
    kept = []

    def capture(w):
        held = [w]

        def item(x):
            held[0] = x

        kept.append(lifted(item)[0])
        return np.sum(w)

    grad(capture)(W)
    with pytest.raises(NotRecordableError, match="changes a list"):
        kept[0]((W,), 2.0 * W)


def test_functions_that_hold_themselves():
    """An error says what to do."""

    def f(w):
        def item(x, depth=1):
            return item(x, depth - 1) * 2.0 if depth else np.sum(w * x)

        return np.sum(vectorized(item)(XS))

    with pytest.raises(TypeError, match="recursive function be a global one"):
        grad(f)(W)


def test_values_that_are_not_found():
    """Such as those in defaults: an error says what to do."""

    def f(w):
        return np.sum(vectorized(lambda x, w=w: np.sum(w * x))(XS))

    with pytest.raises(CompilationError, match="changes cannot be seen"):
        grad(f)(W)
    with pytest.raises(CompilationError, match="has to be an argument, with None in `in_axes`"):
        compiled(grad(f), strict=True)(W)
