"""What becomes of a call ``g(x)`` in intercepted code: ``hook(g)`` is called in the place of ``g``.

A function that may have a rule is called by `apply`, which asks for it. A Python function of the user's is
entered: its twin is called. Everything else is called as it is.
"""

import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.composing import callable_for, rules_of_others_first
from chainrules.ad.interception.choosing.constructing import constructor, usual_constructor
from chainrules.ad.interception.choosing.dataclass_fields import initializing
from chainrules.ad.interception.choosing.entering import entered, lending, twin_like
from chainrules.ad.interception.choosing.ruled_calls import constructor_from_arrays, ruled, served
from chainrules.ad.interception.choosing.switch import BLOCKS, is_intercepting, watcher
from chainrules.ad.interception.choosing.unentered import (
    calls_back_unseen,
    guarding,
    naming_framework,
    not_entered,
    refusing,
)
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.syntax.origins import Origin, looks_at_frames, origin_of, origin_of_class
from chainrules.ad.syntax.twins import is_twin
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.facts import Fact, fact_of
from chainrules.ad.values.kinds_of_arrays import refusal_of_class, refusal_of_framework, refusal_of_function
from chainrules.ad.values.memory import note, remember
from chainrules_core import frule, on_changed_rules, rrule

_Function = types.FunctionType
_Method = types.MethodType
_Builtin = types.BuiltinFunctionType

_has_own_rrule, _has_own_frule = rrule.has_own_rule, frule.has_own_rule
_is_method_of_rrule, _is_method_of_frule = rrule.has_rule_of_method, frule.has_rule_of_method

# Answers for callables of these classes are remembered. They are hashed by identity, and live for long.
_REMEMBERED = {
    type,
    np.ufunc,
    type(np.sum),
    types.BuiltinFunctionType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
}

# The methods of these in C are called as they are, but for those that look something up.
_CONTAINERS = frozenset({list, dict, set, str, tuple, bytes, frozenset, int})

_METHODS_IN_C = frozenset({types.MethodDescriptorType, types.WrapperDescriptorType})

# What a function in C is "bound" to that is no method of an object.
_NO_OBJECTS = (types.ModuleType, type(None), np.ufunc)

# Functions by Cython and f2py.
_GENERATED = frozenset({"cython_function_or_method", "fused_cython_function", "fortran"})

_known: dict[Any, Callable[..., Any]] = {}
# With the code and the defaults that a function had, since both can be assigned to.
_functions: dict[types.FunctionType, tuple[types.CodeType, Any, Callable[..., Any]]] = {}
# Of those that are methods, none of them with a rule of its own: the same.
_methods: dict[types.FunctionType, tuple[types.CodeType, Any, Callable[..., Any]]] = {}
# By code object, with it, its twin: of local functions, which are made again and again, and have no rules.
_plans: dict[int, tuple[types.CodeType, types.CodeType]] = {}
# By class and name of a method of a container: what is called in its place, `False` where it itself is.
_of_containers: dict[tuple[type, str], Any] = {}
# Whether rules are for the instances of a class, that are called as the objects they are.
_of_instances: dict[type, bool] = {}
# The functions of bound methods for which the rulesets have been imported, as far as there are any.
_bound: dict[Any, None] = {}


@on_changed_rules
def _forget() -> None:
    for memory in (_known, _functions, _methods, _plans, _of_instances, _bound):
        memory.clear()


@hook("call")
def choose(f: Any, here: bool = True) -> Any:
    """What to call in the place of `f`.

    Parameters
    ----------
    f
        What a program calls.
    here
        Whether to ask if calls are intercepted here, and watched.
    """
    if BLOCKS and here:
        return _choose_in_block(f)
    cls = type(f)
    if cls is _Function:
        known = _functions.get(f)
        if known is not None and known[0] is f.__code__ and known[1] is f.__defaults__:
            return known[2]
        plan = _plans.get(id(f.__code__))
        if plan is not None and plan[0] is f.__code__ and not (_has_own_rrule(f) or _has_own_frule(f)):
            return twin_like(f, plan[1])
        return _found(f, cls)
    if cls is _Builtin and type(f.__self__) in _CONTAINERS:
        name = type(f.__self__), f.__name__
        followed: Any = _of_containers.get(name)
        if followed is None:
            followed = fact_of(getattr(*name)).of_bound or False
            remember(_of_containers, name, followed)
        return partial(followed, f) if followed else f
    if cls in _REMEMBERED:
        return _known.get(f) or _found(f, cls)
    if cls is _Method:
        function = f.__func__
        known = _methods.get(function) if type(function) is _Function else None
        if known is not None and known[0] is function.__code__ and known[1] is function.__defaults__:
            return _Method(known[2], f.__self__)
    return _of_method(f) if cls is _Method else _of_object(f, cls)


