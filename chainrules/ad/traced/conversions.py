"""Errors for conversions of traced values to plain ones, which name the call that converts, and its mend."""

import builtins
import linecache
import math
import types
from collections.abc import Hashable
from typing import Any

import numpy as np

from chainrules.ad.syntax.program_text import Expression
from chainrules.ad.traced.called_functions import PAGE
from chainrules.ad.traced.program_places import call_of, frame_of_user, is_passed_over, program_frame
from chainrules.ad.values.array_holders import described_holder
from chainrules.ad.values.plain_values import BINARY_OPERATORS
from chainrules_core import describe_callee, rrule

_SOURCELESS = (
    "Python does not know the source of this code, as of what is typed at its prompt before Python 3.13, or "
    "given to `python -c` or `exec`, so that the calls in it ask for no rules. Put it into a file, or use "
    "IPython"
)

_JOINING = "`np.stack([...])`, or `np.block([[...], [...]])` for a matrix"

_INTEGER = "Counts, axes and indices are integers, which have no derivative: write `int(primal_of(x))`"

_EXACT = "It is made of integers, which have no derivative: compute with floats"

_INDEX = "an index is an integer, `int(primal_of(i))`"

_SPARSE = (
    "Sparse arrays are not written into: make them from their entries, "
    "`scipy.sparse.coo_array((np.stack(values), (rows, columns)), shape=...)`"
)

_ITSELF = (
    "The function that is differentiated converts its argument itself: differentiate one that calls "
    "functions with rules, such as `lambda x: call(math.sin, x)`, of `chainrules.ad`, for `math.sin`"
)
_BY_ITS_RULE = (
    "The rule that serves the call has no derivative by a list of traced numbers: give it an array, made by "
    "`np.stack([...])`"
)

# What to write in the place of what a value would become.
_WITHOUT_DERIVATIVE = {
    "an integer": _INTEGER,
    **dict.fromkeys(("a decimal number", "a fraction", "a ratio of integers"), _EXACT),
    "bytes": "Bytes have no derivative: compute with the number itself",
}
# The methods of arrays that write into them.
_WRITING_METHODS = frozenset({"__setitem__", "fill", "itemset", "put"})

# What to write in the place of a call, where it has no rule, or there is a shorter way.
_INSTEAD: dict[Any, str] = {
    builtins.float: "Leave `float` out, or write `x.item()` for the one element of an array",
    builtins.complex: "Leave `complex` out, or write `x + 0j`",
    np.array: f"Write {_JOINING}; leave `np.array` out where its argument is an array already",
    np.asarray: f"Leave `np.asarray` out; for a list of traced numbers write {_JOINING}",
    np.bmat: "Write `np.block`",
    np.pad: "Write `np.pad(x - c, ...) + c` for a traced constant `c`",
    np.r_: "Write `np.concatenate`",
    np.c_: "Write `np.column_stack`",
    math.pow: "Write `x ** y`",
    math.floor: "Write `np.floor(x)`",
}


def refused_conversion(frame: types.FrameType | None, what: str, is_over: bool) -> TypeError:
    """The error for a traced value that somebody wants to have as a plain one.

    Parameters
    ----------
    frame
        Who wants it.
    what
        What it would become, such as ``a float``.
    is_over
        Whether its differentiation has ended.
    """
    passed = []
    while frame is not None and is_passed_over(frame):
        passed.append(frame.f_code.co_qualname)
        frame = frame.f_back
    converting = frame
    frame = frame_of_user(frame)
    place, node = call_of(frame)
    if is_over:
        return TypeError(
            f"A traced value that was kept from a differentiation was about to become {what}{place}. Its "
            "differentiation is over, and it is a constant now: write `chainrules_core.primal_of(x)`."
        )
    if "Trace.run" in passed:
        mend = _ITSELF
    elif "apply" in passed or any(name.endswith("Trace.call") for name in passed):
        mend = _BY_ITS_RULE + _rule_that_may_have_declined(node, frame)
    else:
        mend = (
            _ruled(converting)
            or _by_library(converting, frame)
            or _without_source(frame)
            or _mend(node, frame, what)
        )
    return TypeError(
        f"A traced value was about to become {what}{place}, which would lose its derivative. "
        f"{mend}{'' if mend.endswith('?') else '.'} For the plain value, without derivatives, write "
        "`chainrules_core.primal_of(x)`."
    )


