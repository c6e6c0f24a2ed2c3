"""The answers that lookup remembers: which rule serves a callee with arguments of some types."""

from collections import defaultdict
from collections.abc import Callable, Hashable, Sized
from typing import Any

from chainrules_core.dispatch.rule_method import RuleMethod

_Rule = Callable[..., Any]
_Types = tuple[type, ...]

# So many answers are kept. Each holds the classes of its arguments: a program that makes classes in a loop
# would fill the memory otherwise, and one that needs more looks them up again.
MOST = 16_384


def _nothing(*_: Any, **__: Any) -> None:
    """Stand for "there is no rule, and shall be none", so that this answer is called like any other."""


class Answers:
    """All answers that a rule function remembers, and how they are forgotten.

    Each answer rests on a table of methods: when the table changes, its answers are forgotten, and no others.
    Whoever remembers or forgets holds the lock of the tables, so that an answer is never kept that a new rule
    has made wrong. Reading takes no lock.

    Attributes
    ----------
    no_rule
        The function to call where no rule takes a call, with all arguments of the rule function.
    at_hand
        For calls without a configuration: ``at_hand((f, *types))`` is the function to call, or `None`.
    at_hand_with_config
        For calls with one: ``at_hand_with_config((type(config), f, *types))`` is the function to call and
        whether it takes the configuration, or `None`. What rules return to AD systems is looked at.
    remembered
        ``remembered((type(config), f, *types))`` is the function to call if it does not take the
        configuration, or `None`.
    """

    __slots__ = (
        "_by_callee",
        "_by_table",
        "_keys",
        "_number",
        "at_hand",
        "at_hand_with_config",
        "no_rule",
        "remembered",
    )

    def __init__(self, no_rule: _Rule = _nothing) -> None:
        self.no_rule = no_rule
        # The hot path asks these, with what the caller has at hand: the callee and the types.
        plain: dict[Hashable, _Rule] = {}
        with_config: dict[Hashable, tuple[_Rule, bool]] = {}
        without_config: dict[Hashable, _Rule] = {}
        self._by_callee = plain, with_config, without_config
        self.at_hand = plain.get
        self.at_hand_with_config = with_config.get
        self.remembered = without_config.get
        # All other answers, by the table and whatever its methods look at; and for each table its answers.
        self._by_table: dict[Any, dict[Hashable, RuleMethod | None]] = {}
        self._keys: defaultdict[Any, list[tuple[dict[Hashable, Any], Hashable]]] = defaultdict(list)
        # Of those remembered since all were forgotten; some of them may have been forgotten again.
        self._number = 0

    def __len__(self) -> int:
        answers: list[Sized] = [*self._by_callee, *self._by_table.values()]
        return sum(map(len, answers))

    def method(self, table: Any, key: Hashable) -> RuleMethod | None:
        """The method that a table chose.

        Raises
        ------
        KeyError
            If nothing is remembered.
        """
        return self._by_table[table][key]

    def remember(self, table: Any, key: Hashable, method: RuleMethod | None) -> None:
        """Remember the method that a table chose, or that it chose none."""
        self._count()
        self._by_table.setdefault(table, {})[key] = method

    def put_at_hand(self, table: Any, config: Any, f: Any, types: _Types, method: RuleMethod | None) -> None:
        """Remember the function to call for a callee and types of arguments, wherever these decide."""
        plain, with_config, without_config = self._by_callee
        rule = self.no_rule if method is None else _nothing if method.opts_out else method.function
        if config is None:
            self._put(table, plain, (f, *types), rule)
            return
        if method is not None and not method.opts_out:
            rule = method.looked_at
        key = (type(config), f, *types)
        takes_config = method is None or method.config is not None
        self._put(table, with_config, key, (rule, takes_config))
        if not takes_config:
            self._put(table, without_config, key, rule)

    def _count(self) -> None:
        if self._number >= MOST:
            self.forget_all()
        self._number += 1

    def _put(self, table: Any, answers: dict[Hashable, Any], key: Hashable, answer: Any) -> None:
        self._count()
        answers[key] = answer
        self._keys[table].append((answers, key))

    def forget(self, table: Any) -> None:
        """Forget the answers that rest on a table."""
        self._by_table.pop(table, None)
        for answers, key in self._keys.pop(table, ()):
            answers.pop(key, None)

    def forget_all(self) -> None:
        """Forget every answer."""
        self._number = 0
        self._by_table.clear()
        self._keys.clear()
        for answers in self._by_callee:
            answers.clear()
