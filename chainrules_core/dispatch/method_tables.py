"""Which rule serves a call: one plum function per callee, made when the callee is first looked up.

plum decides; this module only says which methods a plum function holds, and remembers its answers. One plum
function for all rules does not scale: resolving it grows quadratically with the number of methods, every new
argument type scans all of them, and one annotation that cannot be cached turns caching off for everybody. So
the methods are partitioned by callee. A *table* holds those whose callee parameter can match: registered for
the object itself, for its class, for the classes above it. Callables without a rule of their own share one
table with all that the same methods match, so that closures, made and thrown away, leave nothing behind.
"""

import abc
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

import plum

from chainrules_core.backends import on_new_carrier, primal_of
from chainrules_core.dispatch.callees import InstanceOf, SubclassOf, TypeOf
from chainrules_core.dispatch.memory import Memory, memory_of
from chainrules_core.dispatch.rule_method import RuleMethod
from chainrules_core.dispatch.rulesets import on_new_ruleset
from chainrules_core.parametric_types import promise

_Methods = dict[tuple[Any, ...], RuleMethod]


class MethodTable:
    """The methods that can match one callee, or one group of callees, and the answers given so far."""

    def __init__(self, name: str, methods: Iterable[RuleMethod]) -> None:
        self._name = name
        self._answers: dict[tuple[Any, ...], RuleMethod | None] = {}
        self._method_of: dict[Callable[..., Any], RuleMethod] = {}
        self._plain: plum.Function | None = None
        self._configured: plum.Function | None = None
        self.memory = Memory.BY_TYPE
        self.methods: list[RuleMethod] = []
        self.remembered_elsewhere: list[tuple[dict[Any, Any], Any]] = []
        # Of methods with equal signatures plum keeps the last, and an opt-out wins whenever it was written.
        for method in sorted(methods, key=lambda method: method.opts_out):
            self.add(method)

    def add(self, method: RuleMethod) -> None:
        """Let a method take part in dispatch."""
        self.methods.append(method)
        stand_in = method.stand_in  # asked for once: another thread that asks meanwhile may make a second one
        self._method_of[stand_in] = method
        if method.config is None:
            self._plain = self._plain or plum.Function(_stub(self._name))
            function = self._plain
        else:
            self._configured = self._configured or plum.Function(_stub(self._name))
            function = self._configured
        function.register(stand_in, signature=method.signature)
        self.memory = max(self.memory, memory_of(method.signature))
        self.forget()

    def forget(self) -> None:
        """Forget all answers, those that a `RuleFunction` keeps for its hot path included."""
        self._answers = {}
        for answers, key in self.remembered_elsewhere:
            answers.pop(key, None)
        self.remembered_elsewhere = []

    def recall(self, config: Any, leading: tuple[Any, ...], args: tuple[Any, ...]) -> RuleMethod | None:
        """The remembered answer for arguments of these types.

        Raises
        ------
        KeyError
            If there is none.
        """
        return self._answers[self.memory.key(config, leading, args)]

    def find(self, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...]) -> RuleMethod | None:
        """The method for a call, or `None`. Carriers in `args` have been replaced by their primals.

        Raises
        ------
        plum.AmbiguousLookupError
            If several methods match and none is the most specific.
        """
        if self.memory is Memory.NEVER:
            return self._resolve(config, (*leading, f, *args))
        key = self.memory.key(config, leading, args)
        if key not in self._answers:
            self._answers[key] = self._resolve(config, (*leading, f, *args))
        return self._answers[key]

    def _resolve(self, config: Any, target: tuple[Any, ...]) -> RuleMethod | None:
        # A rule with a configuration wins over all without, even where one of those fits more closely.
        if config is not None and self._configured is not None:
            method = self._most_specific(self._configured, (config, *target))
            if method is not None:
                return method
        return None if self._plain is None else self._most_specific(self._plain, target)

    def _most_specific(self, function: plum.Function, target: tuple[Any, ...]) -> RuleMethod | None:
        try:
            implementation, _ = function.resolve_method(target)
        except plum.NotFoundLookupError:
            return None
        return self._method_of[implementation]


def _stub(name: str) -> Callable[..., Any]:
    def stub(*args: Any) -> None: ...

    stub.__name__ = stub.__qualname__ = name  # plum's messages quote it
    return stub


