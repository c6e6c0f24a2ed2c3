"""What becomes of a call ``g(x)`` in intercepted code: ``choose(g)`` is called in the place of ``g``.

The whole decision stands in this file. An answer that is known is given at once. Otherwise the class of `g`
says what kind of callable it is, and each kind has one function here. What stands for methods and objects is
what stands for the functions behind them. What stands for a function or a class is the first of these:

1. what is known of it, by the table of facts;
2. an error, if it makes arrays of a kind that is refused;
3. its rules, where they take the arguments, and behind them its body: a user's function is entered, which
   is to call its twin; a library's is entered if it is given anything traced; what cannot be entered is
   called as it is, with an error if a derivative would be lost.
"""

import types
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from chainrules.ad.interception.choosing.composing import callable_for, rules_of_others_first
from chainrules.ad.interception.choosing.constructing import constructor, usual_constructor
from chainrules.ad.interception.choosing.dataclass_fields import initializing
from chainrules.ad.interception.choosing.entering import entered, entered_if_traced, twin_like
from chainrules.ad.interception.choosing.members import is_bound_first, member_of
from chainrules.ad.interception.choosing.methods_of_values import MethodOfValues, of_values
from chainrules.ad.interception.choosing.ruled_calls import ruled, served
from chainrules.ad.interception.choosing.switch import BLOCKS, is_intercepting, watcher
from chainrules.ad.interception.choosing.unentered import (
    beside_rules,
    calls_back_unseen,
    guarding,
    naming_framework,
    not_entered,
    refusing,
    refusing_instances,
    unentered,
)
from chainrules.ad.syntax.hooks import hook
from chainrules.ad.syntax.origins import Origin, looks_at_frames, origin_of, origin_of_class
from chainrules.ad.syntax.twins import is_twin
from chainrules.ad.traced.ruled_by_others import RULED_BY_OTHERS
from chainrules.ad.traced.traced_classes import TRACED
from chainrules.ad.traced.traced_value import TracedValue
from chainrules.ad.values.facts import Fact, fact_of
from chainrules.ad.values.kinds_of_arrays import refusal_of_framework
from chainrules.ad.values.memory import remember
from chainrules.values.followed_functions import is_followed
from chainrules_core import frule, on_changed_rules, rrule

_AS_ARRAY = TracedValue.__array__
_Function, _Method, _Builtin = types.FunctionType, types.MethodType, types.BuiltinFunctionType

_has_own_rrule, _has_own_frule = rrule.has_own_rule, frule.has_own_rule
_is_method_of_rrule, _is_method_of_frule = rrule.has_rule_of_method, frule.has_rule_of_method

# --- What is known ------------------------------------------------------------------------------------------

# Classes of callables that live for long and are hashed by identity, and the answers for these.
_ALWAYS_LASTING = (
    *(type, np.ufunc, type(np.sum), types.BuiltinFunctionType),
    *(types.MethodDescriptorType, types.WrapperDescriptorType, types.ClassMethodDescriptorType),
)
_LASTING: dict[type, None] = dict.fromkeys(_ALWAYS_LASTING)
_known: dict[Any, Callable[..., Any]] = {}
# Functions by Cython and f2py, whose classes are met later.
_GENERATED = frozenset({"cython_function_or_method", "fused_cython_function", "fortran"})

# With the code and the defaults that a function had, since both can be assigned to. At the end the code
# again, if the same stands for the methods that are made of it, none of which has a rule of its own.
_functions: dict[types.FunctionType, tuple[types.CodeType, Any, Any, types.CodeType | None]] = {}
# By code object, with it, its twin: of local functions, which are made again and again, and have no rules.
_plans: dict[int, tuple[types.CodeType, types.CodeType]] = {}
# By class and name of a method in C: what stands for the function of the class, `False` where it itself does.
_methods_in_c: dict[tuple[type, str], Any] = {}
_METHODS_IN_C = frozenset({types.MethodDescriptorType, types.WrapperDescriptorType})
# What a function in C is "bound" to that is no method of an object.
_NO_OBJECTS = frozenset({types.ModuleType, type(None), np.ufunc})
_IS_IMMUTABLE = 1 << 8  # CPython's flag of classes to whose attributes nothing is assigned

# Whether rules are for the instances of a class, that are called as the objects they are.
_of_instances: dict[type, bool] = {}


@on_changed_rules
def _forget() -> None:
    for memory in (_known, _functions, _plans, _methods_in_c, _of_instances):
        memory.clear()


