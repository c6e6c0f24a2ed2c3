"""What becomes of a call ``g(x)`` in intercepted code: ``hook(g)`` is called in the place of ``g``.

A function that may have a rule is called by `apply`, which asks for it. A Python function of the user's is
entered: its twin is called. Everything else is called as it is.
"""

import types
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.composing import callable_for
from chainrules.ad.interception.choosing.constructing import constructor, usual_constructor
from chainrules.ad.interception.choosing.dataclass_fields import initializing
from chainrules.ad.interception.choosing.entering import entered, lending, twin_like
from chainrules.ad.interception.choosing.frameworks import naming_framework
from chainrules.ad.interception.choosing.ruled_calls import (
    constructor_from_arrays,
    ruled,
    ruled_by_numpy,
    ruled_in_numpy,
    ruled_in_scipy,
)
from chainrules.ad.interception.choosing.rules_of_others import rules_of_others_first
from chainrules.ad.interception.choosing.switch import BLOCKS, is_intercepting, watcher
from chainrules.ad.interception.choosing.unentered import (
    calls_back_unseen,
    guarding,
    guarding_python,
    not_entered,
    refusing,
)
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.syntax.origins import Origin, looks_at_frames, origin_of, origin_of_class
from chainrules.ad.syntax.twins import is_twin
from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.values.facts import Fact, fact_of
from chainrules.ad.values.kinds_of_arrays import refusal_of_class, refusal_of_framework, refusal_of_function
from chainrules.ad.values.memory import remember
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

_known: dict[Any, Callable[..., Any]] = {}
# With the code and the defaults that a function had, since both can be assigned to.
_functions: dict[types.FunctionType, tuple[types.CodeType, Any, Callable[..., Any]]] = {}
# Of those that are methods, none of them with a rule of its own: the same.
_methods: dict[types.FunctionType, tuple[types.CodeType, Any, Callable[..., Any]]] = {}
# By code object, with it, its twin: of local functions, which are made again and again, and have no rules.
_plans: dict[int, tuple[types.CodeType, types.CodeType]] = {}
# By class and name of a method of a container: what is called in its place, `False` where it itself is.
_of_containers: dict[tuple[type, str], Any] = {}
# Whether rules are for the instances of a class.
_functors: dict[type, bool] = {}
# The functions of bound methods for which the rulesets have been imported, as far as there are any.
_bound: dict[Any, None] = {}


@on_changed_rules
def _forget() -> None:
    for memory in (_known, _functions, _methods, _plans, _functors, _bound):
        memory.clear()


@hook("call")
def choose(f: Any, here: bool = True) -> Any:  # noqa: PLR0911 - each kind of callable for itself, for speed
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
        return _choose_for_function(f)
    if cls is _Builtin and type(f.__self__) in _CONTAINERS:
        name = type(f.__self__), f.__name__
        followed: Any = _of_containers.get(name)
        if followed is None:
            followed = fact_of(getattr(*name)).of_bound or False
            remember(_of_containers, name, followed)
        return partial(followed, f) if followed else f
    if cls in _REMEMBERED:
        return _known.get(f) or _choose_for_remembered(f)
    if cls is _Method:
        function = f.__func__
        known = _methods.get(function) if type(function) is _Function else None
        if known is not None and known[0] is function.__code__ and known[1] is function.__defaults__:
            return _Method(known[2], f.__self__)
        return _choose_for_method(f)
    return _choose_for_object(f, cls)


def _choose_in_block(f: Any) -> Any:
    if not is_intercepting():
        return f
    watch, chosen = watcher(), choose(f, False)
    return chosen if watch is None else watch(f, chosen)


def _may_have_rules(f: Any) -> bool:
    return rrule.may_serve(f) or frule.may_serve(f)


def _has_own_rule(f: Any) -> bool:
    try:
        return _has_own_rrule(f) or _has_own_frule(f)
    except TypeError:  # `f` is not hashable
        return False


