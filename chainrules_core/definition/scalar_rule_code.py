"""The code of scalar rules: generated source, written out for the number of arguments.

As `attrs` and `dataclasses` do, so that a rule costs little more than one written by hand. `ScalarRule`
serves every value. Before it is asked, generated shortcuts answer for real numbers and plain arrays; with
``CHAINRULES_SHORTCUTS=0`` these are left out.

The code stands at the line of the program where the rule is defined: tracebacks, and the warnings that NumPy
gives where the primal is called, show that line.
"""

import ast
import builtins
import functools
import keyword
import math
import operator
import types
from typing import Any

import numpy as np

from chainrules_core.backends import PLAIN_CLASSES
from chainrules_core.carriers.primitive import primitive
from chainrules_core.carriers.search import may_contain_carriers
from chainrules_core.definition.plain_arrays import FEW, REAL_CLASSES, array_has_nan, has_no_zero, have_nan
from chainrules_core.definition.scalar_propagation import ScalarRule
from chainrules_core.definition.shortcuts import ARE_ENABLED
from chainrules_core.error_state import restore_warnings, silence_warnings
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

# The function itself, where no argument can be a carrier.
_CALL_OF_PLAIN = "function({xs}) if {are_plain} else primal({xs})"

# A nonzero real number times a real partial derivative needs no care; a failure or any other type does, and
# is left to `ScalarRule`, which starts afresh.
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

# Nor do real arrays of one shape and precision, if their products are like them, and the cotangent has no
# zero or the products no NaN.
_PULL_ARRAYS = """\
        elif {xs_are_arrays}:
            dtype, shape = x0.dtype, x0.shape
            if (dtype is FLOAT64 or dtype.kind == "f"){xs_are_alike}:
                error_state = silence_warnings()
                try:
                    {multiply}
                    if {products_are_alike} and (has_no_zero(y_bar) or not {products_have_nan}):
                        return NO_TANGENT, {x_bars}
                except (ArithmeticError, TypeError, ValueError):
                    pass
                finally:
                    restore_warnings(error_state)
"""
_PUSH_ARRAYS = """\
    elif {dots_are_arrays}:
        dtype, shape = y.dtype, y.shape
        if (dtype is FLOAT64 or dtype.kind == "f"){dots_are_alike}:
            error_state = silence_warnings()
            try:
                {add_up}
                if {sum_is_alike} and ({dots_have_no_zero} or not array_has_nan(y_dot)):
                    return y, y_dot
            except (ArithmeticError, TypeError, ValueError):
                pass
            finally:
                restore_warnings(error_state)
"""

# The products of one partial derivative are one expression, so that NumPy multiplies in place: the memory of
# arrays costs more than the product.
_PRODUCT = "x0_bar = differentiate(y, x0) * y_bar"
_PUSHED = "y_dot = differentiate(y, x0) * x0_dot"

# By their number; of two the first of the ways that `have_nan` has, without the time of calling it.
_HAVE_NAN = {
    1: "array_has_nan(x0_bar)",
    2: "(isnan(x0_bar.dot(x1_bar)) if len(shape) == 1 and shape[0] <= FEW else have_nan(x0_bar, x1_bar))",
}

# Of several they are a tuple; `checked` takes named ones and refuses what is none.
_PRODUCTS = """\
ds = differentiate(y, {xs})
                    {ds} = ds if ds.__class__ is tuple else checked(ds)
                    {x_bars} = {products}"""
_SUM = """\
ds = differentiate(y, {xs})
                {ds} = ds if ds.__class__ is tuple else checked(ds)
                y_dot = {sum}"""

# The name of the primal for which they are compiled, and of one that has no identifier for a name.
_STAND_IN = "scalar"


