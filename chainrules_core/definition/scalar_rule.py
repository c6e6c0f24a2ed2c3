"""`scalar_rule`: both rules of a function from the partial derivatives of its scalar arguments.

The rules are generated as source when they are defined, as `attrs` and `dataclasses` do, each written out for
the number of its arguments. `ScalarRule` serves every value. Before it is asked, generated shortcuts answer
for real numbers and plain arrays at the cost of rules written by hand; with ``CHAINRULES_SHORTCUTS=0`` these
are left out.
"""

import functools
import inspect
import itertools
import keyword
import linecache
import operator
import sys
import types
from collections.abc import Callable, Mapping
from numbers import Number
from typing import Any, TypeVar, overload

import numpy as np
import plum

from chainrules_core.arrays.abstract_array import AbstractArray
from chainrules_core.backends import PLAIN_CLASSES
from chainrules_core.carriers.primitive import primitive
from chainrules_core.carriers.search import may_contain_carriers
from chainrules_core.definition.define import definition_frame
from chainrules_core.definition.derivatives_given_output import derivatives_given_output
from chainrules_core.definition.plain_arrays import REAL_CLASSES, have_nan, product_of_arrays
from chainrules_core.definition.scalar_propagation import ScalarRule
from chainrules_core.definition.shortcuts import ARE_ENABLED
from chainrules_core.dispatch.callees import typeof_, unwrap_primitive
from chainrules_core.dispatch.parameters import positional_parameters
from chainrules_core.dispatch.rule_location import made_at, place_in
from chainrules_core.dispatch.rule_reading import read_rule
from chainrules_core.dispatch.rules import frule, rrule
from chainrules_core.error_state import restore_warnings, silence_warnings
from chainrules_core.exceptions import RuleDefinitionError
from chainrules_core.fields import backing
from chainrules_core.tangents.abstract_zero import NO_TANGENT

_SOURCE = """\
def {name}_rrule(f, {xs}, /):
    y = {call}

    def {name}_pullback(y_bar):
{pull_plain}        return rule.pull(y, ({xs},), y_bar)

    return y, {name}_pullback


def {name}_frule(tangents, f, {xs}, /):
    _, {x_dots} = tangents
    y = {call}
{push_plain}    return y, rule.push(y, ({xs},), ({x_dots},))


def {name}_derivatives(y, f, {xs}, /):
    return rule.partials(y, ({xs},))
"""

# --- Shortcuts, generated where they are on -----------------------------------------------------------------

# The function itself, where no argument can be a carrier: 1.15 times as fast, for one float.
_CALL_OF_PLAIN = "function({xs}) if {are_plain} else primal({xs})"

# A nonzero real number times a real partial derivative needs no care; a failure or any other type does, and
# is left to `ScalarRule`, which starts afresh. 3.5 times as fast, for one float; 6.6 times, for two.
_PULL_NUMBERS = """\
        if y_bar.__class__ in REALS and y_bar:
            try:
                {ds} = differentiate(y, {xs})
                {x_bars} = {products}
            except (ArithmeticError, TypeError, ValueError):
                pass
            else:
                if {all_real}:
                    return NO_TANGENT, {x_bars}
"""
_PUSH_NUMBERS = """\
    if {dots_are_real}:
        try:
            {ds} = differentiate(y, {xs})
            return y, {sum}
        except (ArithmeticError, TypeError, ValueError):
            pass
"""

# 1.2 times as fast, for `np.sin` of 1000 elements.
_PULL_ARRAY = """\
        elif y_bar.__class__ is y.__class__ is ndarray:
            x_bar = product_of_arrays(differentiate, (y, x0), x0, y_bar)
            if x_bar is not None:
                return NO_TANGENT, x_bar
"""
_PUSH_ARRAY = """\
    elif x0_dot.__class__ is y.__class__ is ndarray:
        y_dot = product_of_arrays(differentiate, (y, x0), x0, x0_dot)
        if y_dot is not None:
            return y, y_dot
"""

