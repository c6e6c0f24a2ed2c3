"""Answers that depend on a class alone: each is worked out once, and forgotten with the class."""

import functools
from collections.abc import Callable
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

Answer = TypeVar("Answer")


def remembered_by_class(function: Callable[[type], Answer]) -> Callable[[type], Answer]:
    """Decorate a function of a class, such as the names of its fields.

    The class has to be complete when the function is first called with it, and the answer must not refer to
    the class, which would then never be freed.
    """
    answers: WeakKeyDictionary[type, Any] = WeakKeyDictionary()

    @functools.wraps(function)
    def remembered(cls: type) -> Answer:
        try:
            answer: Answer = answers[cls]
        except KeyError:
            answer = answers[cls] = function(cls)
        return answer

    return remembered
