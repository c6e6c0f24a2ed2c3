"""Names of arrays that are written into."""

import re
import types

import numpy as np
import pytest

from chainrules.ad import grad

HELD = np.zeros(2)
MODEL = types.SimpleNamespace(weights=np.zeros(2), layers=[{"b": np.zeros(2)}])
X = np.ones(2)


def capturing():
    """A function that captures an array, and one that captures it in a list."""
    captured = np.zeros(2)
    items = (captured,)

    def bare(x):
        captured[0] = x[0]
        return np.sum(captured)

    def held(x):
        items[0][0] = x[0]
        return np.sum(items[0])

    return bare, held


def written(write):
    """A function that writes into an array, and returns nothing of it."""

    def f(x):
        write(x)
        return np.sum(x)

    return f


def global_array(x):
    """Writes into a global array."""
    HELD[0] = x[0]


def augmented(x):
    """Adds to an element of a global array."""
    HELD[0] += x[0]


def attribute(x):
    """Writes into an array that an object holds."""
    MODEL.weights[:] = x


def nested(x):
    """Writes into an array deep in an object."""
    MODEL.layers[0]["b"][1] = x[0]


def another_name(x):
    """Writes by a local name."""
    b = MODEL.weights
    b[0] = x[0]


def view(x):
    """Writes into a view."""
    v = HELD[1:]
    v[0] = x[0]


def flat(x):
    """Writes by an iterator."""
    HELD.flat[0] = x[0]


def wrong_shape(x):
    """Writes too many numbers."""
    HELD[:] = np.ones(3)


def default(x, b=np.zeros(2)):  # noqa: B008 - it is written into
    """Writes into a default."""
    b[0] = x[0]


FILE = r"a global of \S*test_array_holders\.py"


@pytest.mark.parametrize(
    ("f", "said"),
    [
        (written(global_array), rf"`HELD`, {FILE}, is a plain array.*`own = HELD\.copy\(\)`"),
        (written(augmented), rf"`HELD`, {FILE}, is a plain array.*`own = HELD\.copy\(\)`"),
        (written(attribute), rf"`MODEL\.weights`, held by `MODEL`, {FILE}.*`own = MODEL\.weights\.copy\(\)`"),
        (written(nested), rf"`MODEL\.layers\[0\]\['b'\]`, held by `MODEL`, {FILE}"),
        (written(another_name), rf"`b` is `MODEL\.weights`, held by `MODEL`, {FILE}.*`b = b\.copy\(\)`"),
        (written(view), rf"`v` is a view of `HELD`, {FILE}.*`v = v\.copy\(\)`"),
        (written(default), r"`b`, an argument of `default`, is a plain array.*`b = b\.copy\(\)`"),
        (written(flat), "which would lose its derivative"),
        (written(lambda x: HELD.fill(x[0])), rf"`HELD`, {FILE}"),
        (written(lambda x: HELD.__setitem__(0, x[0])), rf"`HELD`, {FILE}"),
        (written(lambda x: np.multiply(x, x, out=HELD)), rf"np\.multiply\(x, x, out=HELD\).*`HELD`, {FILE}"),
        (written(lambda x: np.put(HELD, [0], x[0])), rf"`HELD`, {FILE}, is a plain array: write into a copy"),
        (capturing()[0], r"`captured`, captured by `bare`, is a plain array.*`own = captured\.copy\(\)`"),
        (capturing()[1], r"`items\[0\]`, held by `items`, captured by `held`, is a plain array"),
    ],
)
def test_the_holder_is_named(f, said):
    """Wherever an array is held: the variable by which the program reaches it, and its place."""
    with pytest.raises((TypeError, ValueError)) as caught:
        grad(f)(X)
    text = "\n".join([str(caught.value), *getattr(caught.value, "__notes__", [])])
    assert re.search(said, text), text


def test_the_reason_comes_first():
    """Where items are assigned, NumPy's words do not hide it."""
    with pytest.raises(TypeError, match="A traced value was about to become a float at"):
        grad(written(global_array))(X)


def test_errors_of_numpy_stay():
    """They are of the program itself."""
    with pytest.raises(ValueError, match="could not broadcast"):
        grad(written(lambda x: HELD.__setitem__(slice(None), np.ones(3))))(X)
    with pytest.raises(ValueError, match="could not broadcast") as caught:
        grad(written(wrong_shape))(X)
    assert not hasattr(caught.value, "__notes__")