_PULL_ARRAYS = """\
        elif {arrays_are_alike} and y_bar.dtype.kind == "f":
            error_state = silence_warnings()
            try:
                {ds} = checked(differentiate(y, {xs}))
                {x_bars} = {products}
                if {products_are_alike} and not have_nan({x_bars}):
                    return NO_TANGENT, {x_bars}
            except (ArithmeticError, TypeError, ValueError):
                pass
            finally:
                restore_warnings(error_state)
"""
_PUSH_ARRAYS = """\
    elif {dots_are_alike} and y.dtype.kind == "f":
        error_state = silence_warnings()
        try:
            {ds} = checked(differentiate(y, {xs}))
            y_dot = {sum}
            if {sum_is_alike} and not have_nan(y_dot):
                return y, y_dot
        except (ArithmeticError, TypeError, ValueError):
            pass
        finally:
            restore_warnings(error_state)
"""

# The name of the primal for which they are compiled, and of one that has no identifier for a name.
_STAND_IN = "scalar"

_generated = itertools.count()


Partials = TypeVar("Partials", bound=Callable[..., Any])


@overload
def scalar_rule(primal: Callable[..., Any], /) -> Callable[[Partials], Partials]: ...
@overload
def scalar_rule(primal: Callable[..., Any], partials: Callable[..., Any], /) -> None: ...
def scalar_rule(primal: Callable[..., Any], partials: Callable[..., Any] | None = None, /) -> Any:
    """Define `frule`, `rrule` and `derivatives_given_output` of a function by its partial derivatives.

    Parameters
    ----------
    primal
        A function of scalars; a `np.ufunc` gets rules for arrays as well, with broadcasting undone in
        reverse. It must be differentiable in the sense of the arguments, that is, holomorphic where they
        are complex.
    partials
        ``partials(Ω, x, y, ...)`` returns the partial derivative by each argument, where ``Ω`` is the
        result ``primal(x, y, ...)``; a function of one argument may return it bare. If the primal returns a
        tuple, there is one such tuple for each of its results. Annotations constrain the arguments; without
        one an argument is a number (for a `np.ufunc` a number or an array). Without `partials`,
        `scalar_rule` is a decorator over it.

        A partial derivative may be ``ZeroTangent()``, or ``not_implemented(...)``.

    Raises
    ------
    RuleDefinitionError
        If `primal` holds data (a functor, a closure, a bound method), since this form has no place for their
        tangent, or if the number of parameters cannot be right: nothing is registered then. When the rule is
        used, if `partials` returns a tuple of the wrong length.

    Notes
    -----
    Forwards, ``y_dot = Σ ∂y/∂xᵢ xᵢ_dot``; in reverse, ``xᵢ_bar = conj(∂y/∂xᵢ) y_bar``, projected onto the
    tangent space of ``xᵢ``. A zero tangent is a strong zero: it contributes zero where the partial
    derivative is infinite.

    Examples
    --------
    >>> def distance(x, y):
    ...     return (x**2 + y**2) ** 0.5
    >>> @scalar_rule(distance)
    ... def _(r, x, y):
    ...     return x / r, y / r
    >>> r, pullback = rrule(distance, 3.0, 4.0)
    >>> pullback(1.0)
    (NoTangent(), 0.6, 0.8)

    As a call, for a function of one argument:

    >>> def square(x):
    ...     return x**2
    >>> scalar_rule(square, lambda y, x: 2 * x)
    >>> frule((NoTangent(), 1.0), square, 3.0)
    (9.0, 6.0)
    """
    scope = sys._getframe(1).f_locals  # noqa: SLF001 - where annotations that are strings find local names
    place = place_in(definition_frame())
    if partials is None:
        return lambda partials: _define(primal, partials, scope, place)
    _define(primal, partials, scope, place)
    return None


def _define(
    primal: Any, partials: Callable[..., Any], scope: Mapping[str, Any], place: tuple[str, int]
) -> Callable[..., Any]:
    primal = unwrap_primitive(primal)
    try:
        _check_is_function(primal, partials)
        _check_holds_no_data(primal)
        annotations = _argument_annotations(primal, partials)
        rule = ScalarRule(primal, partials, len(annotations), place)
        rrule_, frule_, derivatives = _generate(primal, partials, rule, len(annotations))
    except RuleDefinitionError as error:
        raise RuleDefinitionError(f"scalar_rule({primal!r}, ...) at {place[0]}:{place[1]}: {error}") from None
    for function in (rrule_, frule_, derivatives):
        made_at(function, place)
    names = rrule_.__code__.co_varnames[: rrule_.__code__.co_argcount]
    rrule_.__annotations__ = dict(zip(names, [typeof_(primal), *annotations], strict=True))
    method = read_rule(rrule.mode, rrule_, {**getattr(partials, "__globals__", {}), **scope})
    rrule.add(method)
    frule.add(method.for_mode(frule.mode, frule_))
    derivatives_given_output.add(method.for_mode(derivatives_given_output.mode, derivatives))
    return partials


