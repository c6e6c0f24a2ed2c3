"""Which rule serves a call: plum functions for each callee, made when the callee is first looked up.

plum decides; this module only says which methods a plum function holds. One plum function for all rules does
not scale: resolving it grows quadratically with the number of methods, every new argument type scans all of
them, and one annotation that cannot be cached turns caching off for everybody. So the methods are partitioned
by callee. A *table* holds those whose callee parameter can match: registered for the object itself, for its
class, for the classes above it, with a plum function for each rank. Callables without a rule of their own
share one table with all that the same methods match, so that closures, made and thrown away, leave nothing
behind.
"""

import abc
import threading
import types
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

import plum

from chainrules_core.backends import on_new_carrier, value_for_dispatch
from chainrules_core.dispatch.answers import Answers
from chainrules_core.dispatch.callees import InstanceOf, SubclassOf, TypeOf
from chainrules_core.dispatch.descriptions import how_to_decide
from chainrules_core.dispatch.keyword_calls import Parameters, number_required, parameters_of
from chainrules_core.dispatch.memory import Memory, memory_of
from chainrules_core.dispatch.pending_rulesets import on_new_ruleset
from chainrules_core.dispatch.ranks import RuleRank, ranking
from chainrules_core.dispatch.redefinitions import Redefinition
from chainrules_core.dispatch.rule_method import RuleMethod
from chainrules_core.dispatch.screens import on_new_screen, screened
from chainrules_core.parametric_types import promise

_Methods = dict[tuple[Any, ...], RuleMethod]


class MethodTable:
    """The methods that can match one callee, or one group of callees without a rule of their own."""

    def __init__(
        self, name: str, methods: Iterable[RuleMethod], rank: Callable[[RuleMethod], RuleRank]
    ) -> None:
        self._name = name
        self._rank = rank
        self._method_of: dict[Callable[..., Any], RuleMethod] = {}
        # In the order in which they are asked.
        self._functions: dict[RuleRank, plum.Function] = {}
        self.memory = Memory.BY_TYPE
        self.methods: list[RuleMethod] = []
        # The parameters of the one callee that the table is for, if there is one, once somebody has asked.
        self.parameters: Parameters | None = None
        self._number_required: int | None = None
        # Of methods with equal signatures plum keeps the last, and an opt-out wins whenever it was written.
        for method in sorted(methods, key=lambda method: method.opts_out):
            self.add(method)

    def add(self, method: RuleMethod) -> None:
        """Let a method take part in dispatch."""
        self.methods.append(method)
        self.parameters = None
        stand_in = method.stand_in  # asked for once: another thread that asks meanwhile may make a second one
        self._method_of[stand_in] = method
        rank = self._rank(method)
        if rank not in self._functions:
            self._functions = dict(
                sorted([*self._functions.items(), (rank, plum.Function(_stub(self._name)))])
            )
        self._functions[rank].register(stand_in, signature=method.signature)
        self.memory = max(self.memory, memory_of(method.signature))

    def is_too_few(self, f: Any, args: tuple[Any, ...]) -> bool:
        """Whether the one callee of this table requires more positional arguments."""
        if self._number_required is None:
            self._number_required = number_required(f)
        return len(args) < self._number_required

    def find(self, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...]) -> RuleMethod | None:
        """The method for a call, or `None`. Carriers in `args` have been replaced by their primals.

        Raises
        ------
        plum.AmbiguousLookupError
            If several methods match and none is the most specific.
        """
        for rank, function in self._functions.items():
            if rank.without_config or config is not None:
                target = (*leading, f, *args) if rank.without_config else (config, *leading, f, *args)
                try:
                    implementation, _ = function.resolve_method(target)
                except plum.NotFoundLookupError:
                    continue
                except plum.AmbiguousLookupError as error:
                    error.add_note(how_to_decide(args))
                    raise
                return self._method_of[implementation]
        return None


def _takes_any_number(method: RuleMethod | None) -> bool:
    return method is not None and method.varargs is not plum.Missing


def _stub(name: str) -> Callable[..., Any]:
    def stub(*args: Any) -> None: ...

    stub.__name__ = stub.__qualname__ = name  # plum's messages quote it
    return stub


