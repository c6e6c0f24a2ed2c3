"""Functions without rules that do not take traced values: nothing is lost in them, and errors name them.

They are written in C, and may call Python functions back; or they repeat a step until it changes little, and
the derivative of their steps is not that of their result; or they take the tensors of PyTorch or JAX.
"""

import builtins
import functools
import sys
import types
from collections.abc import Callable
from typing import Any

from chainrules.ad.calls.mutation import noticing_writes
from chainrules.ad.interception.choosing.passed_over import rules_passed_over
from chainrules.ad.syntax.hooks import registered
from chainrules.ad.traced.called_functions import called_by_program, how_to_write_a_rule
from chainrules.ad.traced.program_places import place_in_program
from chainrules.ad.traced.trace import Trace, forgive, is_refused
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.tracing import innermost_trace, is_traced, untraced
from chainrules.ad.traced.views import plain_array
from chainrules.ad.values.facts import Fact, fact_of, fact_of_module
from chainrules.ad.values.kinds_of_arrays import refusal_of_class, refusal_of_framework, refusal_of_function
from chainrules.ad.values.plain_values import FREQUENT
from chainrules_core import RuleNotFoundError, describe_callee, ignore_derivatives

# Between a function and whoever calls it, or converts what it gives away.
_PASSING_ON = frozenset({"chainrules", "chainrules_core", "numpy"})

# What errors call a traced value: in intercepted code ``type(x)`` answers for the value that it carries.
_NAMES = frozenset({cls.__name__ for cls in TRACED} | {str(cls) for cls in FREQUENT})

# Modules whose functions in C take no values that are traced, or ask these for what they need.
_READING_MEMORY = {
    "_blake2",
    "_hashlib",
    "_md5",
    "_sha1",
    "_sha2",
    "_sha3",
    "binascii",
    "struct",
    "_struct",
    "zlib",
}
_KNOWN = sys.stdlib_module_names - _READING_MEMORY
_OF_PYTHON = frozenset(
    {*vars(builtins), *(cls.__name__ for cls in vars(types).values() if isinstance(cls, type))}
)

_CALLED_BACK = (types.FunctionType, types.MethodType, functools.partial)


def calls_back_unseen(f: Any) -> bool:
    """Whether a function in C may call its arguments back, or read memory where it takes them for arrays.

    Those of Python's own library are known, and so are the methods of NumPy's classes.
    """
    module, owner = _module_of(f), getattr(f, "__objclass__", None)
    if module is None:
        return type(f).__name__ == "fortran"  # by f2py, and without a module
    if owner is not None and module == "builtins":  # which classes in C have that do not name theirs
        return owner.__name__ not in _OF_PYTHON
    if owner is not None and module.startswith("numpy"):
        return False
    return module.partition(".")[0] not in _KNOWN


def _module_of(f: Any) -> str | None:
    """The name of the module of a function, or of the class of a method in C."""
    for x in (f, getattr(f, "__objclass__", None)):
        module = getattr(x, "__module__", None)
        if module.__class__ is str:
            return module
    return None


def not_entered(f: Any) -> str | None:
    """Why a function of Python is not entered, in a clause; nothing if it is."""
    known = fact_of(f).not_entered
    return fact_of_module(getattr(f, "__module__", None)).not_entered if known is None else known


def unentered(f: types.FunctionType, fact: Fact) -> Callable[..., Any] | None:
    """What is called in the place of a function of a library; `None` if it is one that may be entered."""
    refused = fact.refused or refusal_of_function(f.__globals__.get("__name__"), f.__name__)
    if refused is not None:
        return refusing(f, refused)
    return guarding(f) if not_entered(f) else None


def _refused_in(f: Any) -> Callable[[tuple[Any, ...]], Trace | None]:
    """What finds, in the arguments of a function, the trace of a value that it must not be given."""
    if type(f) is types.FunctionType:
        return _trace_in_values
    # SciPy's functions in C convert what they are given, where some crash.
    name = str(getattr(f, "__module__", ""))
    is_of_scipy = name.startswith("scipy.") and not name.startswith("scipy._lib")
    if type(f).__name__ == "fortran" or (is_of_scipy and type(f) is types.BuiltinFunctionType):
        return lambda values: next(
            (x._trace for x in values if x.__class__ in TRACED and not x._trace.is_constant), None
        )
    return lambda values: None


def _trace_in_values(values: tuple[Any, ...]) -> Trace | None:
    """The trace of a value beside functions; arrays that depend on nothing lose nothing."""
    trace = innermost_trace([x for x in values if not isinstance(x, _CALLED_BACK)])
    return None if trace is None or trace.is_constant else trace


def guarding(f: Any) -> Callable[..., Any]:
    """`f`, with an error where a function that it calls back returns something traced.

    A function in Python does not ask traced values: there is an error where it is given one, too.
    """
    called, choose, refused_in = noticing_writes(f), registered("call"), _refused_in(f)

    def call(*args: Any, **kwargs: Any) -> Any:
        trace = refused_in((*args, *kwargs.values()))
        if trace is not None:
            raise trace.refuse(_without_rule(f, sys._getframe(1), trace))
        lost: list[Exception] = []
        args, kwargs = without_constants(args, kwargs)
        if any(isinstance(x, _CALLED_BACK) for x in args):
            args = tuple(
                [_guarded(f, x, choose(x), lost) if isinstance(x, _CALLED_BACK) else x for x in args]
            )
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


def beside_rules(f: Any) -> Callable[..., Any]:
    """`f`, a function in C with rules, where none is asked: what depends on nothing are plain arrays to it.

    Code in C takes what it made of another object for its own, and writes into it. NumPy's functions do not.
    """
    if str(getattr(f, "__module__", "")).startswith("numpy"):
        return f  # type: ignore[no-any-return] # it is called
    called = noticing_writes(f)

    def call(*args: Any, **kwargs: Any) -> Any:
        args, kwargs = without_constants(args, kwargs)
        return called(*args, **kwargs)

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


def refusing_instances(cls: type) -> Callable[..., Any] | None:
    """The same for a class of arrays that are refused; `None` for any other class."""
    instead = refusal_of_class(cls)
    # A framework's own classes are no arrays, where they do not say so.
    is_array = refusal_of_framework(cls.__module__) is None or hasattr(cls, "__array__")
    return refusing(cls, instead) if instead is not None and is_array else None


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


def _without_rule(f: Any, frame: types.FrameType, trace: Trace) -> RuleNotFoundError:
    """The error for a call that cannot be entered, which names the function to write a rule for."""
    name, called = describe_callee(f), called_by_program(f, frame)
    place = place_in_program(frame)
    module, _, last = name.rpartition(".")
    instead = refusal_of_function(module, last) or refusal_of_framework(module)
    if instead is None and _module_of(f) in _READING_MEMORY:
        instead = "It reads bytes, which have no derivative: write `chainrules_core.primal_of(x)`."
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


def _guarded(f: Any, g: Any, chosen: Callable[..., Any], lost: list[Exception]) -> Callable[..., Any]:
    @functools.wraps(g, updated=())
    def called_back(*args: Any, **kwargs: Any) -> Any:
        y = chosen(*args, **kwargs)
        trace = innermost_trace((y,))
        if trace is None:
            return y
        if trace.is_constant:
            return untraced(y, trace)[0]
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


def naming_framework(f: types.FunctionType, body: Callable[..., Any], instead: str) -> Callable[..., Any]:
    """`body`, with an error that names `f` and says what to write, where a traced value is no tensor to it.

    Many are functions over NumPy, such as the references that a framework is tested with. That others take
    tensors is seen by what they do with a traced value.

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
