"""`RuleConfig` and its features, which tell rules the abilities of an AD system.

A rule that calls back into AD says which features it needs, `config: RuleConfig[HasReverseMode]`, and is
looked up only for AD systems whose configuration has them. The features of a configuration are a set: their
order does not matter, and a configuration with more features is a subtype of one with fewer.
"""

import copyreg
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol, TypeVar

import plum

from chainrules_core.exceptions import RuleNotFoundError

Implementation = TypeVar("Implementation", bound=Callable[..., Any])

if TYPE_CHECKING:
    from typing_extensions import TypeVarTuple, Unpack

    Features = TypeVarTuple("Features", default=Unpack[tuple[Any, ...]])

    class _OfFeatures(Generic[*Features]):
        """For type checkers `RuleConfig` is generic in any number of features."""

else:
    Features = ()

    class _OfFeatures:
        """At run time its metaclass says what `RuleConfig[...]` is."""

        def __class_getitem__(cls, features: Any) -> type[Any]:
            return cls


class ReverseModeCapability:
    """The pair of features that say whether an AD system has reverse mode."""


class HasReverseMode(ReverseModeCapability):
    """The AD system implements `rrule_via_ad`."""


class NoReverseMode(ReverseModeCapability):
    """The AD system does not implement `rrule_via_ad`."""


class ForwardsModeCapability:
    """The pair of features that say whether an AD system has forward mode."""


class HasForwardsMode(ForwardsModeCapability):
    """The AD system implements `frule_via_ad`."""


class NoForwardsMode(ForwardsModeCapability):
    """The AD system does not implement `frule_via_ad`."""


_CONTRADICTIONS = ((HasReverseMode, NoReverseMode), (HasForwardsMode, NoForwardsMode))


class _RuleConfigMeta(type):
    """Compares feature sets: plum's `CovariantMeta` does not see through a subclass without parameters."""

    # plum may cache by type: whether a value is an instance depends on its class alone.
    __faithful__ = True
    _with_features: ClassVar[dict[frozenset[type], "_RuleConfigMeta"]] = {}

    required: frozenset[type] | None
    features: frozenset[type]

    def __getitem__(cls, features: type | tuple[type, ...]) -> "_RuleConfigMeta":
        if cls is not RuleConfig:
            raise TypeError(f"{cls.__qualname__}[...]: only RuleConfig itself takes features.")
        wanted = features if isinstance(features, tuple) else (features,)
        for feature in wanted:
            if not isinstance(feature, type) or isinstance(feature, _RuleConfigMeta):
                raise TypeError(f"RuleConfig[{feature!r}]: a feature is a class, such as HasReverseMode.")
        key = frozenset(wanted)
        found = cls._with_features.get(key)
        if found is None:
            names = ", ".join(sorted(feature.__qualname__ for feature in key))
            namespace = {"__module__": cls.__module__, "required": key}
            # `setdefault`: of two threads that come first, one wins and both use its class.
            made = _RuleConfigMeta(f"RuleConfig[{names}]", (RuleConfig,), namespace)
            found = cls._with_features.setdefault(key, made)
        return found

    def __subclasscheck__(cls, other: type) -> bool:
        if "required" not in cls.__dict__ or not isinstance(other, _RuleConfigMeta):
            return type.__subclasscheck__(cls, other)
        required = cls.__dict__["required"]
        return all(any(issubclass(feature, needed) for feature in other.features) for needed in required)

    def __instancecheck__(cls, instance: object) -> bool:
        return cls.__subclasscheck__(type(instance))


class RuleConfig(_OfFeatures[*Features], metaclass=_RuleConfigMeta):
    """The base of AD systems' configurations; ``RuleConfig[...]`` names the features that a rule asks for.

    An AD system derives its own, ``class MyAD(RuleConfig[HasReverseMode, NoForwardsMode])``; a rule takes
    one before the callee, ``config: RuleConfig[HasReverseMode]``. Features are classes, and packages may
    define their own. Instances may hold the state of an AD system.

    Raises
    ------
    TypeError
        If a configuration both has and lacks a mode.
    """

    features: ClassVar[frozenset[type]] = frozenset()

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.features = frozenset().union(*(base.__dict__.get("required", ()) for base in cls.__mro__))
        for has, lacks in _CONTRADICTIONS:
            if {has, lacks} <= cls.features:
                raise TypeError(f"{cls.__qualname__} cannot have both {has.__name__} and {lacks.__name__}.")

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}()"