class MethodTables:
    """All rules of one mode, and the tables made of them so far."""

    def __init__(self, name: str, answers: Answers) -> None:
        self.name = name
        self._answers = answers
        # One lock for registering and resolving: a plum function loses what is registered while it
        # resolves. Only calls whose answer is not remembered take it. It is never held during an import,
        # which has locks of its own.
        self._lock = threading.RLock()
        # The methods, by the object or class that `typeof_(foo)`, `type[Foo]` and `Foo` name.
        self.of_objects = defaultdict[Any, _Methods](dict)
        # The functions of the bound methods among these objects; of methods in C, their names.
        self.functions_of_methods: set[Any] = set()
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
        on_new_screen(self.forget_answers)

    def __iter__(self) -> Iterator[RuleMethod]:
        """All methods, each once, in the order of their callees' first registration."""
        with self._lock:
            stores = [*self.of_objects.values(), *self._of_subclasses.values(), *self._of_instances.values()]
            methods = [method for store in stores for method in store.values()]
        return iter(dict.fromkeys(methods))

    def callees(self) -> list[Any]:
        """The objects and classes whose calls have a rule of their own."""
        with self._lock:
            return [*self.of_objects, *(cls for cls in self._of_subclasses if cls not in self.of_objects)]

    def register(self, method: RuleMethod) -> Redefinition | None:
        """Add a method to every table that it can match; return the redefinition, if a method gave way."""
        redefinition = None
        with self._lock:
            for member in method.members:
                redefinition = self._register_for(member, method) or redefinition
        return redefinition

    def _register_for(self, member: Any, method: RuleMethod) -> Redefinition | None:
        store = self._store_of(member)
        methods = store[member.type_parameter]
        redefined = None
        # As a rule there are none; an identity is asked for its hash, which looks at each annotation.
        for rival in method.rivals_among(methods) if methods else ():
            if method.yields_to(rival):
                return Redefinition(rival, method)
            del methods[rival.identity]
            redefined = rival
        self.functions_of_methods.update(_function_of_method(member.type_parameter))
        if not methods and store is not self.of_objects:
            # Which callables share a table depends on the classes that rules name, and here is a new one.
            self._of_constructor.clear()
            self._of_functor.clear()
        methods[method.identity] = method
        for tables, key in self._tables_matching(member):
            table = tables[key]
            self._answers.forget(table)
            if redefined is None and not any(other.opts_out for other in table.methods):
                if method not in table.methods:  # a union may reach a table by several members
                    table.add(method)
            else:
                # Adding would leave the redefined method in place, or beat an opt-out: make the table anew.
                del tables[key]
                self._of_constructor.clear()
                self._of_functor.clear()
        return None if redefined is None else Redefinition(method, redefined)

    def _store_of(self, member: Any) -> defaultdict[Any, _Methods]:
        if member.kind is TypeOf:
            return self.of_objects
        return self._of_subclasses if member.kind is SubclassOf else self._of_instances

    def _tables_matching(self, member: Any) -> list[tuple[dict[Any, MethodTable], Any]]:
        """The tables already made that `member` has a part in: for each its dictionary, and its key there."""
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
                if f not in self._own:  # pragma: no branch - another thread may have come first
                    members = [promise(TypeOf, f), *self._classes_matching(f)]
                    self._own[f] = MethodTable(self.name, self._methods_of(members), self.rank_for(f))
                return self._own[f]
            members = self._classes_matching(f)
            table = self._shared.get(tuple(members))
            if table is None:
                table = MethodTable(self.name, self._methods_of(members), self.rank_for(f))
                self._shared[tuple(members)] = table
            if isinstance(f, type):
                self._of_constructor[f] = table
            else:
                self._of_functor[type(f)] = table
            return table

    def has_own_rule(self, f: Any) -> bool:
        """Whether a rule is registered for this very object."""
        try:
            return f in self.of_objects
        except TypeError:  # not hashable
            return False

    def rank_for(self, f: Any) -> Callable[[RuleMethod], RuleRank]:
        """How the methods that match `f` are ranked."""
        return ranking(promise(TypeOf, f) if self.has_own_rule(f) else None)

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
        self, config: Any, leading: tuple[Any, ...], f: Any, args: tuple[Any, ...], *, lacking: bool = False
    ) -> RuleMethod | None:
        """The method for a call, or `None`; remembered, where the types of the arguments decide.

        `lacking` says that required arguments are not given by position. A rule with varargs takes such a
        call all the same, and is not kept at hand for it: if they are given by keyword, another rule may
        serve the call.
        """
        table = self.table_of(f)
        if table is not None:
            try:
                return self._answers.method(table, table.memory.key(config, leading, args))
            except KeyError:
                pass
        args = tuple(map(value_for_dispatch, args))  # the values that carriers carry decide
        with self._lock:
            table = self.table_of(f) or self.make_table(f)
            key = table.memory.key(config, leading, args)
            try:
                return self._answers.method(table, key)
            except KeyError:
                pass
            method = screened(table.find(config, leading, f, args), f, args)
            if table.memory is not Memory.NEVER:
                self._answers.remember(table, key, method)
            by_type = table.memory is Memory.BY_TYPE and self.has_own_rule(f)
            if by_type and not (_takes_any_number(method) and (lacking or table.is_too_few(f, args))):
                self._answers.put_at_hand(table, config, f, tuple(map(type, args)), method)
            return method

    def parameters_of(self, f: Any) -> Parameters:
        """The parameters of a callee that positional arguments reach."""
        table = self._own.get(f) if self.has_own_rule(f) else None
        if table is None:
            return parameters_of(f, self.methods_matching(f))
        if table.parameters is None:
            table.parameters = parameters_of(f, table.methods)
        return table.parameters

    def lacks_arguments(self, f: Any, args: tuple[Any, ...]) -> bool:
        """Whether positional arguments that a callee requires are missing."""
        required = [p for p in self.parameters_of(f) if p.default is p.empty]
        return len(args) < len(required)

    def forget_answers(self) -> None:
        """Forget every answer: there is a new class of carriers, or a ruleset that may hold better rules."""
        with self._lock:
            self._answers.forget_all()


def _function_of_method(f: Any) -> tuple[Any, ...]:
    """The function of a bound method, or the name of one in C; nothing for other callees."""
    if type(f) is types.MethodType:
        return (f.__func__,)
    is_in_c = type(f) is types.MethodWrapperType or (
        type(f) is types.BuiltinMethodType and not isinstance(f.__self__, types.ModuleType | types.NoneType)
    )
    return (f.__name__,) if is_in_c else ()


def _classes_above(cls: type, named: dict[type, Any]) -> list[type]:
    """Of the classes that rules name, those that `cls` derives from, abstract base classes included."""
    inherited = [base for base in cls.__mro__ if base in named]
    virtual = [base for base in named if isinstance(base, abc.ABCMeta) and issubclass(cls, base)]
    return list(dict.fromkeys(inherited + virtual))
