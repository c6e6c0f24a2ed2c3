"""Functions of PyTorch and JAX: they are entered where something traced is given to them.

Many are functions over NumPy, such as the references that a framework is tested with. That others take
tensors is seen by what they do with a traced value: the error names the function that the program called.
"""

import sys
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.calls.mutation import noticing_writes
from chainrules.ad.interception.choosing.unentered import without_constants
from chainrules.ad.traced.program_places import place_in_program
from chainrules.ad.traced.trace import Trace, forgive, is_refused
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import innermost_trace
from chainrules.ad.values.plain_values import FREQUENT
from chainrules_core import describe_callee

# Between a function and whoever calls it, or converts what it gives away.
_PASSING_ON = frozenset({"chainrules", "chainrules_core", "numpy"})

# What errors call a traced value: in intercepted code ``type(x)`` answers for the value that it carries.
_NAMES = frozenset({cls.__name__ for cls in TRACED} | {str(cls) for cls in FREQUENT})


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
    as_it_is = noticing_writes(f)

    def call(*args: Any, **kwargs: Any) -> Any:
        trace = trace_given_to(f, args, kwargs)
        if trace is None:
            args, kwargs = without_constants(args, kwargs)
            return as_it_is(*args, **kwargs)
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
            raise trace.refuse(refused) from error

    return call


def trace_given_to(f: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Trace | None:
    """The differentiation of what a function of a framework is given; `None` if it is given nothing traced.

    A function or a model of the user's, which a framework compiles, is no reason to enter the framework.
    """
    trace: Trace | None = innermost_trace((f, *args, *kwargs.values()))
    return None if trace is None or trace.is_constant else trace


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