def _check_holds_no_data(primal: Any) -> None:
    mend = "Write its `frule` and `rrule` out, with a tangent for what it holds."
    if _is_functor(primal):
        raise RuleDefinitionError(f"it is an instance of {type(primal).__qualname__} that is called. {mend}")
    if isinstance(primal, types.MethodType):
        raise RuleDefinitionError(f"it is a method bound to {primal.__self__!r}. {mend}")
    if isinstance(primal, types.FunctionType):
        data = [name for name, value in backing(primal).items() if isinstance(value, _DATA)]
        if data:
            raise RuleDefinitionError(f"it is a closure over {', '.join(data)}. {mend}")


# A value in a closure may have a tangent if it has one of these types; integers are settings, such as an
# order.
_DATA = (float, complex, np.inexact, AbstractArray)


def _is_functor(primal: Any) -> bool:
    if isinstance(primal, type):
        return False
    return not hasattr(primal, "__name__") or isinstance(type(primal).__call__, types.FunctionType)


def _check_is_function(primal: Any, partials: Any) -> None:
    if not callable(primal):
        raise RuleDefinitionError(
            f"this {type(primal).__name__} is not a function. Write `scalar_rule(foo, ...)`, and not "
            "`scalar_rule(foo(x), ...)`."
        )
    if not callable(partials):
        raise RuleDefinitionError(
            "the partial derivatives are a function of the result and the arguments: write "
            f"`lambda y, x: {partials!r}`."
        )


