"""Copies: called by their rules, they would be of copies of arrays, and of functions that write into some."""

import copy
from typing import Any

from chainrules.ad.interception.choosing.choosing import choose
from chainrules.ad.interception.choosing.ordinary_classes import is_ordinary, special_method
from chainrules.ad.values.facts import fact


def _deepcopy(x: Any, memo: dict[int, Any] | None = None) -> Any:
    method = None if is_ordinary(type(x)) else special_method(type(x), "__deepcopy__")
    if method is None:
        return copy.deepcopy(x, memo)
    memo = {} if memo is None else memo
    if id(x) not in memo:  # one copy of an object, which is kept alive, as Python does it
        memo[id(x)] = choose(method)(x, memo)
        memo.setdefault(id(memo), []).append(x)
    return memo[id(x)]


fact(copy.copy, as_it_is=True, method="__copy__", returns=("a copy",))
fact(copy.deepcopy, as_it_is=True, stands_for_it=_deepcopy, returns=("a copy",))
