"""Rules for copies: a copy has the tangent of the original."""

import copy

from chainrules_core import NO_TANGENT, ProjectTo, frule, primitive, rrule, typeof_

# Copying a traced value itself would make a traced value that the record does not know.
copies = {f: primitive(f) for f in (copy.copy, copy.deepcopy)}


@frule.dispatch
def copy_frule(tangents, f: typeof_(copy.copy) | typeof_(copy.deepcopy), x, *options, **named):
    return copies[f](x, *options, **named), tangents[1]


@rrule.dispatch
def copy_rrule(f: typeof_(copy.copy) | typeof_(copy.deepcopy), x, *options, **named):
    project = ProjectTo(x)

    def copy_pullback(y_bar):
        return NO_TANGENT, project(y_bar), *(NO_TANGENT,) * len(options)

    return copies[f](x, *options, **named), copy_pullback
