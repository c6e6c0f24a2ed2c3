"""Calls of functions of images."""

import inspect

import numpy as np
import pytest

from chainrules.values.image_calls import ImageCall, each


def smoothed(image, size=3, output=None, mode="reflect", *, axes=None, **kwargs):
    """The arguments of a filter."""
    return image, size, output, mode, axes, kwargs


SIGNATURE = inspect.signature(smoothed)


def test_arguments():
    """By name, defaults included; axes as numbers from zero, and one value for each."""
    call = ImageCall(SIGNATURE, "smoothed", (np.ones((2, 3)), (4, 5)), {"axes": -1, "extra": 7})

    assert call["mode"] == "reflect"
    assert call.axes == (1,)
    assert call.for_each_axis("mode") == ["reflect"]
    assert call.for_each_axis("size", 2) == [4, 5]
    assert call.changed(smoothed, size=1)[1:] == (1, None, "reflect", -1, {"extra": 7})
    assert each(np.array(2.0), 2) == [2.0, 2.0]


def test_results_in_an_array():
    """Writing leaves no trace."""
    with pytest.raises(TypeError, match=r"smoothed\(\.\.\., output=\.\.\.\)"):
        ImageCall(SIGNATURE, "smoothed", (np.ones(2),), {"output": np.zeros(2)})
