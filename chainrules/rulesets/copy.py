"""Rules for copies: a copy has the tangent of what was copied."""

import copy
from typing import Any

from chainrules_core import NoTangent, ProjectTo, frule, primitive, rrule, typeof_, unthunk

# Copying a traced value itself would make one that the record does not know.
copies = {f: primitive(f) for f in (copy.copy, copy.deepcopy)}


@frule.dispatch
def copy_frule(
    tangents: Any, f: typeof_(copy.copy) | typeof_(copy.deepcopy), x: Any, *options: Any, **named: Any
) -> Any:
    return copies[f](x, *options, **named), unthunk(tangents[1])


@rrule.dispatch
def copy_rrule(f: typeof_(copy.copy) | typeof_(copy.deepcopy), x: Any, *options: Any, **named: Any) -> Any:
    project = ProjectTo(x)

    def copy_pullback(y_bar: Any) -> Any:
        return NoTangent(), project(unthunk(y_bar)), *(NoTangent() for _ in options)

    return copies[f](x, *options, **named), copy_pullback