def _choose_for_function(f: types.FunctionType) -> Callable[..., Any]:
    is_local = "<" in f.__qualname__  # as in `<locals>` and `<lambda>`: no ruleset can name it
    has_rules = _have_rules_for_functions() or _has_own_rule(f) if is_local else _may_have_rules(f)
    fact = fact_of(f)
    replacement = callable_for(f, fact)
    answer = _body_of_function(f, fact) if replacement is None else replacement
    instead = refusal_of_framework(f.__globals__.get("__name__"))
    if instead is not None:
        answer = naming_framework(f, answer, instead)
    if has_rules:
        is_served_otherwise = replacement is not None or fact.is_entered
        answer = (rules_of_others_first if is_served_otherwise else _kind_of_call(f))(f, answer)
    if not (is_local and f.__closure__):  # closures come and go, with what they hold
        remember(_functions, f, (f.__code__, f.__defaults__, answer))
    if is_local and type(answer) is _Function and is_twin(answer.__code__):
        remember(_plans, id(f.__code__), (f.__code__, answer.__code__))
    return answer


def _have_rules_for_functions() -> bool:
    """Whether there are rules for the class of all functions in Python."""
    has_rules = _functors.get(_Function)
    if has_rules is None:
        has_rules = _may_have_rules(_forget)
        remember(_functors, _Function, has_rules)
    return has_rules


def _kind_of_call(f: types.FunctionType) -> Callable[..., Any]:
    """How a function in Python that has rules is called."""
    module = str(f.__module__)
    if origin_of(f) is not Origin.LIBRARY:
        return ruled
    if module.startswith("numpy"):
        return ruled_in_numpy
    # Those that make sparse arrays of others take lists for what they are.
    return (
        ruled_in_scipy if module.startswith("scipy.") and not module.startswith("scipy.sparse._") else ruled
    )


def _body_of_function(f: types.FunctionType, fact: Fact) -> Callable[..., Any]:
    if is_twin(f.__code__):
        return f
    origin = origin_of(f)
    if origin is Origin.USER:
        # SciPy makes some functions of text, such as `scipy.optimize.anderson`: as if they were the user's.
        return entered(f) or initializing(f, choose) or (guarding_python(f, choose) if not_entered(f) else f)
    if origin is Origin.ENGINE:
        return f
    if looks_at_frames(f):
        return f
    instead = fact.refused or refusal_of_function(f.__globals__.get("__name__"), f.__name__)
    if instead is not None:
        return refusing(f, instead)
    return guarding_python(f, choose) if not_entered(f) else lending(f)


def _choose_for_remembered(f: Any) -> Any:
    if type(f) is _Builtin and not isinstance(f.__self__, types.ModuleType | types.NoneType | np.ufunc):
        return _choose_for_builtin_method(f)
    answer = callable_for(f, fact_of(f))
    if answer is not None:
        answer = rules_of_others_first(f, answer)
    else:
        answer = _choose_for_class(f) if isinstance(f, type) else _choose_for_c(f)
    remember(_known, f, answer)
    return answer


def _choose_for_c(f: Any) -> Any:
    if not _may_have_rules(f):
        return guarding(f, choose) if calls_back_unseen(f) else f
    is_of_numpy = isinstance(f, np.ufunc | type(np.sum)) or isinstance(getattr(f, "__self__", None), np.ufunc)
    return ruled_by_numpy(f, RULED_BY_OTHERS[f]) if is_of_numpy else ruled(f, f)


def _choose_for_builtin_method(f: Any) -> Any:
    """A method in C, bound to an object, which is called as the function of the class."""
    owner = type(f.__self__)
    if f.__name__ == "__call__" and issubclass(owner, type):  # ``super().__call__`` of a metaclass
        return usual_constructor(f.__self__, choose, origin_of_class(f.__self__) is Origin.USER)
    if owner is type:
        answer = callable_for(f, fact_of(f))
        return f if answer is None else _known.setdefault(f, answer)
    unbound = getattr(owner, f.__name__, None)
    if unbound is None:  # a function of pybind11, "bound" to a record of its own
        return _known.setdefault(f, _choose_for_c(f))
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


