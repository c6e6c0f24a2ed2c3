"""Rules for filters that choose an element of the window around each element, and for grey morphology.

An erosion is the least element minus a structure, and a dilation is the largest plus the reversed structure.
See `chainrules.formulas.filters.windows`.
"""

from typing import Any

import numpy as np
from scipy import ndimage

from chainrules.formulas.filters.passes import EXTENSIONS
from chainrules.formulas.filters.windows import (
    Window,
    choice_of,
    pull_choice,
    pull_structure,
    push_choice,
    push_structure,
)
from chainrules.makers.image_filters import image_rules
from chainrules.values.image_calls import ImageCall, each
from chainrules.values.several_arrays import array_of
from chainrules_core import ZeroTangent, primal_of


def _choice_rules(primal, window_of) -> None:
    """Define the rules of a filter, of which `window_of` gives for a call the window."""

    def found(call: ImageCall, y) -> Any:
        if call.found is None:
            window = window_of(call)
            x = np.asarray(primal_of(array_of(call["input"])))
            call.found = window, choice_of(primal_of(y), x, window, primal_of(call["cval"]))
        return call.found

    def push(call: ImageCall, y, argument: str, dot):
        window, choice = found(call, y)
        if argument == "input":
            return push_choice(choice, dot)
        if argument == "cval":
            return push_choice(choice, np.zeros(choice.shape), dot)
        if argument == "percentile":
            return np.zeros(choice.shape)
        return push_structure(choice, window, _structure_in_window(call, dot))

    def pull(call: ImageCall, y, argument: str, y_bar):
        window, choice = found(call, y)
        if argument == "percentile":
            return ZeroTangent()
        if argument == "structure":
            bar = pull_structure(choice, window, y_bar)
            bar = np.reshape(bar, np.shape(primal_of(array_of(call["structure"]))))
            return -bar if _erodes(call) else np.flip(bar)
        return pull_choice(choice, y_bar)[argument == "cval"]

    image_rules(primal, push, pull, {"input", "cval", "structure", "percentile"})


# --- The window of each filter ----------------------------------------------------------------------


def _along_axis(call: ImageCall) -> Window:
    axis = call["axis"] % call.ndim
    shape, origins = [1] * call.ndim, [0] * call.ndim
    shape[axis], origins[axis] = int(call["size"]), call["origin"]
    return Window(np.ones(shape, bool), origins, [EXTENSIONS[call["mode"]]] * call.ndim)


def _around(call: ImageCall) -> Window:
    """The window of a size, or of a footprint."""
    axes, footprint = call.axes, call["footprint"]
    if footprint is None:
        footprint = np.ones([int(n) for n in call.for_each_axis("size")], bool)
    return _in_all_axes(call, np.asarray(footprint, bool), call.for_each_axis("origin", len(axes)))


def _in_all_axes(call: ImageCall, footprint, origins) -> Window:
    axes = call.axes
    missing = tuple(axis for axis in range(call.ndim) if axis not in axes)
    all_origins, modes = [0] * call.ndim, ["nearest"] * call.ndim
    for axis, origin, mode in zip(axes, origins, each(call["mode"], len(axes)), strict=True):
        all_origins[axis], modes[axis] = origin, EXTENSIONS[mode]
    return Window(np.expand_dims(footprint, missing), all_origins, modes)


def _erodes(call: ImageCall) -> bool:
    return call.name == "grey_erosion"


def _structure_in_window(call: ImageCall, structure):
    """What is added in the window, from the structure or its tangent."""
    missing = tuple(axis for axis in range(call.ndim) if axis not in call.axes)
    return np.expand_dims(-structure if _erodes(call) else np.flip(structure), missing)


def _with_structure(call: ImageCall) -> Window:
    footprint, structure = call["footprint"], call["structure"]
    if footprint is None:
        shape = np.shape(primal_of(array_of(structure))) if structure is not None else None
        footprint = np.ones([int(n) for n in call.for_each_axis("size")] if shape is None else shape, bool)
    footprint, origins = np.asarray(footprint, bool), call.for_each_axis("origin")
    if not _erodes(call):
        footprint = np.flip(footprint)
        origins = [-origin - (n % 2 == 0) for origin, n in zip(origins, footprint.shape, strict=True)]
    window = _in_all_axes(call, footprint, origins)
    if structure is None:
        return window
    added = _structure_in_window(call, np.asarray(primal_of(array_of(structure)), float))
    return window._replace(structure=added)


_choice_rules(ndimage.minimum_filter1d, _along_axis)
_choice_rules(ndimage.maximum_filter1d, _along_axis)
for _filter in ("minimum_filter", "maximum_filter", "median_filter", "rank_filter", "percentile_filter"):
    _choice_rules(getattr(ndimage, _filter), _around)
_choice_rules(ndimage.grey_erosion, _with_structure)
_choice_rules(ndimage.grey_dilation, _with_structure)
