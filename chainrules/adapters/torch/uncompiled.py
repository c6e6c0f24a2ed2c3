"""Functions that `torch.compile` leaves alone, or calls while it compiles.

PyTorch's own decorators for this import the compiler, which takes a second. These do not.
"""

from typing import Any, TypeVar

from torch._C._dynamo.eval_frame import _FrameAction, _FrameExecStrategy, set_code_exec_strategy

F = TypeVar("F", bound=Any)


def uncompiled(f: F) -> F:
    """Mark a function as one that the compiler neither compiles nor looks into, when it meets it at run time.

    Compiled programs call NumPy functions and rules: the compiler would try to translate these. As
    `torch.compiler.disable`.
    """
    set_code_exec_strategy(f.__code__, _FrameExecStrategy(_FrameAction.SKIP, _FrameAction.SKIP))
    return f


def called_by_compiler(f: F) -> F:
    """Mark a function as one that the compiler calls: its result is a constant of the compiled program.

    As `torch.compiler.assume_constant_result`.
    """
    f._dynamo_marked_constant = True  # noqa: SLF001 - it is PyTorch's mark
    return f
