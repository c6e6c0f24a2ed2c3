"""Rules that ask for themselves: an error that names the rule, and not a thousand lines of traceback."""

import traceback
import types
from collections import Counter
from collections.abc import Iterable

from chainrules_core.dispatch.descriptions import describe_callee
from chainrules_core.dispatch.rule_method import RuleMethod

# What Python raises where the calls do not fit on its stack; the second where code in C did not look.
TOO_DEEP = (RecursionError, SystemError)

_OFTEN = 20
_MARK = "__names_a_rule__"


def name_rule_that_asks_for_itself(error: BaseException, methods: Iterable[RuleMethod]) -> None:
    """Raise an error that names the rule, if a rule that asks for itself caused a recursion that is too deep.

    Parameters
    ----------
    error
        What was caught, of `TOO_DEEP`.
    methods
        The rules that may be meant.
    """
    if hasattr(error, _MARK):
        # It passes each lookup on its way out, and forgets the frames up to there.
        raise error.with_traceback(None) from None
    frames = [frame for frame, _ in traceback.walk_tb(error.__traceback__)]
    repeated = {
        place for place, times in Counter(_place(f.f_code) for f in frames).items() if times >= _OFTEN
    }
    for method in methods if repeated else ():
        code = getattr(method.function, "__code__", None)
        if code is not None and any(_place(part) in repeated for part in (code, *_codes_within(code))):
            named = RecursionError(_said(method))
            setattr(named, _MARK, True)
            raise named from None


def _place(code: types.CodeType) -> tuple[str, int, str]:
    # Rules are run as twins of themselves too, whose code is another object.
    return code.co_filename, code.co_firstlineno, code.co_name


def _codes_within(code: types.CodeType) -> list[types.CodeType]:
    """The code of the functions that a function makes, such as its pullback."""
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def _said(method: RuleMethod) -> str:
    name = describe_callee(method.members[0].type_parameter).rpartition(".")[2]
    return (
        f"The {method.mode} `{method.name}` ({method.location}) asks for itself: it calls `{method.mode}` of "
        f"`{name}`, or differentiates it, and is found again. Call `{name}(x)` there."
    )