def _choose_in_block(f: Any) -> Any:
    if not is_intercepting():
        return f
    watch, chosen = watcher(), choose(f, False)
    return chosen if watch is None else watch(f, chosen)


def _found(f: Any, cls: type) -> Any:
    """What stands for a function or a class that no memory has; it is remembered if `f` stays."""
    if cls is _Function:
        is_local = "<" in f.__qualname__  # as in `<locals>` and `<lambda>`: no ruleset can name it
        answer = _stands_for(f, cls, is_local)
        if not (is_local and f.__closure__):  # closures come and go, with what they hold
            remember(_functions, f, (f.__code__, f.__defaults__, answer))
        if is_local and type(answer) is _Function and is_twin(answer.__code__):
            remember(_plans, id(f.__code__), (f.__code__, answer.__code__))
        return answer
    if cls is _Builtin and not isinstance(f.__self__, _NO_OBJECTS):
        return _of_method_in_c(f)
    answer = _stands_for(f, cls)
    remember(_known, f, answer)
    return answer


def _stands_for(f: Any, cls: type, is_local: bool = False) -> Any:
    """What stands for a function or a class: what is known of it; or its rules, and behind them what it is.

    The rules of others alone come before what is known of it, and before a refusal.
    """
    is_class, fact = issubclass(cls, type), fact_of(f)
    origin = origin_of(f) if cls is _Function else origin_of_class(f if is_class else cls)
    answer = callable_for(f, fact)
    if answer is None and is_class and origin is Origin.LIBRARY:
        instead = refusal_of_class(f)
        # A framework's own classes are no arrays, where they do not say so.
        if instead is not None and (hasattr(f, "__array__") or refusal_of_framework(f.__module__) is None):
            answer = refusing(f, instead)
    if answer is not None:
        return rules_of_others_first(f, answer)
    if is_class and origin is Origin.ENGINE:
        return f
    has_rules = _may_have_rules(f, cls, is_local)
    if cls is _Function:
        body = _of_python(f, fact, origin)
    elif is_class:
        body = constructor(f, always=origin is Origin.USER)
    else:
        body = guarding(f) if not has_rules and calls_back_unseen(f) else f
    if fact.is_entered:
        return rules_of_others_first(f, body)
    answer = served(f, body, origin) if has_rules else body
    is_sparse = is_class and str(f.__module__).startswith("scipy.sparse.")
    return constructor_from_arrays(answer) if is_sparse else answer


def _of_python(f: types.FunctionType, fact: Fact, origin: Origin) -> Callable[..., Any]:
    """What is called in the place of a function in Python where no rule takes the arguments."""
    module = f.__globals__.get("__name__")
    body: Callable[..., Any] | None = None
    if origin is Origin.ENGINE or is_twin(f.__code__) or (origin is Origin.LIBRARY and looks_at_frames(f)):
        body = f
    elif origin is Origin.USER:
        body = entered(f) or initializing(f)
    else:
        refused = fact.refused or refusal_of_function(module, f.__name__)
        body = None if refused is None else refusing(f, refused)
    if body is None:
        # SciPy makes some functions of text, such as `scipy.optimize.anderson`: as if they were the user's.
        body = guarding(f) if not_entered(f) else f if origin is Origin.USER else lending(f)
    instead = refusal_of_framework(module)
    return body if instead is None else naming_framework(f, body, instead)