def _reduce_config_class(cls: _RuleConfigMeta) -> str | tuple[Any, ...]:
    if "required" in cls.__dict__:
        return _RuleConfigMeta.__getitem__, (RuleConfig, tuple(cls.__dict__["required"]))
    return cls.__qualname__


# The classes RuleConfig[...] are not attributes of a module, where pickle would look for them.
copyreg.pickle(_RuleConfigMeta, _reduce_config_class)


def is_config(x: object) -> bool:
    """Whether `x` is a configuration; quicker than `isinstance`, which asks the metaclass."""
    return RuleConfig in type(x).__mro__


class ViaAD(Protocol):
    """A function that each AD system implements for its own configuration."""

    def __call__(self, config: RuleConfig, /, *args: Any, **kwargs: Any) -> Any:
        """Call the implementation for the class of `config`."""

    def dispatch(self, implementation: Implementation, /) -> Implementation:
        """Register an implementation, whose `config` is annotated with the AD system's class."""


_implementations = plum.Dispatcher()


def _via_ad(function: Callable[..., Any]) -> ViaAD:
    dispatched: Any = _implementations(function)
    via_ad: ViaAD = dispatched
    return via_ad


# Only the configuration is annotated: for plum an implementation that annotates nothing else, or
# everything, is then more specific.
@_via_ad
def rrule_via_ad(config: RuleConfig, f: Any, *args: Any, **kwargs: Any) -> Any:
    """Differentiate a call backwards by the AD system that `config` belongs to.

    The same contract as `rrule`: returns ``(y, pullback)``. A rule calls it to differentiate a function
    that it was given; an AD system implements it for its own configuration with ``@rrule_via_ad.dispatch``.

    Raises
    ------
    RuleNotFoundError
        If the AD system has not implemented it.
    """
    raise RuleNotFoundError(_not_implemented_via_ad("rrule_via_ad", HasReverseMode, config))


@_via_ad
def frule_via_ad(config: RuleConfig, tangents: Any, f: Any, *args: Any, **kwargs: Any) -> Any:
    """Differentiate a call forwards by the AD system that `config` belongs to.

    The same contract as `frule`: `tangents` holds one tangent for `f` and one for each argument; returns
    ``(y, y_dot)``. An AD system implements it for its own configuration with ``@frule_via_ad.dispatch``.

    Raises
    ------
    RuleNotFoundError
        If the AD system has not implemented it.
    """
    raise RuleNotFoundError(_not_implemented_via_ad("frule_via_ad", HasForwardsMode, config))


@rrule_via_ad.dispatch
def _rrule_without_config(config: object, *args: Any, **kwargs: Any) -> Any:
    raise TypeError(_no_config("rrule_via_ad(config, f, *args)", HasReverseMode, config))


@frule_via_ad.dispatch
def _frule_without_config(config: object, *args: Any, **kwargs: Any) -> Any:
    raise TypeError(_no_config("frule_via_ad(config, tangents, f, *args)", HasForwardsMode, config))


def _no_config(call: str, feature: type, given: Any) -> str:
    return (
        f"{call}: the first argument is the configuration of an AD system, not this {type(given).__name__}. "
        f"A rule that calls back takes it before the callee, `config: RuleConfig[{feature.__name__}]`."
    )


def _not_implemented_via_ad(name: str, feature: type, config: RuleConfig) -> str:
    owner = type(config).__qualname__.rpartition("<locals>.")[2]
    if any(issubclass(has, feature) for has in type(config).features):
        return (
            f"{name}: {owner} says that it has {feature.__name__}, but does not implement it. Its author "
            f"writes `@{name}.dispatch` over a function whose first parameter is `config: {owner}`."
        )
    return (
        f"{name}: {owner} does not have {feature.__name__}, so a rule cannot call back into it. A rule says "
        f"its needs, `config: RuleConfig[{feature.__name__}]`, and is found for AD systems that have it."
    )
