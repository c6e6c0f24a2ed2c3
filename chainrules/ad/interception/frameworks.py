"""Functions of PyTorch and JAX: they are entered like others, and those that take tensors are refused.

Many are functions over NumPy, such as the references that a framework is tested with. That others take
tensors is seen by what they do with a traced value: the error names the function that the program called.
"""

import sys
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.conversions import place_in_program
from chainrules.ad.trace import forgive, is_refused
from chainrules.ad.traced_classes import TRACED
from chainrules.ad.tracing import innermost_trace
from chainrules_core import describe_callee

# Between a function and whoever calls it, or converts what it gives away.
_PASSING_ON = frozenset({"chainrules", "chainrules_core", "numpy"})

# What errors call a traced value: in intercepted code ``type(x)`` answers for the value that it carries.
_NAMES = frozenset({cls.__name__ for cls in TRACED} | {"ndarray"})


def naming_framework(f: types.FunctionType, body: Callable[..., Any], instead: str) -> Callable[..., Any]:
    """`body`, with an error that names `f` and says what to write, where a traced value is no tensor to it.

    Parameters
    ----------
    f
        A function of a framework.
    body
        What is called in its place.
    instead
        What to write.
    """

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return body(*args, **kwargs)
        except Exception as error:
            frame, package = sys._getframe(1), _package(f.__globals__)
            # The framework itself may have called it: then whoever called that is asked.
            if _owner(_upwards(frame)) == package or not _wants_tensors(error, package):
                raise
            refused = TypeError(
                f"{describe_callee(f)} was called with a traced value{place_in_program(frame)}. {instead}"
            )
            forgive(error)
            trace = innermost_trace((*args, *kwargs.values()))
            raise (refused if trace is None else trace.refuse(refused)) from error

    return call


def _wants_tensors(error: Exception, package: str) -> bool:
    """Whether an error is that of a framework, or of its call of NumPy, that knows no traced values.

    JAX takes its own lines out of tracebacks, and leaves those of programs that it calls back.
    """
    return _is_told(error) and _owner(_downwards(error.__traceback__)) in {package, None}


def _is_told(error: BaseException | None) -> bool:
    """Whether an error, or one behind it, is about a traced value."""
    while error is not None:
        if is_refused(error) or any(name in str(error) for name in _NAMES):
            return True
        error = error.__cause__ or error.__context__
    return False


def _package(names: dict[str, Any]) -> str:
    return str(names.get("__name__")).partition(".")[0]


def _owner(packages: Any) -> str | None:
    """The first package that does not only pass values on."""
    return next((package for package in packages if package not in _PASSING_ON), None)


def _upwards(frame: types.FrameType | None) -> Any:
    while frame is not None:
        yield _package(frame.f_globals)
        frame = frame.f_back


def _downwards(traceback: types.TracebackType | None) -> Any:
    packages = []
    while traceback is not None:
        packages.append(_package(traceback.tb_frame.f_globals))
        traceback = traceback.tb_next
    return reversed(packages)
