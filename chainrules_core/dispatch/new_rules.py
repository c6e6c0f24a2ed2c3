"""Telling others about each rule that is registered: an AD system may make an overload of its own of it."""

import threading
import warnings
from collections.abc import Callable, Iterable
from typing import TypeVar

from chainrules_core.dispatch.pending_rulesets import on_new_ruleset
from chainrules_core.dispatch.rule_method import RuleMethod

Hook = Callable[[str, RuleMethod], object]

_Forgetter = TypeVar("_Forgetter", bound=Callable[[], object])

# Replaced, under the lock, and never changed, so that it is read without.
_handles: tuple["HookHandle", ...] = ()
_lock = threading.Lock()

# The functions that `on_changed_rules` was given, each with its `by_rulesets`.
_forgetters: list[tuple[Callable[[], object], bool]] = []


class RuleHookWarning(UserWarning):
    """A hook of `on_new_rule` raised an exception for a rule, which is registered all the same."""


class HookHandle:
    """What `on_new_rule` returns: `remove` ends the calls of the hook."""

    def __init__(self, hook: Hook) -> None:
        self._hook = hook
        self._told: set[RuleMethod] = set()
        self._lock = threading.Lock()

    def tell(self, method: RuleMethod) -> None:
        """Call the hook for a rule, unless it has been told of it."""
        with self._lock:
            if method in self._told:
                return
            self._told.add(method)
        self._hook(method.mode, method)

    def remove(self) -> None:
        """Stop calling the hook; a second time does nothing."""
        global _handles  # noqa: PLW0603 - replaced as a whole, see above
        with _lock:
            _handles = tuple(handle for handle in _handles if handle is not self)

    def __repr__(self) -> str:
        return f"HookHandle({self._hook!r})"


def add_hook(hook: Hook, present: Callable[[], Iterable[RuleMethod]]) -> HookHandle:
    """Call a hook for the rules that `present` returns, and from now on for each new one."""
    global _handles  # noqa: PLW0603 - replaced as a whole, see above
    handle = HookHandle(hook)
    with _lock:
        _handles = (*_handles, handle)
    try:
        # Only now: a rule that another thread registers meanwhile is told once, whoever comes first.
        for method in present():
            handle.tell(method)
    except BaseException:
        handle.remove()
        raise
    return handle


def has_hooks() -> bool:
    """Whether anybody is told about rules."""
    return bool(_handles)


def announce(method: RuleMethod) -> None:
    """Call every hook for a rule that was just registered."""
    for handle in _handles:
        try:
            handle.tell(method)
        except Exception as error:  # noqa: BLE001 - the author of the rule is not the one who can mend it
            warnings.warn(f"{handle!r} failed for {method!r}: {error!r}", RuleHookWarning, stacklevel=2)


def on_changed_rules(forget: _Forgetter, *, by_rulesets: bool = True) -> _Forgetter:
    """Call `forget` whenever a rule is registered, or a ruleset that may hold one.

    For AD systems that remember which callables have rules: see ``rrule.may_serve``.

    Parameters
    ----------
    forget
        Called without arguments, for as long as the program runs.
    by_rulesets
        Whether it is also called for each rule that a ruleset registers while it is imported. Callers that
        remember lookups can do without: a lookup imports all rulesets that may serve it before it answers.

    Returns
    -------
    function
        `forget` itself: this is a decorator too.
    """
    _forgetters.append((forget, by_rulesets))
    return forget


def rules_changed(ruleset: str | None = None) -> None:
    """Call what `on_changed_rules` was given; `ruleset` names the ruleset that adds a rule, if one does."""
    for forget, by_rulesets in _forgetters:
        if by_rulesets or ruleset is None:
            forget()


on_new_ruleset(rules_changed)