def owner_of_operator(frame: types.FrameType | None) -> Any:
    """The object whose binary operator runs in the frame or around it; `None` if there is none."""
    while frame is not None:
        code = frame.f_code
        if code.co_name in BINARY_OPERATORS and code.co_argcount == 2:
            return frame.f_locals.get(code.co_varnames[0])
        frame = frame.f_back
    return None


def _ruled(frame: types.FrameType | None) -> str:
    """The advice if the converting function has a rule that was not used."""
    if frame is None:
        return ""
    name = frame.f_code.co_name
    f = frame.f_globals.get(name)
    if not (isinstance(f, types.FunctionType) and f.__code__ is frame.f_code and rrule.methods(f)):
        return ""
    return f"`{name}` has a rule: write `{name} = primitive({name})` behind it, and it is used"


def _by_library(converting: types.FrameType | None, frame: types.FrameType | None) -> str:
    """The advice if a library converts, whose code nobody will change."""
    if converting is None or converting is frame:
        return ""
    package = str(converting.f_globals.get("__name__", "")).partition(".")[0]
    return (
        f"`{package}` converts it, at {converting.f_code.co_filename}:{converting.f_lineno}. Write functions "
        "of NumPy, or give what is called a rule, and call it by `chainrules.ad.call`"
    )


def _without_source(frame: types.FrameType | None) -> str:
    """The advice if calls are not intercepted, for want of the source."""
    if frame is None or linecache.getlines(frame.f_code.co_filename, frame.f_globals):
        return ""
    return _SOURCELESS


def refused_write(frame: types.FrameType | None, call: str, array: Any, mend: str) -> TypeError:
    """The error for a function that would write a traced value into a plain array.

    Parameters
    ----------
    frame
        A frame, perhaps of a library.
    call
        The call, such as ``exp(..., out=...)``.
    array
        The array.
    mend
        What to write instead.
    """
    frame = program_frame(frame)
    holder, _ = described_holder(array, frame)
    held = f": {holder}" if holder else ""
    return TypeError(
        f"{call} was called with a traced value{call_of(frame)[0]}. Writing into an array leaves no trace "
        f"for the derivative, and so do `a += x` and the like on a plain array `a`{held}. {mend}."
    )


def note_holder(error: Exception, frame: types.FrameType | None, array: Any) -> None:
    """Note beside an error who holds the plain array that was to be written into, if that is known."""
    holder, _ = described_holder(array, program_frame(frame))
    if holder:
        error.add_note(f"{holder}: write into a copy of it.")


def _mend(node: Expression | None, frame: types.FrameType | None, what: str) -> str:
    kind = "" if node is None else node.kind
    holder = _value_of(node.parts[0], frame) if node and kind == "item" else None
    if node and isinstance(holder, np.ndarray):
        mend = _mend_of_write(node.parts[0].text, holder, frame)
        return f"{mend}; {_INDEX}" if what == "an array" else mend
    if what in _WITHOUT_DERIVATIVE:
        return _WITHOUT_DERIVATIVE[what]
    if kind == "item":
        return _mend_of_item(holder)
    if node and kind == "call" and node.parts[0].kind == "attribute" and node.parts[0].name == "setdiag":
        return _SPARSE
    if kind == "remainder":
        return "Write it into an f-string, or give `primal_of(x)`"
    by_rule = ""
    if node and kind == "call":
        function = _value_of(node.parts[0], frame)
        if function is not None:
            return _mend_of_call(function, node, frame)
        by_rule = f": `{node.by_rule}`"
    return (
        "Write a function of NumPy that has a rule; or give what is called a rule, and call it by "
        f"`chainrules.ad.call`{by_rule}"
    )


