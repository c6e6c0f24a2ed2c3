"""Variants: programs that may be run again."""

import gc
import tracemalloc

import numpy as np
from scipy.integrate import quad

from chainrules.ad import grad
from chainrules.ad.recording.compiled import compiled
from chainrules.ad.recording.running import MISS
from chainrules.ad.recording.variant import make_variant


def test_names_of_parameters():
    """By the function's parameters and the keys of dicts."""

    def loss(parameters, data, *rest, scale=1.0):
        return np.sum(parameters["w"] * data) * scale + sum(rest)

    source = make_variant(loss, ({"w": np.ones(2)}, np.ones(2), 1.0, 2.0), {"scale": 3.0}).source
    assert source.startswith("def program(w, data, rest, rest_2, scale):")


def test_another_decision_and_an_error():
    """Both are a miss: the function itself says what is right."""
    variant = make_variant(lambda x: x if x[0] > 0.0 else -x, (np.ones(2),), {})
    assert variant.run([-np.ones(2)]) is MISS
    assert variant.run(["text"]) is MISS
    np.testing.assert_array_equal(variant.run([2 * np.ones(2)]), 2.0)
    assert variant.guards == 1


def of_a_search(x):
    """An integral whose end is the mean of a large array."""
    return quad(lambda t: t, 0.0, np.mean(np.sin(np.sin(np.sin(x)))))[0]


def test_memory():
    """What was computed while a program was recorded is let go."""
    x = np.ones(300_000)
    c = compiled(grad(of_a_search), compare=False)
    tracemalloc.start()
    try:
        c(x)
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] < 3 * x.nbytes  # the result has been let go, too
    finally:
        tracemalloc.stop()
