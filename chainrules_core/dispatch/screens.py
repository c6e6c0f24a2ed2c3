"""Screens: functions that judge whether a rule may serve arrays of a class that few rules were tried with.

A rule for all kinds of arrays also matches arrays of a library that computes differently from NumPy, or
lazily. Code that knows the library registers the class of its arrays and a screen. The screen is asked once
for each rule and each combination of argument types, during the lookup, so that calls pay nothing for it.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from chainrules_core.dispatch.rule_method import RuleMethod

Screen = Callable[[RuleMethod, Any], str | None]

_screens: dict[tuple[str, str], Screen] = {}
_on_new_screen: list[Callable[[], None]] = []


def screen_rules(module: str, class_name: str, screen: Screen) -> None:
    """Let a function judge each rule before it serves a call with an argument of a class.

    Parameters
    ----------
    module, class_name
        ``cls.__module__`` and ``cls.__qualname__``; the module is not imported.
    screen
        ``screen(method, f)`` is given the rule, as `rrule.methods` lists it, and the function that is called.
        It returns `None`, or the message of the `TypeError` that the call raises instead.
    """
    _screens[module, class_name] = screen
    for forget in _on_new_screen:
        forget()


def on_new_screen(forget: Callable[[], None]) -> None:
    """Call `forget` whenever a screen is named: answers remembered so far were not judged by it."""
    _on_new_screen.append(forget)


def screened(method: RuleMethod | None, f: Any, args: tuple[Any, ...]) -> RuleMethod | None:
    """The rule itself, or one that raises an error if a screen is against it."""
    if method is None or method.opts_out or not _screens:
        return method
    for cls in dict.fromkeys(map(type, args)):
        for base in cls.__mro__:
            screen = _screens.get((base.__module__, base.__qualname__))
            message = None if screen is None else screen(method, f)
            if message is not None:
                return replace(method, function=_refusal(message))
    return method


def _refusal(message: str) -> Callable[..., Any]:
    def refused(*args: Any, **kwargs: Any) -> Any:
        raise TypeError(message)

    return refused