@hook("call")
def choose(f: Any, here: bool = True) -> Any:  # noqa: C901, PLR0911 - each kind for itself, for speed
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
        return _function(f)
    if cls is _Builtin:
        instance = f.__self__
        owner = type(instance)
        if owner in _NO_OBJECTS:
            return _known.get(f) or _lasting(f)
        of_class = _methods_in_c.get((owner, f.__name__))
        if of_class is None:
            return _known.get(f) or _method_in_c(f)
        return partial(of_class, instance) if of_class else f
    if cls in _LASTING:
        return _known.get(f) or _lasting(f)
    if cls is _Method:
        function = f.__func__
        known = _functions.get(function) if type(function) is _Function else None
        if known is not None and known[3] is function.__code__ and known[1] is function.__defaults__:
            return _Method(known[2], f.__self__)
        return _method(f)
    return _object(f)


def with_functions_chosen(f: Any, args: Sequence[Any]) -> Sequence[Any]:
    """Arguments of `f`; of a formula, which is not entered, with what stands for functions in them."""
    if f.__class__ is not _Function or origin_of(f) is not Origin.ENGINE:
        return args
    return [choose(x) if x.__class__ is _Function or x.__class__ is _Method else x for x in args]


def as_the_users(f: Any) -> Any:
    """What stands for a callable of a library whose code counts as the user's: it is always entered."""
    cls = type(f)
    if cls is _Method:
        return _by_own_rule(f, _Method(as_the_users(f.__func__), f.__self__))
    if cls is partial:
        return partial(as_the_users(f.func), *f.args, **f.keywords)
    if cls is _Function:
        is_local = "<" in f.__qualname__
        is_entered = unentered(f, fact_of(f)) is None
        return _stands_for(f, is_local, Origin.USER) if is_entered else choose(f, False)
    if issubclass(cls, type):
        return _stands_for(f, False, Origin.USER)
    function = cls.__call__
    if type(function) is not _Function:
        return choose(f, False)
    body = _Method(as_the_users(function), f)
    return ruled(f, body) if _serve_class(cls, f) else _by_own_rule(f, body)


def _choose_in_block(f: Any) -> Any:
    if not is_intercepting():
        return f
    watch, chosen = watcher(), choose(f, False)
    return chosen if watch is None else watch(f, chosen)


# --- Functions and classes ----------------------------------------------------------------------------------


def _function(f: types.FunctionType) -> Any:
    """What stands for a function in Python, which is remembered; of a local one its twin, too."""
    is_local = "<" in f.__qualname__  # as in `<locals>` and `<lambda>`: no ruleset can name it
    answer = _stands_for(f, is_local)
    if not (is_local and f.__closure__):  # closures come and go, with what they hold
        remember(_functions, f, (f.__code__, f.__defaults__, answer, None))
    if is_local and type(answer) is _Function and is_twin(answer.__code__):
        remember(_plans, id(f.__code__), (f.__code__, answer.__code__))
    return answer


def _lasting(f: Any) -> Any:
    """What stands for a class or a function in C, which is remembered."""
    answer = _stands_for(f)
    remember(_known, f, answer)
    return answer


def _stands_for(f: Any, is_local: bool = False, as_of: Origin | None = None) -> Any:
    """What stands for a function or a class: the first of these answers that there is.

    The rules of others alone come before what is known of it, and before an error.
    """
    cls, fact = type(f), fact_of(f)
    is_class = issubclass(cls, type)
    origin = as_of or (origin_of(f) if cls is _Function else origin_of_class(f if is_class else cls))
    answer = callable_for(f, fact)
    if answer is None and is_class and origin is Origin.LIBRARY:
        answer = refusing_instances(f)
    if answer is not None:
        return rules_of_others_first(f, answer)
    if is_class and origin is Origin.ENGINE:
        return f
    if is_local:
        has_rules = _serve_class(cls, _forget) or _has_own_rrule(f) or _has_own_frule(f)
    else:
        has_rules = _may_serve(f)
    body = _body(f, fact, origin, has_rules)
    if fact.is_entered:
        return rules_of_others_first(f, body)
    return served(f, body, origin) if has_rules else body


def _body(f: Any, fact: Fact, origin: Origin, has_rules: bool) -> Any:
    """What is called where no rule takes the arguments."""
    cls = type(f)
    if issubclass(cls, type):
        return constructor(f, always=origin is Origin.USER)
    if cls is not _Function:
        if not calls_back_unseen(f):
            return of_values(f)
        return beside_rules(f) if has_rules else guarding(f)
    if origin is Origin.ENGINE or is_twin(f.__code__) or (origin is Origin.LIBRARY and looks_at_frames(f)):
        body = f
    elif origin is Origin.USER:
        # SciPy makes some functions of text, such as `scipy.optimize.anderson`: as if they were the user's.
        body = entered(f) or initializing(f) or (guarding(f) if not_entered(f) else f)
    else:
        body = unentered(f, fact) or entered_if_traced(f)
    instead = refusal_of_framework(f.__globals__.get("__name__"))
    return body if instead is None else naming_framework(f, body, instead)


