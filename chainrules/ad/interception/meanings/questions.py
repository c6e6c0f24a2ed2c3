"""Questions that a program asks about a value: they are answered for the value that is carried."""

from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.replacements import replaces
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.traced.formatted_text import FormattedText
from chainrules.ad.traced.traced_classes import TRACED
from chainrules_core import primal_of


@hook("is instance")
@replaces(isinstance)
def _isinstance(x: Any, cls: Any, /) -> bool:
    if x.__class__ in TRACED:
        return isinstance(primal_of(x), cls) or isinstance(x, cls)
    return isinstance(x, cls)


@replaces(type)
def _type(*args: Any, **kwargs: Any) -> Any:
    if len(args) == 1 and args[0].__class__ in TRACED:
        return type(primal_of(args[0]))
    if len(args) == 1 and args[0].__class__ is FormattedText:
        return str
    return type(*args, **kwargs)


@replaces(np.isscalar)
def _isscalar(x: Any) -> bool:
    return np.isscalar(primal_of(x))