class MethodTables:
    """All rules of one mode, and the tables made of them so far."""

    def __init__(self, name: str) -> None:
        self._name = name
        # One lock for registering and resolving: a plum function loses what is registered while it
        # resolves. Only calls whose answer is not remembered take it. It is never held during an import,
        # which has locks of its own.
        self._lock = threading.RLock()
        # The methods, by what `typeof_(foo)`, `type[Foo]` and `Foo` name.
        self._of_object: defaultdict[Any, _Methods] = defaultdict(dict)
        self._of_subclasses: defaultdict[type, _Methods] = defaultdict(dict)
        self._of_instances: defaultdict[type, _Methods] = defaultdict(dict)
        # The tables of callees with a rule of their own, and of all others by the types that match them.
        self._own: dict[Any, MethodTable] = {}
        self._shared: dict[tuple[Any, ...], MethodTable] = {}
        # Which shared table serves a class that is called as a constructor, and the instances of a class.
        self._of_constructor: WeakKeyDictionary[type, MethodTable] = WeakKeyDictionary()
        self._of_functor: WeakKeyDictionary[type, MethodTable] = WeakKeyDictionary()
        on_new_carrier(self.forget_answers)
        on_new_ruleset(self.forget_answers)

    def __iter__(self) -> Iterator[RuleMethod]:
        """All methods, each once, in the order of their callees' first registration."""
        with self._lock:
            stores = [*self._of_object.values(), *self._of_subclasses.values(), *self._of_instances.values()]
            methods = [method for store in stores for method in store.values()]
        return iter(dict.fromkeys(methods))

    def callees(self) -> list[Any]:
        """The objects and classes whose calls have a rule of their own."""
        with self._lock:
            return [*self._of_object, *(cls for cls in self._of_subclasses if cls not in self._of_object)]

    def register(self, method: RuleMethod) -> RuleMethod | None:
        """Add a method to every table that it can match; returns the method that it redefines, if any."""
        redefined = None
        with self._lock:
            for member in method.members:
                redefined = self._register_for(member, method) or redefined
        return redefined

    def _register_for(self, member: Any, method: RuleMethod) -> RuleMethod | None:
        store = self._store_of(member)
        methods = store[member.type_parameter]
        if not methods and store is not self._of_object:
            # Which callables share a table depends on the classes that rules name, and here is a new one.
            self._of_constructor.clear()
            self._of_functor.clear()
        # As a rule there are none; the identity is asked for its hash, which looks at each annotation.
        redefined = methods.get(method.identity) if methods else None
        methods[method.identity] = method
        for tables, key in self._tables_matching(member):
            table = tables[key]
            if redefined is None and not any(other.opts_out for other in table.methods):
                table.add(method)
            else:
                # Adding would leave what is redefined in place, or beat an opt-out: make the table anew.
                del tables[key]
                table.forget()
                self._of_constructor.clear()
                self._of_functor.clear()
        return redefined

    def _store_of(self, member: Any) -> defaultdict[Any, _Methods]:
        if member.kind is TypeOf:
            return self._of_object
        return self._of_subclasses if member.kind is SubclassOf else self._of_instances

    def _tables_matching(self, member: Any) -> list[tuple[dict[Any, MethodTable], Any]]:
        """The tables already made that `member` has a part in: for each what holds it, and its key there."""
        if member.kind is TypeOf:
            callee = member.type_parameter
            return [(self._own, callee)] if callee in self._own else []
        own = [(self._own, f) for f in self._own if isinstance(f, member)]
        shared = [(self._shared, key) for key in self._shared if member in key]
        return [*own, *shared]

    def table_of(self, f: Any) -> MethodTable | None:
        """The table that is already made for a callee; `None` for one that was not met before."""
        if self.has_own_rule(f):
            return self._own.get(f)
        return self._of_constructor.get(f) if isinstance(f, type) else self._of_functor.get(type(f))

    def make_table(self, f: Any) -> MethodTable:
        """Make (or find) the table of a callee that was not met before."""
        with self._lock:
            if self.has_own_rule(f):
                if f not in self._own:
                    members = [promise(TypeOf, f), *self._classes_matching(f)]
                    self._own[f] = MethodTable(self._name, self._methods_of(members))
                return self._own[f]
            members = self._classes_matching(f)
            table = self._shared.get(tuple(members))
            if table is None:
                table = self._shared[tuple(members)] = MethodTable(self._name, self._methods_of(members))
            if isinstance(f, type):
                self._of_constructor[f] = table
            else:
                self._of_functor[type(f)] = table
            return table

    def has_own_rule(self, f: Any) -> bool:
        """Whether a rule is registered for this very object."""
        try:
            return f in self._of_object
        except TypeError:  # not hashable
            return False

    def methods_matching(self, f: Any) -> list[RuleMethod]:
        """All methods whose callee parameter matches `f`."""
        with self._lock:
            own = [promise(TypeOf, f)] if self.has_own_rule(f) else []
            return list(self._methods_of([*own, *self._classes_matching(f)]))

    def _methods_of(self, members: list[Any]) -> Iterable[RuleMethod]:
        found = (self._store_of(member)[member.type_parameter].values() for member in members)
        return dict.fromkeys(method for methods in found for method in methods)

    def _classes_matching(self, f: Any) -> list[Any]:
        above = [promise(InstanceOf, cls) for cls in _classes_above(type(f), self._of_instances)]
        if isinstance(f, type):
            above += [promise(SubclassOf, cls) for cls in _classes_above(f, self._of_subclasses)]
        return above

    def find(
        self,
        config: Any,
        leading: tuple[Any, ...],
        f: Any,
        args: tuple[Any, ...],
        remember: Callable[[MethodTable, RuleMethod | None], None],
    ) -> RuleMethod | None:
        """The method for a call whose answer is not remembered, or `None`.

        `remember` is called with the answer while no other thread can register a rule that would change it.
        """
        args = tuple(map(primal_of, args))
        with self._lock:
            table = self.table_of(f) or self.make_table(f)
            method = table.find(config, leading, f, args)
            remember(table, method)
            return method

    def forget_answers(self) -> None:
        """Forget every answer: there is a new class of carriers, or a ruleset that may hold better rules."""
        with self._lock:
            for table in (*self._own.values(), *self._shared.values()):
                table.forget()


def _classes_above(cls: type, named: dict[type, Any]) -> list[type]:
    """Of the classes that rules name, those that `cls` derives from, abstract base classes included."""
    inherited = [base for base in cls.__mro__ if base in named]
    virtual = [base for base in named if isinstance(base, abc.ABCMeta) and issubclass(cls, base)]
    return list(dict.fromkeys(inherited + virtual))
