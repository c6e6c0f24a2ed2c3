"""Callables that use the rule of another one where something traced is given to them."""

import contextlib
import types
from collections.abc import Callable
from typing import Any

import numpy as np

from chainrules.ad.calls.calling import HOLDING_NOTHING, apply, apply_to_two
from chainrules.ad.interception.choosing.image_outputs import filling_output
from chainrules.ad.interception.choosing.plain_writes import overwrites, written_into
from chainrules.ad.syntax.origins import Origin
from chainrules.ad.traced.array_protocols import place_of_out, put_out, without_out
from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS, is_ruled_by_others
from chainrules.ad.traced.trace import CONSTANT, forgive, is_refused
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.traced.tracing import innermost_trace, is_traced
from chainrules.ad.traced.views import TracedView, plain_array
from chainrules.ad.values.facts import FACTS, NOTHING
from chainrules.ad.values.plain_values import FLOATS, FREQUENT, SEQUENCES
from chainrules.values.followed_functions import is_followed
from chainrules_core import RuleNotFoundError, contains_carrier, may_contain_carriers, primal_of
from chainrules_core.speed import ORDINARY_CLASSES


def ruled(f: Any, body: Callable[..., Any], of_plain: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """`f`, called by the rule that dispatch finds for the arguments; `body` is called where there is none.

    A number or an array alone is given to `of_plain`, if there is one. Rules that follow its code are for
    other AD systems.
    """
    holds_nothing = not may_contain_carriers(f)
    of_plain = of_plain or body

    def call_by_others(*args: Any, **kwargs: Any) -> Any:
        return call_by_rule_of_others(f, args, kwargs, body)

    def call(*args: Any, **kwargs: Any) -> Any:
        if holds_nothing and not kwargs and len(args) == 1 and args[0].__class__ in FREQUENT:
            return of_plain(*args)
        return apply(f, args, kwargs, body)

    return call_by_others if is_followed(f) else call


def served(f: Any, body: Callable[..., Any], origin: Origin) -> Callable[..., Any]:
    """`f`, called by its rules with the arguments that its library takes; `body` where there is none."""
    function = f.__self__ if type(f) is types.BuiltinFunctionType else f  # as of `np.add.reduce`
    if isinstance(function, np.ufunc | type(np.sum)):
        return ruled_by_numpy(f, RULED_BY_OTHERS[f])
    if type(f) is types.FunctionType and origin is Origin.LIBRARY:
        module = str(f.__module__)
        if module.startswith("numpy"):
            return ruled_in_numpy(f, body)
        # Those that make sparse arrays of others take lists for what they are.
        if module.startswith("scipy.") and not module.startswith("scipy.sparse._"):
            return ruled_in_scipy(f, body)
    if f.__class__ is types.BuiltinFunctionType and f.__module__ in {"math", "cmath"}:
        return ruled(f, _taking_numbers(f), f)
    is_sparse = isinstance(f, type) and str(f.__module__).startswith("scipy.sparse.")
    return constructor_from_arrays(ruled(f, body)) if is_sparse else ruled(f, body)


def _taking_numbers(f: Callable[..., Any]) -> Callable[..., Any]:
    """`f`, which takes numbers, and arrays without axes for these; its rules are for numbers."""

    def call(*args: Any, **kwargs: Any) -> Any:
        numbers = tuple(
            x.item() if x.__class__ in TRACED and isinstance(primal_of(x), np.ndarray) and x.ndim == 0 else x
            for x in args
        )
        is_changed = any(x is not number for x, number in zip(args, numbers, strict=True))
        return apply(f, numbers, kwargs, f) if is_changed else f(*args, **kwargs)

    return call


def ruled_in_numpy(f: Any, body: Callable[..., Any]) -> Callable[..., Any]:
    """`ruled`, for a function in Python of NumPy, which may be told to write its result into an array."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if (kwargs or len(args) > 1) and any(map(is_traced, (*args, *kwargs.values()))):
            args, kwargs, out = without_out(f, args, kwargs)
            if out is not None:
                return put_out(f, out, apply(f, args, kwargs, body))
        return apply(f, args, kwargs, body)

    return call


def ruled_method(f: Any, place: int) -> Callable[..., Any]:
    """`ruled`, for a method of plain arrays, which may write its result into the argument at a position."""
    computed = ruled(f, f)

    def call(*args: Any, **kwargs: Any) -> Any:
        if len(args) > place or "out" in kwargs:
            written_into(args[place] if len(args) > place else kwargs["out"])
            if is_traced((args, kwargs)):
                args, kwargs, out = without_out(f, args, kwargs, place)
                y = computed(*args, **kwargs)
                return y if out is None else put_out(f, out, y)
        return computed(*args, **kwargs)

    return call


def ruled_by_numpy(  # noqa: C901 - each kind of call for itself, for speed
    f: Any, has_rules_of_others: bool = False
) -> Callable[..., Any]:
    """A function of NumPy that asks its arguments: traced ones answer with its rule.

    The commonest calls go to the trace without NumPy's protocols. Somebody else may have rules for objects.
    """
    otherwise = _call_by_rule_of_others if has_rules_of_others else _call_numpy
    # The other argument may be the array to write the result into.
    is_ufunc = isinstance(f, np.ufunc)
    place = f.nin if is_ufunc else place_of_out(f)
    is_binary = f.nin == 2 if is_ufunc else place != 1
    may_write = place is not None or FACTS.get(f, NOTHING).overwrites is not None

    def call(*args: Any, **kwargs: Any) -> Any:  # noqa: C901, PLR0912 - as above
        if not kwargs:
            n = len(args)
            if n == 1:
                (x,) = args
                cls = x.__class__
                if cls is TracedValue or cls is TracedView:
                    z = x._trace.call(f, (x._value,), (CONSTANT, x._record))
                    if is_ufunc or (z.__class__ is TracedValue and z._value.__class__ in FLOATS):
                        return z  # no view
                    return x._trace.as_view(f, args, None, z)
                if cls in FREQUENT or (cls in SEQUENCES and FREQUENT.issuperset(map(type, x))):
                    return f(x)
            elif n == 2 and is_binary:
                x, y = args
                cls, other = x.__class__, y.__class__
                if cls is TracedValue or cls is TracedView:
                    if other in FREQUENT:
                        z = x._trace.call(f, (x._value, y), (CONSTANT, x._record, CONSTANT))
                        return z if is_ufunc else x._trace.as_view(f, args, None, z)
                    if other is TracedValue or other is TracedView:
                        return apply_to_two(f, x, y) if is_ufunc else apply(f, args)
                elif cls in FREQUENT:
                    if other is TracedValue or other is TracedView:
                        return y._trace.call(f, (x, y._value), (CONSTANT, CONSTANT, y._record))
                    if other in FREQUENT:
                        return f(x, y)
        if kwargs or may_write:
            _tell_of_writing(f, place, args, kwargs)
        return otherwise(f, args, kwargs)

    return call


# NumPy goes through sequences, in which traced values may be, and asks these; it does not ask other objects.
_ASKED_BY_NUMPY = TRACED | set(SEQUENCES)

# NumPy asks no other class than the traced ones where there are only these; an axis says nothing of that.
_ASKED_FOR_ARRAYS, _AXIS = TRACED | FREQUENT, {"axis"}


def _call_by_rule_of_others(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy by a rule that somebody else wrote for objects of other classes, if any."""
    for x in (*args, *kwargs.values()):
        if x.__class__ not in ORDINARY_CLASSES and x.__class__ not in _ASKED_BY_NUMPY:
            return call_by_rule_of_others(
                f, args, kwargs, lambda *args, **kwargs: _call_numpy(f, args, kwargs)
            )
    return _call_numpy(f, args, kwargs)


def call_by_rule_of_others(
    f: Any, args: tuple[Any, ...], kwargs: dict[str, Any], otherwise: Callable[..., Any]
) -> Any:
    """Call a function by the rule of somebody else, if one takes what is traced; else call `otherwise`."""
    trace = innermost_trace((*args, *kwargs.values()))
    if trace is not None and is_ruled_by_others(trace.mode, f, args, kwargs):
        return apply(f, args, kwargs, otherwise)
    return otherwise(*args, **kwargs)


def unless_ruled_by_others(otherwise: Callable[..., Any], f: Any, *args: Any) -> Any:
    """``otherwise(*args)``; but where somebody else has a rule of `f` for what is traced, the call by it."""
    if RULED_BY_OTHERS[f]:
        return call_by_rule_of_others(f, args, {}, otherwise)
    return otherwise(*args)


def _call_numpy(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy; sequences with traced numbers in them are arrays to it."""
    lists = FACTS.get(f, NOTHING).takes_lists
    if lists == "as arrays":
        args = tuple(map(array_if_traced, args))
        kwargs = {name: array_if_traced(x) for name, x in kwargs.items()}
    elif lists == "of arrays" and args and args[0].__class__ in SEQUENCES:
        return _call_with_list(f, args, kwargs)
    elif any(x.__class__ in SEQUENCES and is_traced(x) for x in args) and not any(
        x.__class__ in TRACED for x in args
    ):
        args, kwargs, out = without_out(f, args, kwargs)
        if out is not None:
            return put_out(f, out, _call_numpy(f, args, kwargs))
        try:
            return apply(f, args, kwargs)
        except RuleNotFoundError as missing:
            forgive(missing)
            args = tuple([as_array(x) if x.__class__ in SEQUENCES else x for x in args])
    if kwargs and args and args[0].__class__ not in TRACED and _has_traced_option(f, kwargs):
        with contextlib.suppress(RuleNotFoundError, TypeError):  # of a wrong axis, NumPy's call tells more
            return _call_by_rule(f, args, kwargs)
    try:
        return f(*args, **kwargs)
    except (TypeError, ValueError) as error:
        refused = next((e for e in (error, error.__cause__) if is_refused(e)), None)
        # What calls others back is not called once more.
        if refused is None or any(isinstance(x, types.FunctionType) for x in args):
            raise
        with contextlib.suppress(RuleNotFoundError, TypeError):
            y = _call_by_rule(f, args, kwargs)
            forgive(refused)
            return y
        raise


def _call_with_list(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function of NumPy that takes a list of arrays, of which some may be traced."""
    if FREQUENT.issuperset(map(type, args[0])):
        return f(*args, **kwargs)
    arrays = type(args[0])(map(array_if_traced, args[0]))
    if len(args) == 1 and kwargs.keys() <= _AXIS and _ASKED_FOR_ARRAYS.issuperset(map(type, arrays)):
        for x in arrays:
            if x.__class__ in TRACED:
                return x._call_function(f, (arrays,), kwargs)  # which NumPy would call
    return f(arrays, *args[1:], **kwargs)


def _tell_of_writing(f: Any, place: int | None, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    if place is not None and place < len(args):
        written_into(args[place:] if isinstance(f, np.ufunc) else args[place])
    if kwargs:
        written_into(kwargs.get("out"))  # also out of ``**kwargs``, or of a partial
    if overwrites(f, args, kwargs):
        written_into(args[:1])


def _has_traced_option(f: Any, kwargs: dict[str, Any]) -> bool:
    """Whether an argument by keyword is traced, which NumPy may not ask: of a plain array, not `initial`."""
    for x in kwargs.values():
        if x.__class__ in TRACED:
            return not isinstance(f, np.ufunc) and kwargs.get("out") is None
    return False


def _call_by_rule(f: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call a function by its rule, which may be for lists, or for arrays alone.

    Raises
    ------
    RuleNotFoundError
        If there is none for either; nobody loses a derivative by that.
    """
    for convert in (array_if_traced, _array_if_list):
        try:
            return apply(f, tuple(map(convert, args)), {name: convert(x) for name, x in kwargs.items()})
        except RuleNotFoundError as missing:
            forgive(missing)
            last = missing
    raise last


def ruled_in_scipy(f: Any, body: Callable[..., Any]) -> Callable[..., Any]:
    """`ruled`, for a function in Python of SciPy, to which lists of numbers are arrays, as to those of NumPy.

    Tuples hold several arguments, such as a factor of a matrix and whether it is the lower one.
    """
    if is_followed(f):
        return ruled(f, body)
    if not contains_carrier(f):
        HOLDING_NOTHING.add(f)

    def beside_plain_lists(*args: Any, **kwargs: Any) -> Any:
        """What to call where no rule takes the arguments: perhaps because of a list of plain numbers."""
        if any(x.__class__ is list for x in (*args, *kwargs.values())) and is_traced((args, kwargs)):
            args = tuple([as_array(x) if x.__class__ is list else x for x in args])
            kwargs = {name: as_array(x) if x.__class__ is list else x for name, x in kwargs.items()}
            return apply(f, args, kwargs, body)
        return body(*args, **kwargs)

    def call(*args: Any, **kwargs: Any) -> Any:
        for x in args:
            if x.__class__ in SEQUENCES:
                args = tuple(map(_with_arrays, args))
                break
        if kwargs:
            kwargs = {name: _with_arrays(x) for name, x in kwargs.items()}
        return apply(f, args, kwargs, beside_plain_lists)

    return filling_output(f, call)


def _with_arrays(x: Any) -> Any:
    """Lists of traced numbers as arrays, also in a tuple of several arguments."""
    if x.__class__ is tuple:
        return tuple([array_if_traced(part) if part.__class__ is list else part for part in x])
    return array_if_traced(x) if x.__class__ is list else x


def constructor_from_arrays(construct: Callable[..., Any]) -> Callable[..., Any]:
    """A class of sparse arrays, whose first argument may hold lists of traced numbers for arrays."""

    def call(*args: Any, **kwargs: Any) -> Any:
        if args and args[0].__class__ in SEQUENCES and is_traced(args[0]):
            (x, *others) = args
            if x.__class__ is tuple:  # the numbers and their places
                x = tuple(map(array_if_traced, x))
            args = array_if_traced(x) if x.__class__ is list else x, *others
        elif args and args[0].__class__ in TRACED and args[0]._trace.is_constant:
            args = plain_array(args[0]), *args[1:]  # of which a copy is made, for compiled code
        return construct(*args, **kwargs)

    return call


def array_if_traced(x: Any) -> Any:
    """A list or tuple with traced numbers as an array; other values as they are."""
    return as_array(x) if x.__class__ in SEQUENCES and is_traced(x) and not _holds_others(x) else x


def _holds_others(x: Any) -> bool:
    """Whether a list or tuple holds what cannot be an element of an array: `None`, functions, objects.

    Of a traced object that is asked too: a rotation is none.
    """
    return any(
        _holds_others(item)
        if item.__class__ in SEQUENCES
        else item is None
        or callable(item)
        or (hasattr(item, "__dict__") and not hasattr(item, "__array__"))
        or isinstance(item, dict)
        for item in map(primal_of, x)
    )


def _array_if_list(x: Any) -> Any:
    return as_array(x) if x.__class__ is list else array_if_traced(x)


def as_array(x: Any) -> Any:
    """A list or tuple of numbers, traced ones among them, as an array; it itself where no rule takes it."""
    if any(item.__class__ not in TRACED and callable(item) for item in x):
        return x  # functions that hold traced values, such as the events of a solver
    try:
        return apply(np.array, (x,))
    except (RuleNotFoundError, ValueError) as error:
        forgive(error)
        return x
