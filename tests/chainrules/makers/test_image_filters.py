"""The maker of the rules of functions of images, with a function of a test's own."""

import numpy as np

from chainrules.makers.image_filters import image_rules
from tests.chainrules.rule_checks import check_rule, normal


def scaled(image, factor, output=None, *, power=1):
    """The image times a power of a number."""
    return image * factor**power


def push(call, y, argument, dot):
    """The tangent by one argument."""
    return call.changed(scaled, **{argument: dot}) if argument == "image" else call["image"] * dot


image_rules(
    scaled,
    push,
    lambda call, y, argument, y_bar: (
        y_bar * call["factor"] if argument == "image" else np.sum(y_bar * call["image"])
    ),
    {"image", "factor"},
)


def test_two_arguments():
    """Each has a derivative."""
    check_rule(scaled, normal(2, 3), 1.5)
    check_rule(scaled, normal(3), 1.5, None)
