"""Functions without rules that call Python functions back, and cannot be entered: nothing is lost in them.

They are written in C; or they repeat a step until it changes little, and the derivative of their steps is not
that of their result.
"""

import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.calls.mutation import noticing_writes
from chainrules.ad.interception.choosing.passed_over import rules_passed_over
from chainrules.ad.traced.called_functions import called_by_program, how_to_write_a_rule
from chainrules.ad.traced.program_places import place_in_program
from chainrules.ad.traced.trace import Trace, forgive
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import innermost_trace, is_traced
from chainrules.ad.traced.views import plain_array
from chainrules.ad.values.facts import fact_of, fact_of_module
from chainrules.ad.values.kinds_of_arrays import refusal_of_framework, refusal_of_function
from chainrules_core import RuleNotFoundError, describe_callee, ignore_derivatives

_CALLED_BACK = (types.FunctionType, types.MethodType, functools.partial)


def calls_back_unseen(f: Any) -> bool:
    """Whether a function in C may call its arguments back; those of Python's own library are known."""
    module = getattr(f, "__module__", None)
    if module.__class__ is not str:
        return type(f).__name__ == "fortran"  # by f2py, and without a module
    return module.partition(".")[0] not in sys.stdlib_module_names


def not_entered(f: Any) -> str | None:
    """Why a function of Python is not entered, in a clause; nothing if it is."""
    known = fact_of(f).not_entered
    return fact_of_module(getattr(f, "__module__", None)).not_entered if known is None else known


def _takes_arrays_only(f: Any) -> bool:
    """Whether it is one of SciPy's functions in C that convert what they are given, where some crash."""
    name = str(getattr(f, "__module__", ""))
    is_of_scipy = name.startswith("scipy.") and not name.startswith("scipy._lib")
    return type(f).__name__ == "fortran" or (is_of_scipy and type(f) is types.BuiltinFunctionType)


def guarding(f: Any, choose: Callable[[Any], Any]) -> Callable[..., Any]:
    """`f`, with an error where a function that it calls back returns something traced.

    Parameters
    ----------
    f
        The function.
    choose
        What to call in the place of a function that it is given.
    """
    called, takes_arrays_only = noticing_writes(f), _takes_arrays_only(f)

    def call(*args: Any, **kwargs: Any) -> Any:
        lost: list[Exception] = []
        args, kwargs = without_constants(args, kwargs)
        if takes_arrays_only:
            for x in (*args, *kwargs.values()):
                if x.__class__ in TRACED:
                    trace = x._trace
                    raise trace.refuse(_without_rule(f, sys._getframe(1), trace))
        if any(isinstance(x, _CALLED_BACK) for x in args):
            args = tuple([_guarded(f, x, choose, lost) if isinstance(x, _CALLED_BACK) else x for x in args])
        try:
            y = called(*args, **kwargs)
        except Exception as error:
            if lost:
                raise lost[0] from error
            trace = innermost_trace((*args, *kwargs.values()))
            if trace is not None and isinstance(error, TypeError | ValueError):
                forgive(error)
                raise trace.refuse(_without_rule(f, sys._getframe(1), trace)) from error
            raise
        if lost:
            raise lost[0]
        return y

    return call


def refusing(f: Any, instead: str) -> Callable[..., Any]:
    """`f`, with an error where something traced is given to it, which says what to write instead."""
    called = noticing_writes(f)

    def call(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = without_constants(args, kwargs)
        if any(map(is_traced, (*args, *kwargs.values()))):
            place = place_in_program(sys._getframe(1))
            raise TypeError(f"{describe_callee(f)} was called with a traced value{place}. {instead}")
        return called(*args, **kwargs)

    return call


def without_constants(
    args: tuple[Any, ...], kwargs: dict[str, Any]
) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """Arguments with plain arrays in the places of those that depend on nothing: code in C may need them."""
    return tuple(map(_plain, args)), {name: _plain(x) for name, x in kwargs.items()}


def _plain(x: Any) -> Any:
    """An array that depends on nothing, as it is, in a tuple too; other values stay what they are."""
    if x.__class__ is tuple and any(item.__class__ in TRACED for item in x):
        return tuple(map(_plain, x))
    return plain_array(x) if x.__class__ in TRACED and x._trace.is_constant else x


def guarding_python(f: types.FunctionType, choose: Callable[[Any], Any]) -> Callable[..., Any]:
    """`f`, which does not ask traced values, with an error where something traced is given to it, too."""
    guarded = guarding(f, choose)

    def call(*args: Any, **kwargs: Any) -> Any:
        trace = innermost_trace([x for x in (*args, *kwargs.values()) if not isinstance(x, _CALLED_BACK)])
        if trace is not None:
            raise trace.refuse(_without_rule(f, sys._getframe(1), trace))
        return guarded(*args, **kwargs)

    return call


def _without_rule(f: Any, frame: types.FrameType, trace: Trace) -> RuleNotFoundError:
    """The error for a call that cannot be entered, which names the function to write a rule for."""
    name, called = describe_callee(f), called_by_program(f, frame)
    place = place_in_program(frame)
    module, _, last = name.rpartition(".")
    instead = refusal_of_function(module, last) or refusal_of_framework(module)
    if instead is not None:
        return RuleNotFoundError(f"{name} was called with a traced value{place}. {instead}")
    return RuleNotFoundError(
        f"{called} was called with a traced value{place}, and has no rule. {_why_not_entered(f, called)} "
        f"{how_to_write_a_rule(called)}. For a constant, write `stop_gradient(x)`."
        f"{rules_passed_over(frame, trace)}"
    )


def _why_not_entered(f: Any, called: str) -> str:
    """The reason, in a sentence about the function that the program called."""
    name = describe_callee(f)
    reason = not_entered(f) or "is written in C"
    return f"It {reason}." if called == name else f"It calls {name}, which {reason}."


def _guarded(f: Any, g: Any, choose: Callable[[Any], Any], lost: list[Exception]) -> Callable[..., Any]:
    chosen = choose(g)

    @functools.wraps(g, updated=())
    def called_back(*args: Any, **kwargs: Any) -> Any:
        y = chosen(*args, **kwargs)
        trace = innermost_trace((y,))
        if trace is None:
            return y
        if lost:  # it is told once
            return ignore_derivatives(y)
        frame = sys._getframe(1)
        called = called_by_program(f, frame)
        error = RuleNotFoundError(
            f"{called}, without a rule, calls {describe_callee(g)} back{place_in_program(frame)}, and the "
            "result depends on what is differentiated by: its derivative would be lost. "
            f"{_why_not_entered(f, called)} {how_to_write_a_rule(called)}.{rules_passed_over(frame, trace)}"
        )
        # Raised when `f` is done: not all code in C bears an exception.
        lost.append(trace.refuse(error))
        return ignore_derivatives(y)

    return called_back