def _mend_of_write(name: str, array: np.ndarray, frame: types.FrameType | None) -> str:
    """The mend for a plain array that is written into, with the names that hold it."""
    if array.dtype.names:
        return "Write into an array for each field"
    if array.dtype.kind in "iub":
        return (
            f"`{name}` is an array of {array.dtype}, which would cut what is written into it: make it one of "
            f"floats, `{name} = {name}.astype(float)`"
        )
    holder, is_local = described_holder(array, frame, name)
    copy = f"Write into a copy, `{name if is_local or not holder else 'own'} = {name}.copy()`"
    held = f"{holder}. " if holder else ""
    return f"{held}{copy}, or collect the items in a list, and write `np.stack(items)`"


def _mend_of_item(holder: Any) -> str:
    for known in (np.r_, np.c_):
        if holder is known:
            return _INSTEAD[known]
    if _is_sparse(holder):
        return _SPARSE
    return f"Collect the items in a list, and write `np.stack(items)`; {_INDEX}"


def _is_sparse(x: Any) -> bool:
    """Whether it is one of SciPy's sparse arrays; SciPy may not be imported."""
    return type(x).__module__.startswith("scipy.sparse")


def _mend_of_call(function: Any, node: Expression, frame: types.FrameType | None) -> str:
    instead = _INSTEAD.get(function) if isinstance(function, Hashable) else None
    if instead is not None:
        return instead
    name = node.parts[0].text
    owner, _, short = name.rpartition(".")
    if short in _WRITING_METHODS and isinstance(getattr(function, "__self__", None), np.ndarray):
        return _mend_of_write(owner, function.__self__, frame)
    if isinstance(getattr(function, "__self__", None), np.ndarray) and hasattr(np, short):
        return f"Write the function, `np.{short}({owner}, ...)`"
    if getattr(function, "__module__", "") in ("math", "cmath") and hasattr(np, short):
        return f"Write `np.{short}`"
    if node.has_list and rrule.methods(function):
        return f"Give it an array of traced numbers, made by {_JOINING}"
    if rrule.methods(function):
        return f"Write `{node.by_rule}`, of `chainrules.ad`"
    is_of_scipy = describe_callee(function).startswith("scipy.")
    read = f"; `{PAGE}` has five" if is_of_scipy else ""
    return f"`{name}` has no rule: give it one, and write `{node.by_rule}`, of `chainrules.ad`{read}"


def _rule_that_may_have_declined(node: Expression | None, frame: types.FrameType | None) -> str:
    """A sentence about a rule of somebody else for the call, which may have returned `None`."""
    function = _value_of(node.parts[0], frame) if node and node.kind == "call" else None
    for method in [] if function is None else rrule.methods(function):
        if method.looked_at is not method.function:
            return (
                f"; or {method.name} ({method.location}) returned `None`, which declines the call: has it no "
                "`return y, pullback`?"
            )
    return ""


def _value_of(node: Expression, frame: types.FrameType | None) -> Any:
    """The value of a dotted name in a frame, found without a call; `None` if it is not known."""
    if frame is None:  # pragma: no cover - for type checkers: without a frame there is no syntax
        return None
    if node.kind == "name":
        for names in (frame.f_locals, frame.f_globals, vars(builtins)):
            if node.name in names:
                return names[node.name]
    if node.kind == "attribute":
        holder = _value_of(node.parts[0], frame)
        if isinstance(holder, types.ModuleType | type | np.ndarray | np.random.Generator):
            return getattr(holder, node.name, None)
        attributes = getattr(holder, "__dict__", None)
        return attributes.get(node.name) if type(attributes) is dict else None
    if node.kind == "item":
        holder, key = [_value_of(part, frame) for part in node.parts]
        try:
            return holder[key] if type(holder) in (dict, list, tuple) else None
        except (LookupError, TypeError):
            return None
    return node.name if node.kind == "constant" else None
