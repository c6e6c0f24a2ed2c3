"""The value of a function that runs under a trace, which lets it fill arrays that it makes."""

from typing import Any

from chainrules.ad.derivatives.wrapping import Derived
from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.modes.nodes import input_node
from chainrules.ad.modes.reverse_trace import ReverseTrace
from chainrules.ad.traced.tracing import traced, untraced


class ValueOf(Derived):
    """A function with the results of another one, as a differentiation of it computes them."""

    unnamed = "value"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        """Call the function with traced arguments, and forget what was traced."""
        trace = ReverseTrace()
        args = tuple(traced(x, trace, input_node)[0] for x in args)
        y = trace.run(
            choose(self.f), args, {name: traced(x, trace, input_node)[0] for name, x in kwargs.items()}
        )
        return untraced(y, trace)[0]
