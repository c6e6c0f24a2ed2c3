"""Variants: programs that may be run again."""

import numpy as np

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
