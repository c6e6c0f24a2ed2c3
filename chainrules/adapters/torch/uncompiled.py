"""Functions that `torch.compile` leaves alone, with all that they call."""

from typing import Any, TypeVar

from torch._C._dynamo.eval_frame import _FrameAction, _FrameExecStrategy, set_code_exec_strategy

F = TypeVar("F", bound=Any)


def uncompiled(f: F) -> F:
    """Mark a function as one that the compiler neither compiles nor looks into, when it meets it at run time.

    Compiled programs call NumPy functions and rules: the compiler would try to translate these. What
    `torch.compiler.disable` does takes a second for the import of the compiler, which others do not need.
    """
    set_code_exec_strategy(f.__code__, _FrameExecStrategy(_FrameAction.SKIP, _FrameAction.SKIP))
    return f
