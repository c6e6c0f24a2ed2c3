"""Telling others about rules as they are registered: how a backend generates overloads of its own."""

import threading
from collections.abc import Callable

from chainrules_core.rule_method import RuleMethod

Hook = Callable[[str, RuleMethod], object]

_hooks: list[Hook] = []
_lock = threading.RLock()


class HookHandle:
    """What `on_new_rule` returns: `remove` ends the calls of the hook."""

    def __init__(self, hook: Hook) -> None:
        self._hook = hook

    def remove(self) -> None:
        """Stop calling the hook; a second time does nothing."""
        with _lock:
            if self._hook in _hooks:
                _hooks.remove(self._hook)

    def __repr__(self) -> str:
        return f"HookHandle({self._hook!r})"


def add_hook(hook: Hook, present: list[RuleMethod]) -> HookHandle:
    """Call a hook for the rules that are present, and from now on for each new one."""
    with _lock:
        for method in present:
            hook(method.mode, method)
        _hooks.append(hook)
    return HookHandle(hook)


def announce(method: RuleMethod) -> None:
    """Call every hook for a rule that was just registered."""
    with _lock:
        hooks = list(_hooks)
    for hook in hooks:
        hook(method.mode, method)
