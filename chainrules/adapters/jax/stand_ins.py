"""Programs of JAX that stand for flat functions among the parameters of a primitive.

JAX remembers the parameters of what it has traced, thousands of them, and so would keep the arrays that
calls hold. Only to programs (jaxprs) its memory refers weakly. So an empty one is the parameter, and goes
when the last program goes that uses it; and the function with it.
"""

from typing import Any
from weakref import WeakKeyDictionary

import jax

from chainrules.adapters.flat_functions import FlatFunction

_EMPTY = jax.make_jaxpr(lambda: None)().jaxpr
_functions: WeakKeyDictionary[Any, FlatFunction] = WeakKeyDictionary()


def stand_in(function: FlatFunction) -> Any:
    """An empty program that stands for a function."""
    program = _EMPTY.replace()
    _functions[program] = function
    return program


def function_of(program: Any) -> FlatFunction:
    """The function for which a program stands."""
    return _functions[program]
