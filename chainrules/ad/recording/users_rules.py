"""Rules of the user's: what is called in their place while a program is recorded."""

import functools
import types
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.switch import Watcher
from chainrules.ad.recording.surroundings import Surroundings


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
            if type(answer) is not tuple or not answer or type(answer[-1]) not in _PULLBACKS:
                return answer
            *first, pullback = answer
            return (*first, choose(pullback))

        return call

    return watch_rule


# What is written inside of a rule is chosen already; anything else may stand elsewhere.
_PULLBACKS = (types.FunctionType, types.MethodType, functools.partial)
