"""The function that reads an image at places which a function of the user's computes, one by one."""

from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.entering import entered_if_traced
from chainrules.ad.values.facts import fact
from chainrules.ad.writing.fillable import fillable


def _reading(transform: Any) -> Callable[..., Any]:
    """The function for the place of `geometric_transform`: `map_coordinates` with all coordinates."""

    def call(  # noqa: PLR0913, PLR0917 - as many as the function has
        input: Any,  # noqa: A002 - SciPy's name
        mapping: Any,
        output_shape: Any = None,
        output: Any = None,
        order: int = 3,
        mode: str = "constant",
        cval: Any = 0.0,
        prefilter: bool = True,
        extra_arguments: tuple[Any, ...] = (),
        extra_keywords: dict[str, Any] | None = None,
    ) -> Any:
        named = extra_keywords or {}
        if not callable(mapping):  # it is written in C
            return transform(
                input, mapping, output_shape, output, order, mode, cval, prefilter, extra_arguments, named
            )

        from scipy.ndimage import map_coordinates  # noqa: PLC0415 - whoever calls it has imported it

        shape, place_of = output_shape or np.shape(input), choose(mapping)
        coordinates = fillable(np.empty((np.ndim(input), *shape)))
        for index in np.ndindex(*shape):
            coordinates[(slice(None), *index)] = place_of(index, *extra_arguments, **named)
        return choose(map_coordinates)(input, coordinates, output, order, mode, cval, prefilter)

    return entered_if_traced(transform, call)


fact("scipy.ndimage._interpolation.geometric_transform", wrapped=_reading)
