"""Rules of the user's: what is called in their place while a program is recorded."""

import functools
import types
from collections.abc import Callable
from typing import Annotated, Any, get_args, get_origin

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import Watcher, watcher_of_rules
from chainrules.ad.modes.nested_rules import nested_method
from chainrules.ad.recording.entry import rules_changed
from chainrules.ad.recording.places import is_users_class
from chainrules.ad.recording.surroundings import Surroundings
from chainrules.ad.values.memory import remembered
from chainrules_core import RuleConfig, frule, rrule


class WatchedRules:
    """What a recording is told of rules.

    Parameters
    ----------
    surroundings
        What is noted. The program reaches a rule, and what it holds, by no name of its own.
    watch
        What to call in the place of a function.
    refuse
        Makes the error for a reason.
    """

    def __init__(
        self, surroundings: Surroundings, watch: Watcher, refuse: Callable[[str], Exception]
    ) -> None:
        self._surroundings, self._watch, self._refuse = surroundings, watch, refuse
        self.made: dict[Any, Any] = {}

    def __call__(self, rule: Any, chosen: Any) -> Any:
        """What to call in the place of a rule, with its pullback chosen as calls are."""
        self._surroundings.note(rule, rule.__name__)
        watched = self._watch(rule, chosen)

        def call(*args: Any, **kwargs: Any) -> Any:
            answer = watched(*args, **kwargs)
            if type(answer) is not tuple or len(answer) != 2 or not _is_pullback(answer[1], args):
                return answer
            return answer[0], choose(answer[1])

        return call

    def look_up(self, rules: Any, f: Any) -> None:
        """The rules of a function are looked up: by the classes of arguments, or the program is refused."""
        try:
            by_values = _chosen_by_values((rules, f, rules_changed[0]))
        except TypeError:  # `f` is not hashable
            by_values = _judge_values(rules, f)
        if by_values:
            raise self._refuse(f"{by_values} has an annotation that may judge values; decide in the rule")


@remembered
def _chosen_by_values(asked: tuple[Any, Any, int]) -> str | None:
    return _judge_values(*asked[:2])


def _judge_values(rules: Any, f: Any) -> str | None:
    """The first rule of a function that is not chosen by classes alone, until rules change."""
    for method in rules.methods(f):
        if any(map(_judges_values, (*method.hints, method.varargs))):
            return f"`{method.name}` ({method.location})"
    return None


def _judges_values(hint: Any) -> bool:
    return get_origin(hint) is Annotated or any(map(_judges_values, get_args(hint)))


def asking_for_rules(rules: Any) -> Any:
    """What to call in the place of `rrule` or `frule`, by which a program asks for a rule itself."""

    def call(*args: Any, **kwargs: Any) -> Any:
        watch = watcher_of_rules()
        if watch is not None:
            watch.look_up(rules, args[isinstance(args[0], RuleConfig) + (rules is frule)])
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
