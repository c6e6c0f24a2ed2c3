"""What to write where the function of a thunk cannot be called with what the thunk gives it."""

import inspect
from typing import Any


def note_arguments(error: TypeError, compute: Any, args: tuple[Any, ...]) -> None:
    """Say of a function that cannot be called with what it was given that thunks give nothing."""
    try:
        inspect.signature(compute).bind(*args)
    except TypeError:
        error.add_note(
            "A thunk computes its value without arguments: write `thunk(lambda: ...)`, or `Thunk(f, x)` for "
            "`f(x)`."
        )
    except ValueError:
        pass  # nobody knows its parameters