# --- Methods and objects ------------------------------------------------------------------------------------


def _method(f: types.MethodType) -> Any:
    """What stands for a method in Python: what stands for its function, bound to the object."""
    function, instance = f.__func__, f.__self__
    if type(instance) in TRACED:
        # A program that asks, ``x.__array__()``, is given ``np.asarray(x)``.
        return partial(choose(np.asarray, False), instance) if function is _AS_ARRAY else f
    chosen = choose(function, False)
    body = f if chosen is function else _Method(chosen, instance)
    known = _functions.get(function) if type(function) is _Function else None
    if known is not None and not (_is_method_of_rrule(function) or _is_method_of_frule(function)):
        remember(_functions, function, (*known[:3], known[0]))
    return _by_own_rule(f, body)


def _method_in_c(f: Any) -> Any:
    """What stands for a method in C: what stands for the function of the class, given the object."""
    instance, name = f.__self__, f.__name__
    owner: Any = type(instance)
    if name == "__call__" and issubclass(owner, type):  # ``super().__call__`` of a metaclass
        return usual_constructor(instance, origin_of_class(instance) is Origin.USER)
    unbound = f if owner is type else getattr(owner, name, None)
    if unbound is f or unbound is None:  # a method of a class; of pybind11, "bound" to a record of its own
        answer = callable_for(f, fact_of(f)) if unbound is f else _stands_for(f)
        if answer is not None:
            remember(_known, f, answer)
        return answer or f
    is_own = type(unbound) in _METHODS_IN_C
    if not is_own:  # of a class above, found by `super`, or none of a class
        unbound = _behind(f, owner)
        if unbound is None:
            return f
    chosen = choose(unbound, False)
    if chosen.__class__ is MethodOfValues:
        chosen = unbound  # the object is plain
    body = f if chosen is unbound else partial(chosen, instance)
    if _is_method_of_rrule(name) or _is_method_of_frule(name):
        return _by_own_rule(f, body)
    if is_own and owner.__flags__ & _IS_IMMUTABLE:
        remember(_methods_in_c, (owner, name), chosen is not unbound and chosen)
    return body


def _behind(f: Any, owner: type) -> Any:
    """The function of the class above in C that a method in C is made of."""
    for base in owner.__mro__:
        member: Any = vars(base).get(f.__name__)
        if type(member) in _METHODS_IN_C and member.__get__(f.__self__) == f:
            return member
    return None


def _object(f: Any) -> Any:
    """What stands for an object that is called: the method in Python that this is, or itself.

    One of a class that comes here for the first time may be a class or a function after all.
    """
    cls = type(f)
    if cls not in _of_instances:
        if cls in TRACED:
            return f
        if cls is types.MethodWrapperType:
            return _method_in_c(f)
        of_instances = fact_of(cls).of_instances
        if of_instances is not None:
            return _by_own_rule(f, of_instances(f))
        if issubclass(cls, type) or cls.__name__ in _GENERATED:
            remember(_LASTING, cls, None, _ALWAYS_LASTING)
            return choose(f, False)
        if origin_of_class(cls) is Origin.ENGINE:
            return f
    function = getattr(cls, "__call__", None)  # noqa: B004 - the function itself, which may be Python's
    body, member = f, member_of(cls, "__call__")
    if is_bound_first(member):
        body = choose(member.__get__(f, cls), False)
    elif type(function) is _Function:
        chosen = choose(function, False)
        body = f if chosen is function else _Method(chosen, f)
    elif type(function) is types.WrapperDescriptorType and calls_back_unseen(cls):
        # In C, such as `scipy.fft.fft`, and functions that JAX has compiled.
        instead = refusal_of_framework(cls.__module__)
        body = guarding(f) if instead is None else refusing(f, instead)
    return ruled(f, body) if _serve_class(cls, f) else _by_own_rule(f, body)


# --- Rules --------------------------------------------------------------------------------------------------


def _may_serve(f: Any) -> bool:
    """Whether there may be rules for `f`; the rulesets for it have been imported.

    Those of this package that follow its code are for other AD systems.
    """
    return RULED_BY_OTHERS.of(f) if is_followed(f) else rrule.may_serve(f) or frule.may_serve(f)


def _serve_class(cls: type, any_one: Any) -> bool:
    """Whether there are rules for all instances of a class, of which one is given."""
    answer = _of_instances.get(cls)
    if answer is None:
        answer = _may_serve(any_one)
        remember(_of_instances, cls, answer)
    return answer


def _by_own_rule(f: Any, body: Any) -> Any:
    """`body`, behind the rules of a method or an object, if it has any of its own."""
    try:
        has_own_rule = _has_own_rrule(f) or _has_own_frule(f)
    except TypeError:  # `f` is not hashable
        return body
    return ruled(f, body) if has_own_rule else body