def _of_object(f: Any, cls: type) -> Any:
    """What stands for an object that is called: the method in Python that this is, or itself.

    One of a class that comes here for the first time may be a class or a function after all.
    """
    if cls not in _of_instances:
        if cls in TRACED:
            return f
        if cls is types.MethodWrapperType:
            return _of_method_in_c(f)
        of_instances = fact_of(cls).of_instances
        if of_instances is not None:
            return ruled(f, of_instances(f)) if _has_own_rule(f) else of_instances(f)
        if issubclass(cls, type) or cls.__name__ in _GENERATED:
            _REMEMBERED.add(cls)
            note(cls, _REMEMBERED)
            return _known.get(f) or _found(f, cls)
        if origin_of_class(cls) is Origin.ENGINE:
            return f
    function = getattr(cls, "__call__", None)  # noqa: B004 - the function itself, which may be Python's
    body = f
    if type(function) is _Function:
        chosen = choose(function, False)
        body = f if chosen is function else _Method(chosen, f)
    elif type(function) is types.WrapperDescriptorType and calls_back_unseen(cls):
        instead = refusal_of_framework(cls.__module__)
        # In C, such as `scipy.fft.fft`, and functions that JAX has compiled.
        body = guarding(f) if instead is None else refusing(f, instead)
    return ruled(f, body) if _may_have_rules(f, cls, comes_and_goes=True) else body


def _of_method(f: types.MethodType) -> Callable[..., Any]:
    """What stands for a method: its function, by what stands for that, bound to the object."""
    function: Any = f.__func__
    instance = f.__self__
    if type(instance) in TRACED:
        return f
    # A function in C is hashable; others may be anything that somebody bound.
    if function not in _bound:
        _may_have_rules(f, _Method)
        remember(_bound, function, None)
    chosen = choose(function, False)
    if _has_own_rule(f):
        return ruled(f, _Method(chosen, instance))
    has_rules = _is_method_of_rrule(function) or _is_method_of_frule(function)
    if function in _functions and type(chosen) is _Function and not has_rules:
        remember(_methods, function, (function.__code__, function.__defaults__, chosen))
    return f if chosen is function else _Method(chosen, instance)


def _of_method_in_c(f: Any) -> Any:
    """What stands for a method in C: the function of the class, by what stands for that, given the object."""
    owner = type(f.__self__)
    if f.__name__ == "__call__" and issubclass(owner, type):  # ``super().__call__`` of a metaclass
        return usual_constructor(f.__self__, origin_of_class(f.__self__) is Origin.USER)
    if owner is type:
        answer = callable_for(f, fact_of(f))
        return f if answer is None else _known.setdefault(f, answer)
    unbound = getattr(owner, f.__name__, None)
    if unbound is None:  # a function of pybind11, "bound" to a record of its own
        return _known.setdefault(f, _stands_for(f, type(f)))
    if type(unbound) not in _METHODS_IN_C:  # of a class above, found by `super`, or none of a class
        unbound = _behind(f, owner)
        if unbound is None:
            return f
    chosen = choose(unbound, False)
    body = f if chosen is unbound else partial(chosen, f.__self__)
    name = f.__name__
    has_rule = (_is_method_of_rrule(name) or _is_method_of_frule(name)) and _has_own_rule(f)
    return ruled(f, body) if has_rule else body


def _behind(f: Any, owner: type) -> Any:
    """The function of the class above in C that a method in C is made of."""
    for base in owner.__mro__:
        member: Any = vars(base).get(f.__name__)
        if type(member) in _METHODS_IN_C and member.__get__(f.__self__) == f:
            return member
    return None


def _may_have_rules(f: Any, cls: type, comes_and_goes: bool = False) -> bool:
    """Whether there may be rules for `f`, of which all rulesets have been imported; of objects, by class."""
    if not comes_and_goes:
        return rrule.may_serve(f) or frule.may_serve(f)
    of_class = _of_instances.get(cls)
    if of_class is None:
        any_function = _forget if cls is _Function else f
        of_class = rrule.may_serve(any_function) or frule.may_serve(any_function)
        remember(_of_instances, cls, of_class)
    return of_class or _has_own_rule(f)


def _has_own_rule(f: Any) -> bool:
    try:
        return _has_own_rrule(f) or _has_own_frule(f)
    except TypeError:  # `f` is not hashable
        return False
