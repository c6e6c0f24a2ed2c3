"""Rules of the user's: what is called in their place while a program is recorded."""

import functools
import types
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import Watcher
from chainrules.ad.modes.nested_rules import nested_method
from chainrules.ad.recording.places import is_users_class
from chainrules.ad.recording.surroundings import Surroundings
from chainrules_core import RuleConfig, rrule


def watching_rules(surroundings: Surroundings, watch: Watcher) -> Watcher:
    """What to call in the place of a rule: what `watch` says, with its pullback chosen as calls are.

    Parameters
    ----------
    surroundings
        What is noted. The program reaches a rule, and what it holds, by no name of its own.
    watch
        What to call in the place of a function.
    """

    def watch_rule(rule: Any, chosen: Any) -> Any:
        surroundings.note(rule, rule.__name__)
        watched = watch(rule, chosen)

        def call(*args: Any, **kwargs: Any) -> Any:
            answer = watched(*args, **kwargs)
            if type(answer) is not tuple or len(answer) != 2 or not _is_pullback(answer[1], args):
                return answer
            return answer[0], choose(answer[1])

        return call

    return watch_rule


def asking_for_rules(rules: Any) -> Any:
    """What to call in the place of `rrule` or `frule`, by which a program asks for a rule itself."""

    def call(*args: Any, **kwargs: Any) -> Any:
        answer = rules.answer_by(nested_method, *args, **kwargs)
        return rrule.checked(answer, args[isinstance(args[0], RuleConfig) :]) if rules is rrule else answer

    return call


def _is_pullback(x: Any, args: tuple[Any, ...]) -> bool:
    """Whether what a rule returns last is a pullback: the first argument of an `frule` is no function.

    One that is written inside of its rule is chosen already, and stays the same; another may stand elsewhere.
    """
    if type(x) in _CALLABLES:
        return True
    first = args[1] if isinstance(args[0], RuleConfig) else args[0]
    return callable(first) and is_users_class(type(x)) and callable(x)


_CALLABLES = (types.FunctionType, types.MethodType, functools.partial)