def _check_number(primal: Any, number: int) -> None:
    """Refuse partial derivatives by more arguments than a function has, or fewer than it requires."""
    if not isinstance(primal, types.FunctionType):
        return
    parameters = inspect.signature(primal).parameters.values()
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return
    positional = [p for p in parameters if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    required = [p for p in positional if p.default is p.empty]
    if not len(required) <= number <= len(positional):
        names = ", ".join(p.name for p in positional)
        raise RuleDefinitionError(
            f"{primal.__name__}({names}) has another number of arguments than the {number} of the partial "
            f"derivatives. Write `lambda y, {names}: ...`, the result first."
        )


def _argument_annotations(primal: Any, partials: Callable[..., Any]) -> list[Any]:
    default = Number | AbstractArray if isinstance(primal, np.ufunc) else Number
    names, annotations, varargs, takes_keywords = positional_parameters(partials, default)
    if varargs is not plum.Missing or takes_keywords or len(names) <= 1:
        raise RuleDefinitionError(
            "the function of the partial derivatives takes the result and each argument by position: "
            "`lambda Ω, x: ...`."
        )
    if isinstance(primal, np.ufunc) and primal.nin != len(names) - 1:
        raise RuleDefinitionError(
            f"{primal.__name__} has {primal.nin} arguments, so the partial derivatives are a function of "
            f"{primal.nin + 1}, the result first, not of {len(names)}."
        )
    _check_number(primal, len(names) - 1)
    return annotations[1:]


def _generate(primal: Any, partials: Any, rule: ScalarRule, n: int) -> list[types.FunctionType]:
    name = primal.__name__
    if not name.isidentifier() or keyword.iskeyword(name):
        name = _STAND_IN
    filename = f"<scalar_rule {name} {next(_generated)}>"
    source, codes = _compiled(n, calls_plain=not (_hands_on(primal) or may_contain_carriers(primal)))
    source = _named(source, name)
    # So that tracebacks and debuggers show the generated lines.
    linecache.cache[filename] = (len(source), None, source.splitlines(keepends=True), filename)
    names = {
        "function": primal,
        "primal": primal if _hands_on(primal) else primitive(primal),
        "differentiate": partials,
        "rule": rule,
        "checked": rule.checked,
        "PLAIN": PLAIN_CLASSES,
        "REALS": REAL_CLASSES,
        "NO_TANGENT": NO_TANGENT,
        "ndarray": np.ndarray,
        "product_of_arrays": product_of_arrays,
        "have_nan": have_nan,
        "silence_warnings": silence_warnings,
        "restore_warnings": restore_warnings,
    }
    return [types.FunctionType(_renamed(code, name, filename), names) for code in codes]


def _hands_on(primal: Any) -> bool:
    """Whether a function can be called with a carrier, as where derivatives of the rule itself are taken.

    NumPy hands carriers on by its protocols, and so do operators; `math.erf` would make floats of them.
    """
    return isinstance(primal, np.ufunc) or getattr(primal, "__module__", None) == operator.add.__module__


def _source(n: int, *, calls_plain: bool, has_shortcuts: bool) -> str:
    forms = ("d{}", "x{}", "x{}_bar", "x{}_dot")
    ds, xs, x_bars, x_dots = ([form.format(i) for i in range(n)] for form in forms)
    parts = {
        "name": _STAND_IN,
        "xs": ", ".join(xs),
        "ds": ", ".join(ds),
        "x_bars": ", ".join(x_bars),
        "x_dots": ", ".join(x_dots),
        "are_plain": " and ".join(f"{x}.__class__ in PLAIN" for x in xs),
        "products": ", ".join(f"{d} * y_bar" for d in ds),
        "all_real": " and ".join(f"{x}.__class__ in REALS" for x in [*x_bars, *xs]),
        "dots_are_real": " and ".join(f"{x_dot}.__class__ in REALS and {x_dot}" for x_dot in x_dots),
        "arrays_are_alike": _alike_condition(["y_bar", *xs], "y"),
        "products_are_alike": _alike_condition(["y_bar", *x_bars]),
        "dots_are_alike": _alike_condition(["y", *x_dots]),
        "sum_is_alike": _alike_condition(["y", "y_dot"]),
        "sum": " + ".join(f"{d} * {x_dot}" for d, x_dot in zip(ds, x_dots, strict=True)),
    }
    call, pull_plain, push_plain = "primal({xs})", "", ""
    if has_shortcuts:  # pragma: no branch - without them another process runs the tests
        call = _CALL_OF_PLAIN if calls_plain else call
        pull_plain = _PULL_NUMBERS + (_PULL_ARRAY if n == 1 else _PULL_ARRAYS)
        push_plain = _PUSH_NUMBERS + (_PUSH_ARRAY if n == 1 else _PUSH_ARRAYS)
    return _SOURCE.format(
        call=call.format(**parts),
        pull_plain=pull_plain.format(**parts),
        push_plain=push_plain.format(**parts),
        **parts,
    )


def _alike_condition(arrays: list[str], *others: str) -> str:
    """The condition that these are arrays, and those which stand first have one dtype and one shape."""
    conditions = (
        " is ".join([f"{x}.__class__" for x in (*arrays, *others)] + ["ndarray"]),
        " is ".join(f"{x}.dtype" for x in arrays),
        " == ".join(f"{x}.shape" for x in arrays),
    )
    return " and ".join(conditions)


@functools.cache
def _compiled(
    n: int, *, calls_plain: bool, has_shortcuts: bool = ARE_ENABLED
) -> tuple[str, tuple[types.CodeType, ...]]:
    """The source and the code of the functions for `n` arguments: made once, since that takes longest."""
    source = _source(n, calls_plain=calls_plain, has_shortcuts=has_shortcuts)
    module = compile(source, "<scalar_rule>", "exec")
    return source, tuple(constant for constant in module.co_consts if isinstance(constant, types.CodeType))


def _renamed(code: types.CodeType, name: str, filename: str) -> types.CodeType:
    """The code of a function, and of those in it, as if it had been compiled for a primal of this name."""
    constants = (
        _renamed(constant, name, filename) if isinstance(constant, types.CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(
        co_name=_named(code.co_name, name),
        co_qualname=_named(code.co_qualname, name),
        co_filename=filename,
        co_consts=tuple(constants),
    )


def _named(text: str, name: str) -> str:
    return text.replace(f"{_STAND_IN}_", f"{name}_")