def _choose_for_method(f: types.MethodType) -> Callable[..., Any]:
    function: Any = f.__func__
    instance = f.__self__
    if type(instance) in TRACED:
        return f
    # A function in C is hashable; others may be anything that somebody bound.
    if function not in _bound:
        _may_have_rules(f)
        remember(_bound, function, None)
    chosen = choose(function, False)
    if _has_own_rule(f):
        return ruled(f, _Method(chosen, instance))
    has_rules = _is_method_of_rrule(function) or _is_method_of_frule(function)
    if function in _functions and type(chosen) is _Function and not has_rules:
        remember(_methods, function, (function.__code__, function.__defaults__, chosen))
    return f if chosen is function else _Method(chosen, instance)


def _choose_for_class(cls: type) -> Callable[..., Any]:
    origin = origin_of_class(cls)
    instead = refusal_of_class(cls) if origin is Origin.LIBRARY else None
    # A framework's own classes are no arrays, where they do not say so.
    if instead is not None and (hasattr(cls, "__array__") or refusal_of_framework(cls.__module__) is None):
        return rules_of_others_first(cls, refusing(cls, instead))
    body = cls if origin is Origin.ENGINE else constructor(cls, choose, always=origin is Origin.USER)
    if body is cls and origin is Origin.LIBRARY and _is_made_in_c(cls):
        body = guarding(cls, choose)
    answer = ruled(cls, body) if origin is not Origin.ENGINE and _may_have_rules(cls) else body
    return constructor_from_arrays(answer) if str(cls.__module__).startswith("scipy.sparse.") else answer


def _is_made_in_c(cls: type) -> bool:
    """Whether the constructor of a class takes values, and is in C, as of `scipy.spatial.Voronoi`."""
    if type(cls) is not type or not calls_back_unseen(cls) or cls.__module__.startswith("numpy"):
        return False
    made: Any = cls
    return made.__init__ is not object.__init__ or made.__new__ is not object.__new__


def _choose_for_object(f: Any, cls: type) -> Any:
    if cls in TRACED:
        return f
    if issubclass(cls, type):
        return _known.get(f) or _choose_for_remembered(f)
    if cls.__name__ in _GENERATED:
        _REMEMBERED.add(cls)
        return choose(f, False)
    if cls is types.MethodWrapperType:
        return _choose_for_builtin_method(f)
    of_instances = fact_of(cls).of_instances
    if of_instances is None:
        return _choose_for_functor(f, cls)
    return ruled(f, of_instances(f)) if _has_own_rule(f) else of_instances(f)


# Functions by Cython and f2py.
_GENERATED = frozenset({"cython_function_or_method", "fused_cython_function", "fortran"})


def _choose_for_functor(f: Any, cls: type) -> Any:
    origin = origin_of_class(cls)
    if origin is Origin.ENGINE:
        return f
    function = getattr(cls, "__call__", None)  # noqa: B004 - the function itself, which may be Python's
    body = f
    if type(function) is _Function:
        chosen = choose(function, False)
        body = f if chosen is function else _Method(chosen, f)
    elif type(function) is types.WrapperDescriptorType and calls_back_unseen(cls):
        instead = refusal_of_framework(cls.__module__)
        # In C, such as `scipy.fft.fft`, and functions that JAX has compiled.
        body = guarding(f, choose) if instead is None else refusing(f, instead)
    has_rules = _functors.get(cls)
    if has_rules is None:
        has_rules = _may_have_rules(f)
        remember(_functors, cls, has_rules)
    return ruled(f, body) if has_rules or _has_own_rule(f) else body
