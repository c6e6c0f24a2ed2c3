"""Distributions of SciPy that hold their parameters: ``norm(mu, s)``.

SciPy's constructor makes a distribution of its own for them, of text that it executes and formats. It is
called with the values of the parameters, and what it has made is given those that are traced. SciPy is not
imported: the methods are known by their names.
"""

from collections.abc import Callable
from typing import Any

from chainrules.ad.interception.choosing.entering import is_to_be_followed, lending
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import is_traced
from chainrules.ad.values.facts import fact
from chainrules_core import primal_of

_OWNER = "scipy.stats._distn_infrastructure.rv_generic"


def _of_distribution(method: Any) -> Callable[..., Any]:
    followed = lending(method)

    def call(self: Any, *args: Any, **named: Any) -> Any:
        parameters = *args, *named.values()
        # Of a class of the user's, or with traced values in lists.
        if is_to_be_followed(self) or any(x.__class__ not in TRACED and is_traced(x) for x in parameters):
            return followed(self, *args, **named)
        values = {name: primal_of(x) for name, x in named.items()}
        frozen = method(self, *map(primal_of, args), **values)
        if any(x.__class__ in TRACED for x in parameters):
            frozen.args, frozen.kwds = args, named
            shapes, _, _ = frozen.dist._parse_args(*args, **named)
            if any(x.__class__ in TRACED for x in shapes):
                support = type(self)._get_support
                frozen.a, frozen.b = lending(support)(self, *shapes)
        return frozen

    return call


fact(f"{_OWNER}.freeze", f"{_OWNER}.__call__", wrapped=_of_distribution)
