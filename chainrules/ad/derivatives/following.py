"""Rules of functions and classes that have none but by their code, for AD systems that cannot look into it.

The engine follows calls into the code of `scipy.interpolate`, and knows the functions in C that this calls.
For anybody else a call of a public name is one operation, whose rules run the engine. The tangent of an
object has those of its attributes. The engine does not ask for these rules: a fact about the module says so.
"""

import functools
import operator
from typing import Any

from scipy import interpolate

from chainrules.ad.derivatives.pulling import trace_call
from chainrules.ad.derivatives.pushing import push_call
from chainrules.ad.values.config import ADConfig
from chainrules.values import interpolants
from chainrules.values.callee_unions import typeof_any
from chainrules_core import frule, opt_out, rrule, typeof_


def _present(names: str) -> list[Any]:
    """Those that the installed version of SciPy has, by dotted names."""
    return [
        operator.attrgetter(name)(interpolate)
        for name in names.split()
        if hasattr(interpolate, name.partition(".")[0])
    ]


_classes = _present(interpolants.CLASSES)
_names = [*_present(interpolants.FUNCTIONS), *_classes, *_present(interpolants.METHODS)]
INTERPOLANT = functools.reduce(operator.or_, _classes)
FOLLOWED = typeof_any(_names) | INTERPOLANT


@frule.dispatch
def followed_frule(tangents: Any, f: FOLLOWED, *args: Any, **named: Any) -> Any:
    """Push a call forwards through its code."""
    return push_call(tangents, f, args, named)


@rrule.dispatch
def followed_rrule(f: FOLLOWED, *args: Any, **named: Any) -> Any:
    """Pull a call backwards through its code."""
    return trace_call(f, args, named)


@frule.dispatch
def followed_getattr_frule(tangents: Any, f: typeof_(getattr), x: INTERPOLANT, name: str) -> Any:
    """Push an attribute, which may be a property."""
    return push_call(tangents, f, (x, name), {})


@rrule.dispatch
def followed_getattr_rrule(f: typeof_(getattr), x: INTERPOLANT, name: str) -> Any:
    """Pull an attribute, which may be a property."""
    return trace_call(f, (x, name), {})


# The engine itself has the attributes, in its one trace.
@opt_out(frule)
def _(config: ADConfig, tangents: Any, f: typeof_(getattr), x: INTERPOLANT, name: str) -> None: ...


@opt_out(rrule)
def _(config: ADConfig, f: typeof_(getattr), x: INTERPOLANT, name: str) -> None: ...