def generate(
    primal: Any, partials: Any, rule: ScalarRule, n: int, place: tuple[str, int]
) -> list[types.FunctionType]:
    """Generate the functions for `rrule`, `frule` and `derivatives_given_output`, in this order.

    Parameters
    ----------
    primal, partials
        As `scalar_rule` was given them.
    rule
        What serves the values that need care.
    n
        The number of arguments.
    place
        The file and the line at which the code is to stand.
    """
    name = primal.__name__
    if not name.isidentifier() or keyword.iskeyword(name):
        name = _STAND_IN
    codes = _compiled(n, calls_plain=not (_hands_on(primal) or may_contain_carriers(primal)))
    names = {
        # Whoever looks for the lines of a program among the frames knows by this that it is none of them.
        "__name__": __name__,
        "__builtins__": builtins,  # without which Python 3.13 cannot warn
        "function": primal,
        "primal": primal if _hands_on(primal) else primitive(primal),
        "differentiate": partials,
        "rule": rule,
        "checked": rule.checked,
        "PLAIN": PLAIN_CLASSES,
        "REALS": REAL_CLASSES,
        "FLOAT64": np.dtype(np.float64),
        "NO_TANGENT": NO_TANGENT,
        "ndarray": np.ndarray,
        "FEW": FEW,
        "isnan": math.isnan,
        "has_no_zero": has_no_zero,
        "array_has_nan": array_has_nan,
        "have_nan": have_nan,
        "silence_warnings": silence_warnings,
        "restore_warnings": restore_warnings,
    }
    return [types.FunctionType(_standing_at(place, code, name), names) for code in codes]


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
        "xs_are_arrays": _are_arrays(["y_bar", *xs]),
        "xs_are_alike": "".join(f" and {_are_alike([x])}" for x in xs[1:]),
        "products_are_alike": f"{_are_arrays(x_bars)} and {_are_alike(x_bars)}",
        "dots_are_arrays": _are_arrays(["y", *x_dots]),
        "dots_are_alike": f" and {_are_alike(x_dots)}" if n > 1 else "",
        "dots_have_no_zero": " and ".join(map("has_no_zero({})".format, x_dots)),
        "sum_is_alike": f"{_are_arrays(['y_dot'])} and {_are_alike(['y_dot'])}",
        "sum": " + ".join(f"{d} * {x_dot}" for d, x_dot in zip(ds, x_dots, strict=True)),
    }
    parts["products_have_nan"] = _HAVE_NAN.get(n, "have_nan({x_bars})").format(**parts)
    parts["multiply"] = (_PRODUCT if n == 1 else _PRODUCTS).format(**parts)
    parts["add_up"] = (_PUSHED if n == 1 else _SUM).format(**parts)
    call, pull_plain, push_plain = "primal({xs})", "", ""
    if has_shortcuts:  # pragma: no branch - without them another process runs the tests
        call = _CALL_OF_PLAIN if calls_plain else call
        pull_plain, push_plain = _PULL_NUMBERS + _PULL_ARRAYS, _PUSH_NUMBERS + _PUSH_ARRAYS
    return _SOURCE.format(
        call=call.format(**parts),
        pull_plain=pull_plain.format(**parts),
        push_plain=push_plain.format(**parts),
        **parts,
    )


def _are_arrays(values: list[str]) -> str:
    """The condition that these are plain arrays."""
    return " is ".join([*(f"{x}.__class__" for x in values), "ndarray"])


def _are_alike(arrays: list[str]) -> str:
    """The condition that they have the ``dtype`` and the ``shape``."""
    dtypes = " is ".join([*(f"{x}.dtype" for x in arrays), "dtype"])
    return f"{dtypes} and {' == '.join([*(f'{x}.shape' for x in arrays), 'shape'])}"


@functools.cache
def _compiled(n: int, *, calls_plain: bool, has_shortcuts: bool = ARE_ENABLED) -> tuple[types.CodeType, ...]:
    """The code of the functions for `n` arguments, all on one line: made once, since that takes longest."""
    module = ast.parse(_source(n, calls_plain=calls_plain, has_shortcuts=has_shortcuts))
    nodes: Any = ast.walk(module)
    for node in nodes:
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = 1
            # There are no columns: tracebacks would underline parts of a line that is another text.
            node.col_offset = node.end_col_offset = -1
    code = compile(module, "<scalar_rule>", "exec")
    return tuple(constant for constant in code.co_consts if isinstance(constant, types.CodeType))


def _standing_at(place: tuple[str, int], code: types.CodeType, name: str) -> types.CodeType:
    """The code of a function, and of those in it, as if written for a primal of this name at this place."""
    filename, line = place
    constants = (
        _standing_at(place, constant, name) if isinstance(constant, types.CodeType) else constant
        for constant in code.co_consts
    )
    return code.replace(
        co_name=_named(code.co_name, name),
        co_qualname=_named(code.co_qualname, name),
        co_filename=filename,
        co_firstlineno=line,  # to which those of the instructions are relative
        co_consts=tuple(constants),
    )


def _named(text: str, name: str) -> str:
    return text.replace(f"{_STAND_IN}_", f"{name}_")
